//! Ways to play a deal to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::cards::Deck;
use crate::cli::chosen::Source;
use crate::cli::play::{Play, pass};
use crate::rules::{Engine, Outcome};
use crate::solver::{self, Budget, Verdict};

/// After how many moves a deal is given up, so that play that goes round in circles ends too; no line that wins comes
/// near it.
const MOST_MOVES: u32 = 5_000;

/// How deals are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Policy {
    /// The only move that is legal, again and again; refused where there is a choice
    Forced,
    /// What the hint says, from what a player with perfect memory has seen
    Hint,
    /// Any line that wins, all cards being known
    Thoughtful,
}

/// Somebody who plays deals.
#[derive(Debug)]
pub(super) struct Player {
    /// The game.
    pub(super) engine: Arc<Engine>,
    /// How it is played.
    pub(super) policy: Policy,
    /// For each search, if it is a play that searches.
    pub(super) budget: Budget,
}

/// What came of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    /// How it ended.
    pub(super) end: End,
    /// In which pass of the stock, from 1, where it was played to an end.
    pub(super) pass: u32,
    /// How many moves were made.
    pub(super) moves: u32,
    /// How many tables a search for a line has looked at.
    pub(super) tables: u64,
    /// How long it has taken: the search alone in thoughtful play, all that comes after the deal in others.
    pub(super) time: Duration,
}

/// How a deal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It was won.
    Won,
    /// It is proved that it cannot be won.
    Unwinnable,
    /// The budget ended before that was known.
    Undecided,
    /// No legal move was left.
    Lost,
    /// The hint said that nothing is left to do.
    GivenUp,
    /// It went on and on.
    CutOff,
}

impl End {
    /// How many ways there are to end.
    pub(super) const COUNT: usize = 6;
}

impl Policy {
    /// The way in which a deal is played if nothing is said.
    pub(super) fn that_suits(engine: &Arc<Engine>, first: &Source) -> Policy {
        let forced = Player { engine: engine.clone(), policy: Policy::Forced, budget: Budget { tables: 0 } };
        match forced.play(&first.deck(engine.rules().packs)) {
            Ok(_) => Policy::Forced,
            Err(_) => Policy::Thoughtful,
        }
    }

    /// Its word on a command line.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Policy::Forced => "forced",
            Policy::Hint => "hint",
            Policy::Thoughtful => "thoughtful",
        }
    }
}

impl Player {
    /// Plays a deal to its end.
    ///
    /// # Errors
    /// If it cannot be played so, or a move that was chosen is not legal: a sentence that says why.
    pub(super) fn play(&self, deck: &Deck) -> Result<Played, String> {
        match self.policy {
            Policy::Forced => self.force(deck),
            Policy::Hint => self.follow(Play::deal(&self.engine, deck)),
            Policy::Thoughtful => self.think(Play::deal(&self.engine, deck)),
        }
    }

    /// Nobody chooses here, so that nothing needs to be judged.
    fn force(&self, deck: &Deck) -> Result<Played, String> {
        let mut table = self.engine.deal(deck);
        let began = Instant::now();
        let moves = self.engine.play_forced(&mut table, MOST_MOVES as usize);
        let moves = moves.map_err(|error| format!("forced play is wrong: {error}"))? as u32;
        let end = match self.engine.outcome(table.view()) {
            Outcome::Won => End::Won,
            Outcome::Lost => End::Lost,
            Outcome::Playing if moves == MOST_MOVES => End::CutOff,
            Outcome::Playing => {
                let choice = moves + 1;
                return Err(format!("move {choice} is a choice, so nothing forces it: --play hint or thoughtful may"));
            }
        };
        Ok(Played { end, pass: pass(&self.engine, table.view()), moves, tables: 0, time: began.elapsed() })
    }

    fn follow(&self, mut play: Play) -> Result<Played, String> {
        let began = Instant::now();
        let end = loop {
            match play.outcome() {
                Outcome::Won => break End::Won,
                Outcome::Lost => break End::Lost,
                Outcome::Playing if play.moves() == MOST_MOVES => break End::CutOff,
                Outcome::Playing => {}
            }
            match solver::hint(&self.engine, &play.known(), self.budget) {
                Some(hint) => play.make(hint.chosen).map_err(|error| format!("a hint is wrong: {error}"))?,
                None => break End::GivenUp,
            };
        };
        Ok(Played::to_an_end(end, &play, began.elapsed()))
    }

    fn think(&self, mut play: Play) -> Result<Played, String> {
        let began = Instant::now();
        let solution = solver::solve(&self.engine, &play.all_known(), self.budget);
        let time = began.elapsed();
        let end = match solution.verdict {
            Verdict::Won(line) => {
                play.win_with(&line).map_err(|error| format!("the solver is wrong: {error}"))?;
                End::Won
            }
            Verdict::Unwinnable => End::Unwinnable,
            Verdict::Unknown => End::Undecided,
        };
        Ok(Played { tables: solution.tables, ..Played::to_an_end(end, &play, time) })
    }
}

impl Played {
    fn to_an_end(end: End, play: &Play, time: Duration) -> Played {
        Played { end, pass: play.pass(), moves: play.moves(), tables: 0, time }
    }
}
