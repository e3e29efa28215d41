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

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use support::load::{self, Player, Server, Tally, Until, play, players};
use support::play::{Recording, record};
use support::process::{Pinning, Process, patience};
use support::stand_in;

/// The allocator of the program, so that the servers differ in what they do and in nothing else.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many games are recorded, and how long the longest are.
const GAMES: usize = 200;
const MOVES: usize = 150;

/// For how long connections are used before anything is measured.
const WARM_UP: Duration = Duration::from_millis(500);

fn main() {
    support::start(compare);
}

/// What one server has done in one round.
struct Round {
    tally: Tally,
    seconds: f64,
    cpu_seconds: f64,
}

impl Round {
    fn per_second(&self) -> f64 {
        self.tally.requests() as f64 / self.seconds
    }

    fn per_cpu_second(&self) -> f64 {
        self.tally.requests() as f64 / self.cpu_seconds
    }
}

/// A server and what it has done so far.
struct Contender {
    name: &'static str,
    server: Server,
    process: Process,
    rounds: Vec<Round>,
}

impl Contender {
    fn new(name: &'static str, server: Server, command: Command) -> Contender {
        Contender { name, server, process: Process::start(name, command), rounds: Vec::new() }
    }
}

fn compare() {
    let (rounds, seconds) = (support::number("--rounds", 5), support::number("--seconds", 3));
    let connections = support::number("--connections", 64);
    let pinning = Pinning::start();
    let games: Arc<[Recording]> = record(GAMES, MOVES).into();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");

    let mut contenders = vec![Contender::new("patience", Server::Real, patience(&pinning, &[]))];
    let bytes = runtime.block_on(typical_answer(&contenders[0].process, &games));
    for role in stand_in::ROLES {
        contenders.push(Contender::new(role, Server::StandIn, stand_in::command(&pinning, role, bytes)));
    }
    for round in 1..=rounds {
        for contender in &mut contenders {
            eprintln!("round {round} of {rounds}: {}", contender.name);
            let length = Duration::from_secs(seconds as u64);
            let done = runtime.block_on(measure(contender, &games, connections, length));
            contender.rounds.push(done);
        }
    }
    report(&contenders);
}

/// How many bytes the body of an answer has, on average over some games.
async fn typical_answer(process: &Process, games: &Arc<[Recording]>) -> usize {
    let mut players = players(Server::Real, process.address(), games, 8).await;
    let tally = play_for(&mut players, WARM_UP).await;
    tally.bytes / tally.requests()
}

async fn measure(contender: &Contender, games: &Arc<[Recording]>, connections: usize, length: Duration) -> Round {
    let process = &contender.process;
    process.forget_log();
    let mut players = players(contender.server, process.address(), games, connections).await;
    play_for(&mut players, WARM_UP).await;
    let (began, cpu_before) = (Instant::now(), process.cpu_seconds());
    let tally = play_for(&mut players, length).await;
    Round { tally, seconds: began.elapsed().as_secs_f64(), cpu_seconds: process.cpu_seconds() - cpu_before }
}

/// Lets players play, awake all the while.
async fn play_for(players: &mut Vec<Player>, length: Duration) -> Tally {
    load::awake(play(players, Until::Time(Instant::now() + length))).await
}

fn report(contenders: &[Contender]) {
    println!(
        "{:<10} {:>12} {:>18} {:>10} {:>9} {:>9} {:>12}",
        "server", "requests/s", "per CPU second", "CPU busy", "p50 ms", "p99 ms", "answer bytes"
    );
    for contender in contenders {
        let of_rounds = |value: fn(&Round) -> f64| support::median(contender.rounds.iter().map(value));
        println!(
            "{:<10} {:>12.0} {:>18.0} {:>9.0}% {:>9.2} {:>9.2} {:>12.0}",
            contender.name,
            of_rounds(Round::per_second),
            of_rounds(Round::per_cpu_second),
            of_rounds(|round| 100.0 * round.cpu_seconds / round.seconds),
            of_rounds(|round| round.tally.quantile(0.5).as_secs_f64() * 1e3),
            of_rounds(|round| round.tally.quantile(0.99).as_secs_f64() * 1e3),
            of_rounds(|round| round.tally.bytes as f64 / round.tally.requests() as f64),
        );
    }
    let [patience, constant, bare] = contenders else { unreachable!("there are three") };
    println!();
    report_ratio(patience, constant, "0.8 or more");
    report_ratio(patience, bare, "0.4 or more");
    report_ratio(constant, bare, "none, for information");
}

/// Rounds that were next to one another are compared, so that a slow spell of the machine hits both.
fn report_ratio(one: &Contender, other: &Contender, goal: &str) {
    let pairs = one.rounds.iter().zip(&other.rounds);
    let ratios: Vec<f64> = pairs.map(|(one, other)| one.per_cpu_second() / other.per_cpu_second()).collect();
    let (least, most) =
        ratios.iter().fold((f64::MAX, 0.0_f64), |(least, most), &ratio| (least.min(ratio), most.max(ratio)));
    let (names, median) = (format!("{}/{}", one.name, other.name), support::median(ratios));
    println!("{names:<18} {median:.3} of the requests per CPU second ({least:.3} to {most:.3}; goal: {goal})");
}
