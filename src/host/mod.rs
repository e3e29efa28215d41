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
mod gauges;
mod keeper;
mod live;
mod races;
mod reader;

pub use crate::session::{Lifetimes, Limits as SessionLimits};
pub use crate::store::{Census, Kind, LogId, Logged, Place, Standing, Wanted};
pub use audience::Presence;
pub use clock::{Clock, SystemClock};
pub use error::HostError;
pub use gauges::Gauges;
pub use live::{End, Live};
pub use reader::{Change as ChangeTold, Reader, Told};

use std::sync::Arc;
use std::time::Duration;

use crate::session::race::Race;
use crate::session::{
    self, Change, Credential, Decision, Entry, Gathering, IdempotencyKey, Joining, NewSession, Opening, Precondition,
    Seating, Session, SessionId, Ticket, Version,
};
use crate::store::{AppendError, Chain, SessionStore};

use keeper::{Keeper, Means};
use live::Folded;

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
}

/// How often a change is decided anew because somebody else was first.
const ATTEMPTS: usize = 8;

/// Hosts the sessions and the races of a store.
pub struct Host {
    means: Arc<Means>,
    sessions: Arc<Keeper<Session>>,
    races: Arc<Keeper<Race>>,
}

/// Some of what everyone may be told of.
pub struct Listed<G: Gathering> {
    /// What was found, youngest first.
    pub found: Vec<Arc<G>>,
    /// Where to go on; none if there is no more.
    pub next: Option<Place>,
}

impl Host {
    /// A host of the sessions in a store.
    pub fn new(
        store: Arc<dyn SessionStore>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        session_limits: SessionLimits,
    ) -> Arc<Host> {
        let means = Arc::new(Means { store, clock, limits, session_limits, counts: Arc::default() });
        let (sessions, races) = (Arc::new(Keeper::new(means.clone())), Arc::new(Keeper::new(means.clone())));
        Arc::new(Host { means, sessions, races })
    }

