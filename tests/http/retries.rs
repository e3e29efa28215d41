//! `Idempotency-Key`: a request that is sent again is answered as it was, and does nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::raw::{Raw, head};

const KEY: &str = "idempotency-key";

/// As short as the key to a new session can be.
const UNGUESSABLE: &str = "0123456789abcdefghijkl";

fn draw(seat: &Seat) -> Ask {
    Ask::post(&seat.at("/moves")).token(&seat.token).json(&json!({"type": "draw"}))
}

fn step(seat: &Seat, what: &str) -> Ask {
    Ask::post(&seat.at(what)).token(&seat.token)
}

fn wish(body: &Value) -> Ask {
    Ask::post("/v1/sessions").json(body)
}

#[tokio::test]
async fn a_change_that_is_sent_again_is_answered_as_it_was_and_does_nothing() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "napoleons-square", "seats": 2})).await;
    let stages: [(Ask, u64); 4] =
        [(draw(&seat), 2), (step(&seat, "/undo"), 3), (step(&seat, "/redo"), 4), (step(&seat, "/resign"), 5)];
    let mut answers: Vec<(Ask, Answer)> = Vec::new();
    for (number, (ask, version)) in stages.into_iter().enumerate() {
        let ask = ask.header(KEY, &format!("key-{number}"));
        let answer = app.ask(ask.clone()).await.expect(200);
        assert_eq!(answer.version(), version);
        answers.push((ask, answer));
        for (ask, answer) in &answers {
            app.clock.advance(Duration::from_secs(1));
            let again = app.ask(ask.clone()).await;
            assert_eq!(again.without_its_id(), answer.without_its_id(), "{ask}");
        }
        assert_eq!(app.history(&seat).await.len() as u64, version, "the repeats did nothing");
    }
}

#[tokio::test]
async fn a_repeat_comes_before_if_match_and_the_state_and_after_the_token_and_the_body() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let other = app.plain("napoleons-square").await;
    let keyed = |ask: Ask| ask.header(KEY, "k");
    let first = app.ask(keyed(draw(&seat)).if_match("\"1\"")).await.expect(200);
    app.resign(&seat).await.expect(200);

    let again = app.ask(keyed(draw(&seat)).if_match("\"1\"")).await;
    assert_eq!(again.without_its_id(), first.without_its_id());
    let moves = seat.at("/moves");
    let body = json!({"type": "draw"});
    app.ask(keyed(Ask::post(&moves)).json(&body)).await.refused(401, "token_required");
    app.ask(keyed(Ask::post(&moves)).token("x").json(&body)).await.refused(401, "invalid_token");
    app.ask(keyed(Ask::post(&moves)).token(&other.token).json(&body)).await.refused(403, "not_a_player");
    app.ask(keyed(step(&seat, "/moves")).json(&json!({"type": "draw", "x": 1})))
        .await
        .refused(400, "malformed_request");
}

#[tokio::test]
async fn another_request_under_a_key_is_refused_and_does_nothing() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    app.ask(draw(&seat).header(KEY, "k")).await.expect(200);
    for ask in [
        step(&seat, "/moves").json(&json!({"type": "redeal"})),
        step(&seat, "/moves").json(&json!({"type": "move", "from": "waste", "to": "tableau-1"})),
        step(&seat, "/undo"),
        step(&seat, "/resign"),
    ] {
        let refused = app.unmoved(&seat, app.ask(ask.header(KEY, "k"))).await;
        assert_eq!(refused.refused(422, "idempotency_key_reused").version(), 2);
    }
}

#[tokio::test]
async fn keys_are_told_apart_by_case_and_belong_to_one_session() {
    let app = TestApp::start().await;
    let (one, other) = (app.plain("napoleons-square").await, app.plain("napoleons-square").await);
    for (seat, key, version) in [(&one, "k", 2), (&one, "K", 3), (&other, "k", 2), (&one, "k", 2)] {
        assert_eq!(app.ask(draw(seat).header(KEY, key)).await.expect(200).version(), version, "{key}");
    }
}

#[tokio::test]
async fn a_refusal_is_not_remembered() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let undo = step(&seat, "/undo").header(KEY, "k");
    app.ask(undo.clone()).await.refused(409, "nothing_to_undo");
    app.draw(&seat).await.expect(200);
    assert_eq!(app.ask(undo.clone()).await.expect(200).version(), 3);
    assert_eq!(app.ask(undo).await.expect(200).version(), 3);
    let stale = draw(&seat).if_match("\"1\"").header(KEY, "stale");
    app.ask(stale).await.refused(412, "stale_version");
    assert_eq!(app.ask(draw(&seat).header(KEY, "stale")).await.expect(200).version(), 4);
}

#[tokio::test]
async fn what_is_no_key_is_refused_wherever_a_key_may_stand() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let too_long = "k".repeat(65);
    let asks =
        [draw(&seat), step(&seat, "/undo"), Ask::delete(&seat.path).token(&seat.token), wish(&json!({"game": "x"}))];
    for key in ["", "two words", "tab\there", "é", &too_long] {
        for ask in &asks {
            let refused = app.unmoved(&seat, app.ask(ask.clone().header(KEY, key))).await;
            refused.refused(400, "invalid_idempotency_key");
        }
    }
    app.ask(draw(&seat).header(KEY, "a").header(KEY, "a")).await.refused(400, "invalid_idempotency_key");
    app.ask(draw(&seat).header(KEY, &"k".repeat(64))).await.expect(200);
}

