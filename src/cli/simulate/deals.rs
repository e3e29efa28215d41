//! The deals of a simulation: many at once, each of which can be named and dealt again.

use clap::Args;

use crate::cards::{PysolfcNumber, Seed};
use crate::cli::chosen::Source;

/// How many deals there may be: some 20 bytes are kept of each.
const MOST_DEALS: u64 = 10_000_000;

/// Deals as a command line chooses them.
#[derive(Debug, Args)]
pub(super) struct ChosenDeals {
    /// How many deals, 1 to 10000000
    #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=MOST_DEALS))]
    deals: u64,

    /// The seeds of the deals: this text, a space and a number, from 1 on; at most 64 characters, as every seed
    #[arg(long, value_name = "TEXT", default_value = "patience")]
    from_seed: String,

    /// The deals that PySolFC 3.6 has under the numbers from one to another, both included, instead of those of seeds
    #[arg(long, value_name = "FIRST..LAST", value_parser = numbers, conflicts_with_all = ["deals", "from_seed"])]
    pysolfc: Option<(u128, u64)>,
}

/// The deals of a simulation, numbered from 0.
#[derive(Debug)]
pub(super) enum Deals {
    /// Of the seeds that are this text, a space and a number, from 1 on.
    Seeds { text: String, count: u64 },
    /// Of PySolFC, from this number on.
    Pysolfc { first: u128, count: u64 },
}

impl ChosenDeals {
    /// The deals.
    ///
    /// # Errors
    /// If a text is no seed any more with a number behind it: a sentence that says so.
    pub(super) fn deals(&self) -> Result<Deals, String> {
        if let Some((first, count)) = self.pysolfc {
            return Ok(Deals::Pysolfc { first, count });
        }
        let deals = Deals::Seeds { text: self.from_seed.clone(), count: self.deals };
        // If the last one is a seed, so are those before it.
        deals.source(deals.count() - 1).map_err(|error| format!("invalid value for '--from-seed': {error}"))?;
        Ok(deals)
    }
}

impl Deals {
    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        match *self {
            Deals::Seeds { count, .. } | Deals::Pysolfc { count, .. } => count,
        }
    }

    /// What a person calls a deal.
    pub(super) fn name(&self, index: u64) -> String {
        match self {
            Deals::Seeds { text, .. } => format!("{text} {}", index + 1),
            Deals::Pysolfc { first, .. } => (first + u128::from(index)).to_string(),
        }
    }

    /// What a deal is dealt from.
    ///
    /// # Errors
    /// If it is beyond the last and there is no such deal: a sentence that says so.
    pub(super) fn source(&self, index: u64) -> Result<Source, String> {
        match self {
            Deals::Seeds { .. } => {
                Seed::try_from(self.name(index)).map(Source::Seed).map_err(|error| error.to_string())
            }
            Deals::Pysolfc { first, .. } => PysolfcNumber::try_from(first + u128::from(index))
                .map(Source::Pysolfc)
                .map_err(|error| error.to_string()),
        }
    }

    /// Flags and values that choose them.
    pub(super) fn words(&self) -> Vec<(&'static str, String)> {
        match self {
            Deals::Seeds { text, count } => vec![("from-seed", text.clone()), ("deals", count.to_string())],
            Deals::Pysolfc { first, count } => {
                vec![("pysolfc", format!("{first}..{}", first + u128::from(count - 1)))]
            }
        }
    }
}

/// The numbers of PySolFC from one to another: the first, and how many there are.
fn numbers(text: &str) -> Result<(u128, u64), String> {
    let (first, last) = text.split_once("..").ok_or("write it as 1..1000")?;
    let number = |text: &str| text.parse::<PysolfcNumber>().map(u128::from).map_err(|error| error.to_string());
    let (first, last) = (number(first)?, number(last)?);
    match last.checked_sub(first) {
        None => Err("the first number is the lower one".into()),
        Some(more) if more >= u128::from(MOST_DEALS) => Err(format!("these are more than {MOST_DEALS} deals")),
        Some(more) => Ok((first, more as u64 + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_from_one_to_another() {
        assert_eq!(numbers("1..1000"), Ok((1, 1_000)));
        assert_eq!(numbers("7..7"), Ok((7, 1)));
        assert_eq!(numbers("99999999999999999999..100000000000000000000"), Ok((10_u128.pow(20) - 1, 2)));
        for text in ["", "7", "..", "1..", "..1", "2..1", "1...2", "1..=2", "-1..1", "0..10000000", "1..1e3"] {
            assert!(numbers(text).is_err(), "{text:?}");
        }
    }
}
