//! Each sentence of `rules.md` that decides something, and a test of the engine named after it.

use patience::cards::{Card, Deck, DeckError, Packs, Rank};
use patience::games::{self, OptionValue};
use patience::rules::{Outcome, PileIndex, Step, Steps};
use patience::session::{Command, NewDeal, Status};

use crate::support::{Board, Chance, Live, all_cards, cards, deck, engine, seeded, suited, text};

const CAPTIVE: &str = "captive-queens";
const FREE: &str = "captive-queens play=free";
const NAPOLEON: &str = "napoleons-square";
const TOPSY: &str = "topsy-turvy-queens";
const TURNED: &str = "topsy-turvy-queens corner=turned";
const GAMES: [&str; 3] = [CAPTIVE, NAPOLEON, TOPSY];
const KING_TO_QUEEN: &str = "KA23456789TJQ";
const KING_TO_JACK: &str = "KA23456789TJ";
const ACE_TO_KING: &str = "A23456789TJQK";

/// Draws until the stock is empty.
fn draw_all(board: &mut Board) -> usize {
    let mut draws = 0;
    while board.moves().first().is_some_and(|first| first == "draw") {
        board.play("draw");
        draws += 1;
    }
    draws
}

/// Which cards of the waste that pile would take, by rank.
fn taken(game: &str, target: &str, piles: &[(&str, &str)], suit: char) -> String {
    let taken = ACE_TO_KING.chars().filter(|rank| {
        let waste = format!("{rank}{suit}");
        let piles: Vec<(&str, &str)> = piles.iter().copied().chain([("waste", &*waste)]).collect();
        Board::standing(game, 0, &piles).moves().contains(&format!("waste {target}"))
    });
    taken.collect()
}

fn option_values(game: &str, option: &str) -> Vec<String> {
    let options = games::find(game).unwrap().options.iter();
    let option = options.into_iter().find(|each| each.name == option).unwrap();
    let values = option.domain.values().into_iter().map(|value| value.to_string());
    [option.default().to_string()].into_iter().chain(values).collect()
}

mod shared {
    use super::*;

    /// > A card is written as rank then suit, `A23456789TJQK` and `CDHS`: `TS` is the ten of spades.
    #[test]
    fn a_card_is_written_as_rank_then_suit() {
        let ten: Card = "TS".parse().unwrap();
        assert_eq!((ten.rank(), ten.to_string().as_str()), (Rank::Ten, "TS"));
        assert_eq!(Card::all().map(|card| card.to_string()).collect::<Vec<_>>().join(" "), {
            let suits = ['C', 'D', 'H', 'S'].map(|suit| suited(ACE_TO_KING, suit));
            suits.join(" ")
        });
    }

    /// > **Stock**: face-down pile; one card at a time is *drawn* from it to the waste.
    #[test]
    fn one_card_at_a_time_is_drawn_from_the_stock_to_the_waste() {
        for game in GAMES {
            let mut board = Board::standing(game, 2, &[("stock", "2C 9D 7S"), ("waste", "TH")]);
            assert_eq!(board.table.view().pile(PileIndex::STOCK).face_down(), 3);
            assert!(board.table.view().pile(PileIndex::STOCK).cards().is_empty());
            board.play("draw");
            assert_eq!((board.pile("stock"), board.pile("waste")), ("2C 9D".into(), "TH 7S".into()), "{game}");
            let empty = Board::standing(game, 2, &[("waste", "TH")]);
            empty.check(&[("draw", "stock_empty")]);
        }
    }

    /// > **Waste**: face-up pile; only its top card is available.
    #[test]
    fn only_the_top_card_of_the_waste_is_available() {
        for (game, waste, target) in
            [(CAPTIVE, "5C 9D 5D", "foundation-1"), (NAPOLEON, "8C 7C", "tableau-1"), (TOPSY, "8C 7C", "tableau-1")]
        {
            let mut board = Board::standing(game, 2, &[("waste", waste)]);
            board.check(&[
                (&format!("waste {target}"), ""),
                (&format!("waste {target} 2"), "too_many_cards"),
                (&format!("{target} waste"), if game == CAPTIVE { "not_available" } else { "empty_source" }),
            ]);
            board.play(&format!("waste {target}"));
            assert_eq!(board.pile(target), waste[waste.len() - 2..]);
            if game != CAPTIVE {
                board.check(&[("tableau-1 waste", "no_building"), ("tableau-1 stock", "no_building")]);
            }
        }
    }

    /// > **Redeal**: with the stock empty and the waste not, the whole waste is turned over to become the
    /// > stock.
    #[test]
    fn with_the_stock_empty_and_the_waste_not_the_whole_waste_is_turned_over_to_become_the_stock() {
        for game in [CAPTIVE, TOPSY] {
            let mut board = Board::standing(game, 2, &[("waste", "2C 9D 7S")]);
            board.play("redeal");
            assert_eq!((board.pile("stock"), board.pile("waste")), ("7S 9D 2C".into(), "".into()));
            assert_eq!(board.redeals_left(), 1);
            board.check(&[("redeal", "stock_not_empty")]);
            Board::standing(game, 2, &[]).check(&[("redeal", "nothing_to_redeal")]);
            Board::standing(game, 0, &[]).check(&[("redeal", "nothing_to_redeal")]);
            Board::standing(game, 0, &[("waste", "2C")]).check(&[("redeal", "no_redeals_left")]);
            Board::standing(game, 0, &[("waste", "2C"), ("stock", "9D")]).check(&[("redeal", "stock_not_empty")]);
        }
    }

    /// > Nothing is shuffled: the first card drawn in the last pass is the first drawn in the next.
    #[test]
    fn nothing_is_shuffled_in_a_redeal_the_first_card_drawn_is_drawn_first_again() {
        for game in [FREE, TOPSY] {
            let mut board = Board::dealt(game, &seeded("redeal", engine(game).rules().packs));
            let stock = board.pile("stock");
            for _ in 0..2 {
                draw_all(&mut board);
                let drawn: Vec<String> = board.pile("waste").split(' ').rev().map(String::from).collect();
                assert_eq!(drawn.join(" "), stock);
                board.play("redeal");
                assert_eq!(board.pile("stock"), stock);
            }
        }
    }

    /// > **Foundation**: a pile that grows by its own sequence, always in one suit.
    #[test]
    fn a_foundation_grows_by_its_own_sequence_always_in_one_suit() {
        for (game, base, next) in
            [(CAPTIVE, "5H", "4"), (CAPTIVE, "6H", "7"), (NAPOLEON, "AH", "2"), (TOPSY, "KH", "A")]
        {
            let piles = [("foundation-1", base)];
            assert_eq!(taken(game, "foundation-1", &piles, 'H'), next);
            for suit in ['C', 'D', 'S'] {
                assert_eq!(taken(game, "foundation-1", &piles, suit), "");
                // The suit comes first, whether or not the rank is right.
                for waste in [format!("{next}{suit}"), format!("9{suit}")] {
                    let other = Board::standing(game, 0, &[("foundation-1", base), ("waste", &waste)]);
                    other.check(&[("waste foundation-1", "wrong_suit")]);
                }
            }
            let rank = Board::standing(game, 0, &[("foundation-1", base), ("waste", "9H")]);
            rank.check(&[("waste foundation-1", "wrong_rank")]);
        }
    }

    /// > A card on a foundation never comes back (Topsy-Turvy's freed captives are the one exception).
    #[test]
    fn a_card_on_a_foundation_never_comes_back() {
        for (game, foundation, others) in [
            (CAPTIVE, "5H 4H", &["waste", "stock", "foundation-2", "queens"][..]),
            (NAPOLEON, "AH 2H", &["waste", "stock", "foundation-2", "tableau-1", "tableau-2"]),
            (TOPSY, "[2C] KH AH", &["waste", "stock", "foundation-2", "tableau-1", "tableau-2"]),
        ] {
            let mut piles = vec![("foundation-1", foundation)];
            if game != CAPTIVE {
                piles.extend([("tableau-1", "3H"), ("tableau-2", "2H")]);
            }
            let board = Board::standing(game, 2, &piles);
            for other in others {
                let (one, two) = (format!("foundation-1 {other}"), format!("foundation-1 {other} 2"));
                board.check(&[(&one, "not_available"), (&two, "not_available")]);
            }
        }
    }

