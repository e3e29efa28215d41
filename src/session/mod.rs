//! What a session is: a deal and a log.
//!
//! Every change is an [`Entry`], the version is the number of entries, and a [`Session`] is what
//! folding them gives and nothing else. [`decide()`] turns a command into an entry or a refusal and
//! changes nothing; [`Gathering::apply`] is the only thing that changes a session, in live play, for a
//! past version and after a restart alike. What holds for sessions and for [races](race) alike, because
//! people sit at both, is a [`Gathering`].
//!
//! Architecture Invariant: nothing here knows a clock, draws a random number or waits. Time, random
//! bytes and limits come in as a [`Context`].

mod advice;
mod create;
mod decide;
mod entry;
mod gathering;
mod ids;
mod joining;
mod key;
mod line;
mod name;
mod opening;
mod playing;
pub mod race;
mod seats;
mod shown;
mod solution;
mod state;
mod time;

pub use advice::judge_hint;
pub use create::{NewDeal, NewSession, create};
pub use decide::{Change, Command, Context, Decision, Limits, Precondition, Refusal, Role, decide, judge_removal};
pub use entry::{
    Autoplay, Created, Deal, Entry, Event, Joined, Lifetimes, Play, Player, RacePlace, Undoing, Visibility,
};
pub use gathering::Gathering;
pub use ids::{Credential, ParseIdError, RaceId, Secret, SecretHash, SessionId};
pub use joining::{Joining, Seating, Ticket, is_invited, join, rejoin};
pub use key::{IdempotencyKey, KeyError, KeyUse, Keys};
pub use name::{NameError, PlayerName};
pub use opening::{Opening, keyed_id, reopen};
pub use seats::Seats;
pub use solution::judge_solution;
pub use state::{Damaged, Session, Status};
pub use time::Timestamp;

/// How many entries a log has: 1 after creation, and one more with everything that happens.
pub type Version = u32;

/// The number of a seat, from 1.
pub type Seat = u8;
