//! What happens to a race and to its sessions at once is added to all their logs or to none.
//!
//! Architecture Invariant: whoever has the turn of a race waits for no session's turn.

use std::sync::Arc;
use std::time::Duration;

use crate::session::race::{self, Joint, Race};
use crate::session::{Entry, Gathering, RaceId, Session, SessionId};
use crate::store::{Append, AppendError, Chain, Kind};

use super::keeper::pass_over;
use super::live::{Folded, Live};
use super::races::STANDINGS;
use super::{ATTEMPTS, Host, HostError};

impl Host {
    /// Ends a race whose time is up.
    pub(super) async fn close_in_turn(&self, live: &Live<Race>) -> Result<(), HostError> {
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
    pub(super) fn close_in_time(self: &Arc<Host>, race: &Race) {
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
        if scene.lane(ended.id()).is_none_or(|lane| lane.state.version() + 1 != ended.version()) {
            return Ok(None);
        }
        let joint = race::finish(&scene.race, &scene.sessions(), ended, entry);
        Ok(self.commit_joint(&live, joint, &scene).await?.map(|_| ()))
    }

    /// A race and its sessions, each as it stands. When the race is over, sessions may be removed one by
    /// one.
    pub(super) async fn scene(&self, live: &Live<Race>) -> Result<Scene, HostError> {
        let Folded { state: race, chain } = live.folded();
        let lanes = self.sessions.find_all(race.runners().map(|runner| runner.session)).await?;
        let lanes = lanes.into_iter().map(|live| (live.folded(), live)).collect();
        Ok(Scene { race, chain, lanes })
    }

    /// Adds to the logs of a race and of its sessions, to all or to none, and shows what has become of
    /// them; nothing if somebody else was first with one of them.
    pub(super) async fn commit_joint(
        &self,
        live: &Live<Race>,
        joint: Joint,
        scene: &Scene,
    ) -> Result<Option<Arc<Race>>, HostError> {
        let next = after(&*scene.race, &joint.race)?;
        let mut batch = vec![Append::leading_to(&next, &joint.race, scene.chain)?];
        for (id, entries) in &joint.sessions {
            let append = match scene.lane(*id) {
                Some(lane) => Append::leading_to(&after(&*lane.state, entries)?, entries, lane.chain)?,
                None => Append::leading_to(&Session::fold(entries)?, entries, Chain::START)?,
            };
            batch.push(append);
        }
        let appended = match self.means.append(batch).await {
            Ok(()) => true,
            Err(AppendError::Conflict) => false,
            Err(error) => return Err(HostError::of_append(error, Kind::Race)),
        };
        for (_, session) in &scene.lanes {
            let looked = self.sessions.is_all(session).await.map(|_| ());
            looked.or_else(|error| pass_over(session.current().id(), error))?;
        }
        self.races.is_all(live).await?;
        live.stir(STANDINGS);
        Ok(appended.then(|| Arc::new(next)))
    }
}

/// A race and its sessions, each as it stood at one moment.
pub(super) struct Scene {
    pub(super) race: Arc<Race>,
    chain: Chain,
    lanes: Vec<(Folded<Session>, Arc<Live>)>,
}

impl Scene {
    pub(super) fn sessions(&self) -> Vec<&Session> {
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
