//! Sessions and entries as they are shown.

use std::fmt::Display;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::cards::{Card, Deck};
use crate::games::{OptionValue, Options};
use crate::rules::{Engine, Move, PileKind, PileView, Step};
use crate::session::{
    Deal, Entry, Event, Opening, Player, Seat, Session, SessionId, Status, Timestamp, Undoing, Version, Visibility,
};

/// A session as it is shown to everyone.
pub(in crate::http) struct SessionBody<'a>(pub(in crate::http) &'a Session);

impl Serialize for SessionBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let session = self.0;
        let created = session.created();
        let engine = session.engine();
        Snapshot {
            id: Shown(session.id()),
            game: session.game().id,
            options: OptionsBody(&created.options),
            version: session.version(),
            status: session.status().as_str(),
            piles: PilesBody(session),
            redeals_left: session.view().redeals_left(),
            legal_moves: MovesBody { engine, moves: &session.legal_moves() },
            can_undo: session.can_undo(),
            can_redo: session.can_redo(),
            placed: session.placed(),
            cards: engine.rules().packs.cards(),
            moves: session.moves(),
            undo: created.undoing == Undoing::Allowed,
            players: PlayersBody(session),
            seats: created.seats,
            visibility: created.visibility.as_str(),
            deal: DealBody::of(session),
            created_at: Shown(session.created_at()),
            updated_at: Shown(session.updated_at()),
            finished_at: session.finished_at().map(Shown),
            expires_at: Shown(session.expires_at()),
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct Snapshot<'a> {
    id: Shown<SessionId>,
    game: &'a str,
    options: OptionsBody<'a>,
    version: Version,
    status: &'static str,
    piles: PilesBody<'a>,
    redeals_left: u32,
    legal_moves: MovesBody<'a>,
    can_undo: bool,
    can_redo: bool,
    placed: usize,
    cards: usize,
    moves: u32,
    undo: bool,
    players: PlayersBody<'a>,
    seats: u8,
    visibility: &'static str,
    deal: DealBody<'a>,
    created_at: Shown<Timestamp>,
    updated_at: Shown<Timestamp>,
    finished_at: Option<Shown<Timestamp>>,
    expires_at: Shown<Timestamp>,
}

/// What is shown once, to the one who has made a session.
pub(in crate::http) struct OpeningBody<'a> {
    pub(in crate::http) session: &'a Session,
    pub(in crate::http) opening: &'a Opening,
}

impl Serialize for OpeningBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("session", &SessionBody(self.session))?;
        map.serialize_entry("seat", &self.opening.seat)?;
        map.serialize_entry("token", self.opening.token.reveal())?;
        if let Some(invite) = &self.opening.invite {
            map.serialize_entry("invite", invite.reveal())?;
        }
        map.end()
    }
}

/// A page of a session's history.
#[derive(Serialize)]
pub(in crate::http) struct HistoryBody<'a> {
    pub(in crate::http) items: Vec<EntryBody<'a>>,
    /// What to ask for `after` to get the next page.
    pub(in crate::http) next: Option<String>,
}

/// An entry of a session's history.
#[derive(Serialize)]
pub(in crate::http) struct EntryBody<'a> {
    version: Version,
    r#type: &'static str,
    seat: Option<Seat>,
    at: Shown<Timestamp>,
    moves: StepsBody<'a>,
}

impl<'a> EntryBody<'a> {
    /// The entry that made a session that version.
    pub(in crate::http) fn new(engine: &'a Engine, version: Version, entry: &'a Entry) -> EntryBody<'a> {
        let (r#type, steps): (_, &[Step]) = match &entry.event {
            Event::Created(_) => ("created", &[]),
            Event::Moved(play) => ("moved", &play.steps),
            Event::Undone(play) => ("undone", &play.steps),
            Event::Redone(play) => ("redone", &play.steps),
            Event::Resigned => ("resigned", &[]),
        };
        EntryBody { version, r#type, seat: entry.seat, at: Shown(entry.at), moves: StepsBody { engine, steps } }
    }
}

