//! Where logs live: the [`SessionStore`] trait, and a store in memory.
//!
//! A store knows nothing of games. It keeps logs of entries, each under an id, and adds an entry only
//! if the log is as long as the one who adds it believes. That is all that makes two changes at once
//! one after the other, here and on every node.

mod codec;
#[cfg(test)]
mod conformance;
mod memory;

pub use memory::{Limits, MemoryStore};

use std::collections::HashMap;

use async_trait::async_trait;

use crate::session::{Entry, Session, SessionId, Status, Timestamp, Version};

/// Keeps the logs of sessions.
#[async_trait]
pub trait SessionStore: Send + Sync + 'static {
    /// Adds an entry to each of some logs, to all of them or to none. A log that is expected to be
    /// empty is begun.
    ///
    /// # Errors
    /// [`AppendError`]; nothing was added then, unless it is [`StoreError::Unavailable`]: then the
    /// fate of the entries is not known.
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError>;

    /// How many entries a log has; `None` if there is no such log.
    ///
    /// # Errors
    /// If the store cannot say.
    async fn version(&self, id: SessionId) -> Result<Option<Version>, StoreError>;

    /// At most `limit` entries of a log after a version, in order; `None` if there is no such log.
    ///
    /// # Errors
    /// If the store cannot say, or the log cannot be read.
    async fn load(&self, id: SessionId, after: Version, limit: usize) -> Result<Option<Vec<Entry>>, StoreError>;

    /// Removes a log that has so many entries.
    ///
    /// # Errors
    /// As for [`append`](SessionStore::append).
    async fn remove(&self, id: SessionId, expected: Version) -> Result<(), AppendError>;

    /// Removes what has expired by now, and says what.
    ///
    /// # Errors
    /// If the store cannot.
    async fn expire(&self, now: Timestamp) -> Result<Vec<SessionId>, StoreError>;

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

/// An entry to be added to a log.
#[derive(Clone, Debug)]
pub struct Append {
    /// Which log.
    pub id: SessionId,
    /// How many entries it has; 0: there is no such log yet.
    pub expected: Version,
    /// The entry.
    pub entry: Entry,
    /// For how long the log is kept from then on.
    pub lease: Lease,
    /// What the log is counted under from then on.
    pub standing: Standing,
}

impl Append {
    /// The entry that has led to a session as it is now.
    pub fn leading_to(session: &Session, entry: Entry) -> Append {
        Append {
            id: session.id(),
            expected: session.version() - 1,
            entry,
            lease: Lease::of(session),
            standing: Standing { game: session.game().id, status: session.status() },
        }
    }
}

/// How long a log is kept, and how dear it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Until when it is kept.
    pub expires_at: Timestamp,
    /// What is said of it when room is short.
    pub worth: Worth,
}

/// What is said of a log when room is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Nobody has ever played there: it goes first.
    Unplayed,
    /// Somebody has played.
    Played,
}

impl Lease {
    fn of(session: &Session) -> Lease {
        let worth = if session.has_been_played() { Worth::Played } else { Worth::Unplayed };
        Lease { expires_at: session.expires_at(), worth }
    }
}

/// What a log is counted under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The id of the game.
    pub game: &'static str,
    /// How the session stands.
    pub status: Status,
}

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// How many logs there are, by what they are counted under.
    pub sessions: HashMap<Standing, usize>,
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
    /// An entry cannot be read.
    #[error("an entry cannot be read")]
    Unreadable,
}
