//! The reference implementation of the games, held to the rules: constructed positions whose
//! answers were worked out by hand, and random play.

use patience::cards::{Card, Deck, Packs, Rank, Seed, Suit};

use crate::reference::{Corner, Game, Kings, Move, Moves, Pile, Play, Start, Status, Table};

const KING_TO_QUEEN: &str = "KA23456789TJQ";
const KING_TO_JACK: &str = "KA23456789TJ";

fn captive_queens(options: &[(&str, &str)]) -> Game {
    Game::named("captive-queens", options)
}

fn napoleons_square(options: &[(&str, &str)]) -> Game {
    Game::named("napoleons-square", options)
}

fn topsy_turvy(options: &[(&str, &str)]) -> Game {
    Game::named("topsy-turvy-queens", options)
}

fn forty_thieves() -> Game {
    Game::named("forty-thieves", &[])
}

/// The cards of that text, separated by blanks.
fn cards(text: &str) -> Vec<Card> {
    let words = text.split_whitespace();
    words.map(|word| word.parse().unwrap()).collect()
}

/// Those ranks in one suit: `suited("KA2", 'S')` is `KS AS 2S`.
fn suited(ranks: &str, suit: char) -> String {
    let names = ranks.chars().map(|rank| format!("{rank}{suit}"));
    names.collect::<Vec<_>>().join(" ")
}

fn seeded(text: &str, game: &Game) -> Vec<Card> {
    let packs = if game.packs() == 1 { Packs::One } else { Packs::Two };
    let seed = Seed::try_from(text.to_string()).unwrap();
    seed.deck(packs).cards().to_vec()
}

fn to(from: &str, to: &str, count: usize) -> Move {
    Move::Move { from: from.to_string(), to: to.to_string(), count }
}

fn pile(table: &Table, name: &str) -> Pile {
    let mut piles = table.piles().into_iter();
    piles.find(|pile| pile.name == name).unwrap()
}

/// Checks refusals, each written as source, target, count and reason, an empty one if it is legal.
fn check(table: &Table, expected: &[(&str, &str, usize, &str)]) {
    for (source, target, count, reason) in expected {
        let found = table.refusal(&to(source, target, *count)).unwrap_or("");
        assert_eq!(found, *reason, "{source} to {target}, {count}");
    }
}

/// All cards of a table, sorted.
fn all_cards(table: &Table) -> Vec<Card> {
    let mut all = Vec::new();
    for pile in table.piles() {
        let hidden = table.hidden(&pile.name);
        assert_eq!(hidden.len(), pile.face_down, "{}", pile.name);
        all.extend(hidden);
        all.extend(pile.cards);
    }
    all.sort();
    all
}

#[test]
fn a_game_by_name_has_the_defaults_of_the_rules() {
    let captive = Game::CaptiveQueens { start: Start::Empty, play: Play::Forced, redeals: 2 };
    assert_eq!(captive_queens(&[]), captive);
    let napoleon = Game::NapoleonsSquare { moves: Moves::Runs };
    assert_eq!(napoleons_square(&[]), napoleon);
    let topsy = Game::TopsyTurvyQueens {
        kings: Kings::LeftToRight,
        corner: Corner::Closed,
        redeals: 2,
        foundations_start: Rank::King,
    };
    assert_eq!(topsy_turvy(&[]), topsy);
    let other = Game::TopsyTurvyQueens {
        kings: Kings::Any,
        corner: Corner::Turned,
        redeals: 10,
        foundations_start: Rank::King,
    };
    let options = [("redeals", "10"), ("corner", "turned"), ("kings", "any")];
    assert_eq!(topsy_turvy(&options), other);
    assert_eq!([captive, napoleon, topsy].map(|game| game.packs()), [1, 2, 2]);
}

#[test]
fn nonsense_is_no_game() {
    let nonsense: [(&str, &[(&str, &str)]); 7] = [
        ("klondike", &[]),
        ("captive-queens", &[("moves", "runs")]),
        ("captive-queens", &[("redeals", "11")]),
        ("captive-queens", &[("redeals", "+2")]),
        ("captive-queens", &[("play", "free"), ("play", "free")]),
        ("topsy-turvy-queens", &[("kings", "left-to-right")]),
        ("forty-thieves", &[("redeals", "1")]),
    ];
    for (game, options) in nonsense {
        let made = std::panic::catch_unwind(|| Game::named(game, options));
        assert!(made.is_err(), "{game} {options:?}");
    }
}

