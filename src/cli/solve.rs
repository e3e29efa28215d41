//! `patience solve`: looks for a line that wins a deal, all of whose cards are known.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use crate::cards::{Deck, Packs, PysolfcNumber, Seed};
use crate::games::Options;
use crate::rules::{Engine, Move};
use crate::solver::{self, Budget, Verdict};

use super::chosen::{ChosenGame, Source, options_as_json};
use super::play::{Made, Play, in_words};
use super::printed;

/// The longest text of a deck, in bytes; one of two packs has some 700 as JSON.
const DECK_BYTES: u64 = 16_384;

/// What is to be solved.
#[derive(Debug, Args)]
#[command(
    after_help = "Exits with 0 if a line that wins is found, with 2 if it is proved that none exists, with 3 if the \
                        budget ends before, and with 1 if something is wrong."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: ChosenGame,

    #[command(flatten)]
    deal: Deal,

    /// How many tables the search may look at, 1 to 1000000000. It has memory for some 10 to 30 million of a hard deal, and
    /// ends there if not before
    #[arg(long, value_name = "TABLES", default_value = "10000000",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    budget: u64,

    /// Prints one JSON object; its moves are those that the API takes
    #[arg(long)]
    json: bool,
}

/// What the cards are dealt from: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Deal {
    /// The deal of a seed, which is any text of 1 to 64 characters
    #[arg(long, value_name = "TEXT", value_parser = seed)]
    seed: Option<Seed>,

    /// The deal that PySolFC 3.6 has under this number, 0 to 100000000000000000000
    #[arg(long, value_name = "NUMBER")]
    pysolfc: Option<PysolfcNumber>,

    /// The deck in a file, or in standard input if it is `-`: all cards in dealing order, as in `TS 2C`, with spaces or
    /// lines between them or as a JSON list
    #[arg(long, value_name = "FILE")]
    deck: Option<String>,
}

/// What has come of a search.
struct Answer<'a> {
    arguments: &'a Arguments,
    engine: &'a Engine,
    options: Options,
    source: Source,
    result: Found,
    tables: u64,
    time: Duration,
}

/// What has been found, replayed.
enum Found {
    /// A line that wins, and in which pass of the stock it ends.
    Line { made: Vec<Made>, pass: u32 },
    /// There is none.
    None,
    /// Neither a line nor that there is none.
    Nothing,
}

/// Solves a deal and prints what it has found.
///
/// # Errors
/// If there is no such deal, or what was found is not believed: a sentence that says why.
pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<ExitCode, String> {
    let options = arguments.chosen.options()?;
    let engine = arguments.chosen.game().engine(&options);
    let source = arguments.deal.source(engine.rules().packs)?;
    let mut play = Play::deal(&engine, &source.deck(engine.rules().packs));
    let began = Instant::now();
    let solution = solver::solve(&engine, &play.all_known(), Budget { tables: arguments.budget });
    let time = began.elapsed();
    let result = match solution.verdict {
        Verdict::Won(line) => {
            let made = play.win_with(&line).map_err(|error| format!("the solver is wrong: {error}"))?;
            Found::Line { made, pass: play.pass() }
        }
        Verdict::Unwinnable => Found::None,
        Verdict::Unknown => Found::Nothing,
    };
    let answer = Answer { arguments, engine: &engine, options, source, result, tables: solution.tables, time };
    printed(if arguments.json { answer.print_json(out) } else { answer.print(out) })?;
    Ok(answer.exit_code())
}

impl Deal {
    fn source(&self, packs: Packs) -> Result<Source, String> {
        match (&self.seed, self.pysolfc, &self.deck) {
            (Some(seed), ..) => Ok(Source::Seed(seed.clone())),
            (_, Some(number), _) => Ok(Source::Pysolfc(number)),
            (.., Some(place)) => {
                let text = read(place).map_err(|error| format!("cannot read the deck in {place}: {error}"))?;
                deck(packs, &text).map(Source::Deck)
            }
            (None, None, None) => Err("a deal comes from a seed, from a number of PySolFC or from a deck".into()),
        }
    }
}

