//! The engine and the second implementation, side by side in one game.

use std::collections::BTreeMap;

use patience::cards::{Card, Deck};
use patience::rules::{Drawing, Engine, Move, Outcome, PileIndex, PileKind, Proposal, Step, Table};

use crate::reference::{self, Draws, Status};
use crate::support::{Chance, asked, conceivable, kind_deck, seeded};

/// How often something happened.
pub(crate) type Seen = BTreeMap<&'static str, usize>;

/// A game that both play.
pub(crate) struct Pair<'a> {
    engine: &'a Engine,
    table: Table,
    reference: reference::Table,
    case: String,
}

impl<'a> Pair<'a> {
    pub(crate) fn deal(engine: &'a Engine, game: reference::Game, deck: &Deck, case: String) -> Pair<'a> {
        let table = engine.deal(deck);
        let reference = reference::Table::deal(game, deck.cards());
        Pair { engine, table, reference, case }
    }

    /// That everything to be seen is the same, and what is hidden too; gives the legal moves.
    pub(crate) fn agree(&self) -> Vec<Move> {
        let (engine, view, case) = (self.engine, self.table.view(), &self.case);
        let piles = self.reference.piles();
        let names: Vec<String> = engine.piles().map(|pile| pile.to_string()).collect();
        assert!(piles.iter().map(|pile| &pile.name).eq(&names), "{case}: {names:?}");
        for pile in piles {
            let index = engine.find(&pile.name).unwrap();
            let (hidden, here) = (self.table.hidden(index), view.pile(index));
            let theirs = self.reference.hidden(&pile.name);
            assert_eq!((here.cards(), hidden), (&pile.cards[..], &theirs[..]), "{case}: {}", pile.name);
            assert_eq!((here.face_down(), pile.face_down), (hidden.len(), hidden.len()), "{case}: {}", pile.name);
        }
        assert_eq!(view.redeals_left(), self.reference.redeals_left(), "{case}");
        assert_eq!(engine.placed(view), self.reference.placed(), "{case}");

        let moves = engine.legal_moves(view);
        let named: Vec<reference::Move> = moves.iter().map(|&each| named(asked(engine, each))).collect();
        assert_eq!(named, self.reference.legal_moves(), "{case}");
        for (drawing, draws) in [(Drawing::Never, Draws::Never), (Drawing::WhileForced, Draws::WhileForced)] {
            let here = engine.autoplay(view, drawing).map(|next| self::named(asked(engine, next)));
            assert_eq!(here, self.reference.next_of_autoplay(draws, &named), "{case}: {drawing:?}");
        }
        // A game in which a move is legal goes on; it takes long to ask for that, too.
        let status = if moves.is_empty() { self.reference.status() } else { Status::Playing };
        let outcome = match engine.outcome(view) {
            Outcome::Playing => Status::Playing,
            Outcome::Won => Status::Won,
            Outcome::Lost => Status::Lost,
        };
        assert_eq!(outcome, status, "{case}");
        moves
    }

    /// That every conceivable move is refused for the same reason, or by neither.
    pub(crate) fn agree_on_refusals(&self, seen: &mut Seen) {
        for each in conceivable(self.engine, self.table.view()) {
            let here = self.engine.check(self.table.view(), &each).map_err(|reason| reason.code());
            let there = self.reference.refusal(&named(each.clone()));
            assert_eq!(here.err(), there, "{}: {each:?}", self.case);
            *seen.entry(there.unwrap_or("legal")).or_default() += 1;
        }
    }

    fn play(&mut self, chosen: Move, seen: &mut Seen) {
        let steps = self.engine.steps(&self.table, chosen);
        for step in &steps {
            self.note(step, seen);
            self.table.apply(step).unwrap();
        }
        self.reference.play(&named(asked(self.engine, chosen)));
    }

    fn note(&self, step: &Step, seen: &mut Seen) {
        let kind = |pile: PileIndex| self.engine.piles().nth(pile.get()).unwrap().kind;
        let view = self.table.view();
        let mut saw = |what| *seen.entry(what).or_default() += 1;
        match *step {
            Step::Turn { to: PileIndex::WASTE, .. } => saw("a draw"),
            Step::Turn { .. } => saw("the stock to a space"),
            Step::Redeal => saw("a redeal"),
            Step::Free { .. } => saw("a captive freed"),
            Step::Shift { from, to, count } => {
                if kind(from) == PileKind::Foundation {
                    saw("a captive home");
                }
                if kind(to) == PileKind::Tableau {
                    let run = &view.pile(from).cards()[view.pile(from).cards().len() - usize::from(count)..];
                    let passes = |cards: &[Card]| cards.windows(2).any(|pair| pair[1].rank() > pair[0].rank());
                    if view.pile(to).is_empty() {
                        saw("a space filled");
                    }
                    if count > 1 {
                        saw("a run moved");
                    }
                    if passes(run) || view.pile(to).top().is_some_and(|top| passes(&[top, run[0]])) {
                        saw("a corner passed");
                    }
                }
            }
        }
    }

    /// Plays on at random, at most so many moves, and compares after each; the reasons of refusals
    /// only now and then, for there are thousands of them.
    pub(crate) fn play_on(&mut self, limit: usize, eager: bool, chance: &mut Chance, seen: &mut Seen) {
        let case = self.case.clone();
        for number in 0..limit {
            let moves = self.agree();
            if chance.percent(8) || moves.is_empty() {
                self.agree_on_refusals(seen);
            }
            let Some(_) = moves.first() else { break };
            let chosen = chance.choose(self.engine, &moves, eager);
            self.case = format!("{case}, move {number}: {chosen:?}");
            self.play(chosen, seen);
        }
        let end = match self.engine.outcome(self.table.view()) {
            Outcome::Playing => "unfinished",
            Outcome::Won => "won",
            Outcome::Lost => "lost",
        };
        *seen.entry(end).or_default() += 1;
        *seen.entry("games").or_default() += 1;
    }
}

/// Plays so many games. Every other one is played eagerly, and longer; every other pair of them is
/// dealt kindly, in the order of ranks in which cards go home, so that games are won.
pub(crate) fn play_in_step(engine: &Engine, game: reference::Game, ranks: &str, games: u64, seen: &mut Seen) {
    for number in 0..games {
        let mut chance = Chance::new(number);
        let case = format!("{game:?}, game {number}");
        let deck = match number / 2 % 2 {
            0 => seeded(&format!("in step {number}"), engine.rules().packs),
            _ => {
                let swaps = chance.pick(&[0, 0, 2, 5, 10, 20]);
                kind_deck(engine, ranks, swaps, &mut chance)
            }
        };
        let eager = number % 2 == 1;
        let limit = if eager { 300 } else { 100 };
        Pair::deal(engine, game, &deck, case).play_on(limit, eager, &mut chance, seen);
    }
}

/// That all of these happened.
#[track_caller]
pub(crate) fn assert_seen(seen: &Seen, expected: &[&str]) {
    for each in expected {
        assert!(seen.contains_key(each), "never seen: {each}; seen: {seen:?}");
    }
}

/// The move as the second implementation has it.
fn named(asked: Proposal) -> reference::Move {
    match asked {
        Proposal::Draw => reference::Move::Draw,
        Proposal::Redeal => reference::Move::Redeal,
        Proposal::Transfer { from, to, count } => reference::Move::Move { from, to, count: count as usize },
    }
}
