//! What browsers ask and are told: OPTIONS, other sites, and smaller answers.

use serde_json::json;

use crate::app::TestApp;
use crate::client::{Answer, Ask};

const HERE: &str = "https://play.example.org";
const ELSEWHERE: &str = "https://elsewhere.example";

async fn open_to(origins: &[&'static str]) -> TestApp {
    TestApp::limited(|limits| {
        limits.http.origins = origins.iter().map(|origin| axum::http::HeaderValue::from_static(origin)).collect();
    })
    .await
}

fn preflight(path: &str, origin: &str) -> Ask {
    let ask = Ask::new("OPTIONS", path).header("origin", origin);
    ask.header("access-control-request-method", "POST").header("access-control-request-headers", "authorization")
}

fn words(answer: &Answer, name: &str) -> Vec<String> {
    answer.header(name).unwrap_or_default().split(',').map(|word| word.trim().to_ascii_lowercase()).collect()
}

#[tokio::test]
async fn options_tells_the_methods_of_a_path_whether_other_sites_are_let_in_or_not() {
    for app in [TestApp::start().await, open_to(&[HERE]).await] {
        let session = "/v1/sessions/00000000-0000-4000-8000-000000000000";
        for (path, allow) in [
            ("/v1/games", "GET,HEAD,OPTIONS"),
            ("/v1/sessions", "POST,GET,HEAD,OPTIONS"),
            (session, "GET,HEAD,DELETE,OPTIONS"),
            (&format!("{session}/moves"), "POST,OPTIONS"),
            ("/healthz", "GET,HEAD,OPTIONS"),
        ] {
            let answer = app.ask(Ask::new("OPTIONS", path)).await.expect(204);
            assert_eq!(answer.header("allow"), Some(allow), "{path}");
            let refused = app.ask(Ask::new("PATCH", path)).await.refused(405, "method_not_allowed");
            assert_eq!(refused.header("allow"), Some(allow), "{path}");
        }
        app.ask(Ask::new("OPTIONS", "/v1/nothing")).await.refused(404, "no_such_path");
        let no_preflight = Ask::new("OPTIONS", "/v1/games").header("origin", HERE);
        assert_eq!(app.ask(no_preflight).await.expect(204).header("allow"), Some("GET,HEAD,OPTIONS"));
    }
}

#[tokio::test]
async fn unless_it_is_told_so_the_server_lets_no_other_site_in() {
    let app = TestApp::start().await;
    for ask in [preflight("/v1/sessions", HERE), Ask::get("/v1/games").header("origin", HERE)] {
        let answer = app.ask(ask).await;
        let told = answer.headers.keys().filter(|name| name.as_str().starts_with("access-control-"));
        assert_eq!(told.count(), 0);
    }
}

#[tokio::test]
async fn a_site_of_an_allowed_origin_may_ask_for_everything() {
    let app = open_to(&["http://localhost:3000", HERE]).await;
    let answer = app.client_of_its_own().execute(preflight("/v1/sessions", HERE).request(app.address)).await.unwrap();
    assert!(answer.status().is_success());
    let answer = Answer {
        asked: "a preflight".into(),
        status: answer.status().as_u16(),
        headers: answer.headers().clone(),
        body: Vec::new(),
    };
    assert_eq!(answer.header("access-control-allow-origin"), Some(HERE));
    assert_eq!(words(&answer, "access-control-allow-methods"), ["get", "head", "post", "delete"]);
    for name in ["authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "last-event-id"] {
        assert!(words(&answer, "access-control-allow-headers").contains(&name.to_string()), "{name}");
    }
    assert!(answer.header("access-control-max-age").is_some());
    assert_eq!(answer.header("access-control-allow-credentials"), None, "tokens are no cookies");
}

#[tokio::test]
async fn answers_and_errors_may_be_read_by_a_site_of_an_allowed_origin_and_by_no_other() {
    let app = open_to(&[HERE]).await;
    let seat = app.plain("captive-queens").await;
    let asks = [
        (Ask::get("/v1/games"), 200),
        (Ask::get(&seat.path), 200),
        (Ask::get(&seat.path).if_none_match("\"1\""), 304),
        (Ask::post("/v1/sessions").json(&json!({"game": "captive-queens"})), 201),
        (Ask::post("/v1/sessions").json(&json!({"game": "chess"})), 422),
        (Ask::get("/v1/nothing"), 404),
        (Ask::new("PUT", "/v1/games"), 405),
        (Ask::post(&seat.at("/moves")).json(&json!({"type": "draw"})), 401),
    ];
    for (ask, status) in asks {
        for (origin, allowed) in [(HERE, Some(HERE)), (ELSEWHERE, None)] {
            let answer = app.ask(ask.clone().header("origin", origin)).await.expect(status);
            assert_eq!(answer.header("access-control-allow-origin"), allowed, "{ask}");
            let varies = answer.headers.get_all("vary").iter().any(|value| value == "origin");
            assert!(varies, "{ask}: caches must tell sites apart");
            for name in ["etag", "location", "retry-after", "content-location", "allow", "x-request-id"] {
                assert!(words(&answer, "access-control-expose-headers").contains(&name.to_string()), "{name}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_the_same_for_everyone_is_compressed_and_nothing_else_is() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    for (path, is_compressed) in [
        ("/v1/games", true),
        ("/v1/games/captive-queens", true),
        ("/problems/illegal_move", true),
        (&*seat.path, false),
        (&*seat.at("/history"), false),
        ("/v1/nothing", false),
    ] {
        let ask = Ask::get(path).header("accept-encoding", "gzip").request(app.address);
        let answer = app.client_of_its_own().execute(ask).await.unwrap();
        let encoding = answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_string());
        assert_eq!(encoding.as_deref(), is_compressed.then_some("gzip"), "{path}");
        let varies = answer.headers().get_all("vary").iter().any(|value| value == "accept-encoding");
        assert_eq!(varies, is_compressed, "{path}");
    }
    let wish = Ask::post("/v1/sessions").json(&json!({"game": "napoleons-square"})).header("accept-encoding", "gzip");
    assert_eq!(app.ask(wish).await.expect(201).header("content-encoding"), None);
}
