//! How a deal could have been won, as it is shown.

use crate::host::Solution;
use crate::rules::{Engine, Move};

use super::json::Object;
use super::outgoing::{Written, write_moves};

/// What is known of how a deal can be won: the verdict, null while it is being looked for, and the moves, if there are
/// any.
pub(in crate::http) fn write_solution(out: &mut Vec<u8>, engine: &Engine, solution: &Solution) -> Written {
    let (verdict, moves): (_, &[Move]) = match solution {
        Solution::Won(moves) => (Some("won"), moves),
        Solution::Unwinnable => (Some("unwinnable"), &[]),
        Solution::Unknown => (Some("unknown"), &[]),
        Solution::Sought => (None, &[]),
    };
    let mut object = Object::begin(out);
    object.value("verdict", &verdict)?;
    write_moves(object.field("moves"), engine, moves.iter().copied())?;
    object.end();
    Ok(())
}
