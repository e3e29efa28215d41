//! What those who play pay for what is searched for meanwhile: moves over HTTP to a server that searches for nothing,
//! and to one that looks for deals that can be won, while others take them as fast as they come, and tells watchers
//! whether anything can still be done. They play in turns, and only one server is busy at a time.
//!
//! Requests are counted per second on the clock: what is searched for takes processor time, and is to take only what
//! nobody else wants. Where servers can have a core of their own, both have the same one and no more.
//!
//! `cargo bench --bench searches -- [--rounds 5] [--seconds 3] [--connections 64] [--watched 64]
//! [--program <another build of patience>]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use support::client::{Connection, ask_for_events};
use support::contest::{self, Contender, Round, Terms};
use support::load::Server;
use support::play::recorded;
use support::player::{Player, creation};
use support::process::{Pinning, patience};

/// How often a session that is watched changes: it is quiet for long enough to be worked out each time.
const CHANGES: Duration = Duration::from_millis(400);

/// How long somebody who has taken a deal, or was told that there is none, waits before he asks for another.
const TAKES: Duration = Duration::from_millis(10);

fn main() {
    support::start(compare);
}

fn compare() {
    let (pinning, games, terms) = (Pinning::start(), recorded(), Terms::asked_for());
    let calm = patience(&pinning, &["--winnable-deals".into(), "0".into()]);
    let mut calm = Contender::new("calm", Server::Real, calm);
    let mut searching = Contender::new("searching", Server::Real, patience(&pinning, &[]));
    let watched = support::number("--watched", 64);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let told = Arc::new(Told::default());
    runtime.block_on(async {
        for round in 1..=terms.rounds {
            eprintln!("round {round} of {}", terms.rounds);
            searching.process.is_idle().await;
            calm.rounds.push(contest::measure(&calm, &games, terms).await);
            let _crowd = gather(searching.process.address(), watched, &told).await;
            searching.rounds.push(contest::measure(&searching, &games, terms).await);
        }
    });
    let contenders = [calm, searching];
    contest::report(&contenders);
    let [calm, searching] = &contenders;
    contest::report_ratio_of(searching, calm, ("requests per second", Round::per_second), "0.9 or more");
    println!("{told}");
}

/// What a crowd was told in all rounds.
#[derive(Default)]
struct Told {
    /// How often it was told whether anything can still be done.
    outlooks: AtomicUsize,
    /// How many deals were there for it.
    deals: AtomicUsize,
    /// How often there was none yet.
    not_yet: AtomicUsize,
}

impl std::fmt::Display for Told {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [outlooks, deals, not_yet] =
            [&self.outlooks, &self.deals, &self.not_yet].map(|count| count.load(Ordering::Relaxed));
        write!(out, "meanwhile: {outlooks} outlooks told, {deals} winnable deals taken, {not_yet} times none was ready")
    }
}

/// Those whom a server searches for, until this is dropped.
async fn gather(address: SocketAddr, watched: usize, told: &Arc<Told>) -> JoinSet<()> {
    let mut crowd = JoinSet::new();
    for deal in 0..watched {
        let player = Player::sit_down(address, deal).await;
        crowd.spawn(watch(address, player.session().to_string(), told.clone()));
        crowd.spawn(change(player));
    }
    crowd.spawn(take_deals(address, told.clone()));
    crowd
}

/// Watches a session.
async fn watch(address: SocketAddr, session: String, told: Arc<Told>) {
    let stream = TcpStream::connect(address).await.expect("the server accepts connections");
    let mut lines = BufReader::new(ask_for_events(stream, &session).await).lines();
    while let Some(line) = lines.next_line().await.expect("the stream goes on") {
        told.outlooks.fetch_add(usize::from(line == "event: outlook"), Ordering::Relaxed);
    }
}

/// Changes a session again and again.
async fn change(mut player: Player) {
    loop {
        player.change().await;
        tokio::time::sleep(CHANGES).await;
    }
}

/// Takes deals that can be won as fast as they come.
async fn take_deals(address: SocketAddr, told: Arc<Told>) {
    let mut connection = Connection::open(address).await;
    let request = creation(r#"{"game":"napoleons-square","winnable":true}"#);
    loop {
        let answer = connection.exchange(&request).await;
        let count = match answer.status {
            201 => &told.deals,
            503 => &told.not_yet,
            status => panic!("{status} {}", String::from_utf8_lossy(answer.body)),
        };
        count.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(TAKES).await;
    }
}
