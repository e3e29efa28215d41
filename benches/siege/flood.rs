//! A flood of new sessions from one address beside players at others, against the rate limits that are
//! there by default: at twice the limit, and far beyond it.
//!
//! `[--flood-rounds 4] [--flood-seconds 4] [--far-beyond 500]`. Addresses are told by `X-Forwarded-For`,
//! as by a proxy that the server trusts.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pace::{Pace, Player, Seen, play, players};
use super::support::client::{Answer, Connection};
use super::support::load::Server;
use super::support::play::Recording;
use super::support::process::{Pinning, Process, patience_for_people};
use super::support::{self, Spread};

/// How many sessions one address may make in a second, by default, and how many at once.
const LIMIT: usize = 5;
const BURST: usize = 10 * LIMIT;

/// How many play, each at an address of its own, and how fast: faster than people do.
const PLAYERS: usize = 20;
const MOVES_PER_SECOND: usize = 10;

/// How many connections the flood comes on.
const CONNECTIONS: usize = 16;

/// What the flood was told.
#[derive(Clone, Copy, Default)]
struct Told {
    made: usize,
    limited: usize,
    other: usize,
    /// How many were limited without a `Retry-After` or a problem document that says so.
    unmannered: usize,
}

/// A flood of one strength, and what was seen beside it.
struct Flood {
    name: String,
    per_second: usize,
    address: &'static str,
    seen: Vec<Seen>,
    told: Told,
}

/// Measures, and reports.
pub(crate) async fn run(pinning: &Pinning, games: &Arc<[Recording]>) {
    let server = Process::start("flood", patience_for_people(pinning, &["--trusted-proxies=1".into()]));
    let headers: Vec<String> = (1..=PLAYERS).map(|number| forwarded_for(&format!("203.0.113.{number}"))).collect();
    let mut players = players(Server::Real, &server, games, &headers).await;
    let rates = [("quiet", 0), ("twice the limit", 2 * LIMIT), ("far beyond", support::number("--far-beyond", 500))];
    let addresses = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
    let mut floods: Vec<Flood> = rates.into_iter().zip(addresses).map(Flood::new).collect();

    let length = Duration::from_secs(support::number("--flood-seconds", 4) as u64);
    let rounds = support::number("--flood-rounds", 4);
    for round in 1..=rounds {
        for flood in &mut floods {
            eprintln!("flood, round {round} of {rounds}: {}", flood.name);
            flood.measure(&server, &mut players, length).await;
        }
    }
    report(&floods);
}

fn forwarded_for(address: &str) -> String {
    format!("x-forwarded-for: {address}\r\n")
}

impl Flood {
    fn new(((name, per_second), address): ((&str, usize), &'static str)) -> Flood {
        let name = if per_second == 0 { name.into() } else { format!("{name}, {per_second}/s") };
        Flood { name, per_second, address, seen: Vec::new(), told: Told::default() }
    }

    async fn measure(&mut self, server: &Process, players: &mut Vec<Player>, length: Duration) {
        let request = creation(self.address);
        if self.per_second > 0 {
            use_up_burst(server.address(), &request).await;
        }
        let end = Instant::now() + length;
        let paces = (0..CONNECTIONS).filter(|_| self.per_second > 0);
        let paces = paces.map(|number| Pace::of_one(number, CONNECTIONS, self.per_second));
        let tasks: Vec<_> =
            paces.map(|pace| tokio::spawn(flood(server.address(), request.clone(), pace, end))).collect();
        self.seen.push(play(players, PLAYERS * MOVES_PER_SECOND, length).await);
        for task in tasks {
            self.told.add(task.await.expect("the flood does not panic"));
        }
    }
}

fn creation(address: &str) -> Vec<u8> {
    let body = r#"{"game":"napoleons-square"}"#;
    let length = body.len();
    let headers = format!(
        "host: localhost\r\n{}content-type: application/json\r\ncontent-length: {length}\r\n",
        forwarded_for(address)
    );
    format!("POST /v1/sessions HTTP/1.1\r\n{headers}\r\n{body}").into()
}

/// Makes as many sessions as are let through at once: what comes then is limited.
async fn use_up_burst(server: SocketAddr, request: &[u8]) {
    let mut connection = Connection::open(server).await;
    for _ in 0..2 * BURST {
        if connection.exchange(request).await.status == 429 {
            return;
        }
    }
    panic!("the server limits nothing");
}

async fn flood(server: SocketAddr, request: Vec<u8>, mut pace: Pace, end: Instant) -> Told {
    let mut connection = Connection::open(server).await;
    let mut told = Told::default();
    while pace.next(end).await.is_some() {
        told.count(&connection.exchange(&request).await);
    }
    told
}

impl Told {
    fn count(&mut self, answer: &Answer<'_>) {
        match answer.status {
            201 => self.made += 1,
            429 => {
                self.limited += 1;
                self.unmannered += usize::from(!is_mannered(answer));
            }
            _ => self.other += 1,
        }
    }

    fn add(&mut self, other: Told) {
        self.made += other.made;
        self.limited += other.limited;
        self.other += other.other;
        self.unmannered += other.unmannered;
    }
}

/// Whether a refusal says when to come again, and why in a problem document.
fn is_mannered(answer: &Answer<'_>) -> bool {
    let retry_after = answer.header("retry-after").and_then(|seconds| seconds.parse::<u32>().ok());
    let is_problem = answer.header("content-type") == Some("application/problem+json");
    let problem: serde_json::Value = serde_json::from_slice(answer.body).unwrap_or_default();
    retry_after.is_some_and(|seconds| seconds > 0)
        && is_problem
        && problem["code"] == "rate_limited"
        && problem["status"] == 429
        && problem["retry_after"].as_u64() == retry_after.map(u64::from)
}

fn report(floods: &[Flood]) {
    println!("a flood from one address beside {PLAYERS} players, {MOVES_PER_SECOND} moves/s each");
    println!(
        "{:<22} {:>10} {:>10} {:>8} {:>8}   {:>10} {:>6} {:>6} {:>16}",
        "flood", "p50", "p99", "asked", "refused", "flood: 201", "429", "other", "429 without why"
    );
    for flood in floods {
        let of_rounds = |part| support::median(flood.seen.iter().map(|seen| seen.millis(part)));
        println!(
            "{:<22} {:>7.2} ms {:>7.2} ms {:>8} {:>8}   {:>10} {:>6} {:>6} {:>16}",
            flood.name,
            of_rounds(0.5),
            of_rounds(0.99),
            flood.seen.iter().map(|seen| seen.tally.requests()).sum::<usize>(),
            flood.seen.iter().map(|seen| seen.refused).sum::<usize>(),
            flood.told.made,
            flood.told.limited,
            flood.told.other,
            flood.told.unmannered,
        );
    }
    println!();
    let [quiet, floods @ ..] = floods else { unreachable!("the first is none") };
    for flood in floods {
        let pairs = quiet.seen.iter().zip(&flood.seen);
        let ratios = Spread::of(pairs.map(|(quiet, flood)| flood.millis(0.99) / quiet.millis(0.99)));
        println!("{:<22} the players' p99 is {ratios} of that when quiet", flood.name);
    }
    println!();
}