    /// > **Tableau**: face-up pile. Its top card is available.
    #[test]
    fn the_top_card_of_a_tableau_pile_is_available_and_what_is_under_it_is_not() {
        for (game, base) in [(NAPOLEON, "AC"), (TOPSY, "KC")] {
            let first = format!("{base} 9D");
            let mut board = Board::standing(game, 2, &[("tableau-1", &first), ("tableau-2", "TD")]);
            board.check(&[
                ("tableau-1 tableau-2", ""),
                ("tableau-1 foundation-1", "needs_base_card"),
                ("tableau-1 tableau-2 2", "not_a_run"),
                ("tableau-1 tableau-2 3", "too_many_cards"),
            ]);
            board.play("tableau-1 tableau-2");
            board.check(&[("tableau-1 foundation-1", "")]);
            board.play("tableau-1 foundation-1");
            board.check(&[("tableau-1 tableau-2", "empty_source")]);
        }
    }

    /// > A *run* is one or more cards from some card up to the top, each one rank lower than the card under
    /// > it and of the same suit.
    #[test]
    fn a_run_goes_up_to_the_top_each_card_one_rank_lower_and_of_the_same_suit() {
        for (pile, run) in [
            ("9S 8S 7S", 3),
            ("9S 8S 7D", 1),
            ("9D 8S 7S", 2),
            ("9S 7S 6S", 2),
            ("7S 8S 9S", 1),
            ("8S 8S 7S", 2),
            ("2S AS KS", 1),
            ("KS AS", 1),
            (&suited("KQJT98765432A", 'S'), 13),
        ] {
            for game in [NAPOLEON, TOPSY] {
                let board = Board::standing(game, 2, &[("tableau-1", pile)]);
                let height = pile.split(' ').count();
                for count in 1..=height + 1 {
                    let reason = match count {
                        _ if count <= run => "",
                        _ if count > height => "too_many_cards",
                        _ => "not_a_run",
                    };
                    board.check(&[(&format!("tableau-1 tableau-2 {count}"), reason)]);
                }
            }
        }
    }

    /// > **Space**: an empty tableau pile.
    #[test]
    fn a_space_is_an_empty_tableau_pile_and_no_other_empty_pile() {
        let board = Board::standing(NAPOLEON, 0, &[("stock", "9D"), ("tableau-2", "4S")]);
        board.check(&[
            ("stock tableau-1", ""),
            ("stock tableau-2", "not_available"),
            ("stock foundation-1", "not_available"),
            ("stock waste", "not_available"),
        ]);
        let waste = Board::standing(NAPOLEON, 0, &[("waste", "9D")]);
        waste.check(&[
            ("waste tableau-1", ""),
            ("waste foundation-1", "needs_base_card"),
            ("waste stock", "no_building"),
        ]);
    }

    /// > Piles are named `stock`, `waste`, `foundation-1` … `foundation-8`, `tableau-1` …, and in Captive
    /// > Queens `queens`.
    #[test]
    fn piles_are_named_stock_waste_foundation_1_to_8_tableau_and_in_captive_queens_queens() {
        for (game, tableau, queens) in [(CAPTIVE, 0, true), (NAPOLEON, 12, false), (TOPSY, 8, false)] {
            let mut expected = vec!["stock".to_string(), "waste".into()];
            expected.extend((1..=8).map(|number| format!("foundation-{number}")));
            expected.extend((1..=tableau).map(|number| format!("tableau-{number}")));
            expected.extend(queens.then(|| "queens".into()));
            let board = Board::standing(game, 2, &[("waste", "QC"), ("stock", "9D")]);
            let names: Vec<String> = board.engine.piles().map(|pile| pile.to_string()).collect();
            assert_eq!(names, expected);
            let next = format!("tableau-{}", tableau + 1);
            for unknown in ["foundation-0", "foundation-9", "foundation-01", "Waste", "waste-1", "", &next] {
                board.check(&[
                    (&format!("waste {unknown}"), "no_such_pile"),
                    (&format!("{unknown} waste"), "no_such_pile"),
                    (&format!("{unknown} {unknown} 99"), "no_such_pile"),
                ]);
            }
            board.check(&[("waste queens", if queens { "" } else { "no_such_pile" })]);
        }
    }

    /// > **Deck order**: a deal is a deck in dealing order; element 0 is dealt first. Layouts are dealt row by
    /// > row: one card to each pile in turn, pile 1 first, then the next row.
    #[test]
    fn layouts_are_dealt_row_by_row_one_card_to_each_pile_in_turn_pile_1_first() {
        for (game, captives, piles) in [(NAPOLEON, 0, 12), (TOPSY, 7, 8)] {
            let deck = seeded("layout", Packs::Two);
            let board = Board::dealt(game, &deck);
            for number in 0..piles {
                let rows: Vec<Card> = (0..4).map(|row| deck.cards()[captives + row * piles + number]).collect();
                assert_eq!(board.pile(&format!("tableau-{}", number + 1)), text(&rows));
            }
        }
    }

    /// > What is left is the stock, drawn in the same order.
    #[test]
    fn what_is_left_is_the_stock_drawn_in_the_same_order() {
        for (game, left) in [(FREE, 52), (NAPOLEON, 56), (TOPSY, 65)] {
            let deck = seeded("left", engine(game).rules().packs);
            let mut board = Board::dealt(game, &deck);
            assert_eq!(draw_all(&mut board), left);
            assert_eq!(board.pile("waste"), text(&deck.cards()[deck.cards().len() - left..]));
        }
    }

    /// > A deck always lists every card of the game, 52 or 104.
    #[test]
    fn a_deck_always_lists_every_card_of_the_game() {
        for (game, packs) in [(CAPTIVE, Packs::One), (NAPOLEON, Packs::Two), (TOPSY, Packs::Two)] {
            let (engine, whole) = (engine(game), Deck::unshuffled(packs));
            assert_eq!(engine.rules().packs, packs);
            let mut sorted = whole.cards().to_vec();
            sorted.sort();
            assert_eq!(all_cards(&engine, &engine.deal(&whole)), sorted);
            let short = whole.cards()[1..].to_vec();
            let want = packs.cards();
            assert_eq!(Deck::new(packs, short), Err(DeckError::TooFew { have: want - 1, want }));
        }
        for options in ["start=queens", "start=full"] {
            let board = Board::dealt(&format!("{CAPTIVE} {options}"), &Deck::unshuffled(Packs::One));
            assert_eq!(all_cards(&board.engine, &board.table).len(), 52);
        }
    }

    /// > **Won**: every card has reached its place.
    #[test]
    fn a_game_is_won_when_every_card_has_reached_its_place_and_not_before() {
        let bases = ['C', 'D', 'H', 'S'].map(|suit| (suited("5432AK", suit), suited("6789TJ", suit)));
        let mut piles: Vec<(String, &str)> = Vec::new();
        for (number, (down, up)) in bases.iter().enumerate() {
            piles.push((format!("foundation-{}", 2 * number + 1), down));
            piles.push((format!("foundation-{}", 2 * number + 2), up));
        }
        let named = |extra: &[(&'static str, &'static str)]| {
            let piles: Vec<(&str, &str)> = piles.iter().map(|(name, text)| (&**name, *text)).collect();
            [&piles[..], extra].concat()
        };
        let mut board = Board::standing(CAPTIVE, 0, &named(&[("queens", "QC QD QH"), ("waste", "QS")]));
        assert_eq!((board.outcome(), board.placed()), (Outcome::Playing, 51));
        board.play("waste queens");
        assert_eq!((board.outcome(), board.placed()), (Outcome::Won, 52));
        assert!(board.moves().is_empty());
    }

