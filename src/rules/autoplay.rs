//! Autoplay: what a player would do without a thought. Cards go up to their places, and if that is wished for,
//! cards are drawn while nothing else can be done.
//!
//! Each move is found on a [`View`], so that no hidden card has a say in it.

use super::{Engine, Move, PileIndex, View};

/// Whether autoplay draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// It does not.
    Never,
    /// It draws, and turns the waste over, while that is the only legal move.
    WhileForced,
}

impl Engine {
    /// The move that autoplay makes next, if there is one: the first card goes up that can, lowest source and
    /// lowest target first; when none can, the next is drawn, if it draws.
    ///
    /// A card that can start one of several piles which are not alike is left to the player, who may have a use
    /// for each of them: to start a pile over a captive is to say which captive is to be freed. A card that goes
    /// on piles goes on the lowest, whatever lies under them.
    ///
    /// It comes to an end: no card that has gone up is moved again, and the stock is drawn only as often as there
    /// are redeals.
    pub fn autoplay(&self, view: &View, drawing: Drawing) -> Option<Move> {
        self.next_up(view).or_else(|| match drawing {
            Drawing::Never => None,
            Drawing::WhileForced => self.only_move(view).filter(|only| matches!(only, Move::Draw | Move::Redeal)),
        })
    }

    fn next_up(&self, view: &View) -> Option<Move> {
        let mut upward = self.legal_moves(view);
        upward.retain(|&each| self.goes_up(view, each));
        let is_left_alone = |one| upward.iter().any(|&other| self.may_start_either(view, one, other));
        upward.iter().copied().find(|&each| !is_left_alone(each))
    }

    /// Whether a card reaches its place with a move. A card that nobody has seen does not go up.
    fn goes_up(&self, view: &View, chosen: Move) -> bool {
        let is_home = |pile| self.id(pile).kind.is_home();
        match chosen {
            Move::Draw | Move::Redeal | Move::Transfer { from: PileIndex::STOCK, .. } => false,
            Move::Transfer { from, to, .. } => is_home(to) && (!is_home(from) || self.shows_captive(view, from)),
        }
    }

    /// Whether two moves are of the same card, start a pile with it, and it makes a difference which.
    fn may_start_either(&self, view: &View, one: Move, other: Move) -> bool {
        match (one, other) {
            (Move::Transfer { from, to, .. }, Move::Transfer { from: other_from, to: other_to, .. }) => {
                let starts = |pile| view.pile(pile).cards().is_empty();
                from == other_from && (starts(to) || starts(other_to)) && !self.are_alike(view, to, other_to)
            }
            _ => false,
        }
    }
}
