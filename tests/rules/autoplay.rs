//! Autoplay, sentence by sentence: what goes up, in which order, what is left alone, and when it draws.

use patience::cards::{Packs, Rank};
use patience::rules::{Drawing, Engine, Move, Offer, Outcome, PileIndex, Piles, Rules, Sequence, To, Turning};

use crate::support::{Board, position, suited};

const CAPTIVE: &str = "captive-queens";
const FREE: &str = "captive-queens play=free";
const NAPOLEON: &str = "napoleons-square";
const TOPSY: &str = "topsy-turvy-queens";
const ANY: &str = "topsy-turvy-queens kings=any";
const KING_TO_QUEEN: &str = "KA23456789TJQ";
const KING_TO_JACK: &str = "KA23456789TJ";

/// A game as it stands, and what is played by itself, with commas between.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

#[track_caller]
fn check(drawing: Drawing, redeals_left: u32, cases: &[Case<'_>]) {
    for (game, piles, expected) in cases {
        let mut board = Board::standing(game, redeals_left, piles);
        assert_eq!(board.autoplay(drawing).join(", "), *expected, "{game}: {piles:?}");
    }
}

/// A king on each of the first places of Topsy-Turvy Queens, a captive at each but the last.
fn kings_at<'a>(kings: usize, more: &[(&'static str, &'a str)]) -> Vec<(&'static str, &'a str)> {
    const PLACES: [&str; 8] = [
        "foundation-1",
        "foundation-2",
        "foundation-3",
        "foundation-4",
        "foundation-5",
        "foundation-6",
        "foundation-7",
        "foundation-8",
    ];
    let places = PLACES.into_iter().enumerate().map(|(place, name)| match (place < kings, place < 7) {
        (true, true) => (name, "[9C] KD"),
        (true, false) => (name, "KD"),
        (false, true) => (name, "[9C]"),
        (false, false) => (name, ""),
    });
    places.chain(more.iter().copied()).collect()
}

/// > what can go up goes up
#[test]
fn what_can_go_up_goes_up_until_nothing_can() {
    let twos = [("waste", "2H AH"), ("tableau-1", "9C 3H"), ("tableau-2", "4H 2D")];
    check(
        Drawing::Never,
        0,
        &[
            (NAPOLEON, &twos, "waste foundation-1, waste foundation-1, tableau-1 foundation-1"),
            (CAPTIVE, &[("waste", "TC 4S 5S QH")], "waste queens, waste foundation-1, waste foundation-1"),
            (TOPSY, &[("waste", "2S AS KS"), ("foundation-1", "[9C]")], &["waste foundation-1"; 3].join(", ")),
            (NAPOLEON, &[("stock", "AS"), ("waste", "9H"), ("tableau-1", "8H")], ""),
        ],
    );
}

/// > lowest source and lowest target first
#[test]
fn the_lowest_source_comes_first_and_the_lowest_target() {
    let captive = format!("{} AD", suited(KING_TO_QUEEN, 'S'));
    check(
        Drawing::Never,
        0,
        &[
            (
                NAPOLEON,
                &[("waste", "AS"), ("tableau-2", "AC"), ("tableau-10", "AD"), ("foundation-2", "AH")],
                "waste foundation-1, tableau-2 foundation-3, tableau-10 foundation-4",
            ),
            // What becomes free below comes before what was free above.
            (NAPOLEON, &[("tableau-1", "2D"), ("tableau-2", "AD"), ("tableau-3", "AC")], {
                "tableau-2 foundation-1, tableau-1 foundation-1, tableau-3 foundation-2"
            }),
            (CAPTIVE, &[("waste", "5H"), ("foundation-1", "6H"), ("foundation-3", "6S")], "waste foundation-2"),
            (
                TOPSY,
                &[
                    ("tableau-1", "AC"),
                    ("foundation-1", &captive),
                    ("foundation-2", "[9C] KD"),
                    ("foundation-3", "[9C] KC"),
                ],
                "foundation-1 foundation-2, tableau-1 foundation-3",
            ),
        ],
    );
}