#[test]
fn piles_come_as_stock_waste_foundations_tableau_queens_each_by_number() {
    let names = |game: Game| {
        let table = Table::deal(game, &seeded("names", &game));
        let piles = table.piles().into_iter();
        piles.map(|pile| pile.name).collect::<Vec<_>>().join(" ")
    };
    let shared = "stock waste foundation-1 foundation-2 foundation-3 foundation-4 foundation-5 \
                  foundation-6 foundation-7 foundation-8";
    let eight = "tableau-1 tableau-2 tableau-3 tableau-4 tableau-5 tableau-6 tableau-7 tableau-8";
    assert_eq!(names(captive_queens(&[])), format!("{shared} queens"));
    assert_eq!(names(topsy_turvy(&[])), format!("{shared} {eight}"));
    let ten = format!("{shared} {eight} tableau-9 tableau-10");
    assert_eq!(names(forty_thieves()), ten);
    let twelve = format!("{ten} tableau-11 tableau-12");
    assert_eq!(names(napoleons_square(&[])), twelve);
}

#[test]
fn layouts_are_dealt_row_by_row_and_the_stock_is_drawn_in_the_same_order() {
    for (game, captives, piles) in [(napoleons_square(&[]), 0, 12), (topsy_turvy(&[]), 7, 8), (forty_thieves(), 0, 10)]
    {
        let deck = Deck::unshuffled(Packs::Two).cards().to_vec();
        let mut table = Table::deal(game, &deck);
        for (place, captive) in deck[..captives].iter().enumerate() {
            let name = format!("foundation-{}", place + 1);
            assert_eq!(table.hidden(&name), [*captive]);
            assert!(pile(&table, &name).cards.is_empty());
        }
        assert_eq!(pile(&table, "foundation-8").face_down, 0);
        for number in 0..piles {
            let rows = (0..4).map(|row| deck[captives + row * piles + number]);
            let name = format!("tableau-{}", number + 1);
            assert_eq!(pile(&table, &name).cards, rows.collect::<Vec<_>>());
        }
        let dealt = captives + 4 * piles;
        assert_eq!(pile(&table, "stock").face_down, 104 - dealt);
        table.play(&Move::Draw);
        table.play(&Move::Draw);
        assert_eq!(pile(&table, "waste").cards, deck[dealt..dealt + 2]);
        assert_eq!(table.placed(), 0);
    }
}

#[test]
fn cards_that_start_lays_out_are_taken_out_of_the_deck_and_the_rest_keeps_its_order() {
    let deck = seeded("start", &captive_queens(&[]));
    let of_ranks = |ranks: &[Rank]| {
        let kept = deck.iter().filter(|card| ranks.contains(&card.rank()));
        kept.copied().collect::<Vec<_>>()
    };
    let without = |ranks: &[Rank]| {
        let kept = deck.iter().filter(|card| !ranks.contains(&card.rank()));
        kept.copied().rev().collect::<Vec<_>>()
    };

    let empty = Table::deal(captive_queens(&[]), &deck);
    assert_eq!(empty.hidden("stock"), without(&[]));
    assert_eq!(empty.placed(), 0);

    let queens = Table::deal(captive_queens(&[("start", "queens")]), &deck);
    assert_eq!(pile(&queens, "queens").cards, of_ranks(&[Rank::Queen]));
    assert_eq!(queens.hidden("stock"), without(&[Rank::Queen]));
    assert_eq!(queens.placed(), 4);

    let full = Table::deal(captive_queens(&[("start", "full")]), &deck);
    let laid_out = [Rank::Five, Rank::Six, Rank::Queen];
    assert_eq!(pile(&full, "queens").cards, of_ranks(&[Rank::Queen]));
    assert_eq!(full.hidden("stock"), without(&laid_out));
    let bases = of_ranks(&[Rank::Five, Rank::Six]);
    for (number, base) in bases.iter().enumerate() {
        let name = format!("foundation-{}", number + 1);
        assert_eq!(pile(&full, &name).cards, [*base]);
    }
    assert_eq!(full.placed(), 12);
}

#[test]
fn an_empty_foundation_takes_any_five_or_six_and_a_five_has_a_move_for_each_empty_place() {
    for base in ["5H", "6H"] {
        let table = Table::position(
            captive_queens(&[("play", "free")]),
            2,
            &[("stock", "KS"), ("waste", base), ("foundation-2", "5C"), ("foundation-5", "6H")],
        );
        let mut expected = vec![Move::Draw];
        for number in [1, 3, 4, 6, 7, 8] {
            expected.push(to("waste", &format!("foundation-{number}"), 1));
        }
        assert_eq!(table.legal_moves(), expected);
    }
}

