//! `/v1/races`: the same secret deal for everybody, and first home wins.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::to_the_end::play_simply;

const KEY: &str = "idempotency-key";
const UNGUESSABLE: &str = "0123456789abcdefghijkl";
const HOUR: Duration = Duration::from_secs(3_600);
const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// A wish for a race in which there is always something to draw.
fn wish(visibility: &str) -> Value {
    json!({"game": "napoleons-square", "seats": 8, "visibility": visibility})
}

/// The players of a race that is open, the host first.
async fn gathered(app: &TestApp, players: usize, wish: Value) -> Vec<Seat> {
    let mut racers = vec![app.race(wish).await];
    while racers.len() < players {
        racers.push(app.join(&racers[0]).await);
    }
    racers
}

/// The players of a race that runs, the host first, and where each of them plays.
async fn started(app: &TestApp, players: usize, wish: Value) -> (Vec<Seat>, Vec<Seat>) {
    let racers = gathered(app, players, wish).await;
    app.start_race(&racers[0]).await.expect(200);
    let mut lanes = Vec::new();
    for racer in &racers {
        lanes.push(app.lane(racer).await);
    }
    (racers, lanes)
}

/// How one player stands.
fn standing(race: &Value, seat: u64) -> Value {
    let standings = race["standings"].as_array().unwrap();
    standings.iter().find(|standing| standing["seat"] == seat).unwrap().clone()
}

/// Each player's seat and rank, in the order of the standings.
fn ranks(race: &Value) -> Vec<(u64, u64)> {
    let number = |value: &Value| value.as_u64().unwrap();
    race["standings"].as_array().unwrap().iter().map(|each| (number(&each["seat"]), number(&each["rank"]))).collect()
}

fn seats(race: &Value) -> Vec<(u64, bool)> {
    let players = race["players"].as_array().unwrap().iter();
    players.map(|player| (player["seat"].as_u64().unwrap(), player["host"] == true)).collect()
}

fn types(history: &[Value]) -> Vec<&str> {
    history.iter().map(|entry| entry["type"].as_str().unwrap()).collect()
}

fn whole(answer: &Answer) -> String {
    format!("{:?}\n{}", answer.headers, answer.text())
}

#[tokio::test]
async fn a_race_is_made_as_it_was_wished_for() {
    let app = TestApp::start().await;
    let body = json!({"game": "captive-queens", "options": {"play": "free"}, "seats": 5, "limit_s": 90, "name": " Ada ",
        "visibility": "private"});
    let host = app.race(body).await;
    assert_eq!((host.number, host.invite.is_some()), (1, true));
    let race = app.session(&host).await;
    let plain = app.create(json!({"game": "captive-queens", "options": {"play": "free"}})).await;
    let expected = [
        ("id", json!(host.id)),
        ("version", json!(1)),
        ("status", json!("open")),
        ("game", json!("captive-queens")),
        ("options", plain.first["options"].clone()),
        ("seats", json!(5)),
        ("limit_s", json!(90)),
        ("visibility", json!("private")),
        ("players", json!([{"seat": 1, "name": "Ada", "host": true}])),
        ("starts_at", json!(null)),
        ("ends_at", json!(null)),
        ("standings", json!([])),
    ];
    for (name, value) in expected {
        assert_eq!(race[name], value, "{name}");
    }
    assert_eq!(race, host.first, "as the one who made it was told");

    let default = app.race(json!({"game": "captive-queens", "seats": 2})).await;
    assert_eq!(
        [&default.first["limit_s"], &default.first["visibility"], &default.first["players"][0]["name"]],
        [&json!(3_600), &json!("unlisted"), &json!("Player 1")]
    );
    assert_ne!(default.first["deal"]["commitment"], race["deal"]["commitment"]);
}

#[tokio::test]
async fn a_wish_for_a_race_that_cannot_be_is_refused_and_says_where() {
    let app = TestApp::start().await;
    let cases = [
        (json!({"seats": 1}), 422, "seats"),
        (json!({"seats": 65}), 422, "seats"),
        (json!({"seats": -2}), 422, "seats"),
        (json!({"seats": 2.5}), 400, ""),
        (json!({"seats": "2"}), 400, ""),
        (json!({"limit_s": 59}), 422, "limit_s"),
        (json!({"limit_s": 86_401}), 422, "limit_s"),
        (json!({"limit_s": 60.5}), 400, ""),
        (json!({"name": " "}), 422, "name"),
        (json!({"name": "a\u{200b}"}), 422, "name"),
        (json!({"visibility": "secret"}), 422, "visibility"),
        (json!({"game": "chess"}), 422, "game"),
        (json!({"options": {"redeals": 99}}), 422, "options.redeals"),
        (json!({"options": {"colour": "red"}}), 422, "options.colour"),
        (json!({"seed": "0"}), 400, ""),
        (json!({"deck": []}), 400, ""),
        (json!({"pysolfc": "1"}), 400, ""),
        (json!({"autoplay": true}), 400, ""),
        (json!({"undo": true}), 400, ""),
    ];
    for (change, status, field) in cases {
        let mut body = json!({"game": "captive-queens", "seats": 2});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let code = if status == 422 { "invalid_request" } else { "malformed_request" };
        let refused = app.ask(Ask::post("/v1/races").json(&body)).await.refused(status, code);
        assert!(status == 400 || refused.field() == field, "{body}: {}", refused.text());
    }
    for body in [json!({"game": "captive-queens"}), json!({"seats": 2}), json!([])] {
        app.ask(Ask::post("/v1/races").json(&body)).await.refused(400, "malformed_request");
    }
    for (name, values) in [("seats", [2, 64]), ("limit_s", [60, 86_400])] {
        for value in values {
            let mut body = json!({"game": "captive-queens", "seats": 2});
            body[name] = json!(value);
            assert_eq!(app.race(body).await.first[name], value);
        }
    }
}

