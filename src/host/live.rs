//! A session or a race at hand: its newest version, some older ones, the queue of changes to it, and
//! those who watch it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::RwLock;
use tokio::sync::{Mutex, MutexGuard, OwnedSemaphorePermit, Semaphore};

use crate::session::{Entry, Gathering, Session, Version};
use crate::store::{Chain, Kind, Logged, Presence};

use super::audience::{Audience, PRESENCE};
use super::insight::Insights;
use super::races::STANDINGS;
use super::{HostError, Limits};

/// A session or a race at hand.
pub struct Live<G: Logged = Session> {
    versions: RwLock<Versions<G>>,
    checkpoint_every: Version,
    /// Changes take turns in the order in which they came.
    turn: Mutex<()>,
    /// Who comes when all places are taken is sent away: a queue that only grows helps nobody.
    places: Arc<Semaphore>,
    /// It was removed. Another session may have its id by now, if it is made under the same key.
    ended: OnceLock<End>,
    /// Made when somebody watches for the first time.
    audience: OnceLock<Arc<Audience<G>>>,
    watchers: usize,
    /// What was worked out of it, if it is a session.
    insights: Insights,
}

struct Versions<G> {
    current: Folded<G>,
    /// Older versions to start from, oldest first.
    checkpoints: Vec<Folded<G>>,
}

/// What a log tells up to one of its entries, and what it has come to.
#[derive(Debug)]
pub(super) struct Folded<G> {
    pub(super) state: Arc<G>,
    pub(super) chain: Chain,
}

impl<G> Clone for Folded<G> {
    fn clone(&self) -> Folded<G> {
        Folded { state: self.state.clone(), chain: self.chain }
    }
}

impl<G: Gathering> Folded<G> {
    /// The same as far as it is to be shown, and never decided on again.
    pub(super) fn to_be_shown(&self) -> Folded<G> {
        Folded { state: Arc::new(self.state.to_be_shown()), chain: self.chain }
    }
}

/// Why there is nothing more to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was removed.
    Deleted,
    /// It has expired.
    Expired,
    /// Its log is not the one that it was: the store has lost the end of it, or it was made anew under the
    /// same key.
    Replaced,
    /// Its log cannot be read on.
    Unreadable,
    /// The one who watches has left his seat.
    SeatLeft,
}

impl<G: Logged> Live<G> {
    pub(super) fn new(current: Folded<G>, checkpoints: Vec<Folded<G>>, limits: &Limits) -> Live<G> {
        Live {
            versions: RwLock::new(Versions { current, checkpoints }),
            checkpoint_every: limits.checkpoint_every,
            turn: Mutex::new(()),
            places: Arc::new(Semaphore::new(limits.queue)),
            ended: OnceLock::new(),
            audience: OnceLock::new(),
            watchers: limits.watchers,
            insights: Insights::default(),
        }
    }

    /// It as it stands.
    pub fn current(&self) -> Arc<G> {
        self.versions.read().current.state.clone()
    }

    /// It as it stands, and what its log has come to.
    pub(super) fn folded(&self) -> Folded<G> {
        self.versions.read().current.clone()
    }

    /// Who watches it here.
    pub fn presence(&self) -> Presence {
        self.audience.get().map(|audience| audience.presence()).unwrap_or_default()
    }

    pub(super) fn checkpoint_before(&self, version: Version) -> Option<Folded<G>> {
        let versions = self.versions.read();
        versions.checkpoints.iter().rev().find(|checkpoint| checkpoint.state.version() <= version).cloned()
    }

    /// Takes a place in the queue, to be given back when the change is done.
    pub(super) fn queue_up(&self) -> Result<OwnedSemaphorePermit, HostError> {
        self.places.clone().try_acquire_owned().map_err(|_| HostError::Busy)
    }

    pub(super) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Refuses all changes that have not had their turn, and says good-bye to those who watch.
    pub(super) fn end(&self, end: End) {
        // Only the first reason counts.
        let _ = self.ended.set(end);
        if let Some(audience) = self.audience.get() {
            audience.wake();
        }
    }

    /// Why it is no more, if it is not.
    pub(super) fn ended(&self) -> Option<End> {
        self.ended.get().copied()
    }

    pub(super) fn must_be_there(&self) -> Result<(), HostError> {
        match self.ended() {
            None => Ok(()),
            // Whoever asks again is answered.
            Some(End::Replaced | End::Unreadable) => Err(HostError::Busy),
            Some(End::Deleted | End::Expired | End::SeatLeft) => Err(HostError::NoSuch(G::KIND)),
        }
    }

    /// Shows a version to all who look from now on, unless they see a newer one already, and tells those
    /// who watch of it.
    pub(super) fn publish(&self, entry: Entry<G::Event>, next: Folded<G>) {
        let mut versions = self.versions.write();
        if next.state.version() > versions.current.state.version() {
            if next.state.version().is_multiple_of(self.checkpoint_every) {
                versions.checkpoints.push(next.to_be_shown());
            }
            if let Some(audience) = self.audience.get() {
                audience.note(entry, next.state.clone());
            }
            versions.current = next;
        }
        drop(versions);
        if let Some(audience) = self.audience.get() {
            audience.wake();
        }
    }

    /// Tells those who watch, after a while, that there is something new besides: who is there, or who is
    /// ahead. What comes in the meantime is told together.
    pub(super) fn stir(&self, after: Duration) {
        if let Some(audience) = self.audience.get() {
            audience.stir(after);
        }
    }

    /// Tells those who watch, after a while, of what has happened elsewhere.
    pub(super) fn stir_beside(&self) {
        self.stir(match G::KIND {
            Kind::Session => PRESENCE,
            Kind::Race => STANDINGS,
        });
    }

    pub(super) fn audience(&self) -> &Arc<Audience<G>> {
        self.audience.get_or_init(|| Arc::new(Audience::new(self.watchers)))
    }

    pub(super) fn insights(&self) -> &Insights {
        &self.insights
    }
}
