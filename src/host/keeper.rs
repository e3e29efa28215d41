//! What is kept of logs in a store: the ones that were asked for lately, folded and at hand.

use std::fmt::Debug;
use std::sync::Arc;

use quick_cache::sync::Cache;

use crate::session::{self, Damaged};
use crate::store::{Append, AppendError, Chain, Logged, StoreError, Tail};

use super::HostError;
use super::follow::Watchlist;
use super::live::{End, Folded, Live};
use super::log::{PAGE, entries};
use super::means::Means;

/// Keeps sessions, or races, at hand.
pub(super) struct Keeper<G: Logged> {
    means: Arc<Means>,
    live: Cache<G::Id, Arc<Live<G>>>,
    pub(super) watchlist: Watchlist<G>,
}

/// What the log says of what is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looked {
    /// It is all that there is.
    Same,
    /// There was more, which is at hand now.
    More,
    /// It is not of this log any more.
    Another,
}

impl<G: Logged> Keeper<G> {
    pub(super) fn new(means: Arc<Means>) -> Keeper<G> {
        let live = Cache::new(means.limits.live_sessions);
        Keeper { means, live, watchlist: Watchlist::default() }
    }

    pub(super) fn means(&self) -> &Means {
        &self.means
    }

    /// How many are at hand.
    pub(super) fn len(&self) -> usize {
        self.live.len()
    }

    /// Has one at hand that was just made.
    pub(super) fn insert(&self, made: Arc<G>, chain: Chain) {
        let (id, made) = (made.id(), Folded { state: made, chain });
        self.live.insert(id, Arc::new(Live::new(made, Vec::new(), &self.means.limits)));
    }

    /// One of that id that is at hand, as it was known last.
    fn at_hand(&self, id: G::Id) -> Option<Arc<Live<G>>> {
        self.watchlist.get(id).into_iter().chain(self.live.get(&id)).find(|live| live.ended().is_none())
    }

    /// Ends one that has been removed from the store.
    pub(super) fn forget(&self, id: G::Id, end: End) {
        let at_hand = self.live.remove(&id).map(|(_, live)| live);
        let watched = self.watchlist.remove(id);
        at_hand.into_iter().chain(watched).for_each(|live| live.end(end));
    }

    /// Ends one that is not what the store has any more. Another under its id is left alone.
    pub(super) fn discard(&self, live: &Live<G>, end: End) {
        live.end(end);
        self.live.remove_if(&live.current().id(), |other| std::ptr::eq(&**other, live));
        self.watchlist.discard(live);
    }

    /// One of that id, at hand and as new as its log.
    ///
    /// # Errors
    /// If there is none, or the store cannot be used.
    pub(super) async fn find(&self, id: G::Id) -> Result<Arc<Live<G>>, HostError> {
        if let Some(live) = self.at_hand(id)
            && self.look(&live).await? != Looked::Another
        {
            self.must_be_kept(&live.current())?;
            return Ok(live);
        }
        let mut is_loaded_now = false;
        let load = async {
            is_loaded_now = true;
            self.load(id).await
        };
        let live = self.live.get_or_insert_async(&id, load).await?;
        // Somebody else may have begun to load it before this was asked for.
        if !is_loaded_now && self.look(&live).await? == Looked::Another {
            return Err(HostError::Busy);
        }
        self.must_be_kept(&live.current())?;
        Ok(live)
    }

    /// One of that id, to be changed: as it was known last, if it is at hand. If it has changed meanwhile,
    /// the store does not take the change.
    ///
    /// # Errors
    /// As [`find`](Keeper::find).
    pub(super) async fn find_to_change(&self, id: G::Id) -> Result<Arc<Live<G>>, HostError> {
        match self.at_hand(id) {
            Some(live) if self.must_be_kept(&live.current()).is_ok() => Ok(live),
            _ => self.find(id).await,
        }
    }

