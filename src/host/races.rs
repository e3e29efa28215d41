//! Races at work. What happens to a race and to its sessions at once is added to all their logs or to
//! none.
//!
//! Architecture Invariant: whoever has the turn of a race waits for no session's turn.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::session::race::{self, Joint, NewRace, Race, RaceChange, RaceDecision, RaceEntry, RaceOpening, Standing};
use crate::session::{Entry, Gathering, IdempotencyKey, RaceId, Session, SessionId};
use crate::store::{Append, AppendError, Chain, Kind, Logged};

use super::keeper::Keeper;
use super::live::{Folded, Live};
use super::{ATTEMPTS, Host, HostError};

/// For how long what happens in the sessions of a race is gathered before the standings are told.
const STANDINGS: Duration = Duration::from_millis(250);

impl Host {
    /// Makes a race; under a key, once, however often it is asked for.
    ///
    /// # Errors
    /// If there is no room, or the store cannot be used; if the key was used for another race.
    pub async fn create_race(
        &self,
        new: NewRace,
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<Race>, RaceOpening), HostError> {
        let (entry, opening) = race::create(new, key.as_ref(), &self.means.context());
        let made = self.begin(&self.races, entry, key.is_some()).await?;
        match (made, &key) {
            (Some(race), _) => Ok((race, opening)),
            (None, Some(key)) => {
                let first: RaceEntry = self.races.entry(opening.id, 1).await?;
                let opening = race::reopen(&first, key).map_err(|_| HostError::KeyReused)?;
                Ok((Arc::new(Race::start(&first)?), opening))
            }
            (None, None) => Err(HostError::Busy),
        }
    }

    /// A race, at hand and as new as its log. If its time is up, it is over, or will be as soon as the
    /// store takes it; nothing can be played meanwhile.
    ///
    /// # Errors
    /// If there is none of that id, or the store cannot be used.
    pub async fn find_race(self: &Arc<Host>, id: RaceId) -> Result<Arc<Live<Race>>, HostError> {
        let live = self.races.find(id).await?;
        if live.current().is_overdue(self.means.clock.now()) {
            let closed = self.in_turn(&live, |host, live| async move { host.close_in_turn(&live).await }).await;
            if let Err(error) = closed {
                tracing::warn!(%error, "a race could not be ended whose time is up");
            }
        }
        Ok(live)
    }

    /// Changes a race.
    ///
    /// # Errors
    /// As [`Host::change`].
    pub async fn change_race(
        self: &Arc<Host>,
        live: &Arc<Live<Race>>,
        change: RaceChange,
    ) -> Result<Arc<Race>, HostError> {
        self.in_turn(live, |host, live| async move { host.change_race_in_turn(&live, &change).await }).await
    }

    async fn change_race_in_turn(
        self: &Arc<Host>,
        live: &Live<Race>,
        change: &RaceChange,
    ) -> Result<Arc<Race>, HostError> {
        for _ in 0..ATTEMPTS {
            live.must_be_there()?;
            let scene = self.scene(live).await?;
            self.races.must_be_kept(&scene.race)?;
            let refused = |refusal| HostError::refused(&*scene.race, refusal);
            let decision = race::decide(&scene.race, &scene.sessions(), change, &self.means.context());
            let joint = match decision.map_err(refused)? {
                RaceDecision::Made(joint) => joint,
                RaceDecision::Repeated(version) => return self.races.at(live, version).await,
            };
            if let Some(next) = self.commit_joint(live, joint, &scene).await? {
                if scene.race.ends_at().is_none() && next.ends_at().is_some() {
                    self.close_in_time(&next);
                }
                return Ok(next);
            }
        }
        Err(HostError::Busy)
    }

    /// Ends a race whose time is up.
    async fn close_in_turn(&self, live: &Live<Race>) -> Result<(), HostError> {
        for _ in 0..ATTEMPTS {
            let now = self.means.clock.now();
            if !live.current().is_overdue(now) {
                return Ok(());
            }
            let scene = self.scene(live).await?;
            let joint = race::close(&scene.race, &scene.sessions(), now);
            if self.commit_joint(live, joint, &scene).await?.is_some() {
                return Ok(());
            }
        }
        Err(HostError::Busy)
    }

