//! What somebody watches: it is kept at hand, and its log followed, to which others may add.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use tokio::sync::oneshot;

use crate::store::{Kind, Logged, News, Presence, StoreError};

use super::HostError;
use super::keeper::Keeper;
use super::live::{End, Live};

/// How often others are told who watches here. They forget it after three times as long.
const REFRESH: Duration = Duration::from_secs(10);

/// After which time a log that is watched is looked at again, if that did not work.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// What somebody watches: it is there that news reach them.
pub(super) struct Watchlist<G: Logged> {
    watched: RwLock<HashMap<G::Id, Watched<G>>>,
}

/// One that somebody watches, and how many do.
struct Watched<G: Logged> {
    live: Arc<Live<G>>,
    readers: usize,
    /// What follows its log for them ends with this.
    _follower: oneshot::Sender<Infallible>,
}

impl<G: Logged> Default for Watchlist<G> {
    fn default() -> Watchlist<G> {
        Watchlist { watched: RwLock::default() }
    }
}

impl<G: Logged> Watchlist<G> {
    /// The one of that id.
    pub(super) fn get(&self, id: G::Id) -> Option<Arc<Live<G>>> {
        self.watched.read().get(&id).map(|watched| watched.live.clone())
    }

    /// Takes the one of that id off the list, whoever watches it.
    pub(super) fn remove(&self, id: G::Id) -> Option<Arc<Live<G>>> {
        self.watched.write().remove(&id).map(|watched| watched.live)
    }

    /// Takes this one off the list. Another under its id is left alone.
    pub(super) fn discard(&self, live: &Live<G>) {
        if let Entry::Occupied(place) = self.watched.write().entry(live.current().id())
            && std::ptr::eq(&*place.get().live, live)
        {
            place.remove();
        }
    }

    /// Counts a reader of this one, or of the one of its id that is on the list already.
    fn add(&self, live: &Arc<Live<G>>, follower: impl Fn() -> oneshot::Sender<Infallible>) -> Arc<Live<G>> {
        let mut watched = self.watched.write();
        let anew = || Watched { live: live.clone(), readers: 0, _follower: follower() };
        let place = watched.entry(live.current().id()).or_insert_with(anew);
        if place.live.ended().is_some() {
            *place = anew();
        }
        place.readers += 1;
        place.live.clone()
    }

    /// Counts a reader less.
    fn leave(&self, live: &Arc<Live<G>>) {
        let mut watched = self.watched.write();
        // Where one was removed, another may have been made under the same id.
        if let Entry::Occupied(mut place) = watched.entry(live.current().id())
            && Arc::ptr_eq(&place.get().live, live)
        {
            place.get_mut().readers -= 1;
            if place.get().readers == 0 {
                place.remove();
            }
        }
    }
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
        self.keeper.watchlist.leave(&self.live);
    }
}

impl<G: Logged> Keeper<G> {
    /// Has one at hand, and its log followed, for as long as what this gives is kept; and has something done besides
    /// for as long as anybody keeps one.
    pub(super) fn hold<F>(self: &Arc<Self>, live: &Arc<Live<G>>, besides: impl Fn(Arc<Live<G>>) -> F) -> Held<G>
    where
        F: Future<Output = Infallible> + Send + 'static,
    {
        let follower = || {
            let (sender, left) = oneshot::channel();
            tokio::spawn(self.clone().attend_to(live.clone(), left, besides(live.clone())));
            sender
        };
        Held { keeper: self.clone(), live: self.watchlist.add(live, follower) }
    }

    /// Follows the log of one that somebody watches, and does something besides, until nobody watches any more.
    async fn attend_to(
        self: Arc<Self>,
        live: Arc<Live<G>>,
        left: oneshot::Receiver<Infallible>,
        besides: impl Future<Output = Infallible>,
    ) {
        tokio::select! {
            () = self.follow(&live, left) => {}
            never = besides => match never {},
        }
        if let Err(error) = self.attend(&live, &Presence::default()).await {
            tracing::debug!(%error, "it cannot be said that nobody watches any more");
        }
    }

    /// Follows the log of one that somebody watches, until nobody does any more: others may add to it. Says
    /// elsewhere who watches here.
    async fn follow(&self, live: &Live<G>, mut left: oneshot::Receiver<Infallible>) {
        let mut watch = self.means().store.watch(G::log(live.current().id()));
        let mut refresh = tokio::time::interval(REFRESH);
        let mut elsewhere = Presence::default();
        self.look_again(live).await;
        while live.ended().is_none() {
            tokio::select! {
                biased;
                _ = &mut left => break,
                news = watch.news() => self.heed(live, news).await,
                _ = refresh.tick() => match self.attend(live, &live.presence()).await {
                    Ok(now) if now != elsewhere => {
                        elsewhere = now;
                        live.stir_beside();
                    }
                    Ok(_) => {}
                    Err(error) => tracing::debug!(%error, "it cannot be said who watches"),
                },
            }
        }
    }

    async fn heed(&self, live: &Live<G>, news: News) {
        match news {
            News::Grown(version) if version <= live.current().version() => {}
            News::Grown(_) | News::Unsure => self.look_again(live).await,
            News::Beside => live.stir_beside(),
        }
    }

    /// Looks at a log until that works: those who watch are not told otherwise.
    async fn look_again(&self, live: &Live<G>) {
        loop {
            match self.is_all(live).await {
                // Whoever reads what is gone, or of another log now, is told so.
                Ok(_) | Err(HostError::NoSuch(_) | HostError::Busy) => return,
                Err(HostError::Store(error @ (StoreError::Unavailable(_) | StoreError::Unwritable))) => {
                    tracing::debug!(%error, "a log that is watched cannot be looked at");
                    tokio::time::sleep(TRY_AGAIN).await;
                }
                Err(error) => {
                    tracing::error!(%error, id = ?live.current().id(), "a log that is watched cannot be read on");
                    return self.discard(live, End::Unreadable);
                }
            }
        }
    }

    /// Says who watches here, and learns who watches elsewhere.
    pub(super) async fn attend(&self, live: &Live<G>, here: &Presence) -> Result<Presence, StoreError> {
        match G::KIND {
            Kind::Session => self.means().store.attend(G::log(live.current().id()), here).await,
            // At a race the standings are told instead.
            Kind::Race => Ok(Presence::default()),
        }
    }
}
