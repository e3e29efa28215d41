//! What live streams cost, beside bare axum that streams as many bytes to as many.
//!
//! - `memory`: many streams over a thousand sessions, of which a tenth change once a second; the memory
//!   that the server has at hand more than without the streams, for each of them.
//! - `latency`: in the same set-up, how long after a change was asked for, and after it was answered, a
//!   watcher has it.
//! - `fanout`: many watchers of one session, which changes as soon as all have seen the last change; the
//!   events that a server sends in a second of its processor time. The servers take turns, and each round
//!   is compared with its neighbour.
//! - `stalled`: a busy session with watchers, and then the same beside a stream that nobody reads; what
//!   the watchers notice, the memory of the server, and when it cuts the stalled one off.
//!
//! `broadcast` is axum without any layer, with a channel for each session and the body of each stream made
//! of the bytes that it carries: nothing beats the clock, nobody is counted, and whoever is behind misses
//! some. `sse` is the same with axum's own events, written anew for each stream, and its own heartbeat.
//!
//! `cargo bench --bench streams -- [--part memory|latency|fanout|stalled] [--streams 10000]
//! [--watchers 5000] [--seconds 20] [--rounds 5] [--changes 1000] [--stalled-seconds 60] [--program
//! <another build of patience>]`: `--seconds` for memory and latency, `--rounds` for the fan-out,
//! `--changes` a second beside the stalled one. All parts take about five minutes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod contender;
mod crowd;
mod fanout;
mod stalled;
mod watchers;

use contender::Sizes;
use support::process::Pinning;

/// The allocator of the program, so that the servers differ in what they do and in nothing else.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Files that are open besides those of streams.
const BESIDES: usize = 1_000;

fn main() {
    support::start(run);
}

fn run() {
    let streams = support::number("--streams", 10_000);
    let watchers = support::number("--watchers", 5_000);
    support::allow_open_files(streams.max(contender::ALL.len() * watchers) + BESIDES);
    let pinning = Pinning::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let sizes = Sizes::of_patience(&pinning).await;
        println!("bytes of a snapshot, a change and an answer: {sizes}");
        if support::is_asked_for("memory") || support::is_asked_for("latency") {
            let crowds = crowd::gather(&pinning, sizes, streams).await;
            if support::is_asked_for("memory") {
                crowd::report_memory(&crowds);
            }
            if support::is_asked_for("latency") {
                crowd::report_latency(&crowds);
            }
        }
        if support::is_asked_for("fanout") {
            fanout::run(&pinning, sizes, watchers).await;
        }
        if support::is_asked_for("stalled") {
            stalled::run(&pinning).await;
        }
    });
}