    /// Ends a race when its time is up, if this process lasts so long. If not, the next who looks does it.
    fn close_in_time(self: &Arc<Host>, race: &Race) {
        let (host, id) = (Arc::downgrade(self), race.id());
        let wait = race.ends_at().map_or(Duration::ZERO, |ends_at| ends_at.since(self.means.clock.now()));
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            if let Some(host) = host.upgrade() {
                // A race that is gone needs no end.
                let _ended = host.find_race(id).await;
            }
        });
    }

    /// Takes what brings the session of a race to an end; nothing if somebody else was first.
    pub(super) async fn finish_in_race(
        &self,
        race: RaceId,
        ended: &Session,
        entry: Entry,
    ) -> Result<Option<()>, HostError> {
        let live = self.races.find(race).await?;
        let _turn = live.turn().await;
        let scene = self.scene(&live).await?;
        if scene.lane(ended.id()).is_none_or(|session| session.state.version() + 1 != ended.version()) {
            return Ok(None);
        }
        let joint = race::finish(&scene.race, &scene.sessions(), ended, entry);
        Ok(self.commit_joint(&live, joint, &scene).await?.map(|_| ()))
    }

    /// How the players of a race stand.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn standings(&self, race: &Race) -> Result<Vec<Standing>, HostError> {
        let mut sessions = HashMap::new();
        for id in race.still_running() {
            match self.sessions.find(id).await {
                Ok(live) => {
                    sessions.insert(id, live.current());
                }
                Err(error) => self.goes_on_without(error)?,
            }
        }
        Ok(race::standings(race, |id| sessions.get(&id).map(|session| &**session)))
    }

    /// How the players of a race stood when the cards were dealt.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn standings_as_dealt(&self, race: &Race) -> Result<Vec<Standing>, HostError> {
        let mut sessions = HashMap::new();
        for runner in race.runners() {
            match self.sessions.find(runner.session).await {
                Ok(live) => {
                    sessions.insert(runner.session, self.sessions.at(&live, 1).await?);
                }
                Err(error) => self.goes_on_without(error)?,
            }
        }
        Ok(race::standings(race, |id| sessions.get(&id).map(|session| &**session)))
    }

    /// Tells those who watch a race that one of its sessions has changed.
    pub(super) fn stir_race(&self, session: &Session) {
        let place = session.created().race.filter(|_| session.is_racing());
        if let Some(race) = place.and_then(|place| self.races.watched(place.race)) {
            race.stir(STANDINGS);
        }
    }

    /// A race goes on without a session that has been removed, as it may be when the race is over, or that
    /// cannot be read.
    fn goes_on_without(&self, error: HostError) -> Result<(), HostError> {
        match error {
            HostError::NoSuch(_) => Ok(()),
            HostError::Damaged(error) => {
                tracing::error!(%error, "a log is damaged");
                Ok(())
            }
            error => Err(error),
        }
    }

    /// A race and its sessions, each as it stands.
    async fn scene(&self, live: &Live<Race>) -> Result<Scene, HostError> {
        let Folded { state: race, chain } = live.folded();
        let mut lanes = Vec::new();
        for runner in race.runners() {
            match self.sessions.find(runner.session).await {
                Ok(live) => lanes.push((live.folded(), live)),
                Err(error) => self.goes_on_without(error)?,
            }
        }
        Ok(Scene { race, chain, lanes })
    }

    /// Adds to the logs of a race and of its sessions, to all or to none, and shows what has become of
    /// them; nothing if somebody else was first with one of them.
    async fn commit_joint(
        &self,
        live: &Live<Race>,
        joint: Joint,
        scene: &Scene,
    ) -> Result<Option<Arc<Race>>, HostError> {
        let next = after(&*scene.race, &joint.race)?;
        let mut batch = vec![Append::leading_to(&next, &joint.race, scene.chain)?];
        for (id, entries) in &joint.sessions {
            let (session, behind) = match scene.lane(*id) {
                Some(lane) => (after(&*lane.state, entries)?, lane.chain),
                None => (Session::fold(entries)?, Chain::START),
            };
            batch.push(Append::leading_to(&session, entries, behind)?);
        }
        let appended = match self.means.append(batch).await {
            Ok(()) => true,
            Err(AppendError::Conflict) => false,
            Err(error) => return Err(HostError::of_append(error, Kind::Race)),
        };
        for (_, session) in &scene.lanes {
            self.sessions.bring_up(session).await.or_else(|error| self.goes_on_without(error))?;
        }
        self.races.bring_up(live).await?;
        live.stir(STANDINGS);
        Ok(appended.then(|| Arc::new(next)))
    }

    /// Begins a log, and has what it tells at hand; nothing if there is one of that id already, which can
    /// only be under a key.
    pub(super) async fn begin<G: Logged>(
        &self,
        keeper: &Keeper<G>,
        entry: Entry<G::Event>,
        is_keyed: bool,
    ) -> Result<Option<Arc<G>>, HostError> {
        let made = Arc::new(G::start(&entry)?);
        for _ in 0..ATTEMPTS {
            let append = Append::leading_to(&*made, std::slice::from_ref(&entry), Chain::START)?;
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
}

/// A race and its sessions, each as it stood at one moment.
struct Scene {
    race: Arc<Race>,
    chain: Chain,
    lanes: Vec<(Folded<Session>, Arc<Live>)>,
}

impl Scene {
    fn sessions(&self) -> Vec<&Session> {
        self.lanes.iter().map(|(session, _)| &*session.state).collect()
    }

    fn lane(&self, id: SessionId) -> Option<&Folded<Session>> {
        self.lanes.iter().map(|(session, _)| session).find(|session| session.state.id() == id)
    }
}

/// What some entries make of something.
fn after<G: Gathering>(state: &G, entries: &[Entry<G::Event>]) -> Result<G, HostError> {
    let mut state = state.clone();
    for entry in entries {
        state.apply(entry)?;
    }
    Ok(state)
}
