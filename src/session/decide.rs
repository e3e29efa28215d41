//! Commands, and what is decided about them: an entry, or a refusal that says why not.

use crate::rules::{Drawing, Outcome, Proposal, Reason, Table};

use super::entry::{Autoplay, Entry, Event, Lifetimes, Play, Undoing};
use super::gathering::Gathering;
use super::joining::must_be_leavable;
use super::playing::Playing;
use super::{Credential, IdempotencyKey, KeyUse, Seat, Session, Status, Timestamp, Version};

/// What comes from outside when something is decided.
pub struct Context<'a> {
    /// The time.
    pub now: Timestamp,
    /// Fills a slice with unguessable bytes.
    pub random: &'a (dyn Fn(&mut [u8]) + Sync),
    /// The limits in force.
    pub limits: &'a Limits,
}

impl Context<'_> {
    pub(super) fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.random)(&mut bytes);
        bytes
    }
}

/// What sessions are bounded by.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most entries of play that a log holds.
    pub history: Version,
    /// How long a session that is made now will be kept.
    pub lifetimes: Lifetimes,
}

/// A change to a session that somebody asks for.
#[derive(Clone, Debug)]
pub struct Change {
    /// Who asks.
    pub who: Credential,
    /// Under which key, so that it is done once however often it is asked for.
    pub key: Option<IdempotencyKey>,
    /// On which version.
    pub precondition: Precondition,
    /// For what.
    pub command: Command,
}

/// On which version of a session a change is meant to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// On any.
    None,
    /// On one of these.
    AnyOf(Vec<Version>),
}

/// What a player can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To play a move.
    Play(Proposal),
    /// To let the moves be made that need no thought.
    Autoplay(Drawing),
    /// To take back the latest play.
    Undo,
    /// To play again what was taken back last.
    Redo,
    /// To give up.
    Resign,
    /// To leave this seat, or to make somebody leave it.
    Leave(Seat),
}

impl Command {
    /// Who may ask for it.
    pub fn role(&self) -> Role {
        match self {
            Command::Play(_) | Command::Autoplay(_) | Command::Undo | Command::Redo | Command::Leave(_) => Role::Player,
            Command::Resign => Role::HostIfShared,
        }
    }
}

/// Who may ask for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Whoever has a seat.
    Player,
    /// The host.
    Host,
    /// At a table of several seats the host, for all; alone, the player.
    HostIfShared,
}

/// What is decided about a change that is not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is to be made; this entry records it.
    Made(Entry),
    /// It was made already, and led to this version.
    Repeated(Version),
}

/// Why a change is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It needs a player's token.
    TokenRequired,
    /// What came as a token is none.
    InvalidToken,
    /// Who asks may not know that the session exists.
    NotVisible,
    /// The token is not of a seat of this session.
    NotAPlayer,
    /// Only the host may do that.
    NotHost,
    /// Something else was asked for under the same key.
    KeyReused,
    /// It was meant for another version.
    StaleVersion,
    /// Nobody sits there.
    NoSuchSeat,
    /// Every seat of the session is taken.
    SessionFull,
    /// Every seat of the race is taken.
    RaceFull,
    /// The race has started, so nobody can join or start it any more.
    RaceNotOpen,
    /// The race is over.
    RaceOver,
    /// The session belongs to a race that is not over.
    RaceRunning,
    /// A race needs two players.
    TooFewPlayers,
    /// The game is not being played any more.
    SessionOver,
    /// No move can be recommended: none is legal, or none is found that gets any further.
    NoMoves,
    /// It is not over for good, so its deal is still a secret.
    SessionNotOver,
    /// There is no move that autoplay would make.
    NothingToPlay,
    /// The session was made without undo.
    UndoNotAllowed,
    /// Nothing has been played, or all of it was taken back.
    NothingToUndo,
    /// Nothing has been taken back since the last play.
    NothingToRedo,
    /// The log is full.
    HistoryFull,
    /// The move breaks this rule.
    Illegal(Reason),
}

/// Decides on a change: the entry that records it. Nothing is changed here.
///
/// # Errors
/// The first of these that applies: who asks may not, the key is of another request, the version is
/// another, the session is in no state for it, the rules forbid it.
pub fn decide(session: &Session, change: &Change, context: &Context<'_>) -> Result<Decision, Refusal> {
    let key = change.key.as_ref().map(IdempotencyKey::usage);
    let (seat, before) = judge(session, &change.who, change.command.role(), key.as_ref())?;
    if let Some(version) = before {
        return Ok(Decision::Repeated(version));
    }
    must_be_meant(session.version(), &change.precondition)?;
    let event = match &change.command {
        Command::Play(proposal) => play(session, proposal, context)?,
        Command::Autoplay(drawing) => autoplay(session, *drawing, context)?,
        Command::Undo => undo(session, context.limits)?,
        Command::Redo => redo(session, context.limits)?,
        Command::Resign => resign(session, context.now)?,
        Command::Leave(left) => leave(session, seat, *left)?,
    };
    Ok(Decision::Made(Entry { at: context.now.max(session.updated_at()), seat: Some(seat), key, event }))
}

