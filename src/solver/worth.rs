//! What a table is worth to a search: how near it looks to being won.
//!
//! Cards that have reached their place count most. Spaces and cards that lie in sequence help; a card that is wanted
//! soon and lies under others is a burden, the more so the deeper it lies. Nothing here decides what is legal or what
//! can be won: it only says where to look first.

use super::ground::{Ground, WASTE};
use super::position::Position;

/// By what a table is judged. What one taste is blind to, another may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taste {
    /// For each card that has reached its place.
    placed: i32,
    /// For each empty tableau pile.
    space: i32,
    /// For each card of a tableau pile that lies in sequence.
    in_sequence: i32,
    /// Against each card of a tableau pile that lies on one of lower rank, out of sequence.
    on_lower: i32,
    /// Against each run on a card of a tableau pile, times its urgency.
    run_above: i32,
    /// Against each card of the waste in the last pass that lies on one of lower rank.
    on_lower_in_waste: i32,
    /// Against each card on one of the waste in the last pass, times its urgency.
    above_in_waste: i32,
    /// A card that a home takes next has this urgency, and one that comes so many ranks later none.
    far: i32,
}

/// What is to most tastes.
const PLAIN: Taste = Taste {
    placed: 24,
    space: 5,
    in_sequence: 10,
    on_lower: 12,
    run_above: 0,
    on_lower_in_waste: 4,
    above_in_waste: 1,
    far: 10,
};

/// The tastes that a search has, each after the other. The last of them won most of a hundred deals, of 174 that were
/// drawn at random, which the others had left undecided.
pub(super) const TASTES: [Taste; 4] = [
    PLAIN,
    Taste { on_lower: 0, run_above: 2, ..PLAIN },
    Taste { in_sequence: 20, on_lower: 20, far: 6, ..PLAIN },
    Taste { in_sequence: 20, on_lower: 2, above_in_waste: 2, far: 12, ..PLAIN },
];

/// Up to so many cards or runs on a card count.
const DEEPEST: i32 = 6;

impl Position {
    /// What the table is worth.
    pub(super) fn score(&self, ground: &Ground<'_>) -> i32 {
        let taste = &ground.taste;
        taste.placed * i32::from(self.placed) + taste.space * self.spaces(ground).count_ones() as i32 + self.worth
    }

    /// How soon a card is wanted: 0 if later than anybody looks.
    fn urgency(&self, ground: &Ground<'_>, card: u8) -> i32 {
        let kind = ground.kind(card);
        let ahead = i32::from(ground.rank(kind)) - i32::from(self.settled[usize::from(ground.chain(kind)) % 16]);
        (ground.taste.far - ahead).max(0)
    }

    fn is_on_lower(&self, ground: &Ground<'_>, card: u8) -> bool {
        self.below(card).is_some_and(|below| ground.rank(ground.kind(card)) > self.least(below))
    }

    /// What it costs that the top of the waste lies on the others.
    pub(super) fn burden_of_waste_top(&self, ground: &Ground<'_>) -> i32 {
        let top = self.top(WASTE).filter(|_| self.redeals == 0);
        top.map_or(0, |top| self.burden_of_waste_card(ground, top))
    }

    fn burden_of_waste_card(&self, ground: &Ground<'_>, card: u8) -> i32 {
        let under = std::iter::successors(self.below(card), |&card| self.below(card)).take(DEEPEST as usize);
        let urgent: i32 = under.map(|card| self.urgency(ground, card)).sum();
        ground.taste.on_lower_in_waste * i32::from(self.is_on_lower(ground, card))
            + ground.taste.above_in_waste * urgent
    }

    /// What it costs that the cards of the waste lie on one another.
    pub(super) fn burden_of_waste(&self, ground: &Ground<'_>) -> i32 {
        let top = self.top(WASTE).filter(|_| self.redeals == 0);
        std::iter::successors(top, |&card| self.below(card)).map(|card| self.burden_of_waste_card(ground, card)).sum()
    }
}

/// What a tableau pile is worth, added up from its top card down.
pub(super) struct Worth {
    runs_above: i32,
    total: i32,
}

impl Worth {
    pub(super) fn of_column() -> Worth {
        Worth { runs_above: 0, total: 0 }
    }

    pub(super) fn add(&mut self, ground: &Ground<'_>, position: &Position, card: u8, is_built: bool) {
        let taste = &ground.taste;
        if taste.run_above > 0 {
            self.total -= taste.run_above * self.runs_above.min(DEEPEST) * position.urgency(ground, card);
        }
        if is_built {
            self.total += taste.in_sequence;
        } else {
            self.total -= taste.on_lower * i32::from(position.is_on_lower(ground, card));
            self.runs_above += 1;
        }
    }

    pub(super) fn total(&self) -> i32 {
        self.total
    }
}
