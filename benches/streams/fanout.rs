//! Many watchers of one session, which changes as fast as all of them can see it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::support::process::{Pinning, Process};
use crate::support::{self, Spread, load};

use super::contender::{ALL, Contender, Sizes};
use super::watchers::{self, Gallery};
use crate::support::player::Player;

/// How long a round is.
const ROUND: Duration = Duration::from_secs(4);

/// How long the servers have to tell of who has come to watch.
const REST: Duration = Duration::from_secs(3);

/// A server, its one session and those who watch.
struct Show {
    contender: Contender,
    process: Process,
    player: Player,
    gallery: Arc<Gallery>,
    watchers: JoinSet<()>,
    /// Events for each second of processor time, round by round, and on the clock.
    per_cpu_second: Vec<f64>,
    per_second: Vec<f64>,
}

impl Show {
    async fn open(contender: Contender, pinning: &Pinning, sizes: Sizes, watchers: usize) -> Show {
        let process = contender.start(pinning, sizes);
        let player = Player::sit_down(process.address(), 0).await;
        let gallery = Gallery::new();
        let sessions = std::iter::repeat_n((0, player.session()), watchers);
        let watchers = watchers::open(process.address(), &gallery, sessions).await;
        let (per_cpu_second, per_second) = (Vec::new(), Vec::new());
        Show { contender, process, player, gallery, watchers, per_cpu_second, per_second }
    }

    async fn play_round(&mut self) {
        let (began, cpu_before, events_before) = (Instant::now(), self.process.cpu_seconds(), self.gallery.events());
        while began.elapsed() < ROUND {
            let due = self.gallery.versions() + self.watchers.len();
            self.player.change().await;
            self.gallery.has_seen(due).await;
        }
        let events = (self.gallery.events() - events_before) as f64;
        self.per_cpu_second.push(events / (self.process.cpu_seconds() - cpu_before));
        self.per_second.push(events / began.elapsed().as_secs_f64());
    }
}

/// Lets the servers send to so many watchers, in turns.
pub(crate) async fn run(pinning: &Pinning, sizes: Sizes, watchers: usize) {
    let mut shows = Vec::new();
    for contender in ALL {
        eprintln!("{watchers} watchers of one session: {}", contender.name());
        shows.push(Show::open(contender, pinning, sizes, watchers).await);
    }
    tokio::time::sleep(REST).await;
    let rounds = support::number("--rounds", 5);
    for round in 1..=rounds {
        for show in &mut shows {
            eprintln!("round {round} of {rounds}: {}", show.contender.name());
            load::awake(show.play_round()).await;
        }
    }
    report(&shows, watchers);
}

fn report(shows: &[Show], watchers: usize) {
    println!("\n{:<10} {:>22} {:>12}   {watchers} watchers of one session", "fanout", "events/CPU second", "events/s");
    for show in shows {
        println!(
            "{:<10} {:>22.0} {:>12.0}",
            show.contender.name(),
            support::median(show.per_cpu_second.iter().copied()),
            support::median(show.per_second.iter().copied()),
        );
    }
    let Some((patience, bare)) = shows.split_first() else { return };
    for bare in bare {
        let pairs = patience.per_cpu_second.iter().zip(&bare.per_cpu_second);
        let ratios = Spread::of(pairs.map(|(patience, bare)| patience / bare));
        let name = bare.contender.name();
        println!("patience/{name:<10} {ratios} of the events per CPU second (goal: 0.7 or more)");
    }
}
