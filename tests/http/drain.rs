//! The end of a server: what has begun is finished, and nothing new is begun.

use std::sync::Arc;
use std::time::{Duration, Instant};

use patience::http::Stop;
use serde_json::json;
use tokio::net::TcpStream;

use crate::app::{Seat, TestApp};
use crate::client::Answer;
use crate::raw::{Raw, head};

const BODY: &str = r#"{"type": "draw"}"#;

fn drawing(seat: &Seat) -> String {
    let authorization = format!("Bearer {}", seat.token);
    let length = BODY.len().to_string();
    let headers =
        [("authorization", &*authorization), ("content-type", "application/json"), ("content-length", &length)];
    head("POST", &seat.at("/moves"), &headers)
}

/// A session whose first draw waits for the store, and the connection that has asked for it.
async fn a_draw_held_up(app: &TestApp) -> (Seat, Raw) {
    let seat = app.plain("napoleons-square").await;
    app.store.hold_up();
    let mut raw = Raw::connect(app.address).await;
    raw.send(drawing(&seat) + BODY).await;
    app.store.somebody_waits(1).await;
    (seat, raw)
}

/// Waits until nobody is let in any more.
async fn lets_nobody_in(app: &TestApp) {
    while TcpStream::connect(app.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_request_whose_body_is_half_sent_is_finished() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let mut raw = Raw::connect(app.address).await;
    raw.send(drawing(&seat)).await;
    raw.send(&BODY[..5]).await;
    // So that the server has begun with it: it takes its requests as they come.
    app.get("/healthz").await.expect(200);

    let stopped = app.stop();
    lets_nobody_in(&app).await;
    assert!(!stopped.is_finished());
    raw.send(&BODY[5..]).await;
    let answer = app.answer(&mut raw, "POST", &seat.at("/moves")).await.expect(200);
    assert_eq!(answer.version(), 2);
    raw.is_closed().await;
    stopped.await.unwrap();
}

#[tokio::test]
async fn a_change_that_waits_for_the_store_is_finished() {
    let app = Arc::new(TestApp::start().await);
    let (seat, mut raw) = a_draw_held_up(&app).await;
    let stopped = app.stop();
    lets_nobody_in(&app).await;
    app.store.let_go();
    assert_eq!(app.answer(&mut raw, "POST", &seat.at("/moves")).await.expect(200).version(), 2);
    stopped.await.unwrap();
}

#[tokio::test]
async fn a_connection_that_waits_for_its_next_request_holds_nothing_up() {
    let app = TestApp::start().await;
    let mut idle = Raw::connect(app.address).await;
    idle.send(head("GET", "/healthz", &[])).await;
    app.answer(&mut idle, "GET", "/healthz").await.expect(200);
    app.get("/readyz").await.expect(200);
    let started = Instant::now();
    app.stop().await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(10), "it waited for an idle connection");
    idle.is_closed().await;
}

/// On a busy machine one may take longer; not all of them.
#[tokio::test]
async fn who_has_left_is_not_waited_for() {
    let mut took = Vec::new();
    for _ in 0..5 {
        let app = TestApp::start().await;
        let mut raw = Raw::connect(app.address).await;
        raw.send(head("GET", "/healthz", &[])).await;
        app.answer(&mut raw, "GET", "/healthz").await.expect(200);
        let stopped = app.stop();
        lets_nobody_in(&app).await;
        assert!(!stopped.is_finished(), "it may ask again");
        let began = Instant::now();
        drop(raw);
        stopped.await.unwrap();
        took.push(began.elapsed());
    }
    assert!(took.iter().any(|took| took.as_millis() < 100), "{took:?}");
}

#[tokio::test]
async fn a_request_that_is_never_finished_is_cut_when_time_is_up() {
    let app = TestApp::limited(|limits| limits.http.drain_timeout = Duration::from_millis(100)).await;
    let seat = app.plain("napoleons-square").await;
    let mut raw = Raw::connect(app.address).await;
    raw.send(drawing(&seat)).await;
    raw.send(&BODY[..5]).await;
    app.get("/healthz").await.expect(200);
    let started = Instant::now();
    app.stop().await.unwrap();
    let took = started.elapsed();
    assert!((Duration::from_millis(100)..Duration::from_secs(8)).contains(&took), "{took:?}");
}

