//! A line of play: the steps of one entry after another, as a stack.

use crate::rules::Step;

/// The steps of entries of play, the latest on top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    steps: Vec<Step>,
    /// Where the steps of each entry end.
    ends: Vec<u32>,
    moves: u32,
}

impl Line {
    /// How many moves there are; what followed from a move by itself does not count.
    pub(super) fn moves(&self) -> u32 {
        self.moves
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn clear(&mut self) {
        *self = Line::default();
    }

    pub(super) fn push(&mut self, steps: &[Step]) {
        self.steps.extend_from_slice(steps);
        self.ends.push(self.steps.len() as u32);
        self.moves += moves_in(steps);
    }

    /// The steps of the latest entry, in the order of play.
    pub(super) fn last(&self) -> Option<&[Step]> {
        let end = *self.ends.last()? as usize;
        let start = self.ends.iter().rev().nth(1).map_or(0, |&start| start as usize);
        self.steps.get(start..end)
    }

    pub(super) fn pop(&mut self) {
        if let Some(last) = self.last() {
            let (moves, rest) = (moves_in(last), self.steps.len() - last.len());
            self.moves -= moves;
            self.steps.truncate(rest);
            self.ends.pop();
        }
    }
}

fn moves_in(steps: &[Step]) -> u32 {
    steps.iter().filter(|step| step.as_move().is_some()).count() as u32
}
