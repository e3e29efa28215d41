//! `patience simulate`: what it tells follows from its arguments, and is what playing deal by deal tells.

use std::process::Command;

use serde_json::{Value, json};

use crate::program::{fails, patience, run};

/// What the program answers as JSON, without how long it took.
fn simulated(arguments: &[&str]) -> Value {
    let output = run(&[&["simulate", "--json"], arguments].concat());
    without_times(&String::from_utf8(output.stdout).unwrap(), &String::from_utf8(output.stderr).unwrap())
}

fn without_times(answer: &str, complaints: &str) -> Value {
    assert_eq!(complaints, "", "nobody watches on a terminal, so there is no bar");
    let mut answer: Value = serde_json::from_str(answer).unwrap();
    assert!(answer["time"]["total_s"].as_f64().unwrap() > 0.0);
    answer.as_object_mut().unwrap().remove("time");
    answer
}

/// The same, with all that it follows from.
fn results(arguments: &[&str]) -> Value {
    let mut answer = simulated(arguments);
    answer.as_object_mut().unwrap().remove("command");
    answer
}

#[test]
fn results_depend_neither_on_the_run_nor_on_how_many_threads_play() {
    for arguments in [
        &["captive-queens", "--deals", "1000"][..],
        &["captive-queens", "--deals", "20", "--play", "hint"],
        &["napoleons-square", "--deals", "12", "--budget", "20000"],
        &["napoleons-square", "--pysolfc", "31998..32002", "--budget", "20000", "--option", "moves=single"],
        &["topsy-turvy-queens", "--deals", "3", "--play", "hint", "--budget", "10"],
    ] {
        let once = results(&[arguments, &["--jobs", "1"]].concat());
        for jobs in ["1", "2", "7"] {
            assert_eq!(results(&[arguments, &["--jobs", jobs]].concat()), once, "{arguments:?} {jobs}");
        }
    }
}

#[test]
fn the_printed_command_does_the_same_again() {
    for arguments in [
        &["captive-queens", "--deals", "10", "--from-seed", "it's $HOME, 1"][..],
        &["captive-queens", "--deals", "10", "--from-seed=-x 'y'"],
        &["captive-queens", "--pysolfc", "5..9", "--option", "redeals=3", "--jobs", "2"],
        &["napoleons-square", "--deals", "2", "--budget", "5000"],
    ] {
        let answer = simulated(arguments);
        let command = answer["command"].as_str().unwrap();
        let call = command.strip_prefix("patience ").unwrap();
        let call = format!("'{}' {call}", env!("CARGO_BIN_EXE_patience"));
        let again = Command::new("sh").args(["-c", &call]).env_clear().output().unwrap();
        let [told, complaints] = [again.stdout, again.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(without_times(&told, &complaints), answer);

        let text = String::from_utf8(run(&[&["simulate"], arguments].concat()).stdout).unwrap();
        assert_eq!(text.lines().next(), command.strip_suffix(" --json"));
    }
}

#[test]
fn where_nobody_has_a_choice_all_ways_to_play_come_to_the_same() {
    let arguments = ["captive-queens", "--option", "start=full", "--deals", "200", "--play"];
    let [forced, hint, thoughtful] =
        ["forced", "hint", "thoughtful"].map(|play| results(&[&arguments[..], &[play]].concat()));
    assert_eq!((&forced["won"], &forced["moves"]), (&hint["won"], &hint["moves"]));
    assert_eq!((&forced["won"], &forced["moves"]), (&thoughtful["won"], &thoughtful["moves"]));
    assert_eq!(forced["not_won"]["lost"], thoughtful["not_won"]["unwinnable"]);
    let won = forced["won"]["count"].as_u64().unwrap();
    assert_eq!(forced["not_won"]["lost"], json!(200 - won));
    let by_pass = forced["won"]["by_pass"].as_object().unwrap();
    assert!(won > 0 && by_pass.len() > 1, "{by_pass:?}");
    assert_eq!(by_pass.values().map(|won| won.as_u64().unwrap()).sum::<u64>(), won);
}

#[test]
fn deals_are_those_of_the_seeds_and_numbers_that_are_said() {
    let budget = ["--budget", "20000"];
    for (many, one) in [
        (["--deals=1", "--from-seed=a b"], ["--seed", "a b 1"]),
        (["--pysolfc", "31999..31999"], ["--pysolfc", "31999"]),
        (["--pysolfc", "99999999999999999999..99999999999999999999"], ["--pysolfc", "99999999999999999999"]),
    ] {
        let simulated = simulated(&[&["napoleons-square"][..], &many, &budget].concat());
        let solved = run(&[&["solve", "napoleons-square", "--json"][..], &one, &budget].concat());
        let solved: Value = serde_json::from_slice(&solved.stdout).unwrap();
        assert_eq!(simulated["tables"]["total"], solved["tables"], "{many:?}");
        let moves = solved["moves"].as_array().map(Vec::len);
        assert_eq!(simulated["moves"]["median"].as_u64(), moves.map(|moves| moves as u64), "{many:?}");
    }
}

#[test]
fn play_is_forced_where_the_deal_alone_decides_and_thoughtful_elsewhere() {
    for (arguments, play) in [
        (&["captive-queens"][..], "forced"),
        (&["captive-queens", "--option", "play=free", "--budget", "1000"], "thoughtful"),
        (&["napoleons-square", "--budget", "1000"], "thoughtful"),
    ] {
        assert_eq!(simulated(&[arguments, &["--deals", "1"]].concat())["play"], json!(play), "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_simulated_is_told_in_one_line() {
    for (arguments, why) in [
        (&["napoleons-square", "--play", "forced"][..], "patience 1: move 1 is a choice"),
        (&["captive-queens", "--play", "forced", "--option", "play=free", "--jobs", "7"], "deal patience 1: "),
        (&["captive-queens", "--budget", "10"], "--budget"),
        (&["captive-queens", "--deals", "0"], "--deals"),
        (&["captive-queens", "--deals", "10000001"], "--deals"),
        (&["captive-queens", "--jobs", "0"], "--jobs"),
        (&["captive-queens", "--play", "badly"], "--play"),
        (&["captive-queens", "--pysolfc", "2..1"], "the first number is the lower one"),
        (&["captive-queens", "--pysolfc", "1..2", "--deals", "2"], "--deals"),
        (&["captive-queens", "--pysolfc", "1..2", "--from-seed", "a"], "--from-seed"),
        (&["captive-queens", "--from-seed", &"a".repeat(60)], "1 to 64 characters"),
        (&["captive-queens", "--option", "redeals=many"], "redeals: this option is a whole number"),
    ] {
        fails(&mut patience(&[&["simulate"], arguments].concat()), why);
    }
}

#[test]
fn a_report_can_be_read() {
    let output = run(&["simulate", "napoleons-square", "--deals", "3", "--budget", "20000"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("patience simulate napoleons-square --option moves=runs --from-seed"));
    assert_eq!(lines.next(), Some(""));
    for start in ["deals ", "won ", "unwinnable ", "undecided ", "tables ", "time "] {
        assert!(text.lines().any(|line| line.starts_with(start)), "{start}\n{text}");
    }
}