#[test]
fn captive_queens_foundations_go_5_4_3_2_a_k_and_6_7_8_9_t_j_and_are_then_complete() {
    for ranks in ["5432AK", "6789TJ"] {
        for length in 1..6 {
            let built = suited(&ranks[..length], 'D');
            let mut accepted = String::new();
            for card in Card::all().filter(|card| card.suit() == Suit::Diamonds) {
                let waste = card.to_string();
                let piles = [("waste", waste.as_str()), ("foundation-3", &built)];
                let table = Table::position(captive_queens(&[]), 2, &piles);
                match table.refusal(&to("waste", "foundation-3", 1)) {
                    None => accepted.push(card.rank().letter()),
                    reason => assert_eq!(reason, Some("wrong_rank")),
                }
            }
            assert_eq!(accepted, ranks[length..=length]);
        }
        let built = suited(ranks, 'D');
        let piles = [("waste", "QD"), ("foundation-3", &built)];
        let table = Table::position(captive_queens(&[]), 2, &piles);
        check(&table, &[("waste", "foundation-3", 1, "pile_complete")]);
    }
}

#[test]
fn a_playable_waste_card_a_queen_too_must_be_played_before_drawing_and_redealing() {
    let free = captive_queens(&[("play", "free")]);
    for (waste, foundation, playable) in [
        ("9C QH", "5C", true),
        ("9C 6H", "5C", true),
        ("9C 4C", "5C", true),
        ("QC 4H", "5C", false),
        ("QC KC", "5C", false),
    ] {
        for (game, reason) in [(captive_queens(&[]), playable.then_some("play_waste_first")), (free, None)] {
            let piles = [("waste", waste), ("foundation-1", foundation)];
            let redeal = Table::position(game, 1, &piles);
            assert_eq!(redeal.refusal(&Move::Redeal), reason, "{waste}");
            assert_eq!(redeal.refusal(&Move::Draw), Some("stock_empty"));
            let piles = [piles[0], piles[1], ("stock", "2H")];
            let draw = Table::position(game, 1, &piles);
            assert_eq!(draw.refusal(&Move::Draw), reason, "{waste}");
            assert_eq!(draw.refusal(&Move::Redeal), Some("stock_not_empty"));
        }
    }
}

#[test]
fn a_redeal_is_refused_for_the_first_reason_that_applies() {
    let game = captive_queens(&[]);
    let none: [(&str, &str); 0] = [];
    let empty = Table::position(game, 0, &none);
    assert_eq!(empty.refusal(&Move::Redeal), Some("nothing_to_redeal"));
    let over = Table::position(game, 0, &[("waste", "QS")]);
    assert_eq!(over.refusal(&Move::Redeal), Some("no_redeals_left"));
    let playable = Table::position(game, 1, &[("waste", "QS")]);
    assert_eq!(playable.refusal(&Move::Redeal), Some("play_waste_first"));
    let napoleon = Table::position(napoleons_square(&[]), 0, &[("waste", "QS")]);
    assert_eq!(napoleon.refusal(&Move::Redeal), Some("no_redeals_left"));
}

#[test]
fn after_a_redeal_the_first_card_drawn_is_again_the_first_and_all_are_face_down() {
    let game = topsy_turvy(&[("redeals", "1")]);
    let deck = seeded("redeal", &game);
    let mut table = Table::deal(game, &deck);
    let stock = table.hidden("stock");
    for _ in 0..65 {
        table.play(&Move::Draw);
    }
    assert_eq!(pile(&table, "waste").cards, deck[39..]);
    assert_eq!(table.redeals_left(), 1);
    table.play(&Move::Redeal);
    assert_eq!(table.redeals_left(), 0);
    assert_eq!(table.hidden("stock"), stock);
    assert_eq!(pile(&table, "stock").face_down, 65);
    assert!(pile(&table, "stock").cards.is_empty());
    assert!(pile(&table, "waste").cards.is_empty());
    table.play(&Move::Draw);
    assert_eq!(pile(&table, "waste").cards, [deck[39]]);
}

#[test]
fn redeals_make_one_pass_more_than_their_number() {
    for redeals in 0..=2 {
        let options = [("play", "free"), ("redeals", &redeals.to_string())];
        let game = captive_queens(&options);
        let mut table = Table::deal(game, &seeded("passes", &game));
        let mut draws = 0;
        loop {
            if table.refusal(&Move::Draw).is_none() {
                table.play(&Move::Draw);
                draws += 1;
            } else if table.refusal(&Move::Redeal).is_none() {
                table.play(&Move::Redeal);
            } else {
                break;
            }
        }
        assert_eq!(draws, 52 * (redeals + 1));
        assert_eq!(table.refusal(&Move::Redeal), Some("no_redeals_left"));
    }
}

