//! `POST /v1/sessions/{id}/autoplay`: what needs no thought is played, as one entry.

use patience::cards::{Deck, Packs};
use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::oracle::{dealt, differences, names, seeded, wire};
use crate::reference::{Draws, Game, Move, Table};
use crate::to_the_end::{LOSING, WINNING};
use crate::undo::table;

fn ask(seat: &Seat) -> Ask {
    Ask::post(&seat.at("/autoplay")).token(&seat.token)
}

async fn autoplay(app: &TestApp, seat: &Seat) -> Answer {
    app.ask(ask(seat)).await
}

async fn with_draws(app: &TestApp, seat: &Seat) -> Answer {
    app.ask(ask(seat).json(&json!({"draws": true}))).await
}

/// Two packs for Napoleon's Square: on top of its twelve piles lie aces, twos and threes that go up.
fn ready_to_go_up() -> Vec<String> {
    let tops = ["2C", "AD", "3H", "AS", "AC", "2D", "AH", "2S", "2H", "3D", "3S", "AC"].map(str::to_string);
    let mut deck: Vec<String> = names(Deck::unshuffled(Packs::Two).cards()).into_iter().map(str::to_string).collect();
    deck.reverse();
    for top in &tops {
        let place = deck.iter().position(|card| card == top).unwrap();
        deck.remove(place);
    }
    deck.splice(36..36, tops);
    deck
}

/// What a deck deals in Napoleon's Square.
fn square(deck: &[String]) -> Table {
    let cards: Vec<_> = deck.iter().map(|card| card.parse().unwrap()).collect();
    Table::deal(Game::named("napoleons-square", &[]), &cards)
}

#[tokio::test]
async fn what_can_go_up_goes_up_as_one_entry_that_one_undo_takes_back() {
    let app = TestApp::start().await;
    let deck = ready_to_go_up();
    let seat = app.create(json!({"game": "napoleons-square", "deck": deck})).await;
    let mut expected = square(&deck);
    let moves: Vec<Value> = expected.autoplay(Draws::Never).iter().map(wire).collect();
    assert!(moves.len() >= 12, "{moves:?}");

    let up = autoplay(&app, &seat).await.expect(200).json();
    assert_eq!(differences(&up, &expected), [""; 0]);
    assert_eq!([&up["version"], &up["moves"], &up["placed"]], [&json!(2), &json!(moves.len()), &json!(moves.len())]);
    let history = app.history(&seat).await;
    assert_eq!(
        [&history[1]["type"], &history[1]["seat"], &history[1]["moves"]],
        [&json!("moved"), &json!(1), &json!(moves)]
    );

    let undone = app.undo(&seat).await.expect(200).json();
    assert_eq!(table(&undone), table(&seat.first));
    assert_eq!([&undone["can_undo"], &undone["can_redo"]], [false, true]);
    assert_eq!(table(&app.redo(&seat).await.expect(200).json()), table(&up));
    app.unmoved(&seat, autoplay(&app, &seat)).await.refused(409, "nothing_to_play");
}

#[tokio::test]
async fn where_nothing_goes_up_there_is_nothing_to_play_unless_it_may_draw() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": LOSING})).await;
    assert_eq!(app.unmoved(&seat, autoplay(&app, &seat)).await.refused(409, "nothing_to_play").version(), 1);
    with_draws(&app, &seat).await.expect(200);
    // Where there is a choice it does not draw either.
    let has_a_choice = |seed: &String| {
        let table = dealt(Game::named("napoleons-square", &[]), seed);
        let legal = table.legal_moves();
        legal.len() > 1 && table.next_of_autoplay(Draws::WhileForced, &legal).is_none()
    };
    let seed = (0..).map(|seed: u64| seed.to_string()).find(has_a_choice).unwrap();
    let seat = app.create(json!({"game": "napoleons-square", "seed": seed})).await;
    app.unmoved(&seat, with_draws(&app, &seat)).await.refused(409, "nothing_to_play");
}

#[tokio::test]
async fn captive_queens_is_played_to_its_end_with_as_many_redeals_as_there_can_be() {
    let app = TestApp::start().await;
    for (seed, redeals) in [(WINNING, 2), (LOSING, 2), (LOSING, 10)] {
        let options = json!({"redeals": redeals});
        let seat = app.create(json!({"game": "captive-queens", "seed": seed, "options": options})).await;
        let mut expected = dealt(Game::named("captive-queens", &[("redeals", &redeals.to_string())]), seed);
        let moves: Vec<Value> = expected.autoplay(Draws::WhileForced).iter().map(wire).collect();
        let end = with_draws(&app, &seat).await.expect(200).json();
        assert_eq!(differences(&end, &expected), [""; 0], "{seed}, {redeals} redeals");
        assert_eq!([&end["version"], &end["moves"], &end["legal_moves"]], [&json!(2), &json!(moves.len()), &json!([])]);
        assert_eq!(app.history(&seat).await[1]["moves"], json!(moves));
        let refused = app.unmoved(&seat, with_draws(&app, &seat)).await;
        assert_eq!(refused.refused(409, "session_over").version(), 2);
        match end["status"].as_str().unwrap() {
            "won" => assert_eq!(app.undo(&seat).await.refused(409, "session_over").version(), 2),
            _ => assert_eq!(table(&app.undo(&seat).await.expect(200).json()), table(&seat.first)),
        }
    }
}

