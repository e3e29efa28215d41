//! `patience solve`: a line that wins is one that the server lets somebody play.

use std::io::Write;
use std::process::Stdio;

use patience::cards::{Packs, Seed};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::oracle::names;
use crate::program::{fails, patience, run};
use crate::to_the_end::{winning_napoleon, winning_topsy_turvy};

/// A seed that is won in each game.
const WON: [(&str, &str); 3] = [("captive-queens", "0"), ("napoleons-square", "0"), ("topsy-turvy-queens", "0")];

/// What the program answers as JSON, and with which code it exits.
fn solved(arguments: &[&str]) -> (Value, i32) {
    let output = run(&[&["solve", "--json"], arguments].concat());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

#[tokio::test]
async fn a_line_that_wins_can_be_played_over_the_api() {
    let app = TestApp::start().await;
    for (game, seed) in WON {
        let (answer, code) = solved(&[game, "--seed", seed]);
        assert_eq!((&answer["verdict"], code), (&json!("won"), 0), "{game} {seed}");
        let seat = app.create(json!({"game": game, "seed": seed, "options": answer["options"]})).await;
        let mut session = app.session(&seat).await;
        for each in answer["moves"].as_array().unwrap() {
            assert_eq!(session["status"], "playing");
            session = app.play(&seat, each).await.expect(200).json();
        }
        assert_eq!(
            (&session["status"], &session["moves"]),
            (&json!("won"), &json!(answer["moves"].as_array().unwrap().len()))
        );
        let redeals = answer["options"]["redeals"].as_u64().unwrap_or(0) - session["redeals_left"].as_u64().unwrap();
        assert_eq!(answer["pass"], json!(redeals + 1), "{game} {seed}");
    }
}

#[test]
fn a_line_can_be_read_move_by_move_with_the_cards_that_move() {
    let [napoleon, topsy_turvy] = [winning_napoleon(), winning_topsy_turvy()].map(|deck| deck.join("\n"));
    for (game, deck) in [("napoleons-square", napoleon), ("topsy-turvy-queens", topsy_turvy)] {
        let text = solved_from_input(game, &deck, &[]);
        let mut lines = text.lines();
        let summary = lines.next().unwrap();
        let mut moves = 0;
        for line in lines {
            moves += 1;
            let (number, told) = line.trim_start().split_once(". ").unwrap();
            assert_eq!(number, moves.to_string());
            let (what, cards) = told.split_once(": ").unwrap_or((told, ""));
            let cards = cards.split(", which frees ").next().unwrap().split(' ').count();
            let is_known = match what.split_once(" → ") {
                None => ["draw", "redeal"].contains(&what),
                Some((_, to)) => cards == 1 && !to.contains(',') || to.ends_with(&format!(", {cards} cards")),
            };
            assert!(is_known, "{line}");
        }
        assert!(summary.starts_with(&format!("won in {moves} moves, in pass 1 (")), "{summary}");
        assert_eq!(text.matches(", which frees K").count(), if game.starts_with("topsy") { 7 } else { 0 });
    }
}

fn solved_from_input(game: &str, deck: &str, more: &[&str]) -> String {
    let mut command = patience(&[&["solve", game, "--deck", "-"], more].concat());
    let mut process = command.stdin(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(deck.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_deal_is_the_same_whether_it_is_told_by_seed_or_by_its_cards() {
    let deck = Seed::try_from("0".to_string()).unwrap().deck(Packs::Two);
    let names = names(deck.cards());
    let (by_seed, _) = solved(&["napoleons-square", "--seed", "0"]);
    assert_eq!(by_seed["deal"], json!({"seed": "0"}));
    for text in [names.join(" "), json!(names).to_string()] {
        let by_deck: Value = serde_json::from_str(&solved_from_input("napoleons-square", &text, &["--json"])).unwrap();
        assert_eq!(by_deck["deal"], json!({"deck": names}));
        assert_eq!((&by_deck["moves"], &by_deck["tables"]), (&by_seed["moves"], &by_seed["tables"]));
    }
}

#[test]
fn a_number_of_pysolfc_deals_what_it_deals_there() {
    let (answer, code) = solved(&["captive-queens", "--pysolfc", "1", "--option", "redeals=10"]);
    assert_eq!((&answer["deal"], code), (&json!({"pysolfc": "1"}), 0));
    let text = String::from_utf8(run(&["solve", "captive-queens", "--pysolfc", "1", "--option", "redeals=10"]).stdout)
        .unwrap();
    let drawn: Vec<&str> = text.lines().filter_map(|line| line.split_once("draw: ").map(|(_, card)| card)).collect();
    assert_eq!(drawn[..5], ["JD", "2D", "9H", "JC", "5D"]);
}

#[test]
fn the_exit_code_says_what_was_found() {
    for (arguments, verdict, code) in [
        (&["captive-queens", "--seed", "0"][..], "won", 0),
        (&["captive-queens", "--seed", "1", "--option", "redeals=0"], "unwinnable", 2),
        (&["topsy-turvy-queens", "--seed", "0", "--budget", "1000"], "undecided", 3),
    ] {
        let (answer, found) = solved(arguments);
        assert_eq!((&answer["verdict"], found), (&json!(verdict), code), "{arguments:?}");
        assert_eq!(answer["moves"].is_array(), code == 0);
        let output = run(&[&["solve"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(code == 0 || output.stdout.iter().filter(|&&byte| byte == b'\n').count() == 1);
    }
}

#[test]
fn a_deal_that_makes_no_sense_is_told_in_one_line() {
    for (arguments, why) in [
        (&["klondike", "--seed", "0"][..], "captive-queens, napoleons-square, topsy-turvy-queens"),
        (&["captive-queens"], "--seed"),
        (&["captive-queens", "--seed", ""], "1 to 64 characters"),
        (&["captive-queens", "--seed", "0", "--pysolfc", "1"], "--pysolfc"),
        (&["captive-queens", "--pysolfc", "-1"], "-1"),
        (&["captive-queens", "--deck", "/nowhere/at/all"], "/nowhere/at/all"),
        (&["captive-queens", "--deck", "Cargo.lock"], "more than 16384 bytes"),
        (&["captive-queens", "--deck", "-"], "0 cards, too few"),
        (&["captive-queens", "--seed", "0", "--budget", "0"], "--budget"),
        (&["captive-queens", "--seed", "0", "--option", "start"], "name=value"),
        (&["captive-queens", "--seed", "0", "--option", "stop=full"], "stop: this game has no such option"),
        (&["captive-queens", "--seed", "0", "--option", "redeals=11"], "redeals: this option is a whole number"),
        (
            &["captive-queens", "--seed", "0", "--option", "redeals=1", "--option", "redeals=1"],
            "redeals is given twice",
        ),
    ] {
        fails(&mut patience(&[&["solve"], arguments].concat()), why);
    }
}
