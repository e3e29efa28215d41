//! The table: what a player sees of it, what lies face down, and the steps that change it.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::cards::Card;

use super::{Move, PileIndex};

/// The cards of a pile, bottom first. Most piles are short enough to need no heap.
type Cards = SmallVec<[Card; 16]>;

/// What everyone may see of a table: the face-up cards, and how many lie face down.
///
/// Architecture Invariant: a view has no field in which a hidden card could stand, so whatever is
/// made from a view cannot depend on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    piles: Vec<PileView>,
    redeals_left: u32,
}

/// What everyone may see of a pile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PileView {
    face_down: u8,
    cards: Cards,
}

/// All the cards of a game, each in its pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    view: View,
    /// The face-down cards of each pile, bottom first; the stock's last is drawn next.
    hidden: Vec<Cards>,
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
    pub fn piles(&self) -> &[PileView] {
        &self.piles
    }

    /// One pile of a table that has it.
    pub fn pile(&self, pile: PileIndex) -> &PileView {
        &self.piles[pile.get()]
    }

    /// How often the waste may still be turned over.
    pub fn redeals_left(&self) -> u32 {
        self.redeals_left
    }
}

impl PileView {
    /// How many cards lie face down at the bottom.
    pub fn face_down(&self) -> usize {
        usize::from(self.face_down)
    }

    /// The face-up cards, the top one last.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The top card if it lies face up.
    pub fn top(&self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// Whether there is no card at all.
    pub fn is_empty(&self) -> bool {
        self.face_down == 0 && self.cards.is_empty()
    }
}

impl Step {
    /// The move that a player made with this step, if it is more than what followed from one.
    pub fn as_move(&self) -> Option<Move> {
        match *self {
            Step::Turn { to, .. } if to == PileIndex::WASTE => Some(Move::Draw),
            Step::Turn { to, .. } => Some(Move::Transfer { from: PileIndex::STOCK, to, count: 1 }),
            Step::Redeal => Some(Move::Redeal),
            Step::Shift { from, to, count } => Some(Move::Transfer { from, to, count }),
            Step::Free { .. } => None,
        }
    }
}

impl Table {
    /// A table as it stands: the face-down and the face-up cards of each pile, bottom first.
    pub fn standing<'a>(piles: impl IntoIterator<Item = (&'a [Card], &'a [Card])>, redeals_left: u32) -> Table {
        let (hidden, piles) = piles
            .into_iter()
            .map(|(hidden, cards)| {
                let face_down = hidden.len() as u8;
                (Cards::from_slice(hidden), PileView { face_down, cards: Cards::from_slice(cards) })
            })
            .unzip();
        Table { view: View { piles, redeals_left }, hidden }
    }

    pub(super) fn empty(piles: usize, redeals: u32) -> Table {
        Table {
            view: View { piles: vec![PileView::default(); piles], redeals_left: redeals },
            hidden: vec![Cards::new(); piles],
        }
    }

    pub(super) fn lay_face_up(&mut self, pile: PileIndex, card: Card) {
        self.view.piles[pile.get()].cards.push(card);
    }

    pub(super) fn lay_face_down(&mut self, pile: PileIndex, card: Card) {
        self.hidden[pile.get()].push(card);
        self.view.piles[pile.get()].face_down += 1;
    }

    /// What everyone may see of it.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The face-down cards of a pile, bottom first; the stock's last is drawn next.
    pub fn hidden(&self, pile: PileIndex) -> &[Card] {
        &self.hidden[pile.get()]
    }

    /// Does a step.
    ///
    /// # Errors
    /// [`Mismatch`] if the step does not fit; the table is then as it was.
    pub fn apply(&mut self, step: &Step) -> Result<(), Mismatch> {
        match *step {
            Step::Turn { to, card } => {
                self.has(to)?;
                self.take_hidden(PileIndex::STOCK, card)?;
                self.lay_face_up(to, card);
            }
            Step::Redeal => {
                let waste_is_empty = self.view.pile(PileIndex::WASTE).cards.is_empty();
                if waste_is_empty || !self.hidden[PileIndex::STOCK.get()].is_empty() {
                    return Err(Mismatch);
                }
                self.view.redeals_left = self.view.redeals_left.checked_sub(1).ok_or(Mismatch)?;
                let waste = std::mem::take(&mut self.view.piles[PileIndex::WASTE.get()].cards);
                self.view.piles[PileIndex::STOCK.get()].face_down = waste.len() as u8;
                self.hidden[PileIndex::STOCK.get()].extend(waste.into_iter().rev());
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
                let waste_is_empty = self.view.pile(PileIndex::WASTE).cards.is_empty();
                if self.hidden[PileIndex::STOCK.get()].is_empty() || !waste_is_empty {
                    return Err(Mismatch);
                }
                self.view.redeals_left += 1;
                self.view.piles[PileIndex::STOCK.get()].face_down = 0;
                let stock = std::mem::take(&mut self.hidden[PileIndex::STOCK.get()]);
                let waste = &mut self.view.piles[PileIndex::WASTE.get()].cards;
                waste.extend(stock.into_iter().rev());
            }
            Step::Shift { from, to, count } => self.shift(to, from, count)?,
            Step::Free { pile, card } => {
                self.take_top(pile, card)?;
                self.lay_face_down(pile, card);
            }
        }
        Ok(())
    }

    fn has(&self, pile: PileIndex) -> Result<(), Mismatch> {
        (pile.get() < self.hidden.len()).then_some(()).ok_or(Mismatch)
    }

    fn shift(&mut self, from: PileIndex, to: PileIndex, count: u8) -> Result<(), Mismatch> {
        self.has(from)?;
        let (from, to) = (from.get(), to.get());
        let [source, target] = self.view.piles.get_disjoint_mut([from, to]).map_err(|_| Mismatch)?;
        let rest = source.cards.len().checked_sub(usize::from(count)).ok_or(Mismatch)?;
        target.cards.extend_from_slice(&source.cards[rest..]);
        source.cards.truncate(rest);
        Ok(())
    }

    fn take_hidden(&mut self, pile: PileIndex, card: Card) -> Result<(), Mismatch> {
        let hidden = self.hidden.get_mut(pile.get()).ok_or(Mismatch)?;
        if hidden.last() != Some(&card) {
            return Err(Mismatch);
        }
        hidden.pop();
        self.view.piles[pile.get()].face_down -= 1;
        Ok(())
    }

    fn take_top(&mut self, pile: PileIndex, card: Card) -> Result<(), Mismatch> {
        let pile = self.view.piles.get_mut(pile.get()).ok_or(Mismatch)?;
        if pile.top() != Some(card) {
            return Err(Mismatch);
        }
        pile.cards.pop();
        Ok(())
    }
}
