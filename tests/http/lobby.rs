//! `GET /v1/sessions` and `GET /v1/races`: what everyone may be told of.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::dice::Dice;
use crate::manners::keys;

const MINUTE: Duration = Duration::from_secs(60);

async fn public(app: &TestApp, game: &str, seats: u64) -> Seat {
    app.create(json!({"game": game, "seats": seats, "visibility": "public"})).await
}

/// The whole of a listing, page by page.
async fn listed(app: &TestApp, path: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = app.get(&format!("{path}{cursor}")).await.expect(200).json();
        assert_eq!(keys(&page), ["items", "next"]);
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_str() else { return items };
        let sign = if path.contains('?') { '&' } else { '?' };
        cursor = format!("{sign}cursor={next}");
    }
}

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["id"].as_str().unwrap()).collect()
}

fn ids_of<'a>(seats: impl IntoIterator<Item = &'a Seat>) -> Vec<&'a str> {
    seats.into_iter().map(|seat| seat.id.as_str()).collect()
}

#[tokio::test]
async fn nothing_is_listed_where_nothing_is() {
    let app = TestApp::start().await;
    for path in ["/v1/sessions", "/v1/races", "/v1/sessions?game=captive-queens&status=won&free_seats=1&limit=100"] {
        assert_eq!(app.get(path).await.expect(200).json(), json!({"items": [], "next": null}));
    }
}

#[tokio::test]
async fn public_sessions_are_listed_newest_first_and_no_others() {
    let app = TestApp::start().await;
    let mut seats = Vec::new();
    for number in 0..9 {
        let visibility = ["public", "unlisted", "private"][number % 3];
        let seat = app.create(json!({"game": "captive-queens", "seats": 2, "visibility": visibility})).await;
        app.clock.advance(Duration::from_millis(1));
        seats.push(seat);
    }
    let expected = ids_of([&seats[6], &seats[3], &seats[0]]);
    assert_eq!(ids(&listed(&app, "/v1/sessions").await), expected);
    // What happens to a session does not move it.
    app.draw(&seats[0]).await.expect(200);
    assert_eq!(ids(&listed(&app, "/v1/sessions").await), expected);
}

#[tokio::test]
async fn an_item_says_what_the_session_says() {
    let app = TestApp::start().await;
    let wish =
        json!({"game": "captive-queens", "options": {"play": "free"}, "seats": 3, "visibility": "public", "seed": "0"});
    let host = app.create(wish).await;
    for stage in ["made", "played", "joined", "over", "left"] {
        match stage {
            "played" => drop(app.draw(&host).await.expect(200)),
            "joined" => drop(app.join(&host).await),
            "over" => drop(app.resign(&host).await.expect(200)),
            "left" => drop(app.leave(&host, 2).await.expect(204)),
            _ => {}
        }
        app.clock.advance(Duration::from_secs(1));
        let session = app.session(&host).await;
        let items = listed(&app, "/v1/sessions").await;
        assert_eq!(items.len(), 1);
        const FIELDS: [&str; 11] = [
            "created_at",
            "expires_at",
            "finished_at",
            "game",
            "id",
            "options",
            "placed",
            "players",
            "seats",
            "status",
            "updated_at",
        ];
        assert_eq!(keys(&items[0]), FIELDS);
        for name in FIELDS {
            assert_eq!(items[0][name], session[name], "{stage}: {name}");
        }
    }
}

#[tokio::test]
async fn a_listing_can_be_of_a_game_of_a_status_and_of_those_with_free_seats() {
    let app = TestApp::start().await;
    let alone = public(&app, "captive-queens", 1).await;
    let pair = public(&app, "captive-queens", 2).await;
    let eight = public(&app, "napoleons-square", 8).await;
    let given_up = public(&app, "napoleons-square", 4).await;
    app.resign(&given_up).await.expect(200);
    let won =
        app.create(json!({"game": "captive-queens", "seed": crate::to_the_end::WINNING, "visibility": "public"})).await;
    let lost =
        app.create(json!({"game": "captive-queens", "seed": crate::to_the_end::LOSING, "visibility": "public"})).await;
    for seat in [&won, &lost] {
        crate::to_the_end::play_simply(&app, seat).await;
    }
    let cases: Vec<(&str, Vec<&Seat>)> = vec![
        ("game=captive-queens", vec![&alone, &pair, &won, &lost]),
        ("game=napoleons-square", vec![&eight, &given_up]),
        ("game=topsy-turvy-queens", vec![]),
        ("status=playing", vec![&alone, &pair, &eight]),
        ("status=resigned", vec![&given_up]),
        ("status=won", vec![&won]),
        ("status=lost", vec![&lost]),
        ("status=timed_out", vec![]),
        ("free_seats=1", vec![&pair, &eight, &given_up]),
        ("free_seats=2", vec![&eight, &given_up]),
        ("free_seats=7", vec![&eight]),
        ("free_seats=8", vec![]),
        ("status=playing&free_seats=1", vec![&pair, &eight]),
        ("game=captive-queens&status=playing&free_seats=1&limit=100", vec![&pair]),
    ];
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    for (query, expected) in cases {
        let items = listed(&app, &format!("/v1/sessions?{query}")).await;
        let [found, expected] =
            [ids(&items), ids_of(expected)].map(|ids| sorted(ids.iter().map(|id| id.to_string()).collect()));
        assert_eq!(found, expected, "{query}");
    }
    // Seats that are taken and left are counted as they are.
    let guest = app.join(&pair).await;
    assert_eq!(ids(&listed(&app, "/v1/sessions?game=captive-queens&free_seats=1").await), Vec::<&str>::new());
    app.leave(&guest, 2).await.expect(204);
    app.leave(&pair, 1).await.expect(204);
    assert_eq!(ids(&listed(&app, "/v1/sessions?game=captive-queens&free_seats=2").await), [pair.id.as_str()]);
}

