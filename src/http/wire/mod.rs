//! The types of the wire, both ways. They mirror `api.md` and hold no rules.

mod bodies;
mod game;
mod insight;
mod json;
mod outgoing;
mod race;
mod solution;
mod values;
mod wishes;

pub(super) use bodies::{JoiningBody, NewRaceBody, NewSessionBody, Wished};
pub(super) use game::GameBody;
pub(super) use insight::{write_hint, write_prospect};
pub(super) use outgoing::{
    Written, write_change, write_history, write_opening, write_presence, write_seated, write_session, write_sessions,
    write_snapshot,
};
pub(super) use race::{
    write_race, write_race_change, write_race_opening, write_race_seated, write_race_snapshot, write_races,
    write_standings_event,
};
pub(super) use solution::write_solution;
pub(super) use values::{game_of, game_wanted, status_wanted};
pub(super) use wishes::{Autoplay, Leave, Redo, Remove, Resign, Start, Undo};
