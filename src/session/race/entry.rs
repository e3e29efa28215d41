//! What the log of a race is made of.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cards::Seed;
use crate::games::Options;
use crate::session::entry::{Deal, Entry, Joined, Lifetimes, Player, Visibility};
use crate::session::{RaceId, Seat, SecretHash, SessionId, Status, Timestamp};

/// One thing that happened to a race.
pub type RaceEntry = Entry<RaceEvent>;

/// What happens to a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RaceEvent {
    /// The race was made. Always the first entry, and only that.
    Created(Box<RaceCreated>),
    /// Somebody took the seat of the entry.
    Joined(Box<Joined>),
    /// This seat was left; by its player, or by the host for him.
    Left(Seat),
    /// The cards were dealt, to each of these.
    Started(Vec<Runner>),
    /// A player has come to an end.
    Finished(Finish),
    /// The race is over, and the deal no secret any more.
    Over,
}

/// A player in a race that has started, and the session in which he plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// The seat.
    pub seat: Seat,
    /// The session.
    pub session: SessionId,
}

/// How a player has come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// The seat.
    pub seat: Seat,
    /// Won, lost, resigned or timed out.
    pub status: FinalStatus,
    /// How many cards had reached their place.
    pub placed: u8,
    /// How many moves had been made.
    pub moves: u32,
    /// When that was.
    pub at: Timestamp,
}

/// How a session stands that can go no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as in `Status`")]
pub enum FinalStatus {
    Won,
    Lost,
    Resigned,
    TimedOut,
}

impl From<FinalStatus> for Status {
    fn from(status: FinalStatus) -> Status {
        match status {
            FinalStatus::Won => Status::Won,
            FinalStatus::Lost => Status::Lost,
            FinalStatus::Resigned => Status::Resigned,
            FinalStatus::TimedOut => Status::TimedOut,
        }
    }
}

/// What is settled when a race is made, for as long as it lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceCreated {
    /// Its id.
    pub id: RaceId,
    /// The id of the game.
    pub game: Box<str>,
    /// The revision of the game's rules.
    pub revision: u32,
    /// The options of the game.
    pub options: Options,
    /// What everybody's cards are dealt from: drawn by the server.
    pub seed: Seed,
    /// How many seats there are, 2 to 64.
    pub seats: u8,
    /// How long it may take from its start.
    pub limit: Duration,
    /// Who may watch.
    pub visibility: Visibility,
    /// Who sits in seat 1.
    pub host: Player,
    /// The hash of the invite to a private race.
    pub invite: Option<SecretHash>,
    /// What the secrets follow from, together with the key under which the race was made, if it was made
    /// under one.
    pub salt: Option<[u8; 16]>,
    /// How long it, and its sessions, are kept.
    pub lifetimes: Lifetimes,
    /// What is known of the seed's deal.
    pub winnability: Winnability,
}

impl RaceCreated {
    /// Where everybody's cards come from.
    pub fn deal(&self) -> Deal {
        match self.winnability {
            Winnability::Unknown => Deal::Drawn(self.seed.clone()),
            Winnability::Proven => Deal::Winnable(self.seed.clone()),
        }
    }
}

/// Whether a deal can be won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winnability {
    /// Nobody has tried.
    Unknown,
    /// The server has found a way to win it.
    Proven,
}
