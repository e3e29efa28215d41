//! Whole games, from the deal to the end that they come to.

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::oracle::{dealt, differences, to, wire};
use crate::reference::{Game, Move, Status, Table};
use crate::undo::table;

/// Seeds under which forced play in Captive Queens wins, and loses.
pub(crate) const WINNING: &str = "0";
pub(crate) const LOSING: &str = "1";

const SUITS: [char; 4] = ['C', 'D', 'H', 'S'];

/// The cards of two packs in the order in which they go up: suit after suit, each in those ranks, and
/// all of it again.
fn going_up(ranks: &str) -> Vec<String> {
    let suits = SUITS.into_iter().chain(SUITS);
    suits.flat_map(|suit| ranks.chars().map(move |rank| format!("{rank}{suit}"))).collect()
}

/// The rows of a tableau that is played up pile by pile, from the top card of the first.
fn rows(in_order: &[String], piles: usize) -> Vec<String> {
    let row = |row: usize| (0..piles).map(move |pile| in_order[pile * 4 + 3 - row].clone());
    (0..4).flat_map(row).collect()
}

/// A deck for Napoleon's Square: the stock goes up card by card, then the tableau pile by pile.
pub(crate) fn winning_napoleon() -> Vec<String> {
    let order = going_up("A23456789TJQK");
    let mut deck = rows(&order[56..], 12);
    deck.extend_from_slice(&order[..56]);
    deck
}

/// A deck for Topsy-Turvy Queens: as before, and the captive of each foundation is the king that the
/// next starts with.
pub(crate) fn winning_topsy_turvy() -> Vec<String> {
    let order = going_up("KA23456789TJQ");
    let (captives, order): (Vec<_>, Vec<_>) =
        order.into_iter().enumerate().partition(|(place, _)| place % 13 == 0 && *place > 0);
    let [mut deck, order] = [captives, order].map(|cards| cards.into_iter().map(|(_, card)| card).collect::<Vec<_>>());
    deck.extend(rows(&order[65..], 8));
    deck.extend_from_slice(&order[..65]);
    deck
}

/// What a simple player does: a card up if any goes, else a draw, else a redeal, else the first other move.
pub(crate) fn simple(legal: &[Value]) -> Value {
    let goes_up = |each: &&Value| each["to"].as_str().is_some_and(|to| to.starts_with("foundation") || to == "queens");
    let up = legal.iter().find(goes_up);
    up.or(legal.first()).cloned().unwrap()
}

/// Plays a session to its end and says how it then stands.
pub(crate) async fn play_simply(app: &TestApp, seat: &Seat) -> Value {
    let mut session = app.session(seat).await;
    for _ in 0..1_000 {
        if session["status"] != "playing" {
            return session;
        }
        session = app.play(seat, &simple(session["legal_moves"].as_array().unwrap())).await.expect(200).json();
    }
    panic!("it does not end");
}

/// Proposes every move there could be of one or two cards, and checks that each that is illegal is
/// refused for the reason that the reference gives.
async fn is_refused_as_the_reference_says(app: &TestApp, seat: &Seat, table: &Table) {
    let names: Vec<String> = table.piles().into_iter().map(|pile| pile.name).collect();
    let mut proposals = vec![Move::Draw, Move::Redeal];
    for from in &names {
        for to in &names {
            proposals.extend([1, 2].map(|count| Move::Move { from: from.clone(), to: to.clone(), count }));
        }
    }
    for proposal in proposals {
        if let Some(reason) = table.refusal(&proposal) {
            let refused = app.play(seat, &wire(&proposal)).await.refused(422, "illegal_move");
            assert_eq!(refused.reason(), reason, "{proposal:?} on {:?}", table.piles());
        }
    }
}

