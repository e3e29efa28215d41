//! A session: what folding its log gives.

use std::sync::Arc;

use crate::games::{self, Game};
use crate::rules::{Engine, Memory, Mismatch, Outcome, Table};

use super::decide::{Limits, Refusal, must_have_room};
use super::entry::{Created, Entry, Event, Joined, Play, Visibility};
use super::gathering::Gathering;
use super::key::{Asker, Keys};
use super::line::Line;
use super::seats::Seats;
use super::{Seat, SecretHash, SessionId, Timestamp, Version};

/// A session at one of its versions. It is cheap to clone, and a clone is a checkpoint.
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) facts: Arc<Facts>,
    version: Version,
    pub(super) status: Status,
    pub(super) table: Table,
    /// What has been seen of the cards that lie face down.
    pub(super) memory: Memory,
    pub(super) made: Line,
    pub(super) undone: Line,
    seats: Arc<Seats>,
    keys: Keys,
    pub(super) has_been_played: bool,
    /// Once the race is over that it belongs to: whose tokens may see it besides its player's.
    pub(super) revealed_to: Option<Arc<[SecretHash]>>,
    updated_at: Timestamp,
    pub(super) finished_at: Option<Timestamp>,
}

/// The seat of the one who makes something.
pub(super) const FIRST_SEAT: Seat = 1;

/// What never changes while a session lives.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) created: Created,
    pub(super) created_at: Timestamp,
    pub(super) game: &'static Game,
    pub(super) engine: Arc<Engine>,
    pub(super) commitment: Option<String>,
}

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// There is something left to do.
    Playing,
    /// Every card has reached its place.
    Won,
    /// No legal move is left.
    Lost,
    /// It was given up.
    Resigned,
    /// The time of its race was up.
    TimedOut,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 5] = [Status::Playing, Status::Won, Status::Lost, Status::Resigned, Status::TimedOut];

    /// Its stable name, in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Resigned => "resigned",
            Status::TimedOut => "timed_out",
        }
    }
}

impl From<Outcome> for Status {
    fn from(outcome: Outcome) -> Status {
        match outcome {
            Outcome::Playing => Status::Playing,
            Outcome::Won => Status::Won,
            Outcome::Lost => Status::Lost,
        }
    }
}

/// A log does not tell a session: it was not written by this program, or has been damaged since.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damaged {
    /// It does not begin with a creation, or has a second one.
    #[error("entry {0} is out of place")]
    OutOfPlace(Version),
    /// A game or a revision of its rules that this program does not know.
    #[error("it needs revision {revision} of the game {game}")]
    UnknownGame {
        /// The game.
        game: String,
        /// The revision.
        revision: u32,
    },
    /// Its deck is not one of the game's.
    #[error("the deck is not of this game")]
    Deck,
    /// An entry cannot be read.
    #[error("entry {0} cannot be read")]
    Unreadable(Version),
    /// An entry was written by a later version of this program. It is not damaged, and read by that.
    #[error("entry {0} was written by a later version of the program")]
    Later(Version),
    /// An entry does not stand behind the ones before it: some have changed, or it is of another log.
    #[error("entry {0} does not follow from the ones before it")]
    Forked(Version),
    /// An entry records something that cannot have happened to the ones before it.
    #[error("entry {0} does not fit the ones before it")]
    Step(Version),
}

impl Session {
    /// Folds a log: its entries from the first.
    ///
    /// # Errors
    /// Says what is wrong with the log, and at which version.
    pub fn fold<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<Session, Damaged> {
        let mut entries = entries.into_iter();
        let first = entries.next().ok_or(Damaged::OutOfPlace(1))?;
        let mut session = Session::start(first)?;
        entries.try_for_each(|entry| session.apply(entry))?;
        Ok(session)
    }

    fn happen(&mut self, entry: &Entry) -> Result<(), Mismatch> {
        match &entry.event {
            Event::Created(_) => return Err(Mismatch),
            Event::Moved(play) => {
                self.play(play)?;
                self.undone.clear();
            }
            Event::Undone(play) => {
                play.steps.iter().rev().try_for_each(|step| self.table.revert(step))?;
                self.made.pop();
                self.undone.push(&play.steps);
                self.status = play.outcome.into();
            }
            Event::Redone(play) => {
                self.play(play)?;
                self.undone.pop();
            }
            Event::Resigned => self.status = Status::Resigned,
            Event::Joined(joined) => {
                let seat = entry.seat.filter(|seat| !self.seats.is_taken(*seat)).ok_or(Mismatch)?;
                Arc::make_mut(&mut self.seats).take(seat, joined.player.clone());
            }
            Event::Left(seat) => Arc::make_mut(&mut self.seats).leave(*seat),
            Event::Revealed(viewers) => {
                if self.status == Status::Playing {
                    self.status = Status::TimedOut;
                }
                self.revealed_to = Some(viewers.clone().into());
            }
        }
        Ok(())
    }

