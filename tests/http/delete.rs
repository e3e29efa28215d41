//! `DELETE /v1/sessions/{id}`: a session is removed.

use serde_json::json;

use crate::app::TestApp;
use crate::client::Ask;

#[tokio::test]
async fn a_session_that_was_removed_is_404_on_every_call() {
    let app = TestApp::start().await;
    for visibility in ["unlisted", "public", "private"] {
        let seat = app.create(json!({"game": "captive-queens", "visibility": visibility})).await;
        app.draw(&seat).await.expect(200);
        app.delete(&seat).await.expect(204);
        app.show(&seat).await.refused(404, "no_such_session");
        app.ask(Ask::get(&seat.path).if_none_match("*")).await.refused(404, "no_such_session");
        app.get(&seat.at("?version=1")).await.refused(404, "no_such_session");
        app.get(&seat.at("/history")).await.refused(404, "no_such_session");
        app.draw(&seat).await.refused(404, "no_such_session");
        app.undo(&seat).await.refused(404, "no_such_session");
        app.redo(&seat).await.refused(404, "no_such_session");
        app.resign(&seat).await.refused(404, "no_such_session");
        app.delete(&seat).await.refused(404, "no_such_session");
    }
}

#[tokio::test]
async fn a_session_can_be_removed_whatever_its_state() {
    let app = TestApp::start().await;
    for undo in [true, false] {
        let seat = app.create(json!({"game": "captive-queens", "undo": undo, "seats": 3})).await;
        app.resign(&seat).await.expect(200);
        app.delete(&seat).await.expect(204);
    }
}

#[tokio::test]
async fn a_removal_can_be_meant_for_a_version() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    app.draw(&seat).await.expect(200);
    let ask = |tags: &str| Ask::delete(&seat.path).token(&seat.token).if_match(tags);
    for tags in ["\"1\"", "W/\"2\"", "2"] {
        assert_eq!(app.unmoved(&seat, app.ask(ask(tags))).await.refused(412, "stale_version").version(), 2, "{tags}");
    }
    app.ask(ask("\"2\"")).await.expect(204);
}

#[tokio::test]
async fn a_removal_takes_no_body_or_an_empty_object() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let ask =
        |body: &str| Ask::delete(&seat.path).token(&seat.token).header("content-type", "application/json").body(body);
    for body in ["null", "{\"really\": true}", "{"] {
        app.unmoved(&seat, app.ask(ask(body))).await.refused(400, "malformed_request");
    }
    app.ask(ask("{}")).await.expect(204);
}

#[tokio::test]
async fn other_sessions_stay() {
    let app = TestApp::start().await;
    let (seat, other) = (app.plain("captive-queens").await, app.plain("captive-queens").await);
    app.unmoved(&other, app.delete(&seat)).await.expect(204);
    app.draw(&other).await.expect(200);
}
