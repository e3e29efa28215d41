//! The deals of PySolFC: the deck that it deals under one of its game numbers, so that what somebody has played there can be
//! played here.
//!
//! As PySolFC 3.6 has it: the packs are stacked, shuffled by a Fisher–Yates shuffle from the last card down, and dealt from
//! the end. Below 32,000 the shuffle is driven by the generator of Microsoft's C library, and one pack is stacked by rank, so
//! that these are the deals of Microsoft's FreeCell; from there on by Python's `random.Random`, a Mersenne Twister.

use std::fmt;
use std::str::FromStr;

use rand_mt::Mt;
use serde::{Deserialize, Serialize};

use super::{Deck, Packs, Suit};

/// The number of a PySolFC game, 0 to [`PysolfcNumber::MAX`].
///
/// PySolFC 3.6 itself plays no game 0, though earlier ones did; here it is dealt like those after it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u128", into = "u128")]
pub struct PysolfcNumber(u128);

/// The text or the number is no PySolFC number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a PySolFC number is 0 to {}, in decimal digits without a sign or leading zeros", PysolfcNumber::MAX)]
pub struct PysolfcNumberError;

impl PysolfcNumber {
    /// The greatest: the bound of the numbers that PySolFC draws, 10²⁰.
    pub const MAX: u128 = 10_u128.pow(20);

    /// How many digits the greatest has.
    const MAX_DIGITS: usize = 21;

    /// From here on Python's generator shuffles.
    const PYTHONS: u128 = 32_000;

    /// Shuffles the packs: the deck that PySolFC deals under this number.
    pub fn deck(self, packs: Packs) -> Deck {
        if self.0 < PysolfcNumber::PYTHONS {
            let mut generator = Microsofts(self.0 as u32);
            shuffled(stacked_for_microsoft(packs), |bound| generator.below(bound))
        } else {
            let mut generator = Pythons::new(self.0);
            shuffled(stacked(packs), |bound| generator.below(bound))
        }
    }
}

/// The packs as PySolFC stacks them: each by clubs, spades, hearts, diamonds, ace to king.
fn stacked(packs: Packs) -> Deck {
    let place = |suit| match suit {
        Suit::Clubs => 0,
        Suit::Spades => 1,
        Suit::Hearts => 2,
        Suit::Diamonds => 3,
    };
    Deck::unshuffled(packs).with_packs_by(|card| (place(card.suit()), card.rank()))
}

/// The same for Microsoft's generator: one pack is by rank, clubs, diamonds, hearts, spades; two are as always.
fn stacked_for_microsoft(packs: Packs) -> Deck {
    match packs {
        Packs::One => Deck::unshuffled(packs).with_packs_by(|card| (card.rank(), card.suit())),
        Packs::Two => stacked(packs),
    }
}

/// The deck shuffled with numbers that are drawn below a bound, and turned over.
fn shuffled(mut deck: Deck, mut below: impl FnMut(u32) -> u32) -> Deck {
    for last in (1..deck.cards().len()).rev() {
        let chosen = below(last as u32 + 1);
        deck.swap(last, chosen as usize);
    }
    deck.reversed()
}

/// The generator of Microsoft's C library: a linear congruence modulo 2³¹, of which the upper 15 bits are given.
struct Microsofts(u32);

impl Microsofts {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(214_013).wrapping_add(2_531_011) & (u32::MAX >> 1);
        (self.0 >> 16) % bound
    }
}

/// The generator of Python's `random.Random`.
struct Pythons(Mt);

impl Pythons {
    /// Seeded with a number as Python does it: its 32-bit words, the lowest first and none beyond the highest.
    fn new(number: u128) -> Pythons {
        let words = (u128::BITS - number.leading_zeros()).div_ceil(u32::BITS);
        Pythons(Mt::new_with_key((0..words).map(|word| (number >> (word * u32::BITS)) as u32)))
    }

    /// A fraction of 53 random bits, which two words give.
    fn fraction(&mut self) -> f64 {
        let (high, low) = (self.0.next_u32() >> 5, self.0.next_u32() >> 6);
        ((u64::from(high) << 26) | u64::from(low)) as f64 / (1_u64 << 53) as f64
    }

    /// As PySolFC does it, in doubles. For bounds as small as a deck, the product is never rounded up to the bound.
    fn below(&mut self, bound: u32) -> u32 {
        (self.fraction() * f64::from(bound)) as u32
    }
}

impl FromStr for PysolfcNumber {
    type Err = PysolfcNumberError;

    fn from_str(text: &str) -> Result<PysolfcNumber, PysolfcNumberError> {
        let is_number =
            (1..=PysolfcNumber::MAX_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_padded = text.len() > 1 && text.starts_with('0');
        if !is_number || is_padded {
            return Err(PysolfcNumberError);
        }
        text.parse().map_err(|_| PysolfcNumberError).and_then(u128::try_into)
    }
}

impl TryFrom<u128> for PysolfcNumber {
    type Error = PysolfcNumberError;

    fn try_from(number: u128) -> Result<PysolfcNumber, PysolfcNumberError> {
        if number <= PysolfcNumber::MAX { Ok(PysolfcNumber(number)) } else { Err(PysolfcNumberError) }
    }
}

impl From<PysolfcNumber> for u128 {
    fn from(number: PysolfcNumber) -> u128 {
        number.0
    }
}

/// Its decimal digits.
impl fmt::Display for PysolfcNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The cards follow from it and are secret until their session is over, so it is not shown where it might be logged.
impl fmt::Debug for PysolfcNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PysolfcNumber(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_back_from_its_digits() {
        for text in
            ["0", "1", "31999", "32000", "18446744073709551616", "99999999999999999999", "100000000000000000000"]
        {
            let number: PysolfcNumber = text.parse().unwrap();
            assert_eq!(number.to_string(), text);
            assert_eq!(u128::from(number).try_into(), Ok(number));
        }
    }

    #[test]
    fn what_is_no_number_of_pysolfc_is_refused() {
        let too_long = "1".repeat(1_000_000);
        let others = ["", "-1", "+1", "00", "01", " 1", "1 ", "1.0", "1e3", "0x10", "ms1", "1_000", "1,000", "١", "１"];
        for text in others.into_iter().chain(["100000000000000000001", "999999999999999999999", &too_long]) {
            assert_eq!(text.parse::<PysolfcNumber>(), Err(PysolfcNumberError), "{text:?}");
        }
        assert_eq!(PysolfcNumber::try_from(PysolfcNumber::MAX + 1), Err(PysolfcNumberError));
    }

    #[test]
    fn a_number_is_not_shown_when_it_is_debugged() {
        assert_eq!(format!("{:?}", "12345".parse::<PysolfcNumber>()), "Ok(PysolfcNumber(…))");
    }

    #[test]
    fn no_fraction_is_so_great_that_it_would_choose_a_card_beyond_the_last() {
        let greatest = 1.0 - f64::EPSILON / 2.0;
        for bound in 2..=Packs::Two.cards() as u32 {
            assert_eq!((greatest * f64::from(bound)) as u32, bound - 1);
        }
    }
}
