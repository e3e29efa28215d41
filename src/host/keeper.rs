//! What is kept of logs in a store: the ones that were asked for lately, folded and at hand.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{counter, histogram};
use parking_lot::RwLock;
use quick_cache::sync::Cache;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use crate::session::{self, Context, Damaged, Version};
use crate::store::{
    Append, AppendError, Chain, Kind, Logged, News, Presence, Record, SessionStore, StoreError, Tail, measures,
};

use super::gauges::Counts;
use super::live::{End, Folded, Live};
use super::reader::Change;
use super::{Clock, HostError, Limits, SessionLimits};

/// How many entries are read from the store at a time.
const PAGE: usize = 1_000;

/// How often others are told who watches here. They forget it after three times as long.
const REFRESH: Duration = Duration::from_secs(10);

/// After which time a log that is watched is looked at again, if that did not work.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// What everything in the host works with.
pub(super) struct Means {
    pub(super) store: Arc<dyn SessionStore>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) limits: Limits,
    pub(super) session_limits: SessionLimits,
    pub(super) counts: Arc<Counts>,
}

impl Means {
    pub(super) fn context(&self) -> Context<'_> {
        Context { now: self.clock.now(), random: &|bytes| rand::fill(bytes), limits: &self.session_limits }
    }

    pub(super) async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        let entries = batch.iter().map(|append| append.records.len()).sum();
        let began = Instant::now();
        let appended = self.store.append(batch).await;
        histogram!(measures::APPEND_SECONDS).record(began.elapsed());
        match &appended {
            Ok(()) => self.counts.appended(entries),
            Err(AppendError::Conflict) => counter!(measures::CONFLICTS).increment(1),
            Err(AppendError::Gone | AppendError::Full | AppendError::Store(_)) => {}
        }
        appended
    }
}

/// Keeps sessions, or races, at hand.
pub(super) struct Keeper<G: Logged> {
    means: Arc<Means>,
    live: Cache<G::Id, Arc<Live<G>>>,
    /// Those that somebody watches: it is there that news reach them.
    watched: RwLock<HashMap<G::Id, Watched<G>>>,
}

/// One that somebody watches, and how many do.
struct Watched<G: Logged> {
    live: Arc<Live<G>>,
    readers: usize,
    /// What follows its log for them ends with this.
    _follower: oneshot::Sender<Infallible>,
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

/// What keeps one at hand that somebody watches.
pub(super) struct Held<G: Logged> {
    keeper: Arc<Keeper<G>>,
    live: Arc<Live<G>>,
}

impl<G: Logged> Held<G> {
    pub(super) fn keeper(&self) -> &Keeper<G> {
        &self.keeper
    }

    pub(super) fn live(&self) -> &Arc<Live<G>> {
        &self.live
    }
}

impl<G: Logged> Drop for Held<G> {
    fn drop(&mut self) {
        self.keeper.let_go(&self.live);
    }
}

impl<G: Logged> Keeper<G> {
    pub(super) fn new(means: Arc<Means>) -> Keeper<G> {
        let live = Cache::new(means.limits.live_sessions);
        Keeper { means, live, watched: RwLock::default() }
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

    /// One that somebody watches.
    pub(super) fn watched(&self, id: G::Id) -> Option<Arc<Live<G>>> {
        self.watched.read().get(&id).map(|watched| watched.live.clone()).filter(|live| live.ended().is_none())
    }

    /// One of that id that is at hand, as it was known last.
    fn at_hand(&self, id: G::Id) -> Option<Arc<Live<G>>> {
        self.watched(id).or_else(|| self.live.get(&id)).filter(|live| live.ended().is_none())
    }

    /// Ends one that has been removed from the store.
    pub(super) fn forget(&self, id: G::Id, end: End) {
        let at_hand = self.live.remove(&id).map(|(_, live)| live);
        let watched = self.watched.write().remove(&id).map(|watched| watched.live);
        at_hand.into_iter().chain(watched).for_each(|live| live.end(end));
    }

    /// Ends one that is not what the store has any more. Another under its id is left alone.
    fn discard(&self, live: &Live<G>, end: End) {
        live.end(end);
        let id = live.current().id();
        let is_it = |other: &Arc<Live<G>>| std::ptr::eq(&**other, live);
        self.live.remove_if(&id, |other| is_it(other));
        if let Entry::Occupied(place) = self.watched.write().entry(id)
            && is_it(&place.get().live)
        {
            place.remove();
        }
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
                Err(error) => pass_over(error)?,
            }
        }
        Ok(found)
    }

