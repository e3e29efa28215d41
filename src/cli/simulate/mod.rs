//! `patience simulate`: plays many deals of a game in one way, and tells how often and how it is won.
//!
//! What is told follows from the arguments alone, which are printed first; only times differ from run to run.

mod deals;
mod players;
mod report;
mod statistics;
mod tally;
mod workers;

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::num::NonZero;
use std::thread;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::games::Options;
use crate::host::Search;
use crate::solver::Budget;

use super::chosen::ChosenGame;
use super::printed;
use deals::{ChosenDeals, Deals};
use players::{Player, Policy};
use report::{Report, Taken};

/// How many tables a search may look at for a whole deal when nothing is said.
const TABLES_A_DEAL: u64 = 1_000_000;

/// What is to be played.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: ChosenGame,

    #[command(flatten)]
    deals: ChosenDeals,

    /// How deals are played; unless set, forced where the first deal goes that way to its end, and otherwise thoughtful
    #[arg(long, value_enum)]
    play: Option<Policy>,

    /// How many tables a search may look at, 1 to 1000000000: for a deal in thoughtful play (1000000 unless set), for each
    /// hint if hints are followed (as many as the server has for one unless set)
    #[arg(long, value_name = "TABLES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    budget: Option<u64>,

    /// How many threads play, 1 to 1024; as many as there are processors unless set. Nothing but times depends on it
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,

    /// Prints one JSON object
    #[arg(long)]
    json: bool,
}

/// A simulation, with all that was left open settled.
#[derive(Debug)]
struct Simulation<'a> {
    arguments: &'a Arguments,
    options: Options,
    deals: Deals,
    policy: Policy,
    /// For each deal or each hint, in a play that searches.
    budget: Option<u64>,
    jobs: u16,
}

/// Plays deals and prints what has come of them.
///
/// # Errors
/// If they cannot be played so: a sentence that says why.
pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), String> {
    let simulation = Simulation::of(arguments)?;
    if !arguments.json {
        printed(writeln!(out, "{}\n", simulation.command()).and_then(|()| out.flush()))?;
    }
    let progress = progress(simulation.deals.count());
    let began = Instant::now();
    let tally = workers::play(simulation.jobs, &simulation.deals, &simulation.player(), &progress);
    let taken = Taken { total: began.elapsed(), jobs: simulation.jobs };
    progress.finish_and_clear();
    let report = Report::new(&simulation, &tally?, &taken);
    printed(if arguments.json { report.print_json(out) } else { report.print(out) })
}

impl Simulation<'_> {
    fn of(arguments: &Arguments) -> Result<Simulation<'_>, String> {
        let options = arguments.chosen.options()?;
        let deals = arguments.deals.deals()?;
        let policy = match arguments.play {
            Some(policy) => policy,
            None => Policy::that_suits(&arguments.chosen.game().engine(&options), &deals.source(0)?),
        };
        let budget = match (policy, arguments.budget) {
            (Policy::Forced, None) => None,
            (Policy::Forced, Some(_)) => return Err("forced play does not search, so --budget has no meaning".into()),
            (Policy::Hint, given) => Some(given.unwrap_or(Search::Hint.budget().tables)),
            (Policy::Thoughtful, given) => Some(given.unwrap_or(TABLES_A_DEAL)),
        };
        let processors = || thread::available_parallelism().map_or(1, NonZero::get).min(1_024) as u16;
        let jobs = arguments.jobs.unwrap_or_else(processors);
        Ok(Simulation { arguments, options, deals, policy, budget, jobs })
    }

    fn player(&self) -> Player {
        let engine = self.arguments.chosen.game().engine(&self.options);
        Player { engine, policy: self.policy, budget: Budget { tables: self.budget.unwrap_or(0) } }
    }

    /// The command that does the same again, whatever is the default by then.
    fn command(&self) -> String {
        let mut words = vec!["patience".to_string(), "simulate".into(), self.arguments.chosen.game().id.into()];
        let mut say = |flag: &str, value: &dyn Display| {
            let value = quoted(&value.to_string());
            // What looks like a flag would be taken for one.
            let between = if value.trim_start_matches('\'').starts_with('-') { '=' } else { ' ' };
            words.push(format!("--{flag}{between}{value}"));
        };
        self.options.iter().for_each(|(name, value)| say("option", &format!("{name}={value}")));
        self.deals.words().iter().for_each(|(flag, value)| say(flag, value));
        say("play", &self.policy.as_str());
        self.budget.iter().for_each(|budget| say("budget", budget));
        say("jobs", &self.jobs);
        words.extend(self.arguments.json.then(|| "--json".to_string()));
        words.join(" ")
    }
}

/// A bar that shows how far it is, for somebody who watches on a terminal.
fn progress(deals: u64) -> ProgressBar {
    let target = if stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(deals), target);
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} deals, {per_sec}, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=.,:/+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_take_it_for_something_else() {
        for (word, expected) in [
            ("redeals=2", "redeals=2"),
            ("", "''"),
            ("two words", "'two words'"),
            ("$HOME", "'$HOME'"),
            ("it's", r"'it'\''s'"),
            ("-5", "-5"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
