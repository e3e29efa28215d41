//! What the server takes: time to start, and memory with and without sessions.
//!
//! `cargo bench --bench footprint -- [--sessions 10000] [--moves 50] [--starts 20]
//! [--live-sessions 10000]`; sessions are played over HTTP, about a minute for each million moves.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use support::client::Connection;
use support::load::{Countdown, Server, Until, play, players};
use support::play::{Recording, record};
use support::process::{Pinning, Process, patience};

/// How many different games are played.
const GAMES: usize = 200;

const CONNECTIONS: usize = 64;

fn main() {
    if !support::is_wanted() {
        println!("run this with `cargo bench`");
        return;
    }
    let pinning = Pinning::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        report_starts(&pinning, support::number("--starts", 20)).await;
        report_memory(&pinning, support::number("--sessions", 10_000), support::number("--moves", 50)).await;
    });
}

async fn report_starts(pinning: &Pinning, starts: usize) {
    let mut millis = Vec::new();
    for _ in 0..starts {
        let started = Instant::now();
        let server = Process::start("start", patience(pinning, &[]));
        must_be_up(&server).await;
        millis.push(started.elapsed().as_secs_f64() * 1e3);
    }
    println!("start to first answer: {:.1} ms (median of {starts})", support::median(millis));
}

async fn must_be_up(server: &Process) {
    let mut connection = Connection::open(server.address()).await;
    let answer = connection.exchange(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert_eq!(answer.status, 200);
}

async fn report_memory(pinning: &Pinning, sessions: usize, moves: usize) {
    let live = support::number("--live-sessions", 10_000);
    let settings = [("--max-sessions", 2 * sessions), ("--max-memory", 1 << 20), ("--live-sessions", live)];
    let arguments: Vec<String> = settings.iter().map(|(flag, value)| format!("{flag}={value}")).collect();
    let server = Process::start("memory", patience(pinning, &arguments));
    must_be_up(&server).await;
    let idle = server.resident_bytes();
    println!("resident when idle: {}", mib(idle));

    play_all(&server, sessions, moves).await;
    let full = server.resident_bytes();
    println!(
        "resident with {sessions} sessions of {moves} moves, at most {live} of them at hand: {}, {} bytes a session",
        mib(full),
        (full - idle) / sessions
    );
}

async fn play_all(server: &Process, sessions: usize, moves: usize) {
    let games: Arc<[Recording]> = record(GAMES, moves).into();
    assert!(games.iter().all(|game| game.moves.len() == moves), "a game ends before that many moves");
    let mut players = players(Server::Real, server.address(), &games, CONNECTIONS).await;
    let countdown = Countdown::from(sessions);
    let telling = tokio::spawn(tell_progress(sessions, countdown.clone()));
    let tally = play(&mut players, Until::Games(countdown)).await;
    telling.abort();
    assert_eq!(tally.requests(), sessions * (moves + 1));
}

async fn tell_progress(sessions: usize, countdown: Arc<Countdown>) {
    loop {
        tokio::time::sleep(Duration::from_secs(5)).await;
        eprintln!("{} of {sessions} sessions", sessions - countdown.left());
    }
}

fn mib(bytes: usize) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
