//! Races: the same secret deal, a session for each player, first home wins.
//!
//! A race has a log of its own, in which `started` is the truth: it names the session of each player,
//! and what those begin with follows from it. Whatever happens to a race and to its sessions at once is
//! decided here as one [`Joint`], to be added to all their logs or to none.

mod decide;
mod entry;
mod joint;
mod standings;
mod state;

pub use decide::{NewRace, NewRaceDeal, RaceChange, RaceCommand, RaceDecision, create, decide};
pub use entry::{FinalStatus, Finish, RaceCreated, RaceEntry, RaceEvent, Runner, Winnability};
pub use joint::{Joint, close, finish};
pub use standings::{Standing, standings};
pub use state::{Race, RaceStatus};
