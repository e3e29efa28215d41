//! Sessions at work: load, decide, append, publish, expire.
//!
//! The log in the store is the truth. What is at hand here is a copy of it, folded; each reader gets
//! an immutable [`Session`] that it can keep for as long as it likes. Changes to one session wait for
//! one another in a bounded queue; each runs in a task of its own, so that a client that leaves
//! cancels nothing. Whoever watches has a place in the log and no queue.
//!
//! Architecture Invariant: a change is published only after the store has taken its entry.

mod audience;
mod clock;
mod error;
mod follow;
mod gauges;
mod insight;
mod joint;
mod keeper;
mod live;
mod lobby;
mod log;
mod means;
pub mod measures;
mod pool;
mod races;
mod reader;
mod searches;
mod sessions;
mod solutions;
mod winnable;

pub use crate::session::{Lifetimes, Limits as SessionLimits};
pub use crate::solver::{Hint, Outlook};
pub use crate::store::{Census, Kind, LogId, Logged, Place, Presence, StoreError, Wanted};
pub use clock::{Clock, SystemClock};
pub use error::HostError;
pub use gauges::Gauges;
pub use insight::Prospect;
pub use live::{End, Live};
pub use lobby::Listed;
pub use reader::{Change as ChangeTold, Reader, Told};
pub use searches::Search;
pub use solutions::Solution;

use std::sync::Arc;
use std::time::Duration;

use crate::session::race::Race;
use crate::session::{self, Entry, IdempotencyKey, Opening, Session, Version};
use crate::store::{Append, AppendError, Chain, SessionStore};

use keeper::Keeper;
use means::Means;
use searches::Searches;
use solutions::Solutions;
use winnable::Winnable;

/// What the host is bounded by.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many sessions are kept folded, at hand; others are folded again when they are asked for.
    pub live_sessions: usize,
    /// How many changes to one session may wait or run.
    pub queue: usize,
    /// After how many versions a session is kept to start from when a past version is asked for.
    pub checkpoint_every: Version,
    /// How many may watch one session or race.
    pub watchers: usize,
    /// How many threads search. If there are two or more, one is left to what takes a moment only.
    pub solver_threads: usize,
    /// How many searches that somebody has asked for may wait for a thread; and so many others besides.
    pub solver_queue: usize,
    /// How many deals that can be won are kept ready of each variant; with 0 one is looked for when somebody asks.
    pub winnable_deals: usize,
}

/// How often a change is decided anew because somebody else was first.
const ATTEMPTS: usize = 8;

/// Hosts the sessions and the races of a store.
pub struct Host {
    means: Arc<Means>,
    sessions: Arc<Keeper<Session>>,
    races: Arc<Keeper<Race>>,
}

impl Host {
    /// A host of the sessions in a store.
    pub fn new(
        store: Arc<dyn SessionStore>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        session_limits: SessionLimits,
    ) -> Arc<Host> {
        let means = Arc::new(Means {
            store,
            clock,
            counts: Arc::default(),
            searches: Searches::new(&limits),
            winnable: Winnable::new(&limits),
            solutions: Solutions::new(),
            limits,
            session_limits,
        });
        let (sessions, races) = (Arc::new(Keeper::new(means.clone())), Arc::new(Keeper::new(means.clone())));
        Arc::new(Host { means, sessions, races })
    }

