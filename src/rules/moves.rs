//! What a player asks for, and what the engine has found to be a move.

use super::PileIndex;

/// A move as a player asks for it: it may name piles that are not there and be as illegal as it
/// likes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// To draw a card from the stock to the waste.
    Draw,
    /// To turn the waste over to become the stock.
    Redeal,
    /// To move the top `count` cards.
    Transfer {
        /// The name of the source.
        from: String,
        /// The name of the target.
        to: String,
        /// How many cards, 1 or more.
        count: u32,
    },
}

/// A move that was legal on the table where it was judged. Moves are ordered as they are listed:
/// draw, redeal, then by source, target and count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A card is drawn from the stock to the waste.
    Draw,
    /// The waste is turned over to become the stock.
    Redeal,
    /// The top `count` cards of one pile go to another, in their order.
    Transfer {
        /// The source.
        from: PileIndex,
        /// The target.
        to: PileIndex,
        /// How many cards, 1 or more.
        count: u8,
    },
}