    /// > **Lost**: not won, and no legal move is left.
    #[test]
    fn a_game_is_lost_when_it_is_not_won_and_no_legal_move_is_left() {
        for (game, redeals_left, piles, outcome) in [
            (CAPTIVE, 0, &[("waste", "4C")][..], Outcome::Lost),
            (CAPTIVE, 1, &[("waste", "4C")], Outcome::Playing),
            (CAPTIVE, 0, &[("waste", "4C"), ("foundation-8", "5C")], Outcome::Playing),
            (CAPTIVE, 0, &[("waste", "4C"), ("stock", "9D")], Outcome::Playing),
            (TOPSY, 0, &[("foundation-1", "[4C] KS")], Outcome::Lost),
            (NAPOLEON, 0, &[], Outcome::Lost),
        ] {
            let board = Board::standing(game, redeals_left, piles);
            assert_eq!((board.outcome(), board.moves().is_empty()), (outcome, outcome == Outcome::Lost), "{piles:?}");
        }
        let names = (1..=12).map(|number| format!("tableau-{number}"));
        let stuck: Vec<(String, String)> = names.zip((1..=12).map(|_| "9C".to_string())).collect();
        let stuck: Vec<(&str, &str)> = stuck.iter().map(|(name, text)| (&**name, &**text)).collect();
        assert_eq!(Board::standing(NAPOLEON, 0, &stuck).outcome(), Outcome::Lost);
        assert_eq!(Board::standing(NAPOLEON, 0, &stuck[1..]).outcome(), Outcome::Playing);
    }

    /// > A game in which cards can be shuttled to and fro for ever is not lost
    #[test]
    fn a_game_in_which_cards_can_be_shuttled_to_and_fro_for_ever_is_not_lost() {
        let mut board = Board::standing(TOPSY, 0, &[("tableau-1", "9D"), ("tableau-2", "9D")]);
        let start = board.table.clone();
        for _ in 0..3 {
            board.play_all(&["tableau-1 tableau-3", "tableau-3 tableau-1"]);
            assert_eq!((&board.table, board.outcome()), (&start, Outcome::Playing));
        }
    }

    /// > A move names piles, never cards. `count` cards are the top `count` of the source and must be a run
    #[test]
    fn count_cards_are_the_top_count_of_the_source_and_must_be_a_run() {
        for count in 1..=3 {
            let mut board = Board::standing(NAPOLEON, 0, &[("tableau-1", "4D 9S 8S 7S")]);
            board.play(&format!("tableau-1 tableau-2 {count}"));
            assert_eq!(board.pile("tableau-2"), ["7S", "8S 7S", "9S 8S 7S"][count - 1]);
            assert_eq!(board.pile("tableau-1"), ["4D 9S 8S", "4D 9S", "4D"][count - 1]);
        }
        let board = Board::standing(NAPOLEON, 0, &[("tableau-1", "4D 9S 8S 7S")]);
        board.check(&[
            ("tableau-1 tableau-2 4", "not_a_run"),
            ("tableau-1 tableau-2 5", "too_many_cards"),
            ("tableau-1 tableau-2 4294967295", "too_many_cards"),
            ("tableau-1 tableau-1 9", "same_pile"),
        ]);
    }

    /// > to a foundation `count` is 1
    #[test]
    fn to_a_foundation_count_is_1() {
        for (game, foundation, run) in [(NAPOLEON, "AS", "3S 2S"), (TOPSY, "[4C] KS", "2S AS")] {
            let board = Board::standing(game, 0, &[("foundation-1", foundation), ("tableau-1", run)]);
            board.check(&[
                ("tableau-1 foundation-1", ""),
                ("tableau-1 foundation-1 2", "too_many_cards"),
                ("tableau-1 foundation-2 2", "too_many_cards"),
            ]);
        }
    }

    /// > Equal moves are all legal: a five has up to eight empty places to go to.
    #[test]
    fn equal_moves_are_all_legal_a_five_has_up_to_eight_empty_places_to_go_to() {
        let board = Board::standing(CAPTIVE, 0, &[("waste", "5D")]);
        let expected: Vec<String> = (1..=8).map(|number| format!("waste foundation-{number}")).collect();
        assert_eq!(board.moves(), expected);
        let board = Board::standing(CAPTIVE, 0, &[("waste", "5D"), ("foundation-3", "5C")]);
        assert_eq!(board.moves().len(), 7);
    }
}

mod captive_queens {
    use super::*;

    /// > Layout: eight empty foundations in a circle, a place for the four queens in its centre, all cards in
    /// > the stock.
    #[test]
    fn all_cards_are_in_the_stock() {
        let deck = seeded("captive", Packs::One);
        let board = Board::dealt(CAPTIVE, &deck);
        let drawn: Vec<Card> = deck.cards().iter().rev().copied().collect();
        assert_eq!(board.pile("stock"), text(&drawn));
        assert!(board.table.view().piles().skip(1).all(|pile| pile.is_empty()));
        assert_eq!((board.placed(), board.outcome()), (0, Outcome::Playing));
    }

    /// > four go 5 4 3 2 A K, four go 6 7 8 9 T J. […] Six cards complete it
    #[test]
    fn foundations_go_5_4_3_2_a_k_or_6_7_8_9_t_j_and_six_cards_complete_one() {
        for ranks in ["5432AK", "6789TJ"] {
            for length in 1..6 {
                let built = suited(&ranks[..length], 'D');
                assert_eq!(taken(CAPTIVE, "foundation-3", &[("foundation-3", &built)], 'D'), ranks[length..=length]);
            }
            let complete = suited(ranks, 'D');
            for waste in ["QD", "4D", "7D", "4C"] {
                let board = Board::standing(CAPTIVE, 0, &[("foundation-3", &complete), ("waste", waste)]);
                board.check(&[("waste foundation-3", "pile_complete")]);
            }
        }
    }

    /// > An empty one takes any five or any six, and that card decides its suit and direction; any empty
    /// > place will do.
    #[test]
    fn an_empty_foundation_takes_any_five_or_any_six_and_any_empty_place_will_do() {
        for suit in ['C', 'D', 'H', 'S'] {
            for number in 1..=8 {
                assert_eq!(
                    taken(CAPTIVE, &format!("foundation-{number}"), &[("foundation-4", "5D 4D")], suit),
                    match number {
                        4 if suit == 'D' => "3",
                        4 => "",
                        _ => "56",
                    }
                );
            }
        }
        let board = Board::standing(CAPTIVE, 0, &[("waste", "4C")]);
        board.check(&[("waste foundation-1", "needs_base_card"), ("waste foundation-8", "needs_base_card")]);
        let six = [("foundation-1", "6H"), ("foundation-2", "5H")];
        assert_eq!(taken(CAPTIVE, "foundation-1", &six, 'H'), "7", "up from a six");
        assert_eq!(taken(CAPTIVE, "foundation-2", &six, 'H'), "4", "down from a five");
    }

    /// > a queen that is on top of the waste goes to `queens`
    #[test]
    fn a_queen_on_top_of_the_waste_goes_to_queens_and_nothing_else_does() {
        for queens in ["", "QC", "QC QD QH"] {
            assert_eq!(taken(CAPTIVE, "queens", &[("queens", queens)], 'S'), "Q");
        }
        for (queens, waste, reason) in [
            ("", "4C", "needs_base_card"),
            ("QC", "4C", "wrong_rank"),
            ("QC", "4D", "wrong_rank"),
            ("QC QD QH QS", "4D", "pile_complete"),
        ] {
            let board = Board::standing(CAPTIVE, 0, &[("queens", queens), ("waste", waste)]);
            board.check(&[("waste queens", reason)]);
        }
        let queen = Board::standing(CAPTIVE, 0, &[("waste", "QS"), ("foundation-1", "6S 7S 8S 9S TS JS")]);
        queen.check(&[("waste foundation-1", "pile_complete"), ("waste foundation-2", "needs_base_card")]);
    }

    /// > it is never built on and never moves again
    #[test]
    fn a_queen_in_the_centre_is_never_built_on_and_never_moves_again() {
        let board = Board::standing(CAPTIVE, 0, &[("queens", "QC"), ("waste", "JC"), ("foundation-1", "6C")]);
        board.check(&[("waste queens", "wrong_rank")]);
        for target in ["waste", "stock", "foundation-1", "foundation-2"] {
            board.check(&[(&format!("queens {target}"), "not_available")]);
        }
    }

    /// > tableau | none
    #[test]
    fn there_is_no_tableau() {
        Board::standing(CAPTIVE, 0, &[("waste", "5C")]).check(&[("waste tableau-1", "no_such_pile")]);
    }

