//! Who is how far, and who is ahead.

use crate::session::{PlayerName, Seat, Session, SessionId, Status, Timestamp};

use super::state::{Lane, Race};

/// How one player of a race stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The seat.
    pub seat: Seat,
    /// The name.
    pub name: PlayerName,
    /// The session in which he plays.
    pub session: SessionId,
    /// How that stands.
    pub status: Status,
    /// How many cards have reached their place.
    pub placed: u32,
    /// How many moves were made.
    pub moves: u32,
    /// When he came to an end.
    pub finished_at: Option<Timestamp>,
    /// The place, from 1: whoever has won before whoever has not, by time, the others by the cards placed;
    /// equals share a place.
    pub rank: u32,
}

/// The standings of a race that has started, by rank and seat. What those have done who have come to an
/// end is in the log of the race; what the others have done so far is in their sessions, which are found
/// by their ids.
pub fn standings<'a>(race: &Race, session_of: impl Fn(SessionId) -> Option<&'a Session>) -> Vec<Standing> {
    let mut standings: Vec<_> = race.lanes().iter().map(|lane| lane.standing(session_of(lane.session))).collect();
    standings.sort_by_key(|standing| (standing.order(), standing.seat));
    for place in 0..standings.len() {
        let ahead = standings.iter().filter(|other| other.order() < standings[place].order()).count();
        standings[place].rank = ahead as u32 + 1;
    }
    standings
}

impl Lane {
    fn standing(&self, session: Option<&Session>) -> Standing {
        let (status, placed, moves, finished_at) = match (&self.finish, session) {
            (Some((finish, at)), _) => (finish.status.into(), finish.placed.into(), finish.moves, Some(*at)),
            (None, Some(session)) => (session.status(), session.placed() as u32, session.moves(), None),
            (None, None) => (Status::Playing, 0, 0, None),
        };
        let (seat, name, session) = (self.seat, self.name.clone(), self.session);
        Standing { seat, name, session, status, placed, moves, finished_at, rank: 0 }
    }
}

impl Standing {
    /// Less is better.
    fn order(&self) -> impl Ord + use<> {
        match (self.status, self.finished_at) {
            (Status::Won, Some(at)) => (0, at.as_millis(), 0),
            _ => (1, 0, u32::MAX - self.placed),
        }
    }
}