    /// What has expired is gone, whether it has been swept out already or not.
    pub(super) fn must_be_kept(&self, gathering: &G) -> Result<(), HostError> {
        let kept = self.means.clock.now() < gathering.expires_at();
        kept.then_some(()).ok_or(HostError::NoSuch(G::KIND))
    }

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

    async fn records(&self, id: G::Id, after: Version, limit: usize) -> Result<Vec<Record>, HostError> {
        self.means.store.load(G::log(id), after, limit).await?.ok_or(HostError::NoSuch(G::KIND))
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
            self.discard(live, End::Deleted);
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
    pub(super) async fn catch_up(&self, live: &Live<G>) -> Result<(), HostError> {
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

    /// Has one at hand for as long as what this gives is kept.
    pub(super) fn hold(self: &Arc<Self>, live: &Arc<Live<G>>) -> Held<G> {
        let id = live.current().id();
        let mut watched = self.watched.write();
        let anew = || {
            let (_follower, left) = oneshot::channel();
            tokio::spawn(self.clone().follow(live.clone(), left));
            Watched { live: live.clone(), readers: 0, _follower }
        };
        let place = watched.entry(id).or_insert_with(anew);
        if place.live.ended().is_some() {
            *place = anew();
        }
        place.readers += 1;
        Held { keeper: self.clone(), live: place.live.clone() }
    }

    fn let_go(&self, held: &Arc<Live<G>>) {
        let mut watched = self.watched.write();
        // Where one was removed, another may have been made under the same id.
        if let Entry::Occupied(mut place) = watched.entry(held.current().id())
            && Arc::ptr_eq(&place.get().live, held)
        {
            place.get_mut().readers -= 1;
            if place.get().readers == 0 {
                place.remove();
            }
        }
    }

    /// Follows the log of one that somebody watches, until nobody does any more: others may add to it. Says
    /// elsewhere who watches here.
    async fn follow(self: Arc<Self>, live: Arc<Live<G>>, mut left: oneshot::Receiver<Infallible>) {
        let log = G::log(live.current().id());
        let mut watch = self.means.store.watch(log);
        let mut refresh = tokio::time::interval(REFRESH);
        let mut elsewhere = Presence::default();
        let mut news = News::Unsure;
        while live.ended().is_none() {
            let is_new = |version| version > live.current().version();
            match news {
                News::Unsure => self.look_again(&live).await,
                News::Grown(version) if is_new(version) => self.look_again(&live).await,
                News::Grown(_) => {}
                News::Beside => live.stir_beside(),
            }
            news = tokio::select! {
                biased;
                _ = &mut left => break,
                news = watch.news() => news,
                _ = refresh.tick() => match self.attend(&live).await {
                    Ok(others) if others != std::mem::replace(&mut elsewhere, others.clone()) => News::Beside,
                    Ok(_) => continue,
                    Err(error) => {
                        tracing::warn!(%error, "it cannot be said who watches");
                        continue;
                    }
                },
            };
        }
        let nobody = Presence::default();
        if G::KIND == Kind::Session
            && let Err(error) = self.means.store.attend(log, &nobody).await
        {
            tracing::warn!(%error, "it cannot be said that nobody watches any more");
        }
    }

    /// Looks at a log until that works: those who watch are not told otherwise.
    async fn look_again(&self, live: &Live<G>) {
        while let Err(HostError::Store(error)) = self.look(live).await {
            tracing::warn!(%error, "a log that is watched cannot be looked at");
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }

    /// Says who watches here, and learns who watches elsewhere.
    pub(super) async fn attend(&self, live: &Live<G>) -> Result<Presence, StoreError> {
        match G::KIND {
            Kind::Session => self.means.store.attend(G::log(live.current().id()), &live.presence()).await,
            // At a race the standings are told instead.
            Kind::Race => Ok(Presence::default()),
        }
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

    async fn load(&self, id: G::Id) -> Result<Arc<Live<G>>, HostError> {
        let mut checkpoints = Vec::new();
        let keep = |folded: &Folded<G>| {
            if folded.state.version().is_multiple_of(self.means.limits.checkpoint_every) {
                checkpoints.push(folded.to_be_shown());
            }
        };
        let folded = self.fold(id, None, Version::MAX, keep).await?;
        Ok(Arc::new(Live::new(folded, checkpoints, &self.means.limits)))
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

/// Goes on where one of several has gone, or cannot be read.
///
/// # Errors
/// If it is more than that.
pub(super) fn pass_over(error: HostError) -> Result<(), HostError> {
    match error {
        HostError::NoSuch(_) => Ok(()),
        HostError::Damaged(error) => {
            tracing::error!(%error, "a log is damaged");
            Ok(())
        }
        error => Err(error),
    }
}

/// The entries of a log after a version, each with what the log has come to with it.
fn entries<E: DeserializeOwned>(
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
