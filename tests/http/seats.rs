//! `…/players`: seats are taken and left, and who sits there may play.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};

const KEY: &str = "idempotency-key";

/// As short as the key to a seat can be.
const UNGUESSABLE: &str = "0123456789abcdefghijkl";

/// A session with so many seats, of which one is taken.
async fn table(app: &TestApp, seats: u64) -> Seat {
    app.create(json!({"game": "napoleons-square", "seats": seats, "name": "Host"})).await
}

/// A session in which all of so many seats are taken; by seat, the host first.
async fn full_table(app: &TestApp, seats: u64) -> Vec<Seat> {
    let mut taken = vec![table(app, seats).await];
    while taken.len() < seats as usize {
        taken.push(app.join(&taken[0]).await);
    }
    taken
}

/// A wish to join, without a body.
fn joining(seat: &Seat) -> Ask {
    Ask::post(&seat.at("/players"))
}

fn leaving(who: &Seat, seat: u64) -> Ask {
    Ask::delete(&who.at(&format!("/players/{seat}"))).token(&who.token)
}

/// The seats that are taken, and the one of the host.
fn taken(session: &Value) -> (Vec<u64>, Option<u64>) {
    let players = session["players"].as_array().unwrap();
    let seat = |player: &Value| player["seat"].as_u64().unwrap();
    let host = players.iter().find(|player| player["host"] == true).map(seat);
    (players.iter().map(seat).collect(), host)
}

/// What a history says of each entry: its type and its seat.
fn told(history: &[Value]) -> Vec<(&str, Option<u64>)> {
    history.iter().map(|entry| (entry["type"].as_str().unwrap(), entry["seat"].as_u64())).collect()
}

#[tokio::test]
async fn who_joins_has_the_lowest_free_seat_a_token_of_its_own_and_the_session_as_it_then_is() {
    let app = TestApp::start().await;
    let host = table(&app, 4).await;
    let mut tokens = vec![host.token.clone()];
    for (number, body) in [(2, None), (3, Some(json!({}))), (4, Some(json!({"name": "Ada"})))] {
        app.clock.advance(Duration::from_millis(1_234));
        let ask = body.iter().fold(joining(&host), |ask, body| ask.json(body));
        let answer = app.ask(ask).await.expect(201);
        assert_eq!(answer.header("etag"), Some(format!("\"{number}\"").as_str()));
        assert_eq!(answer.json()["seat"], number);
        assert_eq!(answer.json()["session"]["updated_at"], app.clock.text());
        let seat = Seat::of(&answer.json());
        assert_eq!(app.session(&seat).await, seat.first, "as whoever looks sees it");
        assert!(!tokens.contains(&seat.token));
        tokens.push(seat.token);
    }
    let session = app.session(&host).await;
    let player = |seat: u64, name: &str| json!({"seat": seat, "name": name, "host": seat == 1});
    let players = [player(1, "Host"), player(2, "Player 2"), player(3, "Player 3"), player(4, "Ada")];
    assert_eq!([&session["players"], &session["seats"], &session["version"]], [&json!(players), &json!(4), &json!(4)]);
}

#[tokio::test]
async fn a_name_is_trimmed_and_has_1_to_32_visible_characters() {
    let app = TestApp::start().await;
    let host = table(&app, 8).await;
    let long = "é".repeat(32);
    let names =
        [(" Ada ", "Ada"), ("李小龍", "李小龍"), (" \tZoë 2\n", "Zoë 2"), ("❤\u{fe0f}", "❤\u{fe0f}"), (&long, &long)];
    for ((name, shown), seat) in names.into_iter().zip(1..) {
        let joined = app.ask(joining(&host).json(&json!({ "name": name }))).await.expect(201).json();
        assert_eq!(joined["session"]["players"][seat]["name"], shown, "{name:?}");
    }
    let too_long = "é".repeat(33);
    let refused = [
        "",
        " ",
        "\t\n",
        &too_long,
        "a\nb",
        "a\0b",
        "a\u{7f}b",
        "a\u{85}b",
        "A\u{200b}da",
        "Ada\u{200d}x",
        "\u{202e}adA",
        "a\u{2066}b",
        "A\u{ad}da",
        "\u{feff}x",
        "a\u{a0}b",
        "\u{3164}",
        "\u{2800}",
        "a\u{2028}b",
        "a\u{e0041}b",
        "Ada\u{fe0f}",
        "a\u{fe01}",
        "a\u{180b}",
        "a\u{17b5}",
        "a\u{34f}b",
        "\u{115f}",
        "\u{ffa0}",
    ];
    for name in refused {
        for ask in [joining(&host).json(&json!({ "name": name })), create_with(name)] {
            let refused = app.unmoved(&host, app.ask(ask)).await.refused(422, "invalid_request");
            assert_eq!(refused.field(), "name", "{name:?}");
        }
    }
}

