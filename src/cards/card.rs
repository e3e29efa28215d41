//! Rank, suit and card, and their two-letter names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A card's rank, ace low: [`Rank::Ace`] is the first of thirteen and [`Rank::King`] the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the thirteen ranks say what they are")]
pub enum Rank {
    Ace,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
}

impl Rank {
    /// All ranks, from ace to king.
    pub const ALL: [Rank; 13] = [
        Rank::Ace,
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
    ];

    const LETTERS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];

    /// The rank one higher, and the ace above the king.
    pub const fn above(self) -> Rank {
        Rank::ALL[(self as usize + 1) % 13]
    }

    /// The rank one lower, and the king below the ace.
    pub const fn below(self) -> Rank {
        Rank::ALL[(self as usize + 12) % 13]
    }

    /// Its letter, one of `A23456789TJQK`.
    pub const fn letter(self) -> char {
        Rank::LETTERS[self as usize]
    }

    /// The rank of that letter.
    pub fn from_letter(letter: char) -> Option<Rank> {
        let index = Rank::LETTERS.iter().position(|&each| each == letter)?;
        Some(Rank::ALL[index])
    }
}

/// A card's suit, in the order of the English alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the four suits say what they are")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All suits: clubs, diamonds, hearts, spades.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    const LETTERS: [char; 4] = ['C', 'D', 'H', 'S'];

    /// Its letter, one of `CDHS`.
    pub const fn letter(self) -> char {
        Suit::LETTERS[self as usize]
    }

    /// The suit of that letter.
    pub fn from_letter(letter: char) -> Option<Suit> {
        let index = Suit::LETTERS.iter().position(|&each| each == letter)?;
        Some(Suit::ALL[index])
    }
}

/// One of the fifty-two cards, written as rank then suit: `TS` is the ten of spades.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many different cards there are.
    pub const COUNT: usize = 52;

    /// The card of that rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(suit as u8 * 13 + rank as u8)
    }

    /// Its rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.0 as usize % 13]
    }

    /// Its suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize / 13]
    }

    /// Its place among the fifty-two, 0 to 51: clubs, diamonds, hearts, spades, each from ace to
    /// king.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The card at that place, the inverse of [`Card::index`].
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < Card::COUNT { Some(Card(index as u8)) } else { None }
    }

    /// All fifty-two cards in the order of their [index](Card::index).
    pub fn all() -> impl Iterator<Item = Card> + Clone {
        (0..Card::COUNT as u8).map(Card)
    }

    /// Its two letters, without an allocation.
    pub const fn as_str(self) -> &'static str {
        const NAMES: &str = "AC2C3C4C5C6C7C8C9CTCJCQCKC\
                             AD2D3D4D5D6D7D8D9DTDJDQDKD\
                             AH2H3H4H5H6H7H8H9HTHJHQHKH\
                             AS2S3S4S5S6S7S8S9STSJSQSKS";
        let (_, from) = NAMES.split_at(self.0 as usize * 2);
        from.split_at(2).0
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is not a card's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card is two letters, a rank of A23456789TJQK and a suit of CDHS")]
pub struct ParseCardError;

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        let mut letters = text.chars();
        let rank = letters.next().and_then(Rank::from_letter);
        let suit = letters.next().and_then(Suit::from_letter);
        match (rank, suit, letters.next()) {
            (Some(rank), Some(suit), None) => Ok(Card::new(rank, suit)),
            _ => Err(ParseCardError),
        }
    }
}

/// Its two letters where the format is for people, its index where it is for machines.
impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.as_str())
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        if deserializer.is_human_readable() {
            let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
            text.parse().map_err(de::Error::custom)
        } else {
            let index = u8::deserialize(deserializer)?;
            Card::from_index(usize::from(index)).ok_or_else(|| de::Error::custom(ParseCardError))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_read_back_from_its_name_and_its_index() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::from_index(card.index()), Some(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
            let letters = [card.rank().letter(), card.suit().letter()];
            assert_eq!(String::from_iter(letters), card.as_str());
        }
        assert_eq!(Card::from_index(52), None);
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "A", "AX", "1S", "10S", "ts", "SA", "AS ", " AS", "ÄS", "🂡"] {
            assert_eq!(text.parse::<Card>(), Err(ParseCardError), "{text:?}");
        }
    }

    #[test]
    fn ranks_turn_the_corner_between_king_and_ace() {
        assert_eq!(Rank::King.above(), Rank::Ace);
        assert_eq!(Rank::Ace.below(), Rank::King);
        for rank in Rank::ALL {
            assert_eq!(rank.above().below(), rank);
        }
    }
}
