//! `patience games`: the catalogue, on a terminal.

use std::io::{self, Write};

use crate::games::{CATALOGUE, Domain, Game, GameOption};

/// Prints the games and their options.
///
/// # Errors
/// If they cannot be printed.
pub(super) fn run(out: &mut impl Write) -> io::Result<()> {
    CATALOGUE.into_iter().try_for_each(|game| print(out, game))
}

fn print(out: &mut impl Write, game: &Game) -> io::Result<()> {
    writeln!(out, "{} — {}", game.id, game.name)?;
    if !game.also_known_as.is_empty() {
        writeln!(out, "    also known as {}", game.also_known_as.join(", "))?;
    }
    writeln!(out, "    {}", game.summary)?;
    game.options.iter().try_for_each(|option| print_option(out, option))?;
    writeln!(out)
}

fn print_option(out: &mut impl Write, option: &GameOption) -> io::Result<()> {
    let default = option.default();
    writeln!(out, "    {}: {} (default {default})", option.name, option.description)?;
    match option.domain {
        Domain::Choice(choices) => {
            choices.iter().try_for_each(|choice| writeln!(out, "        {}: {}", choice.value, choice.description))
        }
        Domain::Integer { minimum, maximum, .. } => writeln!(out, "        {minimum} to {maximum}"),
    }
}
