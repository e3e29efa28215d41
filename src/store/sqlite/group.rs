//! What is done in one transaction: it is committed whole or not at all.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use quick_cache::sync::Cache;
use rusqlite::{Connection, OptionalExtension, params};

use crate::session::Timestamp;
use crate::store::{Append, AppendError, LogId, POSTPONED, Tail};

use super::is_damage;
use super::values::{Heading, Row, log_id};
use super::writer::{Done, Task};

/// How many logs are looked at in one transaction whether they have expired.
const LOOKED_AT: usize = 500;

/// After how many entries that were removed it is enough for one transaction.
const REMOVED: u32 = 20_000;

/// Writes of a log what changes with every entry. No index has it.
pub(super) const PROLONG: &str =
    "UPDATE logs SET version = ?2, chain = ?3, updated_at = ?4, expires_at = ?5 WHERE number = ?1";

/// Finds some of the logs that are to be looked at.
pub(super) const DUE: &str = "SELECT number, kind, id, expires_at FROM logs WHERE due <= ?1 ORDER BY due LIMIT ?2";

/// A log that is to be looked at: its number, and what names it and when it expires, if that can be read.
type Due = (i64, rusqlite::Result<(LogId, Timestamp)>);

/// What is known of logs without asking the file: never anything that the file does not say.
pub(super) type Known = Cache<LogId, Row>;

/// Why something was not done.
pub(super) enum Setback {
    /// It is not to be done; nothing was written for it.
    Refused(AppendError),
    /// The file failed.
    Failed(rusqlite::Error),
}

impl From<AppendError> for Setback {
    fn from(refused: AppendError) -> Setback {
        Setback::Refused(refused)
    }
}

impl From<rusqlite::Error> for Setback {
    fn from(failed: rusqlite::Error) -> Setback {
        Setback::Failed(failed)
    }
}

/// What is done in one transaction, and what it comes to.
pub(super) struct Group<'a> {
    transaction: &'a Connection,
    known: &'a Known,
    /// The logs that were looked at, as the transaction has left them; none where there is no such log.
    seen: Seen,
    counts: HashMap<Heading, Counts>,
}

/// Logs as a transaction has left them.
pub(super) type Seen = HashMap<LogId, Option<Row>>;

/// By how much what is counted has grown.
#[derive(Default)]
struct Counts {
    logs: i64,
    entries: i64,
}