#[test]
fn captive_queens_is_won_when_stock_and_waste_are_empty_and_all_cards_are_placed() {
    let deck = ["5432AK6789TJQ"; 4].iter().zip(['H', 'C', 'S', 'D']);
    let deck: Vec<String> = deck.map(|(ranks, suit)| suited(ranks, suit)).collect();
    let mut table = Table::deal(captive_queens(&[]), &cards(&deck.join(" ")));
    let mut played = 0;
    while table.status() == Status::Playing {
        table.play(&table.legal_moves().last().unwrap().clone());
        played += 1;
    }
    assert_eq!(table.status(), Status::Won);
    assert_eq!((played, table.placed()), (104, 52));
    assert_eq!(pile(&table, "queens").cards, cards("QH QC QS QD"));
    for number in 1..=8 {
        assert_eq!(pile(&table, &format!("foundation-{number}")).cards.len(), 6);
    }
    assert!(table.legal_moves().is_empty());
}

#[test]
fn captive_queens_gives_nothing_but_the_top_of_the_waste() {
    let table = Table::position(
        captive_queens(&[]),
        2,
        &[("stock", "7C"), ("waste", "3C QD"), ("foundation-1", "5C 4C"), ("queens", "QS")],
    );
    check(
        &table,
        &[
            ("foundation-1", "foundation-2", 1, "not_available"),
            ("foundation-2", "foundation-1", 1, "not_available"),
            ("queens", "foundation-1", 1, "not_available"),
            ("queens", "waste", 9, "not_available"),
            ("stock", "foundation-1", 1, "not_available"),
            ("stock", "waste", 1, "not_available"),
            ("waste", "stock", 1, "no_building"),
            ("waste", "foundation-1", 2, "too_many_cards"),
            ("waste", "foundation-1", 1, "wrong_suit"),
            ("waste", "foundation-2", 1, "needs_base_card"),
            ("waste", "tableau-1", 1, "no_such_pile"),
            ("waste", "queens", 1, ""),
        ],
    );
    assert_eq!(table.legal_moves(), [to("waste", "queens", 1)]);
    let table = Table::position(captive_queens(&[]), 2, &[("waste", "3C")]);
    check(&table, &[("waste", "queens", 1, "needs_base_card")]);
    let piles = [("waste", "3C"), ("queens", "QS QH QD QC")];
    let table = Table::position(captive_queens(&[]), 2, &piles);
    check(&table, &[("waste", "queens", 1, "pile_complete")]);
}

#[test]
fn in_napoleons_square_the_stock_gives_its_top_to_a_space_and_to_nothing_else() {
    let piles = [("stock", "4D 9C"), ("waste", "3H"), ("tableau-1", "TC")];
    let mut table = Table::position(napoleons_square(&[]), 0, &piles);
    check(
        &table,
        &[
            ("stock", "tableau-2", 1, ""),
            ("stock", "tableau-12", 1, ""),
            ("stock", "tableau-13", 1, "no_such_pile"),
            ("stock", "tableau-2", 2, "too_many_cards"),
            ("stock", "tableau-1", 1, "not_available"),
            ("stock", "tableau-1", 2, "not_available"),
            ("stock", "foundation-1", 1, "not_available"),
            ("stock", "waste", 1, "not_available"),
            ("stock", "stock", 1, "same_pile"),
        ],
    );
    table.play(&to("stock", "tableau-2", 1));
    assert_eq!(pile(&table, "tableau-2").cards, cards("9C"));
    assert_eq!(table.hidden("stock"), cards("4D"));
    table.play(&to("stock", "tableau-12", 1));
    check(
        &table,
        &[
            ("stock", "tableau-3", 1, "empty_source"),
            ("stock", "tableau-3", 2, "empty_source"),
            ("stock", "tableau-1", 1, "not_available"),
        ],
    );
}

#[test]
fn in_the_other_games_the_stock_gives_nothing_except_by_drawing() {
    for game in [topsy_turvy(&[]), forty_thieves()] {
        for stock in ["4D 9C", ""] {
            let table = Table::position(game, 2, &[("stock", stock), ("tableau-1", "TC")]);
            for target in ["tableau-1", "tableau-2", "foundation-1", "waste"] {
                check(&table, &[("stock", target, 1, "not_available")]);
            }
        }
    }
}

#[test]
fn a_king_never_goes_on_an_ace_where_the_corner_is_closed() {
    for game in [napoleons_square(&[]), topsy_turvy(&[]), forty_thieves()] {
        let piles =
            [("waste", "KS"), ("tableau-1", "AS"), ("tableau-2", "KS"), ("tableau-3", "AH"), ("tableau-4", "AS KS")];
        let table = Table::position(game, 0, &piles);
        check(
            &table,
            &[
                ("waste", "tableau-1", 1, "wrong_rank"),
                ("waste", "tableau-3", 1, "wrong_suit"),
                ("tableau-2", "tableau-1", 1, "wrong_rank"),
                ("tableau-1", "tableau-2", 1, "wrong_rank"),
                ("tableau-4", "tableau-5", 1, ""),
            ],
        );
        assert!(table.refusal(&to("tableau-4", "tableau-5", 2)).is_some());
    }
}

