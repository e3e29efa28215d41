//! What may not be seen cannot be told from what is not there: by no call, status, header or order of
//! checks.

use serde_json::json;

use crate::app::{Seat, TestApp};
use crate::client::Ask;

const KEY: &str = "idempotency-key";
const UNGUESSABLE: &str = "0123456789abcdefghijkl";

/// An id that nothing has.
const NOWHERE: &str = "8b6a1f0e-5d3c-4f2b-9a17-6c0d9e8f7a54";

const JSON: &str = "application/json";

/// Every call below a session or a race, in every form that might be answered in another order.
fn calls(path: &str) -> Vec<Ask> {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    const PLACES: [&str; 19] = [
        "",
        "/",
        "?version=1",
        "?version=99999999999999999999",
        "?version=x",
        "?colour=red",
        "/moves",
        "/undo",
        "/redo",
        "/resign",
        "/start",
        "/history",
        "/history?after=-1",
        "/presence",
        "/events",
        "/events?after=1",
        "/players",
        "/players/1",
        "/players/x",
    ];
    let everywhere =
        METHODS.into_iter().flat_map(|method| PLACES.map(|place| Ask::new(method, &format!("{path}{place}"))));
    let mut calls: Vec<Ask> = everywhere.collect();

    let post = |rest: &str| Ask::post(&format!("{path}{rest}"));
    let body = |rest: &str, body: &str| post(rest).header("content-type", JSON).body(body);
    let long = format!("{{\"name\": \"{}\"}}", "a".repeat(70_000));
    let bodies =
        ["{}", "{", "[]", r#"{"x": 1}"#, r#"{"type": "draw"}"#, r#"{"type": "fly"}"#, r#"{"name": "Ada"}"#, &long];
    let invites = [r#"{"invite": ""}"#, r#"{"invite": 5}"#, r#"{"invite": "x"}"#, r#"{"name": "", "invite": "x"}"#];
    for rest in ["/moves", "/undo", "/redo", "/resign", "/start", "/players", "/players?x=1"] {
        calls.extend(bodies.into_iter().chain(invites).map(|text| body(rest, text)));
        calls.push(post(rest).header("content-type", "text/plain").body("{}"));
        calls.push(post(rest).body("{}"));
    }
    for ask in
        [post("/players"), post("/moves"), post("/undo"), Ask::delete(path), Ask::delete(&format!("{path}/players/1"))]
    {
        for key in ["", "two words", "short", UNGUESSABLE] {
            calls.push(ask.clone().header(KEY, key));
        }
        for tag in ["\"1\"", "\"99\"", "*", "nonsense", ""] {
            calls.push(ask.clone().if_match(tag));
        }
    }
    for rest in ["", "?version=1", "/history", "/presence", "/events"] {
        for tag in ["\"1\"", "*"] {
            calls.push(Ask::get(&format!("{path}{rest}")).if_none_match(tag));
        }
        calls.push(Ask::get(&format!("{path}{rest}")).header("last-event-id", "1"));
    }
    for ask in calls.clone().into_iter().filter(|ask| ask.method == "OPTIONS") {
        calls.push(ask.header("origin", "https://example.org").header("access-control-request-method", "POST"));
    }
    calls
}

/// What may stand in `Authorization`: nothing, nonsense, and these tokens.
fn as_each(ask: &Ask, tokens: &[&str]) -> Vec<Ask> {
    let nonsense = ["", "Bearer", "Bearer ?", "Basic abc"].map(|value| ask.clone().header("authorization", value));
    let tokens = tokens.iter().map(|token| ask.clone().token(token));
    [ask.clone()].into_iter().chain(nonsense).chain(tokens).collect()
}

/// Checks that all calls on one path are answered, to all of these, as they are where nothing is.
async fn is_not_there(app: &TestApp, seat: &Seat, folder: &str, tokens: &[&str]) {
    let nowhere = format!("{folder}/{NOWHERE}");
    for (here, there) in calls(&seat.path).iter().zip(calls(&nowhere)) {
        for (here, there) in as_each(here, tokens).into_iter().zip(as_each(&there, tokens)) {
            let about = here.to_string();
            let (here, there) = (app.ask(here).await, app.ask(there).await);
            assert_eq!(here.without_its_id(), there.without_its_id(), "{about}");
            assert!([404, 405, 204].contains(&here.status), "{about}: {}", here.status);
        }
    }
}

/// Checks that a wish to join with these invites is answered as it is where nothing is.
async fn cannot_be_joined_with(app: &TestApp, seat: &Seat, folder: &str, invites: &[&str]) {
    for invite in invites {
        for body in
            [json!({"invite": invite}), json!({"invite": invite, "name": "Eve"}), json!({"invite": invite, "name": ""})]
        {
            let ask = |path: &str| Ask::post(&format!("{path}/players")).json(&body);
            let nowhere = format!("{folder}/{NOWHERE}");
            for (here, there) in as_each(&ask(&seat.path), invites).into_iter().zip(as_each(&ask(&nowhere), invites)) {
                let about = here.to_string();
                let (here, there) = (app.ask(here).await.expect(404), app.ask(there).await);
                assert_eq!(here.without_its_id(), there.without_its_id(), "{about}");
            }
        }
    }
}

#[tokio::test]
async fn a_private_session_is_not_there_for_strangers() {
    let app = TestApp::start().await;
    let wish = json!({"game": "napoleons-square", "seats": 3, "visibility": "private"});
    let (host, other) = (app.create(wish.clone()).await, app.create(wish).await);
    let open = app.plain("napoleons-square").await;
    let (left, guest) = (app.join(&host).await, app.join(&host).await);
    app.leave(&left, 2).await.expect(204);
    app.draw(&guest).await.expect(200);
    let (invite, other_invite) = (host.invite.as_ref().unwrap(), other.invite.as_ref().unwrap());
    let tokens = [&*open.token, &other.token, &left.token, invite, other_invite, &"0".repeat(64)];
    let before = app.show(&host).await.expect(200);
    is_not_there(&app, &host, "/v1/sessions", &tokens).await;
    let invites = [&*open.token, &other.token, &left.token, &host.token, &guest.token, other_invite];
    cannot_be_joined_with(&app, &host, "/v1/sessions", &invites).await;
    assert_eq!(app.show(&host).await.text(), before.text(), "nor has it changed");
}

#[tokio::test]
async fn a_private_session_that_is_full_over_or_deserted_is_not_there_for_strangers_either() {
    let app = TestApp::start().await;
    let wish = json!({"game": "captive-queens", "visibility": "private"});
    let (full, over, deserted) =
        (app.create(wish.clone()).await, app.create(wish.clone()).await, app.create(wish.clone()).await);
    app.resign(&over).await.expect(200);
    app.leave(&deserted, 1).await.expect(204);
    let other = app.create(wish).await;
    for seat in [&full, &over, &deserted] {
        is_not_there(&app, seat, "/v1/sessions", &[&other.token, seat.invite.as_ref().unwrap(), &deserted.token]).await;
        cannot_be_joined_with(&app, seat, "/v1/sessions", &[&seat.token, other.invite.as_ref().unwrap()]).await;
    }
    let next = app.join(&deserted).await;
    assert_eq!(next.first["players"], json!([{"seat": 1, "name": "Player 1", "host": true}]));
}

#[tokio::test]
async fn a_private_race_is_not_there_for_strangers() {
    let app = TestApp::start().await;
    let wish = json!({"game": "captive-queens", "seats": 4, "visibility": "private"});
    let (host, other) = (app.race(wish.clone()).await, app.race(wish).await);
    let session = app.plain("captive-queens").await;
    let (guest, left) = (app.join(&host).await, app.join(&host).await);
    app.leave(&left, left.number).await.expect(204);
    let (invite, other_invite) = (host.invite.as_ref().unwrap(), other.invite.as_ref().unwrap());
    for stage in ["open", "running", "over"] {
        match stage {
            "running" => drop(app.start_race(&host).await.expect(200)),
            "over" => {
                app.leave(&guest, guest.number).await.expect(204);
                app.resign(&app.lane(&host).await).await.expect(200);
            }
            _ => {}
        }
        assert_eq!(app.session(&host).await["status"], stage);
        is_not_there(&app, &host, "/v1/races", &[&session.token, &other.token, &left.token, invite, other_invite])
            .await;
        cannot_be_joined_with(&app, &host, "/v1/races", &[&host.token, &guest.token, other_invite]).await;
    }
}

#[tokio::test]
async fn while_a_race_runs_its_sessions_are_there_for_their_own_players_alone() {
    let app = TestApp::start().await;
    for visibility in ["public", "unlisted", "private"] {
        let host = app.race(json!({"game": "captive-queens", "seats": 4, "visibility": visibility})).await;
        let (guest, third) = (app.join(&host).await, app.join(&host).await);
        app.start_race(&host).await.expect(200);
        let lane = app.lane(&guest).await;
        app.draw(&lane).await.expect(200);
        app.leave(&third, third.number).await.expect(204);
        let session = app.plain("captive-queens").await;
        let mut tokens = vec![&*host.token, &third.token, &session.token];
        tokens.extend(host.invite.as_deref());
        for is_resigned in [false, true] {
            if is_resigned {
                app.resign(&lane).await.expect(200);
            }
            assert_eq!(app.session(&host).await["status"], "running");
            let before = app.show(&lane).await.expect(200);
            is_not_there(&app, &lane, "/v1/sessions", &tokens).await;
            cannot_be_joined_with(&app, &lane, "/v1/sessions", &tokens).await;
            assert_eq!(app.show(&lane).await.text(), before.text());
        }
    }
}

#[tokio::test]
async fn who_has_left_a_private_session_is_told_of_his_leaving_again_under_its_key_and_of_nothing_else() {
    let app = TestApp::start().await;
    let host = app.create(json!({"game": "napoleons-square", "seats": 2, "visibility": "private"})).await;
    let guest = app.join(&host).await;
    let leave = Ask::delete(&guest.at("/players/2")).token(&guest.token);
    app.ask(leave.clone().header(KEY, "k")).await.expect(204);
    app.unmoved(&host, app.ask(leave.clone().header(KEY, "k"))).await.expect(204);
    let nowhere = format!("/v1/sessions/{NOWHERE}");
    for (here, there) in calls(&guest.path).into_iter().zip(calls(&nowhere)) {
        for key in ["k", "another", UNGUESSABLE] {
            let [here, there] = [&here, &there].map(|ask| ask.clone().token(&guest.token).header(KEY, key));
            let about = here.to_string();
            let (here, there) = (app.ask(here).await, app.ask(there).await);
            assert_eq!(here.without_its_id(), there.without_its_id(), "{about}");
        }
    }
}
