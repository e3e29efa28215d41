//! Requests of those who mean no good, or whose program is broken: each gets its problem, and the
//! session is afterwards what it was.

use std::time::Duration;

use serde_json::json;

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::raw::{Raw, head};

/// The head of a move whose body comes in another way.
fn moving(seat: &Seat, how: (&str, &str)) -> String {
    let authorization = format!("Bearer {}", seat.token);
    head("POST", &seat.at("/moves"), &[("authorization", &authorization), ("content-type", "application/json"), how])
}

const CHUNKED: (&str, &str) = ("transfer-encoding", "chunked");

/// The next answer, to a move.
async fn answer(app: &TestApp, raw: &mut Raw, seat: &Seat) -> crate::client::Answer {
    app.answer(raw, "POST", &seat.at("/moves")).await
}

async fn impatient() -> TestApp {
    TestApp::limited(|limits| limits.http.body_timeout = Duration::from_millis(300)).await
}

#[tokio::test]
async fn a_body_that_never_ends_times_out() {
    let app = impatient().await;
    let seat = app.plain("napoleons-square").await;
    let beginnings = [
        (CHUNKED, ""),
        (CHUNKED, "5\r\n{\"typ\r\n"),
        (CHUNKED, "10\r\n{\"type\": \"draw\"}\r\n"),
        (("content-length", "16"), "{\"type\": \"draw\""),
        (("content-length", "16"), ""),
        (("content-length", "65536"), "{\"type\": \"draw\"}"),
    ];
    for (how, beginning) in beginnings {
        let answer = app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(moving(&seat, how)).await;
            raw.send(beginning).await;
            answer(&app, &mut raw, &seat).await
        });
        answer.await.refused(408, "request_timeout");
    }
    let wish =
        app.raw("POST", "/v1/sessions", &[("content-type", "application/json"), ("content-length", "9")], b"{").await;
    wish.refused(408, "request_timeout");
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_as_soon_as_that_is_known() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    // Announced, and not a byte of it is sent.
    for length in ["65537", "100000000", "18446744073709551000"] {
        let answer = app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(moving(&seat, ("content-length", length))).await;
            answer(&app, &mut raw, &seat).await
        });
        answer.await.refused(413, "body_too_large");
    }
    // Unannounced, a hundred megabytes if the server lets it.
    let answer = app.unmoved(&seat, async {
        let mut raw = Raw::connect(app.address).await;
        raw.send(moving(&seat, CHUNKED)).await;
        let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x1_0000));
        let mut sent = 0;
        while sent < 1_600 && raw.send(&chunk).await {
            sent += 1;
        }
        assert!(sent < 1_600, "the server has taken all of it");
        answer(&app, &mut raw, &seat).await
    });
    answer.await.refused(413, "body_too_large");
    // The longest that is taken, and one byte more.
    let pad = |length: usize| format!("{}{}", r#"{"type": "redeal"}"#, " ".repeat(length - 18));
    let ask = |body: String| {
        let ask = Ask::post(&seat.at("/moves")).token(&seat.token).header("content-type", "application/json");
        app.unmoved(&seat, app.ask(ask.body(body)))
    };
    ask(pad(65_536)).await.refused(422, "illegal_move");
    ask(pad(65_537)).await.refused(413, "body_too_large");
}

