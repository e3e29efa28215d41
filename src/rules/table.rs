//! The table: what a player sees of it, what lies face down, and the steps that change it.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::cards::Card;

use super::pile::PileSet;
use super::row::Row;
use super::{Move, PileIndex};

/// What everyone may see of a table: the face-up cards, and how many lie face down.
///
/// Architecture Invariant: a view has no field in which a hidden card could stand, so whatever is
/// made from a view cannot depend on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    face_up: Row,
    /// How many cards lie face down at the bottom of each pile.
    face_down: ArrayVec<u8, { PileSet::CAPACITY }>,
    redeals_left: u32,
}

/// What everyone may see of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PileView<'a> {
    face_down: u8,
    cards: &'a [Card],
}

/// All the cards of a game, each in its pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    view: View,
    /// The face-down cards of each pile; the stock's last is drawn next.
    hidden: Row,
}

/// One thing that happens to a table, with facts enough to do and to undo it without the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// The top card of the stock goes face up to a pile; to the waste, it is drawn.
    Turn {
        /// The pile that it goes to.
        to: PileIndex,
        /// The card.
        card: Card,
    },
    /// The waste is turned over to become the stock.
    Redeal,
    /// The top face-up cards of a pile go to another, in their order.
    Shift {
        /// The source.
        from: PileIndex,
        /// The target.
        to: PileIndex,
        /// How many.
        count: u8,
    },
    /// The captive under a complete pile is turned face up on top of it.
    Free {
        /// The pile.
        pile: PileIndex,
        /// The captive.
        card: Card,
    },
}

/// The steps of one move: one, or two when it frees a captive.
pub type Steps = SmallVec<[Step; 2]>;

/// A step does not fit the table, so it is none that was recorded there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a recorded step does not fit the table")]
pub struct Mismatch;

impl View {
    /// The piles in their order.
    pub fn piles(&self) -> impl ExactSizeIterator<Item = PileView<'_>> {
        (0..self.face_down.len() as u8).map(|pile| self.pile(PileIndex(pile)))
    }

    /// One pile of a table that has it.
    pub fn pile(&self, pile: PileIndex) -> PileView<'_> {
        PileView { face_down: self.face_down[pile.get()], cards: self.face_up.pile(pile) }
    }

    fn has(&self, pile: PileIndex) -> bool {
        pile.get() < self.face_down.len()
    }

    /// How often the waste may still be turned over.
    pub fn redeals_left(&self) -> u32 {
        self.redeals_left
    }
}

impl<'a> PileView<'a> {
    /// How many cards lie face down at the bottom.
    pub fn face_down(self) -> usize {
        usize::from(self.face_down)
    }

    /// The face-up cards, the top one last.
    pub fn cards(self) -> &'a [Card] {
        self.cards
    }

    /// The top card if it lies face up.
    pub fn top(self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// Whether there is no card at all.
    pub fn is_empty(self) -> bool {
        self.face_down == 0 && self.cards.is_empty()
    }

    /// The lowest of the top `count` cards, the one that decides where they can go.
    pub(super) fn lowest_of(self, count: usize) -> Option<Card> {
        let index = self.cards.len().checked_sub(count)?;
        self.cards.get(index).copied()
    }
}

impl Step {
    /// The move that a player made with this step, if it is more than what followed from one.
    pub fn as_move(&self) -> Option<Move> {
        match *self {
            Step::Turn { to: PileIndex::WASTE, .. } => Some(Move::Draw),
            Step::Turn { to, .. } => Some(Move::Transfer { from: PileIndex::STOCK, to, count: 1 }),
            Step::Redeal => Some(Move::Redeal),
            Step::Shift { from, to, count } => Some(Move::Transfer { from, to, count }),
            Step::Free { .. } => None,
        }
    }
}

