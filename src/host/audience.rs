//! Those who watch a session or a race, and what they are told.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::session::{Entry, Seat, Version};
use crate::store::{Kind, Logged, Presence};

use super::HostError;
use super::reader::Change;

/// How long a change is kept for readers that are a little behind; those who are further behind read the
/// log.
const RECENT: Duration = Duration::from_secs(2);

/// How many changes are kept for them at most.
const MOST_RECENT: usize = super::reader::FAR_BEHIND as usize;

/// For how long comings and goings are gathered before they are told.
pub(super) const PRESENCE: Duration = Duration::from_secs(1);

/// How many streams a player may have open at once.
const OF_ONE_SEAT: usize = 64;

/// Those who watch.
pub(super) struct Audience<G: Logged> {
    news: watch::Sender<Stirs>,
    /// What has happened lately, in order and without a gap.
    recent: Mutex<VecDeque<(Instant, Arc<Change<G>>)>>,
    present: Mutex<Present>,
    most: usize,
    stirring: AtomicBool,
    /// What was written for the latest stir, once for all.
    aside: tokio::sync::Mutex<Option<(Stirs, Option<Bytes>)>>,
}

/// How often there was something new besides changes. Everyone who watches is woken for it, and for
/// changes.
pub(super) type Stirs = u64;

#[derive(Default)]
struct Present {
    /// How many streams each seat has open.
    seats: BTreeMap<Seat, usize>,
    watchers: usize,
}

impl<G: Logged> Audience<G> {
    pub(super) fn new(most: usize) -> Audience<G> {
        Audience {
            news: watch::Sender::new(0),
            recent: Mutex::default(),
            present: Mutex::default(),
            most,
            stirring: AtomicBool::new(false),
            aside: tokio::sync::Mutex::new(None),
        }
    }

    pub(super) fn is_there(&self) -> bool {
        self.news.receiver_count() > 0
    }

    pub(super) fn listen(&self) -> watch::Receiver<Stirs> {
        self.news.subscribe()
    }

    /// Has a change ready for those who watch; it is written when the first of them comes to it.
    pub(super) fn note(&self, entry: Entry<G::Event>, state: Arc<G>) {
        let mut recent = self.recent.lock();
        if !self.is_there() {
            recent.clear();
            return;
        }
        if recent.back().is_some_and(|(_, last)| last.version() + 1 != state.version()) {
            recent.clear();
        }
        recent.push_back((Instant::now(), Arc::new(Change::new(entry, state))));
        forget_old(&mut recent);
    }

    /// Some of what has happened after a version, if that is all recent.
    pub(super) fn recent_after(&self, version: Version, limit: usize) -> Vec<Arc<Change<G>>> {
        let recent = self.recent.lock();
        let first = recent.front().map_or(Version::MAX, |(_, change)| change.version());
        match (version + 1).checked_sub(first) {
            Some(skipped) => {
                recent.iter().skip(skipped as usize).take(limit).map(|(_, change)| change.clone()).collect()
            }
            None => Vec::new(),
        }
    }

    /// Lets go of what is no longer recent.
    pub(super) fn tidy(&self) {
        forget_old(&mut self.recent.lock());
    }

    /// Lets all who watch look what has become of it.
    pub(super) fn wake(&self) {
        self.news.send_modify(|_| ());
    }

    pub(super) fn stir(self: &Arc<Self>, after: Duration) {
        // While the process ends there may be no runtime any more, and nobody to be told.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.is_there() && !self.stirring.swap(true, Ordering::AcqRel) {
            let audience = self.clone();
            runtime.spawn(async move {
                tokio::time::sleep(after).await;
                audience.stirring.store(false, Ordering::Release);
                audience.news.send_modify(|stirs| *stirs += 1);
            });
        }
    }

    /// Who is there is told of sessions; at a race there are the standings to be told.
    fn stir_presence(self: &Arc<Self>) {
        if G::KIND == Kind::Session {
            self.stir(PRESENCE);
        }
    }

    /// What is written for a stir: by the first who asks, for all. If it cannot be written, that is tried
    /// again after a while, and nobody is told anything meanwhile.
    pub(super) async fn aside<E: Display>(
        self: &Arc<Self>,
        stir: Stirs,
        write: impl Future<Output = Result<Bytes, E>>,
    ) -> Option<Bytes> {
        let mut aside = self.aside.lock().await;
        if let Some((_, written)) = aside.as_ref().filter(|(at, _)| *at >= stir) {
            return written.clone();
        }
        let written = match write.await {
            Ok(written) => Some(written),
            Err(error) => {
                tracing::warn!(%error, "those who watch cannot be told who is there, or who is ahead");
                self.stir(PRESENCE);
                None
            }
        };
        *aside = Some((stir, written.clone()));
        written
    }

    pub(super) fn presence(&self) -> Presence {
        let present = self.present.lock();
        Presence { online: present.seats.keys().copied().collect(), watchers: present.watchers }
    }

    /// Counts somebody for as long as what this gives is kept.
    ///
    /// # Errors
    /// If as many watch as may.
    pub(super) fn attend(self: &Arc<Self>, seat: Option<Seat>) -> Result<Attendance<G>, HostError> {
        let mut present = self.present.lock();
        // Players have places of their own, which strangers cannot take.
        let (open, most) = match seat {
            Some(seat) => (present.seats.entry(seat).or_default(), OF_ONE_SEAT),
            None => (&mut present.watchers, self.most),
        };
        if *open >= most {
            return Err(HostError::TooManyWatch);
        }
        *open += 1;
        drop(present);
        self.stir_presence();
        Ok(Attendance { audience: self.clone(), seat })
    }

    fn leave(&self, seat: Option<Seat>) {
        let mut present = self.present.lock();
        match seat {
            None => present.watchers -= 1,
            Some(seat) => {
                if let Some(streams) = present.seats.get_mut(&seat) {
                    *streams -= 1;
                    if *streams == 0 {
                        present.seats.remove(&seat);
                    }
                }
            }
        }
    }
}

fn forget_old<T>(recent: &mut VecDeque<(Instant, T)>) {
    let now = Instant::now();
    while recent.len() > MOST_RECENT || recent.front().is_some_and(|(told_at, _)| *told_at + RECENT < now) {
        recent.pop_front();
    }
}

/// Somebody who watches.
pub(super) struct Attendance<G: Logged> {
    audience: Arc<Audience<G>>,
    seat: Option<Seat>,
}

impl<G: Logged> Drop for Attendance<G> {
    fn drop(&mut self) {
        self.audience.leave(self.seat);
        self.audience.stir_presence();
    }
}
