//! `…/solution`: how the deal of a session that is over could have been won.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::to_the_end::{LOSING, WINNING, play_simply, winning_napoleon};

/// The solution of a session that is over, as soon as it is known.
pub(crate) async fn solution(app: &TestApp, seat: &Seat) -> Value {
    let ask = Ask::get(&seat.at("/solution")).token(&seat.token);
    for _ in 0..60_000 {
        let answer = app.ask(ask.clone()).await;
        if answer.status != 202 {
            return answer.expect(200).json();
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("nothing was found: {ask}");
}

/// Whether a solution wins when it is played.
pub(crate) async fn wins(app: &TestApp, seat: &Seat, solution: &Value) -> bool {
    let mut status = Value::Null;
    for each in solution["moves"].as_array().unwrap() {
        status = app.play(seat, each).await.expect(200).json()["status"].clone();
    }
    status == "won"
}

#[tokio::test]
async fn a_solution_is_looked_for_when_it_is_asked_for_and_then_known_to_all() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": WINNING})).await;
    app.resign(&seat).await.expect(200);
    let sought = app.get(&seat.at("/solution")).await.expect(202);
    assert_eq!(sought.json(), json!({"verdict": null, "moves": []}));
    assert_eq!(sought.header("retry-after"), Some("1"));
    let found = solution(&app, &seat).await;
    assert_eq!(found["verdict"], "won");
    assert_eq!(app.get(&seat.at("/solution")).await.expect(200).json(), found);
    let again = app.create(json!({"game": "captive-queens", "seed": WINNING})).await;
    assert!(wins(&app, &again, &found).await);
    assert_eq!(app.get(&again.at("/solution")).await.expect(200).json(), found, "the deal is the same");
}

#[tokio::test]
async fn that_no_moves_win_is_said_too_and_a_deck_has_a_solution_like_a_seed() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": LOSING, "undo": false})).await;
    play_simply(&app, &seat).await;
    assert_eq!(solution(&app, &seat).await, json!({"verdict": "unwinnable", "moves": []}));
    let wish = json!({"game": "napoleons-square", "deck": winning_napoleon()});
    let seat = app.create(wish.clone()).await;
    app.resign(&seat).await.expect(200);
    let found = solution(&app, &seat).await;
    assert!(wins(&app, &app.create(wish).await, &found).await);
}

#[tokio::test]
async fn there_is_none_before_the_session_is_over_for_good() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": LOSING})).await;
    let path = seat.at("/solution");
    assert_eq!(app.get(&path).await.refused(409, "session_not_over").version(), 1);
    assert_eq!(play_simply(&app, &seat).await["status"], "lost");
    app.get(&path).await.refused(409, "session_not_over");
    app.resign(&seat).await.expect(200);
    assert_eq!(solution(&app, &seat).await["verdict"], "unwinnable");
}

#[tokio::test]
async fn in_a_race_there_is_none_before_the_race_is_over() {
    let app = TestApp::start().await;
    let host = app.race(json!({"game": "captive-queens", "seats": 2})).await;
    let rival = app.join(&host).await;
    app.start_race(&host).await.expect(200);
    let lanes = [app.lane(&host).await, app.lane(&rival).await];
    let path = lanes[0].at("/solution");
    let own = Ask::get(&path).token(&host.token);
    app.ask(own.clone()).await.refused(409, "race_running");
    app.resign(&lanes[0]).await.expect(200);
    app.ask(own).await.refused(409, "race_running");
    app.get(&path).await.refused(404, "no_such_session");
    app.ask(Ask::get(&path).token(&rival.token)).await.refused(404, "no_such_session");
    app.clock.advance(Duration::from_secs(3_600));
    let found = solution(&app, &lanes[0]).await;
    assert_eq!(app.get(&lanes[1].at("/solution")).await.expect(200).json(), found, "the deal is the same");
}

#[tokio::test]
async fn who_may_not_see_a_session_is_not_told_how_it_could_have_been_won() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": WINNING, "visibility": "private"})).await;
    app.resign(&seat).await.expect(200);
    app.get(&seat.at("/solution")).await.refused(404, "no_such_session");
    assert_eq!(solution(&app, &seat).await["verdict"], "won");
    app.get(&seat.at("/solution")).await.refused(404, "no_such_session");
    let asked = Ask::get(&seat.at("/solution?version=1")).token(&seat.token);
    app.ask(asked).await.refused(400, "malformed_request");
}

#[tokio::test]
async fn where_as_many_searches_wait_as_may_one_is_told_to_try_again() {
    let app = TestApp::limited(|limits| limits.host.solver_threads = 0).await;
    let seat = app.create(json!({"game": "captive-queens", "seed": WINNING})).await;
    app.resign(&seat).await.expect(200);
    app.get(&seat.at("/solution")).await.refused(503, "busy");
}
