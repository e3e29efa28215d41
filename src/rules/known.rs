//! What a player with a perfect memory knows of a table: what lies face up, and what has been seen of the
//! cards that lie face down.

use crate::cards::Card;

use super::pile::PileSet;
use super::{PileIndex, Step, Table, View};

/// Which of the cards that can lie face down have been seen since the deal, undone moves included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// How many cards at the bottom of the stock have never been turned up.
    unseen_stock: u8,
    /// Under which piles a captive has been seen.
    captives: PileSet,
}

/// What a player with a perfect memory knows of a table.
///
/// Architecture Invariant: like a [`View`], it has no field in which a card could stand that was never seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    view: View,
    /// The face-down cards of each pile, bottom first; none where it was never seen.
    face_down: Vec<Vec<Option<Card>>>,
}

impl Memory {
    /// That of somebody who has seen a table for the first time.
    pub fn of_deal(table: &Table) -> Memory {
        Memory { unseen_stock: table.hidden(PileIndex::STOCK).len() as u8, captives: PileSet::EMPTY }
    }

    /// Adds what a step has turned up; the table is as the step has left it.
    pub fn note(&mut self, step: &Step, table: &Table) {
        match *step {
            // The first time through, the stock is turned up card by card in the order in which it was dealt.
            Step::Turn { .. } => {
                self.unseen_stock = self.unseen_stock.min(table.hidden(PileIndex::STOCK).len() as u8);
            }
            Step::Free { pile, .. } => self.captives.insert(pile),
            Step::Redeal | Step::Shift { .. } => {}
        }
    }
}

impl Known {
    /// What is known of a table by somebody who remembers that much.
    pub fn of(table: &Table, memory: &Memory) -> Known {
        let stock_and_captives = |pile: PileIndex| -> Vec<Option<Card>> {
            let unseen = match pile {
                PileIndex::STOCK => usize::from(memory.unseen_stock),
                pile if memory.captives.contains(pile) => 0,
                _ => usize::MAX,
            };
            let cards = table.hidden(pile).iter().enumerate();
            cards.map(|(at, &card)| (at >= unseen).then_some(card)).collect()
        };
        let piles = (0..table.view().piles().len() as u8).map(PileIndex);
        Known { view: table.view().clone(), face_down: piles.map(stock_and_captives).collect() }
    }

    /// All of a table, as somebody knows it who has seen every card.
    pub fn all_of(table: &Table) -> Known {
        Known::of(table, &Memory { unseen_stock: 0, captives: PileSet::all() })
    }

    /// What lies face up.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The face-down cards of a pile, bottom first; of the stock the last is drawn next. None where a card was
    /// never seen.
    pub fn face_down(&self, pile: PileIndex) -> &[Option<Card>] {
        self.face_down.get(pile.get()).map_or(&[], Vec::as_slice)
    }
}
