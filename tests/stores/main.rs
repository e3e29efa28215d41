//! Stores, held to their promises from outside: the program as processes, on a store that is killed,
//! damaged, filled up, or at the end of a bad line, and shared by two of them.
//!
//! What players were told is held against what is there afterwards ([`ledger`]): what was acknowledged is in
//! the history, and nothing is that nobody has asked for. Tests that need more than a Linux with Rust are
//! ignored unless they are asked for:
//!
//! ```sh
//! .ci/with-redis cargo test --release --test stores -- --ignored --test-threads 1
//! ```
//!
//! `PATIENCE_KILLS` says how often something is killed (10), `PATIENCE_PROXY_SECONDS` for how long the line is
//! bad (15), `PATIENCE_SEED` what is left to chance (drawn and printed unless set).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, reason = "two test crates use it, neither all of it")]
#[path = "../http/client.rs"]
mod client;
#[allow(dead_code, reason = "two test crates use it, neither all of it")]
#[path = "../http/dice.rs"]
mod dice;
#[allow(dead_code, reason = "two test crates use it, neither all of it")]
#[path = "../http/oracle.rs"]
mod oracle;
#[path = "../reference/mod.rs"]
mod reference;
#[allow(dead_code, reason = "two test crates use it, neither all of it")]
#[path = "../http/watching.rs"]
mod watching;

mod cluster;
mod ledger;
mod load;
mod maker;
mod node;
mod player;
mod proxy;
mod redis;
mod settings;
mod table;
mod witness;

mod bad_line;
mod damage;
mod flushed;
mod full_disk;
mod full_redis;
mod kills;
mod silent_redis;
mod two_nodes;
