//! What the file looks like, and how it came to.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

/// Marks a file as ours: `ptnc`.
pub(super) const APPLICATION: i32 = i32::from_be_bytes(*b"ptnc");

/// What brings a file of each version to the next. A file is of the version that is their number.
const MIGRATIONS: [&str; 1] = [FIRST];

/// The version of files that this program reads and writes.
pub(super) const VERSION: i32 = MIGRATIONS.len() as i32;

/// A row for each log, its entries behind it in their order, and how many there are.
///
/// The columns `due` and `listed` and what a log is counted under seldom change, so that a move touches no
/// index: it writes the page of its row and the page of its entries.
const FIRST: &str = "
CREATE TABLE logs (
    number INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL, -- 1: a session, 2: a race
    id BLOB NOT NULL, -- the 16 bytes of a UUID
    version INTEGER NOT NULL, -- how many entries there are
    chain BLOB NOT NULL, -- what they have come to
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    begun_at INTEGER NOT NULL, -- times are in milliseconds since the beginning of 1970
    updated_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    due INTEGER NOT NULL, -- when to look whether it has expired; never after that
    listed INTEGER, -- how many seats are free, if everyone may be told of it
    played INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX logs_by_id ON logs (id, kind);
CREATE INDEX logs_by_due ON logs (due);
CREATE INDEX logs_listed ON logs (kind, begun_at, id) WHERE listed IS NOT NULL;

CREATE TABLE entries (
    log INTEGER NOT NULL,
    version INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (log, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE census (
    kind INTEGER NOT NULL,
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    logs INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (kind, game, status)
) STRICT, WITHOUT ROWID;

-- What is written to find out whether there is room again.
CREATE TABLE probe (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

-- For people.
CREATE VIEW readable AS SELECT
    kind,
    lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-'
        || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS id,
    game, status, version, listed AS free_seats,
    strftime('%Y-%m-%dT%H:%M:%fZ', begun_at / 1000.0, 'unixepoch') AS begun_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch') AS updated_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch') AS expires_at
FROM logs;
CREATE VIEW sessions AS
    SELECT id, game, status, version, free_seats, begun_at, updated_at, expires_at FROM readable WHERE kind = 1;
CREATE VIEW races AS
    SELECT id, game, status, version, free_seats, begun_at, updated_at, expires_at FROM readable WHERE kind = 2;
";

/// What a file is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing has been kept there yet.
    Empty,
    /// One of ours, of that version.
    Ours(i32),
    /// The database of another program.
    Foreign,
}

/// Looks what a file is, and changes nothing.
///
/// # Errors
/// If it cannot be read, or is no database.
pub(super) fn look(connection: &Connection) -> rusqlite::Result<Found> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let something = connection.query_row("SELECT 1 FROM sqlite_schema", (), |_| Ok(())).optional()?;
    Ok(match (application, version, something) {
        (APPLICATION, version, _) => Found::Ours(version),
        (0, 0, None) => Found::Empty,
        _ => Found::Foreign,
    })
}

/// Brings a file of an earlier version to this one, step by step; each is done or not.
///
/// # Errors
/// If that does not work.
pub(super) fn migrate(connection: &mut Connection, from: i32) -> rusqlite::Result<()> {
    let to_come = MIGRATIONS.iter().zip(1..).skip(usize::try_from(from).unwrap_or_default());
    for (migration, version) in to_come {
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(migration)?;
        step.pragma_update(None, "user_version", version)?;
        step.pragma_update(None, "application_id", APPLICATION)?;
        step.commit()?;
        tracing::info!(version, "the store's file was brought to a new version");
    }
    Ok(())
}
