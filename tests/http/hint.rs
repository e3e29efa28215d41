//! `/v1/sessions/{id}/hint`: what a player could do next.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::outlook::{STUCK, all_drawn};
use crate::to_the_end::{LOSING, WINNING, play_simply};

async fn hint(app: &TestApp, seat: &Seat) -> Answer {
    app.ask(Ask::get(&seat.at("/hint")).token(&seat.token)).await
}

#[tokio::test]
async fn a_hint_is_a_legal_move_with_a_sentence_that_says_why_and_changes_nothing() {
    let app = TestApp::start().await;
    for game in ["captive-queens", "napoleons-square", "topsy-turvy-queens"] {
        let seat = app.create(json!({"game": game, "seed": "hint"})).await;
        for _ in 0..8 {
            let session = app.session(&seat).await;
            let hinted = app.unmoved(&seat, hint(&app, &seat)).await.expect(200);
            assert_eq!(hinted.header("etag"), Some(&*format!("\"{}\"", session["version"])));
            let Value::Object(told) = hinted.json() else { panic!("{}", hinted.text()) };
            assert_eq!(told.keys().collect::<Vec<_>>(), ["move", "why"]);
            assert!(session["legal_moves"].as_array().unwrap().contains(&told["move"]), "{told:?}");
            let why = told["why"].as_str().unwrap();
            assert!(why.ends_with('.') && why.chars().next().unwrap().is_uppercase(), "{why}");
            app.play(&seat, &told["move"]).await.expect(200);
        }
    }
}

#[tokio::test]
async fn the_same_version_has_the_same_hint_for_all_who_may_see_it_and_who_has_it_is_told_so() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "napoleons-square", "seed": "hint", "seats": 2})).await;
    let first = hint(&app, &seat).await.expect(200);
    let again = app.get(&seat.at("/hint")).await.expect(200);
    assert_eq!(first.without_its_id(), again.without_its_id());
    let known = Ask::get(&seat.at("/hint")).if_none_match(first.header("etag").unwrap());
    app.ask(known.clone()).await.expect(304);
    app.draw(&seat).await.expect(200);
    app.ask(known).await.expect(200);
    app.get(&seat.at("/hint?version=1")).await.refused(400, "malformed_request");

    let private = app.create(json!({"game": "napoleons-square", "visibility": "private"})).await;
    hint(&app, &private).await.expect(200);
    app.get(&private.at("/hint")).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn there_is_no_hint_where_no_move_is_left_and_none_when_the_game_is_over() {
    let app = TestApp::start().await;
    for undo in [true, false] {
        let wish = |seed| json!({"game": "captive-queens", "seed": seed, "undo": undo});
        let lost = app.create(wish(LOSING)).await;
        assert_eq!(play_simply(&app, &lost).await["status"], "lost");
        let refused = app.unmoved(&lost, hint(&app, &lost)).await.refused(409, "no_moves");
        assert_eq!(refused.version(), app.session(&lost).await["version"]);
        let won = app.create(wish(WINNING)).await;
        assert_eq!(play_simply(&app, &won).await["status"], "won");
        hint(&app, &won).await.refused(409, "session_over");
        let resigned = app.create(wish(WINNING)).await;
        app.resign(&resigned).await.expect(200);
        hint(&app, &resigned).await.refused(409, "session_over");
    }
}

#[tokio::test]
async fn who_is_stuck_and_follows_hints_comes_to_where_no_move_gets_any_further() {
    let app = TestApp::start().await;
    let seat = all_drawn(&app, STUCK).await;
    for _ in 0..20 {
        let hinted = hint(&app, &seat).await;
        if hinted.status == 409 {
            hinted.refused(409, "no_moves");
            assert_eq!(app.session(&seat).await["status"], "playing");
            return;
        }
        app.play(&seat, &hinted.json()["move"]).await.expect(200);
    }
    panic!("hints go on for ever");
}

#[tokio::test]
async fn a_lost_game_that_is_taken_back_has_hints_again() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": LOSING})).await;
    play_simply(&app, &seat).await;
    hint(&app, &seat).await.refused(409, "no_moves");
    app.undo(&seat).await.expect(200);
    hint(&app, &seat).await.expect(200);
}

#[tokio::test]
async fn however_many_ask_for_the_same_hint_it_is_searched_for_once() {
    let app = TestApp::limited(|limits| (limits.host.solver_threads, limits.host.solver_queue) = (1, 1)).await;
    let seat = app.create(json!({"game": "topsy-turvy-queens", "seed": "hint"})).await;
    let hints = join_all((0..50).map(|_| hint(&app, &seat))).await;
    for each in &hints {
        assert_eq!(each.clone().expect(200).text(), hints[0].text());
    }
}

#[tokio::test]
async fn who_finds_too_many_searches_waiting_is_told_to_come_again_and_moves_go_on() {
    let app = TestApp::limited(|limits| limits.host.solver_queue = 0).await;
    let seat = app.plain("napoleons-square").await;
    for path in ["/hint", "/outlook"] {
        let refused = app.get(&seat.at(path)).await.refused(503, "busy");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    app.draw(&seat).await.expect(200);
    app.undo(&seat).await.expect(200);
}
