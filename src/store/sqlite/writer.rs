//! The one who writes: a thread that commits what has come in meanwhile as one transaction, because a
//! commit costs the disk the same whether it is of one entry or of many.

use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use crate::session::Timestamp;
use crate::store::news::Newsroom;
use crate::store::{Append, AppendError, LogId, News, StoreError, Tail, measures};

use super::group::{Group, Known, Seen, Setback};
use super::open::Hold;
use super::upkeep::Upkeep;
use super::{is_damage, unavailable};

/// The most that is done in one transaction.
const GROUP: usize = 256;

/// How many bytes are written to find out whether there is room again.
const PROBE: u32 = 64 * 1_024;

/// What is to be done, and who waits for it.
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) answer: oneshot::Sender<Outcome>,
}

/// What is to be done.
pub(super) enum Task {
    /// Adds entries.
    Append(Vec<Append>),
    /// Removes a log that ends there.
    Remove(LogId, Tail),
    /// Removes some of what has expired by then.
    Expire(Timestamp),
    /// Says whether it works.
    Ping,
}

/// What was done.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Done {
    /// The logs that were removed.
    pub(super) gone: Vec<LogId>,
    /// Whether there may be more to remove.
    pub(super) more: bool,
}

/// What has become of a task.
pub(super) type Outcome = Result<Done, AppendError>;

/// The one who writes.
pub(super) struct Writer {
    pub(super) connection: Connection,
    known: Arc<Known>,
    newsroom: Newsroom,
    upkeep: Upkeep,
    /// Whether a group came to nothing, and nothing has been written since.
    has_failed: bool,
    /// Closed after the connection.
    _held: Arc<Hold>,
}

/// Why a group came to nothing, and through which of its tasks if it was one of them.
struct Failure {
    error: rusqlite::Error,
    task: Option<usize>,
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure { error, task: None }
    }
}

impl Writer {
    /// One who writes through a connection, tells news, and lets others know where logs end.
    pub(super) fn new(connection: Connection, known: Arc<Known>, newsroom: Newsroom, held: Arc<Hold>) -> Writer {
        Writer { connection, known, newsroom, upkeep: Upkeep::default(), has_failed: false, _held: held }
    }

    /// Does what comes, until nothing can come any more.
    pub(super) fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut group = Vec::new();
        loop {
            while jobs.is_empty() && self.upkeep.give_back_some(&self.connection) {}
            if jobs.blocking_recv_many(&mut group, GROUP) == 0 {
                break;
            }
            self.serve(std::mem::take(&mut group));
            self.upkeep.copy_back(&self.connection);
        }
        self.upkeep.close(self.connection);
    }

    /// Does some jobs as one, and answers once they are done for good.
    pub(super) fn serve(&mut self, mut jobs: Vec<Job>) {
        while !jobs.is_empty() {
            match self.commit(&jobs) {
                Ok(outcomes) => {
                    self.tell(&jobs, &outcomes);
                    return jobs.into_iter().zip(outcomes).for_each(|(job, outcome)| job.answer(outcome));
                }
                // A log that is damaged takes no others with it.
                Err(Failure { error, task: Some(task) }) if is_damage(&error) => {
                    jobs.remove(task).answer(Err(unavailable(error).into()));
                }
                Err(Failure { error, .. }) => {
                    (self.has_failed, self.upkeep.is_short) = (true, true);
                    let reason = error.to_string();
                    // Refusals too: they may rest on what another job of the group did, which is undone.
                    let failed = || Err(StoreError::Unavailable(reason.clone()).into());
                    return jobs.into_iter().for_each(|job| job.answer(failed()));
                }
            }
        }
    }

    fn commit(&mut self, jobs: &[Job]) -> Result<Vec<Outcome>, Failure> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changes = transaction.total_changes();
        let mut group = Group::new(&transaction, &self.known);
        let mut outcomes = Vec::with_capacity(jobs.len());
        for (index, job) in jobs.iter().enumerate() {
            outcomes.push(match group.run(&job.task) {
                Ok(done) => Ok(done),
                Err(Setback::Refused(error)) => Err(error),
                Err(Setback::Failed(error)) => return Err(Failure { error, task: Some(index) }),
            });
        }
        let seen = group.finish()?;
        if self.has_failed && jobs.iter().any(|job| matches!(job.task, Task::Ping)) {
            // It is not ready because there is room for a page or two.
            transaction.execute("REPLACE INTO probe VALUES (1, zeroblob(?1))", [PROBE])?;
        }
        let has_written = transaction.total_changes() != changes;
        // Others see what is committed before this goes on; so from here on they are to ask the file.
        seen.keys().for_each(|id| drop(self.known.remove(id)));
        transaction.commit()?;
        self.has_failed &= !has_written;
        self.learn(seen);
        Ok(outcomes)
    }

    fn learn(&self, seen: Seen) {
        seen.into_iter().filter_map(|(id, row)| Some((id, row?))).for_each(|(id, row)| self.known.insert(id, row));
    }

    /// Tells news of what was done.
    fn tell(&mut self, jobs: &[Job], outcomes: &[Outcome]) {
        let mut appends = 0;
        for (job, outcome) in jobs.iter().zip(outcomes) {
            let Ok(done) = outcome else {
                continue;
            };
            if let Task::Append(batch) = &job.task {
                appends += 1;
                self.newsroom.appended(batch);
            }
            done.gone.iter().for_each(|id| self.newsroom.tell(*id, News::Unsure));
            self.upkeep.is_to_give_back |= !done.gone.is_empty();
        }
        if appends > 0 {
            metrics::histogram!(measures::GROUP_SIZE).record(f64::from(appends));
        }
    }
}

impl Job {
    fn answer(self, outcome: Outcome) {
        // Whoever asked may not wait for it any more.
        drop(self.answer.send(outcome));
    }
}
