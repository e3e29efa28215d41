//! Races: the same secret deal, a session for each player, first home wins.
//!
//! A race has a log of its own, in which `started` is the truth: it names the session of each player,
//! and what those begin with follows from it. Whatever happens to a race and to its sessions at once is
//! decided here as one [`Joint`], to be added to all their logs or to none.

mod decide;
mod entry;
mod standings;
mod state;

pub use decide::{
    Joint, NewRace, RaceChange, RaceCommand, RaceDecision, RaceOpening, close, create, decide, finish, reopen,
};
pub use entry::{FinalStatus, Finish, RaceCreated, RaceEntry, RaceEvent, Runner};
pub use standings::{Standing, standings};
pub use state::{Race, RaceStatus};
