//! Logs in a file of SQLite: on one machine, and there after a restart.
//!
//! One thread writes; it takes what has come in meanwhile, commits it as one transaction and answers only
//! then. Others read through connections of their own and see what is committed. Where the logs in play end
//! is known without asking the file: the writer says so once a commit is done, and takes it back before the
//! next one begins, so that nobody ever finds less there than in the file, or more.

mod backup;
mod group;
mod open;
mod reader;
mod schema;
#[cfg(test)]
mod tests;
mod upkeep;
mod values;
mod writer;

pub use backup::{BackupError, backup};
pub use open::OpenError;

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use rusqlite::ErrorCode;
use tokio::sync::{mpsc, oneshot};

use crate::session::{Timestamp, Version};

use super::news::Newsroom;
use super::{
    Append, AppendError, Census, Listing, LogId, Place, Record, SessionStore, StoreError, Tail, Wanted, Watch,
};

use group::Known;
use reader::Readers;
use writer::{Done, Job, Outcome, Task, Writer};

/// How many jobs wait for the writer. Whoever comes then waits before.
const QUEUE: usize = 1_024;

/// How a file is used.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// For how long to wait for another program that writes to the file.
    pub busy_timeout: Duration,
    /// How many read at once, each with 4 MiB of the file at hand.
    pub readers: u32,
    /// Of how many logs it is known without asking the file where they end, some 150 bytes for each.
    pub known: usize,
}

impl Default for SqliteOptions {
    fn default() -> SqliteOptions {
        SqliteOptions { busy_timeout: Duration::from_secs(5), readers: 4, known: 100_000 }
    }
}

/// A store in a file. Only one process at a time has it open.
pub struct SqliteStore {
    desk: Mutex<Option<Desk>>,
    readers: Arc<Readers>,
    known: Arc<Known>,
    newsroom: Newsroom,
}

/// Where jobs are handed to the writer.
struct Desk {
    jobs: mpsc::Sender<Job>,
    writer: JoinHandle<()>,
}

impl SqliteStore {
    /// Opens a file, and makes it if there is none. Blocks for as long as that takes.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<SqliteStore, OpenError> {
        let held = Arc::new(open::hold(path)?);
        let connection = open::to_write(path, &held, options.busy_timeout)?;
        let known = Arc::new(Known::new(options.known));
        let newsroom = Newsroom::default();
        let readers = Readers::new(path.into(), options.busy_timeout, options.readers.max(1), held.clone());
        let writer = Writer::new(connection, known.clone(), newsroom.clone(), held);
        let (jobs, to_do) = mpsc::channel(QUEUE);
        let writer = thread::Builder::new()
            .name("store".into())
            .spawn(move || writer.run(to_do))
            .map_err(|error| OpenError::File(path.into(), error))?;
        let desk = Mutex::new(Some(Desk { jobs, writer }));
        Ok(SqliteStore { desk, readers: Arc::new(readers), known, newsroom })
    }

    /// Has the writer do something.
    async fn order(&self, task: Task) -> Outcome {
        let jobs = self.desk.lock().as_ref().map(|desk| desk.jobs.clone()).ok_or_else(closed)?;
        let (answer, answered) = oneshot::channel();
        jobs.send(Job { task, answer }).await.map_err(|_| closed())?;
        // The one that is kept at the desk is enough to keep the writer at work.
        drop(jobs);
        answered.await.map_err(|_| closed())?
    }
}

#[async_trait]
impl SessionStore for SqliteStore {
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        self.order(Task::Append(batch)).await.map(|_| ())
    }

    async fn tail(&self, id: LogId) -> Result<Option<Tail>, StoreError> {
        match self.known.get(&id) {
            Some(row) => Ok(Some(row.tail)),
            None => self.readers.ask(move |moment| reader::tail(moment, id)).await,
        }
    }

    async fn load(&self, id: LogId, after: Version, limit: usize) -> Result<Option<Vec<Record>>, StoreError> {
        self.readers.ask(move |moment| reader::load(moment, id, after, limit)).await
    }

    async fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Result<Listing, StoreError> {
        let wanted = *wanted;
        self.readers.ask(move |moment| reader::list(moment, &wanted, before, limit)).await
    }

    fn watch(&self, id: LogId) -> Watch {
        self.newsroom.watch(id)
    }

    async fn remove(&self, id: LogId, expected: Tail) -> Result<(), AppendError> {
        self.order(Task::Remove(id, expected)).await.map(|_| ())
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<LogId>, StoreError> {
        let mut expired = Vec::new();
        loop {
            // A job for each of many transactions, so that others get in between.
            match self.order(Task::Expire(now)).await {
                Ok(Done { gone, more }) => {
                    expired.extend(gone);
                    if !more {
                        return Ok(expired);
                    }
                }
                Err(error) if expired.is_empty() => return Err(of_store(error)),
                Err(error) => {
                    // What is gone has to be said all the same; the rest comes next time.
                    tracing::warn!(%error, "not all that has expired could be removed");
                    return Ok(expired);
                }
            }
        }
    }

    async fn census(&self) -> Result<Census, StoreError> {
        self.readers.ask(reader::census).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.order(Task::Ping).await.map(|_| ()).map_err(of_store)
    }

    async fn close(&self) {
        let Some(Desk { jobs, writer }) = self.desk.lock().take() else {
            return;
        };
        // Those who read come first: the last connection leaves nothing beside the file.
        self.readers.close().await;
        drop(jobs);
        let joined = tokio::task::spawn_blocking(|| writer.join()).await;
        if !matches!(joined, Ok(Ok(()))) {
            tracing::error!("the store's writer did not finish what it had begun");
        }
        self.known.clear();
    }
}

fn closed() -> StoreError {
    StoreError::Unavailable("it is closed".into())
}

fn unavailable(error: rusqlite::Error) -> StoreError {
    match is_damage(&error) {
        true => StoreError::Damaged(error.to_string()),
        false => StoreError::Unavailable(error.to_string()),
    }
}

/// Whether what is wrong is with some rows or pages, and not with the file.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..))
        || error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

/// What is wrong with the store where nothing else can be.
fn of_store(error: AppendError) -> StoreError {
    match error {
        AppendError::Store(error) => error,
        other => StoreError::Unavailable(other.to_string()),
    }
}
