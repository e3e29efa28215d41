//! Who may be told how a deal could have been won: everyone who sees the session, once the deal is no secret.

use super::{Deal, Refusal, Session};

/// The deal of a session for which a line that wins may be looked for.
///
/// # Errors
/// If the race that it belongs to is not over, or it is not over for good itself.
pub fn judge_solution(session: &Session) -> Result<&Deal, Refusal> {
    let refusal = if session.is_racing() { Refusal::RaceRunning } else { Refusal::SessionNotOver };
    session.revealed_deal().ok_or(refusal)
}
