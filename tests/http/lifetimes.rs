//! Lifetimes: how long a session is kept, and what goes first when there is no room.

use std::time::Duration;

use serde_json::json;

use crate::app::{Seat, TestApp};
use crate::client::Ask;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);
const MINUTE: Duration = Duration::from_secs(60);
const MILLISECOND: Duration = Duration::from_millis(1);

/// Whether a session is gone, on every call alike.
async fn is_gone(app: &TestApp, seat: &Seat) {
    app.show(seat).await.refused(404, "no_such_session");
    app.ask(Ask::get(&seat.path).if_none_match("*")).await.refused(404, "no_such_session");
    app.get(&seat.at("?version=1")).await.refused(404, "no_such_session");
    app.get(&seat.at("/history")).await.refused(404, "no_such_session");
    app.draw(seat).await.refused(404, "no_such_session");
    app.undo(seat).await.refused(404, "no_such_session");
    app.redo(seat).await.refused(404, "no_such_session");
    app.resign(seat).await.refused(404, "no_such_session");
    app.delete(seat).await.refused(404, "no_such_session");
}

/// Brings a session to one of the stages of its life, and says for how long it is then kept.
async fn at_stage(app: &TestApp, stage: &str) -> (Seat, Duration) {
    let wish = json!({"game": "captive-queens", "options": {"play": "free"}});
    let seat = app.create(wish).await;
    app.clock.advance(Duration::from_secs(600));
    let kept = match stage {
        "unplayed" => HOUR - Duration::from_secs(600),
        "played" => {
            app.draw(&seat).await.expect(200);
            DAY
        }
        "all undone" => {
            app.draw(&seat).await.expect(200);
            app.clock.advance(HOUR);
            app.undo(&seat).await.expect(200);
            DAY
        }
        "given up" => {
            app.draw(&seat).await.expect(200);
            app.resign(&seat).await.expect(200);
            DAY
        }
        "given up unplayed" => {
            app.resign(&seat).await.expect(200);
            DAY
        }
        other => panic!("{other}"),
    };
    (seat, kept)
}

const STAGES: [&str; 5] = ["unplayed", "played", "all undone", "given up", "given up unplayed"];

#[tokio::test]
async fn a_session_says_until_when_it_is_kept_and_is_gone_then_swept_or_not() {
    for swept in [false, true] {
        let app = TestApp::start().await;
        for stage in STAGES {
            let (seat, kept) = at_stage(&app, stage).await;
            let session = app.session(&seat).await;
            assert_eq!(session["expires_at"], app.clock.text_in(kept), "{stage}");
            app.clock.advance(kept - MILLISECOND);
            assert_eq!(app.host.sweep().await.unwrap(), 0, "{stage}");
            assert_eq!(app.session(&seat).await, session, "{stage}: looking prolongs nothing");
            app.clock.advance(MILLISECOND);
            assert!(!swept || app.host.sweep().await.unwrap() == 1, "{stage}");
            is_gone(&app, &seat).await;
            app.host.sweep().await.unwrap();
            is_gone(&app, &seat).await;
        }
    }
}

#[tokio::test]
async fn a_move_prolongs_the_life_of_a_session_and_a_refusal_does_not() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    for _ in 0..5 {
        app.clock.advance(HOUR - MILLISECOND);
        let session = app.draw(&seat).await.expect(200).json();
        assert_eq!(session["expires_at"], app.clock.text_in(DAY));
    }
    app.clock.advance(HOUR);
    let before = app.session(&seat).await["expires_at"].clone();
    app.play(&seat, &json!({"type": "redeal"})).await.refused(422, "illegal_move");
    assert_eq!(app.session(&seat).await["expires_at"], before);
}

#[tokio::test]
async fn a_sweep_takes_what_has_expired_and_nothing_else() {
    let app = TestApp::start().await;
    let unplayed: Vec<Seat> = [app.plain("captive-queens").await, app.plain("topsy-turvy-queens").await].into();
    let played = app.plain("captive-queens").await;
    app.draw(&played).await.expect(200);
    app.clock.advance(HOUR);
    let young = app.plain("captive-queens").await;
    assert_eq!(app.host.sweep().await.unwrap(), 2);
    for seat in &unplayed {
        is_gone(&app, seat).await;
    }
    app.show(&played).await.expect(200);
    app.show(&young).await.expect(200);
}

