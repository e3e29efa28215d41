//! Servers under the same load, in turns, so that a slow spell of the machine hits all of them.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::load::{self as loads, Player, Server, Tally, Until, play, players};
use super::play::Recording;
use super::process::Process;

/// For how long connections are used before anything is measured.
const WARM_UP: Duration = Duration::from_millis(500);

/// How long a contest is, and how many play.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) rounds: usize,
    pub(crate) seconds: usize,
    pub(crate) connections: usize,
    pub(crate) load: Load,
}

/// What the load does while it has nothing to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// It stays awake, on a core of its own, so that no server pays for waking it.
    Awake,
    /// It leaves its core to others.
    Asleep,
}

impl Terms {
    /// What the command line says.
    pub(crate) fn asked_for() -> Terms {
        Terms {
            rounds: super::number("--rounds", 5),
            seconds: super::number("--seconds", 3),
            connections: super::number("--connections", 64),
            load: Load::Awake,
        }
    }
}

/// What one server has done in one round.
pub(crate) struct Round {
    tally: Tally,
    seconds: f64,
    cpu_seconds: f64,
}

impl Round {
    pub(crate) fn per_second(&self) -> f64 {
        self.tally.requests() as f64 / self.seconds
    }

    pub(crate) fn per_cpu_second(&self) -> f64 {
        self.tally.requests() as f64 / self.cpu_seconds
    }
}

/// A server and what it has done so far.
pub(crate) struct Contender {
    name: &'static str,
    server: Server,
    pub(crate) process: Process,
    pub(crate) rounds: Vec<Round>,
}

impl Contender {
    pub(crate) fn new(name: &'static str, server: Server, command: Command) -> Contender {
        Contender { name, server, process: Process::start(name, command), rounds: Vec::new() }
    }
}

/// Has all of them play, one after the other, again and again.
pub(crate) async fn hold(contenders: &mut [Contender], games: &Arc<[Recording]>, terms: Terms) {
    for round in 1..=terms.rounds {
        for contender in &mut *contenders {
            eprintln!("round {round} of {}: {}", terms.rounds, contender.name);
            let done = measure(contender, games, terms).await;
            contender.rounds.push(done);
        }
    }
}

/// How many bytes the body of an answer has, on average over some games.
pub(crate) async fn typical_answer(process: &Process, games: &Arc<[Recording]>) -> usize {
    let mut players = players(Server::Real, process.address(), games, 8).await;
    let tally = play_for(&mut players, WARM_UP, Load::Awake).await;
    tally.bytes / tally.requests()
}

/// Has one of them play for a round.
pub(crate) async fn measure(contender: &Contender, games: &Arc<[Recording]>, terms: Terms) -> Round {
    let process = &contender.process;
    process.forget_log();
    let mut players = players(contender.server, process.address(), games, terms.connections).await;
    play_for(&mut players, WARM_UP, terms.load).await;
    let (began, cpu_before) = (Instant::now(), process.cpu_seconds());
    let tally = play_for(&mut players, Duration::from_secs(terms.seconds as u64), terms.load).await;
    Round { tally, seconds: began.elapsed().as_secs_f64(), cpu_seconds: process.cpu_seconds() - cpu_before }
}

/// Lets players play.
async fn play_for(players: &mut Vec<Player>, length: Duration, load: Load) -> Tally {
    let play = play(players, Until::Time(Instant::now() + length));
    match load {
        Load::Awake => loads::awake(play).await,
        Load::Asleep => play.await,
    }
}

/// What each of them has done.
pub(crate) fn report(contenders: &[Contender]) {
    println!(
        "{:<10} {:>12} {:>18} {:>10} {:>9} {:>9} {:>12}",
        "server", "requests/s", "per CPU second", "CPU busy", "p50 ms", "p99 ms", "answer bytes"
    );
    for contender in contenders {
        let of_rounds = |value: fn(&Round) -> f64| super::median(contender.rounds.iter().map(value));
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
    println!();
}

/// How one compares with another in the requests that it answers in a second of its processor time.
pub(crate) fn report_ratio(one: &Contender, other: &Contender, goal: &str) {
    report_ratio_of(one, other, ("requests per CPU second", Round::per_cpu_second), goal);
}

/// How one compares with another. Rounds that were next to one another are compared.
pub(crate) fn report_ratio_of(
    one: &Contender,
    other: &Contender,
    (what, value): (&str, fn(&Round) -> f64),
    goal: &str,
) {
    let pairs = one.rounds.iter().zip(&other.rounds);
    let ratios: Vec<f64> = pairs.map(|(one, other)| value(one) / value(other)).collect();
    let (least, most) =
        ratios.iter().fold((f64::MAX, 0.0_f64), |(least, most), &ratio| (least.min(ratio), most.max(ratio)));
    let (names, median) = (format!("{}/{}", one.name, other.name), super::median(ratios));
    println!("{names:<18} {median:.3} of the {what} ({least:.3} to {most:.3}; goal: {goal})");
}