fn create_with(name: &str) -> Ask {
    Ask::post("/v1/sessions").json(&json!({"game": "captive-queens", "name": name}))
}

#[tokio::test]
async fn a_wish_to_join_that_is_none_is_refused_and_takes_no_seat() {
    let app = TestApp::start().await;
    let host = table(&app, 2).await;
    let json_body = |text: &str| joining(&host).header("content-type", "application/json").body(text);
    let cases = [
        (json_body("{"), 400, "malformed_request"),
        (json_body("[]"), 400, "malformed_request"),
        (json_body(r#"{"name": 5}"#), 400, "malformed_request"),
        (json_body(r#"{"invite": 5}"#), 400, "malformed_request"),
        (json_body(r#"{"name": "a", "name": "a"}"#), 400, "malformed_request"),
        (json_body(r#"{"nmae": "a"}"#), 400, "malformed_request"),
        (json_body(r#"{"seat": 2}"#), 400, "malformed_request"),
        (joining(&host).header("content-type", "text/plain").body("{}"), 415, "unsupported_media_type"),
        (json_body(&format!("{{\"name\": \"{}\"}}", "a".repeat(70_000))), 413, "body_too_large"),
        (Ask::post(&host.at("/players?name=Ada")), 400, "malformed_request"),
        (joining(&host).header(KEY, "two words"), 400, "invalid_idempotency_key"),
        (joining(&host).header(KEY, &UNGUESSABLE[..21]), 400, "invalid_idempotency_key"),
    ];
    for (ask, status, code) in cases {
        app.unmoved(&host, app.ask(ask)).await.refused(status, code);
    }
    let nobody = Ask::post("/v1/sessions/8b6a1f0e-5d3c-4f2b-9a17-6c0d9e8f7a54/players");
    app.ask(nobody).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn a_session_takes_as_many_as_it_has_seats() {
    let app = TestApp::start().await;
    for seats in [1, 2, 8] {
        let all = full_table(&app, seats).await;
        let version = app.unmoved(&all[0], app.ask(joining(&all[0]))).await.refused(409, "session_full").version();
        assert_eq!(version, seats);
        assert_eq!(taken(&app.session(&all[0]).await), ((1..=seats).collect(), Some(1)));
    }
}

#[tokio::test]
async fn a_session_that_is_over_is_joined_by_nobody_and_left_by_whoever_will() {
    let app = TestApp::start().await;
    let host = table(&app, 3).await;
    let guest = app.join(&host).await;
    app.resign(&host).await.expect(200);
    app.unmoved(&host, app.ask(joining(&host))).await.refused(409, "session_over");
    app.leave(&guest, 2).await.expect(204);
    app.leave(&host, 1).await.expect(204);
    let session = app.get(&host.path).await.expect(200).json();
    assert_eq!([&session["status"], &session["players"]], [&json!("resigned"), &json!([])]);
}

#[tokio::test]
async fn a_seat_is_left_by_its_own_player_or_for_him_by_the_host_and_nobody_else() {
    let app = TestApp::start().await;
    let all = full_table(&app, 4).await;
    let other_session = table(&app, 2).await;
    let (host, guest) = (&all[0], &all[1]);
    for seat in [1, 3, 4] {
        app.unmoved(host, app.leave(guest, seat)).await.refused(403, "not_host");
    }
    let at_seat_2 = Ask::delete(&host.at("/players/2"));
    for (ask, status, code) in [
        (at_seat_2.clone(), 401, "token_required"),
        (at_seat_2.clone().token("?"), 401, "invalid_token"),
        (at_seat_2.clone().token(&other_session.token), 403, "not_a_player"),
    ] {
        app.unmoved(host, app.ask(ask)).await.refused(status, code);
    }
    app.leave(guest, 2).await.expect(204);
    app.leave(host, 4).await.expect(204);
    let session = app.session(host).await;
    assert_eq!((taken(&session), &session["version"]), ((vec![1, 3], Some(1)), &json!(6)));
    let history = app.history(host).await;
    assert_eq!(told(&history)[4..], [("left", Some(2)), ("left", Some(4))]);
}

#[tokio::test]
async fn a_seat_that_is_not_there_or_free_cannot_be_left() {
    let app = TestApp::start().await;
    let host = table(&app, 3).await;
    for seat in ["0", "2", "4", "9", "99999999999999999999", "-1", "1.5", "one", "%31x", "01x"] {
        let ask = Ask::delete(&host.at(&format!("/players/{seat}"))).token(&host.token);
        app.unmoved(&host, app.ask(ask)).await.refused(404, "no_such_seat");
    }
}

/// Every change that a player may ask for.
fn changes(seat: &Seat) -> Vec<Ask> {
    let post = |rest: &str| Ask::post(&seat.at(rest)).token(&seat.token);
    let mut changes =
        vec![post("/moves").json(&json!({"type": "draw"})), post("/undo"), post("/redo"), post("/resign")];
    changes.extend([Ask::delete(&seat.path).token(&seat.token)]);
    changes.extend((1..=3).map(|number| leaving(seat, number)));
    changes
}

#[tokio::test]
async fn the_token_of_a_seat_that_was_left_is_dead_at_once_whoever_sits_there() {
    let app = TestApp::start().await;
    for by_host in [false, true] {
        let host = table(&app, 3).await;
        let guest = app.join(&host).await;
        app.leave(if by_host { &host } else { &guest }, 2).await.expect(204);
        for taken_again in [false, true] {
            if taken_again {
                let next = app.join(&host).await;
                assert_eq!(next.number, 2);
                assert_ne!(next.token, guest.token);
                app.draw(&next).await.expect(200);
            }
            for ask in changes(&guest) {
                for ask in [ask.clone(), ask.if_match("*").header(KEY, "a-key")] {
                    app.unmoved(&host, app.ask(ask)).await.refused(403, "not_a_player");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_token_of_one_session_is_none_of_another() {
    let app = TestApp::start().await;
    let (one, other) = (full_table(&app, 3).await, full_table(&app, 3).await);
    for stranger in &one {
        let as_stranger = Seat { token: stranger.token.clone(), ..other[0].clone() };
        for ask in changes(&as_stranger) {
            app.unmoved(&other[0], app.ask(ask)).await.refused(403, "not_a_player");
        }
    }
}

#[tokio::test]
async fn when_the_host_leaves_the_lowest_seat_still_taken_is_the_host() {
    let app = TestApp::start().await;
    let all = full_table(&app, 4).await;
    app.leave(&all[1], 2).await.expect(204);
    app.leave(&all[0], 1).await.expect(204);
    assert_eq!(taken(&app.session(&all[2]).await), (vec![3, 4], Some(3)));
    let [first, second] = [app.join(&all[2]).await, app.join(&all[2]).await];
    assert_eq!([first.number, second.number], [1, 2]);
    assert_eq!(taken(&app.session(&all[2]).await), (vec![1, 2, 3, 4], Some(3)), "a newcomer is not the host");
    app.leave(&first, 2).await.refused(403, "not_host");
    app.leave(&all[2], 4).await.expect(204);
    app.leave(&all[2], 3).await.expect(204);
    assert_eq!(taken(&app.session(&first).await), (vec![1, 2], Some(1)));
    app.delete(&second).await.refused(403, "not_host");
    app.delete(&first).await.expect(204);
}

#[tokio::test]
async fn when_nobody_is_left_the_next_to_join_is_the_host() {
    let app = TestApp::start().await;
    for seats in [1, 3] {
        let all = full_table(&app, seats).await;
        for seat in &all {
            app.leave(seat, seat.number).await.expect(204);
        }
        let session = app.get(&all[0].path).await.expect(200).json();
        assert_eq!((taken(&session), &session["status"]), ((vec![], None), &json!("playing")));
        for seat in &all {
            app.draw(seat).await.refused(403, "not_a_player");
        }
        let next = app.join(&all[0]).await;
        assert_eq!(taken(&next.first), (vec![1], Some(1)));
        app.draw(&next).await.expect(200);
        app.delete(&next).await.expect(204);
    }
}

#[tokio::test]
async fn any_player_may_play_and_take_back_what_another_played_and_the_history_says_who() {
    let app = TestApp::start().await;
    let all = full_table(&app, 3).await;
    app.draw(&all[2]).await.expect(200);
    app.draw(&all[1]).await.expect(200);
    app.undo(&all[0]).await.expect(200);
    app.redo(&all[2]).await.expect(200);
    app.undo(&all[1]).await.expect(200);
    let session = app.undo(&all[2]).await.expect(200).json();
    assert_eq!([&session["moves"], &session["can_redo"]], [&json!(0), &json!(true)]);
    let history = app.history(&all[0]).await;
    let expected = [
        ("created", 1),
        ("joined", 2),
        ("joined", 3),
        ("moved", 3),
        ("moved", 2),
        ("undone", 1),
        ("redone", 3),
        ("undone", 2),
        ("undone", 3),
    ];
    assert_eq!(told(&history), expected.map(|(name, seat)| (name, Some(seat))));
}

#[tokio::test]
async fn who_joins_or_leaves_changes_nothing_of_what_can_be_taken_back_and_played_again() {
    let app = TestApp::start().await;
    let host = table(&app, 2).await;
    app.draw(&host).await.expect(200);
    app.draw(&host).await.expect(200);
    let before = app.undo(&host).await.expect(200).json();
    let guest = app.join(&host).await;
    app.leave(&guest, 2).await.expect(204);
    let after = app.session(&host).await;
    for name in ["piles", "moves", "can_undo", "can_redo", "legal_moves", "placed", "status"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    app.redo(&host).await.expect(200);
    app.undo(&host).await.expect(200);
    let undone = app.undo(&host).await.expect(200).json();
    assert_eq!([&undone["moves"], &undone["can_undo"]], [&json!(0), &json!(false)]);
}

#[tokio::test]
async fn in_a_shared_session_the_host_alone_may_give_up_or_remove_it() {
    let app = TestApp::start().await;
    let all = full_table(&app, 2).await;
    app.unmoved(&all[0], app.resign(&all[1])).await.refused(403, "not_host");
    app.unmoved(&all[0], app.delete(&all[1])).await.refused(403, "not_host");
    app.resign(&all[0]).await.expect(200);
    app.unmoved(&all[0], app.delete(&all[1])).await.refused(403, "not_host");
    app.delete(&all[0]).await.expect(204);
}

#[tokio::test]
async fn joining_and_leaving_are_entries_like_others_and_the_past_keeps_who_sat_there() {
    let app = TestApp::start().await;
    let host = table(&app, 2).await;
    let mut states = vec![host.first.clone()];
    let guest = Seat::of(&app.ask(joining(&host).json(&json!({"name": " Bo "}))).await.expect(201).json());
    states.push(guest.first.clone());
    app.clock.advance(Duration::from_millis(1));
    let time = app.clock.text();
    app.leave(&guest, 2).await.expect(204);
    states.push(app.session(&host).await);
    states.push(app.join(&host).await.first);
    assert_eq!(states[2]["updated_at"], time);
    for (state, version) in states.iter().zip(1..) {
        assert_eq!(state["version"], version);
        let past = app.get(&host.at(&format!("?version={version}"))).await.expect(200);
        assert_eq!((past.json(), past.header("etag")), (state.clone(), Some(format!("\"{version}\"").as_str())));
    }
    let entries = app.history(&host).await;
    let first = &states[0]["created_at"];
    let entry = |version: u64, name: &str| json!({"version": version, "type": "joined", "seat": 2, "at": if version == 2 { first.clone() } else { json!(time) }, "moves": [], "name": name});
    assert_eq!([&entries[1], &entries[3]], [&entry(2, "Bo"), &entry(4, "Player 2")]);
    assert_eq!(entries[2], json!({"version": 3, "type": "left", "seat": 2, "at": time, "moves": []}));
}

#[tokio::test]
async fn joining_and_leaving_can_be_meant_for_one_version_only() {
    let app = TestApp::start().await;
    let host = table(&app, 3).await;
    for tag in ["\"2\"", "\"0\"", "W/\"1\"", "1"] {
        let refused = app.unmoved(&host, app.ask(joining(&host).if_match(tag))).await;
        assert_eq!(refused.refused(412, "stale_version").version(), 1, "{tag}");
    }
    app.ask(joining(&host).if_match("\"7\", \"1\"")).await.expect(201);
    app.ask(joining(&host).if_match("*")).await.expect(201);
    // The version comes before the seats.
    app.ask(joining(&host).if_match("\"2\"")).await.refused(412, "stale_version");
    app.ask(joining(&host).if_match("\"3\"")).await.refused(409, "session_full");
    let refused = app.unmoved(&host, app.ask(leaving(&host, 2).if_match("\"2\""))).await;
    assert_eq!(refused.refused(412, "stale_version").version(), 3);
    app.ask(leaving(&host, 2).if_match("\"3\"")).await.expect(204);
    app.ask(leaving(&host, 3).if_match("*")).await.expect(204);
    assert_eq!(app.session(&host).await["version"], 5);
}

#[tokio::test]
async fn a_full_history_lets_everybody_leave_and_nobody_join() {
    let app = TestApp::limited(|limits| limits.sessions.history = 4).await;
    let all = full_table(&app, 2).await;
    app.draw(&all[0]).await.expect(200);
    app.draw(&all[0]).await.expect(200);
    app.leave(&all[1], 2).await.expect(204);
    assert_eq!(app.unmoved(&all[0], app.ask(joining(&all[0]))).await.refused(409, "history_full").version(), 5);
    app.leave(&all[0], 1).await.expect(204);
    assert_eq!(app.get(&all[0].path).await.json()["version"], 6);
    app.ask(joining(&all[0])).await.refused(409, "history_full");
}

#[tokio::test]
async fn who_joins_again_under_a_key_is_told_the_same_and_takes_no_second_seat() {
    let app = TestApp::start().await;
    let host = table(&app, 3).await;
    let ask = joining(&host).json(&json!({"name": "Ada"})).header(KEY, UNGUESSABLE);
    let first = app.ask(ask.clone()).await.expect(201);
    let ada = Seat::of(&first.json());
    let again = async |when: &str| {
        app.clock.advance(Duration::from_secs(1));
        let again = app.unmoved(&host, app.ask(ask.clone())).await.expect(201);
        assert_eq!(again.without_its_id(), first.without_its_id(), "{when}");
    };
    again("at once").await;
    app.draw(&ada).await.expect(200);
    again("after a move").await;
    app.join(&host).await;
    again("when all seats are taken").await;
    app.leave(&ada, 2).await.expect(204);
    again("when the seat was left").await;
    app.draw(&ada).await.refused(403, "not_a_player");
    let next = app.join(&host).await;
    assert!(next.number == 2 && next.token != ada.token);
    again("when somebody else sits there").await;
    app.resign(&host).await.expect(200);
    again("when all is over").await;
    let seats: Vec<_> = app.history(&host).await.iter().filter(|entry| entry["type"] == "joined").cloned().collect();
    assert_eq!(seats.len(), 3);
    app.delete(&host).await.expect(204);
    app.ask(ask.clone()).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn a_key_to_a_seat_is_of_one_request_and_one_session() {
    let app = TestApp::start().await;
    let (host, other) = (table(&app, 4).await, table(&app, 4).await);
    let ask = |seat: &Seat, body: Value| joining(seat).json(&body).header(KEY, UNGUESSABLE);
    let ada = Seat::of(&app.ask(ask(&host, json!({"name": "Ada"}))).await.expect(201).json());
    for body in [json!({"name": "Eve"}), json!({})] {
        let refused = app.unmoved(&host, app.ask(ask(&host, body))).await;
        assert_eq!(refused.refused(422, "idempotency_key_reused").version(), 2);
    }
    let elsewhere = Seat::of(&app.ask(ask(&other, json!({"name": "Ada"}))).await.expect(201).json());
    assert_ne!(elsewhere.token, ada.token);
    let other_key = ask(&host, json!({"name": "Ada"})).header(KEY, "x");
    app.unmoved(&host, app.ask(other_key)).await.refused(400, "invalid_idempotency_key");
    let bo = joining(&host).json(&json!({"name": "Ada"})).header(KEY, "0123456789abcdefghijkm");
    let bo = Seat::of(&app.ask(bo).await.expect(201).json());
    assert_eq!((ada.number, bo.number), (2, 3));
    assert_ne!(ada.token, bo.token);
}

#[tokio::test]
async fn a_refusal_to_seat_somebody_is_not_remembered_under_the_key() {
    let app = TestApp::start().await;
    let all = full_table(&app, 2).await;
    let ask = joining(&all[0]).header(KEY, UNGUESSABLE);
    app.ask(ask.clone()).await.refused(409, "session_full");
    app.leave(&all[1], 2).await.expect(204);
    app.ask(ask.clone().if_match("\"1\"")).await.refused(412, "stale_version");
    let first = app.ask(ask.clone()).await.expect(201);
    let again = app.ask(ask.if_match("\"1\"")).await.expect(201);
    assert_eq!(again.without_its_id(), first.without_its_id(), "a repeat comes before the version");
}

#[tokio::test]
async fn who_has_left_under_a_key_may_say_so_again_and_nothing_else() {
    let app = TestApp::start().await;
    for leaves_alone in [false, true] {
        let host = table(&app, 2).await;
        let guest = app.join(&host).await;
        let who = if leaves_alone { &host } else { &guest };
        let draw = Ask::post(&who.at("/moves")).token(&who.token).json(&json!({"type": "draw"})).header(KEY, "draw");
        let drawn = app.ask(draw.clone()).await.expect(200);
        let ask = leaving(who, who.number).header(KEY, "leave");
        app.ask(ask.clone()).await.expect(204);
        let watch = Seat { token: guest.token.clone(), ..host.clone() };
        for taken_again in [false, true] {
            if taken_again {
                assert_eq!(app.join(&host).await.number, who.number);
            }
            app.unmoved(&watch, app.ask(ask.clone())).await.expect(204);
            let again = app.unmoved(&watch, app.ask(draw.clone())).await.expect(200);
            assert_eq!(again.without_its_id(), drawn.without_its_id(), "what was played under a key is remembered too");
            app.unmoved(&watch, app.ask(leaving(who, who.number))).await.refused(403, "not_a_player");
            for number in [1, 2] {
                let another = leaving(who, number).header(KEY, "another");
                app.unmoved(&watch, app.ask(another)).await.refused(403, "not_a_player");
            }
        }
    }
}

#[tokio::test]
async fn a_host_who_has_made_somebody_leave_under_a_key_does_it_once() {
    let app = TestApp::start().await;
    let host = table(&app, 2).await;
    app.join(&host).await;
    let ask = leaving(&host, 2).header(KEY, "k");
    app.ask(ask.clone()).await.expect(204);
    app.unmoved(&host, app.ask(ask.clone())).await.expect(204);
    let next = app.join(&host).await;
    app.unmoved(&host, app.ask(ask)).await.expect(204);
    app.draw(&next).await.expect(200);
    let other = app.unmoved(&host, app.ask(leaving(&host, 1).header(KEY, "k"))).await;
    other.refused(422, "idempotency_key_reused");
}

#[tokio::test]
async fn each_seat_has_keys_of_its_own() {
    let app = TestApp::start().await;
    let host = table(&app, 2).await;
    let draw =
        |seat: &Seat| Ask::post(&seat.at("/moves")).token(&seat.token).json(&json!({"type": "draw"})).header(KEY, "k");
    let guest = app.join(&host).await;
    let answers: Vec<Answer> = vec![app.ask(draw(&host)).await.expect(200), app.ask(draw(&guest)).await.expect(200)];
    assert_eq!(answers.iter().map(Answer::version).collect::<Vec<_>>(), [3, 4]);
}

#[tokio::test]
async fn a_private_session_is_joined_with_its_invite_and_the_invite_does_nothing_else() {
    let app = TestApp::start().await;
    let wish = json!({"game": "napoleons-square", "seats": 3, "visibility": "private"});
    let (host, other) = (app.create(wish.clone()).await, app.create(wish).await);
    let guest = app.join(&host).await;
    assert_eq!(guest.number, 2);
    app.draw(&guest).await.expect(200);
    app.show(&guest).await.expect(200);
    let with = |invite: &str| joining(&host).json(&json!({ "invite": invite }));
    for invite in [other.invite.as_ref().unwrap(), &host.token, &guest.token, "x", "", &"0".repeat(64)] {
        app.unmoved(&host, app.ask(with(invite))).await.refused(404, "no_such_session");
    }
    app.unmoved(&host, app.ask(joining(&host).token(&guest.token))).await.refused(404, "no_such_session");
    let invited = Seat { token: host.invite.clone().unwrap(), ..host.clone() };
    for ask in changes(&invited).into_iter().chain([Ask::get(&host.path).token(&invited.token)]) {
        app.unmoved(&host, app.ask(ask)).await.refused(404, "no_such_session");
    }
    app.join(&host).await;
    let invite = host.invite.as_ref().unwrap();
    app.unmoved(&host, app.ask(with(invite))).await.refused(409, "session_full");
    app.leave(&guest, 2).await.expect(204);
    app.show(&guest).await.refused(404, "no_such_session");
    app.draw(&guest).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn who_is_invited_is_told_what_is_wrong_with_his_wish() {
    let app = TestApp::start().await;
    let host = app.create(json!({"game": "napoleons-square", "seats": 2, "visibility": "private"})).await;
    let body = json!({"invite": host.invite});
    let unnamed = joining(&host).json(&json!({"invite": host.invite, "name": " "}));
    assert_eq!(app.unmoved(&host, app.ask(unnamed)).await.refused(422, "invalid_request").field(), "name");
    for (ask, status, code) in [
        (joining(&host).json(&body).header(KEY, "short"), 400, "invalid_idempotency_key"),
        (joining(&host).json(&body).if_match("\"7\""), 412, "stale_version"),
    ] {
        app.unmoved(&host, app.ask(ask)).await.refused(status, code);
    }
}

#[tokio::test]
async fn whoever_takes_a_seat_that_was_left_has_keys_of_his_own() {
    let app = TestApp::start().await;
    let host = app.create(json!({"game": "napoleons-square", "seats": 2})).await;
    let first = app.join(&host).await;
    let draw =
        |seat: &Seat| Ask::post(&seat.at("/moves")).token(&seat.token).header(KEY, "1").json(&json!({"type": "draw"}));
    let drawn = app.ask(draw(&first)).await.expect(200);
    app.leave(&first, 2).await.expect(204);
    let second = app.join(&host).await;
    assert_eq!(app.ask(draw(&second)).await.expect(200).version(), 6, "it is drawn, for the first time");
    // The one who has left is told what he was told, and nothing more is done.
    assert_eq!(app.ask(draw(&first)).await.expect(200).text(), drawn.text());
    assert_eq!(app.history(&host).await.len(), 6);
}