#[tokio::test]
async fn what_is_no_json_is_malformed_wherever_it_comes() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let deep = |open: &str| open.repeat(60_000 / open.len());
    let bodies: Vec<Vec<u8>> = vec![
        b"\xff\xfe".to_vec(),
        b"{\"type\": \"\xff\"}".to_vec(),
        b"{\"type\": \"dr\xc3\"}".to_vec(),
        b"{\"\xc0\x80\": 1}".to_vec(),
        b"{\"type\": \"\xed\xa0\x80\"}".to_vec(),
        b"\xef\xbb\xbf{\"type\": \"draw\"}".to_vec(),
        b"\x00".to_vec(),
        b"{\"type\": \"draw\"}\x00".to_vec(),
        b"{\"type\": \"dr\naw\"}".to_vec(),
        br#"{"type": "\ud800"}"#.to_vec(),
        br#"{"type": "\x41"}"#.to_vec(),
        b"{\0\"\0".to_vec(),
        b"type=draw".to_vec(),
        b"<move/>".to_vec(),
        deep("[").into(),
        deep("{\"type\":").into(),
        deep("{\"options\":{\"start\":").into(),
        deep("[{\"a\":").into(),
        format!("{{\"type\": {}1{}}}", "[".repeat(5_000), "]".repeat(5_000)).into(),
        format!(
            "{{\"game\": \"captive-queens\", \"options\": {{\"start\": {}{}}}}}",
            "[".repeat(5_000),
            "]".repeat(5_000)
        )
        .into(),
        format!("{{\"from\": {}", "9".repeat(60_000)).into(),
    ];
    let json = |path: &str, body: &[u8]| Ask::post(path).header("content-type", "application/json").body(body);
    for body in bodies {
        let text = String::from_utf8_lossy(&body).chars().take(60).collect::<String>();
        app.ask(json("/v1/sessions", &body)).await.refused(400, "malformed_request");
        for rest in ["/moves", "/undo", "/redo", "/resign"] {
            let refused = app.unmoved(&seat, app.ask(json(&seat.at(rest), &body).token(&seat.token))).await;
            assert!(refused.body.len() < 2_000, "{text}: what was sent is not sent back");
            refused.refused(400, "malformed_request");
        }
    }
}

#[tokio::test]
async fn a_key_that_is_there_twice_is_malformed_at_every_level() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let json = |path: &str, body: &str| Ask::post(path).header("content-type", "application/json").body(body);
    let wishes = [
        r#"{"game": "captive-queens", "game": "captive-queens"}"#,
        r#"{"game": "captive-queens", "g\u0061me": "captive-queens"}"#,
        r#"{"game": "captive-queens", "seats": 1, "seats": 2}"#,
        r#"{"game": "captive-queens", "options": {}, "options": {}}"#,
        r#"{"game": "captive-queens", "options": {"redeals": 1, "redeals": 1}}"#,
        r#"{"game": "captive-queens", "options": {"redeals": 1, "start": "full", "r\u0065deals": 2}}"#,
        r#"{"game": "captive-queens", "options": {"none": 1, "none": 1}}"#,
        r#"{"game": "captive-queens", "undo": true, "seed": "a", "undo": true}"#,
    ];
    for wish in wishes {
        app.ask(json("/v1/sessions", wish)).await.refused(400, "malformed_request");
    }
    let moves = [
        r#"{"type": "draw", "type": "draw"}"#,
        r#"{"type": "draw", "\u0074ype": "draw"}"#,
        r#"{"type": "move", "from": "waste", "to": "tableau-1", "to": "tableau-2"}"#,
        r#"{"type": "move", "from": "waste", "to": "tableau-1", "count": 1, "count": 1}"#,
    ];
    for body in moves {
        let ask = json(&seat.at("/moves"), body).token(&seat.token);
        app.unmoved(&seat, app.ask(ask)).await.refused(400, "malformed_request");
    }
}

