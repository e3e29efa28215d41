//! How the deal of a session that is over could have been won.
//!
//! It follows from the deal alone, so it is worked out once, however many ask and in however many sessions the deal was
//! played, and again when it was forgotten.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use quick_cache::sync::Cache;

use crate::cards::Deck;
use crate::games::Variant;
use crate::rules::{Known, Move};
use crate::session::{self, Session};
use crate::solver::{Budget, Verdict, solve};

use super::means::Means;
use super::searches::Search;
use super::winnable::wins;
use super::{Host, HostError};

/// How many solutions are kept, at about 2 kB each.
const MOST_KEPT: usize = 1_000;

/// Whether, and how, a deal can be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// These moves win.
    Won(Arc<[Move]>),
    /// No moves win.
    Unwinnable,
    /// Nothing was found as far as the search goes.
    Unknown,
    /// It is being looked for.
    Sought,
}

/// The solutions that are known or looked for.
pub(super) struct Solutions {
    /// Nothing where the search broke off: it would again.
    found: Cache<Dealt, Option<Solution>>,
    sought: Mutex<HashSet<Dealt>>,
}

/// All that a solution follows from.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Dealt {
    variant: Variant,
    deck: Deck,
}

impl Solutions {
    pub(super) fn new() -> Solutions {
        Solutions { found: Cache::new(MOST_KEPT), sought: Mutex::default() }
    }
}

impl Host {
    /// How the deal of a session that is over for good could have been won. Who asks first has it looked for.
    ///
    /// # Errors
    /// If the session, or its race, is not over; if too many searches wait; if the search has failed.
    pub fn solution(&self, session: &Session) -> Result<Solution, HostError> {
        let deal = session::judge_solution(session).map_err(|refusal| HostError::refused(session, refusal))?;
        let variant = Variant { game: session.game(), options: session.created().options.clone() };
        let deck = deal.deck(session.engine().rules().packs);
        self.means.solution(Dealt { variant, deck })
    }
}

impl Means {
    fn solution(self: &Arc<Means>, dealt: Dealt) -> Result<Solution, HostError> {
        // Whoever has found one says so before he ends the search.
        let mut sought = self.solutions.sought.lock();
        if let Some(found) = self.solutions.found.get(&dealt) {
            return found.ok_or(HostError::Failed);
        }
        if !sought.contains(&dealt) {
            self.seek(dealt.clone())?;
            sought.insert(dealt);
        }
        Ok(Solution::Sought)
    }

    /// Has a solution looked for, whether or not the one who asks stays.
    fn seek(self: &Arc<Means>, dealt: Dealt) -> Result<(), HostError> {
        let searched = dealt.clone();
        let found = self.searches.begin(Search::Solution, move |budget| search(&searched, budget))?;
        let means = Arc::downgrade(self);
        tokio::spawn(async move {
            let found = found.await.ok().flatten();
            if let Some(means) = means.upgrade() {
                means.solutions.found.insert(dealt.clone(), found);
                means.solutions.sought.lock().remove(&dealt);
            }
        });
        Ok(())
    }
}

/// Looks for a line that wins; nothing if the one that is found does not.
fn search(dealt: &Dealt, budget: Budget) -> Option<Solution> {
    let engine = dealt.variant.engine();
    let table = engine.deal(&dealt.deck);
    match solve(&engine, &Known::all_of(&table), budget).verdict {
        Verdict::Won(line) if wins(&engine, table, &line) => Some(Solution::Won(line.into())),
        Verdict::Won(_) => {
            tracing::error!(game = dealt.variant.game.id, "a line was found that does not win");
            None
        }
        Verdict::Unwinnable => Some(Solution::Unwinnable),
        Verdict::Unknown => Some(Solution::Unknown),
    }
}
