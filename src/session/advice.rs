//! Whether a player may be told what to do next.

use super::{Refusal, Session, Status};

/// Judges the wish for a hint.
///
/// # Errors
/// While the race goes on that the session belongs to; if no move is left, or the game is not being played any more.
pub fn judge_hint(session: &Session) -> Result<(), Refusal> {
    if session.is_racing() {
        return Err(Refusal::RaceRunning);
    }
    match session.status() {
        Status::Playing => Ok(()),
        Status::Lost => Err(Refusal::NoMoves),
        Status::Won | Status::Resigned | Status::TimedOut => Err(Refusal::SessionOver),
    }
}