    /// The clock that it goes by.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.means.clock
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
        let (entry, opening) = session::create(new, key.as_ref(), &self.means.context());
        match (self.begin(&self.sessions, entry, key.is_some()).await?, &key) {
            (Some(session), _) => Ok((session, opening)),
            (None, Some(key)) => {
                let first = self.sessions.entry(opening.id, 1).await?;
                let opening = session::reopen(&first, key).map_err(|_| HostError::KeyReused)?;
                Ok((Arc::new(Session::start(&first)?), opening))
            }
            (None, None) => Err(HostError::Busy),
        }
    }

    /// A session, at hand and as new as its log. If it belongs to a race whose time is up, that is over.
    ///
    /// # Errors
    /// If there is none of that id, or the store cannot be used.
    pub async fn find(self: &Arc<Host>, id: SessionId) -> Result<Arc<Live>, HostError> {
        let live = self.sessions.find(id).await?;
        let session = live.current();
        let now = self.means.clock.now();
        if let Some(place) = session.created().race.filter(|place| session.is_racing() && place.ends_at <= now) {
            self.find_race(place.race).await?;
        }
        Ok(live)
    }

    /// A session as it stood when its log had so many entries.
    ///
    /// # Errors
    /// If there is no such version, or the store cannot be used.
    pub async fn session_at(&self, live: &Live, version: Version) -> Result<Arc<Session>, HostError> {
        self.sessions.at(live, version).await
    }

    /// Entries of a session's log after a version, at most `limit` of them.
    ///
    /// # Errors
    /// If there is no such session, or the store cannot be used.
    pub async fn history(&self, id: SessionId, after: Version, limit: usize) -> Result<Vec<Entry>, HostError> {
        self.sessions.entries(id, after, limit).await
    }

    /// Changes a session.
    ///
    /// # Errors
    /// If the change is refused; if too many wait; if there is no such session, or the store cannot
    /// be used.
    pub async fn change(self: &Arc<Host>, live: &Arc<Live>, change: Change) -> Result<Arc<Session>, HostError> {
        self.in_turn(live, |host, live| async move { host.change_in_turn(&live, &change).await }).await
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

    async fn change_in_turn(&self, live: &Live, change: &Change) -> Result<Arc<Session>, HostError> {
        for _ in 0..ATTEMPTS {
            live.must_be_there()?;
            let Folded { state: session, chain } = live.folded();
            self.sessions.must_be_kept(&session)?;
            let refused = |refusal| HostError::refused(&*session, refusal);
            let entry = match session::decide(&session, change, &self.means.context()).map_err(refused)? {
                Decision::Made(entry) => entry,
                Decision::Repeated(version) => return self.sessions.at(live, version).await,
            };
            let mut next = Session::clone(&session);
            next.apply(&entry)?;
            if let Some(next) = self.commit(live, chain, entry, Arc::new(next)).await? {
                return Ok(next);
            }
        }
        Err(HostError::Busy)
    }

    /// Takes a change, and what follows from it for a race; nothing if somebody else was first.
    async fn commit(
        &self,
        live: &Live,
        behind: Chain,
        entry: Entry,
        next: Arc<Session>,
    ) -> Result<Option<Arc<Session>>, HostError> {
        match next.created().race.filter(|_| next.is_racing()) {
            None => self.sessions.commit(live, behind, entry, next).await,
            Some(place) if next.is_over() => match self.finish_in_race(place.race, &next, entry).await? {
                Some(()) => Ok(Some(next)),
                None => self.sessions.bring_up(live).await.map(|()| None),
            },
            Some(_) => {
                let next = self.sessions.commit(live, behind, entry, next).await?;
                next.iter().for_each(|next| self.stir_race(next));
                Ok(next)
            }
        }
    }

    /// Gives somebody a seat at a session.
    ///
    /// # Errors
    /// As [`Host::change`].
    pub async fn join(self: &Arc<Host>, live: &Arc<Live>, wish: Joining) -> Result<(Arc<Session>, Ticket), HostError> {
        self.in_turn(live, |host, live| async move { join_in_turn(&host.sessions, &live, &wish).await }).await
    }

    /// Gives somebody a seat in a race.
    ///
    /// # Errors
    /// As [`Host::change`].
    pub async fn join_race(
        self: &Arc<Host>,
        live: &Arc<Live<Race>>,
        wish: Joining,
    ) -> Result<(Arc<Race>, Ticket), HostError> {
        self.in_turn(live, |host, live| async move { join_in_turn(&host.races, &live, &wish).await }).await
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
            let refused = |refusal| HostError::refused(&*session, refusal);
            session::judge_removal(&session, &who, precondition).map_err(refused)?;
            match self.means.store.remove(LogId::Session(session.id()), session.version()).await {
                Ok(()) => {
                    // It may not be the one that is at hand.
                    live.end(End::Deleted);
                    self.sessions.forget(session.id(), End::Deleted);
                    return Ok(());
                }
                Err(AppendError::Conflict) => self.sessions.catch_up(live).await?,
                Err(error) => return Err(HostError::of_append(error, Kind::Session)),
            }
        }
        Err(HostError::Busy)
    }

    /// Lets somebody watch a session: from a version on, or from now on.
    ///
    /// # Errors
    /// If as many watch as may.
    pub fn watch(
        &self,
        live: &Arc<Live>,
        who: &Credential,
        after: Option<Version>,
    ) -> Result<Reader<Session>, HostError> {
        Reader::new(self.sessions.hold(live), who, after)
    }

    /// Lets somebody watch a race: from a version on, or from now on.
    ///
    /// # Errors
    /// If as many watch as may.
    pub fn watch_race(
        &self,
        live: &Arc<Live<Race>>,
        who: &Credential,
        after: Option<Version>,
    ) -> Result<Reader<Race>, HostError> {
        Reader::new(self.races.hold(live), who, after)
    }

    /// Some of the sessions that everyone may be told of, youngest first, at most `limit`. There may be
    /// fewer though there are more to come.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn list(
        &self,
        wanted: &Wanted,
        before: Option<Place>,
        limit: usize,
    ) -> Result<Listed<Session>, HostError> {
        let id = |id| match id {
            LogId::Session(id) => Some(id),
            LogId::Race(_) => None,
        };
        self.list_of(&self.sessions, wanted, before, limit, id).await
    }

    /// Some of the races that everyone may be told of, as [`Host::list`].
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn list_races(
        &self,
        wanted: &Wanted,
        before: Option<Place>,
        limit: usize,
    ) -> Result<Listed<Race>, HostError> {
        let id = |id| match id {
            LogId::Race(id) => Some(id),
            LogId::Session(_) => None,
        };
        self.list_of(&self.races, wanted, before, limit, id).await
    }

    async fn list_of<G: Logged>(
        &self,
        keeper: &Keeper<G>,
        wanted: &Wanted,
        before: Option<Place>,
        limit: usize,
        id: impl Fn(LogId) -> Option<G::Id>,
    ) -> Result<Listed<G>, HostError> {
        let listing = self.means.store.list(wanted, before, limit).await?;
        let mut found = Vec::new();
        for id in listing.found.into_iter().filter_map(id) {
            match keeper.find(id).await {
                Ok(live) => found.push(live.current()),
                // It has gone meanwhile.
                Err(HostError::NoSuch(_)) => {}
                // One that cannot be read hides no others.
                Err(HostError::Damaged(error)) => tracing::error!(%error, "a log is damaged"),
                Err(error) => return Err(error),
            }
        }
        Ok(Listed { found, next: listing.next })
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
        self.means.counts.gauges(self.sessions.len())
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
}

async fn join_in_turn<G: Logged>(
    keeper: &Keeper<G>,
    live: &Live<G>,
    wish: &Joining,
) -> Result<(Arc<G>, Ticket), HostError> {
    for _ in 0..ATTEMPTS {
        live.must_be_there()?;
        let Folded { state, chain } = live.folded();
        keeper.must_be_kept(&state)?;
        let refused = |refusal| HostError::refused(&*state, refusal);
        match session::join(&*state, wish, &keeper.means().context()).map_err(refused)? {
            Seating::Taken(entry, ticket) => {
                let mut next = G::clone(&state);
                next.apply(&entry)?;
                if let Some(next) = keeper.commit(live, chain, entry, Arc::new(next)).await? {
                    return Ok((next, ticket));
                }
            }
            Seating::TakenBefore(version) => {
                let entry = keeper.entry(state.id(), version).await?;
                let key = wish.key.as_ref().ok_or(HostError::KeyReused)?;
                let ticket = session::rejoin::<G>(&entry, key).map_err(|_| HostError::KeyReused)?;
                return Ok((keeper.at(live, version).await?, ticket));
            }
        }
    }
    Err(HostError::Busy)
}
