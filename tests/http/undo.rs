//! `POST /v1/sessions/{id}/undo`: one entry of play is taken back.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::client::Ask;

/// What of a session follows from its table.
pub(crate) fn table(session: &Value) -> Value {
    let members = ["status", "piles", "redeals_left", "legal_moves", "placed", "moves"];
    members.into_iter().map(|name| (name.to_string(), session[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[tokio::test]
async fn undo_takes_back_move_after_move_until_nothing_is_left() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": "undo", "options": {"play": "free"}})).await;
    let mut tables = vec![table(&seat.first)];
    for _ in 0..20 {
        let session = app.session(&seat).await;
        let play = session["legal_moves"].as_array().unwrap().last().unwrap().clone();
        tables.push(table(&app.play(&seat, &play).await.expect(200).json()));
    }
    for (undone, expected) in (1..).zip(tables.iter().rev().skip(1)) {
        let session = app.undo(&seat).await.expect(200).json();
        assert_eq!(table(&session), *expected, "{undone} undone");
        assert_eq!(session["version"], 21 + undone);
        assert_eq!([&session["can_undo"], &session["can_redo"]], [&json!(undone < 20), &json!(true)]);
    }
    let refused = app.unmoved(&seat, app.undo(&seat)).await.refused(409, "nothing_to_undo");
    assert_eq!(refused.version(), 41);
}

#[tokio::test]
async fn nothing_can_be_undone_at_first() {
    let app = TestApp::start().await;
    let seat = app.plain("topsy-turvy-queens").await;
    app.unmoved(&seat, app.undo(&seat)).await.refused(409, "nothing_to_undo");
}

#[tokio::test]
async fn a_session_without_undo_has_none() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "napoleons-square", "undo": false})).await;
    for _ in 0..2 {
        app.unmoved(&seat, app.undo(&seat)).await.refused(409, "undo_not_allowed");
        app.unmoved(&seat, app.redo(&seat)).await.refused(409, "undo_not_allowed");
        let session = app.draw(&seat).await.expect(200).json();
        assert_eq!([&session["can_undo"], &session["can_redo"]], [false, false]);
    }
    app.resign(&seat).await.expect(200);
    // Over comes before not allowed.
    app.unmoved(&seat, app.undo(&seat)).await.refused(409, "session_over");
    app.unmoved(&seat, app.redo(&seat)).await.refused(409, "session_over");
}

#[tokio::test]
async fn undo_needs_no_body_or_an_empty_object() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    for _ in 0..8 {
        app.draw(&seat).await.expect(200);
    }
    let json = "application/json";
    let ask = |media_type: &str, body: &str| {
        let ask = Ask::post(&seat.at("/undo")).token(&seat.token);
        let ask = if media_type.is_empty() { ask } else { ask.header("content-type", media_type) };
        ask.body(body)
    };
    for (media_type, body) in [("", ""), (json, ""), (json, "{}"), (json, " { } "), ("text/plain", "")] {
        app.ask(ask(media_type, body)).await.expect(200);
    }
    let cases = [
        ("", "{}", 415, "unsupported_media_type"),
        ("text/plain", "{}", 415, "unsupported_media_type"),
        (json, r#"{"count": 2}"#, 400, "malformed_request"),
        (json, "null", 400, "malformed_request"),
        (json, "{", 400, "malformed_request"),
        (json, "{}{}", 400, "malformed_request"),
        (json, " ", 400, "malformed_request"),
        (json, "1", 400, "malformed_request"),
    ];
    for (media_type, body, status, code) in cases {
        app.unmoved(&seat, app.ask(ask(media_type, body))).await.refused(status, code);
    }
}

#[tokio::test]
async fn undo_and_redo_can_be_meant_for_a_version() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    app.draw(&seat).await.expect(200);
    let ask = |rest: &str, tags: &str| app.ask(Ask::post(&seat.at(rest)).token(&seat.token).if_match(tags));
    assert_eq!(app.unmoved(&seat, ask("/undo", "\"1\"")).await.refused(412, "stale_version").version(), 2);
    ask("/undo", "\"2\"").await.expect(200);
    // A stale version is told before the state is looked at.
    assert_eq!(app.unmoved(&seat, ask("/undo", "\"2\"")).await.refused(412, "stale_version").version(), 3);
    app.unmoved(&seat, ask("/undo", "\"3\"")).await.refused(409, "nothing_to_undo");
    app.unmoved(&seat, ask("/redo", "\"2\"")).await.refused(412, "stale_version");
    ask("/redo", "\"3\"").await.expect(200);
}

#[tokio::test]
async fn one_undo_hides_a_captive_again_with_the_move_that_freed_it() {
    let app = TestApp::start().await;
    let deck = crate::to_the_end::winning_topsy_turvy();
    let seat = app.create(json!({"game": "topsy-turvy-queens", "deck": deck})).await;
    let mut session = seat.first.clone();
    let before = loop {
        let moves = session["legal_moves"].as_array().unwrap();
        let up = moves.iter().find(|each| each["to"] == "foundation-1");
        let after = app.play(&seat, up.unwrap_or(&json!({"type": "draw"}))).await.expect(200).json();
        if after["piles"][2]["face_down"] == 0 {
            assert_eq!(after["piles"][2]["cards"].as_array().unwrap().len(), 14);
            assert_eq!(after["placed"], 13, "a captive counts only when it stands in its sequence");
            break session;
        }
        session = after;
    };
    let undone = app.undo(&seat).await.expect(200).json();
    assert_eq!(table(&undone), table(&before));
    assert_eq!(undone["piles"][2]["face_down"], 1);
}