#[test]
fn a_run_moves_whole_or_its_upper_part_and_what_is_no_run_does_not() {
    for game in [napoleons_square(&[]), topsy_turvy(&[])] {
        let piles = [
            ("tableau-1", "KH 9C 8C 7C"),
            ("tableau-2", "TC"),
            ("tableau-3", "8C"),
            ("tableau-4", "5D 4C"),
            ("foundation-1", "AC 2C"),
        ];
        let mut table = Table::position(game, 0, &piles);
        check(
            &table,
            &[
                ("tableau-1", "tableau-2", 3, ""),
                ("tableau-1", "tableau-2", 2, "wrong_rank"),
                ("tableau-1", "tableau-2", 4, "not_a_run"),
                ("tableau-1", "tableau-2", 5, "too_many_cards"),
                ("tableau-1", "tableau-3", 1, ""),
                ("tableau-1", "tableau-5", 2, ""),
                ("tableau-4", "tableau-5", 2, "not_a_run"),
                ("tableau-1", "foundation-1", 3, "too_many_cards"),
                ("tableau-1", "foundation-1", 4, "too_many_cards"),
                ("tableau-1", "stock", 3, "no_building"),
                ("tableau-1", "waste", 4, "not_a_run"),
                ("tableau-5", "waste", 1, "empty_source"),
            ],
        );
        table.play(&to("tableau-1", "tableau-2", 3));
        assert_eq!(pile(&table, "tableau-1").cards, cards("KH"));
        assert_eq!(pile(&table, "tableau-2").cards, cards("TC 9C 8C 7C"));
    }
}

#[test]
fn with_single_and_in_forty_thieves_one_card_goes_at_a_time_into_a_space_too() {
    let single = napoleons_square(&[("moves", "single")]);
    for game in [single, forty_thieves()] {
        let piles = [("tableau-1", "9C 8C"), ("tableau-2", "TC"), ("tableau-3", "9C")];
        let table = Table::position(game, 0, &piles);
        check(
            &table,
            &[
                ("tableau-1", "tableau-2", 2, "too_many_cards"),
                ("tableau-1", "tableau-4", 2, "too_many_cards"),
                ("tableau-1", "tableau-4", 1, ""),
                ("tableau-1", "tableau-3", 1, ""),
            ],
        );
    }
}

#[test]
fn a_space_may_be_filled_from_a_pile_that_thereby_becomes_a_space_so_that_is_not_lost() {
    for game in [napoleons_square(&[]), topsy_turvy(&[]), forty_thieves()] {
        let table = Table::position(game, 0, &[("tableau-1", "9C")]);
        assert_eq!(table.status(), Status::Playing);
        let moves = table.legal_moves();
        let spaces = table.piles().len() - 11;
        assert_eq!(moves.len(), spaces);
        assert_eq!(moves[0], to("tableau-1", "tableau-2", 1));
    }
}

#[test]
fn a_game_is_lost_when_no_legal_move_is_left_though_the_table_still_says_why() {
    let piles = [
        ("waste", "3C 9S"),
        ("tableau-1", "AD KC"),
        ("tableau-2", "KC"),
        ("tableau-3", "KD"),
        ("tableau-4", "KD"),
        ("tableau-5", "KH"),
        ("tableau-6", "KH"),
        ("tableau-7", "KS"),
        ("tableau-8", "KS"),
        ("tableau-9", "7S"),
        ("tableau-10", "5S"),
    ];
    let table = Table::position(forty_thieves(), 0, &piles);
    assert_eq!(table.status(), Status::Lost);
    assert_eq!(table.legal_moves(), []);
    assert_eq!(table.refusal(&Move::Draw), Some("stock_empty"));
    check(&table, &[("waste", "tableau-9", 1, "wrong_rank")]);
}

#[test]
fn two_equal_cards_are_interchangeable_and_equal_moves_all_legal() {
    let piles = [("waste", "AC"), ("tableau-1", "AC"), ("tableau-2", "2C"), ("foundation-7", "AC")];
    let table = Table::position(napoleons_square(&[]), 0, &piles);
    for source in ["waste", "tableau-1"] {
        for number in 1..=8 {
            let reason = if number == 7 { "wrong_rank" } else { "" };
            check(&table, &[(source, &format!("foundation-{number}"), 1, reason)]);
        }
        check(&table, &[(source, "tableau-2", 1, "")]);
    }
    check(&table, &[("tableau-2", "foundation-7", 1, "")]);
}

