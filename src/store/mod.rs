//! Where logs live: the [`SessionStore`] trait, and a store in memory.
//!
//! A store knows nothing of games. It keeps logs of entries, each under an id, and adds an entry only
//! if the log is as long as the one who adds it believes. That is all that makes two changes at once
//! one after the other, here and on every node.

mod codec;
#[cfg(test)]
mod conformance;
mod logged;
mod memory;

pub use codec::{Chain, Record};
pub use logged::{Append, Growth, Kind, Lease, LogId, Logged, Standing, Worth};
pub use memory::{Limits, MemoryStore};

use std::collections::HashMap;

use async_trait::async_trait;

use crate::session::{Timestamp, Version};

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

    /// How many entries a log has; `None` if there is no such log.
    ///
    /// # Errors
    /// If the store cannot say.
    async fn version(&self, id: LogId) -> Result<Option<Version>, StoreError>;

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

    /// Removes a log that has so many entries.
    ///
    /// # Errors
    /// As for [`append`](SessionStore::append).
    async fn remove(&self, id: LogId, expected: Version) -> Result<(), AppendError>;

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
    /// How many logs there are, by what they are counted under.
    pub logs: HashMap<Standing, usize>,
    /// How many entries they have.
    pub entries: usize,
    /// How many bytes they take.
    pub bytes: usize,
}

/// Why entries were not added.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// A log is not as long as was expected.
    #[error("the log has another version")]
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
    /// An entry cannot be kept.
    #[error("an entry cannot be kept")]
    Unwritable,
}