#[tokio::test]
async fn a_race_that_is_not_there_is_not_found_by_any_call() {
    let app = TestApp::start().await;
    let session = app.plain("captive-queens").await;
    for id in ["8b6a1f0e-5d3c-4f2b-9a17-6c0d9e8f7a54", "nonsense", &session.id] {
        for (method, rest) in [
            ("GET", ""),
            ("HEAD", ""),
            ("GET", "/events"),
            ("POST", "/players"),
            ("DELETE", "/players/1"),
            ("POST", "/start"),
        ] {
            let answer = app.ask(Ask::new(method, &format!("/v1/races/{id}{rest}")).token(&session.token)).await;
            assert!(answer.expect(404).body.is_empty() || method != "HEAD");
        }
        app.get(&format!("/v1/races/{id}")).await.refused(404, "no_such_race");
    }
    let host = app.race(wish("unlisted")).await;
    app.get(&format!("/v1/sessions/{}", host.id)).await.refused(404, "no_such_session");
    app.get(&host.at("?colour=red")).await.refused(400, "malformed_request");
}

#[tokio::test]
async fn a_race_is_joined_until_it_is_full_or_started() {
    let app = TestApp::start().await;
    let host = app.race(json!({"game": "captive-queens", "seats": 3})).await;
    let ask = Ask::post(&host.at("/players"));
    let ada = Seat::of(&app.ask(ask.clone().json(&json!({"name": " Ada "}))).await.expect(201).json());
    assert_eq!(app.session(&ada).await, ada.first);
    let third = app.join(&host).await;
    assert_eq!([ada.number, third.number], [2, 3]);
    let players = app.session(&host).await["players"].clone();
    let player = |seat: u64, name: &str| json!({"seat": seat, "name": name, "host": seat == 1});
    assert_eq!(players, json!([player(1, "Player 1"), player(2, "Ada"), player(3, "Player 3")]));
    app.unmoved(&host, app.ask(ask.clone())).await.refused(409, "race_full");
    app.unmoved(&host, app.ask(ask.clone().json(&json!({"name": ""})))).await.refused(422, "invalid_request");
    app.unmoved(&host, app.ask(ask.clone().json(&json!({"seat": 3})))).await.refused(400, "malformed_request");

    app.leave(&third, 3).await.expect(204);
    app.start_race(&host).await.expect(200);
    app.unmoved(&host, app.ask(ask.clone())).await.refused(409, "race_not_open");
    for racer in [&host, &ada] {
        app.resign(&app.lane(racer).await).await.expect(200);
    }
    app.unmoved(&host, app.ask(ask)).await.refused(409, "race_not_open");
}

#[tokio::test]
async fn a_private_race_is_joined_with_its_invite_and_watched_by_its_players() {
    let app = TestApp::start().await;
    let (host, other) = (app.race(wish("private")).await, app.race(wish("private")).await);
    let guest = app.join(&host).await;
    for seat in [&host, &guest] {
        app.show(seat).await.expect(200);
    }
    for invite in [other.invite.as_ref().unwrap(), &host.token, "x"] {
        let ask = Ask::post(&host.at("/players")).json(&json!({ "invite": invite }));
        app.unmoved(&host, app.ask(ask)).await.refused(404, "no_such_race");
        app.ask(Ask::get(&host.path).token(invite)).await.expect(if *invite == host.token { 200 } else { 404 });
    }
}

#[tokio::test]
async fn a_race_that_is_open_is_left_without_a_trace_and_the_lowest_seat_is_the_host() {
    let app = TestApp::start().await;
    let racers = gathered(&app, 4, wish("unlisted")).await;
    app.unmoved(&racers[0], app.leave(&racers[1], 3)).await.refused(403, "not_host");
    app.unmoved(&racers[0], app.leave(&racers[0], 7)).await.refused(404, "no_such_seat");
    app.leave(&racers[0], 4).await.expect(204);
    app.leave(&racers[0], 1).await.expect(204);
    assert_eq!(seats(&app.session(&racers[1]).await), [(2, true), (3, false)]);
    for gone in [&racers[0], &racers[3]] {
        app.leave(gone, gone.number).await.refused(403, "not_a_player");
        app.leave(gone, 2).await.refused(403, "not_a_player");
        app.start_race(gone).await.refused(403, "not_a_player");
    }
    let next = app.join(&racers[1]).await;
    assert_eq!(next.number, 1);
    app.start_race(&next).await.refused(403, "not_host");
    let race = app.start_race(&racers[1]).await.expect(200).json();
    assert_eq!(ranks(&race).iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [1, 2, 3], "those who are there race");
}

#[tokio::test]
async fn the_host_of_a_race_that_everybody_has_left_is_the_next_to_join() {
    let app = TestApp::start().await;
    let host = app.race(wish("public")).await;
    app.leave(&host, 1).await.expect(204);
    let next = app.join(&host).await;
    assert_eq!(seats(&next.first), [(1, true)]);
    let guest = app.join(&host).await;
    app.start_race(&guest).await.refused(403, "not_host");
    app.start_race(&next).await.expect(200);
}

