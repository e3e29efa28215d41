//! Autoplay: which move is made without being asked for.

use super::table::Place;
use super::{Game, Move, Table};

/// Whether autoplay draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// It does not.
    Never,
    /// While nothing else can be done.
    WhileForced,
}

impl Table {
    /// Plays what autoplay plays, and says what.
    ///
    /// > sends up what can go up until nothing can
    pub fn autoplay(&mut self, draws: Draws) -> Vec<Move> {
        let mut played = Vec::new();
        while let Some(next) = self.next_of_autoplay(draws, &self.legal_moves()) {
            self.play(&next);
            played.push(next);
        }
        played
    }

    /// The move that autoplay makes next, where these are legal.
    pub fn next_of_autoplay(&self, draws: Draws, legal: &[Move]) -> Option<Move> {
        // > what can go up goes up, lowest source and lowest target first
        //
        // This is the order in which legal moves are listed.
        for each in legal {
            if self.goes_up(each) && !self.is_a_king_with_a_choice(each, legal) {
                return Some(each.clone());
            }
        }
        // > goes on drawing while exactly one move is legal, equal ones counted once
        //
        // No two moves of which one is a draw are equal.
        match (draws, legal) {
            (Draws::WhileForced, [Move::Draw | Move::Redeal]) => Some(legal[0].clone()),
            _ => None,
        }
    }

    /// Whether a card reaches its place. The stock's top is not seen, so it does not go up by itself; and what
    /// comes from a foundation is a captive, which has not reached its place there.
    fn goes_up(&self, each: &Move) -> bool {
        match each {
            Move::Draw | Move::Redeal => false,
            Move::Move { from, to, .. } => {
                let target = self.place(to).expect("a pile of this game");
                from != "stock" && matches!(target, Place::Foundation(_) | Place::Queens)
            }
        }
    }

    /// > leaving alone a king of Topsy-Turvy that has more than one place to go to
    fn is_a_king_with_a_choice(&self, each: &Move, legal: &[Move]) -> bool {
        let Game::TopsyTurvyQueens { foundations_start, .. } = self.game else { return false };
        let Move::Move { from, .. } = each else { return false };
        let card = self.top(self.place(from).expect("a pile of this game"), 1)[0];
        let is_of_the_same_card = |other: &&Move| matches!(other, Move::Move { from: source, .. } if source == from);
        let places = legal.iter().filter(is_of_the_same_card).filter(|other| self.goes_up(other)).count();
        card.rank() == foundations_start && places > 1
    }
}
