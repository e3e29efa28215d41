//! A line of play: the steps of one entry after another, as a stack that versions of a session share.

use std::sync::Arc;

use crate::rules::{Step, Steps};

/// The steps of entries of play, the latest on top. However long it is, a clone costs nothing: the
/// session at each version has a line of its own, and all but its top belongs to the others too.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Option<Arc<Play>>);

#[derive(Debug)]
struct Play {
    steps: Steps,
    /// How many moves there are, here and below.
    moves: u32,
    below: Line,
}

impl Line {
    /// How many moves there are; what followed from a move by itself does not count.
    pub(super) fn moves(&self) -> u32 {
        self.0.as_ref().map_or(0, |play| play.moves)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn clear(&mut self) {
        *self = Line::default();
    }

    pub(super) fn push(&mut self, steps: &[Step]) {
        let moves = self.moves() + steps.iter().filter(|step| step.as_move().is_some()).count() as u32;
        let below = std::mem::take(self);
        self.0 = Some(Arc::new(Play { steps: steps.into(), moves, below }));
    }

    /// The steps of the latest entry, in the order of play.
    pub(super) fn last(&self) -> Option<&[Step]> {
        self.0.as_ref().map(|play| &*play.steps)
    }

    pub(super) fn pop(&mut self) {
        if let Some(play) = &self.0 {
            *self = play.below.clone();
        }
    }
}

/// Play by play, because a long line that dropped itself from top to bottom would overflow the stack.
impl Drop for Line {
    fn drop(&mut self) {
        let mut top = self.0.take();
        while let Some(mut play) = top.and_then(Arc::into_inner) {
            top = play.below.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PileIndex;

    #[test]
    fn a_long_line_is_shared_counted_taken_back_and_dropped() {
        let steps =
            [Step::Turn { to: PileIndex::WASTE, card: crate::cards::Card::all().next().unwrap() }, Step::Redeal];
        let mut line = Line::default();
        for _ in 0..500_000 {
            line.push(&steps);
        }
        let earlier = line.clone();
        line.pop();
        line.push(&steps[..1]);
        assert_eq!((line.last(), line.moves()), (Some(&steps[..1]), 999_999));
        drop(line);
        assert_eq!((earlier.last(), earlier.moves()), (Some(&steps[..]), 1_000_000));
    }
}
