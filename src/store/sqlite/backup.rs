//! A copy of the file, while a server writes to it.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use super::open::{self, OpenError};

/// For how long one waits for the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no copy. Each is one line.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file cannot be read, or is not ours.
    #[error(transparent)]
    Source(#[from] OpenError),
    /// Nothing has been kept in the file.
    #[error("nothing has been kept in {}", .0.display())]
    Empty(PathBuf),
    /// There is something where the copy is to be.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// It cannot be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    Copy(PathBuf, rusqlite::Error),
    /// The copy cannot be kept.
    #[error("{} cannot be written: {}", .0.display(), .1)]
    Target(PathBuf, io::Error),
}

/// Copies the file of a store as it is at one moment, whether a server writes to it or not. The copy is
/// whole or is not there.
///
/// # Errors
/// [`BackupError`]; there is no copy then.
pub fn backup(from: &Path, to: &Path) -> Result<(), BackupError> {
    let connection = source(from)?;
    must_be_free(to)?;
    let unfinished = beside(to);
    let made = copy(&connection, from, &unfinished).and_then(|()| keep(&unfinished, to));
    if made.is_err() {
        // It may not even have been begun.
        drop(fs::remove_file(&unfinished));
    }
    made
}

fn source(from: &Path) -> Result<Connection, BackupError> {
    if !from.exists() {
        return Err(OpenError::NoFile(from.into()).into());
    }
    let connection = open::to_read(from, BUSY_TIMEOUT).map_err(|error| open::of_sqlite(from, error))?;
    match open::checked(from, &connection)? {
        0 => Err(BackupError::Empty(from.into())),
        _ => Ok(connection),
    }
}

fn must_be_free(to: &Path) -> Result<(), BackupError> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(BackupError::Exists(to.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(BackupError::Target(to.into(), error)),
    }
}

/// Where the copy is until it is finished.
fn beside(to: &Path) -> PathBuf {
    let mut name = OsString::from(to);
    name.push(format!(".{}.unfinished", std::process::id()));
    name.into()
}

fn copy(connection: &Connection, from: &Path, unfinished: &Path) -> Result<(), BackupError> {
    let name = unfinished.to_str().ok_or_else(|| {
        BackupError::Target(unfinished.into(), io::Error::new(io::ErrorKind::InvalidInput, "the name is not UTF-8"))
    })?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(|error| BackupError::Copy(from.into(), error))?;
    Ok(())
}

/// Sees that the copy is on the disk before it has its name, and then that it has it for good.
fn keep(unfinished: &Path, to: &Path) -> Result<(), BackupError> {
    let keep = || {
        let copy = File::open(unfinished)?;
        copy.set_permissions(Permissions::from_mode(open::PRIVATE))?;
        copy.sync_all()?;
        fs::rename(unfinished, to)?;
        let directory = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(directory)?.sync_all()
    };
    must_be_free(to)?;
    keep().map_err(|error| BackupError::Target(to.into(), error))
}