/// > leaving alone a king of Topsy-Turvy that has more than one place to go to
#[test]
fn a_king_that_has_more_than_one_place_to_go_to_is_left_alone() {
    let king = ("waste", "KS");
    let captive = format!("{} KS", suited(KING_TO_QUEEN, 'S'));
    let mut with_captive_king = kings_at(6, &[]);
    with_captive_king[0].1 = &captive;
    check(
        Drawing::Never,
        0,
        &[
            (ANY, &kings_at(0, &[king]), ""),
            (ANY, &kings_at(6, &[king]), ""),
            (ANY, &kings_at(7, &[king]), "waste foundation-8"),
            (ANY, &with_captive_king, ""),
            // The rule gives it but one place.
            (TOPSY, &kings_at(0, &[king]), "waste foundation-1"),
            (TOPSY, &kings_at(6, &[king]), "waste foundation-7"),
            // Others go up all the same, and it with them as soon as one place is left.
            (ANY, &kings_at(3, &[king, ("tableau-3", "AD"), ("tableau-4", "2D")]), {
                "tableau-3 foundation-1, tableau-4 foundation-1"
            }),
            (ANY, &kings_at(7, &[king, ("tableau-3", "KH")]), "waste foundation-8"),
        ],
    );
}

/// It is a king alone that is left: the places of a five are all the same, and an ace goes on the lower of two
/// kings, whatever captives they hold.
#[test]
fn a_card_with_several_places_that_is_no_such_king_goes_to_the_lowest() {
    let kings = [("foundation-2", "[9C] KH"), ("foundation-3", "[8C] KH")];
    for game in [TOPSY, ANY] {
        let piles: Vec<_> = kings.into_iter().chain([("tableau-5", "AH")]).collect();
        check(Drawing::Never, 0, &[(game, &piles, "tableau-5 foundation-2")]);
    }
    let aces = [("foundation-4", "AH"), ("foundation-6", "AH"), ("waste", "2H")];
    check(
        Drawing::Never,
        0,
        &[(CAPTIVE, &[("waste", "5H")], "waste foundation-1"), (NAPOLEON, &aces, "waste foundation-4")],
    );
}

#[test]
fn a_captive_that_is_freed_on_the_way_goes_up_too() {
    let spades = format!("[AH] {}", suited(KING_TO_JACK, 'S'));
    let piles = [("foundation-1", &*spades), ("foundation-2", "[9C] KH"), ("tableau-2", "2H"), ("tableau-3", "3D QS")];
    let expected = "tableau-3 foundation-1, foundation-1 foundation-2, tableau-2 foundation-2";
    check(Drawing::Never, 0, &[(TOPSY, &piles, expected)]);
}

/// > it draws only when asked to, and then only while exactly one move is legal
#[test]
fn it_draws_only_when_asked_to_and_while_exactly_one_move_is_legal() {
    let kings = ["KC"; 12];
    let names: Vec<String> = (1..=12).map(|number| format!("tableau-{number}")).collect();
    let full = |stock| -> Vec<(&str, &str)> {
        names.iter().map(String::as_str).zip(kings).chain([("stock", stock), ("waste", "")]).collect()
    };
    check(
        Drawing::WhileForced,
        1,
        &[
            (CAPTIVE, &[("stock", "4H 5H")], "draw, waste foundation-1, draw, waste foundation-1"),
            (CAPTIVE, &[("stock", "5H 4H")], "draw, draw, waste foundation-1, waste foundation-1"),
            (CAPTIVE, &[("stock", "9C 5H")], "draw, waste foundation-1, draw, redeal, draw"),
            // Where drawing is allowed at any time, what can go up goes up first.
            (FREE, &[("stock", "9C 5H")], "draw, waste foundation-1, draw, redeal, draw"),
            (NAPOLEON, &full("2S AS"), "draw, waste foundation-1, draw, waste foundation-1"),
            // A queen that could go on a king ends it.
            (NAPOLEON, &full("2S QC 9H AS"), "draw, waste foundation-1, draw, draw"),
            // The top of the stock could go to a space, the top of the waste could, a king has the choice.
            (NAPOLEON, &[("stock", "AS")], ""),
            (TOPSY, &[("stock", "AS"), ("waste", "9H")], ""),
            (ANY, &kings_at(6, &[("stock", "AS"), ("waste", "KS")]), ""),
        ],
    );
    for game in [CAPTIVE, FREE, NAPOLEON, TOPSY] {
        check(Drawing::Never, 1, &[(game, &[("stock", "5H AS KS QH")], "")]);
    }
}

