//! Entries at rest: a format number, a hash chained over the log, then the entry in postcard's compact
//! encoding.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::session::{Damaged, Entry, Version};

use super::StoreError;

/// Grows by one with every change to the encoding that older programs could not read.
const FORMAT: u8 = 1;

/// Where the hash ends and the entry begins.
const HEAD: usize = 1 + size_of::<Chain>();

/// What a log has come to: a hash of its latest entry and of all before it. Two logs that have the same
/// are the same, and one that was damaged or has two ends does not fit its own.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Chain([u8; 8]);

impl Chain {
    /// That of a log without entries.
    pub const START: Chain = Chain([0; 8]);

    /// What was kept as these bytes.
    pub fn from_bytes(bytes: [u8; 8]) -> Chain {
        Chain(bytes)
    }

    /// As bytes.
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }

    fn with(self, entry: &[u8]) -> Chain {
        let whole: [u8; 32] = Sha256::new().chain_update(self.0).chain_update(entry).finalize().into();
        Chain(std::array::from_fn(|at| whole[at]))
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// An entry at rest.
#[derive(Clone, PartialEq, Eq)]
pub struct Record(Vec<u8>);

impl Record {
    /// An entry as it is kept behind others.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn of<E: Serialize>(entry: &Entry<E>, behind: Chain) -> Result<Record, StoreError> {
        let mut bytes = postcard::to_extend(entry, vec![FORMAT; HEAD]).map_err(|_| StoreError::Unwritable)?;
        let chain = behind.with(&bytes[HEAD..]);
        bytes[1..HEAD].copy_from_slice(&chain.0);
        Ok(Record(bytes))
    }

    /// What was kept as these bytes.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Record {
        Record(bytes.into())
    }

    /// The bytes to be kept.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// What the log has come to with it.
    pub fn chain(&self) -> Chain {
        Record::chain_of(&self.0)
    }

    /// What a log has come to with an entry that is kept as these bytes.
    pub fn chain_of(bytes: &[u8]) -> Chain {
        let hash = bytes.get(1..HEAD).and_then(|hash| hash.try_into().ok());
        Chain(hash.unwrap_or_default())
    }

    /// The entry, which has led to that version and stands behind what the log had come to.
    ///
    /// # Errors
    /// If the bytes are of no entry, of a later format, or of an entry of another log.
    pub fn entry<E: DeserializeOwned>(&self, version: Version, behind: Chain) -> Result<Entry<E>, Damaged> {
        match self.0.split_at_checked(HEAD) {
            Some(([FORMAT, ..], entry)) if behind.with(entry) == self.chain() => {
                postcard::from_bytes(entry).map_err(|_| Damaged::Unreadable(version))
            }
            Some(([FORMAT, ..], _)) => Err(Damaged::Forked(version)),
            Some(([later, ..], _)) if *later > FORMAT => Err(Damaged::Later(version)),
            _ => Err(Damaged::Unreadable(version)),
        }
    }
}

/// An entry has secrets in it.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Record({} bytes, {:?})", self.0.len(), self.chain())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Event, Timestamp};

    fn entry(millis: u64) -> Entry {
        Entry { at: Timestamp::from_millis(millis), seat: Some(1), key: None, event: Event::Resigned }
    }

    #[test]
    fn an_entry_is_read_behind_those_that_it_was_written_behind_and_no_others() {
        let first = Record::of(&entry(1), Chain::START).unwrap();
        let second = Record::of(&entry(2), first.chain()).unwrap();
        assert_eq!(second.entry(2, first.chain()), Ok(entry(2)));
        assert_eq!(second.entry::<Event>(2, Chain::START), Err(Damaged::Forked(2)));
        let other = Record::of(&entry(2), Chain::START).unwrap();
        assert_ne!(other.chain(), second.chain());
    }

    #[test]
    fn an_entry_of_a_later_format_is_not_taken_for_a_damaged_one() {
        let mut bytes = Record::of(&entry(1), Chain::START).unwrap().as_bytes().to_vec();
        bytes[0] = FORMAT + 1;
        assert_eq!(Record::from_bytes(bytes).entry::<Event>(1, Chain::START), Err(Damaged::Later(1)));
    }

    #[test]
    fn every_bit_of_an_entry_at_rest_counts() {
        let record = Record::of(&entry(1), Chain::START).unwrap();
        for bit in 0..record.as_bytes().len() * 8 {
            let mut bytes = record.as_bytes().to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Record::from_bytes(bytes).entry::<Event>(1, Chain::START).is_err(), "bit {bit}");
        }
        for length in 0..record.as_bytes().len() {
            let cut = Record::from_bytes(&record.as_bytes()[..length]);
            assert!(cut.entry::<Event>(1, Chain::START).is_err(), "{length} bytes");
        }
    }
}