    /// > redeals | 2, so three passes
    #[test]
    fn there_are_two_redeals_so_three_passes() {
        let mut board = Board::dealt(FREE, &seeded("passes", Packs::One));
        assert_eq!(draw_all(&mut board), 52);
        for left in [1, 0] {
            board.play("redeal");
            assert_eq!((board.redeals_left(), draw_all(&mut board)), (left, 52));
        }
        board.check(&[("redeal", "no_redeals_left"), ("draw", "stock_empty")]);
    }

    /// > draw and redeal | only while the top of the waste cannot be played: a playable card, a queen too, must
    /// > be played first
    #[test]
    fn a_playable_card_a_queen_too_must_be_played_before_drawing_and_redealing() {
        for (waste, forced) in [
            ("9C QH", "play_waste_first"),
            ("9C 6H", "play_waste_first"),
            ("9C 4C", "play_waste_first"),
            ("4C 9C", ""),
            ("QH 9C", ""),
            ("4C KC", ""),
        ] {
            let piles = [("waste", waste), ("foundation-1", "5C"), ("stock", "2H")];
            let draw = Board::standing(CAPTIVE, 1, &piles);
            draw.check(&[("draw", forced), ("redeal", "stock_not_empty")]);
            let redeal = Board::standing(CAPTIVE, 1, &piles[..2]);
            redeal.check(&[("draw", "stock_empty"), ("redeal", forced)]);
            let over = Board::standing(CAPTIVE, 0, &piles[..2]);
            over.check(&[("redeal", "no_redeals_left")]);
            assert_eq!(draw.moves() == ["draw"], forced.is_empty());
            assert_eq!(redeal.moves() == ["redeal"], forced.is_empty());
        }
    }

    /// > won | stock and waste are both empty: eight complete foundations, four queens in the centre
    #[test]
    fn it_is_won_when_stock_and_waste_are_both_empty() {
        let order: Vec<String> = "HCSD".chars().map(|suit| suited("5432AK6789TJQ", suit)).collect();
        let deck = Deck::new(Packs::One, cards(&order.join(" "))).unwrap();
        let mut board = Board::dealt(CAPTIVE, &deck);
        let mut moves = 0;
        while board.outcome() == Outcome::Playing {
            let last = board.moves().pop().unwrap();
            board.play(&last);
            moves += 1;
        }
        assert_eq!((board.outcome(), moves, board.placed()), (Outcome::Won, 104, 52));
        assert_eq!((board.pile("stock"), board.pile("waste")), ("".into(), "".into()));
        assert_eq!(board.pile("queens"), "QH QC QS QD");
        let six = |number| board.pile(&format!("foundation-{number}")).split(' ').count() == 6;
        assert!((1..=8).all(six));
    }

    /// > Options: `start`: `empty` (default) · `queens` (the four queens are laid in the centre before the
    /// > deal) · `full` (queens, and all fives and sixes on foundations 1–8, in deck order). […] With `queens`
    /// > or `full` the cards laid out are taken out of the deck and the rest keeps its order.
    #[test]
    fn start_lays_out_nothing_or_the_queens_or_also_the_fives_and_sixes_in_deck_order() {
        assert_eq!(option_values(CAPTIVE, "start"), ["empty", "empty", "queens", "full"]);
        let deck = seeded("start", Packs::One);
        let of = |ranks: &str| -> Vec<Card> {
            deck.cards().iter().filter(|card| ranks.contains(card.rank().letter())).copied().collect()
        };
        for (start, taken, rest) in [
            ("empty", ["", ""], "A23456789TJQK"),
            ("queens", ["Q", ""], "A23456789TJK"),
            ("full", ["Q", "56"], "A234789TJK"),
        ] {
            let board = Board::dealt(&format!("{CAPTIVE} start={start}"), &deck);
            assert_eq!(board.pile("queens"), text(&of(taken[0])));
            let foundations: Vec<String> = (1..=8).map(|number| board.pile(&format!("foundation-{number}"))).collect();
            assert_eq!(foundations.join(" ").trim(), text(&of(taken[1])));
            let stock: Vec<Card> = of(rest).into_iter().rev().collect();
            assert_eq!(board.pile("stock"), text(&stock));
        }
    }

    /// > `play`: `forced` (default) · `free` (drawing and redealing are allowed although the waste could be
    /// > played).
    #[test]
    fn with_free_drawing_and_redealing_are_allowed_although_the_waste_could_be_played() {
        assert_eq!(option_values(CAPTIVE, "play"), ["forced", "forced", "free"]);
        let piles = [("waste", "QH"), ("stock", "2H")];
        assert_eq!(Board::standing(FREE, 1, &piles).moves(), ["draw", "waste queens"]);
        assert_eq!(Board::standing(FREE, 1, &piles[..1]).moves(), ["redeal", "waste queens"]);
        assert_eq!(Board::standing(CAPTIVE, 1, &piles).moves(), ["waste queens"]);
    }

    /// > `redeals`: `2` (default), 0 to 10.
    #[test]
    fn redeals_are_2_or_0_to_10() {
        let values = ["2", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
        for game in [CAPTIVE, TOPSY] {
            assert_eq!(option_values(game, "redeals"), values);
            for redeals in 0..=10 {
                let board =
                    Board::dealt(&format!("{game} redeals={redeals}"), &Deck::unshuffled(engine(game).rules().packs));
                assert_eq!(board.redeals_left(), redeals);
            }
            let game = games::find(game).unwrap();
            for wrong in [OptionValue::Number(11), OptionValue::Number(-1), OptionValue::Word("2".into())] {
                assert!(game.options_from([("redeals".to_string(), wrong)]).is_err());
            }
        }
    }

    /// > Also known as Quadrille, Partners, Prisoner Queens.
    #[test]
    fn it_is_also_known_as_quadrille_partners_prisoner_queens() {
        assert_eq!(games::find(CAPTIVE).unwrap().also_known_as, ["Quadrille", "Partners", "Prisoner Queens"]);
    }

    /// > Some descriptions turn the first card up before play begins: that is the first draw, which is forced
    /// > anyway.
    #[test]
    fn the_first_draw_is_forced() {
        for options in ["", " play=free", " start=queens", " start=full"] {
            let board = Board::dealt(&format!("{CAPTIVE}{options}"), &seeded("first", Packs::One));
            assert_eq!(board.moves(), ["draw"]);
        }
    }

    /// How many cards a game ends with that is played at random.
    fn placed_in_the_end(game: &str, deck: &Deck, chance: &mut Chance) -> usize {
        let mut board = Board::dealt(game, deck);
        while board.outcome() == Outcome::Playing {
            let moves = board.moves();
            board.play(&moves[chance.below(moves.len())]);
        }
        board.placed()
    }

    /// > Playing at once is never worse than waiting here: each card has one place only, so with `forced` the
    /// > deal alone decides the game.
    #[test]
    fn with_forced_the_deal_alone_decides_the_game_and_playing_at_once_is_never_worse_than_waiting() {
        let mut chance = Chance::new(1);
        let mut waited_in_vain = 0;
        for number in 0..20 {
            let deck = seeded(&format!("decided {number}"), Packs::One);
            let placed = placed_in_the_end(CAPTIVE, &deck, &mut chance);
            for _ in 0..3 {
                assert_eq!(placed_in_the_end(CAPTIVE, &deck, &mut chance), placed);
                let waited = placed_in_the_end(FREE, &deck, &mut chance);
                assert!(waited <= placed);
                waited_in_vain += usize::from(waited < placed);
            }
        }
        assert!(waited_in_vain > 0);
    }
}

mod napoleons_square {
    use super::*;

    /// > Layout: twelve tableau piles of four face-up cards along the sides of a square, eight empty
    /// > foundations inside, 56 cards in the stock.
    #[test]
    fn twelve_tableau_piles_of_four_eight_empty_foundations_and_56_cards_in_the_stock() {
        let board = Board::dealt(NAPOLEON, &seeded("square", Packs::Two));
        let heights: Vec<(usize, usize)> =
            board.table.view().piles().map(|pile| (pile.face_down(), pile.cards().len())).collect();
        let expected = [&[(56, 0), (0, 0)][..], &[(0, 0); 8], &[(0, 4); 12]].concat();
        assert_eq!(heights, expected);
    }

