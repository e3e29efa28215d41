//! `"winnable": true`: deals that the server has found a way to win, each for one session or race only.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::solution::{solution, wins};

const GAMES: [&str; 3] = ["captive-queens", "napoleons-square", "topsy-turvy-queens"];
const KEY: &str = "idempotency-key";
const UNGUESSABLE: &str = "0123456789abcdefghijkl";

/// How often something is asked for that is not ready yet. The server lets each wait for a second.
const PATIENCE: usize = 300;

/// Asks until the answer is not that there is no deal yet.
async fn patiently(app: &TestApp, ask: Ask) -> Answer {
    for _ in 0..PATIENCE {
        let answer = app.ask(ask.clone()).await;
        if answer.status != 503 {
            return answer;
        }
        answer.refused(503, "no_deal_ready");
    }
    panic!("no deal was found: {ask}");
}

async fn winnable(app: &TestApp, mut wish: Value) -> Seat {
    wish["winnable"] = json!(true);
    Seat::of(&patiently(app, Ask::post("/v1/sessions").json(&wish)).await.expect(201).json())
}

/// Waits until so many deals of each game are ready.
async fn are_ready(app: &TestApp, many: usize) {
    for _ in 0..60_000 {
        if GAMES.iter().all(|game| app.host.deals_ready(game) == many) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("{:?} are ready", GAMES.map(|game| app.host.deals_ready(game)));
}

#[tokio::test]
async fn a_winnable_deal_is_pinned_like_any_other_of_the_servers_and_can_be_won() {
    let app = TestApp::start().await;
    for game in GAMES {
        let seat = winnable(&app, json!({"game": game})).await;
        let deal = &seat.first["deal"];
        assert_eq!((&deal["source"], &deal["seed"]), (&json!("winnable"), &Value::Null), "{game}");
        let revealed = app.resign(&seat).await.expect(200).json()["deal"].clone();
        let seed = revealed["seed"].as_str().unwrap();
        assert_eq!(deal["commitment"], hex::encode(Sha256::digest(seed)), "{game}");
        let is_drawn = seed.len() == 32 && seed.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
        assert!(is_drawn, "32 lower-case hex digits: {seed}");
        let found = solution(&app, &seat).await;
        assert_eq!(found["verdict"], "won", "{game} {seed}");
        let again = app.create(json!({"game": game, "seed": seed})).await;
        assert!(wins(&app, &again, &found).await, "{game} {seed}");
    }
}

#[tokio::test]
async fn no_two_get_the_same_deal() {
    let app = TestApp::start().await;
    let mut commitments = HashSet::new();
    for _ in 0..20 {
        let seat = winnable(&app, json!({"game": "captive-queens"})).await;
        assert!(commitments.insert(seat.first["deal"]["commitment"].to_string()));
    }
    let wish = Ask::post("/v1/sessions").json(&json!({"game": "captive-queens", "winnable": true}));
    let at_once = futures_util::future::join_all((0..20).map(|_| patiently(&app, wish.clone()))).await;
    for answer in at_once {
        assert!(commitments.insert(answer.expect(201).json()["session"]["deal"]["commitment"].to_string()));
    }
}

#[tokio::test]
async fn deals_of_every_game_are_prepared_ahead_and_made_up_for() {
    let app = TestApp::limited(|limits| limits.host.winnable_deals = 3).await;
    app.host.prepare_deals();
    are_ready(&app, 3).await;
    for game in GAMES {
        let wish = json!({"game": game, "winnable": true});
        app.wish(&wish).await.expect(201);
    }
    are_ready(&app, 3).await;
}

#[tokio::test]
async fn a_deal_is_the_servers_choice_or_the_clients() {
    let app = TestApp::start().await;
    let deck = crate::to_the_end::winning_napoleon();
    for (name, value) in [("seed", json!("garden")), ("deck", json!(deck)), ("pysolfc", json!("1"))] {
        let mut wish = json!({"game": "napoleons-square", "winnable": true});
        wish[name] = value;
        assert_eq!(app.wish(&wish).await.refused(422, "invalid_request").field(), "winnable", "{name}");
        wish["winnable"] = json!(false);
        assert_eq!(app.create(wish).await.first["deal"]["source"], name);
    }
    for value in [json!(null), json!("yes"), json!(1)] {
        app.wish(&json!({"game": "napoleons-square", "winnable": value})).await.refused(400, "malformed_request");
        let race = json!({"game": "napoleons-square", "seats": 2, "winnable": value});
        app.ask(Ask::post("/v1/races").json(&race)).await.refused(400, "malformed_request");
    }
}

#[tokio::test]
async fn where_hardly_a_deal_can_be_won_that_is_said_and_not_tried_for_ever() {
    let app = TestApp::start().await;
    let hopeless = json!({"game": "captive-queens", "options": {"redeals": 0}, "winnable": true});
    let refused = patiently(&app, Ask::post("/v1/sessions").json(&hopeless)).await.refused(422, "no_winnable_deal");
    assert_eq!(refused.field(), "winnable");
    app.clock.advance(Duration::from_secs(599));
    app.wish(&hopeless).await.refused(422, "no_winnable_deal");
    let race = json!({"game": "captive-queens", "options": {"redeals": 0}, "seats": 2, "winnable": true});
    app.ask(Ask::post("/v1/races").json(&race)).await.refused(422, "no_winnable_deal");
    winnable(&app, json!({"game": "captive-queens"})).await;
}

#[tokio::test]
async fn while_no_deal_is_ready_one_is_told_to_try_again() {
    let app = TestApp::limited(|limits| limits.host.solver_threads = 0).await;
    let wish = json!({"game": "captive-queens", "winnable": true});
    app.wish(&wish).await.refused(503, "no_deal_ready");
}

#[tokio::test]
async fn who_waits_for_a_deal_that_nobody_can_search_for_any_more_is_told_to_try_again() {
    let app = TestApp::start().await;
    app.host.close().await;
    let wish = json!({"game": "captive-queens", "winnable": true});
    app.wish(&wish).await.refused(503, "no_deal_ready");
}

#[tokio::test]
async fn a_repeated_request_is_answered_as_it_was_and_takes_no_other_deal() {
    let app = TestApp::limited(|limits| limits.host.winnable_deals = 3).await;
    app.host.prepare_deals();
    are_ready(&app, 3).await;
    app.host.close().await;
    let wish = json!({"game": "captive-queens", "winnable": true});
    let ask = Ask::post("/v1/sessions").json(&wish).header(KEY, UNGUESSABLE);
    let made = app.ask(ask.clone()).await.expect(201);
    assert_eq!(app.host.deals_ready("captive-queens"), 2);
    assert_eq!(app.ask(ask).await.expect(201).json(), made.json());
    let other = json!({"game": "captive-queens", "winnable": true, "name": "Ada"});
    app.ask(Ask::post("/v1/sessions").json(&other).header(KEY, UNGUESSABLE))
        .await
        .refused(422, "idempotency_key_reused");
    assert_eq!(app.host.deals_ready("captive-queens"), 2);
}

#[tokio::test]
async fn a_race_with_a_winnable_deal_deals_it_to_all() {
    let app = TestApp::start().await;
    let wish = json!({"game": "captive-queens", "seats": 2, "winnable": true});
    let host = Seat::of(&patiently(&app, Ask::post("/v1/races").json(&wish)).await.expect(201).json());
    let deal = host.first["deal"].clone();
    assert_eq!((&deal["source"], &deal["seed"]), (&json!("winnable"), &Value::Null));
    let rival = app.join(&host).await;
    assert_eq!(app.start_race(&host).await.expect(200).json()["deal"], deal);
    let lanes = [app.lane(&host).await, app.lane(&rival).await];
    assert_eq!(lanes.each_ref().map(|lane| &lane.first["deal"]), [&deal; 2]);
    for lane in &lanes {
        app.resign(lane).await.expect(200);
    }
    let revealed = app.session(&host).await["deal"].clone();
    assert_eq!(deal["commitment"], hex::encode(Sha256::digest(revealed["seed"].as_str().unwrap())));
    let found = solution(&app, &lanes[1]).await;
    assert_eq!(found["verdict"], "won");
    let again = app.create(json!({"game": "captive-queens", "seed": revealed["seed"]})).await;
    assert!(wins(&app, &again, &found).await);
}
