//! Whether a game can still get anywhere.

use std::collections::VecDeque;

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
    let way_on = Ground::new(engine, known).map(|(ground, start)| start.way_on(&ground, budget.tables));
    match way_on {
        Some(WayOn::None) => Outlook::Stuck,
        Some(WayOn::Starts(_)) => Outlook::Open,
        Some(WayOn::Unknown) | None => Outlook::Unknown,
    }
}

/// How a game can still get anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayOn {
    /// It is proved that it cannot.
    None,
    /// With this move first.
    Starts(Step),
    /// So many tables do not tell.
    Unknown,
}

impl Position {
    /// How a game can still get anywhere from here, as far as so many tables tell, of some 400 bytes each. Cards are turned
    /// first; where none can be, it is one of the shortest ways.
    pub(super) fn way_on(&self, ground: &Ground<'_>, most: u64) -> WayOn {
        let mut seen = Seen::default();
        seen.insert(self.hash());
        let mut open = VecDeque::from([(self.clone(), None)]);
        while let Some((position, first)) = open.pop_front() {
            let moves = position.moves_on(ground);
            if let Some(&step) = moves.iter().find(|step| position.gets_on(ground, step)) {
                return WayOn::Starts(first.unwrap_or(step));
            }
            for step in moves {
                let mut next = position.clone();
                next.play(ground, step);
                if !seen.insert(next.hash()) {
                    continue;
                }
                if seen.len() as u64 > most {
                    return WayOn::Unknown;
                }
                let next = (next, Some(first.unwrap_or(step)));
                match step {
                    Step::DRAW | Step::REDEAL => open.push_front(next),
                    _ => open.push_back(next),
                }
            }
        }
        WayOn::None
    }

    /// All moves but those that lead to alike tables.
    fn moves_on(&self, ground: &Ground<'_>) -> Vec<Step> {
        let mut branches = Vec::new();
        Tries::Everything.branches(ground, self, &mut branches);
        let turn = self.turn(ground, &self.wanted(ground));
        branches.iter().flat_map(|branch| branch.steps()).copied().chain(turn).collect()
    }

    /// Whether a move places a card or turns up one that was never seen.
    fn gets_on(&self, ground: &Ground<'_>, step: &Step) -> bool {
        step.places(ground) || step.from == STOCK && self.draws_unseen(ground)
    }
}