    fn play(&mut self, play: &Play) -> Result<(), Mismatch> {
        for step in &play.steps {
            self.table.apply(step)?;
            self.memory.note(step, &self.table);
        }
        self.made.push(&play.steps);
        self.status = play.outcome.into();
        self.has_been_played = true;
        Ok(())
    }

    fn note_end(&mut self, at: Timestamp) {
        if self.finished_at.is_none() && self.is_over() {
            self.finished_at = Some(at);
        }
    }
}

impl Gathering for Session {
    type Id = SessionId;
    type Event = Event;

    fn start(entry: &Entry) -> Result<Session, Damaged> {
        let Event::Created(created) = &entry.event else {
            return Err(Damaged::OutOfPlace(1));
        };
        let created = Created::clone(created);
        let game = known_game(&created.game, created.revision)?;
        let engine = game.engine(&created.options);
        let packs = engine.rules().packs;
        let deck = created.deal.deck(packs);
        if deck.packs() != packs {
            return Err(Damaged::Deck);
        }
        let table = engine.deal(&deck);
        let commitment = created.deal.commitment();
        let mut session = Session {
            version: 1,
            status: engine.outcome(table.view()).into(),
            memory: Memory::of_deal(&table),
            table,
            seats: Arc::new(Seats::of_host(FIRST_SEAT, created.host.clone())),
            facts: Arc::new(Facts { created, created_at: entry.at, game, engine, commitment }),
            made: Line::default(),
            undone: Line::default(),
            keys: Keys::none(),
            has_been_played: false,
            revealed_to: None,
            updated_at: entry.at,
            finished_at: None,
        };
        session.keys.note(Asker::of(&session, entry), entry.key.as_ref(), 1);
        session.note_end(entry.at);
        Ok(session)
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), Damaged> {
        let (version, asker) = (self.version + 1, Asker::of(self, entry));
        self.happen(entry).map_err(|Mismatch| Damaged::Step(version))?;
        self.version = version;
        self.updated_at = entry.at;
        self.keys.note(asker, entry.key.as_ref(), version);
        self.note_end(entry.at);
        Ok(())
    }

    fn to_be_shown(&self) -> Session {
        Session { keys: Keys::none(), ..self.clone() }
    }

    const KEYED_ID: &'static str = "patience/session/1";

    fn id_from(bits: [u8; 16]) -> SessionId {
        SessionId::from_random(bits)
    }

    fn id(&self) -> SessionId {
        self.facts.created.id
    }

    fn version(&self) -> Version {
        self.version
    }

    fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    fn expires_at(&self) -> Timestamp {
        let lifetimes = &self.facts.created.lifetimes;
        match (self.facts.created.race, self.finished_at) {
            (Some(place), _) if self.revealed_to.is_none() => place.ends_at.plus(lifetimes.finished),
            (Some(_), _) => self.updated_at.plus(lifetimes.finished),
            (None, Some(finished_at)) => finished_at.plus(lifetimes.finished),
            (None, None) if self.has_been_played => self.updated_at.plus(lifetimes.idle),
            (None, None) => self.facts.created_at.plus(lifetimes.unplayed),
        }
    }

    fn visibility(&self) -> Visibility {
        self.facts.created.visibility
    }

    fn invite(&self) -> Option<&SecretHash> {
        self.facts.created.invite.as_ref()
    }

    fn salt(&self) -> Option<&[u8; 16]> {
        self.facts.created.salt.as_ref()
    }

    fn seat_count(&self) -> u8 {
        self.facts.created.seats
    }

    fn seats(&self) -> &Seats {
        &self.seats
    }

    fn keys(&self) -> &Keys {
        &self.keys
    }

    fn seat_to_take(&self, limits: &Limits) -> Result<Seat, Refusal> {
        if self.is_over() {
            return Err(Refusal::SessionOver);
        }
        let seat = self.seats.lowest_free(self.seat_count()).ok_or(Refusal::SessionFull)?;
        must_have_room(self, limits)?;
        Ok(seat)
    }

    fn joined(joined: Joined) -> Event {
        Event::Joined(Box::new(joined))
    }

    fn who_joined(event: &Event) -> Option<&Joined> {
        match event {
            Event::Joined(joined) => Some(joined),
            _ => None,
        }
    }

    /// While its race goes on, a session exists for its own player alone; afterwards for whoever may see
    /// the race.
    fn is_open_to_strangers(&self) -> bool {
        self.visibility() != Visibility::Private && !self.is_racing()
    }

    fn knows(&self, token: &SecretHash) -> bool {
        let is_viewer = |viewers: &Arc<[SecretHash]>| viewers.contains(token);
        self.seats.of(token).is_some() || self.revealed_to.as_ref().is_some_and(is_viewer)
    }
}

/// The game of a log.
///
/// # Errors
/// If this program does not know it, or not that revision of its rules.
pub(super) fn known_game(id: &str, revision: u32) -> Result<&'static Game, Damaged> {
    let known = games::find(id).filter(|game| revision <= game.revision);
    known.ok_or_else(|| Damaged::UnknownGame { game: id.to_string(), revision })
}
