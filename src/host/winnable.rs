//! Deals that can be won, for those who ask for one: the solver's threads try seeds ahead of time, after all that
//! somebody waits for, and the winners go to the [`pool`](super::pool).
//!
//! Each node has a pool of its own, which ends with the process. What is in it is known to nobody else and told to
//! nobody before it is dealt.

use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::cards::Seed;
use crate::games::{CATALOGUE, Variant};
use crate::rules::{Engine, Known, Move, Outcome, Table};
use crate::session::race::{NewRace, NewRaceDeal, Race};
use crate::session::{IdempotencyKey, NewDeal, NewSession, Opening, RaceId, Session};
use crate::solver::{Budget, Verdict, solve};

use super::means::Means;
use super::pool::{Effort, Found, Pool, Taken};
use super::searches::Search;
use super::{Host, HostError, Limits, measures};

/// How long somebody who asks for a deal waits for one.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How many may wait; who comes then is told at once that there is none yet.
const MOST_WAITING: usize = 256;

/// How many deals one search tries at most.
const DEALS_A_SEARCH: u64 = 1_000;

/// The pool, and those who wait for a deal from it.
pub(super) struct Winnable {
    pool: Mutex<Pool>,
    /// A search has ended.
    news: Notify,
    places: Semaphore,
}

impl Winnable {
    pub(super) fn new(limits: &Limits) -> Winnable {
        Winnable {
            // Half of the threads are left to others; where there is none, nothing is searched for.
            pool: Mutex::new(Pool::new(limits.winnable_deals, limits.solver_threads.div_ceil(2))),
            news: Notify::new(),
            places: Semaphore::new(MOST_WAITING),
        }
    }
}

impl Host {
    /// Prepares deals that can be won, of every game as it is when nothing is said, from now on.
    pub fn prepare_deals(&self) {
        let standard = CATALOGUE.into_iter().map(Variant::standard);
        standard.for_each(|variant| self.means.winnable.pool.lock().prepare(variant));
        self.means.search_for_deals();
    }

    /// How many deals of a game are ready that can be won, in all its variants.
    pub fn deals_ready(&self, game: &str) -> usize {
        self.means.winnable.pool.lock().ready(game)
    }

    /// Makes a session whose deal can be won: the server chooses it, whatever is said there. Under a key it is made
    /// once, and who repeats the request uses up no other deal.
    ///
    /// # Errors
    /// As [`Host::create`]; if there is no such deal, or none yet.
    pub async fn create_winnable(
        &self,
        new: NewSession,
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<Session>, Opening), HostError> {
        if let Some(made) = self.made_before(&self.sessions, key.as_ref()).await? {
            return Ok(made);
        }
        let seed = self.winnable(Variant { game: new.game, options: new.options.clone() }).await?;
        self.create(NewSession { deal: NewDeal::Winnable(seed), ..new }, key).await
    }

    /// Makes a race whose deal can be won, in the same way.
    ///
    /// # Errors
    /// As [`Host::create_race`]; if there is no such deal, or none yet.
    pub async fn create_winnable_race(
        &self,
        new: NewRace,
        key: Option<IdempotencyKey>,
    ) -> Result<(Arc<Race>, Opening<RaceId>), HostError> {
        if let Some(made) = self.made_before(&self.races, key.as_ref()).await? {
            return Ok(made);
        }
        let seed = self.winnable(Variant { game: new.game, options: new.options.clone() }).await?;
        self.create_race(NewRace { deal: NewRaceDeal::Winnable(seed), ..new }, key).await
    }

