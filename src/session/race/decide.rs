//! What is asked of a race, and what is decided: entries for its log and for those of its sessions.

use std::time::Duration;

use crate::cards::Seed;
use crate::games::{Game, Options};
use crate::session::decide::{Context, Precondition, Refusal, Role, judge, must_be_meant};
use crate::session::entry::{Created, Deal, Entry, Event, Player, RacePlace, Undoing, Visibility};
use crate::session::gathering::Gathering;
use crate::session::joining::{Ticket, must_be_leavable};
use crate::session::state::FIRST_SEAT;
use crate::session::{
    Credential, IdempotencyKey, PlayerName, RaceId, Seat, Secret, SecretHash, Session, SessionId, Status, Timestamp,
    Version,
};

use super::entry::{FinalStatus, Finish, RaceCreated, RaceEntry, RaceEvent, Runner};
use super::state::{Race, RaceStatus};

/// A race that somebody wants.
#[derive(Debug)]
pub struct NewRace {
    /// The game.
    pub game: &'static Game,
    /// Its options.
    pub options: Options,
    /// How many seats there are, 2 to 64.
    pub seats: u8,
    /// How long it may take from its start, 60 seconds to a day.
    pub limit: Duration,
    /// The name of the first player.
    pub name: PlayerName,
    /// Who may watch.
    pub visibility: Visibility,
}

/// What the one who makes a race is told, and nobody else.
#[derive(Debug)]
pub struct RaceOpening {
    /// The id of the race.
    pub id: RaceId,
    /// The seat of the host, and its token.
    pub ticket: Ticket,
    /// The invite, of a private race.
    pub invite: Option<Secret>,
}

/// Decides on a new race: the first entry of its log, and what its host is told.
pub fn create(new: NewRace, key: Option<&IdempotencyKey>, context: &Context<'_>) -> (RaceEntry, RaceOpening) {
    let salt = key.map(|_| context.random());
    let opening = match (key, &salt) {
        (Some(key), Some(salt)) => RaceOpening::under(key, new.visibility, salt),
        _ => RaceOpening::new(new.visibility, context),
    };
    let created = RaceCreated {
        id: opening.id,
        game: new.game.id.into(),
        revision: new.game.revision,
        options: new.options,
        seed: Seed::from_random(context.random()),
        seats: new.seats,
        limit: new.limit,
        visibility: new.visibility,
        host: Player { name: new.name, token: opening.ticket.token.hash() },
        invite: opening.invite.as_ref().map(Secret::hash),
        salt,
        lifetimes: context.limits.lifetimes,
    };
    let (seat, key) = (Some(opening.ticket.seat), key.map(IdempotencyKey::usage));
    (Entry { at: context.now, seat, key, event: RaceEvent::Created(Box::new(created)) }, opening)
}

/// What the one who has made a race under a key is told when he asks for it again.
///
/// # Errors
/// If what was asked for then was something else.
pub fn reopen(first: &RaceEntry, key: &IdempotencyKey) -> Result<RaceOpening, Refusal> {
    match &first.event {
        RaceEvent::Created(created) if first.key == Some(key.usage()) => {
            let salt = created.salt.ok_or(Refusal::KeyReused)?;
            Ok(RaceOpening::under(key, created.visibility, &salt))
        }
        _ => Err(Refusal::KeyReused),
    }
}

impl RaceOpening {
    fn new(visibility: Visibility, context: &Context<'_>) -> RaceOpening {
        let secret = || Secret::from_random(context.random());
        RaceOpening {
            id: RaceId::from_random(context.random()),
            ticket: Ticket { seat: FIRST_SEAT, token: secret() },
            invite: (visibility == Visibility::Private).then(secret),
        }
    }

    fn under(key: &IdempotencyKey, visibility: Visibility, salt: &[u8; 16]) -> RaceOpening {
        RaceOpening {
            id: RaceId::from_random(key.bits("patience/race/1")),
            ticket: Ticket { seat: FIRST_SEAT, token: key.secret("token", salt) },
            invite: (visibility == Visibility::Private).then(|| key.secret("invite", salt)),
        }
    }
}

