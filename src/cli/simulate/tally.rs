//! What has come of deals, added up. The order in which they are added does not matter.

use std::collections::BTreeMap;
use std::time::Duration;

use super::players::{End, Played};

/// Within what times it is told how many deals were decided.
pub(super) const WITHIN: [(&str, Duration); 3] =
    [("10ms", Duration::from_millis(10)), ("100ms", Duration::from_millis(100)), ("1s", Duration::from_secs(1))];

/// What has come of deals.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    deals: u64,
    ends: [u64; End::COUNT],
    won_in_pass: BTreeMap<u32, u64>,
    /// Moves of the lines that won.
    lengths: Vec<u32>,
    /// Moves of all deals.
    moves: u64,
    /// Tables looked at for each deal.
    tables: Vec<u64>,
    /// Nanoseconds that each deal has taken.
    times: Vec<u64>,
    decided_within: [u64; WITHIN.len()],
}

impl Tally {
    /// Adds a deal.
    pub(super) fn add(&mut self, played: &Played) {
        self.deals += 1;
        self.ends[played.end as usize] += 1;
        self.moves += u64::from(played.moves);
        self.tables.push(played.tables);
        self.times.push(played.time.as_nanos() as u64);
        if played.end == End::Won {
            *self.won_in_pass.entry(played.pass).or_default() += 1;
            self.lengths.push(played.moves);
        }
        if played.end != End::Undecided {
            let within = self.decided_within.iter_mut().zip(WITHIN).filter(|(_, (_, limit))| played.time <= *limit);
            within.for_each(|(count, _)| *count += 1);
        }
    }

    /// Adds what was added elsewhere.
    pub(super) fn merge(&mut self, other: Tally) {
        self.deals += other.deals;
        self.moves += other.moves;
        add_each(&mut self.ends, other.ends);
        add_each(&mut self.decided_within, other.decided_within);
        other.won_in_pass.into_iter().for_each(|(pass, won)| *self.won_in_pass.entry(pass).or_default() += won);
        self.lengths.extend(other.lengths);
        self.tables.extend(other.tables);
        self.times.extend(other.times);
    }

    /// How many deals there were.
    pub(super) fn deals(&self) -> u64 {
        self.deals
    }

    /// How many of them ended so.
    pub(super) fn ended(&self, end: End) -> u64 {
        self.ends[end as usize]
    }

    /// How many were won in each pass in which any was.
    pub(super) fn won_in_pass(&self) -> &BTreeMap<u32, u64> {
        &self.won_in_pass
    }

    /// How many moves were made in all deals.
    pub(super) fn moves(&self) -> u64 {
        self.moves
    }

    /// How many moves each line that won has, in ascending order.
    pub(super) fn lengths(&self) -> Vec<u32> {
        sorted(&self.lengths)
    }

    /// How many tables were looked at for each deal, in ascending order.
    pub(super) fn tables(&self) -> Vec<u64> {
        sorted(&self.tables)
    }

    /// How many nanoseconds each deal has taken, in ascending order.
    pub(super) fn times(&self) -> Vec<u64> {
        sorted(&self.times)
    }

    /// How many deals were decided within each of the [times](WITHIN).
    pub(super) fn decided_within(&self) -> [u64; WITHIN.len()] {
        self.decided_within
    }
}

fn add_each<const N: usize>(to: &mut [u64; N], more: [u64; N]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += more);
}

fn sorted<T: Copy + Ord>(values: &[T]) -> Vec<T> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values
}
