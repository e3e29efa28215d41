//! Hints, followed to the end, and what they follow from.

use std::collections::HashSet;
use std::sync::Arc;

use patience::cards::Card;
use patience::games::{CATALOGUE, Game};
use patience::rules::{Engine, Known, Memory, Move, Outcome, PileIndex, PileKind, Table};
use patience::solver::{Budget, Hint, Outlook, TO_SEE_THE_END, Why, hint, outlook};

use crate::dice::Dice;
use crate::endings::{fingerprint, manners, shuffle};
use crate::exhaustive::after;
use crate::lines::dealt;

/// Enough for a few ways to be tried on a few decks.
const BUDGET: Budget = Budget { tables: 3_000 };

/// A table, and what its player remembers.
struct Player {
    engine: Arc<Engine>,
    table: Table,
    memory: Memory,
}

impl Player {
    fn at(game: &Game, seed: String) -> Player {
        let engine = game.engine(&game.default_options());
        let table = dealt(&engine, seed);
        Player { memory: Memory::of_deal(&table), table, engine }
    }

    fn known(&self) -> Known {
        Known::of(&self.table, &self.memory)
    }

    fn hint(&self) -> Option<Hint> {
        hint(&self.engine, &self.known(), BUDGET)
    }

    fn follow(&mut self, hint: Hint) {
        play(&self.engine, &mut self.table, &mut self.memory, hint.chosen);
    }

    fn is_playing(&self) -> bool {
        self.engine.outcome(self.table.view()) == Outcome::Playing
    }
}

/// Plays a move, of which its player remembers what it shows him.
fn play(engine: &Engine, table: &mut Table, memory: &mut Memory, chosen: Move) {
    for step in &engine.steps(table, chosen) {
        table.apply(step).unwrap();
        memory.note(step, table);
    }
}

#[test]
fn a_hint_is_legal_and_who_follows_hints_never_comes_back_to_a_table() {
    for game in CATALOGUE {
        for deal in 0..3 {
            let mut player = Player::at(game, format!("hints {deal}"));
            let mut left = HashSet::new();
            while let Some(hint) = player.hint().filter(|_| player.is_playing()) {
                let legal = player.engine.legal_moves(player.table.view());
                assert!(legal.contains(&hint.chosen), "{} {deal}: {hint:?}", game.id);
                assert!(left.insert(fingerprint(&player.engine, &player.table)), "{} {deal}: {hint:?}", game.id);
                player.follow(hint);
            }
            assert!(!left.is_empty());
        }
    }
}

#[test]
fn hints_do_not_end_while_a_card_can_reach_its_place() {
    // Nothing can be turned any more, and which captives are left is not known.
    let mut player = Player::at(patience::games::find("topsy-turvy-queens").unwrap(), "d4".into());
    let hint = |player: &Player| hint(&player.engine, &player.known(), Budget { tables: 300_000 });
    while let Some(hint) = hint(&player).filter(|_| player.is_playing()) {
        player.follow(hint);
    }
    let legal = player.engine.legal_moves(player.table.view());
    let is_home = |pile: PileIndex| player.engine.id(pile).kind == PileKind::Foundation;
    assert!(!legal.iter().any(|chosen| matches!(chosen, Move::Transfer { to, .. } if is_home(*to))), "{legal:?}");
    assert!(player.engine.placed(player.table.view()) > 97);
}

#[test]
fn there_is_a_hint_as_long_as_there_is_a_way_on_and_it_leads_there() {
    for manner in manners() {
        let (ahead, budget) = (Budget { tables: TO_SEE_THE_END }, Budget { tables: 300_000 });
        let mut ends = 0;
        for seed in 0..60 {
            let mut dice = Dice::new(seed);
            let table = manner.late_ending(6 + dice.below(9), &mut dice);
            for seen in [true, false] {
                let (mut table, mut memory) = (table.clone(), Memory::of_deal(&table));
                let mut left = HashSet::new();
                while manner.engine.outcome(table.view()) == Outcome::Playing {
                    let known = if seen { Known::all_of(&table) } else { Known::of(&table, &memory) };
                    let told = (outlook(&manner.engine, &known, ahead), hint(&manner.engine, &known, budget));
                    let place = format!("{}, seed {seed}, seen {seen}: {told:?}", manner.name);
                    assert!(matches!(told, (Outlook::Open, Some(_)) | (Outlook::Stuck, None)), "{place}");
                    assert!(left.insert(fingerprint(&manner.engine, &table)), "{place}");
                    let Some(hint) = told.1 else { break };
                    play(&manner.engine, &mut table, &mut memory, hint.chosen);
                    let frees =
                        matches!(hint.chosen, Move::Transfer { from, .. } if can_go_up(&manner.engine, &table, from));
                    assert!(hint.why != Why::Releases || frees, "{place}");
                    assert!(hint.why != Why::TakesApart || !frees, "{place}");
                }
                ends += usize::from(manner.engine.outcome(table.view()) != Outcome::Won);
            }
        }
        assert!((10..120).contains(&ends), "{}: {ends} of 120 not won", manner.name);
    }
}