/// What a table has come to that random play hardly ever comes to.
fn rarities(table: &Table) -> Vec<&'static str> {
    let piles = table.piles();
    let any = |kind: &str, is: fn(usize) -> bool| {
        piles.iter().any(|pile| pile.name.starts_with(kind) && pile.face_down == 0 && is(pile.cards.len()))
    };
    let found = [
        ("a complete pile", any("foundation", |cards| cards == 13)),
        ("a freed captive", any("foundation", |cards| cards == 14)),
        ("a space", any("tableau", |cards| cards == 0)),
        ("an empty stock", any("stock", |cards| cards == 0)),
    ];
    found.into_iter().filter(|(_, is_so)| *is_so).map(|(name, _)| name).collect()
}

/// Plays a session to its end, in step with the reference.
async fn play_in_step(app: &TestApp, seat: &Seat, mut table: Table) -> Value {
    let mut session = seat.first.clone();
    let mut met = Vec::new();
    while session["status"] == "playing" {
        let play = simple(session["legal_moves"].as_array().unwrap());
        session = app.play(seat, &play).await.expect(200).json();
        table.play(&reference_move(&play));
        assert_eq!(differences(&session, &table), Vec::<String>::new(), "after {play} at {}", session["version"]);
        for rarity in rarities(&table) {
            if session["status"] == "playing" && !met.contains(&rarity) {
                met.push(rarity);
                is_refused_as_the_reference_says(app, seat, &table).await;
            }
        }
    }
    session
}

/// Checks that a session is over for good.
async fn is_over(app: &TestApp, seat: &Seat, status: &str) {
    let session = app.session(seat).await;
    assert_eq!(session["status"], status);
    assert_eq!(session["finished_at"], session["updated_at"]);
    assert_eq!([&session["can_undo"], &session["can_redo"]], [false, false]);
    let version = session["version"].as_u64().unwrap();
    for answer in [
        app.unmoved(seat, app.draw(seat)).await,
        app.unmoved(seat, app.play(seat, &wire(&to("waste", "foundation-1")))).await,
        app.unmoved(seat, app.undo(seat)).await,
        app.unmoved(seat, app.redo(seat)).await,
        app.unmoved(seat, app.resign(seat)).await,
    ] {
        assert_eq!(answer.refused(409, "session_over").version(), version);
    }
}

/// Checks that a history is a legal game that leads from a deal to where the session stands.
async fn is_told_by_its_history(app: &TestApp, seat: &Seat, mut table: Table) {
    let session = app.session(seat).await;
    let history = app.history(seat).await;
    assert_eq!(session["version"], history.len());
    for entry in &history[1..] {
        assert_eq!(entry["type"], "moved");
        for each in entry["moves"].as_array().unwrap() {
            table.play(&reference_move(each));
        }
    }
    assert_eq!(differences(&session, &table), Vec::<String>::new());
}

/// A move of the wire as the reference has it.
pub(crate) fn reference_move(each: &Value) -> Move {
    match each["type"].as_str().unwrap() {
        "draw" => Move::Draw,
        "redeal" => Move::Redeal,
        _ => Move::Move {
            from: each["from"].as_str().unwrap().to_string(),
            to: each["to"].as_str().unwrap().to_string(),
            count: each["count"].as_u64().unwrap() as usize,
        },
    }
}

fn deal(game: &str, deck: &[String]) -> Table {
    let cards: Vec<_> = deck.iter().map(|name| name.parse().unwrap()).collect();
    Table::deal(Game::named(game, &[]), &cards)
}

#[tokio::test]
async fn captive_queens_is_won_if_the_deal_wins() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": WINNING})).await;
    let won = play_in_step(&app, &seat, dealt(Game::named("captive-queens", &[]), WINNING)).await;
    assert_eq!([&won["status"], &won["placed"]], [&json!("won"), &json!(52)]);
    let deal = json!({"source": "seed", "commitment": null, "seed": WINNING, "deck": null, "pysolfc": null});
    assert_eq!(won["deal"], deal);
    is_over(&app, &seat, "won").await;
    is_told_by_its_history(&app, &seat, dealt(Game::named("captive-queens", &[]), WINNING)).await;
}

