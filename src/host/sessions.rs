//! Sessions at work.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::session::{
    self, Change, Credential, Decision, Entry, Gathering, IdempotencyKey, Joining, NewSession, Opening, Precondition,
    Seat, Seating, Session, SessionId, Ticket, Version,
};
use crate::store::{AppendError, Chain, Kind, LogId, Logged, Presence, Tail};

use super::insight::look_out;
use super::keeper::Keeper;
use super::live::Folded;
use super::{ATTEMPTS, End, Host, HostError, Live, Reader};

/// How many entries of a history are read from the store at a time, and with how many steps a page of it is full.
const HANDFUL: usize = 100;
const MOST_STEPS: usize = 10_000;

impl Host {
    /// Makes a session; under a key, once, however often it is asked for.
    ///
    /// # Errors
    /// If there is no room, or the store cannot be used; if the key was used for another session.
    pub async fn create(
        &self,
        new: NewSession,
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<Session>, Opening), HostError> {
        let decided = session::create(new, key.as_ref(), &self.means.context());
        self.open(&self.sessions, decided, key).await
    }

    /// A session, at hand and as new as its log. If it belongs to a race whose time is up, that is over.
    ///
    /// # Errors
    /// If there is none of that id, or the store cannot be used.
    pub async fn find(self: &Arc<Host>, id: SessionId) -> Result<Arc<Live>, HostError> {
        self.in_time(self.sessions.find(id).await?).await
    }

    /// A session that is to be changed, as it was known last, if it is at hand. A change that is not
    /// refused needs no more; before anything is refused for its sake, it is to be found.
    ///
    /// # Errors
    /// As [`Host::find`].
    pub async fn find_to_change(self: &Arc<Host>, id: SessionId) -> Result<Arc<Live>, HostError> {
        self.in_time(self.sessions.find_to_change(id).await?).await
    }

    async fn in_time(self: &Arc<Host>, live: Arc<Live>) -> Result<Arc<Live>, HostError> {
        let session = live.current();
        let overdue = session.is_overdue(self.means.clock.now());
        if let Some(place) = session.created().race.filter(|_| overdue) {
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

    /// Entries of a session's log after a version, at most `limit` of them. There may be fewer though there are
    /// more to come: an entry of autoplay is long, and how much is read at a time is bounded.
    ///
    /// # Errors
    /// If there is no such session, or the store cannot be used.
    pub async fn history(&self, id: SessionId, after: Version, limit: usize) -> Result<Vec<Entry>, HostError> {
        let (mut history, mut steps) = (Vec::new(), 0);
        while history.len() < limit {
            let last = after.saturating_add(history.len() as Version);
            let asked = HANDFUL.min(limit - history.len());
            let entries = self.sessions.entries(id, last, asked).await?;
            let is_all = entries.len() < asked;
            for entry in entries {
                steps += entry.event.steps().len();
                history.push(entry);
                if steps >= MOST_STEPS {
                    return Ok(history);
                }
            }
            if is_all {
                break;
            }
        }
        Ok(history)
    }

    /// Changes a session.
    ///
    /// # Errors
    /// If the change is refused; if too many wait; if there is no such session, or the store cannot
    /// be used.
    pub async fn change(self: &Arc<Host>, live: &Arc<Live>, change: Change) -> Result<Arc<Session>, HostError> {
        self.in_turn(live, |host, live| async move { host.change_in_turn(&live, &change).await }).await
    }

    async fn change_in_turn(&self, live: &Live, change: &Change) -> Result<Arc<Session>, HostError> {
        for _ in 0..ATTEMPTS {
            live.must_be_there()?;
            let Folded { state: session, chain } = live.folded();
            self.sessions.must_be_kept(&session)?;
            match session::decide(&session, change, &self.means.context()) {
                Ok(Decision::Made(entry)) => {
                    let mut next = Session::clone(&session);
                    next.apply(&entry)?;
                    if let Some(next) = self.commit(live, chain, entry, Arc::new(next)).await? {
                        return Ok(next);
                    }
                }
                // Where nothing is appended, the log has not said yet that it is no longer than this.
                _ if !self.sessions.is_all(live).await? => {}
                Ok(Decision::Repeated(version)) => return self.sessions.at(live, version).await,
                Err(refusal) => return Err(HostError::refused(&*session, refusal)),
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
                None => self.sessions.is_all(live).await.map(|_| None),
            },
            Some(_) => self.sessions.commit(live, behind, entry, next).await,
        }
    }

    /// Gives somebody a seat at a session.
    ///
    /// # Errors
    /// As [`Host::change`].
    pub async fn join(self: &Arc<Host>, live: &Arc<Live>, wish: Joining) -> Result<(Arc<Session>, Ticket), HostError> {
        self.in_turn(live, |host, live| async move { join_in_turn(&host.sessions, &live, &wish).await }).await
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
            let Folded { state: session, chain } = live.folded();
            match session::judge_removal(&session, &who, precondition) {
                Ok(()) => {}
                Err(_) if !self.sessions.is_all(live).await? => continue,
                Err(refusal) => return Err(HostError::refused(&*session, refusal)),
            }
            let tail = Tail { version: session.version(), chain };
            match self.means.store.remove(LogId::Session(session.id()), tail).await {
                Ok(()) => {
                    // It may not be the one that is at hand.
                    live.end(End::Deleted);
                    self.sessions.forget(session.id(), End::Deleted);
                    return Ok(());
                }
                Err(AppendError::Conflict) => self.sessions.is_all(live).await.map(|_| ())?,
                Err(error) => return Err(HostError::of_append(error, Kind::Session)),
            }
        }
        Err(HostError::Busy)
    }

    /// Who watches a session, here and elsewhere.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn presence(&self, live: &Live) -> Result<Presence, HostError> {
        let here = live.presence();
        let elsewhere = self.sessions.attend(live, &here).await?;
        Ok(together(here, elsewhere))
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
        let look_out = |live| look_out(self.means.clone(), live);
        Reader::new(self.sessions.hold(live, look_out), who, after)
    }
}

/// All who watch: some here, and some there.
fn together(here: Presence, there: Presence) -> Presence {
    let online: BTreeSet<Seat> = here.online.into_iter().chain(there.online).collect();
    Presence { online: online.into_iter().collect(), watchers: here.watchers + there.watchers }
}

/// Gives somebody a seat when it is his turn.
pub(super) async fn join_in_turn<G: Logged>(
    keeper: &Keeper<G>,
    live: &Live<G>,
    wish: &Joining,
) -> Result<(Arc<G>, Ticket), HostError> {
    for _ in 0..ATTEMPTS {
        live.must_be_there()?;
        let Folded { state, chain } = live.folded();
        keeper.must_be_kept(&state)?;
        match session::join(&*state, wish, &keeper.means().context()) {
            Ok(Seating::Taken(entry, ticket)) => {
                let mut next = G::clone(&state);
                next.apply(&entry)?;
                if let Some(next) = keeper.commit(live, chain, entry, Arc::new(next)).await? {
                    return Ok((next, ticket));
                }
            }
            _ if !keeper.is_all(live).await? => {}
            Err(refusal) => return Err(HostError::refused(&*state, refusal)),
            Ok(Seating::TakenBefore(version)) => {
                let entry = keeper.entry(state.id(), version).await?;
                let key = wish.key.as_ref().ok_or(HostError::KeyReused)?;
                let ticket = session::rejoin::<G>(&entry, key).map_err(|_| HostError::KeyReused)?;
                return Ok((keeper.at(live, version).await?, ticket));
            }
        }
    }
    Err(HostError::Busy)
}