#[tokio::test]
async fn the_host_starts_a_race_once_when_there_are_two() {
    let app = TestApp::start().await;
    let host = app.race(json!({"game": "captive-queens", "seats": 4, "limit_s": 90})).await;
    let (other_race, session) = (app.race(wish("public")).await, app.plain("captive-queens").await);
    let start = Ask::post(&host.at("/start"));
    app.unmoved(&host, app.start_race(&host)).await.refused(409, "too_few_players");
    let guest = app.join(&host).await;
    for (ask, status, code) in [
        (start.clone(), 401, "token_required"),
        (start.clone().token("?"), 401, "invalid_token"),
        (start.clone().token(&other_race.token), 403, "not_a_player"),
        (start.clone().token(&session.token), 403, "not_a_player"),
        (start.clone().token(&guest.token), 403, "not_host"),
        (start.clone().token(&host.token).json(&json!({"now": true})), 400, "malformed_request"),
        (start.clone().token(&host.token).if_match("\"1\""), 412, "stale_version"),
    ] {
        app.unmoved(&host, app.ask(ask)).await.refused(status, code);
    }
    app.clock.advance(SECOND);
    let race = app.ask(start.token(&host.token).json(&json!({})).if_match("\"2\"")).await.expect(200).json();
    assert_eq!(
        [&race["status"], &race["starts_at"], &race["ends_at"], &race["version"]],
        [&json!("running"), &json!(app.clock.text()), &json!(app.clock.text_in(SECOND * 90)), &json!(3)]
    );
    assert_eq!(ranks(&race), [(1, 1), (2, 1)], "nobody is ahead");
    assert_eq!(app.get(&host.path).await.expect(200).json(), race);
    app.unmoved(&host, app.start_race(&host)).await.refused(409, "race_not_open");
}

#[tokio::test]
async fn everybody_has_the_same_deal_in_a_session_of_his_own() {
    let app = TestApp::start().await;
    for (game, players) in [("captive-queens", 64), ("napoleons-square", 2), ("topsy-turvy-queens", 3)] {
        let host = app.race(json!({"game": game, "seats": 64, "visibility": "public"})).await;
        let mut racers = vec![host.clone()];
        while racers.len() < players {
            racers.push(app.join(&host).await);
        }
        let race = app.start_race(&host).await.expect(200).json();
        let mut firsts: Vec<Value> = Vec::new();
        for racer in &racers {
            let id = standing(&race, racer.number)["session"].as_str().unwrap().to_string();
            let session = app.ask(Ask::get(&format!("/v1/sessions/{id}")).token(&racer.token)).await.expect(200).json();
            let name = format!("Player {}", racer.number);
            assert_eq!(session["players"], json!([{"seat": 1, "name": name, "host": true}]));
            assert_eq!(session["deal"], host.first["deal"], "the commitment of the race, and no seed");
            for (name, expected) in [
                ("version", json!(1)),
                ("status", json!("playing")),
                ("game", json!(game)),
                ("options", race["options"].clone()),
                ("undo", json!(false)),
                ("seats", json!(1)),
                ("created_at", race["starts_at"].clone()),
            ] {
                assert_eq!(session[name], expected, "{name}");
            }
            firsts.push(session);
        }
        for session in &firsts[1..] {
            for name in ["piles", "legal_moves", "redeals_left"] {
                assert_eq!(session[name], firsts[0][name], "{name}");
            }
        }
        let mut ids: Vec<&str> = firsts.iter().map(|session| session["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), players);
    }
}

#[tokio::test]
async fn each_plays_in_his_own_session_and_the_standings_say_how_far_everyone_is() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 3, wish("public")).await;
    for _ in 0..3 {
        app.draw(&lanes[1]).await.expect(200);
        let session = app.session(&lanes[1]).await;
        let race = app.get(&racers[0].path).await.expect(200).json();
        let mine = standing(&race, 2);
        for name in ["moves", "placed", "status"] {
            assert_eq!(mine[name], session[name], "{name}");
        }
        assert_eq!((&mine["name"], &mine["finished_at"]), (&json!("Player 2"), &json!(null)));
        assert_eq!(
            (&standing(&race, 1)["moves"], &race["version"]),
            (&json!(0), &json!(4)),
            "a move is no entry of the race"
        );
    }
    assert_eq!(app.session(&lanes[0]).await, lanes[0].first, "nobody else's has changed");
    for (racer, lane) in [(0, 1), (1, 0), (2, 1)] {
        let ask = Ask::post(&lanes[lane].at("/moves")).token(&racers[racer].token).json(&json!({"type": "draw"}));
        app.unmoved(&lanes[lane], app.ask(ask)).await.refused(404, "no_such_session");
    }
}

#[tokio::test]
async fn in_a_race_nothing_is_taken_back_removed_left_or_joined() {
    let app = TestApp::start().await;
    let (_, lanes) = started(&app, 2, wish("public")).await;
    let lane = &lanes[0];
    app.draw(lane).await.expect(200);
    for finished in [false, true] {
        if finished {
            app.resign(lane).await.expect(200);
        }
        let undo = app.unmoved(lane, app.undo(lane)).await;
        undo.refused(409, if finished { "session_over" } else { "undo_not_allowed" });
        app.unmoved(lane, app.delete(lane)).await.refused(409, "race_running");
        app.unmoved(lane, app.leave(lane, 1)).await.refused(409, "race_running");
        let join = Ask::post(&lane.at("/players")).token(&lane.token);
        app.unmoved(lane, app.ask(join)).await.refused(404, "no_such_session");
    }
}

