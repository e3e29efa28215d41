//! Races at work.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use crate::session::race::{self, NewRace, Race, RaceChange, RaceDecision, Standing};
use crate::session::{Credential, Gathering, IdempotencyKey, Joining, Opening, RaceId, Session, Ticket, Version};

use super::live::Live;
use super::sessions::join_in_turn;
use super::{ATTEMPTS, Host, HostError, Reader};

/// For how long what happens in the sessions of a race is gathered before the standings are told.
pub(super) const STANDINGS: Duration = Duration::from_millis(250);

impl Host {
    /// Makes a race; under a key, once, however often it is asked for.
    ///
    /// # Errors
    /// If there is no room, or the store cannot be used; if the key was used for another race.
    pub async fn create_race(
        &self,
        new: NewRace,
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<Race>, Opening<RaceId>), HostError> {
        let decided = race::create(new, key.as_ref(), &self.means.context());
        self.open(&self.races, decided, key).await
    }

    /// A race, at hand and as new as its log. If its time is up, it is over, or will be as soon as the
    /// store takes it; nothing can be played meanwhile.
    ///
    /// # Errors
    /// If there is none of that id, or the store cannot be used.
    pub async fn find_race(self: &Arc<Host>, id: RaceId) -> Result<Arc<Live<Race>>, HostError> {
        self.race_in_time(self.races.find(id).await?).await
    }

    /// A race that is to be changed, as [`Host::find_to_change`].
    ///
    /// # Errors
    /// As [`Host::find_race`].
    pub async fn find_race_to_change(self: &Arc<Host>, id: RaceId) -> Result<Arc<Live<Race>>, HostError> {
        self.race_in_time(self.races.find_to_change(id).await?).await
    }

    async fn race_in_time(self: &Arc<Host>, live: Arc<Live<Race>>) -> Result<Arc<Live<Race>>, HostError> {
        if live.current().is_overdue(self.means.clock.now()) {
            let closed = self.in_turn(&live, |host, live| async move { host.close_in_turn(&live).await }).await;
            if let Err(error) = closed {
                tracing::warn!(%error, "a race could not be ended whose time is up");
            }
        }
        Ok(live)
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
        Reader::new(self.races.hold(live, |_| pending()), who, after)
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
            match race::decide(&scene.race, &scene.sessions(), change, &self.means.context()) {
                Ok(RaceDecision::Made(joint)) => {
                    if let Some(next) = self.commit_joint(live, joint, &scene).await? {
                        if scene.race.ends_at().is_none() && next.ends_at().is_some() {
                            self.close_in_time(&next);
                        }
                        return Ok(next);
                    }
                }
                _ if !self.races.is_all(live).await? => {}
                Ok(RaceDecision::Repeated(version)) => return self.races.at(live, version).await,
                Err(refusal) => return Err(HostError::refused(&*scene.race, refusal)),
            }
        }
        Err(HostError::Busy)
    }

    /// How the players of a race stand.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn standings(&self, race: &Race) -> Result<Vec<Standing>, HostError> {
        let lanes = self.sessions.find_all(race.still_running()).await?;
        Ok(standings(race, lanes.iter().map(|live| live.current())))
    }

    /// How the players of a race stood when the cards were dealt.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn standings_as_dealt(&self, race: &Race) -> Result<Vec<Standing>, HostError> {
        let mut dealt = Vec::new();
        for live in self.sessions.find_all(race.runners().map(|runner| runner.session)).await? {
            dealt.push(self.sessions.at(&live, 1).await?);
        }
        Ok(standings(race, dealt.into_iter()))
    }
}

fn standings(race: &Race, sessions: impl Iterator<Item = Arc<Session>>) -> Vec<Standing> {
    let sessions: HashMap<_, _> = sessions.map(|session| (session.id(), session)).collect();
    race::standings(race, |id| sessions.get(&id).map(|session| &**session))
}