    /// > start with an ace, built up in suit to the king. An empty one takes any ace
    #[test]
    fn foundations_start_with_any_ace_and_are_built_up_in_suit_to_the_king() {
        for length in 0..13 {
            let built = suited(&ACE_TO_KING[..length], 'H');
            let taken = taken(NAPOLEON, "foundation-6", &[("foundation-6", &built)], 'H');
            assert_eq!(taken, ACE_TO_KING[length..=length]);
        }
        let complete = suited(ACE_TO_KING, 'H');
        let board = Board::standing(NAPOLEON, 0, &[("foundation-6", &complete), ("waste", "AH"), ("tableau-1", "2C")]);
        board.check(&[("waste foundation-6", "pile_complete"), ("tableau-1 foundation-6", "pile_complete")]);
        board.check(&[
            ("waste foundation-1", ""),
            ("waste foundation-8", ""),
            ("tableau-1 foundation-2", "needs_base_card"),
        ]);
    }

    /// > built down in suit; no turning the corner (a king never goes on an ace)
    #[test]
    fn the_tableau_is_built_down_in_suit_and_a_king_never_goes_on_an_ace() {
        for game in [NAPOLEON, TOPSY] {
            for (place, rank) in ACE_TO_KING.char_indices() {
                let pile = format!("{rank}H");
                let lower = if place == 0 { "" } else { &ACE_TO_KING[place - 1..place] };
                assert_eq!(taken(game, "tableau-2", &[("tableau-2", &pile)], 'H'), lower, "{game}, on {pile}");
                assert_eq!(taken(game, "tableau-2", &[("tableau-2", &pile)], 'D'), "");
            }
            let board = Board::standing(
                game,
                0,
                &[("waste", "KH"), ("tableau-1", "AH"), ("tableau-2", "AD"), ("tableau-3", "9C")],
            );
            board.check(&[("waste tableau-1", "wrong_rank"), ("waste tableau-2", "wrong_suit")]);
            board.check(&[("waste tableau-3", "wrong_suit"), ("tableau-1 waste", "no_building")]);
        }
    }

    /// > the top of the waste or of a tableau pile to a foundation; the top of the waste to a tableau pile; a
    /// > run, whole or its upper part, to a tableau pile
    #[test]
    fn moves_are_from_the_waste_and_the_tableau_to_foundations_and_the_tableau() {
        let piles = [
            ("waste", "3H"),
            ("foundation-1", "AH 2H"),
            ("foundation-2", "AC"),
            ("tableau-1", "9D 4H"),
            ("tableau-2", "5C 4C 3C 2C"),
            ("tableau-3", "6C"),
            ("tableau-4", "KD 4C"),
        ];
        let others = (5..=12).map(|number| (format!("tableau-{number}"), "KS".to_string()));
        let others: Vec<(String, String)> = others.collect();
        let others = others.iter().map(|(name, text)| (&**name, &**text));
        let board = Board::standing(NAPOLEON, 0, &piles.into_iter().chain(others).collect::<Vec<_>>());
        let expected = [
            "waste foundation-1",
            "waste tableau-1",
            "tableau-2 foundation-2",
            "tableau-2 tableau-3 4",
            "tableau-2 tableau-4 2",
        ];
        assert_eq!(board.moves(), expected);
        board.check(&[("tableau-2 tableau-3 3", "wrong_rank"), ("tableau-2 tableau-4", "wrong_rank")]);
    }

    /// > spaces | take the top of the waste, any run, or the top of the stock directly
    #[test]
    fn spaces_take_the_top_of_the_waste_any_run_or_the_top_of_the_stock_directly() {
        let piles = [("stock", "2C 9D"), ("waste", "KS 7H"), ("tableau-1", "9D 5C 4C"), ("tableau-3", "KD")];
        let mut board = Board::standing(NAPOLEON, 0, &piles);
        board.check(&[
            ("waste tableau-2", ""),
            ("tableau-1 tableau-2", ""),
            ("tableau-1 tableau-2 2", ""),
            ("tableau-1 tableau-2 3", "not_a_run"),
            ("stock tableau-2", ""),
            ("stock tableau-2 2", "too_many_cards"),
            ("stock tableau-3", "not_available"),
            ("stock foundation-1", "not_available"),
            ("stock stock", "same_pile"),
        ]);
        let steps = board.play("stock tableau-2");
        assert_eq!(steps.len(), 1);
        assert_eq!(
            (board.pile("stock"), board.pile("waste"), board.pile("tableau-2")),
            ("2C".into(), "KS 7H".into(), "9D".into())
        );
        board.play("stock tableau-4");
        board.check(&[("stock tableau-5", "empty_source"), ("stock tableau-1", "not_available")]);
        for (game, target) in [(CAPTIVE, "foundation-1"), (TOPSY, "tableau-1")] {
            let other = Board::standing(game, 0, &[("stock", "5C")]);
            other.check(&[(&format!("stock {target}"), "not_available")]);
        }
    }

    /// > redeals | none (`redeals_left` is 0)
    #[test]
    fn there_are_no_redeals() {
        let mut board = Board::dealt(NAPOLEON, &seeded("none", Packs::Two));
        assert_eq!(board.redeals_left(), 0);
        assert_eq!(draw_all(&mut board), 56);
        board.check(&[("redeal", "no_redeals_left"), ("draw", "stock_empty")]);
    }

    /// > draw | whenever the stock has cards
    /// >
    /// > Aces *should* go up at once and drawing *should* wait until nothing else is left; both are advice,
    /// > not law.
    #[test]
    fn one_may_draw_whenever_the_stock_has_cards_and_leave_an_ace_where_it_is() {
        for (game, base) in [(NAPOLEON, "AC"), (TOPSY, "KC")] {
            let piles = [("stock", "9D"), ("waste", base), ("tableau-1", base)];
            let board = Board::standing(game, 0, &piles);
            board.check(&[("draw", ""), ("waste foundation-1", ""), ("tableau-1 foundation-1", "")]);
            Board::standing(game, 0, &piles[1..]).check(&[("draw", "stock_empty")]);
        }
    }

    /// > won | eight foundations of thirteen
    #[test]
    fn it_is_won_with_eight_foundations_of_thirteen() {
        let suits: Vec<String> = "CCDDHHSS".chars().map(|suit| suited(ACE_TO_KING, suit)).collect();
        let names: Vec<String> = (1..=8).map(|number| format!("foundation-{number}")).collect();
        let mut piles: Vec<(&str, &str)> = names.iter().zip(&suits).map(|(name, text)| (&**name, &**text)).collect();
        let short = suited("A23456789TJQ", 'C');
        piles[0].1 = &short;
        let mut board = Board::standing(NAPOLEON, 0, &[&piles[..], &[("tableau-4", "KC")]].concat());
        assert_eq!((board.outcome(), board.placed()), (Outcome::Playing, 103));
        board.play("tableau-4 foundation-1");
        assert_eq!((board.outcome(), board.placed(), board.moves().len()), (Outcome::Won, 104, 0));
    }

    /// > Options: `moves`: `runs` (default) · `single` (one card at a time from tableau pile to tableau pile,
    /// > into a space too).
    #[test]
    fn with_single_one_card_at_a_time_goes_from_tableau_pile_to_tableau_pile_into_a_space_too() {
        assert_eq!(option_values(NAPOLEON, "moves"), ["runs", "runs", "single"]);
        let piles =
            [("tableau-1", "5C 4C"), ("tableau-2", "6C"), ("tableau-3", "5C"), ("stock", "KD"), ("waste", "4C")];
        for (moves, reason) in [("runs", ""), ("single", "too_many_cards")] {
            let board = Board::standing(&format!("{NAPOLEON} moves={moves}"), 0, &piles);
            board.check(&[
                ("tableau-1 tableau-2 2", reason),
                ("tableau-1 tableau-4 2", reason),
                ("tableau-1 tableau-3", ""),
                ("tableau-1 tableau-4", ""),
                ("waste tableau-3", ""),
                ("stock tableau-4", ""),
            ]);
        }
    }