#[tokio::test]
async fn who_resigns_at_once_and_looks_everywhere_finds_no_seed_and_no_card_before_the_end() {
    let app = TestApp::start().await;
    for visibility in ["public", "private"] {
        let (racers, lanes) = started(&app, 3, wish(visibility)).await;
        let (racer, lane) = (&racers[1], &lanes[1]);
        let resigned = app.resign(lane).await.expect(200);
        assert_eq!(resigned.json()["status"], "resigned");
        assert!(resigned.json()["finished_at"].is_string());
        let mut seen = vec![resigned];
        let get = |path: String| app.ask(Ask::get(&path).token(&racer.token));
        for rest in ["", "?version=1", "?version=2", "/history", "/history?after=1", "/presence", "/outlook"] {
            seen.push(get(lane.at(rest)).await.expect(200));
        }
        seen.push(get(racer.path.clone()).await.expect(200));
        for answer in [app.draw(lane).await, app.undo(lane).await, app.redo(lane).await, app.resign(lane).await] {
            seen.push(answer.refused(409, "session_over"));
        }
        app.leave(&racers[2], 3).await.expect(204);
        seen.push(get(racer.path.clone()).await.expect(200));
        seen.push(get(lane.at("?version=1")).await.expect(200));
        for answer in &seen {
            let body = answer.json();
            for deal in [&body["deal"], &body["race"]["deal"]] {
                assert!(deal["seed"].is_null() && deal["deck"].is_null(), "{}", answer.asked);
            }
        }
        let piles = app.session(lane).await["piles"].clone();
        assert_eq!(piles, lane.first["piles"], "nothing is turned up");

        app.resign(&lanes[0]).await.expect(200);
        let race = app.session(racer).await;
        let seed = race["deal"]["seed"].as_str().unwrap();
        for answer in &seen {
            assert!(!whole(answer).contains(seed), "{}", answer.asked);
        }
        let past = get(lane.at("?version=2")).await.expect(200).json();
        assert_eq!([&past["status"], &past["deal"]["seed"]], [&json!("resigned"), &json!(null)], "as it was then");
    }
}

#[tokio::test]
async fn at_the_end_the_seed_is_shown_fits_its_commitment_and_deals_what_was_played() {
    let app = TestApp::start().await;
    for visibility in ["public", "unlisted", "private"] {
        let (racers, lanes) = started(&app, 2, wish(visibility)).await;
        app.draw(&lanes[0]).await.expect(200);
        app.resign(&lanes[1]).await.expect(200);
        app.clock.advance(SECOND);
        app.resign(&lanes[0]).await.expect(200);
        let race = app.session(&racers[0]).await;
        let commitment = &racers[0].first["deal"]["commitment"];
        let seed = race["deal"]["seed"].as_str().unwrap();
        assert_eq!(race["status"], "over");
        assert_eq!(commitment, &hex::encode(Sha256::digest(seed)));
        let deal = json!({"source": "server", "commitment": commitment, "seed": seed, "deck": null, "pysolfc": null});
        assert_eq!(race["deal"], deal);
        for (lane, before) in lanes.iter().zip([vec!["created", "moved", "resigned"], vec!["created", "resigned"]]) {
            let session = app.session(lane).await;
            assert_eq!([&session["deal"], &session["status"]], [&deal, &json!("resigned")]);
            let history = app.history(lane).await;
            assert_eq!(types(&history), [before, vec!["revealed"]].concat());
            let last = history.last().unwrap();
            assert_eq!(
                (&last["seat"], &last["moves"], &last["at"]),
                (&json!(null), &json!([]), &json!(app.clock.text()))
            );
            for answer in [app.draw(lane).await, app.undo(lane).await, app.resign(lane).await] {
                answer.refused(409, "session_over");
            }
        }
        let again = app.create(json!({"game": "napoleons-square", "seed": seed})).await;
        assert_eq!(again.first["piles"], lanes[0].first["piles"]);
    }
}

#[tokio::test]
async fn when_a_race_is_over_its_sessions_are_there_for_whoever_may_see_the_race() {
    let app = TestApp::start().await;
    for visibility in ["public", "unlisted", "private"] {
        let (racers, lanes) = started(&app, 3, wish(visibility)).await;
        let stranger = app.plain("captive-queens").await;
        for lane in &lanes {
            app.resign(lane).await.expect(200);
        }
        for lane in &lanes {
            for rest in ["", "?version=1", "/history", "/presence"] {
                let ask = Ask::get(&lane.at(rest));
                for racer in &racers {
                    app.ask(ask.clone().token(&racer.token)).await.expect(200);
                }
                let expected = if visibility == "private" { 404 } else { 200 };
                for ask in [ask.clone(), ask.clone().token(&stranger.token), ask.clone().token("?")] {
                    app.ask(ask).await.expect(expected);
                }
                if let Some(invite) = &racers[0].invite {
                    app.ask(ask.token(invite)).await.refused(404, "no_such_session");
                }
            }
        }
        // To see is not to play.
        let ask = Ask::post(&lanes[0].at("/moves")).token(&racers[1].token).json(&json!({"type": "draw"}));
        app.unmoved(&lanes[0], app.ask(ask)).await.refused(403, "not_a_player");
    }
}

