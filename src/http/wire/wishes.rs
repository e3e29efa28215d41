//! What players ask for, parsed strictly and turned into what the house works with.

use std::marker::PhantomData;

use axum::http::request::Parts;
use serde::Deserialize;

use crate::http::change::{Resource, Wish};
use crate::http::{Code, Problem, body};
use crate::rules::{Drawing, Proposal};
use crate::session::race::{Race, RaceCommand};
use crate::session::{Command, Role, Seat, Session};

use super::values::{WholeNumber, invalid, present};

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

/// A wish that the moves be made that need no thought.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct Autoplay {
    #[serde(default, deserialize_with = "present")]
    draws: Option<bool>,
}

impl Wish for Autoplay {
    type Of = Session;

    const ROLE: Role = Role::Player;

    fn read(parts: &Parts, body: &[u8]) -> Result<Autoplay, Problem> {
        body::parse_if_any(&parts.headers, body)
    }
}

impl From<Autoplay> for Command {
    fn from(wish: Autoplay) -> Command {
        Command::Autoplay(match wish.draws {
            Some(true) => Drawing::WhileForced,
            Some(false) | None => Drawing::Never,
        })
    }
}

/// Wishes whose method and path say it all: the body is empty, or an empty object.
macro_rules! bodiless {
    ($($name:ident, of $role:expr, on $of:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(in crate::http) struct $name {}

        impl Wish for $name {
            type Of = $of;

            const ROLE: Role = $role;

            fn read(parts: &Parts, body: &[u8]) -> Result<$name, Problem> {
                body::parse_if_any(&parts.headers, body)
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
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Empty {}

        body::parse_if_any::<Empty>(&parts.headers, body)?;
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

fn malformed(field: &str, detail: &'static str) -> Problem {
    Problem::new(Code::MalformedRequest, detail).at_field(field)
}

fn missing(field: &str) -> Problem {
    malformed(field, "A move from pile to pile names both piles.")
}
