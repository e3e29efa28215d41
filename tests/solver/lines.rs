//! Thoughtful play: lines that win, and games that cannot be won.

use patience::cards::Seed;
use patience::games::{CATALOGUE, Game, OptionValue, Options};
use patience::rules::{Engine, Known, Move, Outcome, Table};
use patience::solver::{Budget, Verdict, solve};

use crate::dice::Dice;
use crate::endings::{manners, stock};
use crate::exhaustive::{after, can_win};

const BUDGET: Budget = Budget { tables: 20_000 };

/// How many endings are tried in each manner; `PATIENCE_ENDINGS` says otherwise.
pub(crate) fn endings() -> usize {
    std::env::var("PATIENCE_ENDINGS").map_or(300, |number| number.parse().expect("a number of endings"))
}

pub(crate) fn dealt(engine: &Engine, seed: String) -> Table {
    engine.deal(&Seed::try_from(seed).unwrap().deck(engine.rules().packs))
}

#[test]
fn every_line_wins_when_it_is_played() {
    for game in CATALOGUE {
        for (name, options) in ways_to_play(game) {
            let engine = game.engine(&options);
            for deal in 0..4 {
                let seed = format!("line {deal}");
                let table = dealt(&engine, seed.clone());
                if let Verdict::Won(line) = solve(&engine, &Known::all_of(&table), BUDGET).verdict {
                    assert_eq!(end_of(&engine, &table, &line), Some(Outcome::Won), "{} {name} {seed}", game.id);
                }
            }
        }
    }
}

#[test]
fn most_deals_of_most_games_are_won() {
    for (game, least) in [("napoleons-square", 16), ("topsy-turvy-queens", 16), ("captive-queens", 8)] {
        let game = patience::games::find(game).unwrap();
        let engine = game.engine(&game.default_options());
        let tables = (0..20).map(|deal| dealt(&engine, format!("most {deal}")));
        let won = tables.filter(|table| {
            let solution = solve(&engine, &Known::all_of(table), BUDGET);
            assert!(solution.tables <= BUDGET.tables);
            matches!(solution.verdict, Verdict::Won(_))
        });
        let won = won.count();
        assert!(won >= least, "{}: {won} of 20", game.id);
    }
}

#[test]
fn a_game_that_the_deal_alone_decides_is_decided_without_a_search() {
    let game = patience::games::find("captive-queens").unwrap();
    let engine = game.engine(&game.default_options());
    for deal in 0..200 {
        let table = dealt(&engine, format!("forced {deal}"));
        let mut played = table.clone();
        while let Some(&only) = engine.legal_moves(played.view()).first() {
            played = after(&engine, &played, only);
        }
        let won = engine.outcome(played.view()) == Outcome::Won;
        let verdict = solve(&engine, &Known::all_of(&table), BUDGET).verdict;
        assert_eq!(matches!(verdict, Verdict::Won(_)), won, "deal {deal}");
        assert_eq!(verdict == Verdict::Unwinnable, !won, "deal {deal}");
    }
}

#[test]
fn what_is_called_unwinnable_cannot_be_won_by_any_moves() {
    for manner in manners() {
        let (mut won, mut unwinnable) = (0, 0);
        for seed in 0..endings() as u64 {
            let mut dice = Dice::new(seed);
            let left = 6 + dice.below(9);
            let table = manner.ending(left, &mut dice);
            let Some(can_win) = can_win(&manner.engine, &table) else { continue };
            let verdict = solve(&manner.engine, &Known::all_of(&table), BUDGET).verdict;
            match &verdict {
                Verdict::Won(line) => {
                    assert_eq!(end_of(&manner.engine, &table, line), Some(Outcome::Won), "{}, {seed}", manner.name);
                    won += 1;
                }
                Verdict::Unwinnable => unwinnable += 1,
                Verdict::Unknown => {}
            }
            let is_false = match verdict {
                Verdict::Won(_) => !can_win,
                Verdict::Unwinnable => can_win,
                Verdict::Unknown => false,
            };
            assert!(!is_false, "{}, seed {seed}, {left} cards left, {} in the stock", manner.name, stock(&table));
        }
        assert!(won > 10 && unwinnable > 10, "{}: {won} won, {unwinnable} unwinnable", manner.name);
    }
}

#[test]
fn a_budget_is_kept_and_the_same_search_finds_the_same() {
    let game = patience::games::find("topsy-turvy-queens").unwrap();
    let engine = game.engine(&game.default_options());
    let table = dealt(&engine, "budget".into());
    for tables in [0, 1, 10, 1_000] {
        let budget = Budget { tables };
        let solution = solve(&engine, &Known::all_of(&table), budget);
        assert!(solution.tables <= tables);
        assert_eq!(solution, solve(&engine, &Known::all_of(&table), budget));
    }
    assert_eq!(solve(&engine, &Known::all_of(&table), Budget { tables: 10 }).verdict, Verdict::Unknown);
}

/// How a game stands after some moves; nothing if one of them is illegal.
fn end_of(engine: &Engine, table: &Table, line: &[Move]) -> Option<Outcome> {
    let end = line.iter().try_fold(table.clone(), |table, chosen| {
        engine.legal_moves(table.view()).contains(chosen).then(|| after(engine, &table, *chosen))
    });
    end.map(|table| engine.outcome(table.view()))
}

/// A game as it is, and with each of its options at each of its values.
fn ways_to_play(game: &'static Game) -> Vec<(String, Options)> {
    let values =
        game.options.iter().flat_map(|option| option.domain.values().into_iter().map(move |value| (option, value)));
    let few = values.filter(|(_, value)| !matches!(value, OptionValue::Number(3..=9)));
    few.map(|(option, value)| {
        let options = game.options_from([(option.name.to_string(), value.clone())]).unwrap();
        (format!("{}={value}", option.name), options)
    })
    .collect()
}
