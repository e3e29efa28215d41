//! What a session says of itself.

use crate::games::Game;
use crate::rules::{Engine, Known, Move, Step, Table, View};

use super::Timestamp;
use super::entry::{Created, Deal, Undoing, Visibility};
use super::state::{Session, Status};

impl Session {
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
            Status::Won | Status::Resigned | Status::TimedOut => true,
            Status::Lost => self.facts.created.undoing == Undoing::NotAllowed,
        }
    }

    /// What everyone may see of the table.
    pub fn view(&self) -> &View {
        self.table.view()
    }

    /// What somebody knows of the table who remembers all that has been seen in this session.
    pub fn known(&self) -> Known {
        Known::of(&self.table, &self.memory)
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

    /// The deal, once it is no secret: the session is over for good, and so is the race that it belongs to.
    pub fn revealed_deal(&self) -> Option<&Deal> {
        let is_secret = self.is_racing() || !self.is_over();
        (!is_secret).then_some(&self.facts.created.deal)
    }

    /// Whether it belongs to a race that is not over.
    pub fn is_racing(&self) -> bool {
        self.facts.created.race.is_some() && self.revealed_to.is_none()
    }

    /// Whether its race goes on though the time is up: nothing can be played then, even while nobody has
    /// said so.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.is_racing() && self.facts.created.race.is_some_and(|place| place.ends_at <= now)
    }

    /// Whether everyone may be told that it exists.
    pub fn is_listed(&self) -> bool {
        self.facts.created.visibility == Visibility::Public && !self.is_racing()
    }

    /// Whether anything has ever been played.
    pub fn has_been_played(&self) -> bool {
        self.has_been_played
    }

    /// When it was made.
    pub fn created_at(&self) -> Timestamp {
        self.facts.created_at
    }

    /// When it was over for good.
    pub fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn last_made(&self) -> Option<&[Step]> {
        self.made.last()
    }

    pub(super) fn last_undone(&self) -> Option<&[Step]> {
        self.undone.last()
    }
}
