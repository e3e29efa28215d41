//! The end of a server: what has begun is finished, and nothing new is begun.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::net::TcpStream;

use crate::app::{Seat, TestApp};
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
