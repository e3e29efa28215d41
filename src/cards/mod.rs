//! Playing cards: ranks, suits, cards, decks, and the shuffles that turn a seed or a number into a deck.
//!
//! None of these types can hold nonsense: a [`Rank`] is one of thirteen, a [`Card`] one of
//! fifty-two, and a [`Deck`] has every card of its packs exactly as often as the packs do. The
//! cards of two packs carry no mark of which pack they came from: two equal cards are the same
//! value.

mod card;
mod deal;
mod deck;
mod pysolfc;

pub use card::{Card, ParseCardError, Rank, Suit};
pub use deal::{Seed, SeedError};
pub use deck::{Deck, DeckError, Packs};
pub use pysolfc::{PysolfcNumber, PysolfcNumberError};