    /// Those of some ids that are there and can be read. One that has gone meanwhile, or is damaged, hides
    /// no others.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub(super) async fn find_all(&self, ids: impl Iterator<Item = G::Id>) -> Result<Vec<Arc<Live<G>>>, HostError> {
        let mut found = Vec::new();
        for id in ids {
            match self.find(id).await {
                Ok(live) => found.push(live),
                Err(error) => pass_over(id, error)?,
            }
        }
        Ok(found)
    }

    /// What has expired is gone, whether it has been swept out already or not.
    pub(super) fn must_be_kept(&self, gathering: &G) -> Result<(), HostError> {
        let kept = self.means.clock.now() < gathering.expires_at();
        kept.then_some(()).ok_or(HostError::NoSuch(G::KIND))
    }

    /// Adds an entry to the log and shows what has become of it; nothing if somebody else was first.
    /// It is then as new as its log again, and the change to be decided anew.
    ///
    /// # Errors
    /// If the store does not take it.
    pub(super) async fn commit(
        &self,
        live: &Live<G>,
        behind: Chain,
        entry: session::Entry<G::Event>,
        next: Arc<G>,
    ) -> Result<Option<Arc<G>>, HostError> {
        let append = Append::leading_to(&*next, std::slice::from_ref(&entry), behind)?;
        let chain = append.chain();
        match self.means.append(vec![append]).await {
            Ok(()) => {
                live.publish(entry, Folded { state: next.clone(), chain });
                Ok(Some(next))
            }
            Err(AppendError::Conflict) => self.is_all(live).await.map(|_| None),
            Err(error) => {
                if matches!(error, AppendError::Gone) {
                    self.discard(live, End::Deleted);
                }
                Err(HostError::of_append(error, G::KIND))
            }
        }
    }

    /// Whether what is at hand is all that the log has; if not, it is now.
    ///
    /// # Errors
    /// If it is gone, or of another log than it was; if the store cannot be used.
    pub(super) async fn is_all(&self, live: &Live<G>) -> Result<bool, HostError> {
        match self.look(live).await? {
            Looked::Same => Ok(true),
            Looked::More => Ok(false),
            Looked::Another => Err(HostError::Busy),
        }
    }

    /// Holds what is at hand against its log, and brings it up to that. Not in turn: whoever only looks
    /// waits for no change.
    async fn look(&self, live: &Live<G>) -> Result<Looked, HostError> {
        // What is at hand is read first, so that it is not ahead of the log unless it is of another.
        let Folded { state, chain } = live.folded();
        let known = Tail { version: state.version(), chain };
        let Some(tail) = self.means.store.tail(G::log(state.id())).await? else {
            let end = self.must_be_kept(&state).map_or(End::Expired, |()| End::Deleted);
            self.discard(live, end);
            return Err(HostError::NoSuch(G::KIND));
        };
        if tail == known {
            return Ok(Looked::Same);
        }
        let follows = match tail.version > known.version {
            true => self.catch_up(live).await.map(|()| true).or_else(|error| match error {
                HostError::Damaged(Damaged::Forked(version)) if version <= known.version + 1 => Ok(false),
                error => Err(error),
            })?,
            false => false,
        };
        if !follows {
            tracing::warn!(id = ?state.id(), version = known.version, "the log is not the one that it was");
            self.discard(live, End::Replaced);
        }
        Ok(if follows { Looked::More } else { Looked::Another })
    }

    /// Brings what is at hand up to what others have added to the log.
    async fn catch_up(&self, live: &Live<G>) -> Result<(), HostError> {
        loop {
            let Folded { mut state, chain } = live.folded();
            let page = self.records(state.id(), state.version(), PAGE).await?;
            for (entry, chain) in entries(&page, state.version(), chain)? {
                let mut next = G::clone(&state);
                next.apply(&entry)?;
                state = Arc::new(next);
                live.publish(entry, Folded { state: state.clone(), chain });
            }
            if page.len() < PAGE {
                return Ok(());
            }
        }
    }
}

/// Goes on where one of several has gone, or cannot be read.
///
/// # Errors
/// If it is more than that.
pub(super) fn pass_over(id: impl Debug, error: HostError) -> Result<(), HostError> {
    match error {
        HostError::NoSuch(_) => Ok(()),
        error @ (HostError::Damaged(_) | HostError::Store(StoreError::Damaged(_))) => {
            tracing::error!(%error, ?id, "a log is damaged");
            Ok(())
        }
        error => Err(error),
    }
}
