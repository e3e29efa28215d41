//! Logs as they are read from the store: entries, and what folding them gives.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::session::{self, Damaged, Version};
use crate::store::{Chain, Logged, Record};

use super::HostError;
use super::keeper::Keeper;
use super::live::{Folded, Live};
use super::reader::Change;

/// How many entries are read from the store at a time.
pub(super) const PAGE: usize = 1_000;

impl<G: Logged> Keeper<G> {
    /// It as it stood when its log had so many entries.
    ///
    /// # Errors
    /// If there is no such version, or the store cannot be used.
    pub(super) async fn at(&self, live: &Live<G>, version: Version) -> Result<Arc<G>, HostError> {
        Ok(self.folded_at(live, version).await?.state)
    }

    async fn folded_at(&self, live: &Live<G>, version: Version) -> Result<Folded<G>, HostError> {
        let current = live.folded();
        if version == 0 || version > current.state.version() {
            return Err(HostError::NoSuchVersion);
        }
        if version == current.state.version() {
            return Ok(current);
        }
        self.fold(current.state.id(), live.checkpoint_before(version), version, |_| ()).await
    }

    /// Entries of a log after a version, at most `limit` of them.
    ///
    /// # Errors
    /// If there is no such log, or the store cannot be used.
    pub(super) async fn entries(
        &self,
        id: G::Id,
        after: Version,
        limit: usize,
    ) -> Result<Vec<session::Entry<G::Event>>, HostError> {
        // The record before them says what the log had come to.
        let before = after.saturating_sub(1);
        let records = self.records(id, before, limit.saturating_add((after - before) as usize)).await?;
        let (records, behind) = match (after, records.split_first()) {
            (0, _) => (&*records, Chain::START),
            (_, Some((before, records))) => (records, before.chain()),
            (_, None) => return Ok(Vec::new()),
        };
        Ok(entries(records, after, behind)?.into_iter().map(|(entry, _)| entry).collect())
    }

    /// The entry that has led to a version.
    ///
    /// # Errors
    /// As for [`entries`](Keeper::entries).
    pub(super) async fn entry(&self, id: G::Id, version: Version) -> Result<session::Entry<G::Event>, HostError> {
        let entries = self.entries(id, version.saturating_sub(1), 1).await?;
        entries.into_iter().next().ok_or(HostError::NoSuch(G::KIND))
    }

    pub(super) async fn records(&self, id: G::Id, after: Version, limit: usize) -> Result<Vec<Record>, HostError> {
        self.means().store.load(G::log(id), after, limit).await?.ok_or(HostError::NoSuch(G::KIND))
    }

    /// What has happened after a version, read from the log: at most `limit` changes.
    pub(super) async fn changes(
        &self,
        live: &Live<G>,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Arc<Change<G>>>, HostError> {
        let Folded { mut state, chain } = self.folded_at(live, after).await?;
        let records = self.records(state.id(), after, limit).await?;
        let mut changes = Vec::new();
        for (entry, _) in entries(&records, after, chain)? {
            let mut next = G::clone(&state);
            next.apply(&entry)?;
            state = Arc::new(next);
            changes.push(Arc::new(Change::new(entry, state.clone())));
        }
        Ok(changes)
    }

    pub(super) async fn load(&self, id: G::Id) -> Result<Arc<Live<G>>, HostError> {
        let mut checkpoints = Vec::new();
        let keep = |folded: &Folded<G>| {
            if folded.state.version().is_multiple_of(self.means().limits.checkpoint_every) {
                checkpoints.push(folded.to_be_shown());
            }
        };
        let folded = self.fold(id, None, Version::MAX, keep).await?;
        Ok(Arc::new(Live::new(folded, checkpoints, &self.means().limits)))
    }

    /// Folds a log, from its beginning or from a version that is at hand, up to a version or its end.
    async fn fold(
        &self,
        id: G::Id,
        from: Option<Folded<G>>,
        to: Version,
        mut each: impl FnMut(&Folded<G>),
    ) -> Result<Folded<G>, HostError> {
        let mut folded = from;
        loop {
            let (after, chain) = folded.as_ref().map_or((0, Chain::START), |at| (at.state.version(), at.chain));
            let limit = PAGE.min((to - after) as usize);
            let page = self.records(id, after, limit).await?;
            for (entry, chain) in entries(&page, after, chain)? {
                let at = match folded.take() {
                    None => Folded { state: Arc::new(G::start(&entry)?), chain },
                    Some(mut at) => {
                        Arc::make_mut(&mut at.state).apply(&entry)?;
                        Folded { chain, ..at }
                    }
                };
                each(&at);
                folded = Some(at);
            }
            if page.len() < PAGE {
                return folded.ok_or(HostError::NoSuch(G::KIND));
            }
        }
    }
}

/// The entries of a log after a version, each with what the log has come to with it.
pub(super) fn entries<E: DeserializeOwned>(
    records: &[Record],
    after: Version,
    behind: Chain,
) -> Result<Vec<(session::Entry<E>, Chain)>, Damaged> {
    let mut behind = behind;
    let versions = after.saturating_add(1)..;
    let read = |(record, version): (&Record, Version)| {
        let entry = record.entry(version, behind)?;
        behind = record.chain();
        Ok((entry, behind))
    };
    records.iter().zip(versions).map(read).collect()
}
