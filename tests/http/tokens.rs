//! Who may: tokens, and how they are refused.

use serde_json::json;

use crate::app::TestApp;
use crate::client::Ask;

/// Every call that changes a session, with a body that would do.
fn changes(path: &str) -> Vec<Ask> {
    let post = |rest: &str| Ask::post(&format!("{path}{rest}"));
    let draw = json!({"type": "draw"});
    vec![post("/moves").json(&draw), post("/undo"), post("/redo"), post("/resign"), Ask::delete(path)]
}

#[tokio::test]
async fn a_change_needs_the_token_of_a_player_of_that_very_session() {
    let app = TestApp::start().await;
    let (seat, other) = (app.plain("captive-queens").await, app.plain("captive-queens").await);
    let private = app.create(json!({"game": "captive-queens", "visibility": "private"})).await;
    let token = &seat.token;
    let cases: Vec<(Option<String>, u16, &str)> = vec![
        (None, 401, "token_required"),
        (Some(String::new()), 401, "invalid_token"),
        (Some("Bearer".into()), 401, "invalid_token"),
        (Some("Bearer ".into()), 401, "invalid_token"),
        (Some(token.clone()), 401, "invalid_token"),
        (Some(format!("Basic {token}")), 401, "invalid_token"),
        (Some(format!("Bearer{token}")), 401, "invalid_token"),
        (Some(format!("Bearer {token}0")), 401, "invalid_token"),
        (Some(format!("Bearer {}", &token[1..])), 401, "invalid_token"),
        (Some(format!("Bearer {token}, Bearer {token}")), 401, "invalid_token"),
        (Some("Bearer ünsinn".into()), 401, "invalid_token"),
        (Some(format!("Bearer {}", "g".repeat(token.len()))), 401, "invalid_token"),
        (Some(format!("Bearer {}", other.token)), 403, "not_a_player"),
        (Some(format!("Bearer {}", private.invite.unwrap())), 403, "not_a_player"),
        (Some(format!("Bearer {}", "0".repeat(token.len()))), 403, "not_a_player"),
    ];
    for (value, status, code) in cases {
        for ask in changes(&seat.path) {
            let ask = match &value {
                Some(value) => ask.header("authorization", value),
                None => ask,
            };
            app.unmoved(&seat, app.ask(ask)).await.refused(status, code);
        }
    }
}

#[tokio::test]
async fn two_tokens_are_no_token() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let ask = Ask::post(&seat.at("/moves")).json(&json!({"type": "draw"})).token(&seat.token).token(&seat.token);
    app.unmoved(&seat, app.ask(ask)).await.refused(401, "invalid_token");
}

#[tokio::test]
async fn the_case_of_the_scheme_does_not_matter() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    for (scheme, version) in ["Bearer", "bearer", "BEARER", "bEaReR"].into_iter().zip(2..) {
        let value = format!("{scheme} {}", seat.token);
        let ask = Ask::post(&seat.at("/moves")).json(&json!({"type": "draw"})).header("authorization", &value);
        assert_eq!(app.ask(ask).await.expect(200).version(), version, "{scheme}");
    }
}

#[tokio::test]
async fn who_may_not_is_told_so_before_the_body_is_looked_at() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    for body in ["", "{", "{}", r#"{"type": "fly"}"#, &"[".repeat(70_000)] {
        for rest in ["/moves", "/undo", "/redo", "/resign"] {
            let ask = Ask::post(&seat.at(rest)).body(body);
            app.ask(ask.clone()).await.refused(401, "token_required");
            app.ask(ask.clone().token("?")).await.refused(401, "invalid_token");
            app.ask(ask.token(&"0".repeat(64))).await.refused(403, "not_a_player");
        }
    }
}

#[tokio::test]
async fn a_get_on_a_session_that_is_not_private_ignores_tokens() {
    let app = TestApp::start().await;
    for visibility in ["unlisted", "public"] {
        let seat = app.create(json!({"game": "captive-queens", "visibility": visibility})).await;
        for rest in ["", "?version=1", "/history"] {
            let path = seat.at(rest);
            let expected = app.get(&path).await.expect(200);
            for value in ["", "Bearer", "Bearer ?", "Basic abc", &format!("Bearer {}", seat.token)] {
                let answer = app.ask(Ask::get(&path).header("authorization", value)).await;
                assert_eq!(answer.without_its_id(), expected.without_its_id(), "{path} {value}");
            }
        }
    }
}

#[tokio::test]
async fn tokens_are_long_all_different_and_told_once() {
    let app = TestApp::start().await;
    let mut seen = std::collections::HashSet::new();
    for _ in 0..20 {
        let seat = app.create(json!({"game": "captive-queens", "visibility": "private"})).await;
        let invite = seat.invite.unwrap();
        for secret in [&seat.token, &invite, &seat.id] {
            assert!(seen.insert(secret.clone()), "{secret}");
        }
    }
}
