//! How much of the server's work is Patience: moves over HTTP, against two servers that do less.
//!
//! `constant` has the same connections and layers around handlers that answer the same every time;
//! `bare` is axum without any layer, whose handlers parse the move and answer. All three get the
//! same requests on as many connections, in turns, and answer about as many bytes.
//!
//! `cargo bench --bench moves_over_http -- [--rounds 5] [--seconds 3] [--connections 64]
//! [--program <another build of patience>]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use support::contest::{self, Contender, Terms};
use support::load::Server;
use support::play::recorded;
use support::process::{Pinning, patience};
use support::stand_in;

/// The allocator of the program, so that the servers differ in what they do and in nothing else.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    support::start(compare);
}

fn compare() {
    let pinning = Pinning::start();
    let games = recorded();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");

    let mut contenders = vec![Contender::new("patience", Server::Real, patience(&pinning, &[]))];
    let bytes = runtime.block_on(contest::typical_answer(&contenders[0].process, &games));
    for role in stand_in::ROLES {
        contenders.push(Contender::new(role, Server::StandIn, stand_in::command(&pinning, role, bytes)));
    }
    runtime.block_on(contest::hold(&mut contenders, &games, Terms::asked_for()));
    contest::report(&contenders);
    let [patience, constant, bare] = &*contenders else { unreachable!("there are three") };
    contest::report_ratio(patience, constant, "0.8 or more");
    contest::report_ratio(patience, bare, "0.4 or more");
    contest::report_ratio(constant, bare, "none, for information");
}
