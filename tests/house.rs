//! The architecture, kept: who imports whom, and what the pure rooms do without.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room, and the rooms that it may import.
const ARROWS: [(&str, &[&str]); 12] = [
    ("main", &["cli", "config"]),
    ("cli", &["config", "http", "host", "store", "solver", "games", "rules", "cards"]),
    ("config", &[]),
    ("http", &["host", "session", "games", "rules", "cards", "web", "config"]),
    ("web", &[]),
    ("host", &["store", "session", "games", "solver", "rules", "cards"]),
    ("store", &["session", "cards"]),
    ("session", &["games", "rules", "cards"]),
    ("solver", &["rules", "cards"]),
    ("games", &["rules", "cards"]),
    ("rules", &["cards"]),
    ("cards", &[]),
];

/// Rooms that know no clock, no runtime, no randomness of their own, no input and no output.
const PURE: [&str; 5] = ["cards", "rules", "games", "session", "solver"];

/// What would make a room impure.
const IMPURE: [&str; 13] = [
    "SystemTime::now",
    "Instant",
    "tokio",
    "async ",
    "std::fs",
    "std::net",
    "std::env",
    "std::io",
    "std::thread",
    "rand::rng",
    "rand::random",
    "println!",
    "tracing",
];

#[test]
fn a_room_imports_only_the_rooms_that_it_may() {
    let rooms: BTreeSet<&str> = ARROWS.iter().map(|(room, _)| *room).collect();
    let mut seen = BTreeSet::new();
    for (path, code) in sources() {
        let room = room_of(&path);
        if room == "lib" {
            continue;
        }
        let (_, allowed) = ARROWS.iter().find(|(each, _)| *each == room).expect("a room that has no arrows yet");
        for other in imports(&code).filter(|other| *other != room) {
            assert!(rooms.contains(other), "{}: there is no room {other}", path.display());
            assert!(allowed.contains(&other), "{}: {room} must not import {other}", path.display());
            seen.insert((room.clone(), other.to_string()));
        }
    }
    assert!(seen.len() > 15, "the arrows were not found: {seen:?}");
}

#[test]
fn the_pure_rooms_know_no_clock_no_runtime_no_randomness_no_input_and_no_output() {
    for (path, code) in sources().filter(|(path, _)| PURE.contains(&room_of(path).as_str())) {
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let found = IMPURE.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}: {line}", path.display());
        }
    }
}

#[test]
fn no_engine_knows_a_game_by_name() {
    let names = ["captive-queens", "napoleons-square", "topsy-turvy-queens"];
    for (path, code) in sources().filter(|(path, _)| room_of(path) != "games") {
        for name in names {
            assert!(!code.contains(name), "{} names {name}", path.display());
        }
    }
}

#[test]
fn the_words_of_the_rules_are_no_flags() {
    let language = fs::read_to_string("src/rules/language.rs").unwrap();
    assert!(!language.contains("bool"));
}

/// Every source file without its tests.
fn sources() -> impl Iterator<Item = (PathBuf, String)> {
    let mut found = Vec::new();
    collect(Path::new("src"), &mut found);
    assert!(found.len() > 40);
    let for_tests: Vec<PathBuf> = found.iter().flat_map(|path| test_modules(path)).collect();
    found.retain(|path| !for_tests.contains(path));
    found.into_iter().map(|path| {
        let code = fs::read_to_string(&path).unwrap();
        let code = code.split("#[cfg(test)]\nmod tests").next().unwrap().to_string();
        (path, code)
    })
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The files of modules that are there for tests only.
fn test_modules(path: &Path) -> Vec<PathBuf> {
    let code = fs::read_to_string(path).unwrap();
    let marked = code.split("#[cfg(test)]\nmod ").skip(1);
    let names = marked.filter_map(|rest| rest.split_once(';').map(|(name, _)| name.to_string()));
    names.filter(|name| !name.contains('{')).map(|name| path.with_file_name(format!("{name}.rs"))).collect()
}

/// The room of a file: the folder below `src`, or the file itself.
fn room_of(path: &Path) -> String {
    let below = path.strip_prefix("src").unwrap();
    let first = below.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

/// The rooms that code names: `crate::room`, `patience::room`, and the braces of `use crate::{…}`.
fn imports(code: &str) -> impl Iterator<Item = &str> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| {
        let single = line.split("crate::").skip(1).chain(line.split("patience::").skip(1));
        let braced = line.strip_prefix("use crate::{").into_iter().flat_map(|rest| rest.split(", "));
        single.chain(braced).map(first_word).filter(|word| !word.is_empty())
    })
}

fn first_word(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_ascii_lowercase() && character != '_');
    &text[..end.unwrap_or(text.len())]
}
