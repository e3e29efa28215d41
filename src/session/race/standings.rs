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
            (Some(finish), _) => (finish.status.into(), finish.placed.into(), finish.moves, Some(finish.at)),
            // It may be further than the race was when that was looked at.
            (None, Some(session)) => {
                (session.status(), session.placed() as u32, session.moves(), session.finished_at())
            }
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cards::Seed;
    use crate::games;
    use crate::session::race::{FinalStatus, Finish, RaceCreated, RaceEntry, RaceEvent, Runner, Winnability};
    use crate::session::{Entry, Gathering, Joined, Lifetimes, Player, RaceId, Secret, Visibility};

    fn player(seat: Seat) -> Player {
        Player { name: PlayerName::of_seat(seat), token: Secret::from_random([seat; 32]).hash() }
    }

    fn entry(at: u64, seat: Option<Seat>, event: RaceEvent) -> RaceEntry {
        Entry { at: Timestamp::from_millis(at), seat, key: None, event }
    }

    /// A race of so many in which these have come to an end: when, in which seat, how, how far.
    fn race(players: Seat, finishes: &[(u64, Seat, FinalStatus, u8)]) -> Race {
        let game = games::find("captive-queens").unwrap();
        let hour = Duration::from_secs(3_600);
        let created = RaceCreated {
            id: RaceId::from_random([1; 16]),
            game: game.id.into(),
            revision: game.revision,
            options: game.default_options(),
            seed: Seed::from_random([2; 16]),
            seats: 64,
            limit: hour,
            visibility: Visibility::Public,
            host: player(1),
            invite: None,
            salt: None,
            lifetimes: Lifetimes { unplayed: hour, idle: hour, finished: hour },
            winnability: Winnability::Unknown,
        };
        let mut race = Race::start(&entry(0, Some(1), RaceEvent::Created(Box::new(created)))).unwrap();
        let joined = |seat| RaceEvent::Joined(Box::new(Joined { player: player(seat), salt: None }));
        let mut entries: Vec<_> = (2..=players).map(|seat| entry(0, Some(seat), joined(seat))).collect();
        let runner = |seat| Runner { seat, session: SessionId::from_random([seat; 16]) };
        entries.push(entry(1, Some(1), RaceEvent::Started((1..=players).map(runner).collect())));
        entries.extend(finishes.iter().map(|&(at, seat, status, placed)| {
            let finish = Finish { seat, status, placed, moves: 10, at: Timestamp::from_millis(at) };
            entry(at, None, RaceEvent::Finished(finish))
        }));
        entries.iter().for_each(|entry| race.apply(entry).unwrap());
        race
    }

    /// Seat and rank of everyone, in the order of the standings.
    fn ranks(race: &Race) -> Vec<(Seat, u32)> {
        standings(race, |_| None).iter().map(|standing| (standing.seat, standing.rank)).collect()
    }

    #[test]
    fn nobody_is_ahead_before_the_first_move() {
        assert_eq!(ranks(&race(3, &[])), [(1, 1), (2, 1), (3, 1)]);
    }

    #[test]
    fn who_has_won_comes_first_by_time_and_the_others_by_cards_placed_however_they_ended() {
        use FinalStatus::{Lost, Resigned, TimedOut, Won};
        let race = race(
            6,
            &[(10, 5, Lost, 51), (20, 3, Won, 52), (30, 2, Resigned, 7), (40, 6, Won, 52), (50, 1, TimedOut, 8)],
        );
        assert_eq!(ranks(&race), [(3, 1), (6, 2), (5, 3), (1, 4), (2, 5), (4, 6)]);
        let standings = standings(&race, |_| None);
        let ends: Vec<_> = standings.iter().map(|standing| standing.finished_at.map(Timestamp::as_millis)).collect();
        assert_eq!(ends, [Some(20), Some(40), Some(10), Some(50), Some(30), None]);
    }

    #[test]
    fn equals_share_a_rank_and_the_next_has_as_many_ahead_as_there_are() {
        use FinalStatus::{Lost, Resigned, Won};
        let race =
            race(7, &[(10, 4, Won, 52), (10, 2, Won, 52), (11, 7, Won, 52), (12, 1, Lost, 9), (13, 5, Resigned, 9)]);
        assert_eq!(ranks(&race), [(2, 1), (4, 1), (7, 3), (1, 4), (5, 4), (3, 6), (6, 6)]);
    }
}