/// A change to a race that somebody asks for.
#[derive(Clone, Debug)]
pub struct RaceChange {
    /// Who asks.
    pub who: Credential,
    /// Under which key, so that it is done once however often it is asked for.
    pub key: Option<IdempotencyKey>,
    /// On which version.
    pub precondition: Precondition,
    /// For what.
    pub command: RaceCommand,
}

/// What a player can ask of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceCommand {
    /// To leave this seat, or to make somebody leave it.
    Leave(Seat),
    /// To deal the cards.
    Start,
}

impl RaceCommand {
    /// Who may ask for it.
    pub fn role(self) -> Role {
        match self {
            RaceCommand::Leave(_) => Role::Player,
            RaceCommand::Start => Role::Host,
        }
    }
}

/// What is decided about a change that is not refused.
#[derive(Clone, Debug)]
pub enum RaceDecision {
    /// It is to be made.
    Made(Joint),
    /// It was made already, and led to this version.
    Repeated(Version),
}

/// What happens to a race and to its sessions at once.
#[derive(Clone, Debug)]
pub struct Joint {
    /// To the race.
    pub race: Vec<RaceEntry>,
    /// To sessions of it, each once.
    pub sessions: Vec<(SessionId, Vec<Entry>)>,
}

/// The fewest players that can start a race.
const FEWEST: usize = 2;

/// Decides on a change. The sessions are those of the race, in the order of its runners. Nothing is
/// changed here.
///
/// # Errors
/// The first of these that applies: who asks may not, the key is of another request, the version is
/// another, the race is in no state for it.
pub fn decide(
    race: &Race,
    sessions: &[&Session],
    change: &RaceChange,
    context: &Context<'_>,
) -> Result<RaceDecision, Refusal> {
    let key = change.key.as_ref().map(IdempotencyKey::usage);
    let (seat, before) = judge(race, &change.who, change.command.role(), key.as_ref())?;
    if let Some(version) = before {
        return Ok(RaceDecision::Repeated(version));
    }
    must_be_meant(race.version(), &change.precondition)?;
    let at = context.now.max(race.updated_at());
    let mut joint = match change.command {
        RaceCommand::Start => start(race, at, context)?,
        RaceCommand::Leave(left) => leave(race, sessions, seat, left, at)?,
    };
    if let Some(first) = joint.race.first_mut() {
        (first.seat, first.key) = (Some(seat), key);
    }
    Ok(RaceDecision::Made(joint))
}

/// What follows for the race when something happens to one of its sessions that brings it to an end; the
/// session as it is then.
pub fn finish(race: &Race, sessions: &[&Session], ended: &Session, entry: Entry) -> Joint {
    let at = entry.at.max(race.updated_at());
    let mut joint = Joint { race: Vec::new(), sessions: vec![(ended.id(), vec![entry])] };
    if let Some(place) = ended.created().race {
        joint.race.push(by_server(at, RaceEvent::Finished(Finish::of(place.seat, ended))));
        joint.close_if_nobody_runs(race, sessions, &[place.seat], at);
    }
    joint
}

/// What happens when the time of a race is up: whoever is still playing is out of time.
pub fn close(race: &Race, sessions: &[&Session], now: Timestamp) -> Joint {
    let at = now.max(race.updated_at());
    let mut joint = Joint { race: Vec::new(), sessions: Vec::new() };
    let running: Vec<Seat> = race.runners().map(|runner| runner.seat).filter(|seat| race.is_running(*seat)).collect();
    for session in sessions {
        if let Some(place) = session.created().race.filter(|place| running.contains(&place.seat)) {
            joint.race.push(by_server(at, RaceEvent::Finished(Finish::of(place.seat, session))));
        }
    }
    joint.close_if_nobody_runs(race, sessions, &running, at);
    joint
}

fn start(race: &Race, at: Timestamp, context: &Context<'_>) -> Result<Joint, Refusal> {
    if race.status() != RaceStatus::Open {
        return Err(Refusal::RaceNotOpen);
    }
    if race.seats().taken().len() < FEWEST {
        return Err(Refusal::TooFewPlayers);
    }
    let mut joint = Joint { race: Vec::new(), sessions: Vec::new() };
    let mut runners = Vec::new();
    for (seat, player) in race.seats().taken() {
        let runner = Runner { seat, session: SessionId::from_random(context.random()) };
        joint.sessions.push((runner.session, vec![dealt(race, runner, player, at)]));
        runners.push(runner);
    }
    joint.race.push(by_server(at, RaceEvent::Started(runners)));
    Ok(joint)
}