#[test]
fn a_king_goes_to_the_leftmost_place_that_has_no_king_yet_or_with_any_to_any_such() {
    let piles = [
        ("waste", "KH"),
        ("tableau-1", "QH"),
        ("foundation-1", "[2C] KS AS"),
        ("foundation-2", "[3C]"),
        ("foundation-3", "[4C] KH"),
        ("foundation-4", "[5C]"),
    ];
    for (kings, reason) in [("left_to_right", "fill_from_the_left"), ("any", "")] {
        let mut table = Table::position(topsy_turvy(&[("kings", kings)]), 2, &piles);
        check(
            &table,
            &[
                ("waste", "foundation-1", 1, "wrong_suit"),
                ("waste", "foundation-2", 1, ""),
                ("waste", "foundation-3", 1, "wrong_rank"),
                ("waste", "foundation-4", 1, reason),
                ("waste", "foundation-8", 1, reason),
                ("tableau-1", "foundation-4", 1, "needs_base_card"),
            ],
        );
        table.play(&to("waste", "foundation-2", 1));
        let second = pile(&table, "foundation-2");
        assert_eq!((second.face_down, second.cards), (1, cards("KH")));
        assert_eq!(table.hidden("foundation-2"), cards("3C"));
    }
}

#[test]
fn the_queen_of_a_foundation_turns_its_captive_up_in_the_same_move() {
    let almost = format!("[7H] {}", suited(KING_TO_JACK, 'S'));
    let piles = [("waste", "QS"), ("foundation-1", &almost)];
    let mut table = Table::position(topsy_turvy(&[]), 2, &piles);
    assert_eq!(table.placed(), 12);
    check(&table, &[("foundation-1", "foundation-2", 1, "not_available")]);
    table.play(&to("waste", "foundation-1", 1));
    let finished = pile(&table, "foundation-1");
    assert_eq!((finished.face_down, finished.cards.len()), (0, 14));
    assert_eq!(finished.cards.last(), cards("7H").last());
    assert!(table.hidden("foundation-1").is_empty());
    assert_eq!(table.placed(), 13, "a captive counts only in its sequence");
}

#[test]
fn a_freed_captive_goes_to_another_foundation_and_nowhere_else_and_nothing_goes_on_it() {
    let finished = format!("{} 7H", suited(KING_TO_QUEEN, 'S'));
    let other = format!("{} 8H", suited(KING_TO_QUEEN, 'C'));
    let hearts = suited("KA23456", 'H');
    let piles = [
        ("waste", "6H"),
        ("foundation-1", finished.as_str()),
        ("foundation-2", &hearts),
        ("foundation-3", &other),
        ("foundation-4", "[2D]"),
        ("tableau-1", "8H"),
        ("tableau-2", "8H 7H"),
    ];
    let mut table = Table::position(topsy_turvy(&[]), 2, &piles);
    check(
        &table,
        &[
            ("foundation-1", "foundation-2", 1, ""),
            ("foundation-1", "foundation-2", 2, "too_many_cards"),
            ("foundation-1", "foundation-1", 1, "same_pile"),
            ("foundation-1", "foundation-3", 1, "pile_complete"),
            ("foundation-1", "foundation-4", 1, "needs_base_card"),
            ("foundation-1", "tableau-1", 1, "captive_to_foundation_only"),
            ("foundation-1", "tableau-3", 1, "captive_to_foundation_only"),
            ("foundation-1", "waste", 1, "captive_to_foundation_only"),
            ("foundation-1", "stock", 1, "captive_to_foundation_only"),
            ("foundation-1", "tableau-1", 2, "too_many_cards"),
            ("foundation-2", "foundation-1", 1, "not_available"),
            ("foundation-3", "foundation-2", 1, "wrong_rank"),
            ("waste", "foundation-1", 1, "pile_complete"),
            ("tableau-2", "foundation-1", 1, "pile_complete"),
        ],
    );
    let placed = table.placed();
    table.play(&to("foundation-1", "foundation-2", 1));
    assert_eq!(table.placed(), placed + 1);
    assert_eq!(pile(&table, "foundation-1").cards.len(), 13);
    check(
        &table,
        &[
            ("foundation-1", "foundation-2", 1, "not_available"),
            ("waste", "foundation-1", 1, "pile_complete"),
            ("foundation-3", "foundation-2", 1, ""),
        ],
    );
}

