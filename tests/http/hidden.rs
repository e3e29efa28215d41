//! Hidden cards: nothing that a client can get, and nothing in the log, depends on a card that has not
//! been face up.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::{Seat, TestApp};
use crate::client::{Answer, Ask};
use crate::dice::Dice;
use crate::logs;
use crate::oracle::{names, seeded, wire};
use crate::reference::{Game, Move};

/// How many cards of the stock are never drawn here, at the least.
const UNDRAWN: usize = 20;

/// Two decks that differ in nothing but the captives and the end of the stock.
fn twins(game: &str, seed: &str) -> [Vec<String>; 2] {
    let cards = seeded(seed, &Game::named(game, &[]));
    let one: Vec<String> = names(&cards).into_iter().map(str::to_string).collect();
    let mut other = one.clone();
    let end = other.len() - UNDRAWN;
    other[end..].reverse();
    if game == "topsy-turvy-queens" {
        other[..7].rotate_left(3);
        // A captive for a card at the end of the stock.
        other.swap(0, end + 5);
    }
    assert_ne!(one, other);
    [one, other]
}

/// The cards of a text, wherever they stand as words.
pub(crate) fn cards_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_card = |word: &&str| {
        matches!(word.as_bytes(), [rank, suit]
        if b"A23456789TJQK".contains(rank) && b"CDHS".contains(suit))
    };
    words.filter(is_card).map(str::to_string).collect()
}

/// What is asked of both, however it may be answered.
fn some_ask(dice: &mut Dice, session: &Value, may_draw: bool) -> (&'static str, String, Option<Value>) {
    let piles: Vec<&str> =
        session["piles"].as_array().unwrap().iter().map(|pile| pile["id"].as_str().unwrap()).collect();
    let version = session["version"].as_u64().unwrap();
    match dice.below(18) {
        0..=4 => {
            let is_fit = |each: &&Value| may_draw || (each["type"] != "draw" && each["from"] != "stock");
            let legal: Vec<&Value> = session["legal_moves"].as_array().unwrap().iter().filter(is_fit).collect();
            let play = if legal.is_empty() { json!({"type": "redeal"}) } else { (*dice.pick(&legal)).clone() };
            ("POST", "/moves".into(), Some(play))
        }
        // The stock and the captives are what there is to pry into.
        5..=8 => {
            let hiding = ["stock", "foundation-1", "foundation-2", "foundation-7"];
            let (from, to) = (*dice.pick(&hiding), *dice.pick(&piles));
            let (from, to) = if dice.one_in(3) { (to, from) } else { (from, to) };
            let play = wire(&Move::Move { from: from.into(), to: to.into(), count: 1 + dice.below(3) });
            let goes = session["legal_moves"].as_array().unwrap().contains(&play) && !may_draw;
            ("POST", "/moves".into(), Some(if goes { json!({"type": "redeal"}) } else { play }))
        }
        9 => ("POST", "/undo".into(), None),
        10 => ("POST", "/redo".into(), None),
        11 => ("GET", format!("?version={}", 1 + dice.below(version as usize)), None),
        12 => ("GET", "/history".into(), None),
        13 => ("GET", "/hint".into(), None),
        14 => ("GET", "/outlook".into(), None),
        15 => ("POST", "/autoplay".into(), None),
        16 => ("GET", "/solution".into(), None),
        _ => ("GET", "".into(), None),
    }
}

fn ask(seat: &Seat, (method, rest, body): &(&str, String, Option<Value>)) -> Ask {
    let ask = Ask::new(method, &seat.at(rest)).token(&seat.token);
    body.iter().fold(ask, |ask, body| ask.json(body))
}

/// The lines about a session, without what is never twice the same.
fn lines(seat: &Seat) -> Vec<String> {
    let line = |line: String| {
        let mut line: Value = serde_json::from_str(&line).unwrap();
        for name in ["timestamp", "request", "micros"] {
            line.as_object_mut().unwrap().remove(name);
        }
        line.to_string().replace(&seat.id, "ID")
    };
    logs::lines_with(&seat.id).into_iter().map(line).collect()
}