impl Group<'_> {
    /// Nothing yet.
    pub(super) fn new<'a>(transaction: &'a Connection, known: &'a Known) -> Group<'a> {
        Group { transaction, known, seen: HashMap::new(), counts: HashMap::new() }
    }

    /// Does one thing more.
    ///
    /// # Errors
    /// If it is refused: then nothing was written for it. If the file failed: then all is to be undone.
    pub(super) fn run(&mut self, task: &Task) -> Result<Done, Setback> {
        match task {
            Task::Append(batch) => self.append(batch),
            Task::Remove(id, expected) => self.remove(*id, *expected),
            Task::Expire(now) => Ok(self.expire(*now)?),
            Task::Ping => Ok(Done::default()),
        }
    }

    /// Writes what has been counted, and gives the logs as they are now.
    ///
    /// # Errors
    /// If the file failed.
    pub(super) fn finish(self) -> rusqlite::Result<Seen> {
        let mut count = self.transaction.prepare_cached(
            "INSERT INTO census VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET logs = logs + excluded.logs, entries = entries + excluded.entries",
        )?;
        for (Heading { kind, game, status }, Counts { logs, entries }) in &self.counts {
            if (*logs, *entries) != (0, 0) {
                count.execute(params![kind, game, status, logs, entries])?;
            }
        }
        if self.counts.values().any(|counts| counts.logs < 0) {
            self.transaction.prepare_cached("DELETE FROM census WHERE logs = 0")?.execute(())?;
        }
        Ok(self.seen)
    }

    fn append(&mut self, batch: &[Append]) -> Result<Done, Setback> {
        batch.iter().try_for_each(|append| self.expect(append.id, append.behind()))?;
        batch.iter().try_for_each(|append| self.add(append))?;
        Ok(Done::default())
    }

    fn remove(&mut self, id: LogId, expected: Tail) -> Result<Done, Setback> {
        self.expect(id, Some(expected))?;
        self.erase(id)?;
        Ok(Done { gone: vec![id], more: false })
    }

    /// Makes sure that a log ends where that is expected; `None`: that there is no such log.
    fn expect(&mut self, id: LogId, expected: Option<Tail>) -> Result<(), Setback> {
        match self.row(id)?.as_ref().map(|row| row.tail) {
            tail if tail == expected => Ok(()),
            None => Err(AppendError::Gone.into()),
            Some(_) => Err(AppendError::Conflict.into()),
        }
    }

    /// What is known of a log.
    fn row(&mut self, id: LogId) -> rusqlite::Result<&mut Option<Row>> {
        match self.seen.entry(id) {
            Entry::Occupied(seen) => Ok(seen.into_mut()),
            Entry::Vacant(unseen) => Ok(unseen.insert(match self.known.get(&id) {
                Some(row) => Some(row),
                None => find(self.transaction, id)?,
            })),
        }
    }

    fn add(&mut self, append: &Append) -> rusqlite::Result<()> {
        let before = self.row(append.id)?.take();
        let mut row = Row::grown(before.as_ref(), append);
        match &before {
            None => row.number = self.begin(&row, append)?,
            Some(before) if before.is_found_like(&row) => self.prolong(&row, append)?,
            Some(_) => self.change(&row, append)?,
        }
        let mut write = self.transaction.prepare_cached("INSERT INTO entries VALUES (?1, ?2, ?3)")?;
        for (record, version) in append.records.iter().zip(append.expected + 1..) {
            write.execute(params![row.number, version, record.as_bytes()])?;
        }
        if let Some(before) = before {
            self.count(before, -1);
        }
        self.count(row.clone(), 1);
        self.seen.insert(append.id, Some(row));
        Ok(())
    }

    /// Writes the row of a log that is begun, and gives its number.
    fn begin(&self, row: &Row, append: &Append) -> rusqlite::Result<i64> {
        let mut write = self.transaction.prepare_cached(
            "INSERT INTO logs (kind, id, version, chain, game, status, begun_at, updated_at, expires_at, due, listed,
             played) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11)",
        )?;
        let (tail, heading) = (row.tail, &row.heading);
        write.insert(params![
            heading.kind,
            append.id.as_bytes(),
            tail.version,
            tail.chain,
            heading.game,
            heading.status,
            append.at,
            append.lease.expires_at,
            row.due,
            row.listed,
            row.worth
        ])
    }

    /// Writes of a log what changes with every entry.
    fn prolong(&self, row: &Row, append: &Append) -> rusqlite::Result<()> {
        let mut write = self.transaction.prepare_cached(PROLONG)?;
        write.execute(params![row.number, row.tail.version, row.tail.chain, append.at, append.lease.expires_at])?;
        Ok(())
    }

    /// Writes of a log all that can change.
    fn change(&self, row: &Row, append: &Append) -> rusqlite::Result<()> {
        self.prolong(row, append)?;
        let mut write = self.transaction.prepare_cached(
            "UPDATE logs SET game = ?2, status = ?3, due = ?4, listed = ?5, played = ?6 WHERE number = ?1",
        )?;
        let heading = &row.heading;
        write.execute(params![row.number, heading.game, heading.status, row.due, row.listed, row.worth])?;
        Ok(())
    }

    /// Removes a log, and gives how many entries it had.
    fn erase(&mut self, id: LogId) -> rusqlite::Result<u32> {
        let Some(row) = self.row(id)?.take() else {
            return Ok(0);
        };
        self.transaction.prepare_cached("DELETE FROM entries WHERE log = ?1")?.execute([row.number])?;
        self.transaction.prepare_cached("DELETE FROM logs WHERE number = ?1")?.execute([row.number])?;
        let entries = row.tail.version;
        self.count(row, -1);
        Ok(entries)
    }

    /// Removes some of what has expired.
    fn expire(&mut self, now: Timestamp) -> rusqlite::Result<Done> {
        let (mut gone, mut removed) = (Vec::new(), 0);
        let due = self.due(now)?;
        let (count, all) = (due.len(), due.len() == LOOKED_AT);
        for (looked_at, (number, log)) in due.into_iter().enumerate() {
            match log.and_then(|(id, expires_at)| self.expire_one(id, expires_at, now)) {
                Ok(None) => {}
                Ok(Some((id, entries))) => {
                    removed += entries;
                    gone.push(id);
                }
                // One that is damaged takes no others with it.
                Err(error) if is_damage(&error) => {
                    tracing::error!(%error, number, "a log that is due cannot be looked at");
                    self.postpone(number, now.plus(POSTPONED))?;
                }
                Err(error) => return Err(error),
            }
            if removed >= REMOVED {
                return Ok(Done { gone, more: looked_at + 1 < count || all });
            }
        }
        Ok(Done { gone, more: all })
    }

    /// Removes a log that has expired, and gives how many entries it had; or looks at it again when it will
    /// have.
    fn expire_one(
        &mut self,
        id: LogId,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> rusqlite::Result<Option<(LogId, u32)>> {
        if expires_at <= now {
            return self.erase(id).map(|entries| Some((id, entries)));
        }
        if let Some(row) = self.row(id)? {
            row.due = expires_at;
            let number = row.number;
            self.postpone(number, expires_at)?;
        }
        Ok(None)
    }

    /// Some of the logs that are to be looked at.
    fn due(&self, now: Timestamp) -> rusqlite::Result<Vec<Due>> {
        let mut due = self.transaction.prepare_cached(DUE)?;
        let read = |columns: &rusqlite::Row<'_>| {
            let log = || Ok((log_id(columns, 1, 2)?, columns.get(3)?));
            Ok((columns.get(0)?, log()))
        };
        due.query_map(params![now, LOOKED_AT as i64], read)?.collect()
    }

    /// Has a log looked at at another time.
    fn postpone(&self, number: i64, due: Timestamp) -> rusqlite::Result<()> {
        let mut write = self.transaction.prepare_cached("UPDATE logs SET due = ?2 WHERE number = ?1")?;
        write.execute(params![number, due]).map(|_| ())
    }

    /// Counts a log in or out, and its entries.
    fn count(&mut self, row: Row, logs: i64) {
        let counts = self.counts.entry(row.heading).or_default();
        counts.logs += logs;
        counts.entries += logs * i64::from(row.tail.version);
    }
}

fn find(transaction: &Connection, id: LogId) -> rusqlite::Result<Option<Row>> {
    transaction.prepare_cached(Row::FIND)?.query_row(params![id.as_bytes(), id.kind()], Row::read).optional()
}