/// The moves that steps came from.
struct StepsBody<'a> {
    engine: &'a Engine,
    steps: &'a [Step],
}

impl Serialize for StepsBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves: Vec<Move> = self.steps.iter().filter_map(Step::as_move).collect();
        MovesBody { engine: self.engine, moves: &moves }.serialize(serializer)
    }
}

struct MovesBody<'a> {
    engine: &'a Engine,
    moves: &'a [Move],
}

impl Serialize for MovesBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.moves.iter().map(|each| match *each {
            Move::Draw => MoveBody::Draw,
            Move::Redeal => MoveBody::Redeal,
            Move::Transfer { from, to, count } => {
                MoveBody::Move { from: self.engine.name(from), to: self.engine.name(to), count }
            }
        }))
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum MoveBody<'a> {
    Draw,
    Redeal,
    Move { from: &'a str, to: &'a str, count: u8 },
}

struct PilesBody<'a>(&'a Session);

impl Serialize for PilesBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let piles = self.0.engine().named_piles().zip(self.0.view().piles());
        let mut sequence = serializer.serialize_seq(Some(piles.len()))?;
        for ((id, kind), pile) in piles {
            sequence.serialize_element(&PileBody::new(id, kind, pile))?;
        }
        sequence.end()
    }
}

#[derive(Serialize)]
struct PileBody<'a> {
    id: &'a str,
    kind: &'static str,
    face_down: usize,
    cards: CardsBody<'a>,
}

impl<'a> PileBody<'a> {
    fn new(id: &'a str, kind: PileKind, pile: PileView<'a>) -> PileBody<'a> {
        PileBody { id, kind: kind.as_str(), face_down: pile.face_down(), cards: CardsBody(pile.cards()) }
    }
}

struct CardsBody<'a>(&'a [Card]);

impl Serialize for CardsBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|card| card.as_str()))
    }
}

struct PlayersBody<'a>(&'a Session);

impl Serialize for PlayersBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let host = self.0.host();
        let players = self.0.players();
        serializer.collect_seq(players.map(|(seat, Player { name, .. })| PlayerBody {
            seat,
            name: name.as_str(),
            host: host == Some(seat),
        }))
    }
}

#[derive(Serialize)]
struct PlayerBody<'a> {
    seat: Seat,
    name: &'a str,
    host: bool,
}

struct OptionsBody<'a>(&'a Options);

impl Serialize for OptionsBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, OptionBody(value))))
    }
}

pub(super) struct OptionBody<'a>(pub(super) &'a OptionValue);

impl Serialize for OptionBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            OptionValue::Word(word) => serializer.serialize_str(word),
            OptionValue::Number(number) => serializer.serialize_i64(*number),
        }
    }
}

#[derive(Serialize)]
struct DealBody<'a> {
    source: &'static str,
    commitment: Option<&'a str>,
    seed: Option<&'a str>,
    deck: Option<CardsBody<'a>>,
}

impl<'a> DealBody<'a> {
    fn of(session: &'a Session) -> DealBody<'a> {
        let (seed, deck) = match session.revealed_deal() {
            Some(Deal::Drawn(seed) | Deal::Seed(seed)) => (Some(seed.as_str()), None),
            Some(Deal::Deck(deck)) => (None, Some(CardsBody(Deck::cards(deck)))),
            None => (None, None),
        };
        let source = session.created().deal.source();
        DealBody { source, commitment: session.commitment(), seed, deck }
    }
}

/// Something that is written as a string.
#[derive(Clone, Copy)]
struct Shown<T>(T);

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Resigned => "resigned",
        }
    }
}

impl Visibility {
    const fn as_str(self) -> &'static str {
        match self {
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
            Visibility::Public => "public",
        }
    }
}

impl Deal {
    const fn source(&self) -> &'static str {
        match self {
            Deal::Drawn(_) => "server",
            Deal::Seed(_) => "seed",
            Deal::Deck(_) => "deck",
        }
    }
}
