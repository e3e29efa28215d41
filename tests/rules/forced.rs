//! Forced play: when a move is the only one, and what comes of playing such moves.

use std::collections::BTreeSet;

use patience::rules::{Engine, Move, Outcome, PileIndex, View};

use crate::reference::{self, Status};
use crate::support::{Board, Chance, engine, kind_deck, proposal, ranks, reference_game, seeded, text};

/// More moves than any forced game has.
const MOST: usize = 10_000;

/// Eight cards of which none goes on another, for tableau piles that are to be no spaces.
const IN_THE_WAY: [(&str, &str); 8] = [
    ("tableau-1", "3C"),
    ("tableau-2", "5C"),
    ("tableau-3", "7C"),
    ("tableau-4", "9C"),
    ("tableau-5", "3D"),
    ("tableau-6", "5D"),
    ("tableau-7", "7D"),
    ("tableau-8", "9D"),
];

/// Six kings, for foundations that are to be no places for a seventh.
const KINGS: [(&str, &str); 6] = [
    ("foundation-3", "KC"),
    ("foundation-4", "KC"),
    ("foundation-5", "KD"),
    ("foundation-6", "KD"),
    ("foundation-7", "KH"),
    ("foundation-8", "KH"),
];

#[test]
fn a_move_is_the_only_one_if_all_that_are_legal_are_equal() {
    let in_the_way = |waste| [&IN_THE_WAY[..], &[("waste", waste)]].concat();
    let among_kings = |first, second| {
        let places = [("waste", "KS"), ("foundation-1", first), ("foundation-2", second)];
        [&IN_THE_WAY[..], &KINGS, &places].concat()
    };
    #[rustfmt::skip]
    let cases = [
        ("captive-queens", 0, vec![("waste", "5C")], Some("waste foundation-1"), "a five with eight places to go to"),
        ("captive-queens", 0, vec![("waste", "5C"), ("foundation-1", "6C")], Some("waste foundation-2"), "seven are left"),
        ("captive-queens", 2, vec![("stock", "2C"), ("waste", "5C")], Some("waste foundation-1"), "it must be played"),
        ("captive-queens play=free", 2, vec![("stock", "2C"), ("waste", "5C")], None, "a draw instead"),
        ("captive-queens", 2, vec![("stock", "5C"), ("waste", "2C")], Some("draw"), "nothing but a draw"),
        ("captive-queens", 1, vec![("waste", "2C")], Some("redeal"), "nothing but a redeal"),
        ("captive-queens", 0, vec![("waste", "2C")], None, "nothing at all"),
        ("napoleons-square", 0, vec![("stock", "2C")], None, "the stock may be drawn or go to a space"),
        ("topsy-turvy-queens", 0, vec![("stock", "2C")], Some("draw"), "it may only be drawn"),
        ("topsy-turvy-queens", 0, vec![("waste", "2C")], Some("waste tableau-1"), "eight spaces"),
        ("topsy-turvy-queens", 0, in_the_way("2C"), Some("waste tableau-1"), "one card to build on"),
        ("topsy-turvy-queens", 0, in_the_way("4C"), Some("waste tableau-2"), "two cards, but one goes on it"),
        ("topsy-turvy-queens kings=any", 0, among_kings("", ""), Some("waste foundation-1"), "two empty places alike"),
        ("topsy-turvy-queens kings=any", 0, among_kings("[7H]", "[8H]"), None, "two captives, and nobody knows which"),
    ];
    for (game, redeals_left, piles, expected, case) in cases {
        let board = Board::standing(game, redeals_left, &piles);
        let view = board.table.view();
        let expected = expected.map(|text| board.engine.check(view, &proposal(text)).unwrap());
        assert_eq!(board.engine.only_move(view), expected, "{case}: {:?}", board.moves());
    }
}

#[test]
fn it_makes_no_difference_which_of_two_equal_piles_a_card_comes_from() {
    let only_and_all = |other| {
        let fives = [("tableau-1", "5S"), ("tableau-2", other), ("foundation-1", "AS 2S 3S 4S")];
        let rest = [("tableau-9", "7H"), ("tableau-10", "9H"), ("tableau-11", "JH"), ("tableau-12", "KH")];
        let piles = [&fives, &IN_THE_WAY[2..], &rest].concat();
        let board = Board::standing("napoleons-square", 0, &piles);
        let only = board.engine.only_move(board.table.view());
        (only.is_some(), board.moves())
    };
    let both = vec!["tableau-1 foundation-1".to_string(), "tableau-2 foundation-1".to_string()];
    assert_eq!(only_and_all("5S"), (true, both.clone()));
    assert_eq!(only_and_all("JC 5S"), (false, both));
}