/// Decides whether a session may be removed.
///
/// # Errors
/// As [`decide()`]: who asks is not the host, or the version is another.
pub fn judge_removal(session: &Session, who: &Credential, precondition: &Precondition) -> Result<(), Refusal> {
    session.judge(who, Role::Host)?;
    must_be_meant(session.version(), precondition)?;
    must_not_race(session)
}

/// The seat of the one who asks for something, and the version that it has led to if he has asked for it
/// before. Whoever has left his seat since is told again too.
///
/// # Errors
/// If he may not ask for it, or the key was for something else.
pub(super) fn judge<G: Gathering>(
    gathering: &G,
    who: &Credential,
    role: Role,
    key: Option<&KeyUse>,
) -> Result<(Seat, Option<Version>), Refusal> {
    let before = gathering.keys().earlier_use(who.into(), key);
    match (gathering.judge(who, role), before) {
        (Err(_), Ok(Some(version))) => Ok((NOBODY, Some(version))),
        (seat, before) => Ok((seat?, before?)),
    }
}

/// The seat of one who has none.
const NOBODY: Seat = 0;

pub(super) fn must_be_meant(version: Version, precondition: &Precondition) -> Result<(), Refusal> {
    match precondition {
        Precondition::AnyOf(versions) if !versions.contains(&version) => Err(Refusal::StaleVersion),
        _ => Ok(()),
    }
}

fn play(session: &Session, proposal: &Proposal, context: &Context<'_>) -> Result<Event, Refusal> {
    must_go_on(session, context.now)?;
    must_have_room(session, context.limits)?;
    let chosen = session.engine().check(session.view(), proposal).map_err(Refusal::Illegal)?;
    let mut playing = Playing::on(session);
    playing.play(chosen);
    match session.created().autoplay {
        Autoplay::Off => {}
        Autoplay::AfterEachMove => playing.autoplay(Drawing::Never),
    }
    Ok(Event::Moved(playing.end()))
}

fn autoplay(session: &Session, drawing: Drawing, context: &Context<'_>) -> Result<Event, Refusal> {
    must_go_on(session, context.now)?;
    must_not_race(session)?;
    must_have_room(session, context.limits)?;
    let mut playing = Playing::on(session);
    playing.autoplay(drawing);
    if playing.has_begun() { Ok(Event::Moved(playing.end())) } else { Err(Refusal::NothingToPlay) }
}

fn undo(session: &Session, limits: &Limits) -> Result<Event, Refusal> {
    must_allow_undo(session)?;
    let steps = session.last_made().ok_or(Refusal::NothingToUndo)?;
    must_have_room(session, limits)?;
    let outcome = outcome_after(session, |table| steps.iter().rev().try_for_each(|step| table.revert(step)));
    Ok(Event::Undone(Play { steps: steps.into(), outcome }))
}

fn redo(session: &Session, limits: &Limits) -> Result<Event, Refusal> {
    must_allow_undo(session)?;
    let steps = session.last_undone().ok_or(Refusal::NothingToRedo)?;
    must_have_room(session, limits)?;
    let outcome = outcome_after(session, |table| steps.iter().try_for_each(|step| table.apply(step)));
    Ok(Event::Redone(Play { steps: steps.into(), outcome }))
}

fn resign(session: &Session, now: Timestamp) -> Result<Event, Refusal> {
    if session.is_over() || session.is_overdue(now) { Err(Refusal::SessionOver) } else { Ok(Event::Resigned) }
}

fn leave(session: &Session, asking: Seat, left: Seat) -> Result<Event, Refusal> {
    must_not_race(session)?;
    must_be_leavable(session, asking, left)?;
    Ok(Event::Left(left))
}

fn must_go_on(session: &Session, now: Timestamp) -> Result<(), Refusal> {
    let goes_on = session.status() == Status::Playing && !session.is_overdue(now);
    goes_on.then_some(()).ok_or(Refusal::SessionOver)
}

/// While a race goes on, its sessions stay, and so do its players, who play by themselves; whoever leaves leaves
/// the race.
fn must_not_race(session: &Session) -> Result<(), Refusal> {
    if session.is_racing() { Err(Refusal::RaceRunning) } else { Ok(()) }
}

fn must_allow_undo(session: &Session) -> Result<(), Refusal> {
    if session.is_over() {
        Err(Refusal::SessionOver)
    } else if session.created().undoing == Undoing::NotAllowed {
        Err(Refusal::UndoNotAllowed)
    } else {
        Ok(())
    }
}

pub(super) fn must_have_room<G: Gathering>(gathering: &G, limits: &Limits) -> Result<(), Refusal> {
    if gathering.version() < limits.history { Ok(()) } else { Err(Refusal::HistoryFull) }
}

fn outcome_after<E>(session: &Session, steps: impl FnOnce(&mut Table) -> Result<(), E>) -> Outcome {
    let mut table = session.table().clone();
    // The steps were made from this very table, so they fit it.
    let _fits = steps(&mut table);
    debug_assert!(_fits.is_ok());
    session.engine().outcome(table.view())
}
