//! Moves as they are made, one after another, for the entry that is to record them.

use crate::rules::{Drawing, Engine, Move, Steps, Table};

use super::Session;
use super::entry::Play;

/// The most moves of an entry. No game of the catalogue has so many to make by itself; if one had, autoplay would
/// stop there, and could be asked to go on.
const MOST_MOVES: usize = 1_000;

/// Moves on a copy of a session's table.
pub(super) struct Playing<'a> {
    engine: &'a Engine,
    table: Table,
    steps: Steps,
    moves: usize,
}

impl Playing<'_> {
    pub(super) fn on(session: &Session) -> Playing<'_> {
        Playing { engine: session.engine(), table: session.table().clone(), steps: Steps::new(), moves: 0 }
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, chosen: Move) {
        let steps = self.engine.steps(&self.table, chosen);
        // The steps were made from this very table, so they fit it.
        let _fits = steps.iter().try_for_each(|step| self.table.apply(step));
        debug_assert!(_fits.is_ok());
        self.steps.extend(steps);
        self.moves += 1;
    }

    /// Makes the moves that autoplay finds.
    pub(super) fn autoplay(&mut self, drawing: Drawing) {
        while self.moves < MOST_MOVES
            && let Some(next) = self.engine.autoplay(self.table.view(), drawing)
        {
            self.play(next);
        }
    }

    /// Whether any move was made.
    pub(super) fn has_begun(&self) -> bool {
        self.moves > 0
    }

    /// The moves that were made, and how the game stands.
    pub(super) fn end(self) -> Play {
        Play { outcome: self.engine.outcome(self.table.view()), steps: self.steps }
    }
}
