//! What those see who play while others misbehave, and while the server ends.
//!
//! Rounds in which nothing else happens alternate with rounds in which something does, so that a slow
//! spell of the machine hits both, and each is compared with its neighbour.
//!
//! `cargo bench --bench siege -- [--part connections|flood|sigterm] [--program <another build of
//! patience>]`; each part has options of its own. All three take less than three minutes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod bad;
mod connections;
mod flood;
mod pace;
mod sigterm;

use std::sync::Arc;

use support::play::{Recording, record};
use support::process::Pinning;
use support::stand_in;

/// The allocator of the program, so that the servers differ in what they do and in nothing else.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many games are recorded, and how long the longest are.
const GAMES: usize = 200;
const MOVES: usize = 150;

/// What the load needs: a file for each connection. The servers inherit it, as far as they do not ask
/// for more.
const OPEN_FILES: u64 = 20_000;

fn main() {
    match support::argument("--role").as_deref() {
        Some(role) => stand_in::run(role, support::number("--bytes", 0)),
        None if support::is_wanted() => run(),
        None => println!("run this with `cargo bench`"),
    }
}

fn run() {
    let allowed = rlimit::increase_nofile_limit(OPEN_FILES).expect("the limit of open files can be asked for");
    if allowed < OPEN_FILES {
        eprintln!("There may be no more than {allowed} open files.");
    }
    let part = support::argument("--part");
    let is_asked_for = |name| part.as_deref().is_none_or(|part| part == name);
    let pinning = Pinning::start();
    let games: Arc<[Recording]> = record(GAMES, MOVES).into();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        if is_asked_for("connections") {
            connections::run(&pinning, &games).await;
        }
        if is_asked_for("flood") {
            flood::run(&pinning, &games).await;
        }
        if is_asked_for("sigterm") {
            sigterm::run(&pinning, &games).await;
        }
    });
}
