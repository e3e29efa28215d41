//! `POST /v1/sessions` and `GET /v1/sessions/{id}`: sessions are made and shown.

use std::collections::HashSet;

use patience::cards::{Deck, Packs};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::client::Ask;
use crate::oracle::names;

/// Cards of one pack, ace to king, in dealing order.
fn pack() -> Vec<String> {
    names(Deck::unshuffled(Packs::One).cards()).into_iter().map(str::to_string).collect()
}

#[tokio::test]
async fn what_is_not_said_of_a_session_is_filled_in() {
    let app = TestApp::start().await;
    let opening = app.wish(&json!({"game": "captive-queens"})).await.expect(201).json();
    assert_eq!(opening["seat"], 1);
    let session = &opening["session"];
    let now = app.clock.text();
    let expected = json!({
        "game": "captive-queens",
        "options": {"start": "empty", "play": "forced", "redeals": 2},
        "version": 1,
        "status": "playing",
        "redeals_left": 2,
        "legal_moves": [{"type": "draw"}],
        "can_undo": false,
        "can_redo": false,
        "placed": 0,
        "cards": 52,
        "moves": 0,
        "undo": true,
        "players": [{"seat": 1, "name": "Player 1", "host": true}],
        "seats": 1,
        "visibility": "unlisted",
        "created_at": now,
        "updated_at": now,
        "finished_at": null,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(session[name], *value, "{name}");
    }
    assert_eq!(session["deal"]["source"], "server");
    let piles: Vec<(&str, u64)> = session["piles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pile| (pile["id"].as_str().unwrap(), pile["face_down"].as_u64().unwrap()))
        .collect();
    let foundations = (1..=8).map(|number| format!("foundation-{number}")).collect::<Vec<_>>();
    let mut expected = vec![("stock", 52), ("waste", 0)];
    expected.extend(foundations.iter().map(|id| (id.as_str(), 0)));
    expected.push(("queens", 0));
    assert_eq!(piles, expected);
}

#[tokio::test]
async fn what_is_said_of_a_session_is_so() {
    let app = TestApp::start().await;
    let seat = app
        .create(json!({
            "game": "topsy-turvy-queens", "options": {"corner": "turned", "redeals": 10}, "seats": 8,
            "name": " Zoë 李 ", "visibility": "private", "undo": false, "autoplay": true,
            "seed": "é",
        }))
        .await;
    let session = app.session(&seat).await;
    assert_eq!(session, seat.first, "it is shown as it was made");
    let expected = json!({
        "game": "topsy-turvy-queens",
        "options": {"kings": "left_to_right", "corner": "turned", "redeals": 10},
        "redeals_left": 10,
        "cards": 104,
        "undo": false,
        "autoplay": true,
        "players": [{"seat": 1, "name": "Zoë 李", "host": true}],
        "seats": 8,
        "visibility": "private",
        "deal": {"source": "seed", "commitment": null, "seed": null, "deck": null, "pysolfc": null},
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(session[name], *value, "{name}");
    }
    assert!(seat.invite.is_some());
}

/// Names a case, gives the body, and says how it is refused: status, code and the field, if one is
/// promised.
type Faulty = (Value, u16, &'static str, &'static str);

#[tokio::test]
async fn each_fault_of_a_wish_for_a_session_has_its_status_code_and_field() {
    let app = TestApp::start().await;
    let with = |name: &str, value: Value| {
        let mut wish = json!({"game": "captive-queens"});
        wish[name] = value;
        wish
    };
    let deck_with = |change: fn(&mut Vec<String>)| {
        let mut deck = pack();
        change(&mut deck);
        with("deck", json!(deck))
    };
    let mut cases: Vec<Faulty> = vec![
        // What is JSON, but not of the schema.
        (json!({}), 400, "malformed_request", ""),
        (json!([]), 400, "malformed_request", ""),
        (json!("captive-queens"), 400, "malformed_request", ""),
        (json!(null), 400, "malformed_request", ""),
        (json!({"game": null}), 400, "malformed_request", "game"),
        (json!({"game": 1}), 400, "malformed_request", "game"),
        (json!({"game": ["captive-queens"]}), 400, "malformed_request", "game"),
        (with("gmae", json!(1)), 400, "malformed_request", ""),
        (with("token", json!("1")), 400, "malformed_request", ""),
        // What is of the schema, but out of range.
        (json!({"game": "klondike"}), 422, "invalid_request", "game"),
        (json!({"game": ""}), 422, "invalid_request", "game"),
        (json!({"game": "Captive-Queens"}), 422, "invalid_request", "game"),
        (with("options", json!({"colour": "red"})), 422, "invalid_request", "options.colour"),
        (with("options", json!({"moves": "runs"})), 422, "invalid_request", "options.moves"),
        (with("options", json!({"start": "half"})), 422, "invalid_request", "options.start"),
        (with("options", json!({"start": 2})), 422, "invalid_request", "options.start"),
        (with("options", json!({"redeals": "2"})), 422, "invalid_request", "options.redeals"),
        (with("options", json!({"redeals": 11})), 422, "invalid_request", "options.redeals"),
        (with("options", json!({"redeals": -1})), 422, "invalid_request", "options.redeals"),
        (with("seed", json!("")), 422, "invalid_request", "seed"),
        (with("seed", json!("é".repeat(65))), 422, "invalid_request", "seed"),
        (with("seats", json!(0)), 422, "invalid_request", "seats"),
        (with("seats", json!(9)), 422, "invalid_request", "seats"),
        (with("seats", json!(-1)), 422, "invalid_request", "seats"),
        (with("seats", json!(257)), 422, "invalid_request", "seats"),
        (with("seats", json!(u64::MAX)), 422, "invalid_request", "seats"),
        (with("name", json!("")), 422, "invalid_request", "name"),
        (with("name", json!("   ")), 422, "invalid_request", "name"),
        (with("name", json!("a".repeat(33))), 422, "invalid_request", "name"),
        (with("name", json!("a\u{0}")), 422, "invalid_request", "name"),
        (with("name", json!("\u{202E}adA")), 422, "invalid_request", "name"),
        (with("visibility", json!("secret")), 422, "invalid_request", "visibility"),
        (with("visibility", json!("Private")), 422, "invalid_request", "visibility"),
        (with("deck", json!([])), 422, "invalid_deck", "deck"),
        (deck_with(|deck| drop(deck.pop())), 422, "invalid_deck", "deck"),
        (deck_with(|deck| deck.push("AC".into())), 422, "invalid_deck", "deck"),
        (deck_with(|deck| deck[51] = "AC".into()), 422, "invalid_deck", "deck"),
        (deck_with(|deck| deck[3] = "1C".into()), 422, "invalid_deck", "deck"),
        (deck_with(|deck| deck[3] = "4c".into()), 422, "invalid_deck", "deck"),
        (deck_with(|deck| deck[3] = String::new()), 422, "invalid_deck", "deck"),
        (json!({"game": "napoleons-square", "deck": pack()}), 422, "invalid_deck", "deck"),
        (json!({"game": "captive-queens", "deck": pack(), "seed": "a"}), 422, "invalid_request", "deck"),
        (json!({"game": "captive-queens", "pysolfc": "1", "seed": "a"}), 422, "invalid_request", "pysolfc"),
        (json!({"game": "captive-queens", "pysolfc": "1", "deck": pack()}), 422, "invalid_request", "pysolfc"),
        (json!({"game": "captive-queens", "pysolfc": "1", "deck": [], "seed": ""}), 422, "invalid_request", "pysolfc"),
    ];
    let no_numbers = ["", "-1", "+1", "01", "00", " 1", "1.0", "1e3", "ms1", "١", "100000000000000000001"];
    let too_long = "1".repeat(1_000);
    let no_numbers = no_numbers.into_iter().chain([too_long.as_str()]);
    cases.extend(no_numbers.map(|text| (with("pysolfc", json!(text)), 422, "invalid_request", "pysolfc")));
    // A value of a wrong type is always 400, and so is null: it is not the same as nothing.
    let wrong_types = [
        ("options", vec![json!(null), json!([]), json!("start"), json!(1)]),
        (
            "options",
            vec![json!({"redeals": null}), json!({"redeals": 1.5}), json!({"start": true}), json!({"start": []})],
        ),
        ("seed", vec![json!(null), json!(1), json!(["a"]), json!({})]),
        ("deck", vec![json!(null), json!("AC"), json!([1]), json!({"0": "AC"}), json!([["AC"]])]),
        ("pysolfc", vec![json!(null), json!(1), json!(["1"]), json!({})]),
        ("seats", vec![json!(null), json!("1"), json!(1.5), json!(true), json!([1])]),
        ("name", vec![json!(null), json!(1), json!(["Ada"])]),
        ("visibility", vec![json!(null), json!(1), json!(["private"])]),
        ("undo", vec![json!(null), json!("true"), json!(1), json!([])]),
        ("autoplay", vec![json!(null), json!("true"), json!(1), json!([])]),
    ];
    for (name, values) in wrong_types {
        cases.extend(values.into_iter().map(|value| (with(name, value), 400, "malformed_request", "")));
    }
    for (wish, status, code, field) in cases {
        let refused = app.wish(&wish).await.refused(status, code);
        assert!(field.is_empty() || refused.field() == field, "{wish}: {}", refused.text());
        assert_eq!(refused.header("location"), None);
    }
}

/// What is an object in the schema is not its values in a list, whatever a parser would make of them.
#[tokio::test]
async fn a_list_of_values_is_no_object() {
    let app = TestApp::start().await;
    app.wish(&json!(["captive-queens"])).await.refused(400, "malformed_request");
    app.wish(&json!(["captive-queens", {}, "seed"])).await.refused(400, "malformed_request");
    let seat = app.plain("napoleons-square").await;
    app.draw(&seat).await.expect(200);
    app.draw(&seat).await.expect(200);
    app.undo(&seat).await.expect(200);
    for (rest, body) in [
        ("/moves", json!(["draw"])),
        ("/moves", json!(["move", "waste", "tableau-1", 1])),
        ("/undo", json!([])),
        ("/redo", json!([])),
        ("/resign", json!([])),
    ] {
        let ask = Ask::post(&seat.at(rest)).token(&seat.token).json(&body);
        app.unmoved(&seat, app.ask(ask)).await.refused(400, "malformed_request");
    }
    let ask = Ask::delete(&seat.path).token(&seat.token).json(&json!([]));
    app.unmoved(&seat, app.ask(ask)).await.refused(400, "malformed_request");
}

#[tokio::test]
async fn values_at_their_limits_are_taken() {
    let app = TestApp::start().await;
    let cases = [
        json!({"seats": 1}),
        json!({"seats": 8}),
        json!({"seats": 8.0}),
        json!({"seed": "a"}),
        json!({"seed": "é".repeat(64)}),
        json!({"seed": "\u{0}\n \u{202E}"}),
        json!({"name": "ü".repeat(32)}),
        json!({"name": "🂡 ♥"}),
        json!({"options": {}}),
        json!({"options": {"redeals": 0}}),
        json!({"options": {"redeals": 10}}),
        json!({"deck": pack()}),
        json!({"pysolfc": "0"}),
        json!({"pysolfc": "100000000000000000000"}),
        json!({"autoplay": false}),
    ];
    for case in cases {
        let mut wish = case.clone();
        wish["game"] = json!("captive-queens");
        let session = app.create(wish).await.first;
        for name in ["seats", "name"] {
            match (&case[name], name) {
                (Value::Null, _) => {}
                (name, "name") => assert_eq!(session["players"][0]["name"], *name, "{case}"),
                (value, name) => assert_eq!(session[name].as_f64(), value.as_f64(), "{case}"),
            }
        }
    }
}

#[tokio::test]
async fn a_wish_is_judged_in_order_and_nothing_is_made_of_a_faulty_one() {
    let app = TestApp::limited(|limits| limits.store.sessions = 1).await;
    let json = |body: &str| Ask::post("/v1/sessions").header("content-type", "application/json").body(body);
    let long = format!("{{\"name\": \"{}\"", "a".repeat(70_000));
    // Each is at fault in everything that comes later too.
    app.ask(Ask::new("PUT", "/v1/sessions?x=1").body(long.as_str())).await.refused(405, "method_not_allowed");
    app.ask(Ask::post("/v1/sessions").body(long.as_str())).await.refused(413, "body_too_large");
    app.ask(Ask::post("/v1/sessions").body("{")).await.refused(415, "unsupported_media_type");
    app.ask(json(r#"{"game": "klondike", "seats": 1.5}"#)).await.refused(400, "malformed_request");
    app.ask(json(r#"{"game": "klondike"}"#)).await.refused(422, "invalid_request");
    // There is room for one, and it is still there.
    app.ask(json(r#"{"game": "captive-queens"}"#)).await.expect(201);
    app.ask(json(r#"{"game": "klondike"}"#)).await.refused(422, "invalid_request");
    app.ask(json(r#"{"game": "captive-queens"}"#)).await.refused(503, "at_capacity");
}

#[tokio::test]
async fn no_query_parameter_belongs_to_a_call_that_has_none() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let draw = json!({"type": "draw"});
    let (path, token) = (seat.path.clone(), seat.token.clone());
    let asks = [
        Ask::post("/v1/sessions?game=captive-queens").json(&json!({"game": "captive-queens"})),
        Ask::post(&format!("{path}/moves?version=1")).token(&token).json(&draw),
        Ask::post(&format!("{path}/undo?count=2")).token(&token),
        Ask::post(&format!("{path}/redo?x")).token(&token),
        Ask::post(&format!("{path}/resign?token={token}")).token(&token),
        Ask::delete(&format!("{path}?force=true")).token(&token),
        Ask::get(&format!("{path}?versoin=1")),
        Ask::get(&format!("{path}?version=1&version=1")),
        Ask::get(&format!("{path}?version=1&x=")),
        Ask::get(&format!("{path}/history?page=1")),
        Ask::get(&format!("{path}/history?limit=1&limit=1")),
        Ask::get(&format!("{path}/history?after=1&after=2")),
    ];
    for ask in asks {
        app.unmoved(&seat, app.ask(ask)).await.refused(400, "malformed_request");
    }
}

#[tokio::test]
async fn an_id_is_a_uuid_that_no_two_sessions_share() {
    let app = TestApp::start().await;
    let mut ids = HashSet::new();
    for _ in 0..50 {
        assert!(ids.insert(app.plain("captive-queens").await.id));
    }
}

#[tokio::test]
async fn what_is_no_id_and_what_is_no_session_is_answered_alike() {
    let app = TestApp::start().await;
    let unknown = "0b5f1ac8-9d0c-4c6e-a5d1-2e0d1e5a3c77";
    let ids =
        ["1", "%20", "..%2f", "%00", "%ff", "-", &unknown[1..], &format!("{unknown}0"), &"a".repeat(5_000), unknown];
    for rest in ["", "?version=1", "/history", "/moves", "/undo", "/redo", "/resign"] {
        let method = if rest.is_empty() || rest.contains(['?', 'y']) { "GET" } else { "POST" };
        let mut answers = HashSet::new();
        for id in ids {
            let answer = app.raw(method, &format!("/v1/sessions/{id}{rest}"), &[("content-length", "0")], b"").await;
            answers.insert(answer.refused(404, "no_such_session").without_its_id());
        }
        assert_eq!(answers.len(), 1, "{rest}: {answers:?}");
    }
}

#[tokio::test]
async fn paths_that_lead_nowhere_are_404_and_methods_that_are_none_405() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    for path in ["/v1", "/v1/", "/v1/sessions/", "//v1/sessions", "/V1/sessions", "/v1/sessions/a/b/c"] {
        app.raw("GET", path, &[], b"").await.refused(404, "no_such_path");
    }
    for rest in ["/", "/moves/", "/hints", "/history/1", "/undo/1"] {
        app.get(&seat.at(rest)).await.refused(404, "no_such_path");
    }
    let cases = [
        ("", ["PUT", "PATCH", "POST", "FLY"], vec!["GET", "HEAD", "DELETE", "OPTIONS"]),
        ("/moves", ["GET", "PUT", "DELETE", "HEAD"], vec!["POST", "OPTIONS"]),
        ("/undo", ["GET", "PUT", "DELETE", "PATCH"], vec!["POST", "OPTIONS"]),
        ("/redo", ["GET", "PUT", "DELETE", "TRACE"], vec!["POST", "OPTIONS"]),
        ("/resign", ["GET", "PUT", "DELETE", "FLY"], vec!["POST", "OPTIONS"]),
        ("/history", ["POST", "PUT", "DELETE", "PATCH"], vec!["GET", "HEAD", "OPTIONS"]),
    ];
    for (rest, methods, allowed) in cases {
        for method in methods {
            let ask = Ask::new(method, &seat.at(rest)).token(&seat.token);
            let refused = app.unmoved(&seat, app.ask(ask)).await.expect(405);
            let mut allow: Vec<&str> = refused.header("allow").unwrap().split(',').map(str::trim).collect();
            let mut expected = allowed.clone();
            allow.sort();
            expected.sort();
            assert_eq!(allow, expected, "{method} {rest}");
        }
    }
}

#[tokio::test]
async fn a_session_is_shown_as_it_stood_at_any_of_its_versions() {
    let app = TestApp::limited(|limits| limits.host.checkpoint_every = 4).await;
    let seat = app.plain("napoleons-square").await;
    let mut then = vec![seat.first.clone()];
    for step in 0..12 {
        app.clock.advance(std::time::Duration::from_millis(1_001));
        let answer = match step {
            5..=7 => app.undo(&seat).await,
            8 => app.redo(&seat).await,
            11 => app.resign(&seat).await,
            _ => app.draw(&seat).await,
        };
        then.push(answer.expect(200).json());
    }
    for (version, expected) in (1..).zip(&then) {
        let shown = app.get(&seat.at(&format!("?version={version}"))).await.expect(200);
        assert_eq!(shown.json(), *expected, "version {version}");
        assert_eq!(shown.header("etag"), Some(format!("\"{version}\"").as_str()));
    }
}

#[tokio::test]
async fn a_version_that_never_was_is_404_and_what_is_no_integer_400() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    for version in ["0", "2", "-1", "4294967296", "4294967297", "99999999999999999999", "-99999999999999999999"] {
        app.get(&seat.at(&format!("?version={version}"))).await.refused(404, "no_such_version");
    }
    for version in ["", "1.0", "1e0", "one", "%2B1", "+1", "0x1", "1%00", "%ff", "null", "%22", "1,1"] {
        let refused = app.get(&seat.at(&format!("?version={version}"))).await.refused(400, "malformed_request");
        assert_eq!(refused.field(), "version", "{version}");
    }
}

#[tokio::test]
async fn who_has_a_version_already_is_told_that_nothing_changed() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    app.draw(&seat).await.expect(200);
    let cases = [
        ("", "\"2\"", 304),
        ("", "\"1\", \"2\"", 304),
        ("", "\"1\",\"2\"", 304),
        ("", "W/\"2\"", 304),
        ("", "*", 304),
        ("", "\"1\"", 200),
        ("", "2", 200),
        ("", "\"02\"", 200),
        ("", "\"3\"", 200),
        ("", "nonsense", 200),
        ("?version=1", "\"1\"", 304),
        ("?version=1", "\"2\"", 200),
        ("?version=2", "\"2\"", 304),
    ];
    for (rest, tags, status) in cases {
        let path = seat.at(rest);
        for method in ["GET", "HEAD"] {
            let answer = app.ask(Ask::new(method, &path).if_none_match(tags)).await.expect(status);
            let version = if rest == "?version=1" { "\"1\"" } else { "\"2\"" };
            assert_eq!(answer.header("etag"), Some(version), "{rest} {tags}");
        }
    }
    // What is not there has not been seen.
    app.ask(Ask::get(&seat.at("?version=3")).if_none_match("*")).await.refused(404, "no_such_version");
    // `If-Match` is for changes.
    app.ask(Ask::get(&seat.path).if_match("\"1\"")).await.expect(200);
}

#[tokio::test]
async fn a_head_is_the_get_without_a_body() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    for rest in ["", "?version=1", "?version=9", "/history", "?x=1"] {
        let get = app.get(&seat.at(rest)).await;
        let head = app.ask(Ask::new("HEAD", &seat.at(rest))).await.expect(get.status);
        for name in ["content-type", "content-length", "etag", "content-location", "cache-control", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{rest}: {name}");
        }
    }
}

#[tokio::test]
async fn everybody_sees_the_same_bytes() {
    let app = TestApp::start().await;
    let (seat, other) = (app.plain("captive-queens").await, app.plain("captive-queens").await);
    app.draw(&seat).await.expect(200);
    let asks = [
        Ask::get(&seat.path),
        Ask::get(&seat.path).token(&seat.token),
        Ask::get(&seat.path).token(&other.token),
        Ask::get(&seat.path).header("accept", "text/html").header("accept-encoding", "gzip, br"),
        Ask::get(&seat.path).header("x-request-id", "mine").header("origin", "https://example.org"),
    ];
    let mut answers = HashSet::new();
    for ask in asks {
        let answer = app.ask(ask).await.expect(200);
        assert_ne!(answer.header("x-request-id"), Some("mine"), "the server makes it");
        answers.insert(answer.text());
    }
    assert_eq!(answers.len(), 1);
}

#[tokio::test]
async fn a_private_session_is_for_all_but_its_players_a_session_that_is_not_there() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "visibility": "private"})).await;
    let other = app.plain("captive-queens").await;
    app.draw(&seat).await.expect(200);
    let (secret, unknown) = (seat.path.as_str(), "/v1/sessions/0b5f1ac8-9d0c-4c6e-a5d1-2e0d1e5a3c77");

    let no_token: Vec<Option<String>> = vec![
        None,
        Some("Bearer".into()),
        Some(format!("Basic {}", seat.token)),
        Some(format!("Bearer {}", other.token)),
        Some(format!("Bearer {}", seat.invite.as_ref().unwrap())),
        Some(format!("Bearer {}", seat.token.to_uppercase())),
    ];
    let (json, tag) = (("content-type", "application/json"), ("if-match", "\"1\""));
    type Call<'a> = (&'a str, &'a str, Vec<(&'a str, &'a str)>, &'a str);
    let calls: Vec<Call<'_>> = vec![
        ("GET", "", vec![], ""),
        ("HEAD", "", vec![], ""),
        ("GET", "", vec![("if-none-match", "*")], ""),
        ("GET", "", vec![("if-none-match", "\"2\"")], ""),
        ("GET", "?version=1", vec![], ""),
        ("GET", "?version=99", vec![], ""),
        ("GET", "?version=x", vec![], ""),
        ("GET", "?x=y", vec![], ""),
        ("GET", "/history", vec![], ""),
        ("GET", "/history?limit=0", vec![], ""),
        ("GET", "/history?after=x", vec![], ""),
        ("DELETE", "", vec![], ""),
        ("DELETE", "", vec![tag], ""),
        ("PATCH", "", vec![], ""),
        ("POST", "/moves", vec![json], r#"{"type": "draw"}"#),
        ("POST", "/moves", vec![json, tag], r#"{"type": "draw"}"#),
        ("POST", "/moves", vec![json], r#"{"type": "fly"}"#),
        ("POST", "/moves", vec![json], "{"),
        ("POST", "/moves", vec![], ""),
        ("GET", "/moves", vec![], ""),
        ("POST", "/undo", vec![], ""),
        ("POST", "/redo", vec![], ""),
        ("POST", "/resign", vec![], ""),
    ];
    for (method, rest, headers, body) in calls {
        for token in &no_token {
            let ask = |path: &str| {
                let mut ask = Ask::new(method, &format!("{path}{rest}"));
                if !body.is_empty() {
                    ask = ask.body(body);
                }
                for (name, value) in
                    headers.iter().copied().chain(token.as_deref().map(|token| ("authorization", token)))
                {
                    ask = ask.header(name, value);
                }
                app.ask(ask)
            };
            let (there, nowhere) = (ask(secret).await, ask(unknown).await);
            assert_eq!(there.without_its_id(), nowhere.without_its_id(), "{method} {rest} {token:?}");
            assert!([404, 405].contains(&there.status), "{method} {rest} {token:?}");
        }
    }
    assert_eq!(app.session(&seat).await["version"], 2, "nothing has happened to it");
    app.delete(&seat).await.expect(204);
}

#[tokio::test]
async fn an_invite_lets_nobody_play_or_watch() {
    let app = TestApp::start().await;
    for (visibility, status) in [("private", 404), ("public", 201), ("unlisted", 201)] {
        let seat = app.create(json!({"game": "captive-queens", "visibility": visibility, "seats": 2})).await;
        assert_eq!(seat.invite.is_some(), status == 404, "{visibility}");
        if let Some(invite) = &seat.invite {
            app.ask(Ask::get(&seat.path).token(invite)).await.refused(404, "no_such_session");
        }
    }
}