#[tokio::test]
async fn napoleons_square_is_won_when_eight_suits_are_up() {
    let app = TestApp::start().await;
    let deck = winning_napoleon();
    let seat = app.create(json!({"game": "napoleons-square", "deck": deck, "undo": false})).await;
    let won = play_in_step(&app, &seat, deal("napoleons-square", &deck)).await;
    assert_eq!([&won["status"], &won["placed"], &won["redeals_left"]], [&json!("won"), &json!(104), &json!(0)]);
    assert_eq!(won["deal"]["deck"], json!(deck));
    is_over(&app, &seat, "won").await;
    is_told_by_its_history(&app, &seat, deal("napoleons-square", &deck)).await;
}

#[tokio::test]
async fn topsy_turvy_queens_is_won_when_the_last_captive_stands_in_its_sequence() {
    let app = TestApp::start().await;
    let deck = winning_topsy_turvy();
    let seat = app.create(json!({"game": "topsy-turvy-queens", "deck": deck})).await;
    let won = play_in_step(&app, &seat, deal("topsy-turvy-queens", &deck)).await;
    assert_eq!([&won["status"], &won["placed"]], [&json!("won"), &json!(104)]);
    for pile in won["piles"].as_array().unwrap().iter().filter(|pile| pile["kind"] == "foundation") {
        assert_eq!([&pile["face_down"], &json!(pile["cards"].as_array().unwrap().len())], [0, 13]);
    }
    is_over(&app, &seat, "won").await;
    is_told_by_its_history(&app, &seat, deal("topsy-turvy-queens", &deck)).await;
}

/// Games that simple play loses: the game, its options, and a seed.
fn losing() -> [(&'static str, Value, &'static str); 4] {
    [
        ("captive-queens", json!({}), LOSING),
        ("captive-queens", json!({"redeals": 0, "start": "full"}), LOSING),
        ("napoleons-square", json!({}), "3"),
        ("topsy-turvy-queens", json!({}), "0"),
    ]
}

#[tokio::test]
async fn a_lost_game_can_be_taken_back_or_given_up_but_not_played_on() {
    let app = TestApp::start().await;
    for (game, options, seed) in losing() {
        let seat = app.create(json!({"game": game, "options": options, "seed": seed})).await;
        let lost = play_simply(&app, &seat).await;
        let about = format!("{game} {options} {seed}");
        assert_eq!([&lost["status"], &lost["legal_moves"]], [&json!("lost"), &json!([])], "{about}");
        assert!(lost["finished_at"].is_null() && lost["deal"]["seed"].is_null(), "{about}");
        assert_eq!([&lost["can_undo"], &lost["can_redo"]], [true, false], "{about}");
        app.unmoved(&seat, app.draw(&seat)).await.refused(409, "session_over");
        app.unmoved(&seat, app.redo(&seat)).await.refused(409, "nothing_to_redo");

        let undone = app.undo(&seat).await.expect(200).json();
        assert_eq!([&undone["status"], &undone["can_redo"]], [&json!("playing"), &json!(true)], "{about}");
        let again = app.redo(&seat).await.expect(200).json();
        assert_eq!(table(&again), table(&lost), "{about}");
        let resigned = app.resign(&seat).await.expect(200).json();
        assert_eq!([&resigned["status"], &resigned["deal"]["seed"]], ["resigned", seed], "{about}");
        is_over(&app, &seat, "resigned").await;
    }
}

#[tokio::test]
async fn a_game_lost_without_undo_is_over_for_good() {
    let app = TestApp::start().await;
    for (game, options, seed) in losing() {
        let seat = app.create(json!({"game": game, "options": options, "seed": seed, "undo": false})).await;
        let lost = play_simply(&app, &seat).await;
        assert_eq!([&lost["status"], &lost["deal"]["seed"]], ["lost", seed], "{game} {options}");
        is_over(&app, &seat, "lost").await;
    }
}

#[test]
fn forced_play_of_the_pinned_seeds_ends_as_they_say() {
    for (seed, expected) in [(WINNING, Status::Won), (LOSING, Status::Lost)] {
        let mut table = dealt(Game::named("captive-queens", &[]), seed);
        while let Some(play) = table.legal_moves().last().cloned() {
            table.play(&play);
        }
        assert_eq!(table.status(), expected, "seed {seed:?}");
    }
}
