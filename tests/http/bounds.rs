//! How many connections and requests there may be, and how many of them from one player or place.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::raw::{Raw, head};

fn draw(seat: &Seat) -> Ask {
    Ask::post(&seat.at("/moves")).token(&seat.token).json(&json!({"type": "draw"}))
}

fn wish() -> Ask {
    Ask::post("/v1/sessions").json(&json!({"game": "napoleons-square"}))
}

fn retry_after(answer: &Answer) -> u64 {
    let seconds = answer.json()["retry_after"].as_u64().unwrap();
    assert_eq!(answer.header("retry-after"), Some(&*seconds.to_string()));
    seconds
}

#[tokio::test]
async fn a_player_may_make_ten_seconds_worth_of_changes_at_once_and_then_so_many_a_second() {
    let app = TestApp::limited(|limits| limits.http.changes_per_second = 2).await;
    let (seat, other) = (app.plain("napoleons-square").await, app.plain("napoleons-square").await);
    for _ in 0..20 {
        app.ask(draw(&seat)).await.expect(200);
    }
    let refused = app.unmoved(&seat, app.ask(draw(&seat))).await.refused(429, "rate_limited");
    assert_eq!(retry_after(&refused), 1);
    app.undo(&seat).await.refused(429, "rate_limited");
    app.show(&seat).await.expect(200);
    app.ask(draw(&other)).await.expect(200);

    app.clock.advance(Duration::from_secs(1));
    app.ask(draw(&seat)).await.expect(200);
    app.ask(draw(&seat)).await.expect(200);
    app.ask(draw(&seat)).await.refused(429, "rate_limited");
    app.clock.turn_back(3_600_000);
    app.clock.advance(Duration::from_millis(500));
    app.ask(draw(&seat)).await.expect(200);
}

#[tokio::test]
async fn who_is_no_player_is_not_counted_as_one() {
    let app = TestApp::limited(|limits| limits.http.changes_per_second = 1).await;
    let (seat, other) = (app.plain("napoleons-square").await, app.plain("napoleons-square").await);
    for _ in 0..20 {
        let ask = Ask::post(&seat.at("/moves")).token(&other.token).json(&json!({"type": "draw"}));
        app.ask(ask).await.refused(403, "not_a_player");
    }
    app.ask(draw(&seat)).await.expect(200);
    assert_eq!(app.app.remembered(), 1, "the player");
}

#[tokio::test]
async fn sessions_are_counted_by_where_they_are_made_from_and_apart_from_changes() {
    let app = TestApp::limited(|limits| {
        limits.http.creations_per_second = 1;
        limits.http.trusted_proxies = 1;
    })
    .await;
    let from = |address: &str| wish().header("x-forwarded-for", &format!("203.0.113.9, {address}"));
    let mut seat = None;
    for _ in 0..10 {
        seat = Some(Seat::of(&app.ask(from("2001:db8:0:1::1")).await.expect(201).json()));
    }
    let refused = app.ask(from("2001:db8:0:1:ffff::2")).await.refused(429, "rate_limited");
    assert_eq!(retry_after(&refused), 1);
    app.ask(from("2001:db8:0:2::1")).await.expect(201);
    app.ask(from("192.0.2.1")).await.expect(201);
    app.ask(draw(&seat.unwrap())).await.expect(200);
    app.get("/v1/games").await.expect(200);
    app.clock.advance(Duration::from_secs(1));
    app.ask(from("2001:db8:0:1::1")).await.expect(201);
    app.ask(from("2001:db8:0:1::1")).await.refused(429, "rate_limited");
}

#[tokio::test]
async fn what_is_counted_is_forgotten_when_it_does_not_count_any_more() {
    let app = TestApp::limited(|limits| {
        limits.http.creations_per_second = 1;
        limits.http.changes_per_second = 1;
        limits.http.trusted_proxies = 1;
    })
    .await;
    for number in 0..50 {
        let answer = app.ask(wish().header("x-forwarded-for", &format!("192.0.2.{number}"))).await.expect(201);
        app.ask(draw(&Seat::of(&answer.json()))).await.expect(200);
    }
    app.app.forget_idle();
    assert_eq!(app.app.remembered(), 100);
    app.clock.advance(Duration::from_secs(10));
    app.app.forget_idle();
    assert_eq!(app.app.remembered(), 0);
}

#[tokio::test]
async fn without_limits_nothing_is_counted() {
    let app = TestApp::start().await;
    for _ in 0..300 {
        app.ask(wish()).await.expect(201);
    }
    assert_eq!(app.app.remembered(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_the_bound_requests_are_turned_away_but_not_those_who_ask_how_the_server_is() {
    let app = Arc::new(TestApp::limited(|limits| limits.http.requests = 3).await);
    let seat = app.plain("napoleons-square").await;
    app.store.hold_up();
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let (app, ask) = (app.clone(), wish());
            tokio::spawn(async move { app.ask(ask).await })
        })
        .collect();
    app.store.somebody_waits(3).await;
    for ask in [draw(&seat), Ask::get(&seat.path), Ask::get("/v1/games"), wish()] {
        assert_eq!(retry_after(&app.ask(ask).await.refused(503, "busy")), 1);
    }
    for path in ["/healthz", "/readyz"] {
        app.get(path).await.expect(200);
    }
    app.store.let_go();
    for made in waiting {
        made.await.unwrap().expect(201);
    }
    app.ask(draw(&seat)).await.expect(200);
}

#[tokio::test]
async fn beyond_the_bound_connections_are_told_so_and_closed() {
    let app = TestApp::limited(|limits| {
        limits.http.connections = 2;
        limits.http.origins = vec![axum::http::HeaderValue::from_static("https://play.example.org")];
    })
    .await;
    let mut inside = Vec::new();
    for _ in 0..2 {
        let mut raw = Raw::connect(app.address).await;
        raw.send(head("GET", "/healthz", &[])).await;
        app.answer(&mut raw, "GET", "/healthz").await.expect(200);
        inside.push(raw);
    }
    let mut outside = Raw::connect(app.address).await;
    outside.send(head("GET", "/v1/games", &[])).await;
    let refused = app.answer(&mut outside, "GET", "/v1/games").await.refused(503, "busy");
    assert_eq!(refused.header("connection"), Some("close"));
    outside.is_closed().await;

    app.raw("GET", "/healthz", &[], b"").await.expect(200);
    let origin = [("origin", "https://play.example.org")];
    let refused = app.raw("GET", "/v1/games", &origin, b"").await.refused(503, "busy");
    assert_eq!(refused.header("access-control-allow-origin"), Some(origin[0].1));
    // Whoever is outside and says nothing is soon sent away, so that there is room for those who ask.
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(Raw::connect(app.address).await);
    }
    for mut raw in silent {
        raw.is_closed().await;
    }
    app.raw("GET", "/healthz", &[], b"").await.expect(200);

    let mut first = inside.remove(0);
    first.finish();
    first.is_closed().await;
    // The place is given back when the server has noticed.
    let mut answer = refused;
    while answer.status == 503 {
        answer = app.raw("GET", "/v1/games", &[], b"").await;
    }
    answer.expect(200);
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answers_is_cut_off() {
    let app = TestApp::limited(|limits| limits.http.write_timeout = Duration::from_millis(200)).await;
    let mut raw = Raw::connect(app.address).await;
    // More than the buffers of both ends hold: asked for until the server stops reading, and then closes.
    let many = head("GET", "/v1/games", &[]).repeat(1_000);
    let mut sent = 0;
    while raw.send(&many).await {
        sent += 1;
        assert!(sent < 1_000, "it goes on answering");
    }
}