    /// Takes a deal from the pool, or waits a little for one.
    async fn winnable(&self, variant: Variant) -> Result<Seed, HostError> {
        let Winnable { pool, news, places } = &self.means.winnable;
        let until = Instant::now() + LONGEST_WAIT;
        let mut place = None;
        loop {
            let search_ends = news.notified();
            let taken = pool.lock().take(&variant, self.means.clock.uptime());
            self.means.search_for_deals();
            match taken {
                Taken::Seed(seed) => return Ok(seed),
                Taken::GivenUp => return Err(HostError::NoWinnableDeal),
                Taken::NotYet => {}
            }
            if place.is_none() {
                place = Some(places.try_acquire().map_err(|_| HostError::NoDealReady)?);
            }
            timeout_at(until, search_ends).await.map_err(|_| HostError::NoDealReady)?;
        }
    }
}

impl Means {
    /// Has deals searched for until all are ready that are to be.
    fn search_for_deals(self: &Arc<Means>) {
        while let Some(variant) = self.next_search() {
            let searched = variant.clone();
            match self.searches.begin(Search::Deal, move |budget| search(&searched, budget)) {
                Ok(found) => {
                    // Who waits for a search keeps nothing of the host alive.
                    let means = Arc::downgrade(self);
                    tokio::spawn(async move {
                        let found = found.await;
                        if let Some(means) = means.upgrade() {
                            means.end_search(&variant, found.unwrap_or_else(|_| failed()));
                            means.search_for_deals();
                        }
                    });
                }
                // It is tried again when somebody asks for a deal. Who waits is not told: he would ask at once.
                Err(_) => return self.put_back(&variant, Found::default()),
            }
        }
    }

    fn next_search(&self) -> Option<Variant> {
        self.winnable.pool.lock().next_search()
    }

    fn end_search(&self, variant: &Variant, found: Found) {
        self.put_back(variant, found);
        self.winnable.news.notify_waiters();
    }

    fn put_back(&self, variant: &Variant, found: Found) {
        self.winnable.pool.lock().searched(variant, found, self.clock.uptime());
    }
}

/// What a search comes to that breaks off. It must not be begun again for ever.
fn failed() -> Found {
    Found { won: None, in_vain: Effort { deals: DEALS_A_SEARCH, tables: Search::Deal.budget().tables } }
}

/// Tries one deal after the other until one is won, as far as the budget goes.
fn search(variant: &Variant, budget: Budget) -> Found {
    let engine = variant.engine();
    let mut found = Found::default();
    while found.in_vain.deals < DEALS_A_SEARCH && found.in_vain.tables < budget.tables {
        let mut bits = [0; 16];
        rand::fill(&mut bits);
        let seed = Seed::from_random(bits);
        let table = engine.deal(&seed.deck(engine.rules().packs));
        let solution = solve(&engine, &Known::all_of(&table), budget);
        let verdict = solution.verdict;
        count(variant, &verdict);
        match &verdict {
            Verdict::Won(line) if wins(&engine, table, line) => {
                found.won = Some(seed);
                return found;
            }
            Verdict::Won(_) => tracing::error!(game = variant.game.id, "a line that was found does not win"),
            Verdict::Unwinnable | Verdict::Unknown => {}
        }
        found.in_vain += Effort { deals: 1, tables: solution.tables };
    }
    found
}

/// Whether the rules allow all moves of a line, and they win. No line is believed before that was tried.
pub(super) fn wins(engine: &Engine, table: Table, line: &[Move]) -> bool {
    let end = line.iter().try_fold(table, |mut table, &chosen| {
        let is_legal = engine.legal_moves(table.view()).contains(&chosen);
        let steps = is_legal.then(|| engine.steps(&table, chosen))?;
        steps.iter().try_for_each(|step| table.apply(step)).ok().map(|()| table)
    });
    end.is_some_and(|end| engine.outcome(end.view()) == Outcome::Won)
}

fn count(variant: &Variant, verdict: &Verdict) {
    let verdict = match verdict {
        Verdict::Won(_) => "won",
        Verdict::Unwinnable => "unwinnable",
        Verdict::Unknown => "unknown",
    };
    counter!(measures::DEALS_SEARCHED, "game" => variant.game.id, "verdict" => verdict).increment(1);
}