#[tokio::test]
async fn it_needs_no_body_and_draws_only_when_told_to() {
    let app = TestApp::start().await;
    let json = "application/json";
    let asks = |seat: &Seat, media_type: &str, body: &str| {
        let ask = if media_type.is_empty() { ask(seat) } else { ask(seat).header("content-type", media_type) };
        ask.body(body)
    };
    for (media_type, body) in [("", ""), (json, ""), (json, "{}"), (json, r#"{"draws": false}"#), ("text/plain", "")] {
        let seat = app.create(json!({"game": "napoleons-square", "deck": ready_to_go_up()})).await;
        let session = app.ask(asks(&seat, media_type, body)).await.expect(200).json();
        assert_eq!(session["piles"][0]["face_down"], 56, "{body}");
    }
    let seat = app.plain("captive-queens").await;
    let cases = [
        ("", "{}", 415, "unsupported_media_type"),
        ("text/plain", "{}", 415, "unsupported_media_type"),
        (json, r#"{"draws": null}"#, 400, "malformed_request"),
        (json, r#"{"draws": 1}"#, 400, "malformed_request"),
        (json, r#"{"draws": "true"}"#, 400, "malformed_request"),
        (json, r#"{"draws": true, "draws": true}"#, 400, "malformed_request"),
        (json, r#"{"draw": true}"#, 400, "malformed_request"),
        (json, "[true]", 400, "malformed_request"),
        (json, "true", 400, "malformed_request"),
        (json, "null", 400, "malformed_request"),
        (json, " ", 400, "malformed_request"),
    ];
    for (media_type, body, status, code) in cases {
        app.unmoved(&seat, app.ask(asks(&seat, media_type, body))).await.refused(status, code);
    }
}

#[tokio::test]
async fn it_is_a_change_like_any_other() {
    let app = TestApp::start().await;
    let host = app.create(json!({"game": "captive-queens", "seed": LOSING, "seats": 2})).await;
    let guest = app.join(&host).await;
    let draws = json!({"draws": true});
    app.unmoved(&host, app.ask(Ask::post(&host.at("/autoplay")))).await.refused(401, "token_required");
    let stranger = app.plain("captive-queens").await;
    let by_stranger = Ask::post(&host.at("/autoplay")).token(&stranger.token);
    app.unmoved(&host, app.ask(by_stranger)).await.refused(403, "not_a_player");
    app.unmoved(&host, app.ask(ask(&guest).json(&draws).if_match("\"1\""))).await.refused(412, "stale_version");

    let keyed = ask(&guest).json(&draws).if_match("\"2\"").header("idempotency-key", "once");
    let first = app.ask(keyed.clone()).await.expect(200);
    assert_eq!(first.version(), 3);
    app.undo(&host).await.expect(200);
    assert_eq!(app.ask(keyed).await.without_its_id(), first.without_its_id());
    assert_eq!(app.session(&host).await["version"], 4);
    let other = ask(&guest).header("idempotency-key", "once");
    app.unmoved(&host, app.ask(other)).await.refused(422, "idempotency_key_reused");

    let history = app.history(&host).await;
    assert_eq!([&history[2]["type"], &history[2]["seat"]], [&json!("moved"), &json!(2)]);
    assert_eq!(history[3]["moves"], history[2]["moves"]);
}

#[tokio::test]
async fn it_ends_what_could_be_redone() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "napoleons-square", "deck": ready_to_go_up()})).await;
    app.draw(&seat).await.expect(200);
    app.undo(&seat).await.expect(200);
    assert_eq!(autoplay(&app, &seat).await.expect(200).json()["can_redo"], false);
}

#[tokio::test]
async fn a_session_that_is_over_or_full_takes_none() {
    let app = TestApp::limited(|limits| limits.sessions.history = 10).await;
    let seat = app.create(json!({"game": "napoleons-square", "deck": ready_to_go_up()})).await;
    for _ in 1..10 {
        app.draw(&seat).await.expect(200);
    }
    app.unmoved(&seat, autoplay(&app, &seat)).await.refused(409, "history_full");
    app.resign(&seat).await.expect(200);
    app.unmoved(&seat, autoplay(&app, &seat)).await.refused(409, "session_over");
}

#[tokio::test]
async fn in_a_race_there_is_none() {
    let app = TestApp::start().await;
    let host = app.race(json!({"game": "captive-queens", "seats": 2})).await;
    app.join(&host).await;
    app.start_race(&host).await.expect(200);
    let lane = app.lane(&host).await;
    app.unmoved(&lane, autoplay(&app, &lane)).await.refused(409, "race_running");
    app.unmoved(&lane, with_draws(&app, &lane)).await.refused(409, "race_running");
    // Over comes before not allowed.
    app.resign(&lane).await.expect(200);
    app.unmoved(&lane, with_draws(&app, &lane)).await.refused(409, "session_over");
}

/// > hint, stuck and autoplay for two sessions that differ in cards not yet seen: byte for byte the same
#[tokio::test]
async fn two_sessions_that_differ_in_cards_not_yet_seen_are_played_the_same_way() {
    let app = TestApp::start().await;
    for (game, captives) in [("napoleons-square", 0), ("topsy-turvy-queens", 7)] {
        let mut gone_up = 0;
        for seed in 0..8 {
            let deck: Vec<_> =
                names(&seeded(&seed.to_string(), &Game::named(game, &[]))).into_iter().map(str::to_string).collect();
            let mut other = deck.clone();
            other[74..].reverse();
            other[..captives].reverse();
            let one = app.create(json!({"game": game, "deck": deck})).await;
            let other = app.create(json!({"game": game, "deck": other})).await;
            for step in 0..20 {
                let [here, there] = [autoplay(&app, &one).await, autoplay(&app, &other).await];
                gone_up += usize::from(here.status == 200);
                let [here, there] = [(here, &one), (there, &other)]
                    .map(|(answer, seat)| answer.without_its_id().replace(&seat.id, "ID"));
                assert!(here == there, "{game} seed {seed} step {step}:\n{here}\n{there}");
                app.draw(&one).await.expect(200);
                app.draw(&other).await.expect(200);
            }
        }
        assert!(gone_up > 10, "{game}: {gone_up}");
    }
}

/// However often it is taken back and made again, and however much is asked for at once.
#[tokio::test]
async fn a_page_of_history_has_no_more_moves_than_it_may() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": LOSING})).await;
    let moves = with_draws(&app, &seat).await.expect(200).json()["moves"].as_u64().unwrap();
    assert!(moves > 125, "{moves}");
    for _ in 0..40 {
        app.undo(&seat).await.expect(200);
        app.redo(&seat).await.expect(200);
    }
    let page = app.get(&seat.at("/history?limit=1000")).await.expect(200).json();
    let entries = page["items"].as_array().unwrap();
    let on_page: usize = entries.iter().map(|entry| entry["moves"].as_array().unwrap().len()).sum();
    assert!((10_000..11_000).contains(&on_page), "{on_page} moves");
    assert_eq!(page["next"], json!(entries.len().to_string()));
    assert_eq!(app.history(&seat).await.len(), 82);
}

#[tokio::test]
async fn in_a_session_that_is_made_so_cards_go_up_after_each_move_in_its_entry() {
    let app = TestApp::start().await;
    let deck = ready_to_go_up();
    let seat = app.create(json!({"game": "napoleons-square", "deck": deck, "autoplay": true})).await;
    assert_eq!([&seat.first["autoplay"], &seat.first["placed"]], [&json!(true), &json!(0)], "not before a move");
    let mut expected = square(&deck);
    let draw = Move::Draw;
    expected.play(&draw);
    let mut moves = vec![wire(&draw)];
    moves.extend(expected.autoplay(Draws::Never).iter().map(wire));
    assert!(moves.len() > 12, "{moves:?}");

    let drawn = app.draw(&seat).await.expect(200).json();
    assert_eq!(differences(&drawn, &expected), [""; 0]);
    assert_eq!([&drawn["version"], &drawn["moves"]], [&json!(2), &json!(moves.len())]);
    assert_eq!(app.history(&seat).await[1]["moves"], json!(moves));
    app.unmoved(&seat, autoplay(&app, &seat)).await.refused(409, "nothing_to_play");

    // What is taken back is not played again by itself, though it could go up, until there is a move.
    let undone = app.undo(&seat).await.expect(200).json();
    assert_eq!(table(&undone), table(&seat.first));
    assert_eq!(table(&app.redo(&seat).await.expect(200).json()), table(&drawn));
    app.undo(&seat).await.expect(200);
    let mut expected = square(&deck);
    expected.autoplay(Draws::Never);
    assert_eq!(differences(&autoplay(&app, &seat).await.expect(200).json(), &expected), [""; 0]);
}
