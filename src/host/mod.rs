//! Sessions at work: load, decide, append, publish, expire.
//!
//! The log in the store is the truth. What is at hand here is a copy of it, folded; each reader gets
//! an immutable [`Session`] that it can keep for as long as it likes. Changes to one session wait for
//! one another in a bounded queue; each runs in a task of its own, so that a client that leaves
//! cancels nothing.
//!
//! Architecture Invariant: a change is published only after the store has taken its entry.

mod clock;
mod error;
mod gauges;
mod live;

pub use crate::session::{Lifetimes, Limits as SessionLimits};
pub use clock::{Clock, SystemClock};
pub use error::HostError;
pub use gauges::Gauges;
pub use live::Live;

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;

use crate::session::{
    self, Change, Context, Credential, Decision, Entry, IdempotencyKey, NewSession, Opening, Precondition, Session,
    SessionId, Version,
};
use crate::store::{Append, AppendError, SessionStore};
pub use crate::store::{Census, Standing};

use gauges::Counts;

/// What the host is bounded by.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many sessions are kept folded, at hand; others are folded again when they are asked for.
    pub live_sessions: usize,
    /// How many changes to one session may wait or run.
    pub queue: usize,
    /// After how many versions a session is kept to start from when a past version is asked for.
    pub checkpoint_every: Version,
}

/// How many entries are read from the store at a time.
const PAGE: usize = 1_000;

/// How often a change is decided anew because somebody else was first.
const ATTEMPTS: usize = 8;

/// What a change makes of a session.
enum Decided {
    /// The session that follows, and what the store is to take before anyone sees it.
    Made(Arc<Session>, Append),
    /// Nothing: it was made before, and led to this version.
    Repeated(Version),
}

/// Hosts the sessions of a store.
pub struct Host {
    store: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    session_limits: SessionLimits,
    live: Cache<SessionId, Arc<Live>>,
    counts: Arc<Counts>,
}

impl Host {
    /// A host of the sessions in a store.
    pub fn new(
        store: Arc<dyn SessionStore>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        session_limits: SessionLimits,
    ) -> Arc<Host> {
        let live = Cache::new(limits.live_sessions);
        Arc::new(Host { store, clock, limits, session_limits, live, counts: Arc::default() })
    }

