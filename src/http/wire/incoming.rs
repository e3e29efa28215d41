//! Bodies of requests, parsed strictly and turned into what the house works with.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::cards::{Deck, Packs, Seed};
use crate::games::{self, Game, OptionValue, Options};
use crate::http::change::{Resource, Wish};
use crate::http::{Code, Problem, body};
use crate::rules::Proposal;
use crate::session::race::{NewRace, Race, RaceCommand};
use crate::session::{
    Command, Credential, NewDeal, NewSession, PlayerName, Role, Seat, Secret, Session, Status, Undoing, Visibility,
};

/// A wish for a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewSessionBody {
    game: String,
    #[serde(default)]
    options: OptionsBody,
    #[serde(default, deserialize_with = "present")]
    seed: Option<String>,
    #[serde(default, deserialize_with = "present")]
    deck: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present")]
    seats: Option<WholeNumber>,
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    visibility: Option<String>,
    #[serde(default, deserialize_with = "present")]
    undo: Option<bool>,
}

impl TryFrom<NewSessionBody> for NewSession {
    type Error = Problem;

    fn try_from(body: NewSessionBody) -> Result<NewSession, Problem> {
        let (game, options) = game_and_options(&body.game, body.options)?;
        Ok(NewSession {
            game,
            deal: new_deal(game.engine(&options).rules().packs, body.seed, body.deck)?,
            options,
            seats: seats(body.seats)?,
            name: name(body.name.as_deref().unwrap_or("Player 1"))?,
            visibility: visibility(body.visibility.as_deref())?,
            undoing: match body.undo {
                Some(false) => Undoing::NotAllowed,
                Some(true) | None => Undoing::Allowed,
            },
        })
    }
}

fn new_deal(packs: Packs, seed: Option<String>, deck: Option<Vec<String>>) -> Result<NewDeal, Problem> {
    match (seed, deck) {
        (None, None) => Ok(NewDeal::Drawn),
        (Some(seed), None) => {
            let seed = Seed::try_from(seed).map_err(|error| invalid("seed", sentence(&error)))?;
            Ok(NewDeal::Seed(seed))
        }
        (None, Some(names)) => {
            let wrong = |error| Problem::new(Code::InvalidDeck, sentence(&error)).at_field("deck");
            Deck::parse(packs, &names).map(NewDeal::Deck).map_err(wrong)
        }
        (Some(_), Some(_)) => Err(invalid("deck", "A deal comes from a seed or from a deck, not from both.")),
    }
}

fn seats(seats: Option<WholeNumber>) -> Result<u8, Problem> {
    match seats.map_or(1, |WholeNumber(seats)| seats) {
        seats @ 1..=8 => Ok(seats as u8),
        _ => Err(invalid("seats", "A session has 1 to 8 seats.")),
    }
}

fn name(name: &str) -> Result<PlayerName, Problem> {
    PlayerName::try_from(name).map_err(|error| invalid("name", sentence(&error)))
}

fn visibility(word: Option<&str>) -> Result<Visibility, Problem> {
    match word {
        None | Some("unlisted") => Ok(Visibility::Unlisted),
        Some("private") => Ok(Visibility::Private),
        Some("public") => Ok(Visibility::Public),
        Some(_) => Err(invalid("visibility", "A session is unlisted, private or public.")),
    }
}

/// A move as it is asked for. Which fields belong to it depends on its type.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveBody {
    r#type: String,
    #[serde(default, deserialize_with = "present")]
    from: Option<String>,
    #[serde(default, deserialize_with = "present")]
    to: Option<String>,
    #[serde(default, deserialize_with = "present")]
    count: Option<WholeNumber>,
}

impl TryFrom<MoveBody> for Proposal {
    type Error = Problem;

    fn try_from(body: MoveBody) -> Result<Proposal, Problem> {
        match body.r#type.as_str() {
            "draw" => body.has_no_piles().map(|()| Proposal::Draw),
            "redeal" => body.has_no_piles().map(|()| Proposal::Redeal),
            "move" => Ok(Proposal::Transfer {
                from: body.from.ok_or_else(|| missing("from"))?,
                to: body.to.ok_or_else(|| missing("to"))?,
                count: count(body.count)?,
            }),
            _ => Err(invalid("type", "A move is a draw, a redeal or a move.")),
        }
    }
}

impl MoveBody {
    fn has_no_piles(&self) -> Result<(), Problem> {
        let fields = [("from", self.from.is_some()), ("to", self.to.is_some()), ("count", self.count.is_some())];
        match fields.iter().find(|(_, there)| *there) {
            Some((field, _)) => Err(malformed(field, "Only a move from pile to pile has this field.")),
            None => Ok(()),
        }
    }
}