#[tokio::test]
async fn a_field_without_a_name_is_malformed_and_not_named() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let json = |path: &str, body: &str| Ask::post(path).header("content-type", "application/json").body(body);
    let asks = [
        Ask::get("/v1/games?=1"),
        Ask::get(&seat.at("?=&=")),
        Ask::get(&seat.at("/history?limit=4&=null")),
        json("/v1/sessions", r#"{"game": "captive-queens", "": 1}"#),
        json(&seat.at("/moves"), r#"{"type": "draw", "": 1}"#).token(&seat.token),
        json(&seat.at("/undo"), r#"{"": null}"#).token(&seat.token),
    ];
    for ask in asks {
        let refused = app.unmoved(&seat, app.ask(ask)).await.refused(400, "malformed_request");
        assert!(refused.json()["field"].is_null(), "{}", refused.text());
    }
}

#[tokio::test]
async fn numbers_out_of_range_are_422_and_what_is_no_whole_number_400() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let cases: [(&str, &[u16]); 17] = [
        ("1.5", &[400]),
        ("1e-1", &[400]),
        ("null", &[400]),
        ("true", &[400]),
        ("\"1\"", &[400]),
        ("[1]", &[400]),
        ("{}", &[400]),
        ("01", &[400]),
        ("+1", &[400]),
        ("0x1", &[400]),
        ("NaN", &[400]),
        ("-", &[400]),
        ("-1", &[422]),
        ("0", &[422]),
        ("-0", &[422]),
        ("99999999999999999999", &[422]),
        // A whole number, but of the kind that JSON lets a parser refuse.
        ("1e400", &[400, 422]),
    ];
    let json = |path: &str, body: &str| Ask::post(path).header("content-type", "application/json").body(body);
    for (number, statuses) in cases {
        let wish = format!(r#"{{"game": "captive-queens", "seats": {number}}}"#);
        let answer = app.ask(json("/v1/sessions", &wish)).await;
        assert!(statuses.contains(&answer.status), "seats {number}: {}", answer.text());
        let play = format!(r#"{{"type": "move", "from": "tableau-1", "to": "tableau-2", "count": {number}}}"#);
        let answer = app.unmoved(&seat, app.ask(json(&seat.at("/moves"), &play).token(&seat.token))).await;
        assert!(statuses.contains(&answer.status), "count {number}: {}", answer.text());
        let wish = format!(r#"{{"game": "captive-queens", "options": {{"redeals": {number}}}}}"#);
        let answer = app.ask(json("/v1/sessions", &wish)).await;
        match number {
            "0" | "-0" => drop(answer.expect(201)),
            "\"1\"" => drop(answer.refused(422, "invalid_request")),
            _ => assert!(statuses.contains(&answer.status), "redeals {number}: {}", answer.text()),
        }
    }
}

#[tokio::test]
async fn names_of_piles_may_be_anything_and_are_then_of_none() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let long = "tableau-".repeat(3_000);
    let names = [
        "tableau-99999999999",
        "tableau--1",
        "tableau-1 ",
        " tableau-1",
        "tableau-１",
        "tableau-1\u{0}",
        "../waste",
        "",
        &long,
    ];
    for name in names {
        for (from, to) in [(name, "waste"), ("waste", name), (name, name)] {
            let play = json!({"type": "move", "from": from, "to": to});
            let refused = app.unmoved(&seat, app.play(&seat, &play)).await.refused(422, "illegal_move");
            assert_eq!(refused.reason(), "no_such_pile");
            assert!(refused.body.len() < 1_000, "what was sent is not sent back");
        }
    }
}

#[tokio::test]
async fn strange_paths_lead_nowhere() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let long = format!("/{}", "a/".repeat(4_000));
    let paths = [
        "/%00",
        "/%ff",
        "/%",
        "/%zz",
        "/v1/%67ames",
        "/v1//games",
        "/v1/./games",
        "/v1/games/../games",
        "/v1/%2e%2e/healthz",
        "/v1\\games",
        "*",
        &long,
    ];
    for path in paths {
        for method in ["GET", "POST", "DELETE", "PROPFIND"] {
            let mut raw = Raw::connect(app.address).await;
            raw.send(head(method, path, &[("content-length", "0")])).await;
            // What the HTTP library does not take for a request is its own affair.
            let Some(answer) = raw.answer(path).await else { continue };
            if answer.status == 400 && answer.body.is_empty() {
                continue;
            }
            app.check(&Ask::new(method, path), &answer);
            answer.refused(404, "no_such_path");
        }
    }
    for end in ["%00", "%ff", "%2f", "/", "%20"] {
        let path = format!("{}{end}", seat.path);
        let code = if end == "/" { "no_such_path" } else { "no_such_session" };
        app.unmoved(&seat, app.raw("GET", &path, &[], b"")).await.refused(404, code);
        app.unmoved(&seat, app.raw("DELETE", &path, &[], b"")).await.refused(404, code);
    }
}

#[tokio::test]
async fn too_long_a_head_is_refused_and_the_server_lives_on() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let many: String = (0..5_000).map(|number| format!("x-{number}: {number}\r\n")).collect();
    let heads = [
        format!("POST {} HTTP/1.1\r\nhost: patience\r\n{many}\r\n", seat.at("/resign")),
        format!("POST {} HTTP/1.1\r\nhost: patience\r\nx: {}\r\n\r\n", seat.at("/resign"), "x".repeat(2_000_000)),
        format!("GET /{} HTTP/1.1\r\nhost: patience\r\n\r\n", "a".repeat(100_000)),
        format!("GET {}?version={} HTTP/1.1\r\nhost: patience\r\n\r\n", seat.path, "1".repeat(1_000_000)),
        format!("{} / HTTP/1.1\r\nhost: patience\r\n\r\n", "A".repeat(1_000_000)),
    ];
    for text in heads {
        let answer = app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(&text).await;
            raw.answer("a long head").await
        });
        let status = answer.await.map_or(431, |answer| answer.status);
        assert!([400, 414, 431].contains(&status), "{status} for {:.60}", text);
    }
}

