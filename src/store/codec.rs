//! Entries at rest: a format number, then the entry in postcard's compact encoding.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::session::Entry;

use super::StoreError;

/// Grows by one with every change to the encoding that older programs could not read.
const FORMAT: u8 = 1;

/// An entry at rest.
#[derive(Clone, PartialEq, Eq)]
pub struct Record(Vec<u8>);

impl Record {
    /// An entry as it is kept.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn of<E: Serialize>(entry: &Entry<E>) -> Result<Record, StoreError> {
        postcard::to_extend(entry, vec![FORMAT]).map(Record).map_err(|_| StoreError::Unreadable)
    }

    /// What was kept as these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Record {
        Record(bytes.into())
    }

    /// The bytes to be kept.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The entry.
    ///
    /// # Errors
    /// If the bytes are of no entry, or of a later format.
    pub fn entry<E: DeserializeOwned>(&self) -> Result<Entry<E>, StoreError> {
        match &*self.0 {
            [FORMAT, entry @ ..] => postcard::from_bytes(entry).map_err(|_| StoreError::Unreadable),
            _ => Err(StoreError::Unreadable),
        }
    }
}

/// An entry has secrets in it.
impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Record({} bytes)", self.0.len())
    }
}
