//! The HTTP API, held to its contract from outside: a real server on a port of its own, a client that
//! is not ours, and a second implementation of the rules to compare with.
//!
//! Every answer that any of these tests gets is checked for its manners ([`manners`]), and held against
//! `openapi.yaml` with what was asked ([`contract`]), before a test looks at it. Modules are named after the URLs, and after what cannot be seen in one request.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../reference/mod.rs"]
mod reference;

mod app;
mod audience;
mod bounds;
mod browsers;
mod client;
mod contract;
mod dice;
mod logs;
mod manners;
mod oracle;
mod raw;

mod autoplay;
mod deal;
mod delete;
mod drain;
mod events;
mod games;
mod health;
mod hidden;
mod hint;
mod history;
mod hostile;
mod in_step;
mod lifetimes;
mod lobby;
mod moves;
mod older_logs;
mod openapi;
mod outlook;
mod pages;
mod problems;
mod program;
mod race_of_sixteen;
mod races;
mod redo;
mod resign;
mod retries;
mod seats;
mod sessions;
mod simulate;
mod solution;
mod solve;
mod stores;
mod to_the_end;
mod tokens;
mod two_at_once;
mod undo;
mod visibility;
mod watching;
mod winnable;
