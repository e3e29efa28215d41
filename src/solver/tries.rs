//! What a search tries at a table.

use super::certain::Sureness;
use super::ground::{Ground, PileBits, STOCK, each, set_of};
use super::moves::Wanted;
use super::position::{Position, Step};

/// What a search tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tries {
    /// What is likely to be of use: whole runs are moved, parts of them only to place the card that this exposes.
    Likely,
    /// As what is likely, but nothing that could be taken back, so that who goes on like this never comes back to a
    /// table that he has left.
    Forward,
    /// Everything, but for what leads to alike tables.
    Everything,
}

/// Steps that are tried together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    steps: [Step; 2],
    len: usize,
}

impl Branch {
    pub(super) fn of(step: Step) -> Branch {
        Branch { steps: [step; 2], len: 1 }
    }

    fn and_then(self, step: Step) -> Branch {
        Branch { steps: [self.steps[0], step], len: 2 }
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..self.len]
    }
}

impl Tries {
    /// A move that needs no thought.
    pub(super) fn certain(self, ground: &Ground<'_>, position: &Position) -> Option<Step> {
        let wanted = position.wanted(ground);
        match self {
            Tries::Likely | Tries::Forward => position
                .certain_placement(ground, &wanted, Sureness::Usual)
                .or_else(|| position.certain_join(ground, &wanted, self.kept_open(ground, position, &wanted))),
            Tries::Everything => position.certain_placement(ground, &wanted, Sureness::Proved),
        }
    }

    /// What is tried besides turning a card.
    pub(super) fn branches(self, ground: &Ground<'_>, position: &Position, branches: &mut Vec<Branch>) {
        let wanted = position.wanted(ground);
        if self == Tries::Everything && position.len(STOCK) > 0 {
            self.add_from_stock(ground, position, &wanted, branches);
        }
        let kept_open = self.kept_open(ground, position, &wanted);
        for from in ground.sources().filter(|&from| position.len(from) > 0) {
            let is_tableau = ground.tableau >> from & 1 == 1;
            let closed = if is_tableau { kept_open } else { 0 };
            self.add_from_pile(ground, position, &wanted, (from, closed), branches);
        }
    }

    /// The tableau piles on which nothing of the tableau is built, as their top cards could be placed. A run that was
    /// taken off such a card is not laid back on it.
    fn kept_open(self, ground: &Ground<'_>, position: &Position, wanted: &Wanted) -> PileBits {
        if self != Tries::Forward {
            return 0;
        }
        let is_placeable = |pile: &u8| position.targets(ground, wanted, *pile) & ground.homes != 0;
        set_of(each(ground.tableau).filter(is_placeable))
    }

    /// What the stock gives directly to a space might be drawn and moved on as well, if it may be drawn.
    fn add_from_stock(self, ground: &Ground<'_>, position: &Position, wanted: &Wanted, branches: &mut Vec<Branch>) {
        let spaces = position.targets(ground, wanted, STOCK) & wanted.spaces;
        branches.extend(each(first(spaces)).map(|to| Branch::of(Step { from: STOCK, to, count: 1 })));
    }

    fn add_from_pile(
        self,
        ground: &Ground<'_>,
        position: &Position,
        wanted: &Wanted,
        (from, closed): (u8, PileBits),
        branches: &mut Vec<Branch>,
    ) {
        let (alone, in_a_run) = position.offers(ground, wanted, from);
        let is_tableau = ground.tableau >> from & 1 == 1;
        let run = if is_tableau { position.run_length(ground, from) } else { 1 };
        let most = if in_a_run == 0 { 1 } else { run };
        // One space is like another, and to go from the one to the other changes nothing.
        let alike = wanted.spaces & !first(wanted.spaces);
        for count in 1..=most {
            let takers = wanted.takers(ground.kind(position.nth(from, count - 1)));
            let mut reached = takers & if count == 1 { alone } else { in_a_run } & !alike;
            if is_tableau && count == position.len(from) {
                reached &= !wanted.spaces;
            }
            reached &= !closed;
            if reached == 0 {
                continue;
            }
            let homes = position.unlike(ground, reached & ground.homes);
            branches.extend(each(homes).map(|to| Branch::of(Step { from, to, count })));
            let builds = each(reached & !ground.homes).map(|to| Branch::of(Step { from, to, count }));
            if count < run && (self == Tries::Forward || self == Tries::Likely && most > 1) {
                let exposed = wanted.takers(ground.kind(position.nth(from, count))) & alone & ground.homes;
                let placed = position.unlike(ground, exposed);
                branches.extend(
                    builds.flat_map(|build| each(placed).map(move |to| build.and_then(Step { from, to, count: 1 }))),
                );
            } else {
                branches.extend(builds);
            }
        }
    }
}

fn first(piles: PileBits) -> PileBits {
    piles & piles.wrapping_neg()
}
