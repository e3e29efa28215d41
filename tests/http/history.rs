//! `GET /v1/sessions/{id}/history`: what happened, in order.

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::Ask;

/// A session with draws, so many entries in all.
async fn drawn(app: &TestApp, entries: usize) -> Seat {
    let wish = json!({"game": "captive-queens", "options": {"play": "free"}});
    let seat = app.create(wish).await;
    for _ in 1..entries {
        app.clock.advance(std::time::Duration::from_millis(10));
        app.draw(&seat).await.expect(200);
    }
    seat
}

async fn page(app: &TestApp, seat: &Seat, query: &str) -> (Vec<u64>, Option<String>) {
    let page = app.get(&seat.at(&format!("/history{query}"))).await.expect(200).json();
    let versions = page["items"].as_array().unwrap().iter().map(|entry| entry["version"].as_u64().unwrap());
    (versions.collect(), page["next"].as_str().map(str::to_string))
}

#[tokio::test]
async fn every_kind_of_entry_says_what_happened_when_and_by_whom() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "deck": five_first()})).await;
    let draw = json!({"type": "draw"});
    let up = json!({"type": "move", "from": "waste", "to": "foundation-8", "count": 1});
    let mut expected = vec![json!({"type": "created", "moves": [], "at": app.clock.text()})];
    let calls =
        [("moved", &draw), ("moved", &up), ("undone", &up), ("undone", &draw), ("redone", &draw), ("redone", &up)];
    for (kind, play) in calls {
        app.clock.advance(std::time::Duration::from_millis(1_234));
        let answer = match kind {
            "moved" => app.play(&seat, play).await,
            "undone" => app.undo(&seat).await,
            _ => app.redo(&seat).await,
        };
        answer.expect(200);
        expected.push(json!({"type": kind, "moves": [play], "at": app.clock.text()}));
    }
    app.resign(&seat).await.expect(200);
    expected.push(json!({"type": "resigned", "moves": [], "at": app.clock.text()}));
    for (version, entry) in (1..).zip(&mut expected) {
        entry["version"] = json!(version);
        entry["seat"] = json!(1);
    }
    assert_eq!(app.history(&seat).await, expected);
}

/// One pack, a five on top.
fn five_first() -> Vec<String> {
    let deck = patience::cards::Deck::unshuffled(patience::cards::Packs::One);
    let mut names: Vec<String> = deck.cards().iter().map(ToString::to_string).collect();
    names.swap(0, 4);
    names
}

#[tokio::test]
async fn a_refusal_leaves_no_entry() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    app.play(&seat, &json!({"type": "redeal"})).await.refused(422, "illegal_move");
    app.undo(&seat).await.refused(409, "nothing_to_undo");
    assert_eq!(app.history(&seat).await.len(), 1);
}

#[tokio::test]
async fn history_comes_in_pages_that_leave_nothing_out() {
    let app = TestApp::start().await;
    let seat = drawn(&app, 52).await;
    for limit in [1, 7, 26, 51, 52, 53, 1_000] {
        let mut seen = Vec::new();
        let mut query = format!("?limit={limit}");
        loop {
            let (versions, next) = page(&app, &seat, &query).await;
            assert!(versions.len() <= limit && !versions.is_empty(), "limit {limit}");
            seen.extend(versions);
            match next {
                Some(next) => query = format!("?limit={limit}&after={next}"),
                None => break,
            }
        }
        assert_eq!(seen, (1..=52).collect::<Vec<_>>(), "limit {limit}");
    }
}

#[tokio::test]
async fn a_page_starts_after_a_version_and_has_a_hundred_entries_when_nothing_is_said() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "options": {"play": "free", "redeals": 3}})).await;
    for number in 1..130 {
        let play = if number % 53 == 0 { json!({"type": "redeal"}) } else { json!({"type": "draw"}) };
        app.play(&seat, &play).await.expect(200);
    }
    let cases: [(&str, std::ops::Range<u64>, bool); 11] = [
        ("", 1..101, true),
        ("?limit=1000", 1..131, false),
        ("?after=0", 1..101, true),
        ("?after=1&limit=2", 2..4, true),
        ("?limit=1&after=128", 129..130, true),
        ("?limit=1&after=129", 130..131, false),
        ("?after=30", 31..131, false),
        ("?after=29", 30..130, true),
        ("?after=130", 0..0, false),
        ("?after=131", 0..0, false),
        ("?after=99999999999999999999", 0..0, false),
    ];
    for (query, versions, more) in cases {
        let (seen, next) = page(&app, &seat, query).await;
        assert_eq!(seen, versions.collect::<Vec<_>>(), "{query}");
        assert_eq!(next.is_some(), more, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_goes_on_where_it_was_although_more_has_happened() {
    let app = TestApp::start().await;
    let seat = drawn(&app, 5).await;
    let (_, next) = page(&app, &seat, "?limit=3").await;
    app.draw(&seat).await.expect(200);
    let (versions, _) = page(&app, &seat, &format!("?after={}", next.unwrap())).await;
    assert_eq!(versions, [4, 5, 6]);
    // Who has it all asks for what comes after the last that there was.
    let (versions, next) = page(&app, &seat, "?after=6").await;
    assert_eq!((versions, next), (vec![], None));
}

#[tokio::test]
async fn limits_and_versions_out_of_range_are_422_and_what_is_no_integer_400() {
    let app = TestApp::start().await;
    let seat = drawn(&app, 3).await;
    let cases = [
        ("?limit=0", 422, "limit"),
        ("?limit=-1", 422, "limit"),
        ("?limit=1001", 422, "limit"),
        ("?limit=99999999999999999999", 422, "limit"),
        ("?after=-1", 422, "after"),
        ("?limit=", 400, "limit"),
        ("?limit=1.5", 400, "limit"),
        ("?limit=ten", 400, "limit"),
        ("?after=", 400, "after"),
        ("?after=x", 400, "after"),
        ("?after=%00", 400, "after"),
    ];
    for (query, status, field) in cases {
        let refused = app.get(&seat.at(&format!("/history{query}"))).await.expect(status);
        let code = if status == 400 { "malformed_request" } else { "invalid_request" };
        assert_eq!((refused.code().as_str(), refused.field().as_str()), (code, field), "{query}");
    }
}

#[tokio::test]
async fn time_in_a_history_never_runs_backwards() {
    let app = TestApp::start().await;
    let seat = drawn(&app, 3).await;
    app.clock.turn_back(5_000);
    app.draw(&seat).await.expect(200);
    let times: Vec<Value> = app.history(&seat).await.into_iter().map(|entry| entry["at"].clone()).collect();
    assert!(times.is_sorted_by_key(|time| time.as_str().unwrap().to_string()), "{times:?}");
    let session = app.session(&seat).await;
    assert_eq!(session["updated_at"], *times.last().unwrap());
}

#[tokio::test]
async fn the_history_of_a_private_session_is_for_its_players() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "visibility": "private"})).await;
    app.get(&seat.at("/history")).await.refused(404, "no_such_session");
    assert_eq!(app.history(&seat).await.len(), 1);
    app.ask(Ask::get(&seat.at("/history?limit=0")).token(&seat.token)).await.refused(422, "invalid_request");
}
