//! A session: what folding its log gives.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use crate::games::{self, Game};
use crate::rules::{Engine, Mismatch, Move, Outcome, Step, Table, View};

use super::entry::{Created, Deal, Entry, Event, Play, Player, Undoing, Visibility};
use super::line::Line;
use super::{Credential, Seat, SecretHash, SessionId, Timestamp, Version};

/// A session at one of its versions. It is cheap to clone, and a clone is a checkpoint.
#[derive(Clone, Debug)]
pub struct Session {
    facts: Arc<Facts>,
    version: Version,
    status: Status,
    table: Table,
    made: Line,
    undone: Line,
    keys: RedBlackTreeMapSync<(Seat, [u8; 16]), EarlierUse>,
    has_been_played: bool,
    updated_at: Timestamp,
    finished_at: Option<Timestamp>,
}

/// What was asked for under a key, and the version that it led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct EarlierUse {
    pub(super) request: [u8; 16],
    pub(super) version: Version,
}

/// What never changes while a session lives.
#[derive(Debug)]
struct Facts {
    created: Created,
    created_at: Timestamp,
    game: &'static Game,
    engine: Arc<Engine>,
    commitment: Option<String>,
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
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 4] = [Status::Playing, Status::Won, Status::Lost, Status::Resigned];

    /// Its stable name, in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Resigned => "resigned",
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

    /// The session that a creation makes.
    ///
    /// # Errors
    /// If the entry is no creation of a game that this program knows.
    pub fn start(entry: &Entry) -> Result<Session, Damaged> {
        let Event::Created(created) = &entry.event else {
            return Err(Damaged::OutOfPlace(1));
        };
        let created = Created::clone(created);
        let unknown = || Damaged::UnknownGame { game: created.game.to_string(), revision: created.revision };
        let game = games::find(&created.game).ok_or_else(unknown)?;
        if created.revision > game.revision {
            return Err(unknown());
        }
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
            table,
            facts: Arc::new(Facts { created, created_at: entry.at, game, engine, commitment }),
            made: Line::default(),
            undone: Line::default(),
            keys: RedBlackTreeMapSync::new_sync(),
            has_been_played: false,
            updated_at: entry.at,
            finished_at: None,
        };
        session.note_key(entry);
        session.note_end(entry.at);
        Ok(session)
    }

    /// Brings the session one version further.
    ///
    /// # Errors
    /// If the entry cannot have happened to this session, which is then of no more use.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Damaged> {
        let version = self.version + 1;
        self.happen(&entry.event).map_err(|Mismatch| Damaged::Step(version))?;
        self.version = version;
        self.updated_at = entry.at;
        self.note_key(entry);
        self.note_end(entry.at);
        Ok(())
    }

    /// The session as far as it is to be shown, and never decided on again: it takes less room, because it
    /// knows no keys.
    pub fn to_be_shown(&self) -> Session {
        Session { keys: RedBlackTreeMapSync::new_sync(), ..self.clone() }
    }

    fn happen(&mut self, event: &Event) -> Result<(), Mismatch> {
        match event {
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
        }
        Ok(())
    }

    fn play(&mut self, play: &Play) -> Result<(), Mismatch> {
        play.steps.iter().try_for_each(|step| self.table.apply(step))?;
        self.made.push(&play.steps);
        self.status = play.outcome.into();
        self.has_been_played = true;
        Ok(())
    }

    fn note_key(&mut self, entry: &Entry) {
        if let (Some(seat), Some(key)) = (entry.seat, &entry.key) {
            self.keys.insert_mut((seat, key.key), EarlierUse { request: key.request, version: self.version });
        }
    }

    fn note_end(&mut self, at: Timestamp) {
        if self.finished_at.is_none() && self.is_over() {
            self.finished_at = Some(at);
        }
    }

    /// Its id.
    pub fn id(&self) -> SessionId {
        self.facts.created.id
    }

    /// How many entries its log has.
    pub fn version(&self) -> Version {
        self.version
    }

    /// What was settled when it was made.
    pub fn created(&self) -> &Created {
        &self.facts.created
    }

    /// The game.
    pub fn game(&self) -> &'static Game {
        self.facts.game
    }

    /// The engine that judges its moves.
    pub fn engine(&self) -> &Engine {
        &self.facts.engine
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether it is over for good: nothing can be undone any more, and the deal is no secret.
    pub fn is_over(&self) -> bool {
        match self.status {
            Status::Playing => false,
            Status::Won | Status::Resigned => true,
            Status::Lost => self.facts.created.undoing == Undoing::NotAllowed,
        }
    }

    /// What everyone may see of the table.
    pub fn view(&self) -> &View {
        self.table.view()
    }

    /// All legal moves; none unless it is being played.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.status {
            Status::Playing => self.engine().legal_moves(self.view()),
            _ => Vec::new(),
        }
    }

    /// How many cards have reached their place.
    pub fn placed(&self) -> usize {
        self.engine().placed(self.view())
    }

    /// How many moves were made and not undone.
    pub fn moves(&self) -> u32 {
        self.made.moves()
    }

    /// Whether there is a play to take back and it can be.
    pub fn can_undo(&self) -> bool {
        self.may_undo() && !self.made.is_empty()
    }

    /// Whether a play was taken back that can be played again.
    pub fn can_redo(&self) -> bool {
        self.may_undo() && !self.undone.is_empty()
    }

    fn may_undo(&self) -> bool {
        self.facts.created.undoing == Undoing::Allowed && !self.is_over()
    }

    /// What pins the deal before it is shown.
    pub fn commitment(&self) -> Option<&str> {
        self.facts.commitment.as_deref()
    }

    /// The deal, once the session is over for good.
    pub fn revealed_deal(&self) -> Option<&Deal> {
        self.is_over().then_some(&self.facts.created.deal)
    }

    /// Who sits where, by seat.
    pub fn players(&self) -> impl Iterator<Item = (Seat, &Player)> {
        std::iter::once((1, &self.facts.created.host))
    }

    /// The seat of the host.
    pub fn host(&self) -> Option<Seat> {
        self.players().map(|(seat, _)| seat).min()
    }

    /// The seat of whoever has that token.
    pub fn seat_of(&self, token: &SecretHash) -> Option<Seat> {
        self.players().find(|(_, player)| player.token == *token).map(|(seat, _)| seat)
    }

    /// Whether the one who asks may know that the session exists.
    pub fn is_visible_to(&self, who: &Credential) -> bool {
        match (self.facts.created.visibility, who) {
            (Visibility::Private, Credential::Token(token)) => self.seat_of(token).is_some(),
            (Visibility::Private, _) => false,
            (Visibility::Unlisted | Visibility::Public, _) => true,
        }
    }

    /// Whether anything has ever been played.
    pub fn has_been_played(&self) -> bool {
        self.has_been_played
    }

    /// When it was made.
    pub fn created_at(&self) -> Timestamp {
        self.facts.created_at
    }

    /// When its latest entry happened.
    pub fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    /// When it was over for good.
    pub fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    /// Until when it is kept, unless something happens to it.
    pub fn expires_at(&self) -> Timestamp {
        let lifetimes = &self.facts.created.lifetimes;
        match self.finished_at {
            Some(finished_at) => finished_at.plus(lifetimes.finished),
            None if self.has_been_played => self.updated_at.plus(lifetimes.idle),
            None => self.facts.created_at.plus(lifetimes.unplayed),
        }
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// For what a seat has used a key.
    pub(super) fn earlier_use(&self, seat: Seat, key: [u8; 16]) -> Option<EarlierUse> {
        self.keys.get(&(seat, key)).copied()
    }

    pub(super) fn last_made(&self) -> Option<&[Step]> {
        self.made.last()
    }

    pub(super) fn last_undone(&self) -> Option<&[Step]> {
        self.undone.last()
    }
}