#[tokio::test]
async fn who_leaves_a_race_that_runs_has_resigned() {
    let app = TestApp::start().await;
    for finished_first in [false, true] {
        let (racers, lanes) = started(&app, 3, wish("public")).await;
        app.draw(&lanes[1]).await.expect(200);
        app.unmoved(&racers[0], app.leave(&racers[2], 2)).await.refused(403, "not_host");
        if finished_first {
            app.resign(&lanes[1]).await.expect(200);
        }
        app.leave(&racers[1], 2).await.expect(204);
        let race = app.session(&racers[0]).await;
        let left = standing(&race, 2);
        assert_eq!(
            [&left["status"], &left["moves"], &left["finished_at"]],
            [&json!("resigned"), &json!(1), &json!(app.clock.text())]
        );
        assert_eq!((&race["status"], seats(&race)), (&json!("running"), vec![(1, true), (3, false)]));
        app.show(&lanes[1]).await.refused(404, "no_such_session");
        app.draw(&lanes[1]).await.refused(404, "no_such_session");
        app.leave(&racers[1], 2).await.refused(403, "not_a_player");
        app.resign(&lanes[0]).await.expect(200);
        app.resign(&lanes[2]).await.expect(200);
        let session = app.get(&lanes[1].path).await.expect(200).json();
        assert_eq!(session["status"], "resigned");
        assert_eq!(session["deal"]["seed"], app.session(&racers[0]).await["deal"]["seed"]);
    }
}

#[tokio::test]
async fn a_race_that_all_but_one_leave_goes_on_for_the_last_and_is_over_with_him() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 3, wish("unlisted")).await;
    app.leave(&racers[0], 1).await.expect(204);
    app.leave(&racers[1], 2).await.expect(204);
    let race = app.session(&racers[2]).await;
    assert_eq!((&race["status"], seats(&race)), (&json!("running"), vec![(3, true)]));
    app.draw(&lanes[2]).await.expect(200);
    app.leave(&racers[2], 3).await.expect(204);
    let race = app.get(&racers[2].path).await.expect(200).json();
    assert_eq!([&race["status"], &race["players"]], [&json!("over"), &json!([])]);
    assert_eq!(race["standings"].as_array().unwrap().len(), 3);
    assert!(race["deal"]["seed"].is_string());
}

/// Somebody who looks at a race, or at a session of it: what he asks, and what that is answered when the
/// time is up.
type Look = fn(&Seat, &Seat) -> (Ask, u16, &'static str);

#[tokio::test]
async fn whoever_comes_first_when_time_is_up_finds_the_race_over() {
    let app = TestApp::start().await;
    let looks: [Look; 9] = [
        |race, _| (Ask::get(&race.path).token(&race.token), 200, ""),
        |race, _| (Ask::get(&race.path), 200, ""),
        |_, lane| (Ask::get(&lane.path).token(&lane.token), 200, ""),
        |_, lane| (Ask::get(&lane.path), 200, ""),
        |_, lane| (Ask::get(&lane.at("/history")), 200, ""),
        |_, lane| {
            (Ask::post(&lane.at("/moves")).token(&lane.token).json(&json!({"type": "draw"})), 409, "session_over")
        },
        |_, lane| (Ask::post(&lane.at("/resign")).token(&lane.token), 409, "session_over"),
        |_, lane| (Ask::post(&lane.at("/undo")).token(&lane.token), 409, "session_over"),
        |race, _| (Ask::post(&race.at("/players")), 409, "race_not_open"),
    ];
    for look in looks {
        let host = app.race(json!({"game": "napoleons-square", "seats": 4, "limit_s": 60})).await;
        let guest = app.join(&host).await;
        app.start_race(&host).await.expect(200);
        let lanes = [app.lane(&host).await, app.lane(&guest).await];
        app.draw(&lanes[0]).await.expect(200);
        app.resign(&lanes[1]).await.expect(200);
        app.clock.advance(SECOND * 60 - MILLISECOND);
        assert_eq!(app.draw(&lanes[0]).await.expect(200).json()["status"], "playing");
        assert_eq!(app.session(&host).await["status"], "running");
        app.clock.advance(MILLISECOND);

        let (ask, status, code) = look(&host, &lanes[0]);
        let about = ask.to_string();
        let answer = app.ask(ask).await.expect(status);
        assert!(status == 200 || answer.code() == code, "{about}: {}", answer.text());

        let race = app.get(&host.path).await.expect(200).json();
        assert_eq!([&race["status"], &race["ends_at"]], [&json!("over"), &json!(app.clock.text())], "{about}");
        let out_of_time = standing(&race, 1);
        assert_eq!([&out_of_time["status"], &out_of_time["moves"]], [&json!("timed_out"), &json!(2)], "{about}");
        assert_eq!(standing(&race, 2)["status"], "resigned", "{about}");
        let session = app.get(&lanes[0].path).await.expect(200).json();
        assert_eq!([&session["status"], &session["legal_moves"]], [&json!("timed_out"), &json!([])], "{about}");
        assert_eq!(session["deal"]["seed"], race["deal"]["seed"], "{about}");
        assert_eq!(types(&app.history(&lanes[0]).await), ["created", "moved", "moved", "revealed"], "{about}");
        app.unmoved(&lanes[0], app.draw(&lanes[0])).await.refused(409, "session_over");
    }
}

#[tokio::test]
async fn a_race_whose_time_was_up_long_ago_is_over_as_of_its_end() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 2, wish("unlisted")).await;
    app.clock.advance(HOUR);
    let ended = app.clock.text();
    app.clock.advance(HOUR);
    let race = app.session(&racers[0]).await;
    assert_eq!([&race["status"], &race["ends_at"]], [&json!("over"), &json!(ended)]);
    assert_eq!(app.session(&lanes[0]).await["status"], "timed_out");
}

