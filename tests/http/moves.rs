//! `POST /v1/sessions/{id}/moves`: a move is played, or refused for a reason.

use patience::cards::{Deck, Packs};
use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::oracle::names;

fn of(from: &str, to: &str, count: u64) -> Value {
    json!({"type": "move", "from": from, "to": to, "count": count})
}

fn raw(seat: &Seat, body: &str) -> Ask {
    Ask::post(&seat.at("/moves")).token(&seat.token).header("content-type", "application/json").body(body)
}

/// The packs as new, with these cards in front.
fn deck_with(packs: Packs, first: &str) -> Vec<String> {
    let mut deck: Vec<String> = names(Deck::unshuffled(packs).cards()).into_iter().map(str::to_string).collect();
    for (place, name) in first.split_whitespace().enumerate() {
        let found = place + deck[place..].iter().position(|card| card == name).unwrap();
        deck[place..=found].rotate_right(1);
    }
    deck
}

fn pile<'a>(session: &'a Value, id: &str) -> &'a Value {
    session["piles"].as_array().unwrap().iter().find(|pile| pile["id"] == id).unwrap()
}

#[tokio::test]
async fn a_move_is_played_and_the_session_shown_as_it_then_is() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "deck": deck_with(Packs::One, "5S QH 4S")})).await;
    app.clock.advance(std::time::Duration::from_secs(5));
    let drawn = app.draw(&seat).await.expect(200).json();
    assert_eq!(pile(&drawn, "waste")["cards"], json!(["5S"]));
    assert_eq!(pile(&drawn, "stock")["face_down"], 51);
    assert_eq!([&drawn["version"], &drawn["moves"], &drawn["placed"]], [2, 1, 0]);
    assert_eq!(drawn["updated_at"], app.clock.text());
    assert_eq!(drawn["can_undo"], true);
    // A five has one move for each empty place, and must be played.
    let places: Vec<Value> = (1..=8).map(|number| of("waste", &format!("foundation-{number}"), 1)).collect();
    assert_eq!(drawn["legal_moves"], json!(places));

    let played =
        app.play(&seat, &json!({"type": "move", "from": "waste", "to": "foundation-3"})).await.expect(200).json();
    assert_eq!(pile(&played, "foundation-3")["cards"], json!(["5S"]), "one card, when nothing else is said");
    assert_eq!([&played["version"], &played["moves"], &played["placed"]], [3, 2, 1]);
    assert_eq!(played["legal_moves"], json!([{"type": "draw"}]));
    app.draw(&seat).await.expect(200);
    let queen = app.play(&seat, &of("waste", "queens", 1)).await.expect(200).json();
    assert_eq!(pile(&queen, "queens")["cards"], json!(["QH"]));
    assert_eq!(app.session(&seat).await, queen);
}

