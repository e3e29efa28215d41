//! What a store is told of a log besides its entries.

use crate::session::race::{Race, RaceEvent, RaceStatus};
use crate::session::{Entry, Event, Gathering, RaceId, Session, SessionId, Timestamp, Version};

use super::{Chain, Record, StoreError, Tail};

/// What names a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogId {
    /// The log of a session.
    Session(SessionId),
    /// The log of a race.
    Race(RaceId),
}

/// What a log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A session.
    Session,
    /// A race.
    Race,
}

impl LogId {
    /// The log of a kind under the bytes of an id.
    pub fn from_bytes(kind: Kind, bytes: [u8; 16]) -> LogId {
        match kind {
            Kind::Session => LogId::Session(SessionId::from_bytes(bytes)),
            Kind::Race => LogId::Race(RaceId::from_bytes(bytes)),
        }
    }

    /// The bytes of the id.
    pub fn as_bytes(&self) -> &[u8; 16] {
        match self {
            LogId::Session(id) => id.as_bytes(),
            LogId::Race(id) => id.as_bytes(),
        }
    }

    /// In which of 256 parts of a store it is. All sessions of a race are in the part of the race.
    pub fn partition(&self) -> u8 {
        self.as_bytes()[0]
    }

    /// What it tells.
    pub fn kind(self) -> Kind {
        match self {
            LogId::Session(_) => Kind::Session,
            LogId::Race(_) => Kind::Race,
        }
    }
}

/// Entries to be added to a log.
#[derive(Clone, Debug)]
pub struct Append {
    /// Which log.
    pub id: LogId,
    /// How many entries it has; 0: there is no such log yet.
    pub expected: Version,
    /// What they have come to.
    pub behind: Chain,
    /// The entries, one or more.
    pub records: Vec<Record>,
    /// When the latest of them was made.
    pub at: Timestamp,
    /// What they are for.
    pub growth: Growth,
    /// For how long the log is kept from then on.
    pub lease: Lease,
    /// What the log is counted under from then on.
    pub standing: Standing,
    /// How many seats are free from then on, if everyone may be told of it.
    pub listed: Option<u8>,
    /// The log beside which this happens: that of the race that the session is part of.
    pub beside: Option<LogId>,
}

impl Append {
    /// The entries that have led to something as it is now, behind what its log had come to before.
    ///
    /// # Errors
    /// If they cannot be kept.
    pub fn leading_to<G: Logged>(now: &G, entries: &[Entry<G::Event>], behind: Chain) -> Result<Append, StoreError> {
        let mut chain = behind;
        let record = |entry| Record::of(entry, chain).inspect(|record| chain = record.chain());
        Ok(Append {
            id: G::log(now.id()),
            expected: now.version() - entries.len() as Version,
            behind,
            records: entries.iter().map(record).collect::<Result<_, _>>()?,
            at: now.updated_at(),
            growth: if entries.iter().all(|entry| G::is_closing(&entry.event)) { Growth::Closing } else { Growth::Any },
            lease: Lease { expires_at: now.expires_at(), worth: now.worth() },
            standing: now.standing(),
            listed: now.listed(),
            beside: now.beside(),
        })
    }

    /// Where the log ends now; `None`: there is no such log yet.
    pub fn behind(&self) -> Option<Tail> {
        (self.expected > 0).then_some(Tail { version: self.expected, chain: self.behind })
    }

    /// How many entries the log will have.
    pub fn version(&self) -> Version {
        self.expected + self.records.len() as Version
    }

    /// What they will have come to.
    pub fn chain(&self) -> Chain {
        self.records.last().map_or(self.behind, Record::chain)
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

/// What a log is counted under, and found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// What it tells.
    pub kind: Kind,
    /// The id of the game.
    pub game: &'static str,
    /// The name of the status.
    pub status: &'static str,
}

/// What entries are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// They bring something to an end, and are taken even if the store is full.
    Closing,
    /// Anything else.
    Any,
}

/// What is told by a log of its own.
pub trait Logged: Gathering {
    /// What it is.
    const KIND: Kind;

    /// The log of one of that id.
    fn log(id: Self::Id) -> LogId;

    /// The id of the one that a log tells; none if it tells something else.
    fn told_by(log: LogId) -> Option<Self::Id>;

    /// What is said of it when room is short.
    fn worth(&self) -> Worth;

    /// What it is counted under.
    fn standing(&self) -> Standing;

    /// How many seats are free, if everyone may be told of it.
    fn listed(&self) -> Option<u8>;

    /// The log of what it is part of, if it is part of something that goes on.
    fn beside(&self) -> Option<LogId>;

    /// Whether an event can only bring it, or somebody's part in it, to an end.
    fn is_closing(event: &Self::Event) -> bool;
}

impl Logged for Session {
    const KIND: Kind = Kind::Session;

    fn log(id: SessionId) -> LogId {
        LogId::Session(id)
    }

    fn told_by(log: LogId) -> Option<SessionId> {
        match log {
            LogId::Session(id) => Some(id),
            LogId::Race(_) => None,
        }
    }

    fn worth(&self) -> Worth {
        if self.has_been_played() || self.is_racing() { Worth::Played } else { Worth::Unplayed }
    }

    fn standing(&self) -> Standing {
        Standing { kind: Kind::Session, game: self.game().id, status: self.status().as_str() }
    }

    fn listed(&self) -> Option<u8> {
        self.is_listed().then(|| free_seats(self))
    }

    fn beside(&self) -> Option<LogId> {
        self.created().race.map(|place| LogId::Race(place.race))
    }

    fn is_closing(event: &Event) -> bool {
        matches!(event, Event::Resigned | Event::Left(_) | Event::Revealed(_))
    }
}

impl Logged for Race {
    const KIND: Kind = Kind::Race;

    fn log(id: RaceId) -> LogId {
        LogId::Race(id)
    }

    fn told_by(log: LogId) -> Option<RaceId> {
        match log {
            LogId::Race(id) => Some(id),
            LogId::Session(_) => None,
        }
    }

    fn worth(&self) -> Worth {
        match self.status() {
            RaceStatus::Open if self.seats().taken().len() < 2 => Worth::Unplayed,
            RaceStatus::Open | RaceStatus::Running | RaceStatus::Over => Worth::Played,
        }
    }

    fn standing(&self) -> Standing {
        Standing { kind: Kind::Race, game: self.game().id, status: self.status().as_str() }
    }

    fn listed(&self) -> Option<u8> {
        self.is_listed().then(|| free_seats(self))
    }

    fn beside(&self) -> Option<LogId> {
        None
    }

    fn is_closing(event: &RaceEvent) -> bool {
        matches!(event, RaceEvent::Left(_) | RaceEvent::Finished(_) | RaceEvent::Over)
    }
}

fn free_seats(gathering: &impl Gathering) -> u8 {
    gathering.seat_count().saturating_sub(gathering.seats().taken().len() as u8)
}