impl Answer<'_> {
    fn exit_code(&self) -> ExitCode {
        match self.result {
            Found::Line { .. } => ExitCode::SUCCESS,
            Found::None => ExitCode::from(2),
            Found::Nothing => ExitCode::from(3),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.result {
            Found::Line { made, pass } => {
                writeln!(out, "won in {} moves, in pass {pass} ({})", made.len(), self.effort())?;
                let width = made.len().to_string().len();
                (1..).zip(made).try_for_each(|(number, made)| writeln!(out, "{number:>width$}. {}", self.line(made)))
            }
            Found::None => writeln!(out, "no line wins ({})", self.effort()),
            Found::Nothing => {
                writeln!(out, "no line was found, which does not mean that there is none ({})", self.effort())
            }
        }
    }

    fn effort(&self) -> String {
        format!("{} tables, {:.3} s", self.tables, self.time.as_secs_f64())
    }

    /// A move with the cards that it has moved.
    fn line(&self, made: &Made) -> String {
        let cards: Vec<&str> = made.cards.iter().map(|card| card.as_str()).collect();
        let mut line = in_words(self.engine, made.chosen);
        if !cards.is_empty() {
            line = format!("{line}: {}", cards.join(" "));
        }
        if let Some(freed) = made.freed {
            line = format!("{line}, which frees {freed}");
        }
        line
    }

    fn print_json(&self, out: &mut impl Write) -> io::Result<()> {
        let (verdict, line) = match &self.result {
            Found::Line { made, pass } => ("won", Some((made, pass))),
            Found::None => ("unwinnable", None),
            Found::Nothing => ("undecided", None),
        };
        let body = AnswerBody {
            game: self.arguments.chosen.game().id,
            options: options_as_json(&self.options),
            deal: DealBody::from(&self.source),
            budget: self.arguments.budget,
            verdict,
            moves: line.map(|(made, _)| made.iter().map(|made| MoveBody::new(self.engine, made.chosen)).collect()),
            pass: line.map(|(_, &pass)| pass),
            tables: self.tables,
            time_s: self.time.as_secs_f64(),
        };
        serde_json::to_writer(&mut *out, &body)?;
        writeln!(out)
    }
}

#[derive(Serialize)]
struct AnswerBody<'a> {
    game: &'static str,
    options: Value,
    deal: DealBody<'a>,
    budget: u64,
    verdict: &'static str,
    moves: Option<Vec<MoveBody<'a>>>,
    pass: Option<u32>,
    tables: u64,
    time_s: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum DealBody<'a> {
    Seed(&'a str),
    Pysolfc(String),
    Deck(&'a Deck),
}

impl<'a> From<&'a Source> for DealBody<'a> {
    fn from(source: &'a Source) -> DealBody<'a> {
        match source {
            Source::Seed(seed) => DealBody::Seed(seed.as_str()),
            Source::Pysolfc(number) => DealBody::Pysolfc(number.to_string()),
            Source::Deck(deck) => DealBody::Deck(deck),
        }
    }
}

/// A move as the API takes it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum MoveBody<'a> {
    Draw,
    Redeal,
    Move { from: &'a str, to: &'a str, count: u8 },
}

impl<'a> MoveBody<'a> {
    fn new(engine: &'a Engine, chosen: Move) -> MoveBody<'a> {
        match chosen {
            Move::Draw => MoveBody::Draw,
            Move::Redeal => MoveBody::Redeal,
            Move::Transfer { from, to, count } => {
                MoveBody::Move { from: engine.name(from), to: engine.name(to), count }
            }
        }
    }
}

fn seed(text: &str) -> Result<Seed, String> {
    Seed::try_from(text.to_string()).map_err(|error| error.to_string())
}

fn read(place: &str) -> io::Result<String> {
    let source: Box<dyn Read> = if place == "-" { Box::new(io::stdin().lock()) } else { Box::new(File::open(place)?) };
    let mut text = String::new();
    source.take(DECK_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > DECK_BYTES {
        return Err(io::Error::other(format!("it has more than {DECK_BYTES} bytes")));
    }
    Ok(text)
}

/// The deck that a text lists.
fn deck(packs: Packs, text: &str) -> Result<Deck, String> {
    let names: Vec<String> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|error| format!("the deck is no JSON list of cards: {error}"))?
    } else {
        text.split_whitespace().map(str::to_string).collect()
    };
    Deck::parse(packs, &names).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_is_words_or_a_json_list() {
        let whole = Deck::unshuffled(Packs::One);
        let names: Vec<&str> = whole.cards().iter().map(|card| card.as_str()).collect();
        for text in [names.join(" "), names.join("\n") + "\n", serde_json::to_string(&names).unwrap()] {
            assert_eq!(deck(Packs::One, &text).as_ref(), Ok(&whole), "{text}");
        }
        for (text, why) in
            [("", "too few"), ("[1]", "no JSON list"), (&*names.join(" ").replace("AC", "1C"), "card 1 ")]
        {
            let complaint = deck(Packs::One, text).unwrap_err();
            assert!(complaint.contains(why), "{complaint}");
        }
    }
}
