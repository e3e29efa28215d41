//! What everyone may be told of.

use std::sync::Arc;

use crate::session::race::Race;
use crate::session::{Gathering, Session};
use crate::store::{LogId, Logged, Place, Wanted};

use super::keeper::Keeper;
use super::{Host, HostError};

/// Some of what everyone may be told of.
pub struct Listed<G: Gathering> {
    /// What was found, youngest first.
    pub found: Vec<Arc<G>>,
    /// Where to go on; none if there is no more.
    pub next: Option<Place>,
}

impl Host {
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
}
