//! Entries at rest: a format number, a hash chained over the log, then the entry in postcard's compact
//! encoding.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::session::{Damaged, Entry, Version};

use super::StoreError;

/// Grows by one with every change to the encoding that older programs could not read.
///
/// Format 2 added deals from PySolFC's numbers and from seeds that were won, and a setting each to what is settled when a
/// session or a race is made.
const FORMAT: u8 = 2;

/// What an entry of format 1 lacks: the setting, which would be the last byte of the first entry of a log. 0 is its first
/// value, which is what held before it was there. Behind any other entry it is not read.
const LACKING_IN_1: [u8; 1] = [0];

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
        let (format, entry) = match self.0.split_at_checked(HEAD) {
            Some(([format @ 1..=FORMAT, ..], entry)) => (*format, entry),
            Some(([later, ..], _)) if *later > FORMAT => return Err(Damaged::Later(version)),
            _ => return Err(Damaged::Unreadable(version)),
        };
        if behind.with(entry) != self.chain() {
            return Err(Damaged::Forked(version));
        }
        let read = match format {
            1 => postcard::from_bytes(&[entry, &LACKING_IN_1].concat()),
            _ => postcard::from_bytes(entry),
        };
        read.map_err(|_| Damaged::Unreadable(version))
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
    use std::time::Duration;

    use serde::Deserialize;

    use super::*;
    use crate::cards::{Deck, Packs, Seed};
    use crate::games;
    use crate::session::race::RaceEvent;
    use crate::session::{
        self, Autoplay, Context, Event, Lifetimes, Limits, NewDeal, NewSession, PlayerName, Timestamp, Undoing,
        Visibility,
    };

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
    fn a_creation_is_read_back_wherever_the_cards_come_from() {
        let seed = || Seed::from_random([1; 16]);
        let number = "100000000000000000000".parse().unwrap();
        let deck = Deck::unshuffled(Packs::Two);
        let deals = [
            NewDeal::Drawn,
            NewDeal::Seed(seed()),
            NewDeal::Deck(deck),
            NewDeal::Pysolfc(number),
            NewDeal::Winnable(seed()),
        ];
        for deal in deals {
            let about = format!("{deal:?}");
            let created = created(deal);
            let record = Record::of(&created, Chain::START).unwrap();
            assert_eq!(record.entry(1, Chain::START), Ok(created), "{about}");
        }
    }

    /// The first entry of a session of two packs that plays by itself.
    fn created(deal: NewDeal) -> Entry {
        let game = games::CATALOGUE[1];
        let hour = Duration::from_secs(3_600);
        let limits = Limits { history: 100, lifetimes: Lifetimes { unplayed: hour, idle: hour, finished: hour } };
        let context =
            Context { now: Timestamp::from_millis(1), random: &|bytes: &mut [u8]| bytes.fill(7), limits: &limits };
        let new = NewSession {
            game,
            options: game.default_options(),
            deal,
            seats: 1,
            name: PlayerName::try_from("Player 1").unwrap(),
            visibility: Visibility::Unlisted,
            undoing: Undoing::Allowed,
            autoplay: Autoplay::AfterEachMove,
        };
        session::create(new, None, &context).0
    }

    /// A log of format 1, its records in hexadecimal digits.
    #[derive(Deserialize)]
    struct KeptLog {
        of: String,
        records: Vec<String>,
    }

    #[test]
    fn a_log_of_format_1_is_read_whole_and_what_it_lacks_is_as_it_was_before() {
        let kept: Vec<KeptLog> = serde_json::from_str(include_str!("../../tests/data/logs/format-1.json")).unwrap();
        assert_eq!(kept.len(), 7);
        for KeptLog { of, records } in kept {
            let records: Vec<_> =
                records.iter().map(|record| Record::from_bytes(hex::decode(record).unwrap())).collect();
            match of.split_once(", ").unwrap().0 {
                "race" => is_read_whole::<RaceEvent>(&of, &records),
                _ => is_read_whole::<Event>(&of, &records),
            }
        }
    }

    /// What is read is all that is there: written anew, it is the same, and the first has a setting more.
    fn is_read_whole<E: Serialize + DeserializeOwned>(of: &str, records: &[Record]) {
        let mut chain = Chain::START;
        for (record, version) in records.iter().zip(1..) {
            let entry: Entry<E> = record.entry(version, chain).unwrap_or_else(|error| panic!("{of}: {error}"));
            let added: &[u8] = if version == 1 { &[0] } else { &[] };
            let anew = Record::of(&entry, chain).unwrap();
            assert_eq!([record.as_bytes()[0], anew.as_bytes()[0]], [1, FORMAT]);
            assert_eq!(
                anew.as_bytes()[HEAD..],
                [&record.as_bytes()[HEAD..], added].concat(),
                "{of}, version {version}"
            );
            chain = record.chain();
        }
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