    /// > Also known as Le Carré Napoléon, Quadruple Line.
    #[test]
    fn it_is_also_known_as_le_carre_napoleon_quadruple_line() {
        assert_eq!(games::find(NAPOLEON).unwrap().also_known_as, ["Le Carré Napoléon", "Quadruple Line"]);
    }
}

mod topsy_turvy_queens {
    use super::*;

    /// > Layout: a row of seven face-down *captives* at the places of foundations 1–7 (the first seven cards
    /// > dealt, left to right; place 8 has none), then eight tableau piles of four face-up cards, and 65 cards
    /// > in the stock.
    #[test]
    fn seven_face_down_captives_eight_tableau_piles_of_four_and_65_cards_in_the_stock() {
        let deck = seeded("topsy", Packs::Two);
        let board = Board::dealt(TOPSY, &deck);
        let heights: Vec<(usize, usize)> =
            board.table.view().piles().map(|pile| (pile.face_down(), pile.cards().len())).collect();
        let expected = [&[(65, 0), (0, 0)][..], &[(1, 0); 7], &[(0, 0)], &[(0, 4); 8]].concat();
        assert_eq!(heights, expected);
        for (place, captive) in deck.cards()[..7].iter().enumerate() {
            assert_eq!(board.pile(&format!("foundation-{}", place + 1)), format!("[{captive}]"));
        }
    }

    /// > start with a king, then A 2 3 … Q of its suit.
    #[test]
    fn foundations_start_with_a_king_then_go_a_2_3_to_q_of_its_suit() {
        for length in 0..13 {
            let built = format!("[9C] {}", suited(&KING_TO_QUEEN[..length], 'H'));
            let taken = taken(TOPSY, "foundation-1", &[("foundation-1", &built)], 'H');
            assert_eq!(taken, KING_TO_QUEEN[length..=length]);
        }
        let piles = [("waste", "AH"), ("foundation-1", "[9C]"), ("foundation-2", "[9C] KD")];
        Board::standing(TOPSY, 0, &piles).check(&[
            ("waste foundation-1", "needs_base_card"),
            ("waste foundation-8", "needs_base_card"),
            ("waste foundation-2", "wrong_suit"),
        ]);
    }

    /// > A king goes to the leftmost place that has no king yet, on top of the captive there; the eighth king to
    /// > place 8
    #[test]
    fn a_king_goes_to_the_leftmost_place_that_has_no_king_yet_on_top_of_the_captive_there() {
        let names: Vec<String> = (1..=8).map(|number| format!("foundation-{number}")).collect();
        for kings in 0..8 {
            let contents = names.iter().enumerate().map(|(place, name)| match (place < kings, place < 7) {
                (true, true) => (&**name, "[9C] KD"),
                (false, true) => (&**name, "[9C]"),
                (_, false) => (&**name, ""),
            });
            let piles: Vec<(&str, &str)> = contents.chain([("waste", "KH"), ("tableau-1", "KD")]).collect();
            let mut board = Board::standing(TOPSY, 0, &piles);
            for (place, name) in names.iter().enumerate() {
                let reason = match place {
                    _ if place < kings => "wrong_suit",
                    _ if place == kings => "",
                    _ => "fill_from_the_left",
                };
                board.check(&[(&format!("waste {name}"), reason)]);
            }
            board.play(&format!("waste {}", names[kings]));
            assert_eq!(board.pile(&names[kings]), if kings < 7 { "[9C] KH" } else { "KH" });
        }
    }

    /// > when a foundation reaches its queen, the captive under it is turned face up on top of the pile.
    #[test]
    fn when_a_foundation_reaches_its_queen_the_captive_under_it_is_turned_face_up_on_top() {
        let almost = format!("[7H] {}", suited(KING_TO_JACK, 'S'));
        let mut board = Board::standing(TOPSY, 0, &[("tableau-3", "QS"), ("foundation-1", &almost)]);
        board.play("tableau-3 foundation-1");
        assert_eq!(board.pile("foundation-1"), format!("{} 7H", suited(KING_TO_QUEEN, 'S')));
        let eighth = suited(KING_TO_JACK, 'S');
        let mut board = Board::standing(TOPSY, 0, &[("waste", "QS"), ("foundation-8", &eighth)]);
        let steps = board.play("waste foundation-8");
        assert_eq!((board.pile("foundation-8"), steps.len()), (suited(KING_TO_QUEEN, 'S'), 1), "place 8 has none");
    }

    /// > From there it may go to another foundation and nowhere else
    #[test]
    fn a_freed_captive_goes_to_another_foundation_and_nowhere_else() {
        let finished = format!("{} 7H", suited(KING_TO_QUEEN, 'S'));
        let hearts = suited("KA23456", 'H');
        let piles = [
            ("foundation-1", &*finished),
            ("foundation-2", &hearts),
            ("foundation-3", "[2C] KH"),
            ("foundation-4", "[2D]"),
            ("tableau-1", "8H"),
        ];
        let mut board = Board::standing(TOPSY, 0, &piles);
        board.check(&[
            ("foundation-1 foundation-2", ""),
            ("foundation-1 foundation-1", "same_pile"),
            ("foundation-1 foundation-3", "wrong_rank"),
            ("foundation-1 foundation-4", "needs_base_card"),
            ("foundation-1 foundation-2 2", "too_many_cards"),
            ("foundation-1 tableau-1", "captive_to_foundation_only"),
            ("foundation-1 tableau-2", "captive_to_foundation_only"),
            ("foundation-1 waste", "captive_to_foundation_only"),
            ("foundation-1 stock", "captive_to_foundation_only"),
            ("foundation-1 tableau-1 2", "too_many_cards"),
            ("foundation-2 foundation-1", "not_available"),
        ]);
        let steps = board.play("foundation-1 foundation-2");
        assert_eq!(steps.len(), 1);
        assert_eq!(board.pile("foundation-2"), suited("KA234567", 'H'));
        board.check(&[("foundation-1 foundation-2", "not_available"), ("foundation-1 tableau-1", "not_available")]);
    }

    /// > it never returns to its own pile, and nothing goes on a pile that shows one.
    #[test]
    fn a_captive_never_returns_to_its_own_pile_and_nothing_goes_on_a_pile_that_shows_one() {
        let finished = format!("{} 7H", suited(KING_TO_QUEEN, 'S'));
        let hearts = suited("KA23456", 'H');
        let piles = [
            ("foundation-1", &*finished),
            ("foundation-2", &hearts),
            ("waste", "8H"),
            ("tableau-1", "KS"),
            ("tableau-2", "6H"),
            ("tableau-3", "AS"),
        ];
        let mut board = Board::standing(TOPSY, 0, &piles);
        let closed = [
            ("waste foundation-1", "pile_complete"),
            ("tableau-1 foundation-1", "pile_complete"),
            ("tableau-2 foundation-1", "pile_complete"),
            ("tableau-3 foundation-1", "pile_complete"),
        ];
        board.check(&closed);
        board.play("foundation-1 foundation-2");
        board.check(&closed);
        board.check(&[("foundation-2 foundation-1", "not_available"), ("waste foundation-2", "")]);
    }

    /// > A freed king starts the next place, and there always is one
    #[test]
    fn a_freed_king_starts_the_next_place() {
        let almost = format!("[KH] {}", suited(KING_TO_JACK, 'S'));
        let piles =
            [("waste", "QS"), ("foundation-1", &*almost), ("foundation-2", "[2C] KS"), ("foundation-3", "[3C]")];
        let mut board = Board::standing(TOPSY, 0, &piles);
        board.play("waste foundation-1");
        board
            .check(&[("foundation-1 foundation-2", "wrong_suit"), ("foundation-1 foundation-4", "fill_from_the_left")]);
        assert_eq!(board.moves(), ["foundation-1 foundation-3"]);
        board.play("foundation-1 foundation-3");
        assert_eq!(board.pile("foundation-3"), "[3C] KH");
        // All seven others are there: the eighth king is the captive.
        let names: Vec<String> = (2..=7).map(|number| format!("foundation-{number}")).collect();
        let others = names.iter().map(|name| (&**name, "[2C] KD"));
        let piles: Vec<(&str, &str)> = others.chain([("waste", "QS"), ("foundation-1", &*almost)]).collect();
        let mut board = Board::standing(TOPSY, 0, &piles);
        board.play_all(&["waste foundation-1", "foundation-1 foundation-8"]);
        assert_eq!(board.pile("foundation-8"), "KH");
    }

