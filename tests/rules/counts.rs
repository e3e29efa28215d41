//! How many ways of playing on there are, as the second implementation counted them once, for deals
//! and for tables in the middle of a game. One wrong move anywhere in them, and a number is another.
//!
//! The numbers are in `tests/data/counts/`, a file a game; what a line says stands at its head.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;

use patience::cards::{Packs, Rank};
use patience::rules::{Engine, Table};

use crate::reference;
use crate::support::{Chance, engine, kind_deck, position, ranks, reference_game, seeded, text};

/// The last depth of a line is the deepest that has at most so many sequences …
const MOST_SEQUENCES: u64 = 50_000;
/// … and is at most so many moves away.
const MOST_MOVES: usize = 40;
/// So many tables of each game.
const TABLES: usize = 50;

const GAMES: [(&str, &[&str]); 3] = [
    ("captive-queens", &["", " play=free", " start=queens play=free", " start=full play=free redeals=1"]),
    ("napoleons-square", &["", " moves=single"]),
    ("topsy-turvy-queens", &["", " kings=any", " corner=turned", " kings=any corner=turned redeals=1"]),
];

const HEAD: &str = "\
# How many sequences of 1, 2, 3 … legal moves there are, counted by tests/reference. A game that is over has
# no continuation: a sequence that ends before a depth is not counted there. Equal moves count each. The last
# number is that of the deepest depth with at most 50,000 sequences, 40 moves away at most, or the first 0.
#
# deal | game and options | seed | the numbers
# table | game and options | redeals left | piles, empty ones left out, bottom first, captives face down in
# brackets; the stock is face down, and its last card is drawn next | the numbers
#
# Written by: cargo test --release --test rules write_the_counts_anew -- --ignored
";

fn file(game: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/counts/{game}.txt"))
}

/// Adds up the sequences of each depth that there are numbers for.
fn count(engine: &Engine, table: &mut Table, numbers: &mut [u64]) {
    let Some((number, deeper)) = numbers.split_first_mut() else { return };
    let moves = engine.legal_moves(table.view());
    *number += moves.len() as u64;
    if deeper.is_empty() {
        return;
    }
    for chosen in moves {
        let steps = engine.steps(table, chosen);
        steps.iter().for_each(|step| table.apply(step).unwrap());
        count(engine, table, deeper);
        steps.iter().rev().for_each(|step| table.revert(step).unwrap());
    }
}

fn counts_are_those_of_the_file(game: &str) {
    let written = std::fs::read_to_string(file(game)).unwrap();
    let (mut deals, mut tables) = (0, 0);
    for line in written.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let engine = engine(fields[1]);
        let (mut table, numbers) = match fields[..] {
            ["deal", _, seed, numbers] => {
                deals += 1;
                (engine.deal(&seeded(seed, engine.rules().packs)), numbers)
            }
            ["table", _, redeals_left, piles, numbers] => {
                tables += 1;
                let piles: Vec<(&str, &str)> = piles.split("; ").map(|pile| pile.split_once(": ").unwrap()).collect();
                (position(&engine, redeals_left.parse().unwrap(), &piles), numbers)
            }
            _ => panic!("not a line: {line}"),
        };
        let expected: Vec<u64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        let (mut counted, before) = (vec![0; expected.len()], table.clone());
        count(&engine, &mut table, &mut counted);
        assert_eq!(counted, expected, "{line}");
        assert_eq!(table, before, "{line}");
    }
    assert!(deals >= 8 && tables >= TABLES, "{deals} deals, {tables} tables");
}

#[test]
fn there_are_as_many_ways_to_play_captive_queens_as_were_counted() {
    counts_are_those_of_the_file("captive-queens");
}

#[test]
fn there_are_as_many_ways_to_play_napoleons_square_as_were_counted() {
    counts_are_those_of_the_file("napoleons-square");
}

#[test]
fn there_are_as_many_ways_to_play_topsy_turvy_queens_as_were_counted() {
    counts_are_those_of_the_file("topsy-turvy-queens");
}

/// Counts with the second implementation; what was counted once is remembered.
#[derive(Default)]
struct Counter {
    known: HashMap<(u32, String, usize), u64>,
}

impl Counter {
    /// The sequences of that depth, unless there are more than `most`.
    fn count(&mut self, table: &reference::Table, depth: usize, most: u64) -> Option<u64> {
        let key = (table.redeals_left(), described(table), depth);
        if let Some(&known) = self.known.get(&key) {
            return (known <= most).then_some(known);
        }
        let moves = table.legal_moves();
        let mut sum = 0;
        for each in &moves {
            sum += match depth {
                1 => 1,
                _ => {
                    let mut next = table.clone();
                    next.play(each);
                    self.count(&next, depth - 1, most - sum)?
                }
            };
            if sum > most {
                return None;
            }
        }
        self.known.insert(key, sum);
        Some(sum)
    }
}

fn numbers(table: &reference::Table) -> String {
    let mut counter = Counter::default();
    let mut numbers: Vec<String> = Vec::new();
    for depth in 1..=MOST_MOVES {
        let Some(number) = counter.count(table, depth, MOST_SEQUENCES) else { break };
        numbers.push(number.to_string());
        if number == 0 {
            break;
        }
    }
    numbers.join(" ")
}

/// The piles of a table as the file has them.
fn described(table: &reference::Table) -> String {
    let mut piles: Vec<String> = Vec::new();
    for pile in table.piles() {
        let hidden = table.hidden(&pile.name);
        let cards = match &*pile.name {
            "stock" => text(&hidden),
            _ => hidden.iter().map(|card| format!("[{card}] ")).collect::<String>() + &text(&pile.cards),
        };
        if !cards.is_empty() {
            piles.push(format!("{}: {}", pile.name, cards.trim_end()));
        }
    }
    piles.join("; ")
}

