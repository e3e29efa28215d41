//! `/v1/sessions/{id}/events` and `/presence`: what those are told who watch.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use patience::http::Stop;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::dice::Dice;
use crate::raw::{Raw, head};
use crate::watching::Event;

async fn table(app: &TestApp, seats: u64) -> Seat {
    app.create(json!({"game": "napoleons-square", "seats": seats, "seed": "events"})).await
}

async fn join(app: &TestApp, table: &Seat) -> Seat {
    let joined = app.ask(Ask::post(&table.at("/players"))).await.expect(201).json();
    Seat::of(&joined)
}

/// Draws and undoes in turns, so that there is always something left to do.
async fn change(app: &TestApp, seat: &Seat, number: usize) -> u64 {
    let answer = match number % 2 {
        0 => app.draw(seat).await,
        _ => app.undo(seat).await,
    };
    answer.expect(200).version()
}

#[tokio::test]
async fn a_stream_tells_how_the_session_stands_and_then_each_change_in_order() {
    let app = TestApp::start().await;
    let seat = table(&app, 2).await;
    app.draw(&seat).await.expect(200);
    let mut stream = app.watch(&seat.path, None, None).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("vary", "Authorization"),
    ] {
        assert_eq!(stream.header(name), value, "{name}");
    }
    assert_eq!(stream.retry().await, "2000");
    let snapshot = stream.next().await.named("snapshot");
    assert_eq!((snapshot.id, &snapshot.data["from"], &snapshot.data["to"]), (Some(2), &json!(1), &json!(2)));
    assert_eq!(snapshot.data["session"], app.session(&seat).await);

    let second = join(&app, &seat).await;
    app.draw(&second).await.expect(200);
    app.undo(&seat).await.expect(200);
    app.redo(&second).await.expect(200);
    app.ask(Ask::delete(&seat.at("/players/2")).token(&second.token)).await.expect(204);
    app.resign(&seat).await.expect(200);
    let history = app.history(&seat).await;
    for version in 3..=8 {
        let change = stream.next_change().await;
        assert_eq!(change.id, Some(version));
        assert_eq!(change.data["entry"], history[version as usize - 1]);
        let shown = app.get(&seat.at(&format!("?version={version}"))).await.expect(200).json();
        assert_eq!(change.data["session"], shown);
    }
}

#[tokio::test]
async fn who_comes_back_is_told_what_he_has_missed_and_nothing_twice() {
    let app = TestApp::start().await;
    let seat = table(&app, 1).await;
    for number in 0..9 {
        change(&app, &seat, number).await;
    }
    // By the header, by the query, and by the header if there are both.
    for (header, query, first) in [(Some("4"), None, 5), (None, Some("7"), 8), (Some("9"), Some("2"), 10)] {
        let mut stream = app.watch(&seat.path, header, query).await;
        for version in first..=10 {
            assert_eq!(stream.next_change().await.id, Some(version), "{header:?} {query:?}");
        }
    }
    // Who has seen everything is told of the next change first.
    let mut stream = app.watch(&seat.path, Some("10"), None).await;
    change(&app, &seat, 9).await;
    assert_eq!(stream.next_change().await.id, Some(11));

    for nonsense in ["0", "-1", "12", "99999999999999999999", "x", "1.0", "\"4\"", ""] {
        for (header, query) in [(Some(nonsense), None), (None, Some(nonsense))] {
            let mut stream = app.watch(&seat.path, header, query).await;
            let snapshot = stream.next().await.named("snapshot");
            assert_eq!((snapshot.id, &snapshot.data["from"]), (Some(11), &json!(1)), "{nonsense:?}");
        }
    }
    app.get(&seat.at("/events?before=3")).await.refused(400, "malformed_request");
}

#[tokio::test]
async fn who_is_256_versions_behind_is_told_of_each_and_who_is_further_behind_of_where_they_led() {
    let app = TestApp::start().await;
    let seat = table(&app, 1).await;
    for number in 0..299 {
        change(&app, &seat, number).await;
    }
    let mut near = app.watch(&seat.path, Some("44"), None).await;
    for version in 45..=300 {
        assert_eq!(near.next_change().await.id, Some(version));
    }
    let mut far = app.watch(&seat.path, Some("43"), None).await;
    let snapshot = far.next().await.named("snapshot");
    assert_eq!((snapshot.id, &snapshot.data["from"], &snapshot.data["to"]), (Some(300), &json!(44), &json!(300)));
    for stream in [&mut near, &mut far] {
        stream.must_be_silent().await;
    }
    change(&app, &seat, 299).await;
    for stream in [&mut near, &mut far] {
        assert_eq!(stream.next_change().await.id, Some(301));
    }
}