/// A wish for a race that simple play wins or loses soon.
fn forced() -> Value {
    json!({"game": "captive-queens", "seats": 8})
}

/// Races until the deal is one that forced play wins; the players and where they play.
async fn a_race_that_can_be_won(app: &TestApp, players: usize) -> (Vec<Seat>, Vec<Seat>) {
    for _ in 0..100 {
        let (racers, lanes) = started(app, players, forced()).await;
        if play_simply(app, &lanes[0]).await["status"] == "won" {
            return (racers, lanes);
        }
    }
    panic!("a hundred deals were lost");
}

#[tokio::test]
async fn first_home_wins_then_come_those_with_more_cards_placed_and_equals_share_a_rank() {
    let app = TestApp::start().await;
    let (racers, lanes) = a_race_that_can_be_won(&app, 8).await;
    let first_home = app.clock.text();
    let race = app.session(&racers[0]).await;
    assert_eq!(race["status"], "running", "the others may go on");
    let winner = standing(&race, 1);
    assert_eq!(
        [&winner["rank"], &winner["status"], &winner["placed"], &winner["finished_at"]],
        [&json!(1), &json!("won"), &json!(52), &json!(first_home)]
    );
    // Two are home at the same moment, later.
    app.clock.advance(SECOND);
    for lane in [7, 2] {
        assert_eq!(play_simply(&app, &lanes[lane]).await["status"], "won");
    }
    // One gets further than the others, who come as far as each other, by different ways.
    let further = &lanes[4];
    let at_first = further.first["placed"].as_u64().unwrap();
    let mut session = further.first.clone();
    while session["placed"].as_u64().unwrap() < at_first + 3 {
        let play = session["legal_moves"].as_array().unwrap().first().unwrap().clone();
        session = app.play(further, &play).await.expect(200).json();
    }
    app.resign(&lanes[1]).await.expect(200);
    app.leave(&racers[3], 4).await.expect(204);
    app.clock.advance(SECOND);
    app.resign(further).await.expect(200);
    app.clock.advance(HOUR);
    let race = app.session(&racers[0]).await;
    assert_eq!(race["status"], "over");
    let statuses: Vec<Value> = (1..=8).map(|seat| standing(&race, seat)["status"].clone()).collect();
    assert_eq!(statuses, ["won", "resigned", "won", "resigned", "resigned", "timed_out", "timed_out", "won"]);
    assert_eq!(ranks(&race), [(1, 1), (3, 2), (8, 2), (5, 4), (2, 5), (4, 5), (6, 5), (7, 5)]);
    let session = app.session(&lanes[0]).await;
    assert_eq!(types(&app.history(&lanes[0]).await).last(), Some(&"revealed"));
    assert_eq!(session["finished_at"], first_home);
}

#[tokio::test]
async fn who_has_won_and_leaves_has_won_all_the_same() {
    let app = TestApp::start().await;
    let (racers, lanes) = a_race_that_can_be_won(&app, 2).await;
    app.leave(&racers[0], 1).await.expect(204);
    assert_eq!(standing(&app.session(&racers[1]).await, 1)["status"], "won");
    assert_eq!(app.session(&racers[1]).await["status"], "running");
    app.leave(&racers[1], 2).await.expect(204);
    let race = app.get(&racers[0].path).await.expect(200).json();
    assert_eq!((&race["status"], ranks(&race)), (&json!("over"), vec![(1, 1), (2, 2)]));
    assert_eq!(app.get(&lanes[0].path).await.expect(200).json()["status"], "won");
}

#[tokio::test]
async fn a_race_that_everybody_has_won_or_lost_is_over() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 2, forced()).await;
    let first = play_simply(&app, &lanes[0]).await;
    assert!(first["finished_at"].is_string() && first["deal"]["seed"].is_null());
    assert_eq!(app.session(&racers[0]).await["status"], "running");
    let last = play_simply(&app, &lanes[1]).await;
    assert_eq!([&last["status"], &last["placed"]], [&first["status"], &first["placed"]], "the same deal");
    let race = app.session(&racers[0]).await;
    assert_eq!((&race["status"], ranks(&race)), (&json!("over"), vec![(1, 1), (2, 1)]));
}

