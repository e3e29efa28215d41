//! Opening the file: it is ours, of a version that we know, and nobody else writes to it.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema::{self, Found};

/// How much of the file the writer has at hand, in KiB.
const WRITER_CACHE: i32 = 32 * 1_024;

/// How much each reader has.
const READER_CACHE: i32 = 4 * 1_024;

/// How many bytes the journal beside the file keeps when it begins anew.
const JOURNAL_KEPT: i32 = 64 * 1_024 * 1_024;

/// How many statements a connection has ready: more than there are.
const STATEMENTS: usize = 32;

/// Who may read and write: the owner alone.
pub(super) const PRIVATE: u32 = 0o600;

/// Why a file is not opened. Each is one line.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory does not exist.
    #[error("there is no directory for {}", .0.display())]
    NoDirectory(PathBuf),
    /// The file does not exist.
    #[error("there is no file {}", .0.display())]
    NoFile(PathBuf),
    /// It may only be read.
    #[error("{} cannot be written to", .0.display())]
    ReadOnly(PathBuf),
    /// Another process of this program has it open.
    #[error("{} is in use by another patience", .0.display())]
    InUse(PathBuf),
    /// Another program has locked it.
    #[error("{} is locked by another program", .0.display())]
    Locked(PathBuf),
    /// It is something else.
    #[error("{} is not a database", .0.display())]
    NotADatabase(PathBuf),
    /// It is a database, but not one of this program.
    #[error("{} is a database of another program", .0.display())]
    Foreign(PathBuf),
    /// A later version of this program has written it.
    #[error("{} is of version {found}, and this program knows versions up to {}", path.display(), schema::VERSION)]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its version.
        found: i32,
    },
    /// The operating system says no.
    #[error("{} cannot be opened: {}", .0.display(), .1)]
    File(PathBuf, std::io::Error),
    /// SQLite says no.
    #[error("{} cannot be opened: {}", .0.display(), .1)]
    Database(PathBuf, rusqlite::Error),
}

/// Holds the file, so that no other process of this program opens it, for as long as this is kept.
///
/// What is locked is another file beside it: locks of both kinds on one file get in each other's way on
/// some systems, and when any handle of a file is closed, POSIX takes from the process all locks that
/// SQLite has on it.
pub(super) struct Hold {
    _lock: File,
}

/// Holds a file, and makes it if there is none.
///
/// # Errors
/// If it cannot be written to, or is held.
pub(super) fn hold(path: &Path) -> Result<Hold, OpenError> {
    let mut lock = OsString::from(path);
    lock.push("-lock");
    let lock = open_or_make(path, Path::new(&lock))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(path.into())),
        Err(TryLockError::Error(error)) => return Err(OpenError::File(path.into(), error)),
    }
    let file = open_or_make(path, path)?;
    let metadata = file.metadata().map_err(|error| OpenError::File(path.into(), error))?;
    // The administrator may write to it nevertheless, and should not.
    if metadata.permissions().readonly() {
        return Err(OpenError::ReadOnly(path.into()));
    }
    Ok(Hold { _lock: lock })
}

/// Opens what is, or is beside, the file of that path. What is made is for its owner alone: there are seeds
/// in it.
fn open_or_make(path: &Path, what: &Path) -> Result<File, OpenError> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).mode(PRIVATE);
    options.open(what).map_err(|error| match error.kind() {
        ErrorKind::NotFound => OpenError::NoDirectory(path.into()),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => OpenError::ReadOnly(path.into()),
        _ => OpenError::File(path.into(), error),
    })
}

/// Opens the connection that writes, and brings the file to the version of this program.
///
/// # Errors
/// If it is not ours, of a later version, or locked.
pub(super) fn to_write(path: &Path, _held: &Hold, busy_timeout: Duration) -> Result<Connection, OpenError> {
    let failed = |error| of_sqlite(path, error);
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, busy_timeout).map_err(failed)?;
    let version = checked(path, &connection)?;
    set_up(&connection).map_err(failed)?;
    schema::migrate(&mut connection, version).map_err(failed)?;
    Ok(connection)
}

/// Opens a connection that reads.
///
/// # Errors
/// If SQLite does not.
pub(super) fn to_read(path: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy_timeout)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE)?;
    Ok(connection)
}

/// The version of a file that is ours; 0 if nothing has been kept there yet.
///
/// # Errors
/// If it is not ours, or of a later version.
pub(super) fn checked(path: &Path, connection: &Connection) -> Result<i32, OpenError> {
    match schema::look(connection).map_err(|error| of_sqlite(path, error))? {
        Found::Empty => Ok(0),
        Found::Ours(version) if version <= schema::VERSION => Ok(version),
        Found::Ours(found) => Err(OpenError::Newer { path: path.into(), found }),
        Found::Foreign => Err(OpenError::Foreign(path.into())),
    }
}

/// What it means that SQLite does not open a file.
pub(super) fn of_sqlite(path: &Path, error: rusqlite::Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotADatabase(path.into()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => OpenError::Locked(path.into()),
        Some(ErrorCode::ReadOnly) => OpenError::ReadOnly(path.into()),
        _ => OpenError::Database(path.into(), error),
    }
}

fn connect(path: &Path, access: OpenFlags, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(busy_timeout.min(Duration::from_secs(3_600)))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    // Of a new file the first page says so, and the journal mode writes that.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // The writer copies the journal back between groups.
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", JOURNAL_KEPT, |_| Ok(()))?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE)
}
