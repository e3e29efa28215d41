//! Piles that follow the same rules, made ready to play: what goes on which card is looked up.

use super::PileIndex;
use super::language::{Piles, Sequence};
use crate::cards::Card;

/// Piles that follow the same rules.
#[derive(Debug)]
pub(super) struct Group {
    /// The rules.
    pub(super) rules: Piles,
    /// The first of its piles; the others come next.
    first: PileIndex,
    growths: Vec<Growth>,
    /// Which of these a pile follows, by its first card.
    by_base: [Option<u8>; Card::COUNT],
}

/// A sequence, with what goes on each top card.
#[derive(Debug)]
struct Growth {
    sequence: Sequence,
    next: [CardSet; Card::COUNT],
}

/// A set of cards, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CardSet(u64);

impl Group {
    /// The piles of those rules, from that one on.
    pub(super) fn new(rules: Piles, first: PileIndex) -> Group {
        let mut by_base = [None; Card::COUNT];
        for base in Card::all() {
            let place = rules.takes.iter().position(|sequence| sequence.base.accepts(base));
            by_base[base.index()] = place.map(|place| place as u8);
        }
        let growths = rules.takes.iter().copied().map(Growth::of).collect();
        Group { rules, first, growths, by_base }
    }

    /// Its piles, first to last.
    pub(super) fn piles(&self) -> impl Iterator<Item = PileIndex> + Clone + use<> {
        (self.first.0..self.first.0 + self.rules.count).map(PileIndex)
    }

    /// The sequence that a pile with these face-up cards follows: the first of them decides.
    pub(super) fn sequence(&self, cards: &[Card]) -> Option<&Sequence> {
        self.growth(cards).map(|growth| &growth.sequence)
    }

    fn growth(&self, cards: &[Card]) -> Option<&Growth> {
        let place = self.by_base[cards.first()?.index()]?;
        self.growths.get(usize::from(place))
    }

    /// The cards that go on a pile with these face-up cards.
    pub(super) fn next(&self, cards: &[Card]) -> CardSet {
        let (Some(growth), Some(top)) = (self.growth(cards), cards.last()) else {
            return CardSet::EMPTY;
        };
        let next = growth.next[top.index()];
        if growth.sequence.is_complete_with(cards.len()) { CardSet::EMPTY } else { next }
    }

    /// Whether a pile with these face-up cards shows a freed captive: one card more than its sequence has.
    pub(super) fn shows_captive(&self, cards: &[Card]) -> bool {
        let below = cards.len().saturating_sub(1);
        self.sequence(cards).is_some_and(|sequence| sequence.is_complete_with(below))
    }

    /// Those of a pile's face-up cards that are a run, by the sequence that it is built in; at least the
    /// top card, where there is one.
    pub(super) fn run<'a>(&self, cards: &'a [Card]) -> &'a [Card] {
        let Some(Growth { next, .. }) = self.growth(cards) else {
            return &cards[cards.len().saturating_sub(1)..];
        };
        let is_break = |pair: &[Card]| !next[pair[0].index()].contains(pair[1]);
        let start = cards.windows(2).rposition(is_break).map_or(0, |below| below + 1);
        &cards[start..]
    }
}

impl Growth {
    fn of(sequence: Sequence) -> Growth {
        let mut next = [CardSet::EMPTY; Card::COUNT];
        for top in Card::all() {
            next[top.index()] = Card::all().filter(|&card| sequence.next.accepts(top, card)).collect();
        }
        Growth { sequence, next }
    }
}

impl CardSet {
    const EMPTY: CardSet = CardSet(0);

    fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        CardSet(cards.into_iter().fold(0, |bits, card| bits | 1 << card.index()))
    }
}

/// The cards of a set, in the order of their index.
impl Iterator for CardSet {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let first = Card::from_index(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}