#[tokio::test]
async fn a_race_that_nobody_starts_expires_however_many_join() {
    for swept in [false, true] {
        let app = TestApp::start().await;
        let racers = gathered(&app, 2, wish("private")).await;
        let started = app.race(wish("public")).await;
        app.clock.advance(HOUR - MILLISECOND);
        let late = app.join(&racers[0]).await;
        app.join(&started).await;
        app.start_race(&started).await.expect(200);
        app.show(&late).await.expect(200);
        app.clock.advance(MILLISECOND);
        if swept {
            assert_eq!(app.host.sweep().await.unwrap(), 1);
        }
        app.show(&racers[0]).await.refused(404, "no_such_race");
        app.start_race(&racers[0]).await.refused(404, "no_such_race");
        app.leave(&late, late.number).await.refused(404, "no_such_race");
        let invite = json!({"invite": racers[0].invite});
        app.ask(Ask::post(&racers[0].at("/players")).json(&invite)).await.refused(404, "no_such_race");
        assert_eq!(app.show(&started).await.expect(200).json()["status"], "running");
    }
}

#[tokio::test]
async fn a_race_and_its_sessions_are_kept_while_it_runs_however_long_that_is() {
    let app = TestApp::start().await;
    let host = app.race(json!({"game": "napoleons-square", "seats": 2, "limit_s": 86_400})).await;
    let guest = app.join(&host).await;
    app.start_race(&host).await.expect(200);
    let (lane, idle) = (app.lane(&host).await, app.lane(&guest).await);
    app.clock.advance(HOUR * 24 - MILLISECOND);
    app.host.sweep().await.unwrap();
    app.draw(&lane).await.expect(200);
    assert_eq!(app.session(&idle).await, idle.first);
    app.clock.advance(MILLISECOND);
    app.host.sweep().await.unwrap();
    assert_eq!(app.session(&host).await["status"], "over");
    for lane in [&lane, &idle] {
        assert_eq!(app.session(lane).await["status"], "timed_out");
    }
}

#[tokio::test]
async fn a_race_is_made_once_under_a_key_and_its_secrets_are_given_again() {
    let app = TestApp::start().await;
    let ask = |body: Value, key: &str| Ask::post("/v1/races").json(&body).header(KEY, key);
    let first = app.ask(ask(wish("private"), UNGUESSABLE)).await.expect(201);
    let host = Seat::of(&first.json());
    app.join(&host).await;
    app.start_race(&host).await.expect(200);
    app.clock.advance(SECOND);
    let again = app.ask(ask(wish("private"), UNGUESSABLE)).await.expect(201);
    assert_eq!(again.without_its_id(), first.without_its_id(), "as it was then, token and invite too");
    app.ask(ask(wish("public"), UNGUESSABLE)).await.refused(422, "idempotency_key_reused");
    app.ask(ask(wish("private"), &UNGUESSABLE[..21])).await.refused(400, "invalid_idempotency_key");
    // The same key makes a session too: it is another thing.
    let session = Ask::post("/v1/sessions").json(&json!({"game": "captive-queens"})).header(KEY, UNGUESSABLE);
    assert_ne!(Seat::of(&app.ask(session).await.expect(201).json()).token, host.token);
}

#[tokio::test]
async fn joining_starting_and_leaving_a_race_are_done_once_under_a_key() {
    let app = TestApp::start().await;
    let host = app.race(wish("private")).await;
    let keyed = |ask: Ask, key: &str| ask.header(KEY, key);
    let body = json!({"invite": host.invite, "name": "Ada"});
    let join = keyed(Ask::post(&host.at("/players")).json(&body), UNGUESSABLE);
    let joined = app.ask(join.clone()).await.expect(201);
    let ada = Seat::of(&joined.json());
    let start = keyed(Ask::post(&host.at("/start")).token(&host.token), "start");
    let third = app.join(&host).await;
    let begun = app.ask(start.clone()).await.expect(200);
    assert_eq!(app.ask(start.clone()).await.without_its_id(), begun.without_its_id());
    keyed_again(&app, &join, &joined).await;

    let leave = keyed(Ask::delete(&ada.at("/players/2")).token(&ada.token), "leave");
    for _ in 0..2 {
        app.ask(leave.clone()).await.expect(204);
    }
    assert_eq!(app.session(&host).await["version"], 6, "created, joined, joined, started, left, finished");
    keyed_again(&app, &join, &joined).await;
    app.ask(keyed(Ask::delete(&host.at("/players/2")).token(&host.token), "start"))
        .await
        .refused(422, "idempotency_key_reused");
    app.leave(&third, 3).await.expect(204);
    app.resign(&app.lane(&host).await).await.expect(200);

    assert_eq!(app.session(&host).await["status"], "over");
    app.unmoved(&host, app.ask(leave)).await.expect(204);
    keyed_again(&app, &join, &joined).await;
    let again = app.unmoved(&host, app.ask(start)).await.expect(200).json();
    for name in ["version", "status", "deal", "players", "starts_at"] {
        assert_eq!(again[name], begun.json()[name], "{name}, as it was then");
    }
    app.ask(Ask::post(&host.at("/players")).json(&body)).await.refused(409, "race_not_open");
}

async fn keyed_again(app: &TestApp, ask: &Ask, first: &Answer) {
    assert_eq!(app.ask(ask.clone()).await.without_its_id(), first.without_its_id());
}

#[tokio::test]
async fn a_move_in_a_race_is_made_once_under_a_key_to_the_end_and_after_it() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 2, wish("public")).await;
    let lane = &lanes[0];
    let draw = Ask::post(&lane.at("/moves")).token(&lane.token).json(&json!({"type": "draw"})).header(KEY, "draw");
    let resign = Ask::post(&lane.at("/resign")).token(&lane.token).header(KEY, "resign");
    let drawn = app.ask(draw.clone()).await.expect(200);
    let resigned = app.ask(resign.clone()).await.expect(200);
    for over in [false, true] {
        if over {
            app.resign(&lanes[1]).await.expect(200);
        }
        keyed_again(&app, &draw, &drawn).await;
        keyed_again(&app, &resign, &resigned).await;
    }
    assert_eq!(app.session(&racers[0]).await["status"], "over");
    assert_eq!(types(&app.history(lane).await), ["created", "moved", "resigned", "revealed"]);
}