#[tokio::test]
async fn sessions_that_differ_only_in_hidden_cards_are_told_apart_by_nobody() {
    let app = TestApp::start().await;
    for game in ["captive-queens", "napoleons-square", "topsy-turvy-queens"] {
        for seed in 0..4 {
            let mut seats = Vec::new();
            for deck in twins(game, &seed.to_string()) {
                seats.push(app.create(json!({"game": game, "deck": deck})).await);
            }
            let stock = seats[0].first["piles"][0]["face_down"].as_u64().unwrap() as usize;
            let mut dice = Dice::new(seed);
            let mut session = seats[0].first.clone();
            for step in 0..120 {
                app.clock.advance(std::time::Duration::from_millis(dice.below(2_000) as u64));
                let left = session["piles"][0]["face_down"].as_u64().unwrap() as usize;
                let asked = some_ask(&mut dice, &session, left > UNDRAWN);
                let [one, other] = [&seats[0], &seats[1]].map(|seat| app.ask(ask(seat, &asked)));
                let (one, other) = (one.await, other.await);
                let [one_text, other_text] = [(&one, &seats[0]), (&other, &seats[1])]
                    .map(|(answer, seat)| answer.without_its_id().replace(&seat.id, "ID"));
                assert_eq!(one_text, other_text, "{game} seed {seed} step {step}: {asked:?}");
                if asked.0 == "POST" && one.status == 200 {
                    session = one.json();
                }
            }
            let drawn = stock - session["piles"][0]["face_down"].as_u64().unwrap() as usize;
            assert!(drawn > 0 && drawn <= stock - UNDRAWN, "{game} seed {seed}: {drawn} of {stock} drawn");
            let [one, other] = [&seats[0], &seats[1]].map(lines);
            assert!(one.len() >= 120, "{game} seed {seed}: {} lines", one.len());
            assert_eq!(one, other, "{game} seed {seed}");
        }
    }
}

/// How often those who watch are told more, in a game.
const TOLD: usize = 6;

#[tokio::test]
async fn those_who_watch_sessions_that_differ_only_in_hidden_cards_are_told_and_advised_the_same() {
    let app = &TestApp::start().await;
    let watched = async |game: &str| {
        let mut watched = Vec::new();
        for deck in twins(game, "watched") {
            let seat = app.create(json!({"game": game, "deck": deck})).await;
            watched.push((app.watch(&seat.path, None, None).await, seat));
        }
        let mut dice = Dice::new(5);
        for told in 0..TOLD {
            let mut texts = Vec::new();
            let session = app.session(&watched[0].1).await;
            let play = dice.pick(session["legal_moves"].as_array().unwrap()).clone();
            for (stream, seat) in &mut watched {
                app.play(seat, &play).await.expect(200);
                let event = stream.next_aside("outlook").await;
                let event = if event.data["version"] == 1 { stream.next_aside("outlook").await } else { event };
                let hint = app.get(&seat.at("/hint")).await;
                texts.push((event.text, hint.without_its_id()));
            }
            assert_eq!(texts[0], texts[1], "{game} {told}: {play}");
        }
    };
    tokio::join!(watched("captive-queens"), watched("napoleons-square"), watched("topsy-turvy-queens"));
}

/// Adds the cards that are face up in a session.
fn see(seen: &mut BTreeSet<String>, session: &Value) {
    for pile in session["piles"].as_array().unwrap() {
        seen.extend(pile["cards"].as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_string()));
    }
}

/// All that was answered, as it was sent.
fn whole(answer: &Answer) -> String {
    format!("{:?}\n{}", answer.headers, answer.text())
}