/// The first entry of a player's session.
fn dealt(race: &Race, runner: Runner, player: &Player, at: Timestamp) -> Entry {
    let created = race.created();
    let created = Created {
        id: runner.session,
        game: created.game.clone(),
        revision: created.revision,
        options: created.options.clone(),
        deal: Deal::Drawn(created.seed.clone()),
        seats: 1,
        visibility: created.visibility,
        undoing: Undoing::NotAllowed,
        host: player.clone(),
        invite: None,
        salt: None,
        lifetimes: created.lifetimes,
        race: Some(RacePlace { race: created.id, seat: runner.seat, ends_at: at.plus(created.limit) }),
    };
    by_server(at, Event::Created(Box::new(created)))
}

fn leave(race: &Race, sessions: &[&Session], asking: Seat, left: Seat, at: Timestamp) -> Result<Joint, Refusal> {
    must_be_leavable(race, asking, left)?;
    let mut joint = Joint { race: vec![by_server(at, RaceEvent::Left(left))], sessions: Vec::new() };
    match race.status() {
        RaceStatus::Open => {}
        RaceStatus::Over => return Err(Refusal::RaceOver),
        RaceStatus::Running => joint.leave_session(race, sessions, left, at),
    }
    Ok(joint)
}

impl Joint {
    /// Whoever leaves while the race goes on has resigned, unless he had come to an end before.
    fn leave_session(&mut self, race: &Race, sessions: &[&Session], left: Seat, at: Timestamp) {
        let is_of_left = |session: &&&Session| session.created().race.is_some_and(|place| place.seat == left);
        let Some(session) = sessions.iter().find(is_of_left) else {
            return;
        };
        let at_session = at.max(session.updated_at());
        let mut entries = Vec::new();
        if race.is_running(left) {
            entries.push(by_server(at_session, Event::Resigned));
            let finish = Finish { status: FinalStatus::Resigned, ..Finish::of(left, session) };
            self.race.push(by_server(at, RaceEvent::Finished(finish)));
        }
        entries.push(by_server(at_session, Event::Left(FIRST_SEAT)));
        self.sessions.push((session.id(), entries));
        self.close_if_nobody_runs(race, sessions, &[left], at);
    }

    /// Ends the race and shows its deal, if all but these had come to an end before.
    fn close_if_nobody_runs(&mut self, race: &Race, sessions: &[&Session], ended: &[Seat], at: Timestamp) {
        if race.runners().any(|runner| race.is_running(runner.seat) && !ended.contains(&runner.seat)) {
            return;
        }
        self.race.push(by_server(at, RaceEvent::Over));
        let viewers: Vec<SecretHash> = match race.visibility() {
            Visibility::Private => race.seats().taken().map(|(_, player)| player.token).collect(),
            Visibility::Unlisted | Visibility::Public => Vec::new(),
        };
        for session in sessions {
            let at = at.max(session.updated_at());
            let revealed = by_server(at, Event::Revealed(viewers.clone()));
            match self.sessions.iter_mut().find(|(id, _)| *id == session.id()) {
                Some((_, entries)) => entries.push(revealed),
                None => self.sessions.push((session.id(), vec![revealed])),
            }
        }
    }
}

impl Finish {
    fn of(seat: Seat, session: &Session) -> Finish {
        let status = match session.status() {
            Status::Won => FinalStatus::Won,
            Status::Lost => FinalStatus::Lost,
            Status::Resigned => FinalStatus::Resigned,
            Status::Playing | Status::TimedOut => FinalStatus::TimedOut,
        };
        Finish { seat, status, placed: session.placed() as u8, moves: session.moves() }
    }
}

/// What nobody in particular has asked for.
fn by_server<E>(at: Timestamp, event: E) -> Entry<E> {
    Entry { at, seat: None, key: None, event }
}
