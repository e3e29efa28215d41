//! What is asked of a race, and what is decided: entries for its log and for those of its sessions.

use std::time::Duration;

use crate::cards::Seed;
use crate::games::{Game, Options};
use crate::session::decide::{Context, Precondition, Refusal, Role, judge, must_be_meant};
use crate::session::entry::{Autoplay, Created, Entry, Event, Player, RacePlace, Undoing, Visibility};
use crate::session::gathering::Gathering;
use crate::session::joining::must_be_leavable;
use crate::session::{
    Credential, IdempotencyKey, Opening, PlayerName, RaceId, Seat, Secret, Session, SessionId, Timestamp, Version,
};

use super::entry::{RaceCreated, RaceEntry, RaceEvent, Runner, Winnability};
use super::joint::{Joint, by_server};
use super::state::{Race, RaceStatus};

/// A race that somebody wants.
#[derive(Debug)]
pub struct NewRace {
    /// The game.
    pub game: &'static Game,
    /// Its options.
    pub options: Options,
    /// Where everybody's cards come from.
    pub deal: NewRaceDeal,
    /// How many seats there are, 2 to 64.
    pub seats: u8,
    /// How long it may take from its start, 60 seconds to a day.
    pub limit: Duration,
    /// The name of the first player.
    pub name: PlayerName,
    /// Who may watch.
    pub visibility: Visibility,
}

/// Where the cards of a new race come from: a seed that nobody knows who plays.
#[derive(Debug)]
pub enum NewRaceDeal {
    /// The server draws a seed.
    Drawn,
    /// From this seed, which the server has drawn, and whose deal it has found a way to win.
    Winnable(Seed),
}

/// Decides on a new race: the first entry of its log, and what its host is told.
pub fn create(new: NewRace, key: Option<&IdempotencyKey>, context: &Context<'_>) -> (RaceEntry, Opening<RaceId>) {
    let (opening, salt) = Opening::new::<Race>(new.visibility, key, context);
    let (seed, winnability) = match new.deal {
        NewRaceDeal::Drawn => (Seed::from_random(context.random()), Winnability::Unknown),
        NewRaceDeal::Winnable(seed) => (seed, Winnability::Proven),
    };
    let created = RaceCreated {
        id: opening.id,
        game: new.game.id.into(),
        revision: new.game.revision,
        options: new.options,
        seed,
        seats: new.seats,
        limit: new.limit,
        visibility: new.visibility,
        host: Player { name: new.name, token: opening.token.hash() },
        invite: opening.invite.as_ref().map(Secret::hash),
        salt,
        lifetimes: context.limits.lifetimes,
        winnability,
    };
    let (seat, key) = (Some(opening.seat), key.map(IdempotencyKey::usage));
    (Entry { at: context.now, seat, key, event: RaceEvent::Created(Box::new(created)) }, opening)
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
        let runner = Runner { seat, session: SessionId::beside(race.id(), context.random()) };
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
        deal: race.deal().clone(),
        seats: 1,
        visibility: created.visibility,
        undoing: Undoing::NotAllowed,
        host: player.clone(),
        invite: None,
        salt: None,
        lifetimes: created.lifetimes,
        race: Some(RacePlace { race: created.id, seat: runner.seat, ends_at: at.plus(created.limit) }),
        autoplay: Autoplay::Off,
    };
    by_server(at, Event::Created(Box::new(created)))
}

fn leave(race: &Race, sessions: &[&Session], asking: Seat, left: Seat, at: Timestamp) -> Result<Joint, Refusal> {
    must_be_leavable(race, asking, left)?;
    match race.status() {
        RaceStatus::Over => Err(Refusal::RaceOver),
        // Nobody wins by sending the others away.
        RaceStatus::Running if asking != left => Err(Refusal::NotHost),
        RaceStatus::Open | RaceStatus::Running => Ok(Joint::of_leaving(race, sessions, left, at)),
    }
}
