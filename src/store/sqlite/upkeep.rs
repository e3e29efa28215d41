//! What the writer does between groups: it copies the journal back into the file, and gives back pages that
//! nothing needs any more.

use std::time::{Duration, Instant};

use rusqlite::Connection;

/// With so many pages in the journal that are not in the file yet, they are copied: 4 MiB.
const TO_COPY: i64 = 1_024;

/// With so many pages in the journal, those who read have to let it begin anew: 64 MiB.
const LARGE: i64 = 16_384;

/// For how long those who read are waited for then.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long to wait after an attempt that did not work.
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// How many pages are given back at a time.
const PAGES: i64 = 256;

/// So many pages may be free: the next logs will need them.
const SPARE: i64 = 64;

/// What is to be done between groups.
#[derive(Default)]
pub(super) struct Upkeep {
    /// Whether something was removed, so that there may be pages to give back.
    pub(super) is_to_give_back: bool,
    /// Whether room is short: what was copied back can be written over.
    pub(super) is_short: bool,
    /// Not to be tried before that.
    not_before: Option<Instant>,
}

/// How many pages there are in the journal.
struct Journal {
    pages: i64,
    copied: i64,
    /// Whether somebody who reads was in the way.
    is_busy: bool,
}

impl Upkeep {
    /// Copies the journal back into the file, if it is time.
    pub(super) fn copy_back(&mut self, connection: &Connection) {
        if self.not_before.is_some_and(|time| Instant::now() < time) {
            return;
        }
        let to_copy = if std::mem::take(&mut self.is_short) { 1 } else { TO_COPY };
        match copy_if_long(connection, to_copy) {
            Ok(Journal { is_busy: false, .. }) => self.not_before = None,
            Ok(Journal { pages, copied, .. }) => {
                tracing::debug!(pages, copied, "the store's journal is being read and goes on growing");
                self.not_before = Some(Instant::now() + TRY_AGAIN);
            }
            Err(error) => {
                tracing::warn!(%error, "the store's journal could not be copied back, and is tried again");
                self.not_before = Some(Instant::now() + TRY_AGAIN);
            }
        }
    }

    /// Gives back some of the pages that nothing needs, and says whether there are more.
    pub(super) fn give_back_some(&mut self, connection: &Connection) -> bool {
        if self.is_to_give_back {
            self.is_to_give_back = give_back(connection).unwrap_or_else(|error| {
                tracing::warn!(%error, "the store's file could not be made smaller");
                false
            });
            self.copy_back(connection);
        }
        self.is_to_give_back
    }

    /// Leaves nothing in the journal, and closes the connection.
    pub(super) fn close(&mut self, connection: Connection) {
        if let Err(error) = copy(&connection, "TRUNCATE") {
            tracing::warn!(%error, "the store's journal could not be copied back at the end");
        }
        if let Err((_, error)) = connection.close() {
            tracing::warn!(%error, "the store could not be closed");
        }
    }
}

fn copy_if_long(connection: &Connection, to_copy: i64) -> rusqlite::Result<Journal> {
    let journal = copy(connection, "NOOP")?;
    if journal.pages >= LARGE {
        let waiting: u32 = connection.pragma_query_value(None, "busy_timeout", |row| row.get(0))?;
        connection.busy_timeout(PATIENCE)?;
        let journal = copy(connection, "RESTART");
        connection.busy_timeout(Duration::from_millis(waiting.into()))?;
        journal
    } else if journal.pages - journal.copied >= to_copy {
        copy(connection, "PASSIVE")
    } else {
        Ok(journal)
    }
}

fn copy(connection: &Connection, mode: &str) -> rusqlite::Result<Journal> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let read = |row: &rusqlite::Row<'_>| Ok(Journal { is_busy: row.get(0)?, pages: row.get(1)?, copied: row.get(2)? });
    connection.prepare_cached(&sql)?.query_row((), read)
}

/// Gives back some pages if there are many to spare, and says whether there are still.
fn give_back(connection: &Connection) -> rusqlite::Result<bool> {
    let before = free_pages(connection)?;
    if before <= spare(connection)? {
        return Ok(false);
    }
    // Each row is a page.
    let mut pages = connection.prepare(&format!("PRAGMA incremental_vacuum({PAGES})"))?;
    let mut pages = pages.query(())?;
    while pages.next()?.is_some() {}
    let left = free_pages(connection)?;
    Ok(left < before && left > spare(connection)?)
}

fn free_pages(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "freelist_count", |row| row.get(0))
}

/// How many pages may be free: some, or an eighth of a large file.
fn spare(connection: &Connection) -> rusqlite::Result<i64> {
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    Ok(SPARE.max(pages / 8))
}
