//! Why the host does not do what it was asked for.

use crate::session::{Damaged, Refusal, Version};
use crate::store::{AppendError, Kind, Logged, StoreError};

/// Why the host does not do what it was asked for. Nothing was changed, unless the store could not
/// be used: then the fate of a change is not known.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// There is none of that id, or not any more, or not for the one who asks.
    #[error("there is no such session or race")]
    NoSuch(Kind),
    /// The session does not have that version.
    #[error("there is no such version")]
    NoSuchVersion,
    /// The change was refused, on this version.
    #[error("the change was refused")]
    Refused {
        /// The version.
        version: Version,
        /// Why.
        refusal: Refusal,
    },
    /// Another session was made under the same key.
    #[error("another session was made under this key")]
    KeyReused,
    /// Too many wait for the same session.
    #[error("too many wait for this session")]
    Busy,
    /// As many watch the same session as may.
    #[error("too many watch this session")]
    TooManyWatch,
    /// As many searches wait as may.
    #[error("too many searches wait")]
    TooManySearches,
    /// So many deals were tried in vain that there is hardly one that can be won.
    #[error("no deal was found that can be won")]
    NoWinnableDeal,
    /// No deal that can be won is ready yet.
    #[error("no deal is ready that can be won")]
    NoDealReady,
    /// There is no room for more.
    #[error("there is no room")]
    AtCapacity,
    /// The store cannot be used.
    #[error(transparent)]
    Store(StoreError),
    /// The log of the session does not tell one.
    #[error("the log is damaged: {0}")]
    Damaged(#[from] Damaged),
    /// The work broke off.
    #[error("the work broke off")]
    Failed,
}

impl From<StoreError> for HostError {
    fn from(error: StoreError) -> HostError {
        HostError::Store(error)
    }
}

impl HostError {
    /// What a refusal is to the one who asks.
    pub(super) fn refused<G: Logged>(state: &G, refusal: Refusal) -> HostError {
        match refusal {
            Refusal::NotVisible => HostError::NoSuch(G::KIND),
            refusal => HostError::Refused { version: state.version(), refusal },
        }
    }

    /// What it means that the log of such a one does not take an entry.
    pub(super) fn of_append(error: AppendError, kind: Kind) -> HostError {
        match error {
            AppendError::Conflict => HostError::Busy,
            AppendError::Gone => HostError::NoSuch(kind),
            AppendError::Full => HostError::AtCapacity,
            AppendError::Store(error) => HostError::Store(error),
        }
    }
}
