//! What happens to a race and to its sessions at once.

use crate::session::entry::{Entry, Event, Visibility};
use crate::session::gathering::Gathering;
use crate::session::state::FIRST_SEAT;
use crate::session::{Seat, SecretHash, Session, SessionId, Status, Timestamp};

use super::entry::{FinalStatus, Finish, RaceEntry, RaceEvent};
use super::state::Race;

/// What happens to a race and to its sessions at once.
#[derive(Clone, Debug)]
pub struct Joint {
    /// To the race.
    pub race: Vec<RaceEntry>,
    /// To sessions of it, each once.
    pub sessions: Vec<(SessionId, Vec<Entry>)>,
}

/// What follows for the race when an entry brings one of its sessions to an end; the session as it is
/// then.
pub fn finish(race: &Race, sessions: &[&Session], ended: &Session, entry: Entry) -> Joint {
    let finished_at = entry.at;
    let mut joint = Joint { race: Vec::new(), sessions: vec![(ended.id(), vec![entry])] };
    if let Some(place) = ended.created().race {
        joint.finish(race, Finish::of(place.seat, Some(ended), finished_at));
        joint.close_if_nobody_runs(race, sessions, finished_at);
    }
    joint
}

/// What happens when the time of a race is up, however late that is noticed: whoever is still playing is
/// out of time.
pub fn close(race: &Race, sessions: &[&Session], now: Timestamp) -> Joint {
    let at = race.ends_at().unwrap_or(now);
    let mut joint = Joint { race: Vec::new(), sessions: Vec::new() };
    for seat in race.runners().map(|runner| runner.seat).filter(|seat| race.is_running(*seat)) {
        joint.finish(race, Finish::of(seat, session_of(sessions, seat), at));
    }
    joint.close_if_nobody_runs(race, sessions, at);
    joint
}

impl Joint {
    /// Whoever leaves while the race goes on has resigned, unless he had come to an end before.
    pub(super) fn of_leaving(race: &Race, sessions: &[&Session], left: Seat, at: Timestamp) -> Joint {
        let mut joint = Joint { race: vec![by_server(at, RaceEvent::Left(left))], sessions: Vec::new() };
        let session = session_of(sessions, left);
        let mut entries = Vec::new();
        if race.is_running(left) {
            entries.push(Event::Resigned);
            joint.finish(race, Finish { status: FinalStatus::Resigned, ..Finish::of(left, session, at) });
        }
        entries.push(Event::Left(FIRST_SEAT));
        if let Some(session) = session {
            let at = at.max(session.updated_at());
            joint.sessions.push((session.id(), entries.into_iter().map(|event| by_server(at, event)).collect()));
        }
        joint.close_if_nobody_runs(race, sessions, at);
        joint
    }

    fn finish(&mut self, race: &Race, finish: Finish) {
        self.race.push(by_server(finish.at.max(race.updated_at()), RaceEvent::Finished(finish)));
    }

    /// Ends a race that has started and in which everybody has come to an end by now, and shows its deal.
    fn close_if_nobody_runs(&mut self, race: &Race, sessions: &[&Session], at: Timestamp) {
        let mut then = race.clone();
        // These entries were made from this very race, so they fit it.
        let _fits = self.race.iter().try_for_each(|entry| then.apply(entry));
        debug_assert!(_fits.is_ok());
        if then.starts_at().is_none() || then.still_running().next().is_some() {
            return;
        }
        self.race.push(by_server(at.max(race.updated_at()), RaceEvent::Over));
        let viewers: Vec<SecretHash> = match then.visibility() {
            Visibility::Private => then.seats().taken().map(|(_, player)| player.token).collect(),
            Visibility::Unlisted | Visibility::Public => Vec::new(),
        };
        for session in sessions {
            let revealed = by_server(at.max(session.updated_at()), Event::Revealed(viewers.clone()));
            match self.sessions.iter_mut().find(|(id, _)| *id == session.id()) {
                Some((_, entries)) => entries.push(revealed),
                None => self.sessions.push((session.id(), vec![revealed])),
            }
        }
    }
}

/// The session of a seat, if it is still there.
fn session_of<'a>(sessions: &[&'a Session], seat: Seat) -> Option<&'a Session> {
    sessions.iter().copied().find(|session| session.created().race.is_some_and(|place| place.seat == seat))
}

impl Finish {
    fn of(seat: Seat, session: Option<&Session>, at: Timestamp) -> Finish {
        let status = match session.map(Session::status) {
            Some(Status::Won) => FinalStatus::Won,
            Some(Status::Lost) => FinalStatus::Lost,
            Some(Status::Resigned) => FinalStatus::Resigned,
            Some(Status::Playing | Status::TimedOut) | None => FinalStatus::TimedOut,
        };
        let (placed, moves) = session.map_or((0, 0), |session| (session.placed() as u8, session.moves()));
        Finish { seat, status, placed, moves, at }
    }
}

/// What nobody in particular has asked for.
pub(super) fn by_server<E>(at: Timestamp, event: E) -> Entry<E> {
    Entry { at, seat: None, key: None, event }
}
