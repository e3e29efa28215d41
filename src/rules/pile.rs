//! Pile kinds, the names of piles, and their places in a table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of pile a pile is, in the order in which piles stand everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PileKind {
    /// The face-down pile that cards are drawn from.
    Stock,
    /// The face-up pile that cards are drawn to.
    Waste,
    /// A pile that grows by its own sequence; a card there has reached its place.
    Foundation,
    /// A face-up pile to build on.
    Tableau,
    /// The place of the queens; a card there has reached its place.
    Queens,
}

impl PileKind {
    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            PileKind::Stock => "stock",
            PileKind::Waste => "waste",
            PileKind::Foundation => "foundation",
            PileKind::Tableau => "tableau",
            PileKind::Queens => "queens",
        }
    }

    /// Whether a card there has reached its place.
    pub const fn is_home(self) -> bool {
        matches!(self, PileKind::Foundation | PileKind::Queens)
    }

    /// Whether its piles are numbered from 1; of the others a game has one.
    pub const fn is_numbered(self) -> bool {
        matches!(self, PileKind::Foundation | PileKind::Tableau)
    }
}

/// The name of a pile: `stock`, `waste`, `foundation-1` …, `tableau-1` …, `queens`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PileId {
    /// The kind.
    pub kind: PileKind,
    /// Which of its kind, from 1.
    pub number: u8,
}

impl fmt::Display for PileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if self.kind.is_numbered() {
            write!(f, "-{}", self.number)?;
        }
        Ok(())
    }
}

/// Where a pile stands in a table, from 0: the stock, the waste, foundations, tableau, queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PileIndex(pub(super) u8);

impl PileIndex {
    /// The stock is the first pile of every game.
    pub const STOCK: PileIndex = PileIndex(0);
    /// The waste is the second.
    pub const WASTE: PileIndex = PileIndex(1);

    /// The number itself.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// A set of piles, one bit each: a game has at most [`PileSet::CAPACITY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PileSet(u32);

impl PileSet {
    pub(super) const CAPACITY: usize = 32;
    pub(super) const EMPTY: PileSet = PileSet(0);

    pub(super) const fn all() -> PileSet {
        PileSet(u32::MAX)
    }

    pub(super) const fn of(pile: PileIndex) -> PileSet {
        PileSet(1 << pile.0)
    }

    pub(super) fn insert(&mut self, pile: PileIndex) {
        self.0 |= 1 << pile.0;
    }

    pub(super) const fn contains(self, pile: PileIndex) -> bool {
        self.0 >> pile.0 & 1 == 1
    }

    pub(super) const fn and(self, other: PileSet) -> PileSet {
        PileSet(self.0 & other.0)
    }

    pub(super) const fn or(self, other: PileSet) -> PileSet {
        PileSet(self.0 | other.0)
    }

    pub(super) const fn without(self, other: PileSet) -> PileSet {
        PileSet(self.0 & !other.0)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The piles of a set, first to last.
impl Iterator for PileSet {
    type Item = PileIndex;

    fn next(&mut self) -> Option<PileIndex> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(PileIndex(first))
    }
}