    /// > the top of the waste or of a tableau pile to a foundation; the top of the waste to a tableau pile; a
    /// > run, whole or its upper part, to a tableau pile; a freed captive to a foundation
    #[test]
    fn moves_are_from_the_waste_the_tableau_and_freed_captives() {
        let finished = format!("{} 2D", suited(KING_TO_QUEEN, 'S'));
        let piles = [
            ("waste", "AH"),
            ("foundation-1", "[9C] KH"),
            ("foundation-2", "[9C] KD AD"),
            ("foundation-3", &*finished),
            ("tableau-1", "9D 2H"),
            ("tableau-2", "5C 4C 3C 2D"),
            ("tableau-3", "6C"),
            ("tableau-4", "KD 4C"),
            ("tableau-5", "8S 7S"),
            ("tableau-6", "9S"),
            ("tableau-7", "8S"),
            ("tableau-8", "KS"),
        ];
        let expected = [
            "waste foundation-1",
            "waste tableau-1",
            "foundation-3 foundation-2",
            "tableau-2 foundation-2",
            "tableau-5 tableau-6 2",
            "tableau-5 tableau-7",
            "tableau-7 tableau-6",
            "tableau-8 foundation-4",
        ];
        assert_eq!(Board::standing(TOPSY, 0, &piles).moves(), expected);
    }

    /// > spaces | take the top of the waste or any run
    #[test]
    fn spaces_take_the_top_of_the_waste_or_any_run_and_not_the_stock() {
        let piles = [("stock", "2C"), ("waste", "KS 7H"), ("tableau-1", "9D 5C 4C")];
        Board::standing(TOPSY, 0, &piles).check(&[
            ("waste tableau-2", ""),
            ("tableau-1 tableau-2", ""),
            ("tableau-1 tableau-2 2", ""),
            ("tableau-1 tableau-2 3", "not_a_run"),
            ("stock tableau-2", "not_available"),
        ]);
    }

    /// > redeals | 2, so three passes
    /// >
    /// > draw | whenever the stock has cards
    #[test]
    fn there_are_two_redeals_so_three_passes() {
        let mut board = Board::dealt(TOPSY, &seeded("passes", Packs::Two));
        assert_eq!(draw_all(&mut board), 65);
        for left in [1, 0] {
            board.play("redeal");
            assert_eq!((board.redeals_left(), draw_all(&mut board)), (left, 65));
        }
        board.check(&[("redeal", "no_redeals_left"), ("draw", "stock_empty")]);
    }

    /// > won | eight foundations of thirteen, no captive left
    #[test]
    fn it_is_won_with_eight_foundations_of_thirteen_and_no_captive_left() {
        let names: Vec<String> = (1..=8).map(|number| format!("foundation-{number}")).collect();
        let mut suits: Vec<String> = "CDHSCDHS".chars().map(|suit| suited(KING_TO_QUEEN, suit)).collect();
        suits[0] = format!("[QS] {}", suited(KING_TO_JACK, 'C'));
        suits[7] = suited(KING_TO_JACK, 'S');
        let piles = names.iter().zip(&suits).map(|(name, text)| (&**name, &**text));
        let mut board = Board::standing(TOPSY, 0, &piles.chain([("waste", "QC")]).collect::<Vec<_>>());
        assert_eq!((board.outcome(), board.placed()), (Outcome::Playing, 102));
        board.play("waste foundation-1");
        assert_eq!((board.outcome(), board.placed()), (Outcome::Playing, 103));
        board.play("foundation-1 foundation-8");
        assert_eq!((board.outcome(), board.placed(), board.moves().len()), (Outcome::Won, 104, 0));
    }

    /// > Options: `kings`: `left_to_right` (default) · `any` (a king may go to any place that has no king yet).
    #[test]
    fn with_any_a_king_may_go_to_any_place_that_has_no_king_yet() {
        assert_eq!(option_values(TOPSY, "kings"), ["left_to_right", "left_to_right", "any"]);
        let piles = [("waste", "KH"), ("foundation-1", "[9C]"), ("foundation-2", "[9C] KD"), ("foundation-3", "[9C]")];
        let board = Board::standing("topsy-turvy-queens kings=any", 0, &piles);
        board.check(&[("waste foundation-1", ""), ("waste foundation-2", "wrong_suit"), ("waste foundation-3", "")]);
        board.check(&[("waste foundation-8", "")]);
    }

    /// > `corner`: `closed` (default) · `turned` (in the tableau a king may also be built on an ace of its suit,
    /// > and runs may pass that corner, dealt cards included; an ace on a king stays illegal).
    #[test]
    fn with_turned_a_king_may_be_built_on_an_ace_of_its_suit_and_runs_may_pass_that_corner() {
        assert_eq!(option_values(TOPSY, "corner"), ["closed", "closed", "turned"]);
        let piles = [
            ("waste", "KH"),
            ("tableau-1", "AH"),
            ("tableau-2", "AD"),
            ("tableau-3", "KD"),
            ("tableau-4", "9S AC KC QC"),
            ("tableau-5", "2C"),
        ];
        let turned = Board::standing(TURNED, 0, &piles);
        turned.check(&[
            ("waste tableau-1", ""),
            ("waste tableau-2", "wrong_suit"),
            ("tableau-3 tableau-2", ""),
            ("tableau-2 tableau-3", "wrong_rank"),
            ("tableau-4 tableau-6 3", ""),
            ("tableau-4 tableau-5 3", ""),
            ("tableau-4 tableau-6 4", "not_a_run"),
        ]);
        Board::standing(TOPSY, 0, &piles).check(&[
            ("waste tableau-1", "wrong_rank"),
            ("tableau-3 tableau-2", "wrong_rank"),
            ("tableau-2 tableau-3", "wrong_rank"),
            ("tableau-4 tableau-6 3", "not_a_run"),
            ("tableau-4 tableau-6 2", ""),
        ]);
        // Dealt cards: the first pile gets an ace, a king, a queen and a jack.
        let captives = "2C 2D 2H 2S 3C 3D 3H";
        let rows = ["A", "K", "Q", "J"].map(|rank| format!("{rank}S 9C 9D 8C 8D 7C 7D {rank}H"));
        let rows = rows.join(" ").replacen("9C 9D 8C 8D 7C 7D", "5C 5D 4C 4D 6C 6D", 2);
        for (game, reason) in [(TURNED, "wrong_suit"), (TOPSY, "not_a_run")] {
            let board = Board::dealt(game, &deck(&engine(game), &format!("{captives} {rows}"), ""));
            assert_eq!((board.pile("tableau-1"), board.pile("tableau-8")), (suited("AKQJ", 'S'), suited("AKQJ", 'H')));
            board.check(&[("tableau-1 tableau-8 4", reason), ("tableau-1 tableau-8 3", "wrong_suit")]);
        }
    }
}

mod easy_to_get_wrong {
    use super::*;

    /// > A captive's face is hidden from everyone, its own player included, until it is freed; so is the order
    /// > of the stock.
    #[test]
    fn a_captives_face_and_the_order_of_the_stock_are_hidden_until_they_are_turned_up() {
        let decks = ["AS 9H 3D 4D 5D 6D 7D", "7D 3D AS 9H 6D 4D 5D"].map(|captives| {
            let drawn = if captives.starts_with('A') { "JC TC" } else { "TC JC" };
            deck(&engine(TOPSY), captives, drawn)
        });
        let [mut one, mut other] = decks.map(|deck| Live::new(TOPSY, NewDeal::Deck(deck)));
        assert_eq!(one.session.view(), other.session.view());
        assert_eq!(one.session.legal_moves(), other.session.legal_moves());
        assert!(one.session.revealed_deal().is_none());
        one.play("draw").unwrap();
        other.play("draw").unwrap();
        assert_ne!(one.session.view(), other.session.view());
    }

