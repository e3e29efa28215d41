//! Captives that wait for one another.
//!
//! A pile over a captive is completed with one copy of each kind that it lacks, and a kind is lacking as long as a
//! captive of that kind lies face down. Suppose that nothing else were ever in the way: each card that lies neither
//! under a pile nor in one could be had at once, and piles that have not started could start with anything that is
//! left and be completed without using it up. If even then there is no order in which all captives are freed, then
//! there is none on the table either, as what is used up here is used up there too; so the table cannot be won.

use super::ground::{Ground, KINDS, PILES, PileBits, UNSEEN, each, set_of};
use super::position::Position;

/// With more captives than that, nothing is said.
const MOST: usize = 10;

impl Position {
    /// Whether captives wait for one another so that the game cannot be won. Captives that nobody has seen may be
    /// anything.
    pub(super) fn is_deadlocked(&self, ground: &Ground<'_>) -> bool {
        let is_seen = |pile: &u8| self.captive(*pile).is_some_and(|card| ground.kind(card) != UNSEEN);
        let seen = each(ground.homes).filter(is_seen).count();
        (1..=MOST).contains(&seen) && !Prison::new(self, ground, self.captives(ground), self.bases(ground)).opens()
    }

    /// The kind of the captive under each pile; [`UNSEEN`] if nobody has seen it, or if there is none.
    pub(super) fn captives(&self, ground: &Ground<'_>) -> [u8; PILES] {
        std::array::from_fn(|pile| self.captive(pile as u8).map_or(UNSEEN, |card| ground.kind(card)))
    }

    /// The kind with which each home has started; [`UNSEEN`] if it has not.
    pub(super) fn bases(&self, ground: &Ground<'_>) -> [u8; PILES] {
        let has_started = |pile: u8| ground.homes >> pile & 1 == 1 && self.len(pile) > 0;
        std::array::from_fn(|pile| match pile as u8 {
            pile if has_started(pile) => ground.kind(self.base(pile)),
            _ => UNSEEN,
        })
    }
}

/// The piles over captives, and what there is to complete them with.
pub(super) struct Prison<'a> {
    position: &'a Position,
    ground: &'a Ground<'a>,
    /// The kind of the captive under each pile; a captive that is [`UNSEEN`] does not count.
    captives: [u8; PILES],
    /// All piles over captives that count.
    captured: PileBits,
    /// The kind with which each pile has started or is to start; [`UNSEEN`] if that is open.
    bases: [u8; PILES],
    /// How many cards of each kind are neither placed nor captives.
    left: [u8; KINDS],
    /// Which sets of captives cannot be freed, a bit each.
    hopeless: [u64; 16],
}

impl<'a> Prison<'a> {
    pub(super) fn new(
        position: &'a Position,
        ground: &'a Ground<'a>,
        captives: [u8; PILES],
        bases: [u8; PILES],
    ) -> Prison<'a> {
        let captured = set_of(each(ground.homes).filter(|&pile| captives[usize::from(pile)] != UNSEEN));
        let left = [ground.packs; KINDS];
        let mut prison = Prison { position, ground, captives, captured, bases, left, hopeless: [0; 16] };
        prison.take_what_is_placed();
        prison
    }

    fn take_what_is_placed(&mut self) {
        for pile in each(self.ground.homes).filter(|&pile| self.position.len(pile) > 0) {
            let complete = self.ground.growth(pile, self.ground.kind(self.position.base(pile))).complete;
            let freed = self.position.len(pile).saturating_sub(complete);
            let top = self.position.nth(pile, freed);
            let placed = std::iter::successors(Some(top), |&card| self.position.below(card));
            placed.for_each(|card| self.left[usize::from(self.ground.kind(card))] -= 1);
        }
        for pile in each(self.captured) {
            self.left[usize::from(self.captives[usize::from(pile)])] -= 1;
        }
    }

    /// Whether all captives can be freed by somebody who does not know them: of the piles that can be completed, the
    /// first is, as nothing tells them apart.
    pub(super) fn opens_blindly(mut self) -> bool {
        let mut closed = self.captured;
        while closed != 0 {
            let Some(pile) = each(closed).find(|&pile| self.releases(pile)) else {
                return false;
            };
            closed &= !(1 << pile);
        }
        true
    }

    /// Whether all captives can be freed one after the other.
    fn opens(mut self) -> bool {
        self.opens_all(self.captured)
    }

    /// Whether the captives under these piles can.
    fn opens_all(&mut self, closed: PileBits) -> bool {
        if closed == 0 {
            return true;
        }
        // Which of the captured piles are closed, pressed into so many bits.
        let set =
            each(self.captured).zip(0..).fold(0_usize, |set, (pile, at)| set | ((closed >> pile & 1) as usize) << at);
        if self.hopeless[set / 64] >> (set % 64) & 1 == 1 {
            return false;
        }
        let vacant = set_of(each(closed).filter(|&pile| self.bases[usize::from(pile)] == UNSEEN));
        let opens =
            each(closed & !vacant).any(|pile| self.opens_with(pile, closed)) || self.opens_with_vacant(vacant, closed);
        if !opens {
            self.hopeless[set / 64] |= 1 << (set % 64);
        }
        opens
    }

    fn opens_with(&mut self, pile: u8, closed: PileBits) -> bool {
        let before = self.left;
        let opens = self.releases(pile) && self.opens_all(closed & !(1 << pile));
        self.left = before;
        opens
    }

    /// Piles that have not started are completed all at once if one of them can be.
    fn opens_with_vacant(&mut self, vacant: PileBits, closed: PileBits) -> bool {
        let Some(first) = each(vacant).next() else {
            return false;
        };
        let before = self.left;
        let bases = self.ground.terms(first).bases & !(1 << UNSEEN);
        let opens = each(bases).any(|base| {
            let completed = self.completes(first, base);
            self.left = before;
            completed
        }) && {
            each(vacant).for_each(|pile| self.left[usize::from(self.captives[usize::from(pile)])] += 1);
            self.opens_all(closed & !vacant)
        };
        self.left = before;
        opens
    }

    /// Completes a pile with what is left and frees its captive, if it can be done. A pile of which it is open how it
    /// starts is taken to be completed with anything.
    fn releases(&mut self, pile: u8) -> bool {
        let base = self.bases[usize::from(pile)];
        let before = self.left;
        let releases = base == UNSEEN || self.completes(pile, base);
        if releases {
            self.left[usize::from(self.captives[usize::from(pile)])] += 1;
        } else {
            self.left = before;
        }
        releases
    }

    /// Completes a pile that starts with a kind with what is left, if it can be.
    fn completes(&mut self, pile: u8, base: u8) -> bool {
        let growth = self.ground.sequence(self.ground.terms(pile).follows(base));
        let mut len = self.position.len(pile);
        let mut top = self.position.top(pile).map_or(base, |top| self.ground.kind(top));
        if len == 0 {
            if !self.takes(base) {
                return false;
            }
            len = 1;
        }
        for _ in len..growth.complete {
            let after = growth.after(top);
            // Where several kinds could go on, nothing is said about which of them is used up.
            if after.count_ones() > 1 {
                return true;
            }
            top = after.trailing_zeros() as u8;
            if after == 0 || !self.takes(top) {
                return false;
            }
        }
        true
    }

    /// Takes one card of a kind from what is left, if there is one.
    fn takes(&mut self, kind: u8) -> bool {
        let left = &mut self.left[usize::from(kind)];
        let is_left = *left > 0;
        *left -= u8::from(is_left);
        is_left
    }
}
