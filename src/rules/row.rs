//! The cards of several piles in one row, pile after pile.

use arrayvec::ArrayVec;

use super::PileIndex;
use super::pile::PileSet;
use crate::cards::Card;

/// The most cards of a game: two packs.
const CARDS: usize = 2 * Card::COUNT;

/// Piles of cards in one row: those of the first pile, bottom first, then those of the second, and so
/// on. A row needs no heap and is copied like a number; a card that moves pushes the ones between
/// source and target along, which are never more than a hundred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    cards: ArrayVec<Card, CARDS>,
    /// Where each pile ends.
    ends: ArrayVec<u8, { PileSet::CAPACITY }>,
}

impl Row {
    /// So many empty piles.
    pub(super) fn of_empty_piles(piles: usize) -> Row {
        Row { cards: ArrayVec::new(), ends: std::iter::repeat_n(0, piles).collect() }
    }

    /// How many piles there are.
    pub(super) fn piles(&self) -> usize {
        self.ends.len()
    }

    /// The cards of a pile, bottom first; none if there is no such pile.
    pub(super) fn pile(&self, pile: PileIndex) -> &[Card] {
        let end = self.end(pile);
        let start =
            pile.get().checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| usize::from(end));
        self.cards.get(start..end).unwrap_or_default()
    }

    fn end(&self, pile: PileIndex) -> usize {
        self.ends.get(pile.get()).map_or(0, |&end| usize::from(end))
    }

    /// Lays a card on a pile.
    pub(super) fn push(&mut self, pile: PileIndex, card: Card) {
        self.cards.insert(self.end(pile), card);
        self.ends[pile.get()..].iter_mut().for_each(|end| *end += 1);
    }

    /// Takes the top card of a pile that has one.
    pub(super) fn pop(&mut self, pile: PileIndex) {
        self.cards.remove(self.end(pile) - 1);
        self.ends[pile.get()..].iter_mut().for_each(|end| *end -= 1);
    }

    /// Moves the top cards of one pile onto another. The pile must have so many.
    pub(super) fn shift(&mut self, from: PileIndex, to: PileIndex, count: u8) {
        let (source, target) = (self.end(from), self.end(to));
        let (first, last) = (from.get().min(to.get()), from.get().max(to.get()));
        let between = &mut self.ends[first..last];
        if from < to {
            self.cards[source - usize::from(count)..target].rotate_left(usize::from(count));
            between.iter_mut().for_each(|end| *end -= count);
        } else {
            self.cards[target..source].rotate_right(usize::from(count));
            between.iter_mut().for_each(|end| *end += count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_does_what_a_list_of_piles_does(
            dealt in prop::collection::vec(0..6_u8, 0..40),
            moves in prop::collection::vec((0..6_u8, 0..6_u8, 0..8_u8), 0..40),
        ) {
            let mut row = Row::of_empty_piles(6);
            let mut piles = vec![Vec::new(); 6];
            for (pile, card) in dealt.into_iter().zip(Card::all()) {
                row.push(PileIndex(pile), card);
                piles[usize::from(pile)].push(card);
            }
            for (from, to, count) in moves {
                let source = &mut piles[usize::from(from)];
                let Some(rest) = source.len().checked_sub(usize::from(count)) else { continue };
                if from == to && count > 0 {
                    row.pop(PileIndex(from));
                    source.pop();
                } else {
                    row.shift(PileIndex(from), PileIndex(to), count);
                    let moved = source.split_off(rest);
                    piles[usize::from(to)].extend(moved);
                }
                for (pile, cards) in (0..).zip(&piles) {
                    prop_assert_eq!(row.pile(PileIndex(pile)), &cards[..]);
                }
            }
        }
    }
}