/// Whether a card can go from a pile to its place.
fn can_go_up(engine: &Engine, table: &Table, pile: PileIndex) -> bool {
    let goes_up = |chosen: &Move| matches!(chosen, Move::Transfer { from, to, .. } if *from == pile && engine.id(*to).kind.is_home());
    engine.legal_moves(table.view()).iter().any(goes_up)
}

#[test]
fn hints_alone_win_most_deals_of_a_game_that_shows_much() {
    let game = patience::games::find("napoleons-square").unwrap();
    let won = (0..10).filter(|deal| {
        let mut player = Player::at(game, format!("won {deal}"));
        while let Some(hint) = player.hint().filter(|_| player.is_playing()) {
            player.follow(hint);
        }
        player.engine.outcome(player.table.view()) == Outcome::Won
    });
    let won = won.count();
    assert!(won >= 6, "{won} of 10");
}

#[test]
fn hints_and_outlooks_are_the_same_whatever_the_cards_that_nobody_has_seen() {
    for game in CATALOGUE {
        let mut player = Player::at(game, "hidden".into());
        let mut dice = Dice::new(1);
        for turn in 0..60 {
            let Some(told) = player.hint().filter(|_| player.is_playing()) else { break };
            let other = Player {
                engine: player.engine.clone(),
                table: with_others_hidden(&player, &mut dice),
                memory: player.memory,
            };
            assert_eq!(other.known(), player.known());
            assert_eq!(other.hint(), Some(told), "{}, move {turn}", game.id);
            let look = |player: &Player| outlook(&player.engine, &player.known(), BUDGET);
            assert_eq!(look(&other), look(&player), "{}, move {turn}", game.id);
            player.follow(told);
        }
    }
}

/// The table of a player with the cards that he has not seen in another order.
fn with_others_hidden(player: &Player, dice: &mut Dice) -> Table {
    let (engine, known) = (&player.engine, player.known());
    let is_unseen = |pile: PileIndex, at: usize| known.face_down(pile)[at].is_none();
    let mut unseen: Vec<Card> = Vec::new();
    for pile in engine.indices() {
        let hidden = player.table.hidden(pile).iter().enumerate();
        unseen.extend(hidden.filter(|(at, _)| is_unseen(pile, *at)).map(|(_, card)| *card));
    }
    shuffle(&mut unseen, dice);
    let piles: Vec<(Vec<Card>, Vec<Card>)> = engine
        .indices()
        .map(|pile| {
            let hidden = player.table.hidden(pile).iter().enumerate();
            let hidden = hidden.map(|(at, card)| if is_unseen(pile, at) { unseen.pop().unwrap() } else { *card });
            (hidden.collect(), player.table.view().pile(pile).cards().to_vec())
        })
        .collect();
    let standing = piles.iter().map(|(down, up)| (down.as_slice(), up.as_slice()));
    Table::standing(standing, player.table.view().redeals_left())
}

#[test]
fn what_was_seen_is_remembered_when_it_was_taken_back() {
    let game = patience::games::find("topsy-turvy-queens").unwrap();
    let mut player = Player::at(game, "memory".into());
    let draw = player.engine.steps(&player.table, patience::rules::Move::Draw);
    assert!(player.known().face_down(PileIndex::STOCK).iter().all(Option::is_none));
    player.table.apply(&draw[0]).unwrap();
    player.memory.note(&draw[0], &player.table);
    let drawn = player.table.view().pile(PileIndex::WASTE).top();
    player.table.revert(&draw[0]).unwrap();
    let known = player.known();
    let stock = known.face_down(PileIndex::STOCK);
    assert_eq!((stock.last(), stock.iter().flatten().count()), (Some(&drawn), 1));
    let captives = player.engine.indices().filter(|&pile| player.engine.id(pile).kind == PileKind::Foundation);
    assert!(captives.flat_map(|pile| known.face_down(pile)).all(Option::is_none));
}

#[test]
fn no_hint_is_given_where_nothing_can_be_done() {
    let game = patience::games::find("captive-queens").unwrap();
    let options = game.options_from([("redeals".to_string(), patience::games::OptionValue::Number(0))]).unwrap();
    let engine = game.engine(&options);
    let lost = (0..).map(|deal| forced_end(&engine, format!("lost {deal}")));
    let table = lost.into_iter().find(|table| engine.outcome(table.view()) == Outcome::Lost).unwrap();
    assert_eq!(hint(&engine, &Known::all_of(&table), BUDGET), None);
}

/// How a game ends that the deal alone decides.
fn forced_end(engine: &Engine, seed: String) -> Table {
    let mut table = dealt(engine, seed);
    while let Some(&only) = engine.legal_moves(table.view()).first() {
        table = after(engine, &table, only);
    }
    table
}