#[tokio::test]
async fn what_is_no_move_is_malformed_or_out_of_range() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let cases: [(&str, u16, &str, &str); 33] = [
        ("", 400, "malformed_request", ""),
        (" ", 400, "malformed_request", ""),
        ("{", 400, "malformed_request", ""),
        ("{}", 400, "malformed_request", ""),
        ("[]", 400, "malformed_request", ""),
        ("null", 400, "malformed_request", ""),
        ("\"draw\"", 400, "malformed_request", ""),
        (r#"{"type": "draw"} {}"#, 400, "malformed_request", ""),
        (r#"{"type": "draw",}"#, 400, "malformed_request", ""),
        (r#"{'type': 'draw'}"#, 400, "malformed_request", ""),
        (r#"{"type": "draw", "type": "draw"}"#, 400, "malformed_request", ""),
        (r#"{"type": "draw", "by": 1}"#, 400, "malformed_request", ""),
        (r#"{"type": null}"#, 400, "malformed_request", "type"),
        (r#"{"type": 1}"#, 400, "malformed_request", "type"),
        (r#"{"type": "draw", "count": 1}"#, 400, "malformed_request", "count"),
        (r#"{"type": "draw", "from": "stock"}"#, 400, "malformed_request", "from"),
        (r#"{"type": "redeal", "to": "stock"}"#, 400, "malformed_request", "to"),
        (r#"{"type": "redeal", "count": 0}"#, 400, "malformed_request", "count"),
        (r#"{"type": "move"}"#, 400, "malformed_request", ""),
        (r#"{"type": "move", "from": "waste"}"#, 400, "malformed_request", ""),
        (r#"{"type": "move", "to": "waste"}"#, 400, "malformed_request", ""),
        (r#"{"type": "move", "from": "waste", "to": null}"#, 400, "malformed_request", "to"),
        (r#"{"type": "move", "from": 1, "to": "waste"}"#, 400, "malformed_request", "from"),
        (r#"{"type": "move", "from": "waste", "from": "waste", "to": "stock"}"#, 400, "malformed_request", ""),
        (r#"{"type": "move", "from": "waste", "to": "stock", "count": 1.5}"#, 400, "malformed_request", "count"),
        (r#"{"type": "move", "from": "waste", "to": "stock", "count": "1"}"#, 400, "malformed_request", "count"),
        (r#"{"type": "move", "from": "waste", "to": "stock", "count": null}"#, 400, "malformed_request", "count"),
        (r#"{"type": "move", "from": "waste", "to": "stock", "count": 0}"#, 422, "invalid_request", "count"),
        (r#"{"type": "move", "from": "waste", "to": "stock", "count": -1}"#, 422, "invalid_request", "count"),
        (
            r#"{"type": "move", "from": "waste", "to": "stock", "count": -99999999999999999999}"#,
            422,
            "invalid_request",
            "count",
        ),
        (r#"{"type": "fly"}"#, 422, "invalid_request", "type"),
        (r#"{"type": ""}"#, 422, "invalid_request", "type"),
        (r#"{"type": "Draw"}"#, 422, "invalid_request", "type"),
    ];
    for (body, status, code, field) in cases {
        let refused = app.unmoved(&seat, app.ask(raw(&seat, body))).await.refused(status, code);
        assert!(field.is_empty() || refused.field() == field, "{body}: {}", refused.text());
    }
}

#[tokio::test]
async fn a_move_has_to_be_called_json() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let ask = |media_type: &str| {
        Ask::post(&seat.at("/moves")).token(&seat.token).header("content-type", media_type).body(r#"{"type": "draw"}"#)
    };
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "", "json", "application/jsonp", "text/json"]
    {
        app.unmoved(&seat, app.ask(ask(media_type))).await.refused(415, "unsupported_media_type");
    }
    let nameless = Ask::post(&seat.at("/moves")).token(&seat.token).body(r#"{"type": "draw"}"#);
    app.unmoved(&seat, app.ask(nameless)).await.refused(415, "unsupported_media_type");
    for media_type in ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON;charset=UTF-8"] {
        app.ask(ask(media_type)).await.expect(200);
    }
}

#[tokio::test]
async fn an_illegal_move_names_the_rule_that_it_breaks() {
    let app = TestApp::start().await;
    let square = app.create(json!({"game": "napoleons-square", "seed": "reasons"})).await;
    let queens = app.create(json!({"game": "captive-queens", "deck": deck_with(Packs::One, "5S QH 4S KD")})).await;
    let topsy = app.create(json!({"game": "topsy-turvy-queens", "seed": "reasons"})).await;
    let (draw, redeal) = (json!({"type": "draw"}), json!({"type": "redeal"}));
    let cases = [
        (&square, of("tableau-0", "waste", 1), "no_such_pile"),
        (&square, of("tableau-13", "waste", 1), "no_such_pile"),
        (&square, of("tableau-99999999999", "waste", 1), "no_such_pile"),
        (&square, of("tableau-01", "tableau-2", 1), "no_such_pile"),
        (&square, of("queens", "waste", 1), "no_such_pile"),
        (&square, of("waste", "", 1), "no_such_pile"),
        (&square, of("stock", "Waste", 9), "no_such_pile"),
        (&square, of("nowhere", "nowhere", 1), "no_such_pile"),
        (&square, of("tableau-1", "tableau-1", 1), "same_pile"),
        (&square, of("stock", "stock", 9), "same_pile"),
        (&square, of("foundation-1", "tableau-1", 1), "not_available"),
        (&square, of("stock", "waste", 1), "not_available"),
        (&square, of("stock", "tableau-1", 1), "not_available"),
        (&square, of("waste", "tableau-1", 1), "empty_source"),
        (&square, of("waste", "tableau-1", 2), "empty_source"),
        (&square, of("tableau-1", "foundation-1", 2), "too_many_cards"),
        (&square, of("tableau-1", "tableau-2", 5), "too_many_cards"),
        (&square, of("tableau-1", "tableau-2", 4_294_967_297), "too_many_cards"),
        (&square, of("tableau-1", "tableau-2", u64::MAX), "too_many_cards"),
        (&square, of("tableau-1", "waste", 1), "no_building"),
        (&square, of("tableau-1", "stock", 1), "no_building"),
        (&square, redeal.clone(), "stock_not_empty"),
        (&queens, of("queens", "waste", 1), "not_available"),
        (&queens, of("tableau-1", "waste", 1), "no_such_pile"),
        (&queens, redeal.clone(), "stock_not_empty"),
        (&topsy, of("stock", "tableau-1", 1), "not_available"),
        (&topsy, of("foundation-1", "foundation-2", 1), "not_available"),
        (&topsy, of("queens", "waste", 1), "no_such_pile"),
    ];
    for (seat, play, reason) in cases {
        let refused = app.unmoved(seat, app.play(seat, &play)).await.refused(422, "illegal_move");
        assert_eq!(refused.reason(), reason, "{play}");
        assert_eq!(refused.version(), 1, "{play}");
    }

    app.draw(&queens).await.expect(200);
    let cases = [
        (draw.clone(), "play_waste_first"),
        (redeal.clone(), "stock_not_empty"),
        (of("waste", "queens", 1), "needs_base_card"),
        (of("waste", "stock", 1), "no_building"),
        (of("waste", "foundation-1", 2), "too_many_cards"),
    ];
    for (play, reason) in cases {
        let refused = app.unmoved(&queens, app.play(&queens, &play)).await.refused(422, "illegal_move");
        assert_eq!((refused.reason().as_str(), refused.version()), (reason, 2), "{play}");
    }
    app.play(&queens, &of("waste", "foundation-1", 1)).await.expect(200);
    app.draw(&queens).await.expect(200);
    app.play(&queens, &of("waste", "queens", 1)).await.expect(200);
    app.draw(&queens).await.expect(200);
    app.play(&queens, &of("waste", "foundation-1", 1)).await.expect(200);
    app.draw(&queens).await.expect(200);
    for (to, reason) in [("foundation-1", "wrong_suit"), ("foundation-2", "needs_base_card"), ("queens", "wrong_rank")]
    {
        let refused = app.unmoved(&queens, app.play(&queens, &of("waste", to, 1))).await.refused(422, "illegal_move");
        assert_eq!(refused.reason(), reason, "{to}");
    }
}

#[tokio::test]
async fn an_empty_stock_and_a_spent_redeal_are_reasons_too() {
    let app = TestApp::start().await;
    // The last card can be played, so that the game goes on.
    let deck = deck_with(Packs::One, &format!("{} 5S", deck_with(Packs::One, "5S")[1..].join(" ")));
    let wish = json!({"game": "captive-queens", "options": {"redeals": 1, "play": "free"}, "deck": deck});
    let seat = app.create(wish).await;
    let (draw, redeal) = (json!({"type": "draw"}), json!({"type": "redeal"}));
    for pass in 0..2 {
        for _ in 0..52 {
            app.play(&seat, &draw).await.expect(200);
        }
        assert_eq!(
            app.unmoved(&seat, app.play(&seat, &draw)).await.refused(422, "illegal_move").reason(),
            "stock_empty"
        );
        if pass == 0 {
            let session = app.play(&seat, &redeal).await.expect(200).json();
            assert_eq!(session["redeals_left"], 0);
            assert_eq!(pile(&session, "stock")["face_down"], 52);
            assert_eq!(app.play(&seat, &redeal).await.refused(422, "illegal_move").reason(), "stock_not_empty");
        }
    }
    assert_eq!(
        app.unmoved(&seat, app.play(&seat, &redeal)).await.refused(422, "illegal_move").reason(),
        "no_redeals_left"
    );
    let deck = deck_with(Packs::Two, &format!("{} AS", deck_with(Packs::Two, "AS")[1..].join(" ")));
    let square = app.create(json!({"game": "napoleons-square", "deck": deck})).await;
    for _ in 0..56 {
        app.draw(&square).await.expect(200);
    }
    assert_eq!(app.play(&square, &redeal).await.refused(422, "illegal_move").reason(), "no_redeals_left");
}

#[tokio::test]
async fn a_move_is_made_on_the_version_that_it_is_meant_for() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let ask =
        |tags: &str| Ask::post(&seat.at("/moves")).token(&seat.token).json(&json!({"type": "draw"})).if_match(tags);
    for tags in
        ["\"2\"", "\"0\"", "1", "W/\"1\"", "\"01\"", "\"\"", "", "\"2\", \"3\"", "\"99999999999999999999\"", "\"*\""]
    {
        let refused = app.unmoved(&seat, app.ask(ask(tags))).await.refused(412, "stale_version");
        assert_eq!(refused.version(), 1, "{tags}");
    }
    for (version, tags) in (2..).zip(["\"1\"", "\"1\", \"2\"", "*", "\"x\" , \"4\"", "\"6\",W/\"5\",\"5\""]) {
        assert_eq!(app.ask(ask(tags)).await.expect(200).version(), version, "{tags}");
    }
    let refused = app.unmoved(&seat, app.ask(ask("\"1\""))).await.refused(412, "stale_version");
    assert_eq!(refused.version(), 6);
    // Two headers are one list.
    assert_eq!(app.ask(ask("\"1\"").if_match("\"6\"")).await.expect(200).version(), 7);
}

#[tokio::test]
async fn a_move_is_judged_in_order() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let path = seat.at("/moves");
    let long = format!(r#"{{"type": "{}"}}"#, "a".repeat(70_000));
    let stale = |ask: Ask| ask.if_match("\"9\"").token(&seat.token);
    // Each is at fault in what comes later too.
    app.ask(stale(Ask::new("PUT", &path)).body(long.as_str())).await.refused(405, "method_not_allowed");
    app.ask(Ask::post("/v1/sessions/1/moves?x=1").body(long.as_str())).await.refused(404, "no_such_session");
    app.ask(Ask::post(&path).body(long.as_str()).if_match("\"9\"")).await.refused(401, "token_required");
    app.ask(stale(Ask::post(&path)).body(long.as_str())).await.refused(413, "body_too_large");
    app.ask(stale(Ask::post(&path)).body("{")).await.refused(415, "unsupported_media_type");
    app.ask(stale(raw_at(&path, "{"))).await.refused(400, "malformed_request");
    app.ask(stale(raw_at(&path, r#"{"type": "fly"}"#))).await.refused(422, "invalid_request");
    app.ask(stale(raw_at(&path, r#"{"type": "redeal"}"#))).await.refused(412, "stale_version");
    let redeal = json!({"type": "redeal"});
    app.play(&seat, &redeal).await.refused(422, "illegal_move");
    app.resign(&seat).await.expect(200);
    app.ask(stale(raw_at(&path, r#"{"type": "redeal"}"#))).await.refused(412, "stale_version");
    app.play(&seat, &redeal).await.refused(409, "session_over");
}

fn raw_at(path: &str, body: &str) -> Ask {
    Ask::post(path).header("content-type", "application/json").body(body)
}

/// > `version` stands in 409, 412 and 422 about a session.
#[tokio::test]
async fn a_value_out_of_range_is_refused_with_the_version_of_the_session() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let refused = app.play(&seat, &of("waste", "stock", 0)).await.refused(422, "invalid_request");
    assert_eq!(refused.version(), 1);
}
