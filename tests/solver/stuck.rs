//! Whether a game can still get anywhere.

use patience::rules::{Known, Memory, Move, PileKind, Table};
use patience::solver::{Budget, Outlook, outlook};

use crate::dice::Dice;
use crate::endings::{Manner, manners, stock};
use crate::exhaustive::can_reach;
use crate::lines::endings;

const BUDGET: Budget = Budget { tables: 20_000 };

#[test]
fn what_is_called_stuck_gets_nowhere_by_any_moves_and_what_is_called_open_does() {
    for manner in manners() {
        let (mut stuck, mut open) = (0, 0);
        for seed in 0..endings() as u64 {
            let mut dice = Dice::new(seed);
            let left = 6 + dice.below(9);
            let table = manner.late_ending(left, &mut dice);
            // Somebody has seen all, or nothing of what lies face down.
            for (known, unseen) in
                [(Known::all_of(&table), 0), (Known::of(&table, &Memory::of_deal(&table)), stock(&table))]
            {
                let told = outlook(&manner.engine, &known, BUDGET);
                let Some(gets_on) = can_get_on(&manner, &table, unseen) else { continue };
                let place = format!("{}, seed {seed}, {left} cards left, {unseen} of the stock unseen", manner.name);
                assert!(told != if gets_on { Outlook::Stuck } else { Outlook::Open }, "{place}: {told:?}");
                stuck += usize::from(told == Outlook::Stuck);
                open += usize::from(told == Outlook::Open);
            }
        }
        assert!(stuck > 10 && open > 10, "{}: {stuck} stuck, {open} open", manner.name);
    }
}

/// Whether a card can be placed, or one of so many at the bottom of the stock be turned up.
fn can_get_on(manner: &Manner, table: &Table, unseen: usize) -> Option<bool> {
    let engine = &manner.engine;
    can_reach(engine, table, |before, chosen, _| match chosen {
        Move::Draw => stock(before) <= unseen,
        Move::Redeal => false,
        Move::Transfer { from, to, .. } => {
            let turns_up = engine.id(from).kind == PileKind::Stock && stock(before) <= unseen;
            engine.id(to).kind.is_home() || turns_up
        }
    })
}

#[test]
fn a_budget_that_ends_proves_nothing() {
    for manner in manners() {
        for seed in 0..50 {
            let table = manner.ending(8, &mut Dice::new(seed));
            let told = outlook(&manner.engine, &Known::all_of(&table), Budget { tables: 0 });
            let has_moves = !manner.engine.legal_moves(table.view()).is_empty();
            assert!(told != Outlook::Stuck || !has_moves, "{}, seed {seed}", manner.name);
        }
    }
}
