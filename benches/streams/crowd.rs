//! Many streams over many sessions, of which some change.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::support::client::Connection;
use crate::support::process::Pinning;

use super::contender::{ALL, Contender, Sizes};
use super::watchers::{self, Gallery, Sighting};
use crate::support::player::{Player, Turn, make_session};

const SESSIONS: usize = 1_000;

/// One session of so many changes.
const CHANGING: usize = 10;

/// How often it does.
const PACE: Duration = Duration::from_secs(1);

/// How long a server has to come to rest.
const REST: Duration = Duration::from_secs(3);

/// What one server had to do, and did.
pub(crate) struct Crowd {
    contender: Contender,
    streams: usize,
    /// The memory of the server before the streams were opened, while nothing had happened on them yet,
    /// and in the end.
    before: usize,
    opened: usize,
    after: usize,
    /// How long it took from when a change was asked for, and was answered, to each of its watchers.
    since_asked: Vec<Duration>,
    since_answered: Vec<Duration>,
}

/// Opens so many streams on each server in turn, and lets sessions change.
pub(crate) async fn gather(pinning: &Pinning, sizes: Sizes, streams: usize) -> Vec<Crowd> {
    let mut crowds = Vec::new();
    for contender in ALL {
        eprintln!("{streams} streams: {}", contender.name());
        crowds.push(gather_at(contender, pinning, sizes, streams).await);
    }
    crowds
}

async fn gather_at(contender: Contender, pinning: &Pinning, sizes: Sizes, streams: usize) -> Crowd {
    let process = contender.start(pinning, sizes);
    let (players, ids) = make_sessions(process.address()).await;
    tokio::time::sleep(REST).await;
    let before = process.resident_bytes();
    let gallery = Gallery::new();
    let sessions = ids.iter().map(String::as_str).enumerate().cycle().take(streams);
    let _watchers = watchers::open(process.address(), &gallery, sessions).await;
    tokio::time::sleep(REST).await;
    let opened = process.resident_bytes();

    gallery.keep_sightings();
    let turns = play(players, Duration::from_secs(crate::support::number("--seconds", 20) as u64)).await;
    let told = |session: usize| streams / SESSIONS + usize::from(session < streams % SESSIONS);
    gallery.has_seen(streams + turns.keys().map(|(session, _)| told(*session)).sum::<usize>()).await;
    let after = process.resident_bytes();
    let (since_asked, since_answered) = latencies(&turns, &gallery.sightings());
    Crowd { contender, streams, before, opened, after, since_asked, since_answered }
}

/// Players of the sessions that change, by their number, and the ids of all.
async fn make_sessions(address: SocketAddr) -> (Vec<(usize, Player)>, Vec<String>) {
    let mut connection = Connection::open(address).await;
    let (mut players, mut ids) = (Vec::new(), Vec::new());
    for session in 0..SESSIONS {
        if session % CHANGING == 0 {
            let player = Player::sit_down(address, session).await;
            ids.push(player.session().to_string());
            players.push((session, player));
        } else {
            ids.push(make_session(&mut connection, session).await.0);
        }
    }
    (players, ids)
}

/// The turns by their session and the version that they have led to.
type Turns = HashMap<(usize, usize), Turn>;

async fn play(players: Vec<(usize, Player)>, length: Duration) -> Turns {
    let (begin, count) = (tokio::time::Instant::now(), players.len() as u32);
    let mut tasks = JoinSet::new();
    for (number, (session, mut player)) in players.into_iter().enumerate() {
        tasks.spawn(async move {
            let mut turns = Vec::new();
            // One after the other, and not all at once.
            let mut times = tokio::time::interval_at(begin + PACE * number as u32 / count, PACE);
            while begin.elapsed() < length {
                times.tick().await;
                let turn = player.change().await;
                turns.push(((session, turn.version), turn));
            }
            turns
        });
    }
    tasks.join_all().await.into_iter().flatten().collect()
}

fn latencies(turns: &Turns, sightings: &[Sighting]) -> (Vec<Duration>, Vec<Duration>) {
    let since = |begin: fn(&Turn) -> Instant| {
        let mut latencies: Vec<Duration> = sightings
            .iter()
            .filter_map(|seen| {
                turns.get(&(seen.session, seen.version)).map(|turn| seen.at.saturating_duration_since(begin(turn)))
            })
            .collect();
        latencies.sort_unstable();
        latencies
    };
    (since(|turn| turn.asked), since(|turn| turn.answered))
}

impl Crowd {
    /// Bytes that the server has at hand for each stream.
    fn per_stream(&self, resident: usize) -> f64 {
        resident.saturating_sub(self.before) as f64 / self.streams as f64
    }
}

pub(crate) fn report_memory(crowds: &[Crowd]) {
    println!(
        "\n{:<10} {:>16} {:>24} {:>24}",
        "memory", "before, MiB", "bytes/stream, opened", "bytes/stream, at the end"
    );
    for crowd in crowds {
        println!(
            "{:<10} {:>16.1} {:>24.0} {:>24.0}",
            crowd.contender.name(),
            crowd.before as f64 / f64::from(1 << 20),
            crowd.per_stream(crowd.opened),
            crowd.per_stream(crowd.after),
        );
    }
    let Some((patience, bare)) = crowds.split_first() else { return };
    for bare in bare {
        println!(
            "patience/{:<10} {:.2} of the memory when opened, {:.2} at the end (goal: 1.5 or less)",
            bare.contender.name(),
            patience.per_stream(patience.opened) / bare.per_stream(bare.opened),
            patience.per_stream(patience.after) / bare.per_stream(bare.after),
        );
    }
}

pub(crate) fn report_latency(crowds: &[Crowd]) {
    println!(
        "\n{:<10} {:>8} {:>14} {:>14} {:>17} {:>17}   milliseconds to the watcher",
        "latency", "events", "asked: p50", "p99", "answered: p50", "p99"
    );
    for crowd in crowds {
        println!(
            "{:<10} {:>8} {:>14.2} {:>14.2} {:>17.2} {:>17.2}",
            crowd.contender.name(),
            crowd.since_asked.len(),
            quantile(&crowd.since_asked, 0.5),
            quantile(&crowd.since_asked, 0.99),
            quantile(&crowd.since_answered, 0.5),
            quantile(&crowd.since_answered, 0.99),
        );
    }
}

/// The milliseconds that this part of them, from 0 to 1, did not exceed; they are in order.
pub(crate) fn quantile(latencies: &[Duration], part: f64) -> f64 {
    let place = (latencies.len().saturating_sub(1) as f64 * part) as usize;
    latencies.get(place).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1e3)
}
