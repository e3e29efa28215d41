//! Numbers that look like chance and are the same each time.

use super::position::mixed;

/// A generator of numbers that follow from the first (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn from(start: u64) -> Random {
        Random(start)
    }

    /// A number below a bound that is not 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed(self.0)) * bound as u128) >> 64) as usize
    }

    /// Brings things into another order, each as likely as the other.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
