//! A search that leaves nothing out: all legal moves, as the engine lists them, on each table that can be reached.

use std::collections::HashSet;

use patience::rules::{Engine, Move, Outcome, Table};

use crate::endings::fingerprint;

/// More tables than that are too many for a test.
const MOST: usize = 30_000;

/// Whether a table with what is looked for can be reached; nothing if there are too many to say.
pub(crate) fn can_reach(
    engine: &Engine,
    table: &Table,
    is_wanted: impl Fn(&Table, Move, &Table) -> bool,
) -> Option<bool> {
    let mut seen = HashSet::from([fingerprint(engine, table)]);
    let mut open = vec![table.clone()];
    while let Some(table) = open.pop() {
        for chosen in engine.legal_moves(table.view()) {
            let next = after(engine, &table, chosen);
            if is_wanted(&table, chosen, &next) {
                return Some(true);
            }
            if seen.insert(fingerprint(engine, &next)) {
                open.push(next);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(false)
}

/// Whether a game can be won; nothing if there are too many tables to say.
pub(crate) fn can_win(engine: &Engine, table: &Table) -> Option<bool> {
    let is_won = |table: &Table| engine.outcome(table.view()) == Outcome::Won;
    if is_won(table) { Some(true) } else { can_reach(engine, table, |_, _, next| is_won(next)) }
}

/// A table after a legal move.
pub(crate) fn after(engine: &Engine, table: &Table, chosen: Move) -> Table {
    let mut next = table.clone();
    for step in &engine.steps(table, chosen) {
        next.apply(step).expect("a step fits the table that it was made from");
    }
    next
}