#[tokio::test]
async fn what_is_asked_of_a_listing_is_checked() {
    let app = TestApp::start().await;
    let cases = [
        ("game=chess", 422, "game"),
        ("game=", 422, "game"),
        ("status=asleep", 422, "status"),
        ("status=Playing", 422, "status"),
        ("free_seats=-1", 422, "free_seats"),
        ("limit=0", 422, "limit"),
        ("limit=101", 422, "limit"),
        ("limit=-1", 422, "limit"),
        ("cursor=", 422, "cursor"),
        ("cursor=nonsense", 422, "cursor"),
        ("cursor=ffff", 422, "cursor"),
        ("cursor=%00", 422, "cursor"),
        ("limit=ten", 400, "limit"),
        ("free_seats=one", 400, "free_seats"),
        ("limit=5&limit=5", 400, "limit"),
        ("colour=red", 400, "colour"),
        ("after=1", 400, "after"),
    ];
    for (query, status, field) in cases {
        let code = if status == 422 { "invalid_request" } else { "malformed_request" };
        let mut paths = vec!["/v1/sessions"];
        paths.extend((!query.starts_with("status")).then_some("/v1/races"));
        for path in paths {
            let refused = app.get(&format!("{path}?{query}")).await.refused(status, code);
            assert!(status == 400 || refused.field() == field, "{path}?{query}: {}", refused.text());
        }
    }
    for limit in [1, 100] {
        app.get(&format!("/v1/sessions?limit={limit}")).await.expect(200);
    }
}

#[tokio::test]
async fn a_page_has_20_items_unless_another_number_is_asked_for() {
    let app = TestApp::start().await;
    let mut seats = Vec::new();
    for _ in 0..101 {
        seats.insert(0, public(&app, "captive-queens", 2).await);
        app.clock.advance(Duration::from_millis(1));
    }
    for (query, expected) in [("", 20), ("?limit=1", 1), ("?limit=33", 33), ("?limit=100", 100)] {
        let page = app.get(&format!("/v1/sessions{query}")).await.expect(200).json();
        assert_eq!(ids(page["items"].as_array().unwrap()), ids_of(&seats[..expected]), "{query}");
        assert!(page["next"].is_string(), "{query}");
        assert_eq!(ids(&listed(&app, &format!("/v1/sessions{query}")).await), ids_of(&seats), "{query}");
    }
}

#[tokio::test]
async fn sessions_of_one_moment_are_listed_once_each() {
    let app = TestApp::start().await;
    let mut made = Vec::new();
    for _ in 0..10 {
        made.push(public(&app, "captive-queens", 1).await.id);
    }
    let items = listed(&app, "/v1/sessions?limit=3").await;
    let mut found = ids(&items);
    found.sort_unstable();
    made.sort();
    assert_eq!(found, made);
}

#[tokio::test]
async fn a_cursor_neither_skips_nor_repeats_while_sessions_come_and_go() {
    let app = TestApp::start().await;
    for seed in 0..10 {
        let mut dice = Dice::new(seed);
        let mut there: Vec<Seat> = Vec::new();
        for _ in 0..30 {
            there.push(public(&app, "napoleons-square", 2).await);
            // Some are of the same moment.
            app.clock.advance(Duration::from_millis(dice.below(2) as u64));
        }
        app.clock.advance(Duration::from_millis(1));
        let at_first: Vec<String> = there.iter().map(|seat| seat.id.clone()).collect();
        let mut gone: Vec<String> = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let mut cursor = String::new();
        loop {
            let limit = 1 + dice.below(5);
            let page = app.get(&format!("/v1/sessions?limit={limit}{cursor}")).await.expect(200).json();
            seen.extend(ids(page["items"].as_array().unwrap()).into_iter().map(str::to_string));
            // The one that the cursor came from may be the first to go.
            if let Some(last) = there.iter().position(|seat| Some(&seat.id) == seen.last()).filter(|_| dice.one_in(2)) {
                let seat = there.remove(last);
                app.delete(&seat).await.expect(204);
            }
            for _ in 0..dice.below(3) {
                let seat = there.remove(dice.below(there.len()));
                app.delete(&seat).await.expect(204);
                gone.push(seat.id);
            }
            for _ in 0..dice.below(3) {
                there.push(public(&app, "napoleons-square", 2).await);
            }
            let Some(next) = page["next"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        let mut once = seen.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), seen.len(), "seed {seed}: none twice");
        for id in &at_first {
            assert!(seen.contains(id) || gone.contains(id), "seed {seed}: {id} was there all the time");
        }
        for seat in &there {
            app.delete(seat).await.expect(204);
        }
    }
}

