//! Packs, and a deck that has all their cards in dealing order.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Card;

/// How many packs of fifty-two cards a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Packs {
    One,
    Two,
}

impl Packs {
    /// The number of packs, which is how often each card is in a deck.
    pub const fn count(self) -> usize {
        match self {
            Packs::One => 1,
            Packs::Two => 2,
        }
    }

    /// The number of cards: 52 or 104.
    pub const fn cards(self) -> usize {
        self.count() * Card::COUNT
    }
}

/// All the cards of a game in dealing order: element 0 is dealt first.
///
/// A deck has 52 or 104 cards, every card exactly as often as there are packs.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Card>", into = "Vec<Card>")]
pub struct Deck(Vec<Card>);

/// Why cards are not a deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeckError {
    /// Fewer cards than the packs have.
    #[error("the deck has {have} cards, too few: it must list all {want}")]
    TooFew {
        /// How many there are.
        have: usize,
        /// How many there must be.
        want: usize,
    },
    /// More cards than the packs have.
    #[error("the deck has {have} cards, too many: it must list exactly {want}")]
    TooMany {
        /// How many there are.
        have: usize,
        /// How many there must be.
        want: usize,
    },
    /// A text that names no card.
    #[error("card {position} of the deck is no card: {}", super::ParseCardError)]
    NoSuchCard {
        /// Its place in the list, from 1.
        position: usize,
    },
    /// A card that is there more often than in the packs.
    #[error("card {position} of the deck is {card} once too often: it is there {allowed}")]
    OnceTooOften {
        /// The card.
        card: Card,
        /// The place of the one too many, from 1.
        position: usize,
        /// How often it may be there.
        allowed: Times,
    },
}

/// How often, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times(usize);

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("once in a pack"),
            _ => f.write_str("twice in two packs"),
        }
    }
}

impl Deck {
    /// The packs one after the other, as new: clubs, diamonds, hearts, spades, ace to king.
    pub fn unshuffled(packs: Packs) -> Deck {
        Deck((0..packs.count()).flat_map(|_| Card::all()).collect())
    }

    /// The deck of these cards, in this order.
    ///
    /// # Errors
    /// Says how the cards are not those of the packs.
    pub fn new(packs: Packs, cards: Vec<Card>) -> Result<Deck, DeckError> {
        check_length(packs, cards.len())?;
        let mut seen = [0; Card::COUNT];
        for (index, card) in cards.iter().enumerate() {
            seen[card.index()] += 1;
            if seen[card.index()] > packs.count() {
                return Err(DeckError::OnceTooOften {
                    card: *card,
                    position: index + 1,
                    allowed: Times(packs.count()),
                });
            }
        }
        Ok(Deck(cards))
    }

    /// The deck that a client wrote, one name a card.
    ///
    /// # Errors
    /// The first thing that is wrong: the number of cards, then a name that is no card's, then a
    /// card that is there once too often.
    pub fn parse<S: AsRef<str>>(packs: Packs, names: &[S]) -> Result<Deck, DeckError> {
        check_length(packs, names.len())?;
        let parse = |(index, name): (usize, &S)| {
            let position = index + 1;
            let card = name.as_ref().parse();
            card.map_err(|_| DeckError::NoSuchCard { position })
        };
        let cards = names.iter().enumerate().map(parse);
        Deck::new(packs, cards.collect::<Result<_, _>>()?)
    }

    /// Swaps two cards, which leaves a deck a deck.
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }

    /// The deck with the cards of each pack in the order of a key.
    pub(super) fn with_packs_by<K: Ord>(mut self, key: impl Fn(Card) -> K) -> Deck {
        self.0.chunks_mut(Card::COUNT).for_each(|pack| pack.sort_by_key(|card| key(*card)));
        self
    }

    /// The deck turned over: the last card is dealt first.
    pub(super) fn reversed(mut self) -> Deck {
        self.0.reverse();
        self
    }

    /// How many packs it is made of.
    pub fn packs(&self) -> Packs {
        if self.0.len() == Packs::One.cards() { Packs::One } else { Packs::Two }
    }

    /// The cards, the one dealt first at index 0.
    pub fn cards(&self) -> &[Card] {
        &self.0
    }
}

fn check_length(packs: Packs, have: usize) -> Result<(), DeckError> {
    let want = packs.cards();
    match have {
        _ if have < want => Err(DeckError::TooFew { have, want }),
        _ if have > want => Err(DeckError::TooMany { have, want }),
        _ => Ok(()),
    }
}

/// A deck is hidden until it is dealt, so it shows no card where it might be logged.
impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Deck({} cards)", self.0.len())
    }
}

impl From<Deck> for Vec<Card> {
    fn from(deck: Deck) -> Vec<Card> {
        deck.0
    }
}

impl TryFrom<Vec<Card>> for Deck {
    type Error = DeckError;

    fn try_from(cards: Vec<Card>) -> Result<Deck, DeckError> {
        let packs = if cards.len() > Packs::One.cards() { Packs::Two } else { Packs::One };
        Deck::new(packs, cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(packs: Packs) -> Vec<String> {
        let deck = Deck::unshuffled(packs);
        deck.cards().iter().map(Card::to_string).collect()
    }

    #[test]
    fn a_deck_is_checked_card_by_card_and_each_fault_has_its_own_message() {
        let mut cases = Vec::new();
        for packs in [Packs::One, Packs::Two] {
            let whole = names(packs);
            let mut short = whole.clone();
            short.pop();
            let mut long = whole.clone();
            long.push("AC".into());
            let mut unknown = whole.clone();
            unknown[3] = "1C".into();
            let mut repeated = whole.clone();
            let last = repeated.len() - 1;
            repeated[last] = "AC".into();
            for faulty in [short, long, unknown, repeated] {
                cases.push(Deck::parse(packs, &faulty).unwrap_err().to_string());
            }
            assert!(Deck::parse(packs, &whole).is_ok());
        }
        let expected = [
            "the deck has 51 cards, too few: it must list all 52",
            "the deck has 53 cards, too many: it must list exactly 52",
            "card 4 of the deck is no card: a card is two letters, a rank of A23456789TJQK and a suit of CDHS",
            "card 52 of the deck is AC once too often: it is there once in a pack",
            "the deck has 103 cards, too few: it must list all 104",
            "the deck has 105 cards, too many: it must list exactly 104",
            "card 4 of the deck is no card: a card is two letters, a rank of A23456789TJQK and a suit of CDHS",
            "card 104 of the deck is AC once too often: it is there twice in two packs",
        ];
        assert_eq!(cases, expected);
    }

    #[test]
    fn a_deck_shows_no_card_when_it_is_debugged() {
        let text = format!("{:?}", Deck::unshuffled(Packs::Two));
        assert_eq!(text, "Deck(104 cards)");
    }
}
