//! A busy session, alone and beside a stream that nobody reads.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::net::{TcpSocket, TcpStream};

use crate::support;
use crate::support::client::{Connection, ask_for_events};
use crate::support::process::{Pinning, Process};

use super::contender::start_patience;
use super::crowd::quantile;
use super::watchers::{self, Gallery};
use crate::support::player::{Player, Turn};

/// How many watchers read.
const READERS: usize = 8;

/// How much the kernel takes for the one who does not read; it doubles that.
const LITTLE: u32 = 4_096;

/// How long the server works before its memory is looked at.
const WARM_UP: Duration = Duration::from_secs(5);

/// How often it is looked at then.
const LOOK: Duration = Duration::from_secs(1);

/// What was seen in a while.
struct Spell {
    name: &'static str,
    changes: usize,
    events: usize,
    skipped: usize,
    seconds: f64,
    /// How long it took from the answer to each watcher, in order.
    latencies: Vec<Duration>,
    memory: Vec<usize>,
    /// How long the stream that nobody reads was there.
    cut_off: Option<Duration>,
}

/// Lets a session be busy with nobody stalled, and with somebody, each on a server of its own.
pub(crate) async fn run(pinning: &Pinning) {
    let length = Duration::from_secs(support::number("--stalled-seconds", 60) as u64);
    let rate = support::number("--changes", 1_000);
    let mut spells = Vec::new();
    for (name, is_stalled) in [("alone", false), ("stalled", true)] {
        eprintln!("{rate} changes a second for {} s: {name}", (WARM_UP + length).as_secs());
        let server = start_patience(pinning);
        let player = Player::sit_down(server.address(), 0).await;
        let stalled = match is_stalled {
            true => Some(open_and_never_read(server.address(), player.session()).await),
            false => None,
        };
        let spell = spend(name, &server, player, rate, WARM_UP + length).await;
        drop(stalled);
        spells.push(spell);
    }
    report(&spells);
}

async fn open_and_never_read(address: SocketAddr, session: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(LITTLE).expect("a socket has this option");
    ask_for_events(socket.connect(address).await.expect("the server accepts connections"), session).await
}

async fn spend(name: &'static str, server: &Process, mut player: Player, rate: usize, length: Duration) -> Spell {
    let session = player.session().to_string();
    let gallery = Gallery::new();
    let readers = std::iter::repeat_n((0, session.as_str()), READERS);
    let _watchers = watchers::open(server.address(), &gallery, readers).await;
    gallery.keep_sightings();
    let began = Instant::now();
    let playing = play(&mut player, rate, length);
    let (turns, (memory, cut_off)) = tokio::join!(playing, look_on(server, &session, length));
    let seconds = began.elapsed().as_secs_f64();
    gallery.has_seen((turns.len() + 1) * READERS).await;
    let mut latencies: Vec<Duration> = gallery
        .sightings()
        .iter()
        .filter_map(|seen| Some(seen.at.saturating_duration_since(turns.get(&seen.version)?.answered)))
        .collect();
    latencies.sort_unstable();
    let (events, skipped, changes) = (gallery.events(), gallery.versions() - gallery.events(), turns.len());
    Spell { name, changes, events, skipped, seconds, latencies, memory, cut_off }
}

/// Makes so many changes a second, or as many as it can; gives them by their version.
async fn play(player: &mut Player, rate: usize, length: Duration) -> HashMap<usize, Turn> {
    let mut turns = HashMap::new();
    let began = tokio::time::Instant::now();
    while began.elapsed() < length {
        let due = began + Duration::from_secs_f64(turns.len() as f64 / rate as f64);
        if due > tokio::time::Instant::now() {
            tokio::time::sleep_until(due).await;
        }
        let turn = player.change().await;
        turns.insert(turn.version, turn);
    }
    turns
}

/// Looks at the server's memory, and at how many watch: after how long there were only those who read.
async fn look_on(server: &Process, session: &str, length: Duration) -> (Vec<usize>, Option<Duration>) {
    let mut connection = Connection::open(server.address()).await;
    let request = format!("GET /v1/sessions/{session}/presence HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let (began, mut memory, mut cut_off) = (Instant::now(), Vec::new(), None);
    let mut times = tokio::time::interval(LOOK);
    while began.elapsed() < length {
        times.tick().await;
        let answer = connection.exchange(request.as_bytes()).await;
        let presence: serde_json::Value = serde_json::from_slice(answer.body).expect("presence is JSON");
        let watchers = presence["watchers"].as_u64().expect("there is a number of watchers") as usize;
        if watchers == READERS {
            cut_off.get_or_insert(began.elapsed());
        }
        if began.elapsed() >= WARM_UP {
            memory.push(server.resident_bytes());
        }
    }
    (memory, cut_off)
}

fn report(spells: &[Spell]) {
    println!(
        "\n{:<10} {:>9} {:>10} {:>9} {:>8} {:>8} {:>11} {:>9} {:>9} {:>13}",
        "stalled", "changes", "events/s", "skipped", "p50 ms", "p99 ms", "first MiB", "last", "most", "bytes/change"
    );
    for spell in spells {
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        let (first, last) = (spell.memory.first().copied().unwrap_or(0), spell.memory.last().copied().unwrap_or(0));
        let most = spell.memory.iter().copied().max().unwrap_or(0);
        println!(
            "{:<10} {:>9} {:>10.0} {:>9} {:>8.2} {:>8.2} {:>11.1} {:>9.1} {:>9.1} {:>13.0}",
            spell.name,
            spell.changes,
            spell.events as f64 / spell.seconds,
            spell.skipped,
            quantile(&spell.latencies, 0.5),
            quantile(&spell.latencies, 0.99),
            mib(first),
            mib(last),
            mib(most),
            spell.bytes_per_change(first, last),
        );
    }
    match spells.last().and_then(|spell| spell.cut_off) {
        Some(after) => println!("the stalled stream was cut off after {:.0} s", after.as_secs_f64()),
        None => println!("the stalled stream was not cut off"),
    }
}

impl Spell {
    /// How much the server has grown for each change since the warm-up: the history grows too.
    fn bytes_per_change(&self, first: usize, last: usize) -> f64 {
        let share = 1.0 - WARM_UP.as_secs_f64() / self.seconds;
        (last as f64 - first as f64) / (self.changes as f64 * share)
    }
}