#[tokio::test]
async fn a_race_that_finds_no_room_for_all_its_sessions_stays_open_and_makes_none() {
    let app = TestApp::limited(|limits| limits.store.sessions = 4).await;
    let racers = gathered(&app, 4, wish("public")).await;
    app.unmoved(&racers[0], app.start_race(&racers[0])).await.refused(503, "at_capacity");
    assert_eq!(app.host.census().await.unwrap().logs.iter().map(|counted| counted.logs).sum::<usize>(), 1);
    app.leave(&racers[3], 4).await.expect(204);
    app.start_race(&racers[0]).await.expect(200);

    // There, nobody has played yet: they are kept all the same.
    app.clock.advance(SECOND * 61);
    app.ask(Ask::post("/v1/sessions").json(&json!({"game": "captive-queens"}))).await.refused(503, "at_capacity");
    for racer in &racers[..3] {
        app.lane(racer).await;
    }
}

#[tokio::test]
async fn what_the_store_cannot_take_happens_neither_to_a_race_nor_to_its_sessions() {
    let app = TestApp::start().await;
    let racers = gathered(&app, 2, wish("unlisted")).await;
    let broken = async |what: Ask| {
        app.store.set_broken(true);
        let answer = app.ask(what).await;
        app.store.set_broken(false);
        answer.refused(503, "store_unavailable");
    };
    let start = Ask::post(&racers[0].at("/start")).token(&racers[0].token);
    app.unmoved(&racers[0], broken(start)).await;
    app.start_race(&racers[0]).await.expect(200);
    let lanes = [app.lane(&racers[0]).await, app.lane(&racers[1]).await];
    let resign = |lane: &Seat| Ask::post(&lane.at("/resign")).token(&lane.token);
    for lane in &lanes {
        app.unmoved(&racers[0], app.unmoved(lane, broken(resign(lane)))).await;
        app.resign(lane).await.expect(200);
    }
    assert_eq!(app.session(&racers[0]).await["status"], "over");
    for lane in &lanes {
        assert_eq!(types(&app.history(lane).await), ["created", "resigned", "revealed"]);
    }
}

#[tokio::test]
async fn whoever_leaves_a_private_race_last_sees_no_more_of_it_than_the_others_who_left() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 3, wish("private")).await;
    app.leave(&racers[0], 1).await.expect(204);
    app.resign(&lanes[1]).await.expect(200);
    app.leave(&racers[2], 3).await.expect(204);
    for lane in &lanes {
        let seen_by = async |who: &Seat| app.ask(Ask::get(&lane.path).token(&who.token)).await;
        for gone in [&racers[0], &racers[2]] {
            seen_by(gone).await.refused(404, "no_such_session");
        }
        assert!(seen_by(&racers[1]).await.expect(200).json()["deal"]["seed"].is_string());
    }
}

#[tokio::test]
async fn nobody_wins_a_race_by_sending_the_others_away() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 3, wish("unlisted")).await;
    app.leave(&racers[0], 2).await.refused(403, "not_host");
    assert_eq!(app.session(&lanes[1]).await["status"], "playing");
    let open = gathered(&app, 2, wish("unlisted")).await;
    app.leave(&open[0], 2).await.expect(204);
}

#[tokio::test]
async fn a_start_that_is_told_again_is_told_as_it_was() {
    let app = TestApp::start().await;
    let racers = gathered(&app, 2, wish("private")).await;
    let start = Ask::post(&racers[0].at("/start")).token(&racers[0].token).header(KEY, "start");
    let told = app.ask(start.clone()).await.expect(200);
    let lane = app.lane(&racers[1]).await;
    app.draw(&lane).await.expect(200);
    assert_eq!(app.ask(start.clone()).await.expect(200).text(), told.text());
    app.leave(&racers[0], 1).await.expect(204);
    app.draw(&lane).await.expect(200);
    assert_eq!(app.ask(start).await.expect(200).text(), told.text(), "the race is followed by its players only");
}

#[tokio::test]
async fn a_race_that_cannot_be_ended_is_shown_as_it_stands_and_ended_later() {
    let app = TestApp::start().await;
    let (racers, lanes) = started(&app, 2, wish("private")).await;
    app.clock.advance(HOUR);
    let ended = app.clock.text();
    app.clock.advance(SECOND * 30);
    app.store.refuse_appends(true);
    app.get(&racers[0].path).await.refused(404, "no_such_race");
    assert_eq!(app.session(&racers[0]).await["status"], "running");
    assert_eq!(app.session(&lanes[0]).await["status"], "playing");
    app.draw(&lanes[0]).await.refused(409, "session_over");
    app.store.refuse_appends(false);
    let race = app.session(&racers[0]).await;
    assert_eq!([&race["status"], &race["ends_at"]], [&json!("over"), &json!(ended)]);
    assert!([1, 2].iter().all(|seat| standing(&race, *seat)["finished_at"] == json!(ended)), "as of its end");
}
