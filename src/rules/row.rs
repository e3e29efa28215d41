//! The cards of several piles in one row, pile after pile.

use arrayvec::ArrayVec;

use super::PileIndex;
use super::pile::PileSet;
use crate::cards::Card;

/// The most cards of a game: two packs.
const CARDS: usize = 2 * Card::COUNT;

/// Piles of cards in one row, each bottom first: those of the last pile, then those of the one before it,
/// and so on. The stock and the waste, through which most cards go, thus lie at the end, where none pushes
/// others along; elsewhere a card that comes or goes pushes those behind it, which are never more than a
/// hundred. A row needs no heap and is copied like a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    cards: ArrayVec<Card, CARDS>,
    /// Where each pile ends, which is where the one before it begins.
    ends: [u8; PileSet::CAPACITY + 1],
}

impl Row {
    /// Nothing but empty piles, as many as a game can have.
    pub(super) fn empty() -> Row {
        Row { cards: ArrayVec::new(), ends: [0; PileSet::CAPACITY + 1] }
    }

    /// The cards of a pile, bottom first; none if no game can have such a pile.
    pub(super) fn pile(&self, pile: PileIndex) -> &[Card] {
        match self.ends.get(pile.get()..pile.get() + 2) {
            Some(&[end, start]) => &self.cards[usize::from(start)..usize::from(end)],
            _ => &[],
        }
    }

    fn end(&self, pile: PileIndex) -> usize {
        usize::from(self.ends[pile.get()])
    }

    /// Lays a card on a pile.
    pub(super) fn push(&mut self, pile: PileIndex, card: Card) {
        self.cards.insert(self.end(pile), card);
        self.ends[..=pile.get()].iter_mut().for_each(|end| *end += 1);
    }

    /// Takes the top card of a pile that has one.
    pub(super) fn pop(&mut self, pile: PileIndex) {
        self.cards.remove(self.end(pile) - 1);
        self.ends[..=pile.get()].iter_mut().for_each(|end| *end -= 1);
    }

    /// Turns a whole pile over onto a pile of another row.
    pub(super) fn turn_over(&mut self, from: PileIndex, other: &mut Row, to: PileIndex) {
        let (source, target) = (self.end(from), other.end(to));
        let turned = self.pile(from).iter().rev();
        let count = turned.len();
        other.cards.extend(turned.copied());
        other.cards[target..].rotate_right(count);
        other.ends[..=to.get()].iter_mut().for_each(|end| *end += count as u8);
        self.cards.drain(source - count..source);
        self.ends[..=from.get()].iter_mut().for_each(|end| *end -= count as u8);
    }

    /// Moves the top cards of one pile onto another. The pile must have so many.
    pub(super) fn shift(&mut self, from: PileIndex, to: PileIndex, count: u8) {
        let (source, target) = (self.end(from), self.end(to));
        let (first, last) = (from.get().min(to.get()), from.get().max(to.get()));
        let between = &mut self.ends[first + 1..=last];
        if from < to {
            self.cards[target..source].rotate_right(usize::from(count));
            between.iter_mut().for_each(|end| *end += count);
        } else {
            self.cards[source - usize::from(count)..target].rotate_left(usize::from(count));
            between.iter_mut().for_each(|end| *end -= count);
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
            let mut row = Row::empty();
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

    #[test]
    fn a_pile_that_is_turned_over_lies_upside_down_on_another() {
        let (mut one, mut other) = (Row::empty(), Row::empty());
        let cards: Vec<Card> = Card::all().take(9).collect();
        for (place, &card) in (0..).zip(&cards) {
            let row = if place < 5 { &mut one } else { &mut other };
            row.push(PileIndex(place % 3), card);
        }
        one.turn_over(PileIndex(1), &mut other, PileIndex(2));
        let piles = |row: &Row| [0, 1, 2].map(|pile| row.pile(PileIndex(pile)).to_vec());
        assert_eq!(piles(&one), [vec![cards[0], cards[3]], vec![], vec![cards[2]]]);
        assert_eq!(piles(&other), [vec![cards[6]], vec![cards[7]], vec![cards[5], cards[8], cards[4], cards[1]]]);
    }
}