#[test]
fn a_freed_king_starts_the_next_place() {
    let almost = format!("[KH] {}", suited(KING_TO_JACK, 'S'));
    let piles =
        [("waste", "QS"), ("foundation-1", almost.as_str()), ("foundation-2", "[2C] KS"), ("foundation-3", "[3C]")];
    let mut table = Table::position(topsy_turvy(&[]), 2, &piles);
    table.play(&to("waste", "foundation-1", 1));
    check(
        &table,
        &[("foundation-1", "foundation-2", 1, "wrong_suit"), ("foundation-1", "foundation-4", 1, "fill_from_the_left")],
    );
    let next = to("foundation-1", "foundation-3", 1);
    assert_eq!(table.legal_moves(), std::slice::from_ref(&next));
    table.play(&next);
    let third = pile(&table, "foundation-3");
    assert_eq!((third.face_down, third.cards), (1, cards("KH")));
}

#[test]
fn a_captive_that_finishes_another_foundation_frees_the_next_captive() {
    let first = format!("[QH] {}", suited(KING_TO_JACK, 'S'));
    let second = format!("[KD] {}", suited(KING_TO_JACK, 'H'));
    let piles = [("waste", "QS"), ("foundation-1", first.as_str()), ("foundation-2", &second)];
    let mut table = Table::position(topsy_turvy(&[]), 2, &piles);
    table.play(&to("waste", "foundation-1", 1));
    table.play(&to("foundation-1", "foundation-2", 1));
    assert_eq!(pile(&table, "foundation-2").cards.len(), 14);
    table.play(&to("foundation-2", "foundation-3", 1));
    assert_eq!(pile(&table, "foundation-3").cards, cards("KD"));
    assert_eq!(table.placed(), 27);
}

#[test]
fn topsy_turvy_is_won_only_when_the_last_captive_has_left() {
    let whole = |suit| suited(KING_TO_QUEEN, suit);
    let almost = suited(KING_TO_JACK, 'S');
    let (first, fifth) = (format!("[QS] {}", suited(KING_TO_JACK, 'C')), whole('C'));
    let (clubs, diamonds, hearts, spades) = ("QC", whole('D'), whole('H'), whole('S'));
    let piles = [
        ("waste", clubs),
        ("foundation-1", first.as_str()),
        ("foundation-2", &diamonds),
        ("foundation-3", &hearts),
        ("foundation-4", &spades),
        ("foundation-5", &fifth),
        ("foundation-6", &diamonds),
        ("foundation-7", &hearts),
        ("foundation-8", &almost),
    ];
    let mut table = Table::position(topsy_turvy(&[]), 0, &piles);
    assert_eq!(all_cards(&table).len(), 104);
    table.play(&to("waste", "foundation-1", 1));
    assert_eq!((table.status(), table.placed()), (Status::Playing, 103));
    table.play(&to("foundation-1", "foundation-8", 1));
    assert_eq!((table.status(), table.placed()), (Status::Won, 104));
    assert!(table.legal_moves().is_empty());
    check(&table, &[("foundation-1", "tableau-1", 1, "not_available")]);
}

#[test]
fn with_turned_a_king_goes_on_its_ace_and_runs_pass_the_corner_beyond_thirteen() {
    let long = suited("32AKQJT9876543", 'S');
    let piles = [
        ("waste", "KH"),
        ("tableau-1", long.as_str()),
        ("tableau-2", "4S"),
        ("tableau-3", "AH"),
        ("tableau-4", "KD"),
        ("tableau-5", "AD"),
        ("tableau-6", "AC KC QC"),
    ];
    let turned = Table::position(topsy_turvy(&[("corner", "turned")]), 2, &piles);
    check(
        &turned,
        &[
            ("tableau-1", "tableau-2", 14, ""),
            ("tableau-1", "tableau-7", 14, ""),
            ("tableau-1", "tableau-2", 15, "too_many_cards"),
            ("tableau-1", "tableau-2", 13, "wrong_rank"),
            ("tableau-1", "tableau-2", 1, ""),
            ("waste", "tableau-3", 1, ""),
            ("waste", "tableau-5", 1, "wrong_suit"),
            ("tableau-4", "tableau-5", 1, ""),
            ("tableau-5", "tableau-4", 1, "wrong_rank"),
            ("tableau-6", "tableau-7", 3, ""),
        ],
    );
    let closed = Table::position(topsy_turvy(&[]), 2, &piles);
    check(
        &closed,
        &[
            ("tableau-1", "tableau-2", 14, "not_a_run"),
            ("tableau-1", "tableau-7", 12, "not_a_run"),
            ("tableau-1", "tableau-7", 11, ""),
            ("waste", "tableau-3", 1, "wrong_rank"),
            ("tableau-4", "tableau-5", 1, "wrong_rank"),
            ("tableau-5", "tableau-4", 1, "wrong_rank"),
            ("tableau-6", "tableau-7", 3, "not_a_run"),
        ],
    );
}

