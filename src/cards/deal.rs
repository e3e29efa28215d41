//! The deal: the shuffle that turns a seed into a deck, the same on every machine and for good.
//!
//! The key is the SHA-256 of `patience/deal/1`, a zero byte and the seed's UTF-8 bytes. It starts
//! a ChaCha20 keystream (RFC 8439, nonce zero, counter from 0) that is read as little-endian
//! 32-bit words. The words drive a Fisher–Yates shuffle from the last card down; a word that would
//! favour some cards is passed over.

use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Deck, Packs};

/// What the first bytes of every key are; another shuffle would have another number.
const DOMAIN: &[u8] = b"patience/deal/1\0";

/// The text that a deal follows from, 1 to 64 characters.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seed(Box<str>);

/// The text is no seed: it is empty or longer than [`Seed::MAX_CHARS`] characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed has 1 to {} characters", Seed::MAX_CHARS)]
pub struct SeedError;

impl Seed {
    /// The most characters (Unicode scalar values) that a seed has.
    pub const MAX_CHARS: usize = 64;

    /// A seed of 128 random bits: 32 lower-case hexadecimal digits.
    pub fn from_random(bits: [u8; 16]) -> Seed {
        Seed(hex::encode(bits).into())
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hexadecimal SHA-256 of the text, which pins the seed without showing it.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }

    /// Shuffles the packs: the deck that follows from this seed.
    pub fn deck(&self, packs: Packs) -> Deck {
        let key = Sha256::new_with_prefix(DOMAIN).chain_update(self.0.as_bytes());
        let mut words = ChaCha20Rng::from_seed(key.finalize().into());
        let mut deck = Deck::unshuffled(packs);
        for last in (1..packs.cards()).rev() {
            let chosen = below(last as u32 + 1, &mut words);
            deck.swap(last, chosen as usize);
        }
        deck
    }
}

/// The next number below `bound`, each equally likely: words beyond the last whole multiple of
/// `bound` are passed over.
fn below(bound: u32, words: &mut ChaCha20Rng) -> u32 {
    let whole = (1 << 32) - (1 << 32) % u64::from(bound);
    loop {
        let word = words.next_u32();
        if u64::from(word) < whole {
            return word % bound;
        }
    }
}

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Seed, SeedError> {
        match text.chars().take(Seed::MAX_CHARS + 1).count() {
            1..=Seed::MAX_CHARS => Ok(Seed(text.into())),
            _ => Err(SeedError),
        }
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> String {
        seed.0.into()
    }
}

/// A seed is secret until its session is over, so it is not shown where it might be logged.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_1_to_64_characters_however_many_bytes() {
        assert_eq!(Seed::try_from(String::new()), Err(SeedError));
        assert!(Seed::try_from("é".repeat(64)).is_ok());
        assert_eq!(Seed::try_from("é".repeat(65)), Err(SeedError));
    }

    #[test]
    fn a_seed_is_not_shown_when_it_is_debugged() {
        assert_eq!(format!("{:?}", Seed::from_random([7; 16])), "Seed(…)");
    }

    #[test]
    fn the_commitment_is_the_sha_256_of_the_text() {
        let seed = Seed::try_from("abc".to_string()).unwrap();
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(seed.commitment(), known);
    }
}
