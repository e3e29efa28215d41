//! Between the wire and the reference implementation of the rules.

use patience::cards::{Card, Packs, Seed};
use serde_json::{Value, json};

use crate::reference::{Game, Move, Status, Table};

/// The cards that follow from a seed.
pub(crate) fn seeded(seed: &str, game: &Game) -> Vec<Card> {
    let packs = if game.packs() == 1 { Packs::One } else { Packs::Two };
    Seed::try_from(seed.to_string()).unwrap().deck(packs).cards().to_vec()
}

/// The table that a seed deals.
pub(crate) fn dealt(game: Game, seed: &str) -> Table {
    Table::deal(game, &seeded(seed, &game))
}

/// Cards as they are written.
pub(crate) fn names(cards: &[Card]) -> Vec<&str> {
    cards.iter().map(|card| card.as_str()).collect()
}

/// A move as it is sent.
pub(crate) fn wire(each: &Move) -> Value {
    match each {
        Move::Draw => json!({"type": "draw"}),
        Move::Redeal => json!({"type": "redeal"}),
        Move::Move { from, to, count } => json!({"type": "move", "from": from, "to": to, "count": count}),
    }
}

/// A move from pile to pile, of one card.
pub(crate) fn to(from: &str, to: &str) -> Move {
    Move::Move { from: from.to_string(), to: to.to_string(), count: 1 }
}

pub(crate) fn status(table: &Table) -> &'static str {
    match table.status() {
        Status::Playing => "playing",
        Status::Won => "won",
        Status::Lost => "lost",
    }
}

/// Where a session that is not given up differs from the reference, in words.
pub(crate) fn differences(session: &Value, table: &Table) -> Vec<String> {
    let moves: Vec<Value> = table.legal_moves().iter().map(wire).collect();
    let status = if moves.is_empty() { status(table) } else { "playing" };
    let kind = |id: &str| id.split('-').next().unwrap_or_default().to_string();
    let piles = table.piles().into_iter().map(|pile| {
        json!({"id": pile.name, "kind": kind(&pile.name), "face_down": pile.face_down, "cards": names(&pile.cards)})
    });
    let expected = [
        ("piles", Value::Array(piles.collect())),
        ("redeals_left", json!(table.redeals_left())),
        ("placed", json!(table.placed())),
        ("legal_moves", Value::Array(moves)),
        ("status", json!(status)),
    ];
    let differs = expected.into_iter().filter(|(name, expected)| session[name] != *expected);
    differs.map(|(name, expected)| format!("{name} is\n{}\nand should be\n{expected}", session[name])).collect()
}