#[test]
fn refusals_name_the_first_reason_that_applies() {
    let piles = [
        ("waste", "9C 4D"),
        ("foundation-1", "[2C] KD AD"),
        ("foundation-2", "[3C]"),
        ("tableau-1", "7D 5C"),
        ("tableau-2", "5D"),
    ];
    let table = Table::position(topsy_turvy(&[]), 2, &piles);
    check(
        &table,
        &[
            ("waste", "foundation-9", 1, "no_such_pile"),
            ("waste", "foundation-0", 1, "no_such_pile"),
            ("waste", "tableau-01", 1, "no_such_pile"),
            ("nowhere", "nowhere", 1, "no_such_pile"),
            ("queens", "waste", 1, "no_such_pile"),
            ("waste", "waste", 7, "same_pile"),
            ("tableau-3", "tableau-3", 1, "same_pile"),
            ("foundation-1", "tableau-3", 9, "not_available"),
            ("foundation-8", "stock", 1, "not_available"),
            ("tableau-3", "stock", 9, "empty_source"),
            ("waste", "stock", 2, "too_many_cards"),
            ("tableau-1", "stock", 2, "not_a_run"),
            ("tableau-1", "waste", 1, "no_building"),
            ("tableau-1", "foundation-1", 2, "too_many_cards"),
            ("tableau-1", "foundation-1", 1, "wrong_suit"),
            ("waste", "foundation-1", 1, "wrong_rank"),
            ("waste", "foundation-8", 1, "needs_base_card"),
            ("waste", "tableau-1", 1, "wrong_suit"),
            ("tableau-2", "tableau-1", 1, "wrong_suit"),
            ("waste", "tableau-2", 1, ""),
            ("waste", "tableau-3", 1, ""),
        ],
    );
}

#[test]
fn in_the_variant_an_ace_has_the_role_of_the_king() {
    let game = Game::TopsyTurvyQueens {
        kings: Kings::LeftToRight,
        corner: Corner::Closed,
        redeals: 2,
        foundations_start: Rank::Ace,
    };
    let almost = format!("[AH] {}", suited("A23456789TJQ", 'S'));
    let piles = [
        ("waste", "KS"),
        ("foundation-1", almost.as_str()),
        ("foundation-2", "[2C]"),
        ("tableau-1", "AD"),
        ("tableau-2", "KS"),
    ];
    let mut table = Table::position(game, 2, &piles);
    check(
        &table,
        &[
            ("waste", "foundation-2", 1, "needs_base_card"),
            ("waste", "foundation-1", 1, ""),
            ("tableau-1", "foundation-2", 1, ""),
            ("tableau-1", "foundation-3", 1, "fill_from_the_left"),
        ],
    );
    table.play(&to("waste", "foundation-1", 1));
    assert_eq!(pile(&table, "foundation-1").cards.len(), 14);
    table.play(&to("foundation-1", "foundation-2", 1));
    assert_eq!(pile(&table, "foundation-2").cards, cards("AH"));
}

#[test]
fn random_play_keeps_every_card_and_lists_moves_in_order() {
    let games = [
        captive_queens(&[]),
        captive_queens(&[("play", "free"), ("start", "full")]),
        napoleons_square(&[]),
        napoleons_square(&[("moves", "single")]),
        topsy_turvy(&[("corner", "turned")]),
        topsy_turvy(&[("kings", "any"), ("redeals", "0")]),
        forty_thieves(),
    ];
    for game in games {
        let mut table = Table::deal(game, &seeded("random play", &game));
        let full = all_cards(&table);
        assert_eq!(full.len(), 52 * game.packs());
        let names: Vec<String> = table.piles().into_iter().map(|pile| pile.name).collect();
        let number = |name: &String| names.iter().position(|each| each == name).unwrap();
        let mut random: u32 = 1;
        for _ in 0..120 {
            let moves = table.legal_moves();
            let keys = moves.iter().map(|each| match each {
                Move::Draw => (0, 0, 0, 0),
                Move::Redeal => (1, 0, 0, 0),
                Move::Move { from, to, count } => (2, number(from), number(to), *count),
            });
            assert!(keys.collect::<Vec<_>>().is_sorted_by(|a, b| a < b));
            if moves.is_empty() {
                assert_ne!(table.status(), Status::Playing);
                break;
            }
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let placed = table.placed();
            table.play(&moves[(random >> 8) as usize % moves.len()]);
            assert!(table.placed() >= placed);
            assert_eq!(all_cards(&table), full);
        }
    }
}
