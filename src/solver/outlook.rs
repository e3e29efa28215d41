//! Whether a game can still get anywhere.

use crate::rules::{Engine, Known};

use super::Budget;
use super::beam::Seen;
use super::ground::{Ground, STOCK};
use super::position::{Position, Step};
use super::tries::Tries;

/// Whether a game can still get anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// It is proved that no moves bring another card to its place or turn up one that was never seen.
    Stuck,
    /// Some do.
    Open,
    /// The budget has ended before either was found.
    Unknown,
}

/// Finds out whether a game can still get anywhere, by trying all that can be done until a card is placed or one is
/// turned up that was never seen.
///
/// Nothing is left out but what leads to alike tables: one space is as good as another, and so is one of two equal
/// cards.
pub fn outlook(engine: &Engine, known: &Known, budget: Budget) -> Outlook {
    let Some((ground, start)) = Ground::new(engine, known) else {
        return Outlook::Unknown;
    };
    start.outlook(&ground, budget.tables)
}

impl Position {
    /// Whether a game can still get anywhere from here, as far as so many tables tell.
    pub(super) fn outlook(&self, ground: &Ground<'_>, most: u64) -> Outlook {
        let mut seen = Seen::default();
        seen.insert(self.hash());
        let mut open = vec![self.clone()];
        let mut tables = 0;
        while let Some(position) = open.pop() {
            let Some(steps) = position.idle_steps(ground) else {
                return Outlook::Open;
            };
            for step in steps {
                tables += 1;
                if tables > most {
                    return Outlook::Unknown;
                }
                let mut next = position.clone();
                next.play(ground, step);
                if seen.insert(next.hash()) {
                    open.push(next);
                }
            }
        }
        Outlook::Stuck
    }

    /// The moves that place no card and turn up none that was never seen; nothing if there is a move that does.
    fn idle_steps(&self, ground: &Ground<'_>) -> Option<Vec<Step>> {
        let mut branches = Vec::new();
        Tries::Everything.branches(ground, self, &mut branches);
        let turn = self.turn(ground, &self.wanted(ground));
        let turns_unseen = |step: &Step| step.from == STOCK && self.draws_unseen(ground);
        // The last that is listed is tried first: a draw goes on where moves from pile to pile may go in circles.
        let steps: Vec<Step> = branches.iter().flat_map(|branch| branch.steps()).copied().chain(turn).collect();
        let is_progress = |step: &Step| ground.homes >> step.to & 1 == 1 || turns_unseen(step);
        (!steps.iter().any(is_progress)).then_some(steps)
    }
}
