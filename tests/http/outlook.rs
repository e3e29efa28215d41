//! `/v1/sessions/{id}/outlook` and the event of that name: whether anything can still be done.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::to_the_end::{LOSING, WINNING, play_simply};

/// A seed whose stock can be drawn to its end, and then cards can be moved to and fro and nothing else.
pub(crate) const STUCK: &str = "9";

async fn outlook(app: &TestApp, seat: &Seat) -> Answer {
    app.ask(Ask::get(&seat.at("/outlook")).token(&seat.token)).await
}

async fn is_stuck(app: &TestApp, seat: &Seat) -> Value {
    let answer = outlook(app, seat).await.expect(200);
    let (told, version) = (answer.json(), app.session(seat).await["version"].clone());
    assert_eq!(told, json!({"version": version, "stuck": told["stuck"]}));
    assert_eq!(answer.header("etag"), Some(&*format!("\"{version}\"")));
    told["stuck"].clone()
}

/// A game in which all of the stock was drawn and nothing played.
pub(crate) async fn all_drawn(app: &TestApp, seed: &str) -> Seat {
    let seat = app.create(json!({"game": "napoleons-square", "seed": seed})).await;
    for _ in 0..56 {
        app.draw(&seat).await.expect(200);
    }
    seat
}

#[tokio::test]
async fn as_long_as_there_is_something_to_turn_up_or_to_place_nobody_is_stuck() {
    let app = TestApp::start().await;
    for game in ["captive-queens", "napoleons-square", "topsy-turvy-queens"] {
        let seat = app.plain(game).await;
        assert_eq!(app.unmoved(&seat, is_stuck(&app, &seat)).await, false);
        app.draw(&seat).await.expect(200);
        assert_eq!(is_stuck(&app, &seat).await, false);
    }
}

#[tokio::test]
async fn who_can_only_move_cards_to_and_fro_is_stuck_though_the_game_is_not_lost() {
    let app = TestApp::start().await;
    let seat = all_drawn(&app, STUCK).await;
    let session = app.session(&seat).await;
    assert_eq!(session["status"], "playing");
    assert_ne!(session["legal_moves"], json!([]));
    assert_eq!(is_stuck(&app, &seat).await, true);
    // To draw the last card again turns up nothing that has not been seen.
    app.undo(&seat).await.expect(200);
    assert_eq!(is_stuck(&app, &seat).await, true);
}

#[tokio::test]
async fn where_nothing_may_be_played_any_more_nothing_can_be_done() {
    let app = TestApp::limited(|limits| limits.host.solver_queue = 0).await;
    for (seed, expected) in [(LOSING, "lost"), (WINNING, "won")] {
        let seat = app.create(json!({"game": "captive-queens", "seed": seed})).await;
        assert_eq!(play_simply(&app, &seat).await["status"], expected);
        assert_eq!(is_stuck(&app, &seat).await, true, "{expected}");
    }
    let seat = app.plain("captive-queens").await;
    app.resign(&seat).await.expect(200);
    assert_eq!(is_stuck(&app, &seat).await, true);
}

#[tokio::test]
async fn whoever_may_see_a_session_may_ask_and_who_knows_is_told_so() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let known = Ask::get(&seat.at("/outlook")).if_none_match("\"1\"");
    app.ask(known.clone()).await.expect(304);
    app.draw(&seat).await.expect(200);
    assert_eq!(app.ask(known).await.expect(200).version(), 2);
    app.get(&seat.at("/outlook?version=1")).await.refused(400, "malformed_request");
    let private = app.create(json!({"game": "napoleons-square", "visibility": "private"})).await;
    assert_eq!(is_stuck(&app, &private).await, false);
    app.get(&private.at("/outlook")).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn those_who_watch_are_told_of_the_newest_version_beside_the_changes() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "napoleons-square", "seed": "outlook"})).await;
    let mut stream = app.watch(&seat.path, None, None).await;
    stream.next().await.named("snapshot");
    for expected in 1..=3 {
        let told = stream.next_aside("outlook").await;
        assert_eq!((told.id, &told.text), (None, &format!(r#"{{"version":{expected},"stuck":false}}"#)));
        app.draw(&seat).await.expect(200);
        assert_eq!(stream.next_change().await.id, Some(expected + 1));
    }
    app.resign(&seat).await.expect(200);
    assert_eq!(stream.next_aside("outlook").await.data, json!({"version": 5, "stuck": true}));

    // What is known already is told at once to who comes later, and to who comes back.
    for known in [None, Some("5"), Some("3")] {
        let mut late = app.watch(&seat.path, known, None).await;
        assert_eq!(late.next_aside("outlook").await.data, json!({"version": 5, "stuck": true}));
    }
}

#[tokio::test]
async fn a_session_is_the_same_whether_its_outlook_is_known_or_not() {
    let app = TestApp::start().await;
    let seat = app.plain("topsy-turvy-queens").await;
    let mut stream = app.watch(&seat.path, None, None).await;
    app.unmoved(&seat, stream.next_aside("outlook")).await;
    app.unmoved(&seat, outlook(&app, &seat)).await.expect(200);
    assert_eq!(app.history(&seat).await.len(), 1);
}

#[tokio::test]
async fn where_too_many_searches_wait_those_who_watch_are_told_everything_else() {
    let app = TestApp::limited(|limits| limits.host.solver_queue = 0).await;
    let seat = app.plain("napoleons-square").await;
    let mut stream = app.watch(&seat.path, None, None).await;
    stream.next().await.named("snapshot");
    // That is told after a second: an outlook would have come before.
    stream.next().await.named("presence");
    app.draw(&seat).await.expect(200);
    stream.next().await.named("change");
    // What needs no search is told.
    app.resign(&seat).await.expect(200);
    stream.next().await.named("change");
    stream.next().await.named("outlook");
}

#[tokio::test]
async fn in_a_race_there_are_no_hints_but_everyone_is_told_when_he_is_stuck() {
    let app = TestApp::start().await;
    let host = app.race(json!({"game": "napoleons-square", "seats": 2})).await;
    let guest = app.join(&host).await;
    app.start_race(&host).await.expect(200);
    let (own, other) = (app.lane(&host).await, app.lane(&guest).await);
    let hint = async |token: &str| app.ask(Ask::get(&own.at("/hint")).token(token)).await;
    assert_eq!(hint(&own.token).await.refused(409, "race_running").version(), 1);
    hint(&other.token).await.refused(404, "no_such_session");
    app.ask(Ask::get(&own.at("/outlook")).token(&other.token)).await.refused(404, "no_such_session");
    assert_eq!(is_stuck(&app, &own).await, false);
    let mut stream = app.watch_as(&own.path, &own.token).await;
    assert_eq!(stream.next_aside("outlook").await.data, json!({"version": 1, "stuck": false}));

    app.resign(&own).await.expect(200);
    hint(&own.token).await.refused(409, "race_running");
    assert_eq!(is_stuck(&app, &own).await, true);
    app.clock.advance(Duration::from_secs(3_600));
    assert_eq!(app.session(&host).await["status"], "over");
    hint(&other.token).await.refused(409, "session_over");
}