fn count(count: Option<WholeNumber>) -> Result<u32, Problem> {
    match count.map_or(1, |WholeNumber(count)| count) {
        ..=0 => Err(invalid("count", "A move is of one card or more.")),
        count => Ok(u32::try_from(count).unwrap_or(u32::MAX)),
    }
}

impl Wish for Proposal {
    type Of = Session;

    const ROLE: Role = Role::Player;

    fn read(parts: &Parts, body: &[u8]) -> Result<Proposal, Problem> {
        body::parse::<MoveBody>(&parts.headers, body)?.try_into()
    }
}

impl From<Proposal> for Command {
    fn from(proposal: Proposal) -> Command {
        Command::Play(proposal)
    }
}

/// Wishes whose method and path say it all: the body is empty, or an empty object.
macro_rules! bodiless {
    ($($name:ident, of $role:expr, on $of:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(in crate::http) struct $name {}

        impl Wish for $name {
            type Of = $of;

            const ROLE: Role = $role;

            fn read(parts: &Parts, body: &[u8]) -> Result<$name, Problem> {
                if body.is_empty() { Ok($name {}) } else { body::parse(&parts.headers, body) }
            }
        }
    )*};
}

bodiless! {
    Undo, of Role::Player, on Session, "A wish to take back the latest play.";
    Redo, of Role::Player, on Session, "A wish to play again what was taken back last.";
    Resign, of Role::HostIfShared, on Session, "A wish to give up.";
    Remove, of Role::Host, on Session, "A wish that the session be removed.";
    Start, of Role::Host, on Race, "A wish that the cards of a race be dealt.";
}

/// A wish that a seat be free; the path says which.
pub(in crate::http) struct Leave<G> {
    seat: Seat,
    of: PhantomData<G>,
}

impl<G: Resource> Wish for Leave<G> {
    type Of = G;

    const ROLE: Role = Role::Player;

    fn read(parts: &Parts, body: &[u8]) -> Result<Leave<G>, Problem> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Empty {}

        if !body.is_empty() {
            body::parse::<Empty>(&parts.headers, body)?;
        }
        // Seats are numbered from 1, and written in one way only; nobody ever sits in seat 0.
        let text = parts.uri.path().rsplit('/').next().unwrap_or_default();
        let seat = text.parse().ok().filter(|seat: &Seat| seat.to_string() == text);
        Ok(Leave { seat: seat.unwrap_or(0), of: PhantomData })
    }
}

impl From<Leave<Session>> for Command {
    fn from(leave: Leave<Session>) -> Command {
        Command::Leave(leave.seat)
    }
}

impl From<Leave<Race>> for RaceCommand {
    fn from(leave: Leave<Race>) -> RaceCommand {
        RaceCommand::Leave(leave.seat)
    }
}

impl From<Start> for RaceCommand {
    fn from(_: Start) -> RaceCommand {
        RaceCommand::Start
    }
}

/// A wish to join.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct JoiningFields {
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    invite: Option<String>,
}

/// A wish to join, as it was asked for.
pub(in crate::http) struct JoiningBody {
    pub(in crate::http) name: Option<PlayerName>,
    pub(in crate::http) invite: Credential,
}

impl JoiningBody {
    /// Reads it from a body, which may be empty.
    ///
    /// # Errors
    /// If the body is not of its schema, or the name none.
    pub(in crate::http) fn read(headers: &HeaderMap, body: &[u8]) -> Result<JoiningBody, Problem> {
        let fields =
            if body.is_empty() { JoiningFields::default() } else { body::parse::<JoiningFields>(headers, body)? };
        let invite = match fields.invite.map(|invite| invite.parse::<Secret>()) {
            None => Credential::None,
            Some(Ok(invite)) => Credential::Token(invite.hash()),
            Some(Err(_)) => Credential::Malformed,
        };
        Ok(JoiningBody { name: fields.name.as_deref().map(name).transpose()?, invite })
    }
}

/// A wish for a race.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewRaceBody {
    game: String,
    #[serde(default)]
    options: OptionsBody,
    seats: WholeNumber,
    #[serde(default, deserialize_with = "present")]
    limit_s: Option<WholeNumber>,
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    visibility: Option<String>,
}

impl TryFrom<NewRaceBody> for NewRace {
    type Error = Problem;

    fn try_from(body: NewRaceBody) -> Result<NewRace, Problem> {
        let (game, options) = game_and_options(&body.game, body.options)?;
        let WholeNumber(seats) = body.seats;
        let limit = body.limit_s.map_or(3_600, |WholeNumber(seconds)| seconds);
        Ok(NewRace {
            game,
            options,
            seats: match seats {
                2..=64 => seats as u8,
                _ => return Err(invalid("seats", "A race has 2 to 64 seats.")),
            },
            limit: match limit {
                60..=86_400 => Duration::from_secs(limit as u64),
                _ => return Err(invalid("limit_s", "A race lasts 60 to 86,400 seconds.")),
            },
            name: name(body.name.as_deref().unwrap_or("Player 1"))?,
            visibility: visibility(body.visibility.as_deref())?,
        })
    }
}

