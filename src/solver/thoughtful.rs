//! Thoughtful play: all cards are known, and a line is looked for that wins.

use crate::rules::{Engine, Known, Move};

use super::Budget;
use super::beam::{Aim, Beam, End};
use super::ground::Ground;
use super::position::{Position, Step};
use super::shorten::shortened;
use super::tries::Tries;
use super::worth::TASTES;

/// How many tables a search keeps at a time: so many at first, and in each of the next rounds so many times more.
const NARROWEST: usize = 4;
const WIDER: usize = 4;
const ROUNDS: usize = 3;

/// How many it keeps after that; each further search keeps twice as many as the one before.
const WIDE: usize = 128;

/// When a search has left out less than one table in so many, there may be so few in all that everything can be tried.
/// For that there is this part of the budget.
const FEW: u64 = 8;
const FOR_EVERYTHING: u64 = 4;

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// These moves win.
    Won(Vec<Move>),
    /// No moves win.
    Unwinnable,
    /// The budget has ended before either was found.
    Unknown,
}

/// What a search has found, and what that has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What it has found.
    pub verdict: Verdict,
    /// How many tables it has looked at.
    pub tables: u64,
}

/// Looks for a line that wins.
///
/// It first searches narrowly with each of several tastes, as what one does not find another may, then wider and wider.
/// That nothing wins is said only when everything was tried. Where a card was never seen, nothing is
/// said at all.
pub fn solve(engine: &Engine, known: &Known, budget: Budget) -> Solution {
    let ready = Ground::new(engine, known).filter(|(ground, _)| ground.unseen() == 0);
    let Some((ground, start)) = ready else {
        return Solution { verdict: Verdict::Unknown, tables: 0 };
    };
    let grounds = TASTES.map(|taste| ground.with_taste(taste));
    let mut search = Search { start: &start, left: budget.tables };
    let verdict = search.narrow_then_wide(&grounds);
    Solution { verdict: verdict.unwrap_or(Verdict::Unknown), tables: budget.tables - search.left }
}

/// A search, and how many tables it may still look at.
struct Search<'a> {
    start: &'a Position,
    left: u64,
}

impl Search<'_> {
    fn narrow_then_wide(&mut self, grounds: &[Ground<'_>]) -> Option<Verdict> {
        let widths = std::iter::successors(Some(NARROWEST), |width| width.checked_mul(WIDER)).take(ROUNDS);
        let mut are_few = false;
        for (width, ground) in widths.flat_map(|width| grounds.iter().map(move |ground| (width, ground))) {
            let before = self.left;
            match self.keep(ground, width) {
                Ok(left_out) => are_few = left_out * FEW < before - self.left,
                Err(end) => return end,
            }
        }
        if are_few && let Some(verdict) = self.try_everything(&grounds[0], self.left / FOR_EVERYTHING) {
            return Some(verdict);
        }
        let mut wide = std::iter::successors(Some(WIDE), |width| width.checked_mul(2)).zip(grounds.iter().cycle());
        wide.find_map(|(width, ground)| self.keep(ground, width).err()).flatten()
    }

    /// Searches, keeping so many tables at a time, and says how many were left out.
    ///
    /// # Errors
    /// The verdict if there is one, or none if the budget has ended.
    fn keep(&mut self, ground: &Ground<'_>, width: usize) -> Result<u64, Option<Verdict>> {
        let mut beam = Beam::new(ground, Aim::ToWin, self.left);
        let end = beam.run(&self.start.judged_anew(ground), Tries::Likely, width);
        self.left -= beam.tables.min(self.left);
        match end {
            End::Won(trail) => Err(Some(won(ground, self.start, beam.steps(trail)))),
            End::OutOfBudget => Err(None),
            // What is likely does not win, so that all else is tried.
            End::Tried { left_out: 0 } => Err(self.try_everything(ground, self.left)),
            End::Tried { left_out } => Ok(left_out),
        }
    }

    /// Tries everything, if so many tables are enough for that.
    fn try_everything(&mut self, ground: &Ground<'_>, most: u64) -> Option<Verdict> {
        let mut beam = Beam::new(ground, Aim::ToWin, most);
        let end = beam.run(self.start, Tries::Everything, usize::MAX);
        self.left -= beam.tables.min(most);
        match end {
            End::Won(trail) => Some(won(ground, self.start, beam.steps(trail))),
            End::OutOfBudget => None,
            End::Tried { .. } => Some(Verdict::Unwinnable),
        }
    }
}

fn won(ground: &Ground<'_>, start: &Position, line: Vec<Step>) -> Verdict {
    let line = shortened(ground, start, line);
    Verdict::Won(line.iter().map(|step| step.as_move(ground)).collect())
}
