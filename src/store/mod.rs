//! Where logs live: the [`SessionStore`] trait; stores in memory, in a file and in Redis.
//!
//! A store knows nothing of games. It keeps logs of entries, each under an id, and adds an entry only
//! if the log is as long as the one who adds it believes. That is all that makes two changes at once
//! one after the other, here and on every node.

mod codec;
#[cfg(test)]
mod conformance;
mod logged;
pub mod measures;
mod memory;
mod news;
mod redis;
mod sqlite;

pub use codec::{Chain, Record};
pub use logged::{Append, Growth, Kind, Lease, LogId, Logged, Standing, Worth};
pub use memory::{Limits, MemoryStore};
pub use news::{News, Watch};
pub use redis::{ParseAddressError, RedisAddress, RedisStore};
pub use sqlite::{BackupError, OpenError, SqliteOptions, SqliteStore, backup};

use std::time::Duration;

use async_trait::async_trait;

use crate::session::{Seat, Timestamp, Version};

/// Keeps the logs of sessions and of races.
#[async_trait]
pub trait SessionStore: Send + Sync + 'static {
    /// Adds entries to some logs, each of which is named once: to all of them or to none. A log that is
    /// expected to be empty is begun.
    ///
    /// # Errors
    /// [`AppendError`]; nothing was added then, unless it is [`StoreError::Unavailable`]: then the
    /// fate of the entries is not known.
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError>;

    /// Where a log ends; `None` if there is no such log. Whatever was appended before this is asked for is
    /// in it.
    ///
    /// # Errors
    /// If the store cannot say.
    async fn tail(&self, id: LogId) -> Result<Option<Tail>, StoreError>;

    /// At most `limit` entries of a log after a version, in order; `None` if there is no such log.
    ///
    /// # Errors
    /// If the store cannot say, or the log cannot be read.
    async fn load(&self, id: LogId, after: Version, limit: usize) -> Result<Option<Vec<Record>>, StoreError>;

    /// Some of the logs that everyone may be told of, youngest first, from before a place on. There are at
    /// most `limit` of them, and there may be fewer though there are more to come: how much is looked
    /// through at a time is bounded.
    ///
    /// # Errors
    /// If the store cannot say.
    async fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Result<Listing, StoreError>;

    /// Tells news of a log from now on, whoever makes them. The one who asks looks at the log once he has
    /// this; after that he misses nothing.
    fn watch(&self, id: LogId) -> Watch;

    /// Says who watches a log here, until somebody says something else or for half a minute, and learns who
    /// watches it elsewhere. Where there is no elsewhere, that is nobody.
    ///
    /// # Errors
    /// If the store cannot be used.
    async fn attend(&self, _id: LogId, _here: &Presence) -> Result<Presence, StoreError> {
        Ok(Presence::default())
    }

    /// Removes a log that ends there.
    ///
    /// # Errors
    /// As for [`append`](SessionStore::append).
    async fn remove(&self, id: LogId, expected: Tail) -> Result<(), AppendError>;

    /// Removes what has expired by now, and says what.
    ///
    /// # Errors
    /// If the store cannot.
    async fn expire(&self, now: Timestamp) -> Result<Vec<LogId>, StoreError>;

    /// What it holds.
    ///
    /// # Errors
    /// If it cannot say.
    async fn census(&self) -> Result<Census, StoreError>;

    /// Whether it can be used.
    ///
    /// # Errors
    /// If it cannot.
    async fn ready(&self) -> Result<(), StoreError>;

    /// Finishes what it has begun. After that it is used no more.
    async fn close(&self) {}
}

/// Where a log ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// How many entries it has.
    pub version: Version,
    /// What they have come to.
    pub chain: Chain,
}

/// Who watches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// The seats whose players watch, in their order.
    pub online: Vec<Seat>,
    /// How many others watch.
    pub watchers: usize,
}

/// Which logs are looked for among those that everyone may be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What they tell.
    pub kind: Kind,
    /// Of this game only.
    pub game: Option<&'static str>,
    /// Of this status only.
    pub status: Option<&'static str>,
    /// With so many free seats, at least.
    pub free_seats: u8,
}

impl Wanted {
    /// Whether a log of this game and status, with so many free seats, is looked for.
    fn includes(&self, game: &str, status: &str, free_seats: u8) -> bool {
        self.game.is_none_or(|wanted| wanted == game)
            && self.status.is_none_or(|wanted| wanted == status)
            && free_seats >= self.free_seats
    }
}

/// How many logs are looked through for one listing.
const LOOKED_THROUGH: usize = 1_000;

/// How long a log that is damaged is left alone before it is looked at again whether it has expired.
const POSTPONED: Duration = Duration::from_secs(86_400);

/// Where a log is among others: by its age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// When its first entry was made.
    pub begun_at: Timestamp,
    /// What names it.
    pub id: LogId,
}

/// Some of the logs that were looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Those that were found, youngest first.
    pub found: Vec<LogId>,
    /// Where to go on; none if there are no more.
    pub next: Option<Place>,
}

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// How many logs there are, by what they are counted under; what there is none of may be left out.
    pub logs: Vec<Counted>,
    /// How many entries they have.
    pub entries: usize,
    /// How many bytes they take.
    pub bytes: usize,
}

/// How many logs there are of a kind, a game and a status.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    /// What they tell.
    pub kind: Kind,
    /// The id of the game.
    pub game: String,
    /// The name of the status.
    pub status: String,
    /// How many.
    pub logs: usize,
}

impl Census {
    /// How many logs there are of a kind, a game and a status.
    pub fn count(&self, kind: Kind, game: &str, status: &str) -> usize {
        let of_these = |counted: &&Counted| counted.kind == kind && counted.game == game && counted.status == status;
        self.logs.iter().filter(of_these).map(|counted| counted.logs).sum()
    }
}

/// Why entries were not added.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// A log does not end where was expected.
    #[error("the log ends elsewhere")]
    Conflict,
    /// There is no such log, or not any more.
    #[error("there is no such log")]
    Gone,
    /// There is no room.
    #[error("the store is full")]
    Full,
    /// Something is wrong with the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Something is wrong with the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached or does not do as it is told. Says why.
    #[error("the store cannot be used: {0}")]
    Unavailable(String),
    /// What it has of a log is not what was put there. Says what. Other logs are not affected.
    #[error("the store has something else: {0}")]
    Damaged(String),
    /// An entry cannot be kept.
    #[error("an entry cannot be kept")]
    Unwritable,
}
