//! What everyone may be told of.

use std::sync::Arc;

use crate::session::race::Race;
use crate::session::{Gathering, Session};
use crate::store::{Logged, Place, Wanted};

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
        self.list_of(&self.sessions, wanted, before, limit).await
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
        self.list_of(&self.races, wanted, before, limit).await
    }

    async fn list_of<G: Logged>(
        &self,
        keeper: &Keeper<G>,
        wanted: &Wanted,
        before: Option<Place>,
        limit: usize,
    ) -> Result<Listed<G>, HostError> {
        let listing = self.means.store.list(wanted, before, limit).await?;
        let found = keeper.find_all(listing.found.into_iter().filter_map(G::told_by)).await?;
        let found = found.iter().map(|live| live.current()).collect();
        Ok(Listed { found, next: listing.next })
    }
}
