//! Search over tables and over what a player can see.
//!
//! What happens before a deal or after the end may use all cards: [`solve()`] looks for a line that wins. What a
//! player is told while he plays follows from what he [knows](crate::rules::Known): [`hint()`] and [`outlook()`].
//!
//! Architecture Invariant: a search is bounded by the tables that it may look at and knows no clock, so it finds
//! the same again.

mod beam;
mod captives;
mod certain;
mod ground;
mod hint;
mod hope;
mod moves;
mod outlook;
mod position;
mod random;
mod shorten;
#[cfg(test)]
mod tests;
mod thoughtful;
mod tries;
mod understood;
mod worth;

pub use hint::{Hint, TO_SEE_THE_END, Why, hint};
pub use outlook::{Outlook, outlook};
pub use thoughtful::{Solution, Verdict, solve};

/// How many tables a search may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// So many.
    pub tables: u64,
}
