//! Several at once: changes to one session are put in order, each is made once, and nobody sees half
//! of one.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::dice::Dice;
use crate::oracle::{dealt, differences};
use crate::raw::{Raw, head};
use crate::reference::{Game, Move};

const WRITERS: usize = 50;

fn draw(seat: &Seat) -> Ask {
    Ask::post(&seat.at("/moves")).token(&seat.token).json(&json!({"type": "draw"}))
}

/// Asks all of it at once.
async fn at_once(app: &Arc<TestApp>, asks: impl IntoIterator<Item = Ask>) -> Vec<Answer> {
    let ask = |ask: Ask| {
        let app = app.clone();
        tokio::spawn(async move { app.ask(ask).await })
    };
    let asked: Vec<_> = asks.into_iter().map(ask).collect();
    let mut answers = Vec::new();
    for answer in asked {
        answers.push(answer.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_changes_to_one_version_one_is_made() {
    let app = Arc::new(TestApp::start().await);
    let seat = app.plain("napoleons-square").await;
    for version in 1..=5_u64 {
        let tag = format!("\"{version}\"");
        let answers = at_once(&app, (0..WRITERS).map(|_| draw(&seat).if_match(&tag))).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!(made.len(), 1, "at version {version}");
        assert_eq!(made[0].version(), version + 1);
        for answer in refused {
            assert_eq!(answer.refused(412, "stale_version").version(), version + 1);
        }
    }
    assert_eq!(app.history(&seat).await.len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_changes_to_any_version_are_made_one_after_the_other() {
    let app = Arc::new(TestApp::start().await);
    let seat = app.create(json!({"game": "napoleons-square", "seed": "fifty"})).await;
    let game = Game::named("napoleons-square", &[]);
    let mut tables = vec![dealt(game, "fifty")];
    for drawn in 0..WRITERS {
        let mut next = tables[drawn].clone();
        next.play(&Move::Draw);
        tables.push(next);
    }

    // Who looks meanwhile sees one version whole, and never an older one than before.
    let reads = (0..4).map(|_| {
        let (app, seat, tables) = (app.clone(), seat.clone(), tables.clone());
        tokio::spawn(async move {
            let mut last = 0;
            while last <= WRITERS as u64 {
                let session = app.session(&seat).await;
                let version = session["version"].as_u64().unwrap();
                assert!(version >= last, "version {version} after {last}");
                assert_eq!(differences(&session, &tables[version as usize - 1]), Vec::<String>::new());
                last = version;
            }
        })
    });
    let reads: Vec<_> = reads.collect();
    let answers = at_once(&app, (0..WRITERS).map(|_| draw(&seat))).await;
    let versions: BTreeSet<u64> = answers.iter().map(|answer| answer.clone().expect(200).version()).collect();
    assert_eq!(versions, (2..=51).collect());
    for answer in answers {
        let session = answer.json();
        let table = &tables[session["version"].as_u64().unwrap() as usize - 1];
        assert_eq!(differences(&session, table), Vec::<String>::new());
    }
    for read in reads {
        read.await.unwrap();
    }
    let history = app.history(&seat).await;
    let versions: Vec<u64> = history.iter().map(|entry| entry["version"].as_u64().unwrap()).collect();
    assert_eq!(versions, (1..=51).collect::<Vec<_>>());
    assert!(history[1..].iter().all(|entry| entry["moves"] == json!([{"type": "draw"}])));
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_undos_and_redos_at_once_leave_a_history_that_tells_the_session() {
    let app = Arc::new(TestApp::start().await);
    let seat = app.create(json!({"game": "napoleons-square", "seed": "mixed"})).await;
    let asks = (0..90).map(|number| match number % 3 {
        0 => draw(&seat),
        1 => Ask::post(&seat.at("/undo")).token(&seat.token),
        _ => Ask::post(&seat.at("/redo")).token(&seat.token),
    });
    let answers = at_once(&app, asks).await;
    let made = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = |answer: &&Answer| answer.status != 200;
    assert!(answers.iter().filter(refused).all(|answer| answer.status == 409), "nothing to undo or redo, no more");

    // Folding the history again: a table, the moves made, the moves undone.
    let session = app.session(&seat).await;
    let history = app.history(&seat).await;
    assert_eq!(history.len(), 1 + made);
    let (mut drawn, mut undone) = (0_u32, 0_u32);
    for entry in &history[1..] {
        match entry["type"].as_str().unwrap() {
            "moved" => (drawn, undone) = (drawn + 1, 0),
            "undone" => (drawn, undone) = (drawn.checked_sub(1).unwrap(), undone + 1),
            "redone" => (drawn, undone) = (drawn + 1, undone.checked_sub(1).unwrap()),
            other => panic!("{other}"),
        }
    }
    let mut table = dealt(Game::named("napoleons-square", &[]), "mixed");
    (0..drawn).for_each(|_| table.play(&Move::Draw));
    assert_eq!(differences(&session, &table), Vec::<String>::new());
    assert_eq!([&session["moves"], &session["can_redo"]], [&json!(drawn), &json!(undone > 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_removals_one_is_made_and_nothing_comes_after_it() {
    let app = Arc::new(TestApp::start().await);
    let seat = app.plain("captive-queens").await;
    let asks = (0..WRITERS)
        .map(|number| if number % 2 == 0 { draw(&seat) } else { Ask::delete(&seat.path).token(&seat.token) });
    let answers = at_once(&app, asks).await;
    let removed = answers.iter().filter(|answer| answer.status == 204).count();
    assert_eq!(removed, 1);
    assert!(answers.iter().all(|answer| [200, 204, 404, 422].contains(&answer.status)));
    app.show(&seat).await.refused(404, "no_such_session");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sees_a_change_before_the_store_has_taken_it() {
    let app = Arc::new(TestApp::start().await);
    let seat = app.plain("napoleons-square").await;
    app.store.hold_up();
    let drawing = tokio::spawn({
        let (app, seat) = (app.clone(), seat.clone());
        async move { app.draw(&seat).await }
    });
    app.store.somebody_waits(1).await;
    assert_eq!(app.session(&seat).await, seat.first);
    app.get(&seat.at("?version=2")).await.refused(404, "no_such_version");
    assert_eq!(app.history(&seat).await.len(), 1);
    app.store.let_go();
    assert_eq!(drawing.await.unwrap().expect(200).version(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_too_many_wait_for_one_session_the_rest_is_turned_away_and_others_are_not() {
    let app = Arc::new(TestApp::limited(|limits| limits.host.queue = 5).await);
    let (seat, other) = (app.plain("napoleons-square").await, app.plain("napoleons-square").await);
    app.store.hold_up();
    let waiting: Vec<_> = (0..12)
        .map(|_| {
            let (app, ask) = (app.clone(), draw(&seat));
            tokio::spawn(async move { app.ask(ask).await })
        })
        .collect();
    app.store.somebody_waits(1).await;
    // Those that are turned away are answered at once, the five wait.
    while waiting.iter().filter(|asked| asked.is_finished()).count() < 7 {
        tokio::task::yield_now().await;
    }
    app.show(&seat).await.expect(200);
    let elsewhere = tokio::spawn({
        let (app, other) = (app.clone(), other.clone());
        async move { app.draw(&other).await }
    });
    app.store.somebody_waits(2).await;
    app.store.let_go();
    elsewhere.await.unwrap().expect(200);
    let mut made = BTreeSet::new();
    for asked in waiting {
        let answer = asked.await.unwrap();
        match answer.status {
            200 => assert!(made.insert(answer.version())),
            _ => assert_eq!(answer.refused(503, "busy").header("retry-after"), Some("1")),
        }
    }
    assert_eq!(made, (2..=6).collect());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_takes_too_long_is_answered_and_made_all_the_same() {
    let short = std::time::Duration::from_millis(200);
    let app = TestApp::limited(|limits| limits.http.request_timeout = short).await;
    let seat = app.plain("napoleons-square").await;
    app.store.hold_up();
    app.draw(&seat).await.refused(503, "busy");
    assert_eq!(app.session(&seat).await, seat.first);
    app.store.let_go();
    // What comes next waits for its turn.
    assert_eq!(app.draw(&seat).await.expect(200).version(), 3);
}

/// A request as bytes, whole.
fn bytes(seat: &Seat) -> String {
    let body = json!({"type": "draw"}).to_string();
    let authorization = format!("Bearer {}", seat.token);
    let length = body.len().to_string();
    let headers =
        [("authorization", &*authorization), ("content-type", "application/json"), ("content-length", &length)];
    head("POST", &seat.at("/moves"), &headers) + &body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_whose_client_hangs_up_while_it_is_made_is_made_once_all_the_same() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    app.store.hold_up();
    let mut raw = Raw::connect(app.address).await;
    raw.send(bytes(&seat)).await;
    app.store.somebody_waits(1).await;
    drop(raw);
    app.get("/healthz").await.expect(200);
    app.store.let_go();
    // What comes next waits for its turn.
    assert_eq!(app.draw(&seat).await.expect(200).version(), 3);
    assert_eq!(app.history(&seat).await.len(), 3);
}

/// Who leaves before the server has begun cannot know what becomes of it; twice it must not be made.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_whose_client_hangs_up_as_soon_as_it_is_sent_is_made_once_or_not_at_all() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    for _ in 0..20 {
        let mut raw = Raw::connect(app.address).await;
        raw.send(bytes(&seat)).await;
        drop(raw);
    }
    for _ in 0..100 {
        let history = app.history(&seat).await;
        assert!(history.len() <= 21, "{} of twenty draws", history.len() - 1);
        assert!(history[1..].iter().all(|entry| entry["moves"] == json!([{"type": "draw"}])));
    }
    app.draw(&seat).await.expect(200);
}

#[tokio::test]
async fn requests_that_come_all_at_once_on_one_connection_are_answered_in_order() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let mut raw = Raw::connect(app.address).await;
    raw.send(bytes(&seat).repeat(10)).await;
    for version in 2..=11 {
        assert_eq!(app.answer(&mut raw, "POST", &seat.at("/moves")).await.expect(200).version(), version);
    }
}

fn joining(seat: &Seat) -> Ask {
    Ask::post(&seat.at("/players"))
}

/// At how many tables the last seat is fought for; `PATIENCE_TABLES=100` is what a release is tried with.
fn tables() -> usize {
    std::env::var("PATIENCE_TABLES").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_hundred_that_want_the_last_seat_one_gets_it() {
    let app = Arc::new(TestApp::start().await);
    for seats in [2, 5, 8].into_iter().cycle().take(tables()) {
        let host = app.create(json!({"game": "napoleons-square", "seats": seats})).await;
        for _ in 2..seats {
            app.join(&host).await;
        }
        let answers = at_once(&app, (0..100).map(|_| joining(&host))).await;
        let (seated, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
        assert_eq!(seated.len(), 1, "of {seats} seats");
        assert_eq!(seated[0].json()["seat"], seats);
        for answer in refused {
            assert_eq!(answer.refused(409, "session_full").version(), seats);
        }
        assert_eq!(app.history(&host).await.len() as u64, seats);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_that_join_under_one_key_all_have_one_seat() {
    let app = Arc::new(TestApp::start().await);
    let host = app.create(json!({"game": "napoleons-square", "seats": 8})).await;
    let ask = joining(&host).header("idempotency-key", "0123456789abcdefghijkl");
    let answers = at_once(&app, vec![ask; WRITERS]).await;
    let told: BTreeSet<String> = answers.into_iter().map(|answer| answer.expect(201).without_its_id()).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(app.session(&host).await["players"].as_array().unwrap().len(), 2);
}

/// What has become of the changes that one client asked for.
#[derive(Default)]
struct Outcome {
    /// The versions that were made, as far as the answers say so.
    versions: Vec<u64>,
    /// How many seats were left.
    left: usize,
    joined: usize,
    played: usize,
    gone: bool,
}

/// Joins, leaves, sends away, plays, takes back, as it comes; and once in a while removes it all, if
/// told to.
async fn meddle(app: &TestApp, table: &Seat, seed: u64, removes: bool) -> Outcome {
    let mut dice = Dice::new(seed);
    let mut seat: Option<Seat> = None;
    let mut outcome = Outcome::default();
    for _ in 0..40 {
        let Some(mine) = &seat else {
            let answer = app.ask(joining(table)).await;
            match answer.status {
                201 => {
                    let joined = Seat::of(&answer.json());
                    outcome.versions.push(joined.first["version"].as_u64().unwrap());
                    outcome.joined += 1;
                    seat = Some(joined);
                }
                404 => outcome.gone = true,
                _ => drop(answer.refused(409, "session_full")),
            }
            continue;
        };
        let (post, other) = (|rest: &str| Ask::post(&mine.at(rest)).token(&mine.token), 1 + dice.below(4) as u64);
        let answer = match dice.below(12) {
            0..=4 => app.draw(mine).await,
            5 | 6 => app.ask(post("/undo")).await,
            7 | 8 => app.ask(post("/redo")).await,
            9 => app.leave(mine, mine.number).await,
            10 if removes && dice.one_in(5) => app.delete(mine).await,
            _ => app.leave(mine, other).await,
        };
        assert!(matches!(answer.status, 200 | 204 | 403 | 404 | 409 | 422), "{}: {}", answer.asked, answer.text());
        match answer.status {
            200 => {
                outcome.versions.push(answer.version());
                outcome.played += 1;
            }
            204 if answer.asked.contains("/players/") => outcome.left += 1,
            204 => outcome.gone = true,
            404 => outcome.gone |= answer.code() == "no_such_session",
            403 if answer.code() == "not_a_player" => seat = None,
            _ => {}
        }
    }
    outcome
}

async fn meddled(app: &Arc<TestApp>, table: &Seat, seed: u64, removes: bool) -> Vec<Outcome> {
    let meddling = (0..12).map(|number| {
        let (app, table) = (app.clone(), table.clone());
        tokio::spawn(async move { meddle(&app, &table, seed * 100 + number, removes).await })
    });
    let meddling: Vec<_> = meddling.collect();
    let mut outcomes = Vec::new();
    for each in meddling {
        outcomes.push(each.await.unwrap());
    }
    outcomes
}

#[tokio::test(flavor = "multi_thread")]
async fn joins_leaves_moves_and_undos_at_random_are_one_order_that_the_history_tells() {
    let app = Arc::new(TestApp::start().await);
    for seed in 0..5 {
        let table = app.create(json!({"game": "napoleons-square", "seats": 4})).await;
        let outcomes = meddled(&app, &table, seed, false).await;
        let history = app.history(&table).await;
        let versions: Vec<u64> = history.iter().map(|entry| entry["version"].as_u64().unwrap()).collect();
        assert_eq!(versions, (1..=history.len() as u64).collect::<Vec<_>>(), "seed {seed}");
        let told: Vec<u64> = outcomes.iter().flat_map(|outcome| outcome.versions.clone()).collect();
        let once: BTreeSet<u64> = told.iter().copied().collect();
        assert_eq!(once.len(), told.len(), "seed {seed}: one change a version");

        // Folding the history again: who sits where.
        let mut taken = BTreeSet::from([1]);
        let (mut joined, mut left, mut played) = (0, 0, 0);
        for entry in &history[1..] {
            let seat = entry["seat"].as_u64().unwrap();
            match entry["type"].as_str().unwrap() {
                "joined" => {
                    assert_eq!(Some(seat), (1..=4).find(|seat| !taken.contains(seat)), "seed {seed}: the lowest");
                    taken.insert(seat);
                    joined += 1;
                }
                "left" => {
                    assert!(taken.remove(&seat), "seed {seed}: {entry}");
                    left += 1;
                }
                _ => {
                    assert!(taken.contains(&seat), "seed {seed}: {entry}");
                    played += 1;
                }
            }
        }
        let total = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
        assert_eq!(
            [joined, left, played],
            [total(|each| each.joined), total(|each| each.left), total(|each| each.played)],
            "seed {seed}: what was answered was done"
        );
        let session = app.get(&table.path).await.expect(200).json();
        let seats: BTreeSet<u64> =
            session["players"].as_array().unwrap().iter().map(|player| player["seat"].as_u64().unwrap()).collect();
        assert_eq!((seats, &session["version"]), (taken, &json!(history.len())), "seed {seed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_host_removes_a_session_in_which_much_goes_on_it_is_gone_for_all() {
    let app = Arc::new(TestApp::start().await);
    for seed in 5..8 {
        let table = app.create(json!({"game": "napoleons-square", "seats": 4})).await;
        let removing = tokio::spawn({
            let (app, table) = (app.clone(), table.clone());
            async move {
                while app.get(&table.path).await.expect(200).version() < 40 {}
                // Somebody of those who play may have been first, or have sent the host away.
                let removed = app.delete(&table).await.status;
                assert!([204, 403, 404].contains(&removed), "{removed}");
            }
        });
        let outcomes = meddled(&app, &table, seed, true).await;
        removing.await.unwrap();
        let is_gone = app.get(&table.path).await.status == 404;
        assert_eq!(is_gone, outcomes.iter().any(|outcome| outcome.gone), "seed {seed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_race_in_which_all_come_to_an_end_at_once_ends_once() {
    let app = Arc::new(TestApp::start().await);
    for round in 0..5 {
        let host = app.race(json!({"game": "napoleons-square", "seats": 8})).await;
        let mut racers = vec![host.clone()];
        while racers.len() < 8 {
            racers.push(app.join(&host).await);
        }
        app.start_race(&host).await.expect(200);
        let mut lanes = Vec::new();
        for racer in &racers {
            lanes.push(app.lane(racer).await);
        }
        // Some resign, some leave, some do both; and some play meanwhile.
        let mut asks = Vec::new();
        for (number, (racer, lane)) in racers.iter().zip(&lanes).enumerate() {
            asks.push(draw(lane));
            if number % 3 != 1 {
                asks.push(Ask::post(&lane.at("/resign")).token(&lane.token));
            }
            if number % 3 != 0 {
                asks.push(Ask::delete(&racer.at(&format!("/players/{}", racer.number))).token(&racer.token));
            }
            asks.push(draw(lane));
        }
        for answer in at_once(&app, asks).await {
            assert!(matches!(answer.status, 200 | 204 | 403 | 404 | 409), "{}: {}", answer.asked, answer.text());
        }
        let race = app.get(&host.path).await.expect(200).json();
        assert_eq!(race["status"], "over", "round {round}");
        for lane in &lanes {
            let history = app.history(lane).await;
            let ends = |name: &str| history.iter().filter(|entry| entry["type"] == name).count();
            assert_eq!([ends("resigned"), ends("revealed")], [1, 1], "round {round}: {history:?}");
            assert_eq!(history.last().unwrap()["type"], "revealed");
        }
        let standings = race["standings"].as_array().unwrap();
        assert!(standings.iter().all(|standing| standing["status"] == "resigned"), "round {round}");
    }
}
