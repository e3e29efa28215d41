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

use support::play::recorded;
use support::process::Pinning;

/// The allocator of the program, so that the servers differ in what they do and in nothing else.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the load needs: a file for each connection.
const OPEN_FILES: usize = 20_000;

fn main() {
    support::start(run);
}

fn run() {
    support::allow_open_files(OPEN_FILES);
    let pinning = Pinning::start();
    let games = recorded();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        if support::is_asked_for("connections") {
            connections::run(&pinning, &games).await;
        }
        if support::is_asked_for("flood") {
            flood::run(&pinning, &games).await;
        }
        if support::is_asked_for("sigterm") {
            sigterm::run(&pinning, &games).await;
        }
    });
}