#[tokio::test]
async fn a_finished_session_is_kept_as_long_as_one_of_its_own_time_says() {
    let kept = |finished: u64| {
        move |limits: &mut crate::app::Limits| {
            limits.sessions.lifetimes.finished = MINUTE * finished as u32;
            limits.sessions.lifetimes.idle = HOUR;
            limits.sessions.lifetimes.unplayed = MINUTE;
        }
    };
    for minutes in [1, 90] {
        let app = TestApp::limited(kept(minutes)).await;
        let seat = app.plain("captive-queens").await;
        assert_eq!(seat.first["expires_at"], app.clock.text_in(MINUTE));
        app.draw(&seat).await.expect(200);
        assert_eq!(app.session(&seat).await["expires_at"], app.clock.text_in(HOUR));
        let finished = app.resign(&seat).await.expect(200).json();
        assert_eq!(finished["expires_at"], app.clock.text_in(MINUTE * minutes as u32));
        app.clock.advance(MINUTE * minutes as u32);
        is_gone(&app, &seat).await;
    }
}

#[tokio::test]
async fn when_there_is_no_room_unplayed_sessions_older_than_a_minute_give_way_the_oldest_first() {
    let app = TestApp::limited(|limits| limits.store.sessions = 3).await;
    let wish = json!({"game": "napoleons-square"});
    let oldest = app.create(wish.clone()).await;
    app.clock.advance(MILLISECOND);
    let older = app.create(wish.clone()).await;
    let played = app.create(wish.clone()).await;
    app.draw(&played).await.expect(200);

    app.clock.advance(MINUTE - MILLISECOND - MILLISECOND);
    app.wish(&wish).await.refused(503, "at_capacity");
    app.show(&oldest).await.expect(200);
    // Who plays needs no room.
    app.draw(&played).await.expect(200);

    app.clock.advance(MILLISECOND);
    let new = app.create(wish.clone()).await;
    is_gone(&app, &oldest).await;
    app.show(&older).await.expect(200);
    app.clock.advance(MILLISECOND);
    let newer = app.create(wish.clone()).await;
    is_gone(&app, &older).await;
    app.wish(&wish).await.refused(503, "at_capacity");

    // Played once is played: such sessions stay for as long as they said.
    app.draw(&new).await.expect(200);
    app.undo(&new).await.expect(200);
    app.draw(&newer).await.expect(200);
    app.clock.advance(HOUR);
    app.wish(&wish).await.refused(503, "at_capacity");
    for seat in [&played, &new, &newer] {
        app.show(seat).await.expect(200);
    }
    app.delete(&new).await.expect(204);
    app.create(wish).await;
}

#[tokio::test]
async fn memory_is_bounded_like_the_number_of_sessions() {
    let app = TestApp::limited(|limits| limits.store.bytes = 20_000).await;
    let wish = json!({"game": "topsy-turvy-queens"});
    let mut made = 0;
    let full = loop {
        let answer = app.wish(&wish).await;
        if answer.status != 201 {
            break answer;
        }
        made += 1;
        assert!(made < 1_000, "there is no bound");
    };
    full.refused(503, "at_capacity");
    app.clock.advance(MINUTE);
    app.create(wish).await;
}

#[tokio::test]
async fn a_full_history_takes_no_more_play_but_an_end() {
    let app = TestApp::limited(|limits| limits.sessions.history = 10).await;
    for last in ["resign", "delete"] {
        let seat = app.plain("napoleons-square").await;
        for _ in 0..8 {
            app.draw(&seat).await.expect(200);
        }
        assert_eq!(app.undo(&seat).await.expect(200).version(), 10);
        for answer in [
            app.unmoved(&seat, app.draw(&seat)).await,
            app.unmoved(&seat, app.undo(&seat)).await,
            app.unmoved(&seat, app.redo(&seat)).await,
        ] {
            assert_eq!(answer.refused(409, "history_full").version(), 10);
        }
        if last == "resign" {
            assert_eq!(app.resign(&seat).await.expect(200).version(), 11);
            app.unmoved(&seat, app.draw(&seat)).await.refused(409, "session_over");
            assert_eq!(app.history(&seat).await.len(), 11);
        }
        app.delete(&seat).await.expect(204);
    }
}
