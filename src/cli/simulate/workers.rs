//! Threads that share the deals of a simulation between them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use indicatif::ProgressBar;

use super::deals::Deals;
use super::players::{Player, Policy};
use super::tally::Tally;

/// How many deals a thread takes at once where each takes some microseconds.
const BATCH: u64 = 256;

/// A deal that could not be played.
struct Failure {
    index: u64,
    why: String,
}

/// Plays all deals on so many threads, and adds up what comes of them.
///
/// # Errors
/// The first deal that could not be played, however many threads there are: a sentence that says why.
pub(super) fn play(jobs: u16, deals: &Deals, player: &Player, progress: &ProgressBar) -> Result<Tally, String> {
    let next = AtomicU64::new(0);
    let tallies = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, || work(deals, player, &next, progress));
        let threads: Vec<_> = (0..jobs).map(start).collect();
        let ended = threads.into_iter().map(|thread| match thread.map(|thread| thread.join()) {
            Ok(Ok(worked)) => worked,
            Ok(Err(_)) => Err(Failure { index: 0, why: "a thread has panicked".into() }),
            Err(error) => Err(Failure { index: 0, why: format!("a thread cannot be started: {error}") }),
        });
        ended.collect::<Vec<_>>()
    });
    let mut whole = Tally::default();
    let mut failures = Vec::new();
    for worked in tallies {
        worked.map(|tally| whole.merge(tally)).unwrap_or_else(|failure| failures.push(failure));
    }
    match failures.into_iter().min_by_key(|failure| failure.index) {
        Some(failure) => Err(failure.why),
        None => Ok(whole),
    }
}

/// Plays deals until none are left to begin with. Deals are begun in their order, so when one fails, those before
/// it have been begun too, and the first that fails is found.
fn work(deals: &Deals, player: &Player, next: &AtomicU64, progress: &ProgressBar) -> Result<Tally, Failure> {
    let batch = if player.policy == Policy::Forced { BATCH } else { 1 };
    let packs = player.engine.rules().packs;
    let mut tally = Tally::default();
    loop {
        let first = next.fetch_add(batch, Ordering::Relaxed);
        let last = deals.count().min(first.saturating_add(batch));
        if first >= last {
            return Ok(tally);
        }
        for index in first..last {
            let played = deals.source(index).and_then(|source| player.play(&source.deck(packs)));
            let played = played.map_err(|why| {
                next.store(deals.count(), Ordering::Relaxed);
                Failure { index, why: format!("deal {}: {why}", deals.name(index)) }
            })?;
            tally.add(&played);
        }
        progress.inc(last - first);
    }
}
