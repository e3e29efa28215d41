//! What a log is made of.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::cards::{Deck, Packs, PysolfcNumber, Seed};
use crate::games::Options;
use crate::rules::{Outcome, Step};

use super::{KeyUse, PlayerName, RaceId, Seat, SecretHash, SessionId, Timestamp};

/// One thing that happened to a session, or to a race. The entry at index 0 of a log is its version 1.
///
/// Entries record facts, never commands: folding a log judges nothing again. Their format only ever
/// grows: new events come after the ones that are there, and so do new settings of what is made. Of a new
/// setting the first value is what held before it was there, so that older logs can be read as if they had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<E = Event> {
    /// When it happened.
    pub at: Timestamp,
    /// The seat that did it; none when the server did.
    pub seat: Option<Seat>,
    /// The key under which it was asked for, so that a repeat is recognised.
    pub key: Option<KeyUse>,
    /// What happened.
    pub event: E,
}

/// What happens to a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The session was made. Always the first entry, and only that.
    Created(Box<Created>),
    /// Something was played: a move, or several at once.
    Moved(Play),
    /// The latest play was taken back.
    Undone(Play),
    /// What was taken back last was played again.
    Redone(Play),
    /// The game was given up.
    Resigned,
    /// Somebody took the seat of the entry.
    Joined(Box<Joined>),
    /// This seat was left; by its player, or by the host for him.
    Left(Seat),
    /// The race that the session belongs to is over: whoever is still playing is out of time, and the deal
    /// is no secret any more. If the race is private, the session can be seen by these.
    Revealed(Vec<SecretHash>),
}

impl Event {
    /// What happened on the table, or was taken back there, in the order of play.
    pub fn steps(&self) -> &[Step] {
        match self {
            Event::Moved(play) | Event::Undone(play) | Event::Redone(play) => &play.steps,
            Event::Created(_) | Event::Resigned | Event::Joined(_) | Event::Left(_) | Event::Revealed(_) => &[],
        }
    }
}

/// The steps of a play, in the order of play, and how the game stands after the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Play {
    /// What happened, or was taken back, on the table.
    pub steps: SmallVec<[Step; 2]>,
    /// How the game stands then.
    pub outcome: Outcome,
}

/// What is settled when a session is made, for as long as it lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// Its id.
    pub id: SessionId,
    /// The id of the game.
    pub game: Box<str>,
    /// The revision of the game's rules.
    pub revision: u32,
    /// The options of the game.
    pub options: Options,
    /// The deal.
    pub deal: Deal,
    /// How many seats there are, 1 to 8.
    pub seats: u8,
    /// Who may watch.
    pub visibility: Visibility,
    /// Whether moves can be taken back.
    pub undoing: Undoing,
    /// Who sits in seat 1.
    pub host: Player,
    /// The hash of the invite to a private session.
    pub invite: Option<SecretHash>,
    /// What the secrets follow from, together with the key under which the session was made, if it was
    /// made under one.
    pub salt: Option<[u8; 16]>,
    /// How long it is kept.
    pub lifetimes: Lifetimes,
    /// The place in a race, if it belongs to one.
    pub race: Option<RacePlace>,
    /// Whether cards go up by themselves.
    pub autoplay: Autoplay,
}

/// A place in a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RacePlace {
    /// The race.
    pub race: RaceId,
    /// The seat in it.
    pub seat: Seat,
    /// When the time is up.
    pub ends_at: Timestamp,
}

/// Where the cards come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deal {
    /// A seed that the server drew.
    Drawn(Seed),
    /// A seed that the client gave.
    Seed(Seed),
    /// A deck that the client gave.
    Deck(Deck),
    /// The number of a PySolFC game, which the client gave.
    Pysolfc(PysolfcNumber),
    /// A seed that the server drew, and whose deal it has found a way to win.
    Winnable(Seed),
}

impl Deal {
    /// The cards in dealing order.
    pub fn deck(&self, packs: Packs) -> Deck {
        match self {
            Deal::Drawn(seed) | Deal::Seed(seed) | Deal::Winnable(seed) => seed.deck(packs),
            Deal::Deck(deck) => deck.clone(),
            Deal::Pysolfc(number) => number.deck(packs),
        }
    }

    /// What pins the server's choice before the deal; of a client's choice there is nothing to pin.
    pub fn commitment(&self) -> Option<String> {
        match self {
            Deal::Drawn(seed) | Deal::Winnable(seed) => Some(seed.commitment()),
            Deal::Seed(_) | Deal::Deck(_) | Deal::Pysolfc(_) => None,
        }
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name.
    pub name: PlayerName,
    /// The hash of the token.
    pub token: SecretHash,
}

/// Somebody who has joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// Who.
    pub player: Player,
    /// What the token follows from, together with the key under which it was asked for, if there was one.
    pub salt: Option<[u8; 16]>,
}

/// Who may watch a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Visibility {
    /// Whoever has its id.
    #[default]
    Unlisted,
    /// Its players.
    Private,
    /// Everyone; it is listed.
    Public,
}

/// Whether moves can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Undoing {
    Allowed,
    NotAllowed,
}

/// Whether cards go up by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Autoplay {
    /// Cards go where somebody moves them.
    Off,
    /// After each move, what can go up goes up.
    AfterEachMove,
}

/// How long a session is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lifetimes {
    /// From its creation, while nothing has been played.
    pub unplayed: Duration,
    /// From the latest entry, while it is not over.
    pub idle: Duration,
    /// From its end.
    pub finished: Duration,
}
