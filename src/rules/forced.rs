//! Forced play: what happens while there is nothing to choose.

use std::ops::ControlFlow;

use super::{Engine, Mismatch, Move, PileIndex, Table, View};

impl Engine {
    /// The one move that is legal, if there is one and no other, equal ones counted once: the first of
    /// them.
    ///
    /// Moves are equal when as many cards go from the same pile to the same, or from and to piles that
    /// are alike: that follow the same rules, show the same cards and hide none. A card that may go to any
    /// of eight empty places has one move. What lies face down is unknown, so piles that hide a card are
    /// like no other.
    pub fn only_move(&self, view: &View) -> Option<Move> {
        let mut only = None;
        let others = self.visit_moves(view, |each| match only {
            Some(first) if !self.are_equal(view, first, each) => ControlFlow::Break(()),
            _ => {
                only.get_or_insert(each);
                ControlFlow::Continue(())
            }
        });
        only.filter(|_| others.is_continue())
    }

    /// Plays the [only move](Engine::only_move) again and again, until there is none or a choice, and at most so
    /// many times, since cards could be forced to and fro for ever. Gives how many moves were made.
    ///
    /// # Errors
    /// [`Mismatch`] on a table of another game; on one that this engine has dealt, every step fits.
    pub fn play_forced(&self, table: &mut Table, most: usize) -> Result<usize, Mismatch> {
        let mut moves = 0;
        while moves < most
            && let Some(only) = self.only_move(table.view())
        {
            for step in &self.steps(table, only) {
                table.apply(step)?;
            }
            moves += 1;
        }
        Ok(moves)
    }

    /// Whether two moves lead to tables that differ in nothing but which of some piles is which.
    fn are_equal(&self, view: &View, one: Move, other: Move) -> bool {
        let alike = |a, b| self.are_alike(view, a, b);
        match (one, other) {
            (Move::Transfer { from: a, to: b, count: n }, Move::Transfer { from: c, to: d, count: m }) => {
                n == m && alike(a, c) && alike(b, d)
            }
            _ => one == other,
        }
    }

    /// Whether two piles follow the same rules and show the same cards, and hide none.
    pub(super) fn are_alike(&self, view: &View, one: PileIndex, other: PileIndex) -> bool {
        let same_rules = || std::ptr::eq(self.group(one), self.group(other));
        one == other || view.pile(one) == view.pile(other) && view.pile(one).face_down() == 0 && same_rules()
    }
}
