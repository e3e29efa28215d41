//! The solver, held against the engine and against searches that leave nothing out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, reason = "several test crates use it, none all of it")]
#[path = "../http/dice.rs"]
mod dice;
mod endings;
mod exhaustive;
mod hints;
mod lines;
mod stuck;