#[tokio::test]
async fn a_session_is_made_once_under_a_key_and_its_secrets_are_given_again() {
    let app = TestApp::start().await;
    let body = json!({"game": "captive-queens", "visibility": "private"});
    let ask = wish(&body).header(KEY, UNGUESSABLE);
    let first = app.ask(ask.clone()).await.expect(201);
    let seat = Seat::of(&first.json());
    app.draw(&seat).await.expect(200);
    app.clock.advance(Duration::from_secs(5));
    let again = app.ask(ask).await.expect(201);
    assert_eq!(again.without_its_id(), first.without_its_id(), "as it was then, token and invite too");

    app.ask(wish(&json!({"game": "captive-queens"})).header(KEY, UNGUESSABLE))
        .await
        .refused(422, "idempotency_key_reused");
    let other = app.ask(wish(&body).header(KEY, "0123456789abcdefghijkm")).await.expect(201);
    let other = Seat::of(&other.json());
    assert!(other.id != seat.id && other.token != seat.token && other.invite != seat.invite);
    assert_ne!(seat.token, seat.invite.unwrap());
}

#[tokio::test]
async fn a_key_to_a_new_session_has_22_characters_or_more() {
    let app = TestApp::start().await;
    let ask = |key: &str| wish(&json!({"game": "captive-queens"})).header(KEY, key);
    app.ask(ask(&UNGUESSABLE[..21])).await.refused(400, "invalid_idempotency_key");
    app.ask(ask(UNGUESSABLE)).await.expect(201);
}

#[tokio::test]
async fn another_server_gives_other_tokens_under_the_same_key() {
    let (one, other) = (TestApp::start().await, TestApp::start().await);
    let ask = wish(&json!({"game": "captive-queens"})).header(KEY, UNGUESSABLE);
    let [one, other] = [one.ask(ask.clone()).await, other.ask(ask).await].map(|answer| Seat::of(&answer.json()));
    assert_eq!(one.id, other.id, "the id follows from the key");
    assert_ne!(one.token, other.token, "the token needs the salt in the log too");
}

#[tokio::test]
async fn a_deleted_session_is_gone_for_the_keys_that_were_used_there() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let draw = draw(&seat).header(KEY, "draw");
    app.ask(draw.clone()).await.expect(200);
    let delete = Ask::delete(&seat.path).token(&seat.token).header(KEY, "delete");
    app.ask(delete.clone()).await.expect(204);
    app.ask(delete).await.refused(404, "no_such_session");
    app.ask(draw).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn an_expired_session_leaves_its_key_free() {
    let app = TestApp::start().await;
    let ask = wish(&json!({"game": "napoleons-square"})).header(KEY, UNGUESSABLE);
    let first = Seat::of(&app.ask(ask.clone()).await.expect(201).json());
    app.clock.advance(Duration::from_secs(3_600));
    let second = Seat::of(&app.ask(ask).await.expect(201).json());
    assert_ne!(first.token, second.token);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_that_make_a_session_under_one_key_all_get_the_same() {
    let app = Arc::new(TestApp::start().await);
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let app = app.clone();
            let ask = wish(&json!({"game": "topsy-turvy-queens"})).header(KEY, UNGUESSABLE);
            tokio::spawn(async move { app.ask(ask).await.expect(201).without_its_id() })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
}

/// Changes that are legal in any order: fewer draws than there are cards in the stock, in some sessions.
const SESSIONS: usize = 20;
const DRAWS: usize = 50;
const CONNECTIONS: usize = 16;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_changes_sent_three_times_each_a_third_of_them_cut_off_are_made_once() {
    let app = Arc::new(TestApp::start().await);
    let mut seats = Vec::new();
    for _ in 0..SESSIONS {
        seats.push(app.plain("napoleons-square").await);
    }
    let seats = Arc::new(seats);
    let tasks: Vec<_> = (0..CONNECTIONS)
        .map(|connection| {
            let (app, seats) = (app.clone(), seats.clone());
            tokio::spawn(async move { send_some(&app, &seats, connection).await })
        })
        .collect();
    let mut answers: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for task in tasks {
        for (change, answer) in task.await.unwrap() {
            answers.entry(change).or_default().push(answer);
        }
    }
    let mut versions = vec![Vec::new(); SESSIONS];
    for change in 0..SESSIONS * DRAWS {
        let seat = &seats[change % SESSIONS];
        let last = app.ask(draw(seat).header(KEY, &format!("change-{change}"))).await.expect(200);
        assert!(answers[&change].iter().all(|answer| *answer == last.without_its_id()), "change {change}");
        versions[change % SESSIONS].push(last.version());
    }
    for (seat, mut versions) in seats.iter().zip(versions) {
        versions.sort_unstable();
        assert_eq!(versions, (2..DRAWS as u64 + 2).collect::<Vec<_>>(), "each change has an entry of its own");
        assert_eq!(app.history(seat).await.len(), DRAWS + 1);
    }
}

/// Sends every sixteenth of all that is to be sent; every third time the connection is cut before the
/// answer.
async fn send_some(app: &TestApp, seats: &[Seat], connection: usize) -> Vec<(usize, String)> {
    let mut answers = Vec::new();
    for sent in (connection..3 * SESSIONS * DRAWS).step_by(CONNECTIONS) {
        let (change, time) = (sent / 3, sent % 3);
        let seat = &seats[change % SESSIONS];
        let key = format!("change-{change}");
        if (change + time) % 3 == 0 {
            let mut raw = Raw::connect(app.address).await;
            let token = format!("Bearer {}", seat.token);
            let body = r#"{"type":"draw"}"#;
            let length = body.len().to_string();
            let headers = [
                ("authorization", &*token),
                ("content-type", "application/json"),
                ("content-length", &length),
                (KEY, &key),
            ];
            raw.send(head("POST", &seat.at("/moves"), &headers) + body).await;
        } else {
            answers.push((change, app.ask(draw(seat).header(KEY, &key)).await.expect(200).without_its_id()));
        }
    }
    answers
}
