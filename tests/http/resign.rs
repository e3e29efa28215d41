//! `POST /v1/sessions/{id}/resign`: the game is given up.

use serde_json::json;

use crate::app::TestApp;
use crate::client::Ask;

#[tokio::test]
async fn a_game_that_was_given_up_is_over_for_good_and_shows_its_deal() {
    let app = TestApp::start().await;
    for game in ["captive-queens", "napoleons-square", "topsy-turvy-queens"] {
        let seat = app.plain(game).await;
        let drawn = app.draw(&seat).await.expect(200).json();
        app.clock.advance(std::time::Duration::from_secs(1));
        let session = app.resign(&seat).await.expect(200).json();
        assert_eq!(session["status"], "resigned");
        assert_eq!(session["version"], 3);
        assert_eq!(session["finished_at"], app.clock.text());
        assert_eq!(session["updated_at"], app.clock.text());
        assert_eq!([&session["can_undo"], &session["can_redo"]], [false, false]);
        for name in ["piles", "placed", "moves", "redeals_left"] {
            assert_eq!(session[name], drawn[name], "{name} stays as it was");
        }
        assert!(session["deal"]["seed"].is_string());
        app.unmoved(&seat, app.draw(&seat)).await.refused(409, "session_over");
        app.unmoved(&seat, app.undo(&seat)).await.refused(409, "session_over");
        app.unmoved(&seat, app.redo(&seat)).await.refused(409, "session_over");
        assert_eq!(app.unmoved(&seat, app.resign(&seat)).await.refused(409, "session_over").version(), 3);
    }
}

#[tokio::test]
async fn the_host_may_give_up_a_shared_session_and_one_may_at_any_time() {
    let app = TestApp::start().await;
    for seats in [1, 2, 8] {
        for undo in [true, false] {
            let wish = json!({"game": "captive-queens", "seats": seats, "undo": undo});
            let seat = app.create(wish).await;
            let ask = Ask::post(&seat.at("/resign")).token(&seat.token);
            app.unmoved(&seat, app.ask(ask.clone().if_match("\"2\""))).await.refused(412, "stale_version");
            let json = |body| ask.clone().header("content-type", "application/json").body(body);
            app.unmoved(&seat, app.ask(json("{\"why\": 1}"))).await.refused(400, "malformed_request");
            let session = app.ask(json("{}").if_match("\"1\"")).await.expect(200).json();
            assert_eq!([&session["status"], &session["version"]], [&json!("resigned"), &json!(2)]);
        }
    }
}

#[tokio::test]
async fn what_could_be_redone_cannot_be_after_giving_up() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    app.draw(&seat).await.expect(200);
    assert_eq!(app.undo(&seat).await.expect(200).json()["can_redo"], true);
    assert_eq!(app.resign(&seat).await.expect(200).json()["can_redo"], false);
    app.redo(&seat).await.refused(409, "session_over");
}
