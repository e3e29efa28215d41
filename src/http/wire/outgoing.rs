//! Sessions and entries as they are shown.

use std::fmt::Display;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::cards::{Card, Deck};
use crate::games::{OptionValue, Options};
use crate::host::Presence;
use crate::rules::{Engine, Move, Step};
use crate::session::{
    Autoplay, Deal, Entry, Event, Gathering, Opening, Seat, Secret, Session, Ticket, Undoing, Version, Visibility,
};

use super::json::{Object, list, push_plain};

/// Whether something could be written as JSON.
pub(in crate::http) type Written = serde_json::Result<()>;

/// A session as it is shown to everyone.
pub(in crate::http) fn write_session(out: &mut Vec<u8>, session: &Session) -> Written {
    let created = session.created();
    let engine = session.engine();
    let mut object = Object::begin(out);
    object.value("id", &Shown(session.id()))?;
    object.plain("game", session.game().id);
    object.value("options", &OptionsBody(&created.options))?;
    object.value("version", &session.version())?;
    object.plain("status", session.status().as_str());
    write_piles(object.field("piles"), session)?;
    object.value("redeals_left", &session.view().redeals_left())?;
    write_moves(object.field("legal_moves"), engine, session.legal_moves())?;
    object.value("can_undo", &session.can_undo())?;
    object.value("can_redo", &session.can_redo())?;
    object.value("placed", &session.placed())?;
    object.value("cards", &engine.rules().packs.cards())?;
    object.value("moves", &session.moves())?;
    object.value("undo", &(created.undoing == Undoing::Allowed))?;
    object.value("autoplay", &(created.autoplay == Autoplay::AfterEachMove))?;
    write_players(object.field("players"), session)?;
    object.value("seats", &created.seats)?;
    object.plain("visibility", created.visibility.as_str());
    write_deal(object.field("deal"), created.deal.source(), session.commitment(), session.revealed_deal())?;
    write_times(&mut object, session)?;
    object.end();
    Ok(())
}

fn write_times(object: &mut Object<'_>, session: &Session) -> Written {
    object.value("created_at", &Shown(session.created_at()))?;
    object.value("updated_at", &Shown(session.updated_at()))?;
    object.value("finished_at", &session.finished_at().map(Shown))?;
    object.value("expires_at", &Shown(session.expires_at()))?;
    Ok(())
}

/// What is shown once, to the one who has made a session.
pub(in crate::http) fn write_opening(out: &mut Vec<u8>, session: &Session, opening: &Opening) -> Written {
    let mut object = Object::begin(out);
    write_session(object.field("session"), session)?;
    write_secrets(&mut object, opening)?;
    object.end();
    Ok(())
}

pub(super) fn write_secrets<Id>(object: &mut Object<'_>, opening: &Opening<Id>) -> Written {
    write_seat(object, opening.seat, &opening.token)?;
    if let Some(invite) = &opening.invite {
        object.plain("invite", invite.reveal());
    }
    Ok(())
}

/// What is told once, to the one who has joined.
pub(in crate::http) fn write_seated(out: &mut Vec<u8>, session: &Session, ticket: &Ticket) -> Written {
    let mut object = Object::begin(out);
    write_session(object.field("session"), session)?;
    write_seat(&mut object, ticket.seat, &ticket.token)?;
    object.end();
    Ok(())
}

pub(super) fn write_seat(object: &mut Object<'_>, seat: Seat, token: &Secret) -> Written {
    object.value("seat", &seat)?;
    object.plain("token", token.reveal());
    Ok(())
}

/// The data of the event that says how a session stands, instead of all changes from a version on.
pub(in crate::http) fn write_snapshot(out: &mut Vec<u8>, session: &Session, from: Version) -> Written {
    let mut object = Object::begin(out);
    object.value("from", &from)?;
    object.value("to", &session.version())?;
    write_session(object.field("session"), session)?;
    object.end();
    Ok(())
}

/// The data of the event that says what has happened to a session.
pub(in crate::http) fn write_change(out: &mut Vec<u8>, session: &Session, entry: &Entry) -> Written {
    let mut object = Object::begin(out);
    write_entry(object.field("entry"), session.engine(), session.version(), entry)?;
    write_session(object.field("session"), session)?;
    object.end();
    Ok(())
}

/// Who watches a session.
pub(in crate::http) fn write_presence(out: &mut Vec<u8>, presence: &Presence) -> Written {
    let mut object = Object::begin(out);
    object.value("online", &presence.online)?;
    object.value("watchers", &presence.watchers)?;
    object.end();
    Ok(())
}

/// A page of the sessions that everyone may be told of.
pub(in crate::http) fn write_sessions(out: &mut Vec<u8>, sessions: &[Arc<Session>], next: Option<&str>) -> Written {
    let mut object = Object::begin(out);
    list(object.field("items"), sessions, |out, session| write_listed(out, session))?;
    object.value("next", &next)?;
    object.end();
    Ok(())
}

fn write_listed(out: &mut Vec<u8>, session: &Session) -> Written {
    let mut object = Object::begin(out);
    object.value("id", &Shown(session.id()))?;
    object.plain("game", session.game().id);
    object.value("options", &OptionsBody(&session.created().options))?;
    object.plain("status", session.status().as_str());
    write_players(object.field("players"), session)?;
    object.value("seats", &session.seat_count())?;
    object.value("placed", &session.placed())?;
    write_times(&mut object, session)?;
    object.end();
    Ok(())
}