#[tokio::test]
async fn what_is_no_request_is_none_and_the_server_lives_on() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let texts = [
        "\r\n\r\n\r\n\r\nnonsense\r\n\r\n",
        "GET\r\n\r\n",
        "GET /healthz\r\n\r\n",
        "GET /healthz HTTP/3.0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\u{fc}\x03\x03",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
    ];
    for text in texts {
        let answer = app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(text).await;
            raw.finish();
            raw.answer(text).await
        });
        let status = answer.await.map_or(400, |answer| answer.status);
        assert!([400, 505].contains(&status), "{text:?}: {status}");
    }
}

#[tokio::test]
async fn a_connection_that_is_slow_to_ask_is_closed() {
    let app = TestApp::limited(|limits| limits.http.head_timeout = Duration::from_millis(300)).await;
    let seat = app.plain("captive-queens").await;
    let moving = moving(&seat, ("content-length", "16"));
    for beginning in ["", "G", "GET /healthz HTTP/1.1\r\nhost", &moving[..moving.len() - 2]] {
        app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(beginning).await;
            // The HTTP library may say 408 before it closes.
            if let Some(answer) = raw.answer(beginning).await {
                assert_eq!(answer.status, 408);
                raw.is_closed().await;
            }
        })
        .await;
    }
    // The same goes for the time between two requests.
    let mut raw = Raw::connect(app.address).await;
    raw.send(head("GET", "/healthz", &[])).await;
    app.answer(&mut raw, "GET", "/healthz").await.expect(200);
    raw.is_closed().await;
}

#[tokio::test]
async fn half_a_request_does_nothing() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let whole = moving(&seat, ("content-length", "16")) + r#"{"type": "draw"}"#;
    for length in (1..whole.len()).step_by(7).chain([whole.len() - 1]) {
        app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(&whole[..length]).await;
            raw.finish();
            if let Some(answer) = raw.answer("half a request").await {
                assert_eq!(answer.status, 400, "{length} bytes");
            }
        })
        .await;
    }
    let chunked = moving(&seat, CHUNKED);
    for body in [
        "",
        "10",
        "10\r\n{\"type\": \"draw\"}",
        "10\r\n{\"type\": \"draw\"}\r\n",
        "10\r\n{\"type\": \"draw\"}\r\n0\r\n",
        "xyz\r\n",
        "-1\r\n",
    ] {
        app.unmoved(&seat, async {
            let mut raw = Raw::connect(app.address).await;
            raw.send(format!("{chunked}{body}")).await;
            raw.finish();
            if let Some(answer) = raw.answer(body).await {
                app.check(&Ask::post(&seat.at("/moves")), &answer);
                answer.refused(400, "malformed_request");
            }
        })
        .await;
    }
}

#[tokio::test]
async fn who_asks_first_whether_to_go_on_is_told() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let expecting = |length: &str| {
        moving(&seat, ("content-length", length)).replacen("\r\n\r\n", "\r\nexpect: 100-continue\r\n\r\n", 1)
    };
    let mut raw = Raw::connect(app.address).await;
    raw.send(expecting("16")).await;
    assert_eq!(raw.answer("expecting").await.unwrap().status, 100);
    raw.send(r#"{"type": "draw"}"#).await;
    assert_eq!(answer(&app, &mut raw, &seat).await.expect(200).version(), 2);
    let mut raw = Raw::connect(app.address).await;
    raw.send(expecting("100000000")).await;
    answer(&app, &mut raw, &seat).await.refused(413, "body_too_large");
}

#[tokio::test]
async fn a_get_does_not_care_for_a_body() {
    let app = impatient().await;
    let seat = app.plain("captive-queens").await;
    for (length, body) in [("16", r#"{"type": "draw"}"#), ("100000000", "[[["), ("5", "")] {
        let answer = app.raw("GET", &seat.path, &[("content-length", length)], body.as_bytes()).await;
        assert_eq!(answer.expect(200).json(), seat.first);
    }
}