/// What is to be found among the tables of a game.
type Feature = (&'static str, fn(&reference::Table) -> bool);

const ANYTHING: Feature = ("anything", |table| table.placed() > 0);
const SPACE: Feature = ("a space", |table| has_pile(table, "tableau", |cards| cards.is_empty()));
const CAPTIVE: Feature = ("a captive on show", |table| has_pile(table, "foundation", |cards| cards.len() == 14));
const CORNER: Feature = ("a corner turned", |table| {
    let turned = |pair: &[patience::cards::Card]| {
        pair[0].suit() == pair[1].suit() && (pair[0].rank(), pair[1].rank()) == (Rank::Ace, Rank::King)
    };
    has_pile(table, "tableau", |cards| cards.windows(2).any(turned))
});
const FIRST_REDEAL: Feature = ("one redeal left", |table| table.redeals_left() == 1);
const LAST_REDEAL: Feature = ("no redeal left", |table| table.redeals_left() == 0);
const NEAR_THE_END: Feature = ("near the end", |table| {
    let cards: usize = table.piles().iter().map(|pile| pile.face_down + pile.cards.len()).sum();
    table.placed() > cards * 3 / 4
});

fn has_pile(table: &reference::Table, kind: &str, like: impl Fn(&[patience::cards::Card]) -> bool) -> bool {
    table.piles().iter().any(|pile| pile.name.starts_with(kind) && like(&pile.cards))
}

/// What each of the tables has to show, in turn.
fn features(game: &str) -> Vec<Feature> {
    match game {
        "captive-queens" => vec![ANYTHING, FIRST_REDEAL, LAST_REDEAL, NEAR_THE_END],
        "napoleons-square" => vec![ANYTHING, SPACE, NEAR_THE_END],
        _ => vec![ANYTHING, SPACE, CAPTIVE, CORNER, FIRST_REDEAL, LAST_REDEAL, NEAR_THE_END],
    }
}

/// A table that random play comes to, from one of the deals that follow from a seed on.
fn reached(game: &str, feature: Feature, seed: u64) -> reference::Table {
    let engine = engine(game);
    for attempt in 0..100 {
        let mut chance = Chance::new(seed * 1_000 + attempt);
        let deck = match attempt % 3 {
            0 => seeded(&format!("table {seed} {attempt}"), engine.rules().packs),
            _ => kind_deck(&engine, ranks(game), chance.pick(&[5, 10, 20]), &mut chance),
        };
        let mut table = reference::Table::deal(reference_game(game), deck.cards());
        let mut candidates = Vec::new();
        for _ in 0..300 {
            let moves = table.legal_moves();
            if moves.is_empty() {
                break;
            }
            if feature.1(&table) {
                candidates.push(table.clone());
            }
            let leads_there = |each: &&reference::Move| {
                let mut next = table.clone();
                next.play(each);
                feature.1(&next)
            };
            let chosen = match candidates.is_empty() {
                true => moves.iter().find(leads_there).cloned(),
                false => None,
            };
            table.play(&chosen.unwrap_or_else(|| choose(&moves, &mut chance)));
        }
        if !candidates.is_empty() {
            return candidates.swap_remove(chance.below(candidates.len()));
        }
    }
    panic!("{game} never shows {}", feature.0);
}

fn choose(moves: &[reference::Move], chance: &mut Chance) -> reference::Move {
    let goes_home = |each: &&reference::Move| match each {
        reference::Move::Move { to, .. } => to.starts_with("foundation") || to == "queens",
        reference::Move::Draw | reference::Move::Redeal => false,
    };
    let home: Vec<&reference::Move> = moves.iter().filter(goes_home).collect();
    match home.is_empty() {
        false if chance.percent(90) => chance.pick(&home).clone(),
        _ if moves[0] == reference::Move::Draw && chance.percent(60) => moves[0].clone(),
        _ => moves[chance.below(moves.len())].clone(),
    }
}

#[test]
#[ignore = "writes the files; takes minutes"]
fn write_the_counts_anew() {
    for (game, options) in GAMES {
        let mut written = HEAD.to_string();
        for number in 0..8 {
            let game = format!("{game}{}", options[number % options.len()]);
            let (reference, seed) = (reference_game(&game), format!("counts {number}"));
            let packs = if reference.packs() == 1 { Packs::One } else { Packs::Two };
            let table = reference::Table::deal(reference, seeded(&seed, packs).cards());
            writeln!(written, "deal | {game} | {seed} | {}", numbers(&table)).unwrap();
        }
        let features = features(game);
        for number in 0..TABLES {
            let feature = features[number % features.len()];
            let fitting: Vec<&&str> = options.iter().filter(|options| fits(feature, options)).collect();
            let game = format!("{game}{}", fitting[number / features.len() % fitting.len()]);
            let table = reached(&game, feature, number as u64);
            assert!(feature.1(&table), "{}", feature.0);
            let (redeals_left, piles) = (table.redeals_left(), described(&table));
            writeln!(written, "table | {game} | {redeals_left} | {piles} | {}", numbers(&table)).unwrap();
        }
        std::fs::write(file(game), written).unwrap();
    }
}

/// Whether that can be seen in a game with these options.
fn fits(feature: Feature, options: &str) -> bool {
    match feature.0 {
        "a corner turned" => options.contains("corner=turned"),
        "one redeal left" => !options.contains("redeals=1"),
        _ => true,
    }
}