    /// > After a redeal the stock's cards have all been seen, but they are face down again: a snapshot shows how
    /// > many, not which.
    #[test]
    fn after_a_redeal_the_stock_is_face_down_again_a_snapshot_shows_how_many_not_which() {
        let mut live = Live::new(FREE, NewDeal::Deck(seeded("again", Packs::One)));
        for _ in 0..52 {
            live.play("draw").unwrap();
        }
        live.play("redeal").unwrap();
        let stock = live.session.view().pile(PileIndex::STOCK);
        assert_eq!((stock.face_down(), stock.cards(), stock.top()), (52, &[][..], None));
        assert!(live.session.view().pile(PileIndex::WASTE).is_empty());
    }

    /// > A finished Topsy-Turvy foundation showing its freed captive has fourteen cards; the game is not won until
    /// > the captive has left.
    #[test]
    fn a_finished_foundation_showing_its_captive_has_fourteen_cards_and_the_game_is_not_won_until_it_has_left() {
        let names: Vec<String> = (1..=8).map(|number| format!("foundation-{number}")).collect();
        let mut suits: Vec<String> = "CDHSCDHS".chars().map(|suit| suited(KING_TO_QUEEN, suit)).collect();
        suits[0].push_str(" QS");
        suits[7] = suited(KING_TO_JACK, 'S');
        let piles: Vec<(&str, &str)> = names.iter().zip(&suits).map(|(name, text)| (&**name, &**text)).collect();
        let mut board = Board::standing(TOPSY, 0, &piles);
        let first = board.engine.find("foundation-1").unwrap();
        assert_eq!(board.table.view().pile(first).cards().len(), 14);
        assert_eq!((board.outcome(), board.placed()), (Outcome::Playing, 103));
        board.play("foundation-1 foundation-8");
        assert_eq!(board.table.view().pile(first).cards().len(), 13);
        assert_eq!(board.outcome(), Outcome::Won);
    }

    /// > A captive counts as placed only when it stands in its sequence
    #[test]
    fn a_captive_counts_as_placed_only_when_it_stands_in_its_sequence() {
        let almost = format!("[AH] {}", suited(KING_TO_JACK, 'S'));
        let piles =
            [("waste", "QS"), ("foundation-1", &*almost), ("foundation-2", "[4C] KH"), ("foundation-3", "[4C]")];
        let mut board = Board::standing(TOPSY, 0, &piles);
        assert_eq!(board.placed(), 13, "twelve spades and a king, no captive");
        board.play("waste foundation-1");
        assert_eq!(board.placed(), 14, "the queen, not the ace that she freed");
        board.play("foundation-1 foundation-2");
        assert_eq!(board.placed(), 15, "now the ace");
    }

    /// > cards that `start` lays out count from the beginning.
    #[test]
    fn cards_that_start_lays_out_count_from_the_beginning() {
        for (start, placed) in [("empty", 0), ("queens", 4), ("full", 12)] {
            let game = format!("{CAPTIVE} start={start}");
            let board = Board::dealt(&game, &seeded("laid out", Packs::One));
            assert_eq!(board.placed(), placed);
            assert_eq!(Live::new(&game, NewDeal::Drawn).session.placed(), placed);
        }
    }

    /// > Turning a captive up is part of the move that completed the pile: one undo takes both back.
    #[test]
    fn turning_a_captive_up_is_part_of_the_move_that_completed_the_pile_one_undo_takes_both_back() {
        let spades = suited(KING_TO_QUEEN, 'S');
        let deck = deck(&engine(TOPSY), "7H 2C 3C 4C 5C 6C 7C", &spades);
        let mut live = Live::new(TOPSY, NewDeal::Deck(deck.clone()));
        for _ in 0..12 {
            live.play("draw").unwrap();
            live.play("waste foundation-1").unwrap();
        }
        live.play("draw").unwrap();
        let (before, moves) = (live.session.view().clone(), live.session.moves());
        live.play("waste foundation-1").unwrap();
        let after = live.session.view().clone();
        assert_eq!(after.piles().nth(2).unwrap().cards(), cards(&format!("{spades} 7H")));
        assert_eq!(live.session.moves(), moves + 1);
        live.ask(Command::Undo).unwrap();
        assert_eq!((live.session.view(), live.session.moves()), (&before, moves));
        live.ask(Command::Redo).unwrap();
        assert_eq!((live.session.view(), live.session.moves()), (&after, moves + 1));
        assert_eq!(live.session.status(), Status::Playing);

        let mut board = Board::dealt(TOPSY, &deck);
        for _ in 0..12 {
            board.play_all(&["draw", "waste foundation-1"]);
        }
        board.play("draw");
        let steps = board.play("waste foundation-1");
        let pile = board.engine.find("foundation-1").unwrap();
        let shift = Step::Shift { from: PileIndex::WASTE, to: pile, count: 1 };
        assert_eq!(steps, Steps::from_slice(&[shift, Step::Free { pile, card: "7H".parse().unwrap() }]));
    }

    /// > Two packs hold every card twice: two equal cards are interchangeable.
    #[test]
    fn two_packs_hold_every_card_twice_and_two_equal_cards_are_interchangeable() {
        for game in [NAPOLEON, TOPSY] {
            let board = Board::dealt(game, &seeded("twice", Packs::Two));
            let twice: Vec<Card> = Card::all().flat_map(|card| [card, card]).collect();
            assert_eq!(all_cards(&board.engine, &board.table), twice);
            let mut one = Board::standing(game, 0, &[("waste", "8H"), ("tableau-1", "8H"), ("tableau-2", "9H")]);
            let mut other = Board::standing(game, 0, &[("waste", "8H"), ("tableau-1", "8H"), ("tableau-2", "9H")]);
            one.play_all(&["waste tableau-2"]);
            other.play_all(&["tableau-1 tableau-2", "waste tableau-1"]);
            assert_eq!(one.table, other.table);
        }
        let seven = [("foundation-1", "AS 2S"), ("waste", "3S"), ("tableau-1", "3S")];
        let board = Board::standing(NAPOLEON, 0, &seven);
        board.check(&[("waste foundation-1", ""), ("tableau-1 foundation-1", "")]);
    }

    /// > A space may be filled from a pile that thereby becomes a space. It changes nothing, and it is legal.
    #[test]
    fn a_space_may_be_filled_from_a_pile_that_thereby_becomes_a_space() {
        for game in [NAPOLEON, TOPSY, "napoleons-square moves=single"] {
            let mut board = Board::standing(game, 0, &[("tableau-1", "9D")]);
            board.check(&[("tableau-1 tableau-2", "")]);
            board.play("tableau-1 tableau-2");
            assert_eq!((board.pile("tableau-1"), board.pile("tableau-2")), ("".into(), "9D".into()));
        }
        Board::standing(TOPSY, 0, &[("tableau-1", "9D 8D 7D")]).check(&[("tableau-1 tableau-2 3", "")]);
    }

    /// > With `turned`, a run can pass the corner and be longer than thirteen cards.
    #[test]
    fn with_turned_a_run_can_be_longer_than_thirteen_cards() {
        let long = suited("32AKQJT98765432A", 'S');
        let piles = [("tableau-1", &*long), ("tableau-2", "4S")];
        let mut board = Board::standing(TURNED, 0, &piles);
        board.check(&[
            ("tableau-1 tableau-2 16", ""),
            ("tableau-1 tableau-3 16", ""),
            ("tableau-1 tableau-2 3", ""),
            ("tableau-1 tableau-2 13", "wrong_rank"),
            ("tableau-1 tableau-2 17", "too_many_cards"),
        ]);
        let longest = |target| board.moves().contains(&format!("tableau-1 {target} 16"));
        assert!(longest("tableau-2") && longest("tableau-3"));
        board.play("tableau-1 tableau-2 16");
        assert_eq!(board.pile("tableau-2"), format!("4S {long}"));
        let closed = Board::standing(TOPSY, 0, &piles);
        closed.check(&[
            ("tableau-1 tableau-2 16", "not_a_run"),
            ("tableau-1 tableau-3 13", ""),
            ("tableau-1 tableau-3 14", "not_a_run"),
        ]);
    }
}
