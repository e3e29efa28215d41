//! Entries at rest: a format number, then the entry in postcard's compact encoding.

use crate::session::Entry;

use super::StoreError;

/// Grows by one with every change to the encoding that older programs could not read.
const FORMAT: u8 = 1;

pub(super) fn encode(entry: &Entry) -> Result<Vec<u8>, StoreError> {
    postcard::to_extend(entry, vec![FORMAT]).map_err(|_| StoreError::Unreadable)
}

pub(super) fn decode(bytes: &[u8]) -> Result<Entry, StoreError> {
    match bytes {
        [FORMAT, entry @ ..] => postcard::from_bytes(entry).map_err(|_| StoreError::Unreadable),
        _ => Err(StoreError::Unreadable),
    }
}
