//! Those who read: a few connections that never wait for the writer, each question on one moment of the file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::Semaphore;

use crate::session::{Timestamp, Version};
use crate::store::{Census, Counted, LOOKED_THROUGH, Listing, LogId, Place, Record, StoreError, Tail, Wanted};

use super::open::{self, Hold};
use super::values::log_id;
use super::{closed, is_damage, unavailable};

/// Reads some entries of a log.
pub(super) const RECORDS: &str = "SELECT record FROM entries WHERE log = ?1 AND version > ?2 ORDER BY version LIMIT ?3";

/// Looks through those that everyone may be told of.
pub(super) const LIST: &str = "SELECT kind, id, begun_at, game, status, listed FROM logs
                               WHERE kind = ?1 AND listed IS NOT NULL AND (begun_at, id) < (?2, ?3)
                               ORDER BY begun_at DESC, id DESC";

/// Connections that read.
pub(super) struct Readers {
    path: PathBuf,
    busy_timeout: Duration,
    most: u32,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
    /// Let go after the connections.
    held: Mutex<Option<Arc<Hold>>>,
}

impl Readers {
    /// So many connections at most. They are opened when they are needed.
    pub(super) fn new(path: PathBuf, busy_timeout: Duration, most: u32, held: Arc<Hold>) -> Readers {
        let permits = Arc::new(Semaphore::new(most as usize));
        Readers { path, busy_timeout, most, permits, idle: Mutex::default(), held: Mutex::new(Some(held)) }
    }

    /// Asks the file something.
    ///
    /// # Errors
    /// If it cannot say.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.permits.clone().acquire_owned().await.map_err(|_| closed())?;
        let readers = self.clone();
        let asked = tokio::task::spawn_blocking(move || {
            let answer = readers.ask_now(question);
            drop(permit);
            answer
        });
        asked.await.map_err(|error| StoreError::Unavailable(error.to_string()))?.map_err(unavailable)
    }

    fn ask_now<T>(&self, question: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let idle = self.idle.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => open::to_read(&self.path, self.busy_timeout)?,
        };
        let moment = connection.transaction()?;
        let answer = question(&moment)?;
        moment.finish()?;
        // One that has failed is not used again.
        self.idle.lock().push(connection);
        Ok(answer)
    }

    /// Waits for those who read, closes all connections and lets go of the file.
    pub(super) async fn close(&self) {
        let all = self.permits.acquire_many(self.most).await;
        self.permits.close();
        drop(all);
        self.idle.lock().clear();
        drop(self.held.lock().take());
    }
}

/// Where a log ends.
pub(super) fn tail(moment: &Connection, id: LogId) -> rusqlite::Result<Option<Tail>> {
    let mut find = moment.prepare_cached("SELECT version, chain FROM logs WHERE id = ?1 AND kind = ?2")?;
    let read = |columns: &rusqlite::Row<'_>| Ok(Tail { version: columns.get(0)?, chain: columns.get(1)? });
    find.query_row(params![id.as_bytes(), id.kind()], read).optional()
}

/// At most `limit` entries of a log after a version.
pub(super) fn load(
    moment: &Connection,
    id: LogId,
    after: Version,
    limit: usize,
) -> rusqlite::Result<Option<Vec<Record>>> {
    let mut find = moment.prepare_cached("SELECT number FROM logs WHERE id = ?1 AND kind = ?2")?;
    let Some(log): Option<i64> =
        find.query_row(params![id.as_bytes(), id.kind()], |columns| columns.get(0)).optional()?
    else {
        return Ok(None);
    };
    let mut read = moment.prepare_cached(RECORDS)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let records =
        read.query_map(params![log, after, limit], |columns| Ok(Record::from_bytes(columns.get::<_, Vec<u8>>(0)?)))?;
    records.collect::<rusqlite::Result<_>>().map(Some)
}

/// Looks through those that everyone may be told of, so many of them at a time.
pub(super) fn list(
    moment: &Connection,
    wanted: &Wanted,
    before: Option<Place>,
    limit: usize,
) -> rusqlite::Result<Listing> {
    let mut look = moment.prepare_cached(LIST)?;
    let youngest = Timestamp::from_millis(u64::MAX);
    let (begun_at, id) = before.map_or((youngest, [u8::MAX; 16]), |place| (place.begun_at, *place.id.as_bytes()));
    let mut older = look.query(params![wanted.kind, begun_at, id])?;
    let (mut found, mut last, mut looked_through) = (Vec::new(), None, 0);
    while let Some(columns) = older.next()? {
        if found.len() == limit || looked_through == LOOKED_THROUGH {
            return Ok(Listing { found, next: last });
        }
        looked_through += 1;
        let place =
            || Ok((Place { id: log_id(columns, 0, 1)?, begun_at: columns.get(2)? }, is_wanted(columns, wanted)?));
        match place() {
            Ok((place, is_wanted)) => {
                last = Some(place);
                found.extend(is_wanted.then_some(place.id));
            }
            // One that is damaged hides no others.
            Err(error) if is_damage(&error) => tracing::error!(%error, "a log cannot be listed"),
            Err(error) => return Err(error),
        }
    }
    Ok(Listing { found, next: None })
}

fn is_wanted(columns: &rusqlite::Row<'_>, wanted: &Wanted) -> rusqlite::Result<bool> {
    Ok(wanted.includes(columns.get_ref(3)?.as_str()?, columns.get_ref(4)?.as_str()?, columns.get(5)?))
}

/// What the file holds.
pub(super) fn census(moment: &Connection) -> rusqlite::Result<Census> {
    let mut count = moment.prepare_cached("SELECT kind, game, status, logs, entries FROM census")?;
    let read = |columns: &rusqlite::Row<'_>| {
        let counted = Counted {
            kind: columns.get(0)?,
            game: columns.get(1)?,
            status: columns.get(2)?,
            logs: columns.get::<_, u32>(3)? as usize,
        };
        Ok((counted, columns.get::<_, i64>(4)?))
    };
    let (mut logs, mut entries) = (Vec::new(), 0);
    for counted in count.query_map((), read)? {
        let (counted, more) = counted?;
        logs.push(counted);
        entries += usize::try_from(more).unwrap_or_default();
    }
    let size = |pragma| moment.pragma_query_value(None, pragma, |row| row.get::<_, u32>(0));
    let bytes = size("page_count")? as usize * size("page_size")? as usize;
    Ok(Census { logs, entries, bytes })
}