/// A page of a session's history: the entries after a version, and what to ask for `after` to get the
/// next page.
pub(in crate::http) fn write_history(
    out: &mut Vec<u8>,
    engine: &Engine,
    after: Version,
    entries: &[Entry],
    next: Option<Version>,
) -> Written {
    let mut object = Object::begin(out);
    let numbered = entries.iter().zip(after.saturating_add(1)..);
    list(object.field("items"), numbered, |out, (entry, version)| write_entry(out, engine, version, entry))?;
    object.value("next", &next.map(Shown))?;
    object.end();
    Ok(())
}

/// The entry that made a session that version.
fn write_entry(out: &mut Vec<u8>, engine: &Engine, version: Version, entry: &Entry) -> Written {
    let name = match &entry.event {
        Event::Created(_) => "created",
        Event::Moved(_) => "moved",
        Event::Undone(_) => "undone",
        Event::Redone(_) => "redone",
        Event::Resigned => "resigned",
        Event::Joined(_) => "joined",
        Event::Left(_) => "left",
        Event::Revealed(_) => "revealed",
    };
    let seat = match &entry.event {
        Event::Left(seat) => Some(*seat),
        _ => entry.seat,
    };
    let mut object = Object::begin(out);
    object.value("version", &version)?;
    object.plain("type", name);
    object.value("seat", &seat)?;
    object.value("at", &Shown(entry.at))?;
    write_moves(object.field("moves"), engine, entry.event.steps().iter().filter_map(Step::as_move))?;
    if let Event::Joined(joined) = &entry.event {
        object.value("name", &joined.player.name.as_str())?;
    }
    object.end();
    Ok(())
}

pub(super) fn write_moves(out: &mut Vec<u8>, engine: &Engine, moves: impl IntoIterator<Item = Move>) -> Written {
    list(out, moves, |out, each| write_move(out, engine, each))
}

pub(super) fn write_move(out: &mut Vec<u8>, engine: &Engine, each: Move) -> Written {
    let mut object = Object::begin(out);
    match each {
        Move::Draw => object.plain("type", "draw"),
        Move::Redeal => object.plain("type", "redeal"),
        Move::Transfer { from, to, count } => {
            object.plain("type", "move");
            object.plain("from", engine.name(from));
            object.plain("to", engine.name(to));
            object.value("count", &count)?;
        }
    }
    object.end();
    Ok(())
}

fn write_piles(out: &mut Vec<u8>, session: &Session) -> Written {
    let piles = session.engine().named_piles().zip(session.view().piles());
    list(out, piles, |out, ((id, kind), pile)| {
        let mut object = Object::begin(out);
        object.plain("id", id);
        object.plain("kind", kind.as_str());
        object.value("face_down", &pile.face_down())?;
        write_cards(object.field("cards"), pile.cards())?;
        object.end();
        Ok(())
    })
}

fn write_cards(out: &mut Vec<u8>, cards: &[Card]) -> Written {
    list(out, cards, |out, card| {
        push_plain(out, card.as_str());
        Ok(())
    })
}

pub(super) fn write_players<G: Gathering>(out: &mut Vec<u8>, gathering: &G) -> Written {
    let host = gathering.seats().host();
    list(out, gathering.seats().taken(), |out, (seat, player)| {
        let mut object = Object::begin(out);
        object.value("seat", &seat)?;
        object.value("name", &player.name.as_str())?;
        object.value("host", &(host == Some(seat)))?;
        object.end();
        Ok(())
    })
}

/// Where the cards come from: what pins the deal, and what it follows from, once that is no secret.
pub(super) fn write_deal(
    out: &mut Vec<u8>,
    source: &str,
    commitment: Option<&str>,
    revealed: Option<&Deal>,
) -> Written {
    let (mut seed, mut deck, mut number) = (None, None, None);
    match revealed {
        Some(Deal::Drawn(each) | Deal::Seed(each) | Deal::Winnable(each)) => seed = Some(each.as_str()),
        Some(Deal::Deck(each)) => deck = Some(Deck::cards(each)),
        Some(Deal::Pysolfc(each)) => number = Some(Shown(each)),
        None => {}
    }
    let mut object = Object::begin(out);
    object.plain("source", source);
    object.value("commitment", &commitment)?;
    object.value("seed", &seed)?;
    match deck {
        Some(deck) => write_cards(object.field("deck"), deck)?,
        None => object.value("deck", &())?,
    }
    object.value("pysolfc", &number)?;
    object.end();
    Ok(())
}

pub(super) struct OptionsBody<'a>(pub(super) &'a Options);

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

/// Something that is written as a string.
#[derive(Clone, Copy)]
pub(super) struct Shown<T>(pub(super) T);

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Visibility {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
            Visibility::Public => "public",
        }
    }
}

impl Deal {
    pub(super) const fn source(&self) -> &'static str {
        match self {
            Deal::Drawn(_) => "server",
            Deal::Seed(_) => "seed",
            Deal::Deck(_) => "deck",
            Deal::Pysolfc(_) => "pysolfc",
            Deal::Winnable(_) => "winnable",
        }
    }
}
