//! Moves that need no thought.

use crate::rules::Turning;

use super::ground::{Ground, KindBits, PileBits, each};
use super::moves::Wanted;
use super::position::{Position, Step};

/// How sure it must be that a move does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sureness {
    /// Hardly ever does it: for a search that looks for a line and proves nothing.
    Usual,
    /// It is proved that whatever could be won before can be won after.
    Proved,
}

impl Position {
    /// A card that may be placed at once.
    ///
    /// It is proved to do no harm if its homes are alike, each card like it that is not placed finds a home as well,
    /// and nothing will ever have to lie on it: each card that could lie on it finds a home too, and no card is left
    /// that could lie on those. For take a line that wins, place the card first, and then play the line without the
    /// moves that this makes needless:
    ///
    /// - Where it would have moved, it is home already; a run that it would have ended moves without it. The pile that
    ///   it would have gone to, and a space that it would have taken, are free for more than they were.
    /// - Where another card would have been laid on it, that card goes home, alone as it is: homes that take it wait
    ///   for it, since nothing else can be laid there.
    /// - Where a card like it would have been placed, that still can be, as there is a home for each. Where their
    ///   homes are not the same ones as in the line, they are alike, and change their names for the rest of it.
    /// - Cards of the waste are drawn and passed in the same order; to pass over one that is home is no move.
    ///
    /// Usually it is enough that the cards which could lie on it find homes.
    pub(super) fn certain_placement(&self, ground: &Ground<'_>, wanted: &Wanted, sureness: Sureness) -> Option<Step> {
        if ground.turning == Turning::WhileWasteIsBlocked && ground.tableau != 0 {
            return None;
        }
        ground.sources().find_map(|from| {
            let homes = self.targets(ground, wanted, from) & ground.homes;
            let is_certain = homes != 0 && self.is_certain(ground, wanted, from, homes, sureness);
            is_certain.then(|| Step { from, to: homes.trailing_zeros() as u8, count: 1 })
        })
    }

    fn is_certain(&self, ground: &Ground<'_>, wanted: &Wanted, from: u8, homes: PileBits, sureness: Sureness) -> bool {
        let to = homes.trailing_zeros() as u8;
        let is_choice = self.unlike(ground, homes).count_ones() > 1;
        let starts_over_captive = self.len(to) == 0 && self.captive(to).is_some();
        if is_choice || starts_over_captive {
            return false;
        }
        let Some(top) = self.top(from) else {
            return false;
        };
        let kind = ground.kind(top);
        let is_captive = ground.homes >> from & 1 == 1;
        let has_rival = || self.unplaced(ground, kind) > homes.count_ones();
        let may_be_built_on = || !is_captive && !self.find_homes(ground, wanted, ground.hosted(kind), sureness);
        !(sureness == Sureness::Proved && has_rival() || may_be_built_on())
    }

    /// Whether all cards of some kinds that are not placed find homes, and nothing is left that could lie on them.
    fn find_homes(&self, ground: &Ground<'_>, wanted: &Wanted, kinds: KindBits, sureness: Sureness) -> bool {
        each(kinds).all(|kind| {
            let started = |pile: &u8| self.len(*pile) > 0;
            let homes = each(wanted.takers(kind) & ground.homes).filter(started).count() as u32;
            let is_bare = || each(ground.hosted(kind)).all(|upon| self.unplaced(ground, upon) == 0);
            let unplaced = self.unplaced(ground, kind);
            unplaced == 0 || unplaced <= homes && (sureness == Sureness::Usual || is_bare())
        })
    }

    /// How many cards of a kind are not placed; where homes grow by several kinds at once, as if none were.
    fn unplaced(&self, ground: &Ground<'_>, kind: u8) -> u32 {
        let has_it = |pile: &u8| {
            let base = ground.kind(self.base(*pile));
            let growth = ground.growth(*pile, base);
            let placed = self.len(*pile).min(growth.complete);
            ground.chain(base) == ground.chain(kind)
                && growth.after(kind).count_ones() <= 1
                && placed > ground.rank(kind)
        };
        let placed = each(ground.homes).filter(|&pile| self.len(pile) > 0).filter(has_it).count() as u32;
        u32::from(ground.packs).saturating_sub(placed)
    }

    /// A tableau pile that is one run and can go onto another pile: that makes a space, into which it could go back.
    /// Some piles are not to be built on.
    pub(super) fn certain_join(&self, ground: &Ground<'_>, wanted: &Wanted, closed: PileBits) -> Option<Step> {
        each(ground.tableau & !wanted.spaces).find_map(|from| {
            let takers = wanted.takers(ground.kind(self.base(from))) & ground.tableau & !wanted.spaces & !closed;
            if takers == 0 {
                return None;
            }
            let count = self.len(from);
            let (alone, in_a_run) = self.offers(ground, wanted, from);
            let reached = takers & if count == 1 { alone } else { in_a_run };
            let joins = reached != 0 && self.run_length(ground, from) == count;
            joins.then(|| Step { from, to: reached.trailing_zeros() as u8, count })
        })
    }
}
