//! What is told of a simulation, in words or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::cli::chosen::options_as_json;

use super::Simulation;
use super::players::{End, Policy};
use super::statistics::{mean, percentile, share, wilson};
use super::tally::{Tally, WITHIN};

/// How long a simulation has taken, by the clock on the wall.
pub(super) struct Taken {
    /// From the first deal to the end of the last.
    pub(super) total: Duration,
    /// With so many threads.
    pub(super) jobs: u16,
}

/// What is told of a simulation.
#[derive(Serialize)]
pub(super) struct Report {
    command: String,
    game: &'static str,
    options: Value,
    play: &'static str,
    budget: Option<u64>,
    deals: u64,
    won: Won,
    #[serde(serialize_with = "as_map")]
    not_won: Vec<(&'static str, u64)>,
    /// Of the lines that won.
    moves: Option<Quartiles>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Tables>,
    time: Time,
}

#[derive(Serialize)]
struct Won {
    count: u64,
    share: f64,
    /// With 95 % confidence.
    interval: [f64; 2],
    by_pass: BTreeMap<u32, u64>,
}

#[derive(Serialize)]
struct Quartiles {
    lower: u32,
    median: u32,
    upper: u32,
}

#[derive(Serialize)]
struct Tables {
    total: u64,
    median: u64,
    p90: u64,
    p99: u64,
}

#[derive(Serialize)]
struct Time {
    jobs: u16,
    total_s: f64,
    deals_per_s: f64,
    deal_ms: Milliseconds,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint_ms: Option<f64>,
    /// Shares of the deals, if they are such as are decided.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    decided_within: Vec<(&'static str, f64)>,
}

#[derive(Serialize)]
struct Milliseconds {
    mean: f64,
    median: f64,
    p90: f64,
    p99: f64,
}

impl Report {
    pub(super) fn new(simulation: &Simulation<'_>, tally: &Tally, taken: &Taken) -> Report {
        let policy = simulation.policy;
        let is_search = policy == Policy::Thoughtful;
        Report {
            command: simulation.command(),
            game: simulation.arguments.chosen.game().id,
            options: options_as_json(&simulation.options),
            play: policy.as_str(),
            budget: simulation.budget,
            deals: tally.deals(),
            won: Won::new(tally),
            not_won: policy.ends_besides_won().iter().map(|&end| (end.as_str(), tally.ended(end))).collect(),
            moves: Quartiles::new(&tally.lengths()),
            tables: if is_search { Tables::new(&tally.tables()) } else { None },
            time: Time::new(policy, tally, taken),
        }
    }

    /// Prints it as one JSON object, in a line.
    pub(super) fn print_json(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }

    /// Prints it in words, without the command.
    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let [low, high] = self.won.interval.map(percent);
        let of_all = |count| percent(share(count, self.deals));
        writeln!(out, "deals       {}", self.deals)?;
        writeln!(
            out,
            "won         {} = {} %, 95 % interval {low} to {high} %",
            self.won.count,
            percent(self.won.share)
        )?;
        for (pass, &count) in &self.won.by_pass {
            writeln!(out, "  in pass {pass:<2}  {count} = {} %", of_all(count))?;
        }
        for &(end, count) in &self.not_won {
            writeln!(out, "{end:<12}{count} = {} %", of_all(count))?;
        }
        if let Some(Quartiles { lower, median, upper }) = self.moves {
            writeln!(out, "moves       median {median}, quartiles {lower} and {upper}, of the deals that were won")?;
        }
        if let Some(Tables { total, median, p90, p99 }) = self.tables {
            writeln!(out, "tables      {total}; of a deal: median {median}, 90 % within {p90}, 99 % within {p99}")?;
        }
        self.time.print(out)
    }
}

impl Won {
    fn new(tally: &Tally) -> Won {
        let (count, deals) = (tally.ended(End::Won), tally.deals());
        let by_pass = tally.won_in_pass().clone();
        Won { count, share: share(count, deals), interval: wilson(count, deals), by_pass }
    }
}

impl Quartiles {
    fn new(sorted: &[u32]) -> Option<Quartiles> {
        let [lower, median, upper] = [25, 50, 75].map(|percent| percentile(sorted, percent));
        Some(Quartiles { lower: lower?, median: median?, upper: upper? })
    }
}

impl Tables {
    fn new(sorted: &[u64]) -> Option<Tables> {
        let [median, p90, p99] = [50, 90, 99].map(|percent| percentile(sorted, percent));
        Some(Tables { total: sorted.iter().sum(), median: median?, p90: p90?, p99: p99? })
    }
}

impl Time {
    fn new(policy: Policy, tally: &Tally, taken: &Taken) -> Time {
        let times = tally.times();
        let ms = |nanoseconds: Option<f64>| nanoseconds.unwrap_or(0.0) / 1e6;
        let [median, p90, p99] = [50, 90, 99].map(|percent| ms(percentile(&times, percent).map(|time| time as f64)));
        let seconds = taken.total.as_secs_f64();
        let hints = tally.moves() + tally.ended(End::GivenUp);
        let all_times: f64 = times.iter().map(|&time| time as f64).sum();
        let within = WITHIN.into_iter().zip(tally.decided_within());
        let decided_within = within.map(|((name, _), decided)| (name, share(decided, tally.deals())));
        Time {
            jobs: taken.jobs,
            total_s: seconds,
            deals_per_s: tally.deals() as f64 / seconds,
            deal_ms: Milliseconds { mean: ms(mean(&times)), median, p90, p99 },
            hint_ms: (policy == Policy::Hint).then(|| ms(Some(all_times / hints.max(1) as f64))),
            decided_within: decided_within.filter(|_| policy == Policy::Thoughtful).collect(),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Time { jobs, total_s, deals_per_s, .. } = self;
        let threads = if *jobs == 1 { "thread" } else { "threads" };
        writeln!(out, "time        {total_s:.3} s, {deals_per_s:.1} deals a second, on {jobs} {threads}")?;
        let Milliseconds { mean, median, p90, p99 } = self.deal_ms;
        writeln!(
            out,
            "  of a deal   mean {mean:.3} ms, median {median:.3} ms, 90 % within {p90:.3} ms, 99 % within {p99:.3} ms"
        )?;
        if let Some(mean) = self.hint_ms {
            writeln!(out, "  of a hint   mean {mean:.3} ms")?;
        }
        let mut decided = self.decided_within.iter();
        decided.try_for_each(|(limit, share)| writeln!(out, "  decided     {} % within {limit}", percent(*share)))
    }
}

impl Policy {
    /// How deals may end that are not won.
    const fn ends_besides_won(self) -> &'static [End] {
        match self {
            Policy::Forced => &[End::Lost, End::CutOff],
            Policy::Hint => &[End::Lost, End::GivenUp, End::CutOff],
            Policy::Thoughtful => &[End::Unwinnable, End::Undecided],
        }
    }
}

impl End {
    const fn as_str(self) -> &'static str {
        match self {
            End::Won => "won",
            End::Unwinnable => "unwinnable",
            End::Undecided => "undecided",
            End::Lost => "lost",
            End::GivenUp => "given_up",
            End::CutOff => "cut_off",
        }
    }
}

/// Pairs as a JSON object, in their order.
fn as_map<T: Serialize, S: Serializer>(pairs: &[(&'static str, T)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