/// What a pile is to somebody who does not care for its number.
fn described(engine: &Engine, view: &View, pile: PileIndex) -> String {
    match view.pile(pile).face_down() {
        0 => {
            let (takes, gives) = (engine.takes_in_words(pile), engine.gives_in_words(pile));
            format!("{:?}, {takes}, {gives}, {}", engine.id(pile).kind, text(view.pile(pile).cards()))
        }
        _ => engine.name(pile).to_string(),
    }
}

fn described_move(engine: &Engine, view: &View, each: Move) -> String {
    match each {
        Move::Draw | Move::Redeal => format!("{each:?}"),
        Move::Transfer { from, to, count } => {
            format!("{count} of {} to {}", described(engine, view, from), described(engine, view, to))
        }
    }
}

#[test]
fn of_moves_that_read_alike_without_the_numbers_of_piles_one_counts() {
    let games = [
        "captive-queens",
        "captive-queens play=free",
        "napoleons-square",
        "napoleons-square moves=single",
        "topsy-turvy-queens",
        "topsy-turvy-queens kings=any corner=turned",
    ];
    let (mut only_of_several, mut choices) = (0, 0);
    for game in games {
        let engine = engine(game);
        for seed in 0..30 {
            let mut chance = Chance::new(seed);
            let mut table = engine.deal(&kind_deck(&engine, ranks(game), 4, &mut chance));
            for _ in 0..400 {
                let moves = engine.legal_moves(table.view());
                let different: BTreeSet<String> =
                    moves.iter().map(|&each| described_move(&engine, table.view(), each)).collect();
                let expected = (different.len() == 1).then(|| moves[0]);
                assert_eq!(engine.only_move(table.view()), expected, "{game} {seed}: {different:?}");
                only_of_several += usize::from(expected.is_some() && moves.len() > 1);
                choices += usize::from(different.len() > 1);
                if moves.is_empty() {
                    break;
                }
                let chosen = chance.choose(&engine, &moves, true);
                engine.steps(&table, chosen).iter().for_each(|step| table.apply(step).unwrap());
            }
        }
    }
    assert!(only_of_several > 100 && choices > 100, "{only_of_several}, {choices}");
}

#[test]
fn forced_captive_queens_end_as_in_the_second_implementation() {
    for game in ["captive-queens", "captive-queens start=queens", "captive-queens start=full redeals=10"] {
        let engine = engine(game);
        for seed in 0..200 {
            let deck = match seed % 2 {
                0 => seeded(&format!("forced {seed}"), engine.rules().packs),
                _ => kind_deck(&engine, ranks(game), 10, &mut Chance::new(seed)),
            };
            let mut table = engine.deal(&deck);
            let moves = engine.play_forced(&mut table, MOST).unwrap();
            let mut reference = reference::Table::deal(reference_game(game), deck.cards());
            for _ in 0..moves {
                reference.play(&reference.legal_moves()[0].clone());
            }
            let outcome = match reference.status() {
                Status::Playing => Outcome::Playing,
                Status::Won => Outcome::Won,
                Status::Lost => Outcome::Lost,
            };
            assert_ne!(outcome, Outcome::Playing, "{game} {seed}");
            assert_eq!(engine.outcome(table.view()), outcome, "{game} {seed}");
            assert_eq!(engine.placed(table.view()), reference.placed(), "{game} {seed}");
        }
    }
}

#[test]
fn forced_play_stops_at_a_choice_and_after_so_many_moves() {
    let free = engine("captive-queens play=free");
    let mut table = free.deal(&seeded("forced", free.rules().packs));
    let moves = free.play_forced(&mut table, MOST).unwrap();
    assert!(free.legal_moves(table.view()).len() > 1, "{moves}");
    let before = table.clone();
    assert_eq!((free.play_forced(&mut table, MOST), table), (Ok(0), before));

    let engine = engine("captive-queens");
    let dealt = engine.deal(&seeded("forced", engine.rules().packs));
    let (mut whole, mut piecemeal) = (dealt.clone(), dealt);
    let moves = engine.play_forced(&mut whole, MOST).unwrap();
    let pieces: Vec<usize> =
        (0..moves.div_ceil(7) + 1).map(|_| engine.play_forced(&mut piecemeal, 7).unwrap()).collect();
    assert_eq!((pieces.iter().sum::<usize>(), piecemeal), (moves, whole));
    assert!(pieces.iter().all(|&piece| piece <= 7), "{pieces:?}");
}
