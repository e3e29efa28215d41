//! A session at hand: its newest version, some older ones, and the queue of changes to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::RwLock;
use tokio::sync::{Mutex, MutexGuard, OwnedSemaphorePermit, Semaphore};

use crate::session::{Session, Version};

use super::{HostError, Limits};

/// A session at hand.
pub struct Live {
    versions: RwLock<Versions>,
    checkpoint_every: Version,
    /// Changes take turns in the order in which they came.
    turn: Mutex<()>,
    /// Who comes when all places are taken is sent away: a queue that only grows helps nobody.
    places: Arc<Semaphore>,
    /// It was removed. Another session may have its id by now, if it is made under the same key.
    ended: AtomicBool,
}

struct Versions {
    current: Arc<Session>,
    /// Older versions to start from, oldest first.
    checkpoints: Vec<Arc<Session>>,
}

impl Live {
    pub(super) fn new(session: Arc<Session>, limits: &Limits) -> Live {
        Live::with_checkpoints(session, Vec::new(), limits)
    }

    pub(super) fn with_checkpoints(current: Arc<Session>, checkpoints: Vec<Arc<Session>>, limits: &Limits) -> Live {
        Live {
            versions: RwLock::new(Versions { current, checkpoints }),
            checkpoint_every: limits.checkpoint_every,
            turn: Mutex::new(()),
            places: Arc::new(Semaphore::new(limits.queue)),
            ended: AtomicBool::new(false),
        }
    }

    /// The session as it stands.
    pub fn current(&self) -> Arc<Session> {
        self.versions.read().current.clone()
    }

    pub(super) fn checkpoint_before(&self, version: Version) -> Option<Arc<Session>> {
        let versions = self.versions.read();
        versions.checkpoints.iter().rev().find(|checkpoint| checkpoint.version() <= version).cloned()
    }

    /// Takes a place in the queue, to be given back when the change is done.
    pub(super) fn queue_up(&self) -> Result<OwnedSemaphorePermit, HostError> {
        self.places.clone().try_acquire_owned().map_err(|_| HostError::Busy)
    }

    pub(super) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Refuses all changes that have not had their turn.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    pub(super) fn must_be_there(&self) -> Result<(), HostError> {
        if self.ended.load(Ordering::Relaxed) { Err(HostError::NoSuchSession) } else { Ok(()) }
    }

    /// Shows a version to all who look from now on, unless they see a newer one already.
    pub(super) fn publish(&self, session: Arc<Session>) -> Arc<Session> {
        let mut versions = self.versions.write();
        if session.version() > versions.current.version() {
            if session.version().is_multiple_of(self.checkpoint_every) {
                versions.checkpoints.push(Arc::new(session.to_be_shown()));
            }
            versions.current = session.clone();
        }
        session
    }
}
