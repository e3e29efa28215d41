//! What the benches share: games to play, a client that costs little, and server processes.
//!
//! Requests are counted per second of the server's own processor time, which stays comparable on a
//! machine that is busy with other things; seconds on the clock do not.
#![allow(dead_code, reason = "each bench uses a part of it")]

pub(crate) mod broadcast;
pub(crate) mod client;
pub(crate) mod contest;
pub(crate) mod load;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod process;
pub(crate) mod stand_in;

use std::fmt;

/// Starts a bench: what it does if `cargo bench` runs it, or the server that it has asked for, which is
/// the same program.
pub(crate) fn start(run: fn()) {
    match argument("--role").as_deref() {
        Some(role) => stand_in::run(role, number("--bytes", 0)),
        None if is_wanted() => run(),
        None => println!("run this with `cargo bench`"),
    }
}

/// Whether a part of a bench is to be run: all are, unless one is named.
pub(crate) fn is_asked_for(part: &str) -> bool {
    argument("--part").is_none_or(|asked| asked == part)
}

/// Lets this process have so many open files, as far as the system does. The servers inherit it, as far
/// as they do not ask for more.
pub(crate) fn allow_open_files(needed: usize) {
    let allowed = rlimit::increase_nofile_limit(needed as u64).expect("the limit of open files can be asked for");
    if allowed < needed as u64 {
        eprintln!("There may be no more than {allowed} open files, and {needed} are needed.");
    }
}

/// Whether `cargo bench` runs this program. `cargo test --benches` starts it too, to no purpose.
pub(crate) fn is_wanted() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// What follows a flag on the command line.
pub(crate) fn argument(flag: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != flag).nth(1)
}

/// The number that follows a flag on the command line.
pub(crate) fn number(flag: &str, default: usize) -> usize {
    let parse = |text: String| text.parse().unwrap_or_else(|_| panic!("{flag} takes a number, not {text:?}"));
    argument(flag).map_or(default, parse)
}

/// The value in the middle, the least and the most.
pub(crate) struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let values: Vec<f64> = values.into_iter().collect();
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        Spread { median: median(values), least, most }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.2} ({:.2} to {:.2})", self.median, self.least, self.most)
    }
}

/// The value in the middle.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