impl Table {
    /// A table as it stands: the face-down and the face-up cards of each pile, bottom first; at most 32
    /// piles and 104 cards.
    ///
    /// # Panics
    /// If there are more.
    pub fn standing<'a>(piles: impl ExactSizeIterator<Item = (&'a [Card], &'a [Card])>, redeals_left: u32) -> Table {
        let mut table = Table::empty(piles.len(), redeals_left);
        for (pile, (face_down, face_up)) in (0..).map(PileIndex).zip(piles) {
            face_down.iter().for_each(|&card| table.lay_face_down(pile, card));
            face_up.iter().for_each(|&card| table.lay_face_up(pile, card));
        }
        table
    }

    pub(super) fn empty(piles: usize, redeals_left: u32) -> Table {
        let face_down = std::iter::repeat_n(0, piles).collect();
        let view = View { face_up: Row::empty(), face_down, redeals_left };
        Table { view, hidden: Row::empty() }
    }

    pub(super) fn lay_face_up(&mut self, pile: PileIndex, card: Card) {
        self.view.face_up.push(pile, card);
    }

    pub(super) fn lay_face_down(&mut self, pile: PileIndex, card: Card) {
        self.hidden.push(pile, card);
        self.view.face_down[pile.get()] += 1;
    }

    /// What everyone may see of it.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The face-down cards of a pile, bottom first; the stock's last is drawn next.
    pub fn hidden(&self, pile: PileIndex) -> &[Card] {
        self.hidden.pile(pile)
    }

    /// Does a step.
    ///
    /// # Errors
    /// [`Mismatch`] if the step does not fit; the table is then as it was.
    pub fn apply(&mut self, step: &Step) -> Result<(), Mismatch> {
        match *step {
            Step::Turn { to, card } => {
                must(self.view.has(to))?;
                self.take_hidden(PileIndex::STOCK, card)?;
                self.lay_face_up(to, card);
            }
            Step::Redeal => {
                must(self.hidden(PileIndex::STOCK).is_empty() && !self.waste().is_empty())?;
                self.view.redeals_left = self.view.redeals_left.checked_sub(1).ok_or(Mismatch)?;
                self.view.face_down[PileIndex::STOCK.get()] = self.waste().len() as u8;
                self.view.face_up.turn_over(PileIndex::WASTE, &mut self.hidden, PileIndex::STOCK);
            }
            Step::Shift { from, to, count } => self.shift(from, to, count)?,
            Step::Free { pile, card } => {
                self.take_hidden(pile, card)?;
                self.lay_face_up(pile, card);
            }
        }
        Ok(())
    }

    /// Undoes a step that was the last to be done.
    ///
    /// # Errors
    /// [`Mismatch`] if it cannot have been; the table is then as it was.
    pub fn revert(&mut self, step: &Step) -> Result<(), Mismatch> {
        match *step {
            Step::Turn { to, card } => {
                self.take_top(to, card)?;
                self.lay_face_down(PileIndex::STOCK, card);
            }
            Step::Redeal => {
                must(!self.hidden(PileIndex::STOCK).is_empty() && self.waste().is_empty())?;
                self.view.redeals_left += 1;
                self.view.face_down[PileIndex::STOCK.get()] = 0;
                self.hidden.turn_over(PileIndex::STOCK, &mut self.view.face_up, PileIndex::WASTE);
            }
            Step::Shift { from, to, count } => self.shift(to, from, count)?,
            Step::Free { pile, card } => {
                self.take_top(pile, card)?;
                self.lay_face_down(pile, card);
            }
        }
        Ok(())
    }

    fn waste(&self) -> &[Card] {
        self.view.face_up.pile(PileIndex::WASTE)
    }

    fn shift(&mut self, from: PileIndex, to: PileIndex, count: u8) -> Result<(), Mismatch> {
        must(from != to && self.view.has(from) && self.view.has(to))?;
        let row = &mut self.view.face_up;
        must(usize::from(count) <= row.pile(from).len())?;
        row.shift(from, to, count);
        Ok(())
    }

    fn take_hidden(&mut self, pile: PileIndex, card: Card) -> Result<(), Mismatch> {
        must(self.hidden(pile).last() == Some(&card))?;
        self.hidden.pop(pile);
        self.view.face_down[pile.get()] -= 1;
        Ok(())
    }

    fn take_top(&mut self, pile: PileIndex, card: Card) -> Result<(), Mismatch> {
        must(self.view.face_up.pile(pile).last() == Some(&card))?;
        self.view.face_up.pop(pile);
        Ok(())
    }
}

fn must(fits: bool) -> Result<(), Mismatch> {
    fits.then_some(()).ok_or(Mismatch)
}
