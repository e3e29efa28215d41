//! Which moves there are on a table.
//!
//! What is legal is what the [engine](crate::rules::Engine) lists; a property test holds the two against each other.

use crate::rules::{Filling, PileKind, Turning};

use super::ground::{Ground, KINDS, KindBits, PileBits, STOCK, UNSEEN, WASTE, each, set_of};
use super::position::{NOTHING, Position, SEVERAL, Step};

/// Which piles take what next.
pub(super) struct Wanted {
    by_kind: [PileBits; KINDS],
    any: PileBits,
    pub(super) spaces: PileBits,
}

impl Wanted {
    /// The piles that take a kind.
    pub(super) fn takers(&self, kind: u8) -> PileBits {
        self.by_kind[usize::from(kind)] | self.any
    }

    fn add(&mut self, pile: u8, kinds: KindBits) {
        each(kinds).for_each(|kind| self.by_kind[usize::from(kind)] |= 1 << pile);
    }

    fn add_vacant(&mut self, ground: &Ground<'_>, pile: u8, has_gap_at_left: &mut Option<PileKind>) {
        let terms = ground.terms(pile);
        if terms.kind == PileKind::Tableau {
            self.spaces |= 1 << pile;
        }
        if terms.filling == Filling::LeftToRight && has_gap_at_left.replace(terms.kind) == Some(terms.kind) {
            return;
        }
        if terms.bases >> UNSEEN & 1 == 1 {
            self.any |= 1 << pile;
        } else {
            self.add(pile, terms.bases);
        }
    }
}

impl Position {
    /// Which piles take what next.
    pub(super) fn wanted(&self, ground: &Ground<'_>) -> Wanted {
        let mut wanted = Wanted { by_kind: [0; KINDS], any: 0, spaces: 0 };
        let mut has_gap_at_left = None;
        for pile in each(ground.homes | ground.tableau) {
            match self.wish(pile) {
                NOTHING => {}
                SEVERAL if self.len(pile) == 0 => wanted.add_vacant(ground, pile, &mut has_gap_at_left),
                SEVERAL => {
                    let growth = ground.growth(pile, ground.kind(self.base(pile)));
                    self.top(pile).into_iter().for_each(|top| wanted.add(pile, growth.after(ground.kind(top))));
                }
                kind => wanted.by_kind[usize::from(kind)] |= 1 << pile,
            }
        }
        wanted
    }

    /// To which piles a pile gives its top card alone, and a run of several.
    pub(super) fn offers(&self, ground: &Ground<'_>, wanted: &Wanted, from: u8) -> (PileBits, PileBits) {
        ground.terms(from).offers(wanted.spaces, || self.shows_captive(ground, from))
    }

    /// To which piles the top card of a pile can go.
    pub(super) fn targets(&self, ground: &Ground<'_>, wanted: &Wanted, from: u8) -> PileBits {
        self.top(from).map_or(0, |top| match wanted.takers(ground.kind(top)) {
            0 => 0,
            takers => takers & self.offers(ground, wanted, from).0,
        })
    }

    /// How many cards from the top of a pile are a run.
    pub(super) fn run_length(&self, ground: &Ground<'_>, pile: u8) -> u8 {
        let Some(mut card) = self.top(pile) else {
            return 0;
        };
        let growth = ground.growth(pile, ground.kind(self.base(pile)));
        let mut length = 1;
        while let Some(below) = self.below(card).filter(|&below| growth.accepts(ground.kind(below), ground.kind(card)))
        {
            (card, length) = (below, length + 1);
        }
        length.min(self.len(pile))
    }

    /// The draw or the redeal, whichever is legal.
    pub(super) fn turn(&self, ground: &Ground<'_>, wanted: &Wanted) -> Option<Step> {
        let step = if self.len(STOCK) > 0 {
            Step::DRAW
        } else if self.len(WASTE) > 0 && self.redeals > 0 {
            Step::REDEAL
        } else {
            return None;
        };
        let is_blocked = ground.turning == Turning::WhileWasteIsBlocked && self.targets(ground, wanted, WASTE) != 0;
        (!is_blocked).then_some(step)
    }

    /// Whether a move is legal.
    pub(super) fn allows(&self, ground: &Ground<'_>, step: Step) -> bool {
        let wanted = self.wanted(ground);
        if step == Step::DRAW || step == Step::REDEAL {
            return self.turn(ground, &wanted) == Some(step);
        }
        let (alone, in_a_run) = self.offers(ground, &wanted, step.from);
        let reached = if step.count == 1 { alone } else { in_a_run };
        (1..=self.run_length(ground, step.from)).contains(&step.count)
            && (wanted.takers(ground.kind(self.nth(step.from, step.count - 1))) & reached) >> step.to & 1 == 1
    }

    /// Of some piles the first of each kind that are alike: over which no captive lies, or hold the same.
    pub(super) fn unlike(&self, ground: &Ground<'_>, piles: PileBits) -> PileBits {
        if piles & piles.wrapping_sub(1) == 0 {
            return piles;
        }
        let look = |pile: u8| {
            let base = (self.len(pile) > 0).then(|| ground.kind(self.base(pile)));
            (ground.terms(pile).class(self.captive(pile).is_some()), base, self.len(pile))
        };
        let is_first = |pile: &u8| each(piles & ((1 << pile) - 1)).all(|before| look(before) != look(*pile));
        set_of(each(piles).filter(is_first))
    }
}
