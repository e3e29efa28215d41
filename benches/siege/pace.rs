//! Players who ask at a fixed pace, far from what the server can do: what they wait is latency and not
//! their turn in a queue.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::support::client::Connection;
use super::support::load::{Script, Server, Tally};
use super::support::play::Recording;
use super::support::process::Process;

/// Moments at a fixed distance.
pub(crate) struct Pace {
    due: Instant,
    every: Duration,
}

impl Pace {
    /// The pace of one of several who together have this many moments a second, evenly spread.
    pub(crate) fn of_one(number: usize, several: usize, per_second: usize) -> Pace {
        let distance = Duration::from_secs(1) / per_second as u32;
        Pace { due: Instant::now() + distance * number as u32, every: distance * several as u32 }
    }

    /// Waits for the next moment and tells when it was; none if it is not before the end. Whoever
    /// comes late is told when the moment was, so that waiting for the answer before counts too.
    pub(crate) async fn next(&mut self, end: Instant) -> Option<Instant> {
        let due = self.due;
        if due >= end {
            return None;
        }
        self.due += self.every;
        if due <= Instant::now() {
            return Some(due);
        }
        tokio::time::sleep_until(due.into()).await;
        Some(Instant::now())
    }
}

/// A player who replays games on a connection of its own.
pub(crate) struct Player {
    connection: Connection,
    script: Script,
}

/// What players have seen.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) tally: Tally,
    pub(crate) refused: usize,
}

impl Seen {
    /// How many milliseconds this part of the requests, from 0 to 1, did not exceed.
    pub(crate) fn millis(&self, part: f64) -> f64 {
        self.tally.quantile(part).as_secs_f64() * 1e3
    }
}

/// Players, each with headers of its own.
pub(crate) async fn players(
    server: Server,
    process: &Process,
    games: &Arc<[Recording]>,
    headers: &[String],
) -> Vec<Player> {
    let mut players = Vec::new();
    for (number, headers) in headers.iter().enumerate() {
        let script = Script::new(server, games, number * games.len() / 100, headers);
        players.push(Player { connection: Connection::open(process.address()).await, script });
    }
    players
}

/// Lets players play, so many requests a second in all.
pub(crate) async fn play(players: &mut Vec<Player>, per_second: usize, length: Duration) -> Seen {
    let (end, several) = (Instant::now() + length, players.len());
    let start = |(number, mut player): (usize, Player)| {
        let mut pace = Pace::of_one(number, several, per_second);
        tokio::spawn(async move {
            let mut seen = Seen::default();
            while let Some(asked) = pace.next(end).await {
                player.ask(asked, &mut seen).await;
            }
            (player, seen)
        })
    };
    let tasks: Vec<_> = players.drain(..).enumerate().map(start).collect();
    let mut total = Seen::default();
    for task in tasks {
        let (player, seen) = task.await.expect("no player panics");
        players.push(player);
        total.tally.add(seen.tally);
        total.refused += seen.refused;
    }
    total
}

impl Player {
    async fn ask(&mut self, asked: Instant, seen: &mut Seen) {
        let answer = self.connection.exchange(self.script.request()).await;
        seen.tally.latencies.push(asked.elapsed());
        seen.tally.bytes += answer.body.len();
        if !self.script.goes_on(&answer) {
            seen.refused += 1;
        }
    }
}
