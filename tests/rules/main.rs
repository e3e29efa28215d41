//! The rules of the games, held to `rules.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../reference/mod.rs"]
mod reference;

mod reference_itself;