#[tokio::test]
async fn a_stream_ends_with_a_reason() {
    let app = TestApp::start().await;
    let (deleted, expired, left) = (table(&app, 1).await, table(&app, 1).await, table(&app, 2).await);
    let mut streams = Vec::new();
    for seat in [&deleted, &expired, &left] {
        let mut stream = app.watch_as(&seat.path, &seat.token).await;
        stream.next().await.named("snapshot");
        streams.push(stream);
    }
    app.delete(&deleted).await.expect(204);
    streams[0].ends_because("deleted").await;

    app.ask(Ask::delete(&left.at("/players/1")).token(&left.token)).await.expect(204);
    assert_eq!(streams[2].next_change().await.data["entry"]["type"], "left");
    streams[2].ends_because("seat_left").await;

    app.clock.advance(Duration::from_secs(3_600));
    app.host.sweep().await.unwrap();
    streams[1].ends_because("expired").await;

    let seat = table(&app, 1).await;
    let mut stream = app.watch(&seat.path, None, None).await;
    stream.next().await.named("snapshot");
    let stopped = app.told(Stop::Prompt);
    stream.ends_because("shutting_down").await;
    stopped.await.unwrap();
}

#[tokio::test]
async fn a_private_session_is_watched_by_its_players_and_not_after_they_have_left() {
    let app = TestApp::start().await;
    let host = app.create(json!({"game": "napoleons-square", "seats": 2, "visibility": "private"})).await;
    let invite = json!({"invite": host.invite});
    let joined = app.ask(Ask::post(&host.at("/players")).json(&invite)).await.expect(201).json();
    let guest = Seat::of(&joined);
    for path in [host.at("/events"), host.at("/presence")] {
        app.get(&path).await.refused(404, "no_such_session");
        app.ask(Ask::get(&path).token(host.invite.as_deref().unwrap())).await.refused(404, "no_such_session");
    }
    let mut stream = app.watch_as(&host.path, &guest.token).await;
    stream.next().await.named("snapshot");
    app.draw(&host).await.expect(200);
    assert_eq!(stream.next_change().await.id, Some(3));
    // Whatever happens at once: what comes after the leaving is not for the one who has left.
    app.ask(Ask::delete(&host.at("/players/2")).token(&host.token)).await.expect(204);
    app.draw(&host).await.expect(200);
    app.draw(&host).await.expect(200);
    assert_eq!(stream.next_change().await.id, Some(4));
    stream.ends_because("seat_left").await;
    app.ask(Ask::get(&host.at("/events")).token(&guest.token)).await.refused(404, "no_such_session");
}

#[tokio::test]
async fn who_is_online_and_how_many_watch_is_told_beside_the_session_and_gathered() {
    let app = TestApp::start().await;
    let host = table(&app, 3).await;
    let guest = join(&app, &host).await;
    let before = app.show(&host).await.text();
    let presence = async || app.get(&host.at("/presence")).await.expect(200).json();
    assert_eq!(presence().await, json!({"online": [], "watchers": 0}));

    let mut watcher = app.watch(&host.path, None, None).await;
    watcher.next().await.named("snapshot");
    let mut streams = Vec::new();
    for token in [&guest.token, &guest.token, &host.token] {
        streams.push(app.watch_as(&host.path, token).await);
    }
    // A token of another session is none here: whoever has it watches.
    let stranger = table(&app, 1).await;
    streams.push(app.watch_as(&host.path, &stranger.token).await);
    assert_eq!(presence().await, json!({"online": [1, 2], "watchers": 2}));
    let told = watcher.next_aside("presence").await;
    assert_eq!((told.id, told.data), (None, json!({"online": [1, 2], "watchers": 2})));

    streams.truncate(1);
    let told = watcher.next_aside("presence").await;
    assert_eq!(told.data, json!({"online": [2], "watchers": 1}));
    assert_eq!(presence().await, told.data);
    assert_eq!(app.show(&host).await.text(), before);
}

#[tokio::test]
async fn there_are_so_many_streams_and_no_more() {
    let app = TestApp::limited(|limits| {
        (limits.host.watchers, limits.http.streams_per_network, limits.http.streams) = (2, 3, 100);
    })
    .await;
    let (one, other) = (table(&app, 1).await, table(&app, 1).await);
    let mut streams = vec![app.watch(&one.path, None, None).await, app.watch(&one.path, None, None).await];
    app.get(&one.at("/events")).await.refused(503, "busy");
    // Strangers take no place from the player.
    drop(app.watch_as(&one.path, &one.token).await);
    until(async || app.get(&one.at("/presence")).await.json()["online"] == json!([])).await;
    streams.push(app.watch(&other.path, None, None).await);
    let refused = app.get(&other.at("/events")).await.refused(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("15"));
    streams.clear();
    until(async || app.get(&one.at("/presence")).await.json()["watchers"] == 0).await;
    app.watch(&one.path, None, None).await.next().await.named("snapshot");

    let app = TestApp::limited(|limits| limits.http.streams = 1).await;
    let seat = table(&app, 1).await;
    let _stream = app.watch(&seat.path, None, None).await;
    app.get(&seat.at("/events")).await.refused(503, "busy");
}

