//! SIGTERM under load from clients that do not look at `/readyz`: what is lost, and how long it takes.
//!
//! `[--connections 64] [--ends 5]`

use std::io;
use std::net::SocketAddr;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::support::client::Connection;
use super::support::load::{Script, Server};
use super::support::play::Recording;
use super::support::process::{Pinning, Process, patience};
use super::support::{self, Spread};

/// How long the server is under load before it is told to end.
const BEFORE: Duration = Duration::from_millis(700);

const DRAIN_DELAYS: [&str; 2] = ["0s", "1s"];

/// What clients have seen.
#[derive(Default)]
struct Seen {
    answered: usize,
    /// How many answers were the last on their connection.
    last: usize,
    refused: usize,
    lost: Vec<Loss>,
}

/// A request that was sent on a connection and not answered.
struct Loss {
    error: io::Error,
    /// How long the connection had asked nothing when the request was sent: one that asks nothing for
    /// half a second is closed.
    idle: Duration,
    /// How long the answer was waited for.
    waited: Duration,
}

/// How a server has ended.
struct End {
    seen: Seen,
    took: Duration,
    status: ExitStatus,
}

/// Measures, and reports.
pub(crate) async fn run(pinning: &Pinning, games: &Arc<[Recording]>) {
    let (connections, ends) = (support::number("--connections", 64), support::number("--ends", 5));
    let mut by_delay = DRAIN_DELAYS.map(|delay| (delay, Vec::new()));
    for number in 1..=ends {
        for (delay, ends_of_it) in &mut by_delay {
            eprintln!("SIGTERM, {number} of {ends}: drain delay {delay}");
            let arguments = [format!("--drain-delay={delay}")];
            let server = Process::start("sigterm", patience(pinning, &arguments));
            ends_of_it.push(end_under_load(server, games, connections).await);
        }
    }
    println!("SIGTERM under load from {connections} connections");
    println!(
        "{:<12} {:>5} {:>10} {:>12} {:>8} {:>6}   {:<28} exit codes",
        "drain delay", "ends", "answered", "last of them", "refused", "lost", "ms to exit"
    );
    by_delay.iter().for_each(|(delay, ends)| report(delay, ends));
    println!();
}

async fn end_under_load(mut server: Process, games: &Arc<[Recording]>, connections: usize) -> End {
    let start = |number| {
        let script = Script::new(Server::Real, games, number * games.len() / connections, "");
        tokio::spawn(hammer(server.address(), script))
    };
    let tasks: Vec<_> = (0..connections).map(start).collect();
    tokio::time::sleep(BEFORE).await;
    let told = Instant::now();
    server.terminate();
    let status = loop {
        match server.ended() {
            Some(status) => break status,
            None => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    };
    let took = told.elapsed();
    let mut seen = Seen::default();
    for task in tasks {
        seen.add(task.await.expect("no client panics"));
    }
    End { seen, took, status }
}

/// Asks as fast as it is answered, until it is not let in any more.
async fn hammer(server: SocketAddr, mut script: Script) -> Seen {
    let mut seen = Seen::default();
    loop {
        let idle_since = Instant::now();
        let Ok(connection) = Connection::try_open(server).await else {
            return seen;
        };
        if let Err(loss) = ask_on(connection, idle_since, &mut script, &mut seen).await {
            seen.lost.push(loss);
        }
    }
}

/// Asks on a connection until it is told that there is no next answer.
async fn ask_on(
    mut connection: Connection,
    mut idle_since: Instant,
    script: &mut Script,
    seen: &mut Seen,
) -> Result<(), Loss> {
    loop {
        let asked = Instant::now();
        let lost = |error| Loss { error, idle: asked - idle_since, waited: asked.elapsed() };
        let answer = connection.try_exchange(script.request()).await.map_err(lost)?;
        idle_since = Instant::now();
        seen.answered += 1;
        let is_last = answer.header("connection") == Some("close");
        if !script.goes_on(&answer) {
            seen.refused += 1;
        }
        if is_last {
            seen.last += 1;
            return Ok(());
        }
    }
}

impl Seen {
    fn add(&mut self, other: Seen) {
        self.answered += other.answered;
        self.last += other.last;
        self.refused += other.refused;
        self.lost.extend(other.lost);
    }
}

fn report(delay: &str, ends: &[End]) {
    let sum = |count: fn(&Seen) -> usize| ends.iter().map(|end| count(&end.seen)).sum::<usize>();
    let took = Spread::of(ends.iter().map(|end| end.took.as_secs_f64() * 1e3)).to_string();
    let codes: Vec<_> =
        ends.iter().map(|end| end.status.code().map_or("killed".into(), |code| code.to_string())).collect();
    println!(
        "{:<12} {:>5} {:>10} {:>12} {:>8} {:>6}   {:<28} {}",
        delay,
        ends.len(),
        sum(|seen| seen.answered),
        sum(|seen| seen.last),
        sum(|seen| seen.refused),
        sum(|seen| seen.lost.len()),
        took,
        codes.join(" "),
    );
    for Loss { error, idle, waited } in ends.iter().flat_map(|end| &end.seen.lost) {
        println!("  lost: {error}, sent after {idle:.0?} of idleness, waited for {waited:.0?}");
    }
}
