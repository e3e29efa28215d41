//! The command line: one file a subcommand.

mod backup;
mod chosen;
mod games;
mod healthcheck;
mod play;
mod serve;
mod simulate;
mod solve;
mod store;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::config::{PlaceSettings, Settings, StoreSettings};

/// A game server for patience (solitaire) games
#[derive(Debug, Parser)]
#[command(name = "patience", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves games over HTTP; a bare `patience` does it too
    Serve(Box<Serve>),
    /// Lists the games and their options
    Games,
    /// Plays many deals of a game, and tells how often and how it is won
    Simulate(simulate::Arguments),
    /// Looks for a line that wins a deal
    Solve(solve::Arguments),
    /// Copies the games of a server that keeps them in a file, while it runs
    Backup {
        #[command(flatten)]
        store: StoreSettings,
        /// The copy: a file that is not there yet
        to: PathBuf,
    },
    /// Asks the server that listens here whether it is up: exits with 0 if it is, with 1 if not
    Healthcheck(PlaceSettings),
}

#[derive(Debug, Args)]
struct Serve {
    #[command(flatten)]
    settings: Settings,
}

/// Does what the command line says. Errors are printed as one line on standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let result = match parse(arguments.into_iter().collect()) {
        Ok(cli) => run_command(&cli.command),
        Err(asked) if matches!(asked.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            printed(asked.print()).map(|()| ExitCode::SUCCESS)
        }
        Err(error) => Err(one_line(&error)),
    };
    result.unwrap_or_else(|error| {
        eprintln!("patience: {error}");
        ExitCode::FAILURE
    })
}

fn run_command(command: &Command) -> Result<ExitCode, String> {
    let mut out = io::stdout();
    let told = match command {
        Command::Serve(serve) => return serve::run(&serve.settings).map(|()| ExitCode::SUCCESS),
        Command::Solve(arguments) => return solve::run(arguments, &mut out.lock()),
        Command::Simulate(arguments) => return simulate::run(arguments, &mut out).map(|()| ExitCode::SUCCESS),
        Command::Games => printed(games::run(&mut out.lock())),
        Command::Backup { store, to } => {
            backup::run(&store.store, to).and_then(|line| printed(writeln!(out, "{line}")))
        }
        Command::Healthcheck(place) => healthcheck::run(place).and_then(|line| printed(writeln!(out, "{line}"))),
    };
    told.map(|()| ExitCode::SUCCESS)
}

/// What came of printing; a reader that has gone away, as `head` does, is no error.
fn printed(result: io::Result<()>) -> Result<(), String> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Parses arguments; where no subcommand is named, `serve` is meant.
fn parse(mut arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let asks_for_more = |argument: &OsString| {
        let others = ["help", "--help", "-h", "--version", "-V"];
        let mut words = command.get_subcommands().map(clap::Command::get_name).chain(others);
        words.any(|word| argument == word)
    };
    if !arguments.get(1).is_some_and(asks_for_more) {
        arguments.insert(1.min(arguments.len()), "serve".into());
    }
    let mut matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches_mut(&mut matches)
}

/// The first paragraph of an error, without the advice below it.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_string()
}
