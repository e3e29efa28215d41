//! News of logs: whoever watches one hears when there is something to look at.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::session::Version;

use super::{Append, LogId};

/// What is new of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It has so many entries.
    Grown(Version),
    /// It may have grown, or gone: that is to be looked at.
    Unsure,
    /// Something has happened beside it: somebody came or went who watches it, or a session of the race has
    /// grown.
    Beside,
}

/// Tells news to those who watch.
#[derive(Clone)]
pub(super) struct Newsroom {
    /// What is watched in each of the partitions.
    watched: Arc<[Mutex<Watched>]>,
}

/// What is watched, and what is known of it.
type Watched = HashMap<LogId, watch::Sender<Known>>;

/// What is known of a log that is watched: its latest version, and how often there was other news.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Known {
    version: Version,
    unsure: u64,
    beside: u64,
}

impl Default for Newsroom {
    fn default() -> Newsroom {
        Newsroom { watched: (0..=u8::MAX).map(|_| Mutex::default()).collect() }
    }
}

impl Newsroom {
    /// Tells news of a log from now on, for as long as what this gives is kept.
    pub(super) fn watch(&self, id: LogId) -> Watch {
        let mut watched = self.partition(id.partition()).lock();
        let mut known = watched.entry(id).or_default().subscribe();
        let told = *known.borrow_and_update();
        Watch { room: self.clone(), id, known, told }
    }

    /// Tells those who watch the logs of a batch that was appended.
    pub(super) fn appended(&self, batch: &[Append]) {
        for append in batch {
            self.tell(append.id, News::Grown(append.version()));
            append.beside.iter().for_each(|race| self.tell(*race, News::Beside));
        }
    }

    /// Tells news of a log.
    pub(super) fn tell(&self, id: LogId, news: News) {
        if let Some(watched) = self.partition(id.partition()).lock().get(&id) {
            watched.send_modify(|known| known.learn(news));
        }
    }

    /// Tells the same of all logs that are watched in a partition.
    pub(super) fn tell_all(&self, partition: u8, news: News) {
        let watched = self.partition(partition).lock();
        watched.values().for_each(|watched| watched.send_modify(|known| known.learn(news)));
    }

    /// Whether somebody watches a log in a partition.
    pub(super) fn is_heard_in(&self, partition: u8) -> bool {
        !self.partition(partition).lock().is_empty()
    }

    fn partition(&self, partition: u8) -> &Mutex<Watched> {
        &self.watched[usize::from(partition)]
    }
}

impl Known {
    fn learn(&mut self, news: News) {
        match news {
            News::Grown(version) => self.version = version,
            News::Unsure => self.unsure += 1,
            News::Beside => self.beside += 1,
        }
    }
}

/// Somebody who watches a log.
pub struct Watch {
    room: Newsroom,
    id: LogId,
    known: watch::Receiver<Known>,
    told: Known,
}

impl Watch {
    /// What is new since the last time; waits until there is something. What comes meanwhile is told as
    /// one. Nothing is missed when it is not waited for to the end.
    pub async fn news(&mut self) -> News {
        loop {
            let known = *self.known.borrow_and_update();
            if known.unsure != self.told.unsure {
                (self.told.unsure, self.told.version) = (known.unsure, known.version);
                return News::Unsure;
            }
            if known.version != self.told.version {
                self.told.version = known.version;
                return News::Grown(known.version);
            }
            if known.beside != self.told.beside {
                self.told.beside = known.beside;
                return News::Beside;
            }
            if self.known.changed().await.is_err() {
                // The newsroom is kept by this, so it does not close.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut watched = self.room.partition(self.id.partition()).lock();
        // This one is still counted.
        if watched.get(&self.id).is_some_and(|sender| sender.receiver_count() <= 1) {
            watched.remove(&self.id);
        }
    }
}
