//! A game as it is played from a command line, move by move and never past the engine: whoever chose a move, it is
//! made only if it is legal.

use std::sync::Arc;

use crate::cards::{Card, Deck};
use crate::rules::{Engine, Known, Memory, Move, Outcome, Step, Table, View};

/// A game that is played.
#[derive(Debug)]
pub(super) struct Play {
    engine: Arc<Engine>,
    table: Table,
    memory: Memory,
    /// How many moves have been made.
    moves: u32,
    /// The legal moves of the table that was judged last, kept so that they need no new memory.
    legal: Vec<Move>,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    /// The move.
    pub(super) chosen: Move,
    /// The cards that it has moved, the lowest first; none for a redeal.
    pub(super) cards: Vec<Card>,
    /// The captive that it has freed.
    pub(super) freed: Option<Card>,
}

impl Play {
    /// A game that has just been dealt.
    pub(super) fn deal(engine: &Arc<Engine>, deck: &Deck) -> Play {
        let table = engine.deal(deck);
        let memory = Memory::of_deal(&table);
        Play { engine: engine.clone(), table, memory, moves: 0, legal: Vec::new() }
    }

    /// What somebody knows who has watched it with a perfect memory.
    pub(super) fn known(&self) -> Known {
        Known::of(&self.table, &self.memory)
    }

    /// What somebody knows who has seen every card.
    pub(super) fn all_known(&self) -> Known {
        Known::all_of(&self.table)
    }

    /// What lies face up.
    pub(super) fn view(&self) -> &View {
        self.table.view()
    }

    /// How it stands.
    pub(super) fn outcome(&self) -> Outcome {
        self.engine.outcome(self.view())
    }

    /// How many moves have been made, draws and redeals included.
    pub(super) fn moves(&self) -> u32 {
        self.moves
    }

    /// In which [pass](pass()) it is.
    pub(super) fn pass(&self) -> u32 {
        pass(&self.engine, self.view())
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal: a sentence that says which move it is.
    pub(super) fn make(&mut self, chosen: Move) -> Result<Made, String> {
        let wrong = |play: &Play| format!("move {} is not legal: {}", play.moves + 1, in_words(&play.engine, chosen));
        self.legal.clear();
        self.engine.list_moves(self.table.view(), &mut self.legal);
        if !self.legal.contains(&chosen) {
            return Err(wrong(self));
        }
        let mut made = Made { chosen, cards: Vec::new(), freed: None };
        for step in &self.engine.steps(&self.table, chosen) {
            self.table.apply(step).map_err(|_| wrong(self))?;
            self.memory.note(step, &self.table);
            match *step {
                Step::Turn { card, .. } => made.cards.push(card),
                Step::Shift { to, count, .. } => {
                    let cards = self.view().pile(to).cards();
                    made.cards = cards[cards.len() - usize::from(count)..].to_vec();
                }
                Step::Free { card, .. } => made.freed = Some(card),
                Step::Redeal => {}
            }
        }
        self.moves += 1;
        Ok(made)
    }

    /// Makes the moves of a line that is said to win.
    ///
    /// # Errors
    /// If one of them is not legal, or they do not win: a sentence that says so.
    pub(super) fn win_with(&mut self, line: &[Move]) -> Result<Vec<Made>, String> {
        let made = line.iter().map(|&chosen| self.make(chosen)).collect::<Result<_, _>>()?;
        match self.outcome() {
            Outcome::Won => Ok(made),
            Outcome::Playing | Outcome::Lost => Err(format!("its {} moves do not win", line.len())),
        }
    }
}

/// How often the stock has been begun, from 1: one more than redeals were used.
pub(super) fn pass(engine: &Engine, view: &View) -> u32 {
    1 + engine.rules().redeals.saturating_sub(view.redeals_left())
}

/// A move as people write it: `draw`, `waste → foundation-3`, `tableau-2 → tableau-5, 3 cards`.
pub(super) fn in_words(engine: &Engine, chosen: Move) -> String {
    match chosen {
        Move::Draw => "draw".to_string(),
        Move::Redeal => "redeal".to_string(),
        Move::Transfer { from, to, count: 1 } => format!("{} → {}", engine.name(from), engine.name(to)),
        Move::Transfer { from, to, count } => format!("{} → {}, {count} cards", engine.name(from), engine.name(to)),
    }
}