/// Captive Queens to its end, and no other game further than to where there is a choice.
#[test]
fn it_does_not_move_a_card_about_though_that_is_the_only_move() {
    let kings = ["KC"; 10];
    let names: Vec<String> = (3..=12).map(|number| format!("tableau-{number}")).collect();
    let piles = names.iter().map(String::as_str).zip(kings).chain([("tableau-1", "8H"), ("tableau-2", "2C 9H")]);
    let mut board = Board::standing(NAPOLEON, 0, &piles.collect::<Vec<_>>());
    assert_eq!(board.only_move().as_deref(), Some("tableau-1 tableau-2"));
    assert_eq!(board.autoplay(Drawing::WhileForced), [""; 0]);
}

#[test]
fn a_game_that_is_won_or_lost_by_itself_is_over_then() {
    let suits: Vec<String> = "CDHS".chars().map(|suit| suited("5432AK", suit)).collect();
    let up: Vec<String> = "CDHS".chars().map(|suit| suited("6789TJ", suit)).collect();
    let names: Vec<String> = (1..=8).map(|number| format!("foundation-{number}")).collect();
    let mut piles: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(suits.iter().chain(&up).map(String::as_str)).collect();
    piles[7].1 = "6S 7S 8S 9S TS";
    for (stock, outcome) in [("QC QD QH QS JS", Outcome::Won), ("QC QD QH JC JS", Outcome::Lost)] {
        let mut board = Board::standing(CAPTIVE, 2, &[&piles[..], &[("stock", stock)]].concat());
        board.autoplay(Drawing::WhileForced);
        assert_eq!(board.outcome(), outcome, "{stock}");
    }
}

/// > equal ones counted once
#[test]
fn equal_moves_count_as_one() {
    let names: Vec<String> = (3..=12).map(|number| format!("tableau-{number}")).collect();
    let others = || names.iter().map(|name| (name.as_str(), "KC"));
    let only = |game: &str, piles: &[(&str, &str)]| Board::standing(game, 0, piles).only_move().unwrap_or_default();
    // Places and spaces are alike, and so are piles of the same cards.
    assert_eq!(only(CAPTIVE, &[("waste", "5H")]), "waste foundation-1");
    assert_eq!(only(NAPOLEON, &[("waste", "9H")]), "waste tableau-1");
    let alike: Vec<_> =
        others().skip(1).chain([("tableau-1", "8H"), ("tableau-2", "8H"), ("tableau-3", "9H")]).collect();
    assert_eq!(only(NAPOLEON, &alike), "tableau-1 tableau-3");
    // A captive makes a place another, and so does what lies under a card.
    assert_eq!(only(ANY, &kings_at(6, &[("waste", "KS")])), "");
    let unlike: Vec<_> =
        others().skip(1).chain([("tableau-1", "8H"), ("tableau-2", "2C 8H"), ("tableau-3", "9H")]).collect();
    assert_eq!(only(NAPOLEON, &unlike), "");
    assert_eq!(only(FREE, &[("waste", "5H"), ("stock", "9C")]), "");
    assert_eq!(only(CAPTIVE, &[("waste", "9C")]), "");
}

/// In a game where foundations give their top cards back, one that is up stays there.
#[test]
fn a_card_that_has_reached_its_place_is_not_moved_to_another() {
    let rules = Rules {
        packs: Packs::Two,
        turning: Turning::Always,
        redeals: 0,
        piles: vec![
            Piles::stock().gives(Offer::Top, To::Foundations),
            Piles::waste().gives(Offer::Top, To::Anywhere),
            Piles::foundations(2)
                .takes(Sequence::from_any().up_in_suit().complete_at(13))
                .gives(Offer::Top, To::Anywhere),
            Piles::tableau(2).takes(Sequence::from(Rank::King).down_in_suit()).gives(Offer::Top, To::Anywhere),
        ],
    };
    let engine = Engine::new(rules);
    let next = |piles: &[(&str, &str)]| engine.autoplay(position(&engine, 0, piles).view(), Drawing::WhileForced);
    let to = engine.find("foundation-1").unwrap();
    // The first place and the second are the same for it; nobody knows the top of the stock.
    assert_eq!(next(&[("waste", "9H")]), Some(Move::Transfer { from: PileIndex::WASTE, to, count: 1 }));
    assert_eq!(next(&[("stock", "9H"), ("foundation-1", "8H")]), None);
    assert_eq!(next(&[("foundation-1", "9H")]), None);
    // To go on a pile or to start another is a choice.
    assert_eq!(next(&[("waste", "9H"), ("foundation-1", "8H")]), None);
}