fn game_and_options(id: &str, options: OptionsBody) -> Result<(&'static Game, Options), Problem> {
    let game = games::find(id).ok_or_else(|| invalid("game", "There is no game of that id."))?;
    let options = game.options_from(options.0).map_err(|error| {
        let field = format!("options.{}", error.name());
        invalid(field, sentence(&error))
    })?;
    Ok((game, options))
}

impl From<Undo> for Command {
    fn from(_: Undo) -> Command {
        Command::Undo
    }
}

impl From<Redo> for Command {
    fn from(_: Redo) -> Command {
        Command::Redo
    }
}

impl From<Resign> for Command {
    fn from(_: Resign) -> Command {
        Command::Resign
    }
}

/// Options as they are given: words and whole numbers under their names, each name once.
#[derive(Default)]
struct OptionsBody(Vec<(String, OptionValue)>);

impl<'de> Deserialize<'de> for OptionsBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionsBody, D::Error> {
        struct OptionsVisitor;

        impl<'de> Visitor<'de> for OptionsVisitor {
            type Value = OptionsBody;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of options")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OptionsBody, A::Error> {
                let mut options: Vec<(String, OptionValue)> = Vec::new();
                while let Some((name, OptionBody(value))) = map.next_entry::<String, OptionBody>()? {
                    if options.iter().any(|(before, _)| *before == name) {
                        return Err(de::Error::custom("an option is there twice"));
                    }
                    options.push((name, value));
                }
                Ok(OptionsBody(options))
            }
        }

        deserializer.deserialize_map(OptionsVisitor)
    }
}

struct OptionBody(OptionValue);

impl<'de> Deserialize<'de> for OptionBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionBody, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a word or a whole number")]
        enum Either {
            Number(WholeNumber),
            Word(Box<str>),
        }

        Either::deserialize(deserializer).map(|either| match either {
            Either::Number(WholeNumber(number)) => OptionBody(OptionValue::Number(number)),
            Either::Word(word) => OptionBody(OptionValue::Word(word)),
        })
    }
}

/// A whole number as JSON Schema has it: 1 and 1.0 are the same, and one that no machine could hold is
/// the greatest or least that this one can.
struct WholeNumber(i64);

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WholeNumber, D::Error> {
        struct WholeNumberVisitor;

        impl Visitor<'_> for WholeNumberVisitor {
            type Value = WholeNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<WholeNumber, E> {
                Ok(WholeNumber(number))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<WholeNumber, E> {
                Ok(WholeNumber(i64::try_from(number).unwrap_or(i64::MAX)))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<WholeNumber, E> {
                let is_whole = number.fract() == 0.0;
                let wrong = || E::invalid_type(de::Unexpected::Float(number), &self);
                is_whole.then_some(WholeNumber(number as i64)).ok_or_else(wrong)
            }
        }

        deserializer.deserialize_any(WholeNumberVisitor)
    }
}

/// A field that may be left out, but is not null when it is there.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn invalid(field: impl Into<String>, detail: impl Into<std::borrow::Cow<'static, str>>) -> Problem {
    Problem::new(Code::InvalidRequest, detail).at_field(field)
}

fn malformed(field: &str, detail: &'static str) -> Problem {
    Problem::new(Code::MalformedRequest, detail).at_field(field)
}

fn missing(field: &str) -> Problem {
    malformed(field, "A move from pile to pile names both piles.")
}

/// An error of the house as a sentence for a person.
fn sentence(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// The game of an id in a path.
///
/// # Errors
/// If there is none.
pub(in crate::http) fn game_of(id: &str) -> Result<&'static Game, Problem> {
    games::find(id).ok_or_else(|| Problem::plain(Code::NoSuchGame))
}

/// The game that a listing is to be of.
///
/// # Errors
/// If there is none.
pub(in crate::http) fn game_wanted(id: &str) -> Result<&'static str, Problem> {
    games::find(id).map(|game| game.id).ok_or_else(|| invalid("game", "There is no game of that id."))
}

/// The status that a listing is to be of.
///
/// # Errors
/// If there is none.
pub(in crate::http) fn status_wanted(word: &str) -> Result<&'static str, Problem> {
    let statuses = Status::ALL.map(Status::as_str);
    let status = statuses.into_iter().find(|status| *status == word);
    status.ok_or_else(|| invalid("status", "A session is playing, won, lost, resigned or timed_out."))
}