    /// The clock that it goes by.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.means.clock
    }

    /// Makes what is decided on; under a key, once, however often it is asked for.
    async fn open<G: Logged>(
        &self,
        keeper: &Keeper<G>,
        (entry, opening): (Entry<G::Event>, Opening<G::Id>),
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<G>, Opening<G::Id>), HostError> {
        for _ in 0..ATTEMPTS {
            if let Some(made) = self.begin(keeper, &entry, key.is_some()).await? {
                return Ok((made, opening));
            }
            if key.is_none() {
                break;
            }
            // If it was removed this moment, it is made anew.
            if let Some(before) = self.made_before(keeper, key.as_ref()).await? {
                return Ok(before);
            }
        }
        Err(HostError::Busy)
    }

    /// What was made under a key before, if anything was and is still there, as its maker was told of it.
    async fn made_before<G: Logged>(
        &self,
        keeper: &Keeper<G>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<(Arc<G>, Opening<G::Id>)>, HostError> {
        let Some(key) = key else {
            return Ok(None);
        };
        let id = session::keyed_id::<G>(key);
        let first = match keeper.find(id).await {
            Ok(_) => keeper.entry(id, 1).await,
            Err(error) => Err(error),
        };
        match first {
            Ok(first) => {
                let made = Arc::new(G::start(&first)?);
                let opening = session::reopen(&*made, &first, key).map_err(|_| HostError::KeyReused)?;
                Ok(Some((made, opening)))
            }
            Err(HostError::NoSuch(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Begins a log, and has what it tells at hand; nothing if there is one of that id already, which can
    /// only be under a key.
    async fn begin<G: Logged>(
        &self,
        keeper: &Keeper<G>,
        entry: &Entry<G::Event>,
        is_keyed: bool,
    ) -> Result<Option<Arc<G>>, HostError> {
        let made = Arc::new(G::start(entry)?);
        for _ in 0..ATTEMPTS {
            let append = Append::leading_to(&*made, std::slice::from_ref(entry), Chain::START)?;
            let chain = append.chain();
            match self.means.append(vec![append]).await {
                Ok(()) => {
                    keeper.insert(made.clone(), chain);
                    return Ok(Some(made));
                }
                Err(AppendError::Conflict) if is_keyed => match keeper.find(made.id()).await {
                    Ok(_) => return Ok(None),
                    // It was there a moment ago, so it has expired or been removed, and is made anew.
                    Err(HostError::NoSuch(_)) => self.sweep().await.map(|_| ())?,
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(HostError::of_append(error, G::KIND)),
            }
        }
        Err(HostError::Busy)
    }

    /// Does some work on a session or a race when it is its turn, in a task that goes on when the caller
    /// has left.
    async fn in_turn<G: Logged, T, F>(
        self: &Arc<Host>,
        live: &Arc<Live<G>>,
        work: impl FnOnce(Arc<Host>, Arc<Live<G>>) -> F + Send + 'static,
    ) -> Result<T, HostError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, HostError>> + Send,
    {
        let place = live.queue_up()?;
        let (host, live, waiting) = (self.clone(), live.clone(), self.means.counts.waiting());
        let task = tokio::spawn(async move {
            let _held = (place, waiting);
            let _turn = live.turn().await;
            work(host, live.clone()).await
        });
        task.await.map_err(|_| HostError::Failed)?
    }

    /// Removes what has expired, and says how much that was.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn sweep(&self) -> Result<usize, HostError> {
        let expired = self.means.store.expire(self.means.clock.now()).await?;
        for id in &expired {
            match id {
                LogId::Session(id) => self.sessions.forget(*id, End::Expired),
                LogId::Race(id) => self.races.forget(*id, End::Expired),
            }
        }
        Ok(expired.len())
    }

    /// Removes what has expired, again and again.
    pub async fn sweep_forever(&self, every: Duration) {
        let mut times = tokio::time::interval(every);
        loop {
            times.tick().await;
            match self.sweep().await {
                Ok(0) => {}
                Ok(expired) => tracing::info!(expired, "sessions and races expired"),
                Err(error) => tracing::warn!(%error, "sessions and races could not be expired"),
            }
        }
    }

    /// What it has in hand.
    pub fn gauges(&self) -> Gauges {
        self.means.counts.gauges(self.sessions.len(), self.means.searches.waiting())
    }

    /// What the store holds.
    ///
    /// # Errors
    /// If the store cannot say.
    pub async fn census(&self) -> Result<Census, HostError> {
        Ok(self.means.store.census().await?)
    }

    /// Whether sessions can be served.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn ready(&self) -> Result<(), HostError> {
        Ok(self.means.store.ready().await?)
    }

    /// Finishes what the store has begun, and begins no more searches. After that nothing is asked of it any more.
    pub async fn close(&self) {
        self.means.searches.close();
        self.means.store.close().await;
    }
}
