//! How likely it is that captives which nobody has seen can all be freed.
//!
//! A pile over a captive is completed only when the cards of its sequence are free, so one captive may have to wait for
//! another, and where they wait in a circle the game is lost. A search that is shown the captives would start piles in
//! the order that happens to suit them; a player has to choose without knowing them. All that he can do about it is to
//! choose what starts the home that has no captive, as what lies there never keeps a captive waiting: with the sequence
//! of which most captives may be, most can be freed. So that is what is weighed here, on many ways in which the captives
//! might lie.

use std::collections::HashMap;

use super::captives::Prison;
use super::ground::{Ground, KINDS, PILES, PileBits, UNSEEN, each, set_of};
use super::position::Position;
use super::random::Random;

/// On how many ways in which the captives might lie a table is judged.
const SAMPLES: usize = 256;

/// For each of some tables that can be reached from one before the next card is turned, how likely it is that all
/// captives can be freed: from 1 up, and 1 for all where there is nothing to choose.
pub(super) fn hopes(ground: &Ground<'_>, start: &Position, tables: &[&Position], random: &mut Random) -> Vec<u64> {
    let bases: Vec<[u8; PILES]> = tables.iter().map(|table| table.bases(ground)).collect();
    let is_unseen = |&pile: &u8| start.captive(pile).is_some_and(|card| ground.kind(card) == UNSEEN);
    let unseen = set_of(each(ground.homes).filter(is_unseen));
    if unseen == 0 || bases.windows(2).all(|pair| pair[0] == pair[1]) {
        return vec![1; tables.len()];
    }
    let samples = samples(ground, start, unseen, random);
    let mut found = HashMap::new();
    let hope = |(table, bases): (&&Position, [u8; PILES])| {
        *found.entry(bases).or_insert_with(|| 1 + most_freed(ground, table, bases, &samples))
    };
    tables.iter().zip(bases).map(hope).collect()
}

/// Captives that there might be: the kind under each pile, over and over.
fn samples(ground: &Ground<'_>, start: &Position, unseen: PileBits, random: &mut Random) -> Vec<[u8; PILES]> {
    let mut kinds = ground.unseen_kinds();
    let sample = |_| {
        random.shuffle(&mut kinds);
        let mut captives = start.captives(ground);
        each(unseen).zip(&kinds).for_each(|(pile, &kind)| captives[usize::from(pile)] = kind);
        captives
    };
    (0..SAMPLES).map(sample).collect()
}

/// In how many of the samples all captives of a table can be freed, with what is best to start the other homes.
fn most_freed(ground: &Ground<'_>, table: &Position, bases: [u8; PILES], samples: &[[u8; PILES]]) -> u64 {
    let frees_all = |plan: &[u8; PILES], captives: &[u8; PILES]| {
        let not_yet = std::array::from_fn(|pile| table.captive(pile as u8).map_or(UNSEEN, |_| captives[pile]));
        Prison::new(table, ground, not_yet, *plan).opens_blindly()
    };
    let freed = |plan| samples.iter().filter(|captives| frees_all(&plan, captives)).count() as u64;
    plans(ground, table, bases).into_iter().map(freed).max().unwrap_or(0)
}

/// With what the homes may start that have not: of the one without a captive it is said what that is, and the others
/// have what is left, in any order. If there is not one such home, nothing is said.
fn plans(ground: &Ground<'_>, table: &Position, bases: [u8; PILES]) -> Vec<[u8; PILES]> {
    let vacant = set_of(each(ground.homes).filter(|&pile| table.len(pile) == 0));
    let over_captives = set_of(each(vacant).filter(|&pile| table.captive(pile).is_some()));
    let starts = each(vacant).fold(0, |kinds, pile| kinds | ground.terms(pile).bases & !(1 << UNSEEN));
    let mut left = [0_u8; KINDS];
    each(starts).for_each(|kind| left[usize::from(kind)] = ground.packs);
    let started = bases.iter().filter(|&&base| base != UNSEEN);
    started.for_each(|&base| left[usize::from(base)] = left[usize::from(base)].saturating_sub(1));
    let is_all_said = left.iter().map(|&count| u32::from(count)).sum::<u32>() == vacant.count_ones();
    if !is_all_said || over_captives == 0 || (vacant & !over_captives).count_ones() != 1 {
        return vec![bases];
    }
    let plan = |apart: u8| {
        let others = each(starts).flat_map(|kind| {
            let count = left[usize::from(kind)] - u8::from(kind == apart);
            std::iter::repeat_n(kind, count.into())
        });
        let mut plan = bases;
        each(over_captives).zip(others).for_each(|(pile, kind)| plan[usize::from(pile)] = kind);
        plan
    };
    each(starts).filter(|&kind| left[usize::from(kind)] > 0).map(plan).collect()
}