/// Waits until something is so.
async fn until(is_so: impl AsyncFn() -> bool) {
    while !is_so().await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn who_hangs_up_is_gone_at_once() {
    let app = TestApp::start().await;
    let seat = table(&app, 1).await;
    let mut stream = app.watch_as(&seat.path, &seat.token).await;
    stream.next().await.named("snapshot");
    assert_eq!(app.get(&seat.at("/presence")).await.json()["online"], json!([1]));
    drop(stream);
    until(async || app.get(&seat.at("/presence")).await.json()["online"] == json!([])).await;
}

#[tokio::test]
async fn a_stream_that_is_silent_gives_signs_of_life() {
    let app = TestApp::limited(|limits| limits.http.heartbeat = Duration::from_millis(20)).await;
    let seat = table(&app, 1).await;
    let mut stream = app.watch(&seat.path, None, None).await;
    stream.next().await.named("snapshot");
    for _ in 0..3 {
        stream.heartbeat().await;
    }
}

#[tokio::test]
async fn what_is_watched_stays_at_hand_however_much_else_is_asked_for() {
    let app = TestApp::limited(|limits| limits.host.live_sessions = 1).await;
    let seats = [table(&app, 1).await, table(&app, 1).await, table(&app, 1).await];
    let mut streams = Vec::new();
    for seat in &seats {
        streams.push(app.watch(&seat.path, Some("1"), None).await);
    }
    for number in 0..20 {
        for seat in &seats {
            table(&app, 1).await;
            change(&app, seat, number).await;
        }
    }
    for stream in &mut streams {
        for version in 2..=21 {
            assert_eq!(stream.next_change().await.id, Some(version));
        }
    }
}

#[tokio::test]
async fn a_change_that_was_under_way_when_its_session_was_set_aside_is_told_at_once() {
    let app = TestApp::limited(|limits| limits.host.live_sessions = 1).await;
    let seat = table(&app, 1).await;
    let body = r#"{"type": "draw"}"#;
    let authorization = format!("Bearer {}", seat.token);
    let headers = [("authorization", &*authorization), ("content-type", "application/json"), ("content-length", "16")];
    let mut raw = Raw::connect(app.address).await;
    raw.send(head("POST", &seat.at("/moves"), &headers)).await;
    raw.send(&body[..5]).await;
    for _ in 0..10 {
        table(&app, 1).await;
    }
    let mut stream = app.watch(&seat.path, None, None).await;
    stream.next().await.named("snapshot");
    raw.send(&body[5..]).await;
    assert_eq!(app.answer(&mut raw, "POST", &seat.at("/moves")).await.expect(200).version(), 2);
    assert_eq!(stream.next_change().await.id, Some(2));
}

/// How many changes are made in the long run; `PATIENCE_CHANGES=5000` is what a release is tried with.
fn changes() -> usize {
    std::env::var("PATIENCE_CHANGES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

const PLAYERS: usize = 8;
const WATCHERS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn eight_players_and_their_watchers_see_one_order_whoever_is_cut_off() {
    let app = Arc::new(TestApp::limited(|limits| limits.http.streams_per_network = 1_000).await);
    let host = table(&app, PLAYERS as u64).await;
    let mut players = vec![host.clone()];
    for _ in 1..PLAYERS {
        players.push(join(&app, &host).await);
    }
    let last = (PLAYERS + changes()) as u64;
    let watching = (0..PLAYERS * WATCHERS).map(|number| {
        let (app, token) = (app.clone(), players[number % PLAYERS].token.clone());
        tokio::spawn(watch_and_be_cut_off(app, host.clone(), token, number as u64, last))
    });
    let watching: Vec<_> = watching.collect();
    let playing = players.iter().enumerate().map(|(number, seat)| {
        let (app, seat) = (app.clone(), seat.clone());
        tokio::spawn(async move {
            let share = changes() / PLAYERS + usize::from(number < changes() % PLAYERS);
            let mut made = 0;
            while made < share {
                // What one has drawn another may have taken back, so some are refused.
                let draws = app.draw(&seat).await;
                made += usize::from(draws.status == 200);
                if made < share {
                    made += usize::from(app.undo(&seat).await.status == 200);
                }
            }
        })
    });
    for player in playing.collect::<Vec<_>>() {
        player.await.unwrap();
    }
    let history = app.history(&host).await;
    assert_eq!(history.len() as u64, last);
    for watcher in watching {
        let seen = timeout(Duration::from_secs(60), watcher).await.expect("a watcher waits for ever").unwrap();
        assert_eq!(seen.len() as u64, last, "gaps, or what came twice");
        assert!(seen.values().eq(&history), "another order");
    }
}

/// All entries as somebody has seen them whose connection breaks now and then: each once, but for those
/// that a snapshot stood for, which are read in the history.
async fn watch_and_be_cut_off(
    app: Arc<TestApp>,
    table: Seat,
    token: String,
    number: u64,
    last: u64,
) -> BTreeMap<u64, Value> {
    let mut dice = Dice::new(number);
    let mut seen = BTreeMap::new();
    let mut place: u64 = 0;
    while place < last {
        let known = (place > 0).then(|| place.to_string());
        let mut stream = app.watch_with(&table.path, Some(&token), known.as_deref(), None).await;
        for _ in 0..1 + dice.below(60) {
            if place == last {
                break;
            }
            let Event { id, name, data, .. } = stream.next().await;
            match name.as_str() {
                "change" => {
                    assert_eq!(id, Some(place + 1), "watcher {number} is not told of what comes next");
                    assert!(seen.insert(place + 1, data["entry"].clone()).is_none());
                }
                "snapshot" => {
                    assert_eq!(data["from"], place + 1);
                    let to = data["to"].as_u64().unwrap();
                    for entry in history_between(&app, &table, place, to).await {
                        assert!(seen.insert(entry["version"].as_u64().unwrap(), entry).is_none());
                    }
                }
                _ => continue,
            }
            place = id.unwrap();
        }
    }
    seen
}

async fn history_between(app: &TestApp, table: &Seat, after: u64, to: u64) -> Vec<Value> {
    let mut entries = Vec::new();
    let mut after = after;
    while after < to {
        let limit = (to - after).min(1_000);
        let page = app.get(&table.at(&format!("/history?after={after}&limit={limit}"))).await.expect(200).json();
        entries.extend(page["items"].as_array().unwrap().iter().cloned());
        after += limit;
    }
    entries
}

#[tokio::test]
async fn a_race_is_told_from_its_first_player_to_its_end() {
    let app = TestApp::start().await;
    let wish = json!({"game": "topsy-turvy-queens", "seats": 2});
    let made = app.ask(Ask::post("/v1/races").json(&wish)).await.expect(201).json();
    let path = format!("/v1/races/{}", made["race"]["id"].as_str().unwrap());
    let host = made["token"].as_str().unwrap();
    let mut stream = app.watch(&path, None, None).await;
    let snapshot = stream.next().await.named("snapshot");
    assert_eq!((&snapshot.data["from"], snapshot.id), (&json!(1), Some(1)));
    assert_eq!(snapshot.data["race"], app.get(&path).await.json());

    let joined = app.ask(Ask::post(&format!("{path}/players")).json(&json!({"name": "Bo"}))).await.expect(201).json();
    let guest = joined["token"].as_str().unwrap().to_string();
    let told = stream.next_change().await;
    assert_eq!((&told.data["entry"]["type"], &told.data["entry"]["name"]), (&json!("joined"), &json!("Bo")));
    app.ask(Ask::post(&format!("{path}/start")).token(host)).await.expect(200);
    let told = stream.next_change().await;
    assert_eq!(told.data["entry"]["type"], "started");
    assert_eq!(told.data["race"]["status"], "running");
    let standings = stream.next().await.named("standings").data["standings"].clone();
    assert_eq!(standings.as_array().unwrap().len(), 2);

    // Moves are told as standings, gathered, and not as changes.
    let session = |seat: u64| {
        let of_seat = |standing: &&Value| standing["seat"] == seat;
        let standing = standings.as_array().unwrap().iter().find(of_seat).unwrap();
        format!("/v1/sessions/{}", standing["session"].as_str().unwrap())
    };
    for _ in 0..5 {
        let draw = Ask::post(&format!("{}/moves", session(2))).token(&guest).json(&json!({"type": "draw"}));
        app.ask(draw).await.expect(200);
    }
    let told = stream.next().await.named("standings").data["standings"].clone();
    let of_guest = told.as_array().unwrap().iter().find(|standing| standing["seat"] == 2).unwrap();
    assert_eq!(of_guest["moves"], 5);

    app.ask(Ask::delete(&format!("{path}/players/2")).token(&guest)).await.expect(204);
    for expected in ["left", "finished"] {
        assert_eq!(stream.next_change().await.data["entry"]["type"], expected);
    }
    app.ask(Ask::post(&format!("{}/resign", session(1))).token(host)).await.expect(200);
    assert_eq!(stream.next_change().await.data["entry"]["type"], "finished");
    let over = stream.next_change().await;
    assert_eq!((&over.data["entry"]["type"], &over.data["race"]["status"]), (&json!("over"), &json!("over")));
    assert!(over.data["race"]["deal"]["seed"].is_string());
    assert_eq!(stream.next().await.named("standings").data["standings"], app.get(&path).await.json()["standings"]);
}
