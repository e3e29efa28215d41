//! The rules of the games, held to `rules.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../reference/mod.rs"]
mod reference;

mod autoplay;
mod counts;
mod forced;
mod general;
mod in_step;
mod law;
mod pair;
mod properties;
mod reference_itself;
mod support;
mod words;