#[tokio::test]
async fn a_cursor_goes_on_where_a_filter_hides_most() {
    let app = TestApp::start().await;
    let mut wanted = Vec::new();
    for number in 0..40 {
        let seat = public(&app, if number % 13 == 0 { "napoleons-square" } else { "captive-queens" }, 2).await;
        app.clock.advance(Duration::from_millis(1));
        if number % 13 == 0 {
            wanted.insert(0, seat);
        }
    }
    assert_eq!(ids(&listed(&app, "/v1/sessions?game=napoleons-square&limit=1").await), ids_of(&wanted));
}

#[tokio::test]
async fn what_has_expired_or_was_removed_is_listed_no_more_swept_or_not() {
    for swept in [false, true] {
        let app = TestApp::start().await;
        let unplayed = public(&app, "captive-queens", 2).await;
        app.clock.advance(MINUTE);
        let removed = public(&app, "captive-queens", 2).await;
        let young = public(&app, "captive-queens", 2).await;
        app.delete(&removed).await.expect(204);
        let mut both = [unplayed.id.as_str(), young.id.as_str()];
        both.sort_unstable();
        let items = listed(&app, "/v1/sessions").await;
        let mut found = ids(&items);
        found.sort_unstable();
        assert_eq!(found, both);
        app.clock.advance(MINUTE * 59);
        if swept {
            assert_eq!(app.host.sweep().await.unwrap(), 1);
        }
        assert_eq!(ids(&listed(&app, "/v1/sessions").await), [young.id.as_str()], "swept: {swept}");
    }
}

#[tokio::test]
async fn the_sessions_of_a_race_are_listed_when_it_is_over_and_public() {
    let app = TestApp::start().await;
    for visibility in ["public", "unlisted", "private"] {
        let host = app.race(json!({"game": "captive-queens", "seats": 2, "visibility": visibility})).await;
        let guest = app.join(&host).await;
        app.start_race(&host).await.expect(200);
        let lanes = [app.lane(&host).await, app.lane(&guest).await];
        for lane in &lanes {
            assert_eq!(listed(&app, "/v1/sessions").await, Vec::<Value>::new(), "{visibility}");
            app.draw(lane).await.expect(200);
            app.resign(lane).await.expect(200);
        }
        let items = listed(&app, "/v1/sessions").await;
        let mut found = ids(&items);
        found.sort_unstable();
        let mut expected = if visibility == "public" { ids_of(&lanes) } else { Vec::new() };
        expected.sort_unstable();
        assert_eq!(found, expected, "{visibility}");
        for lane in lanes.iter().filter(|_| visibility == "public") {
            app.delete(lane).await.expect(204);
        }
    }
}

#[tokio::test]
async fn public_races_are_listed_while_they_can_be_joined() {
    let app = TestApp::start().await;
    let wish = |game: &str, visibility: &str| json!({"game": game, "seats": 3, "visibility": visibility});
    let mut races = Vec::new();
    for (game, visibility) in [
        ("captive-queens", "public"),
        ("captive-queens", "unlisted"),
        ("captive-queens", "private"),
        ("napoleons-square", "public"),
    ] {
        races.push(app.race(wish(game, visibility)).await);
        app.clock.advance(Duration::from_millis(1));
    }
    let (first, last) = (&races[0], &races[3]);
    assert_eq!(ids(&listed(&app, "/v1/races").await), ids_of([last, first]));
    assert_eq!(ids(&listed(&app, "/v1/races?limit=1").await), ids_of([last, first]));
    assert_eq!(ids(&listed(&app, "/v1/races?game=captive-queens").await), ids_of([first]));
    app.join(first).await;
    app.join(first).await;
    assert_eq!(ids(&listed(&app, "/v1/races?free_seats=1").await), ids_of([last]));
    app.start_race(first).await.expect(200);
    assert_eq!(ids(&listed(&app, "/v1/races").await), ids_of([last]));
    app.clock.advance(MINUTE * 60);
    assert_eq!(listed(&app, "/v1/races").await, Vec::<Value>::new(), "the one has expired, the other is over");
}
