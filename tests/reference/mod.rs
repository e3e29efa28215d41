//! The games a second time, written to be right by reading: the oracle that the engine is compared
//! with, step by step.
//!
//! It is slow on purpose and shares nothing with the engine but the card type. Every rule stands
//! here as the sentence of the rules that it comes from (quoted as `>`), followed by the few lines
//! that say the same in Rust. What is legal is found by trying out every conceivable move, so
//! listing moves and judging them cannot differ.

// Several test crates include this module, and none of them uses all of it.
#![allow(dead_code, unused_imports, unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod autoplay;
mod game;
mod refusal;
mod table;

pub use autoplay::Draws;
pub use game::{Corner, Game, Kings, Moves, Play, Start};
pub use table::{Move, Pile, Status, Table};