    /// The clock that it goes by.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    fn context(&self) -> Context<'_> {
        Context { now: self.clock.now(), random: &|bytes| rand::fill(bytes), limits: &self.session_limits }
    }

    /// Makes a session; under a key, once, however often it is asked for.
    ///
    /// # Errors
    /// If there is no room, or the store cannot be used; if the key was used for another session.
    pub async fn create(
        &self,
        new: NewSession,
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<Session>, Opening), HostError> {
        let (entry, opening) = session::create(new, key.as_ref(), &self.context());
        let session = Arc::new(Session::start(&entry)?);
        for _ in 0..ATTEMPTS {
            match (self.append(Append::leading_to(&session, entry.clone())).await, &key) {
                (Ok(()), _) => {
                    self.live.insert(opening.id, Arc::new(Live::new(session.clone(), &self.limits)));
                    return Ok((session, opening));
                }
                (Err(AppendError::Conflict), Some(key)) => match self.created_before(opening.id, key).await {
                    // It was there a moment ago, so it has expired or been removed, and is made anew.
                    Err(HostError::NoSuchSession) => self.sweep().await.map(|_| ())?,
                    before => return before,
                },
                (Err(error), _) => return Err(error.into()),
            }
        }
        Err(HostError::Busy)
    }

    /// What was answered to the one who has made a session under a key.
    async fn created_before(&self, id: SessionId, key: &IdempotencyKey) -> Result<(Arc<Session>, Opening), HostError> {
        self.find(id).await?;
        let entries = self.store.load(id, 0, 1).await?.ok_or(HostError::NoSuchSession)?;
        let first = entries.first().ok_or(HostError::NoSuchSession)?;
        let opening = session::reopen(first, key).map_err(|_| HostError::KeyReused)?;
        Ok((Arc::new(Session::start(first)?), opening))
    }

    /// A session, at hand and as new as its log.
    ///
    /// # Errors
    /// If there is none of that id, or the store cannot be used.
    pub async fn find(&self, id: SessionId) -> Result<Arc<Live>, HostError> {
        let Some(version) = self.store.version(id).await? else {
            self.live.remove(&id);
            return Err(HostError::NoSuchSession);
        };
        let live = self.live.get_or_insert_async(&id, self.load(id)).await?;
        // Not in turn: whoever only looks waits for no change.
        if live.current().version() < version {
            self.catch_up(&live).await?;
        }
        self.must_be_kept(&live.current())?;
        Ok(live)
    }

    /// A session as it stood when its log had so many entries.
    ///
    /// # Errors
    /// If there is no such version, or the store cannot be used.
    pub async fn session_at(&self, live: &Live, version: Version) -> Result<Arc<Session>, HostError> {
        let current = live.current();
        if version == 0 || version > current.version() {
            return Err(HostError::NoSuchVersion);
        }
        if version == current.version() {
            return Ok(current);
        }
        self.fold(current.id(), live.checkpoint_before(version), version, |_| ()).await
    }

    /// Entries of a session's log after a version, at most `limit` of them.
    ///
    /// # Errors
    /// If there is no such session, or the store cannot be used.
    pub async fn history(&self, id: SessionId, after: Version, limit: usize) -> Result<Vec<Entry>, HostError> {
        self.store.load(id, after, limit).await?.ok_or(HostError::NoSuchSession)
    }

    /// Changes a session.
    ///
    /// # Errors
    /// If the change is refused; if too many wait; if there is no such session, or the store cannot
    /// be used.
    pub async fn change(self: &Arc<Host>, live: &Arc<Live>, change: Change) -> Result<Arc<Session>, HostError> {
        self.in_turn(live, |host, live| async move { host.change_in_turn(&live, &change).await }).await
    }

    /// Does some work on a session when it is its turn, in a task that goes on when the caller has left.
    async fn in_turn<T, F>(
        self: &Arc<Host>,
        live: &Arc<Live>,
        work: impl FnOnce(Arc<Host>, Arc<Live>) -> F + Send + 'static,
    ) -> Result<T, HostError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, HostError>> + Send,
    {
        let place = live.queue_up()?;
        let (host, live, waiting) = (self.clone(), live.clone(), self.counts.waiting());
        let task = tokio::spawn(async move {
            let _held = (place, waiting);
            let _turn = live.turn().await;
            work(host, live.clone()).await
        });
        task.await.map_err(|_| HostError::Failed)?
    }

    async fn change_in_turn(&self, live: &Live, change: &Change) -> Result<Arc<Session>, HostError> {
        for _ in 0..ATTEMPTS {
            live.must_be_there()?;
            let (next, append) = match self.decide(&live.current(), change)? {
                Decided::Made(next, append) => (next, append),
                Decided::Repeated(version) => return self.session_at(live, version).await,
            };
            match self.append(append).await {
                Ok(()) => return Ok(live.publish(next)),
                Err(AppendError::Conflict) => self.catch_up(live).await?,
                Err(error) => return Err(error.into()),
            }
        }
        Err(HostError::Busy)
    }

    async fn append(&self, append: Append) -> Result<(), AppendError> {
        self.store.append(vec![append]).await?;
        self.counts.appended();
        Ok(())
    }

    /// What a change makes of a session.
    fn decide(&self, session: &Session, change: &Change) -> Result<Decided, HostError> {
        self.must_be_kept(session)?;
        let refused = |refusal| HostError::Refused { version: session.version(), refusal };
        match session::decide(session, change, &self.context()).map_err(refused)? {
            Decision::Made(entry) => {
                let mut next = session.clone();
                next.apply(&entry)?;
                let append = Append::leading_to(&next, entry);
                Ok(Decided::Made(Arc::new(next), append))
            }
            Decision::Repeated(version) => Ok(Decided::Repeated(version)),
        }
    }

    /// Removes a session.
    ///
    /// # Errors
    /// As [`Host::change`].
    pub async fn remove(
        self: &Arc<Host>,
        live: &Arc<Live>,
        who: Credential,
        precondition: Precondition,
    ) -> Result<(), HostError> {
        self.in_turn(live, move |host, live| async move { host.remove_in_turn(&live, who, &precondition).await }).await
    }

    async fn remove_in_turn(&self, live: &Live, who: Credential, precondition: &Precondition) -> Result<(), HostError> {
        for _ in 0..ATTEMPTS {
            live.must_be_there()?;
            let session = live.current();
            let refused = |refusal| HostError::Refused { version: session.version(), refusal };
            session::judge_removal(&session, &who, precondition).map_err(refused)?;
            match self.store.remove(session.id(), session.version()).await {
                Ok(()) => {
                    live.end();
                    self.live.remove(&session.id());
                    return Ok(());
                }
                Err(AppendError::Conflict) => self.catch_up(live).await?,
                Err(error) => return Err(error.into()),
            }
        }
        Err(HostError::Busy)
    }

    /// Removes what has expired, and says how much that was.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn sweep(&self) -> Result<usize, HostError> {
        let expired = self.store.expire(self.clock.now()).await?;
        expired.iter().for_each(|id| {
            self.live.remove(id);
        });
        Ok(expired.len())
    }

    /// Removes what has expired, again and again.
    pub async fn sweep_forever(&self, every: Duration) {
        let mut times = tokio::time::interval(every);
        loop {
            times.tick().await;
            match self.sweep().await {
                Ok(0) => {}
                Ok(expired) => tracing::info!(expired, "sessions expired"),
                Err(error) => tracing::warn!(%error, "sessions could not be expired"),
            }
        }
    }

    /// What it has in hand.
    pub fn gauges(&self) -> Gauges {
        self.counts.gauges(self.live.len())
    }

    /// What the store holds.
    ///
    /// # Errors
    /// If the store cannot say.
    pub async fn census(&self) -> Result<Census, HostError> {
        Ok(self.store.census().await?)
    }

    /// Whether sessions can be served.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn ready(&self) -> Result<(), HostError> {
        Ok(self.store.ready().await?)
    }

    /// What has expired is gone, whether it has been swept out already or not.
    fn must_be_kept(&self, session: &Session) -> Result<(), HostError> {
        let kept = self.clock.now() < session.expires_at();
        kept.then_some(()).ok_or(HostError::NoSuchSession)
    }

    async fn load(&self, id: SessionId) -> Result<Arc<Live>, HostError> {
        let mut checkpoints = Vec::new();
        let keep = |session: &Session| {
            if session.version().is_multiple_of(self.limits.checkpoint_every) {
                checkpoints.push(Arc::new(session.to_be_shown()));
            }
        };
        let session = self.fold(id, None, Version::MAX, keep).await?;
        Ok(Arc::new(Live::with_checkpoints(session, checkpoints, &self.limits)))
    }

    /// Brings what is at hand up to what others have added to the log.
    async fn catch_up(&self, live: &Live) -> Result<(), HostError> {
        let session = live.current();
        live.publish(self.fold(session.id(), Some(session), Version::MAX, |_| ()).await?);
        Ok(())
    }

    /// Folds a log, from its beginning or from a version that is at hand, up to a version or its end.
    async fn fold(
        &self,
        id: SessionId,
        from: Option<Arc<Session>>,
        to: Version,
        mut each: impl FnMut(&Session),
    ) -> Result<Arc<Session>, HostError> {
        let mut folded = from.map(Arc::unwrap_or_clone);
        loop {
            let after = folded.as_ref().map_or(0, Session::version);
            let limit = PAGE.min((to - after) as usize);
            let page = self.store.load(id, after, limit).await?.ok_or(HostError::NoSuchSession)?;
            for entry in &page {
                match &mut folded {
                    None => folded = Some(Session::start(entry)?),
                    Some(session) => session.apply(entry)?,
                }
                folded.iter().for_each(&mut each);
            }
            if page.len() < PAGE {
                return folded.map(Arc::new).ok_or(HostError::NoSuchSession);
            }
        }
    }
}
