//! The engine: what the rules of a game can say, and what they mean on a table.
//!
//! A game is a [`Rules`] value: packs, piles, what each pile starts with, takes and gives. An
//! [`Engine`] interprets it and knows no game by name. Players see a [`View`], which has no place
//! for a hidden card; everything that judges a move takes a view. Only [`Engine::steps`] and
//! [`Table`] touch the cards underneath.
//!
//! Architecture Invariant: no function here is given a game's id, and no answer to a player is
//! made from anything but a view.

mod autoplay;
mod check;
mod engine;
mod forced;
mod group;
mod known;
mod language;
mod legal;
mod moves;
mod pile;
mod row;
mod table;
mod words;

pub use autoplay::Drawing;
pub use check::Reason;
pub use engine::{Engine, Outcome};
pub use known::{Known, Memory};
pub use language::{
    Base, Complete, Corner, Face, Filling, Gives, Next, Offer, Piles, Rules, Sequence, Start, To, Turning,
};
pub use moves::{Move, Proposal};
pub use pile::{PileId, PileIndex, PileKind};
pub use table::{Mismatch, PileView, Step, Steps, Table, View};
