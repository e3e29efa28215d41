//! The types of the wire, both ways. They mirror `api.md` and hold no rules.

mod game;
mod incoming;
mod json;
mod outgoing;

pub(super) use game::GameBody;
pub(super) use incoming::{NewSessionBody, Redo, Remove, Resign, Undo, game_of};
pub(super) use outgoing::{write_history, write_opening, write_session};