#[tokio::test]
async fn a_server_that_stops_says_so_to_who_is_still_connected() {
    let app = TestApp::start().await;
    let (seat, mut raw) = a_draw_held_up(&app).await;
    let stopped = app.stop();
    lets_nobody_in(&app).await;
    app.store.let_go();
    let answer = app.answer(&mut raw, "POST", &seat.at("/moves")).await.expect(200);
    assert_eq!(answer.header("connection"), Some("close"), "no next request is to come");
    assert_eq!(answer.json()["moves"], json!(1));
    stopped.await.unwrap();
}

#[tokio::test]
async fn who_stands_in_line_and_who_asks_just_then_is_answered() {
    let app = TestApp::start().await;
    let path = "/v1/games";
    let mut clients = Vec::new();
    for _ in 0..50 {
        let mut known = Raw::connect(app.address).await;
        known.send(head("GET", path, &[])).await;
        app.answer(&mut known, "GET", path).await.expect(200);
        clients.push(known);
    }
    clients.extend((0..50).map(|_| Raw::connect_at_once(app.address)));
    let stopped = app.stop();
    for client in &mut clients {
        assert!(client.send(head("GET", path, &[])).await);
    }
    for client in &mut clients {
        let answer = app.answer(client, "GET", path).await.expect(200);
        assert_eq!(answer.header("connection"), Some("close"));
    }
    stopped.await.unwrap();
}

/// Longer than any test takes: it only ends when it is cut short.
const FOR_EVER: Duration = Duration::from_secs(3_600);

async fn slow_to_close() -> TestApp {
    TestApp::limited(|limits| limits.http.drain_delay = FOR_EVER).await
}

/// Waits until the server says that it stops.
async fn is_draining(app: &TestApp) -> Answer {
    loop {
        let answer = app.get("/readyz").await;
        if answer.status != 200 {
            return answer;
        }
    }
}

#[tokio::test]
async fn who_has_not_noticed_yet_is_served_for_the_drain_delay() {
    let app = slow_to_close().await;
    let mut early = Raw::connect(app.address).await;
    let stopped = app.stop();
    is_draining(&app).await.refused(503, "shutting_down");
    app.get("/healthz").await.expect(200);

    let seat = app.plain("napoleons-square").await;
    let mut late = Raw::connect(app.address).await;
    for raw in [&mut early, &mut late] {
        raw.send(drawing(&seat) + BODY).await;
        let answer = app.answer(raw, "POST", &seat.at("/moves")).await.expect(200);
        assert_eq!(answer.header("connection"), Some("close"), "its client is to look for another server");
        raw.is_closed().await;
    }
    assert!(!stopped.is_finished());
}

#[tokio::test]
async fn the_door_is_closed_after_the_drain_delay() {
    let delay = Duration::from_millis(200);
    let app = TestApp::limited(|limits| limits.http.drain_delay = delay).await;
    let started = Instant::now();
    let stopped = app.stop();
    lets_nobody_in(&app).await;
    assert!(started.elapsed() >= delay);
    stopped.await.unwrap();
}

#[tokio::test]
async fn who_stops_it_at_a_terminal_waits_for_no_drain_delay() {
    let app = slow_to_close().await;
    let (seat, mut raw) = a_draw_held_up(&app).await;
    let stopped = app.told(Stop::Prompt);
    lets_nobody_in(&app).await;
    app.store.let_go();
    app.answer(&mut raw, "POST", &seat.at("/moves")).await.expect(200);
    stopped.await.unwrap();
}

#[tokio::test]
async fn told_a_second_time_it_ends_at_once() {
    for second in [Stop::Announced, Stop::Prompt] {
        let app = slow_to_close().await;
        let stopped = app.stop();
        is_draining(&app).await;
        app.tell(second);
        stopped.await.unwrap();
        assert!(TcpStream::connect(app.address).await.is_err(), "{second:?}");
    }
}

#[tokio::test]
async fn told_a_second_time_it_waits_for_no_request_in_flight() {
    let app = TestApp::limited(|limits| limits.http.drain_timeout = FOR_EVER).await;
    let _held_up = a_draw_held_up(&app).await;
    let stopped = app.stop();
    lets_nobody_in(&app).await;
    assert!(!stopped.is_finished());
    app.tell(Stop::Announced);
    stopped.await.unwrap();
}