#[tokio::test]
async fn a_whole_game_gives_away_no_token_no_seed_and_no_card_that_is_still_hidden() {
    let app = TestApp::start().await;
    for (game, seed) in
        [("captive-queens", "whole-game-1"), ("captive-queens", "whole-game-2"), ("topsy-turvy-queens", "whole-game-3")]
    {
        let wish = json!({"game": game, "seed": seed, "visibility": "private", "name": "Ada"});
        let seat = app.create(wish).await;
        let mut seen = BTreeSet::new();
        see(&mut seen, &seat.first);
        let mut dice = Dice::new(7);
        let mut session = seat.first.clone();
        for step in 0..300 {
            if session["status"] != "playing" {
                break;
            }
            let asked = some_ask(&mut dice, &session, true);
            let answer = app.ask(ask(&seat, &asked)).await;
            if asked.0 == "POST" && answer.status == 200 {
                session = answer.json();
                see(&mut seen, &session);
            }
            let about = format!("{game} seed {seed} step {step}: {asked:?}");
            let text = whole(&answer);
            for secret in [&seat.token, seat.invite.as_ref().unwrap(), seed] {
                assert!(!text.contains(secret), "{about}");
            }
            let hidden: Vec<String> = cards_in(&text).difference(&seen).cloned().collect();
            assert!(hidden.is_empty(), "{about}: {hidden:?} were not seen yet");
        }
        app.resign(&seat).await;
        assert!(seen.len() > 13, "{game} seed {seed}: not much of a game");

        let lines = logs::lines_with(&seat.id);
        assert!(lines.len() > 100, "{game} seed {seed}");
        assert!(lines.iter().all(|line| cards_in(line).is_empty()), "{game} seed {seed}: a card is in the log");
        for secret in [&seat.token, seat.invite.as_ref().unwrap(), seed, "Ada"] {
            assert_eq!(logs::lines_with(secret), Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn what_was_drawn_and_undone_has_been_seen_and_what_was_not_stays_hidden_after_a_redeal() {
    let app = TestApp::start().await;
    let seat = app.create(json!({"game": "captive-queens", "seed": "again", "options": {"play": "free"}})).await;
    for _ in 0..52 {
        app.draw(&seat).await.expect(200);
    }
    let redealt = app.play(&seat, &json!({"type": "redeal"})).await.expect(200);
    // All have been seen, but they are face down again: how many, not which.
    assert_eq!(cards_in(&redealt.text()), BTreeSet::new());
    assert_eq!(redealt.json()["piles"][0]["face_down"], 52);
}

#[tokio::test]
async fn every_answer_has_one_line_in_the_log_under_its_id() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    let answers = [
        (app.draw(&seat).await, "POST", "/v1/sessions/{id}/moves", true),
        (app.play(&seat, &json!({"type": "redeal"})).await, "POST", "/v1/sessions/{id}/moves", true),
        (app.get(&seat.at("?version=x")).await, "GET", "/v1/sessions/{id}", true),
        (app.get("/nowhere/secret").await, "GET", "none", false),
        (app.get("/healthz").await, "GET", "/healthz", false),
        (app.ask(Ask::new("PUT", &seat.path)).await, "PUT", "/v1/sessions/{id}", true),
    ];
    let answers = answers.into_iter().chain([(
        app.raw(&"A".repeat(9_000), "/healthz", &[], b"").await,
        "other",
        "/healthz",
        false,
    )]);
    for (answer, method, route, is_of_a_session) in answers {
        let lines = logs::lines_with(answer.header("x-request-id").unwrap());
        assert_eq!(lines.len(), 1, "{lines:?}");
        let line: Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!([&line["method"], &line["route"]], [method, route], "{line}");
        assert_eq!(line["status"], answer.status, "{line}");
        assert_eq!(line["session"].as_str(), is_of_a_session.then_some(seat.id.as_str()), "{line}");
        let code = if answer.status == 200 { String::new() } else { answer.code() };
        assert_eq!(line["code"].as_str().unwrap_or_default(), code, "{line}");
        let reason = if code == "illegal_move" { answer.reason() } else { String::new() };
        assert_eq!(line["reason"].as_str().unwrap_or_default(), reason, "{line}");
        assert!(!lines[0].contains("secret") && !lines[0].contains("version=x"), "{line}");
    }
}
