//! Bad connections beside normal load: 2,000 of them, a third that send a byte a second of a head that
//! never ends, a third that do so with a body, a third that say nothing.
//!
//! `[--bad 2000] [--players 32] [--per-second 2000] [--rounds 7] [--seconds 2] [--head-timeout 5s]
//! [--body-timeout 2s]`. The time-outs are shorter than by default, 65s and 10s, so that some 600 bad
//! connections a second end and come again, where it would be 90. `bare` is axum without any layer or time-out, under
//! the same load: what its players lose, they lose to the machine and to the load. A 99th percentile is soon lost to a
//! machine that does other things; rounds are many and short, so that the one in the middle says
//! something.

use std::sync::Arc;
use std::time::Duration;

use super::bad::{Fate, Kind, Siege, TimeOuts};
use super::pace::{Player, Seen, play, players};
use super::support::load::Server;
use super::support::play::Recording;
use super::support::process::{Pinning, Process, patience};
use super::support::{self, stand_in};

/// How many bytes an answer of `bare` has: about as many as most of Patience have.
const ANSWER: usize = 2_500;

/// For how long connections are used before anything is measured.
const WARM_UP: Duration = Duration::from_millis(500);

/// What is done in each round.
struct Plan {
    bad: usize,
    players: usize,
    per_second: usize,
    length: Duration,
    time_outs: TimeOuts,
}

/// A server and what its players have seen, in pairs of rounds.
struct Contender {
    name: &'static str,
    server: Server,
    process: Process,
    quiet: Vec<Seen>,
    besieged: Vec<Seen>,
    fates: Vec<[Fate; 3]>,
}

/// Measures, and reports.
pub(crate) async fn run(pinning: &Pinning, games: &Arc<[Recording]>) {
    let time_out = |flag, usual: &str| {
        let text = support::argument(flag).unwrap_or(usual.into());
        humantime::parse_duration(&text).unwrap_or_else(|_| panic!("{flag} takes a duration, not {text:?}"))
    };
    let plan = Plan {
        bad: support::number("--bad", 2_000),
        players: support::number("--players", 32),
        per_second: support::number("--per-second", 2_000),
        length: Duration::from_secs(support::number("--seconds", 2) as u64),
        time_outs: TimeOuts { head: time_out("--head-timeout", "5s"), body: time_out("--body-timeout", "2s") },
    };
    let TimeOuts { head, body } = plan.time_outs;
    let time_outs = [("head", head), ("body", body)];
    let time_outs = time_outs.map(|(name, length)| format!("--{name}-timeout={}ms", length.as_millis()));
    let commands = [
        ("patience", Server::Real, patience(pinning, &time_outs)),
        ("bare", Server::StandIn, stand_in::command(pinning, "bare", ANSWER)),
    ];
    let mut contenders = commands.map(|(name, server, command)| {
        let process = Process::start(name, command);
        Contender { name, server, process, quiet: Vec::new(), besieged: Vec::new(), fates: Vec::new() }
    });
    let rounds = support::number("--rounds", 7);
    for round in 1..=rounds {
        for contender in &mut contenders {
            eprintln!("bad connections, round {round} of {rounds}: {}", contender.name);
            contender.measure(&plan, games).await;
        }
    }
    report(&contenders, &plan);
}

impl Contender {
    async fn measure(&mut self, plan: &Plan, games: &Arc<[Recording]>) {
        self.process.forget_log();
        let headers = vec![String::new(); plan.players];
        let mut players = players(self.server, &self.process, games, &headers).await;
        self.quiet.push(self.round(&mut players, plan).await);
        let siege = Siege::lay(self.process.address(), plan.bad, plan.time_outs).await;
        self.besieged.push(self.round(&mut players, plan).await);
        self.fates.push(siege.fates());
        siege.lift().await;
    }

    async fn round(&self, players: &mut Vec<Player>, plan: &Plan) -> Seen {
        play(players, plan.per_second, WARM_UP).await;
        play(players, plan.per_second, plan.length).await
    }

    fn ratios(&self) -> Vec<f64> {
        let pairs = self.quiet.iter().zip(&self.besieged);
        pairs.map(|(quiet, besieged)| besieged.millis(0.99) / quiet.millis(0.99)).collect()
    }
}

fn report(contenders: &[Contender], plan: &Plan) {
    let Plan { bad, players, per_second, .. } = plan;
    println!("{bad} bad connections beside {players} players, {per_second} requests/s in all");
    println!(
        "{:<10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9}",
        "server", "p50 quiet", "besieged", "p99 quiet", "besieged", "asked", "refused"
    );
    for contender in contenders {
        let Contender { quiet, besieged, .. } = contender;
        let of_rounds = |rounds: &[Seen], part| support::median(rounds.iter().map(|seen| seen.millis(part)));
        let all = || quiet.iter().chain(besieged);
        println!(
            "{:<10} {:>7.2} ms {:>7.2} ms {:>7.2} ms {:>7.2} ms {:>9} {:>9}",
            contender.name,
            of_rounds(quiet, 0.5),
            of_rounds(besieged, 0.5),
            of_rounds(quiet, 0.99),
            of_rounds(besieged, 0.99),
            all().map(|seen| seen.tally.requests()).sum::<usize>(),
            all().map(|seen| seen.refused).sum::<usize>(),
        );
    }
    println!();
    for (contender, goal) in contenders.iter().zip(["2 or less", "none, for information"]) {
        let ratios = support::Spread::of(contender.ratios());
        println!("{:<10} p99 besieged is {ratios} of that when quiet; goal: {goal}", contender.name);
    }
    println!();
    report_fates(&contenders[0]);
}

fn report_fates(contender: &Contender) {
    println!(
        "{:<14} {:>14} {:>10} {:>10} {:>10}   (all rounds of {})",
        "bad ones", "held, at least", "answered", "closed", "refused", contender.name
    );
    for (place, kind) in Kind::ALL.iter().enumerate() {
        let fates = || contender.fates.iter().map(|fates| fates[place]);
        println!(
            "{:<14} {:>14} {:>10} {:>10} {:>10}",
            kind.name(),
            fates().map(|fate| fate.held).min().unwrap_or_default(),
            fates().map(|fate| fate.answered).sum::<usize>(),
            fates().map(|fate| fate.closed).sum::<usize>(),
            fates().map(|fate| fate.refused).sum::<usize>(),
        );
    }
    println!();
}
