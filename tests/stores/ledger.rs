//! What players asked and were told, held against what is there.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use serde_json::Value;

use crate::client::Answer;
use crate::oracle::{dealt, differences, wire};
use crate::player::{Asked, Told};
use crate::reference::{self, Game};
use crate::table::{GAME, Table, Web};

/// How much was found to be right.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Entries in the history.
    pub(crate) entries: usize,
    /// Changes that were acknowledged.
    pub(crate) acknowledged: usize,
    /// Of those, the ones that had to be asked for more than once.
    pub(crate) settled: usize,
    /// Changes whose players were told nothing.
    pub(crate) open: usize,
    /// Of those, the ones that were made.
    pub(crate) open_and_made: usize,
}

impl std::ops::AddAssign for Found {
    fn add_assign(&mut self, other: Found) {
        self.entries += other.entries;
        self.acknowledged += other.acknowledged;
        self.settled += other.settled;
        self.open += other.open;
        self.open_and_made += other.open_and_made;
    }
}

/// Holds all that was asked of a session against what a node has of it: what was acknowledged is there, as
/// it was acknowledged, each at a version of its own; nothing else is but what may have been made without a
/// word about it, each at most once; and all of it is a game.
pub(crate) async fn check(table: &Table, node: SocketAddr, asked: &[&Asked]) -> Found {
    let history = table.history(node).await;
    for (entry, version) in history.iter().zip(1_u64..) {
        assert_eq!(entry["version"], version, "{}", table.id);
    }
    let web = Web::new();
    let mut acknowledged = BTreeSet::new();
    for (asked, answer) in asked.iter().filter_map(made) {
        let version = answer.version();
        assert!(acknowledged.insert(version), "version {version} of {} was acknowledged twice", table.id);
        let entry = history.get(version as usize - 1);
        let entry = entry.unwrap_or_else(|| panic!("{}: {} lost: {asked:?}", table.id, version));
        assert!(asked.fits(entry), "{asked:?} was acknowledged, and there is {entry}");
        let shown = table.at(&web, node, version).await;
        assert_eq!(shown.text(), answer.text(), "version {version} of {}", table.id);
    }

    let mut open: Vec<&&Asked> = asked.iter().filter(|asked| matches!(asked.told, Told::Nothing)).collect();
    // Those that say behind which version can be in one place only.
    open.sort_by_key(|asked| asked.behind.is_none());
    let is_settled = |(asked, _): &(&Asked, &Answer)| asked.tries > 1;
    let mut found = Found {
        entries: history.len(),
        acknowledged: acknowledged.len(),
        settled: asked.iter().filter_map(made).filter(is_settled).count(),
        open: open.len(),
        open_and_made: 0,
    };
    for entry in history.iter().filter(|entry| is_play(entry)) {
        if !acknowledged.contains(&entry["version"].as_u64().unwrap()) {
            let place = open.iter().position(|asked| asked.fits(entry));
            open.remove(place.unwrap_or_else(|| panic!("nobody has asked for {entry} in {}", table.id)));
            found.open_and_made += 1;
        }
    }
    must_be_a_game(table, node, &history).await;
    found
}

/// A change that was acknowledged, and how.
pub(crate) fn made<'a>(asked: &&'a Asked) -> Option<(&'a Asked, &'a Answer)> {
    match &asked.told {
        Told::Made(answer) => Some((*asked, answer)),
        Told::Refused | Told::Nothing => None,
    }
}

fn is_play(entry: &Value) -> bool {
    ["moved", "undone", "redone"].iter().any(|kind| entry["type"] == *kind)
}

/// Plays the history by the reference's rules, and compares how it ends.
async fn must_be_a_game(table: &Table, node: SocketAddr, history: &[Value]) {
    let mut tables = vec![dealt(Game::named(GAME, &[]), &table.seed)];
    let mut undone = Vec::new();
    for entry in history.iter().filter(|entry| is_play(entry)) {
        let about = format!("{entry} in {}", table.id);
        match entry["type"].as_str().unwrap() {
            "moved" => {
                let mut next = tables.last().unwrap().clone();
                let played = read(&entry["moves"][0]);
                assert_eq!(next.refusal(&played), None, "{about}");
                next.play(&played);
                tables.push(next);
                undone.clear();
            }
            "undone" => undone.push(tables.pop().expect(&about)),
            _ => tables.push(undone.pop().expect(&about)),
        }
    }
    let shown = table.at(&Web::new(), node, history.len() as u64).await.json();
    assert_eq!(differences(&shown, tables.last().unwrap()), Vec::<String>::new(), "{}", table.id);
}

/// A move as it was sent.
fn read(move_: &Value) -> reference::Move {
    let text = |name: &str| move_[name].as_str().unwrap().to_string();
    let read = match move_["type"].as_str().unwrap() {
        "draw" => reference::Move::Draw,
        "redeal" => reference::Move::Redeal,
        _ => {
            let count = move_["count"].as_u64().unwrap() as usize;
            reference::Move::Move { from: text("from"), to: text("to"), count }
        }
    };
    assert_eq!(wire(&read), *move_);
    read
}
