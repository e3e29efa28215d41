//! What is played, as a command line says it: a game, its options, and what its cards are dealt from.

use clap::Args;
use serde_json::{Map, Value};

use crate::cards::{Deck, Packs, PysolfcNumber, Seed};
use crate::games::{self, Domain, Game, OptionValue, Options};

/// A game and its options.
#[derive(Debug, Args)]
pub(super) struct ChosenGame {
    /// The game: see `patience games`
    #[arg(value_parser = game_of)]
    game: &'static Game,

    /// An option of the game, as in `redeals=0`; to be given for each option that is not at its default
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
}

/// What cards are dealt from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A seed.
    Seed(Seed),
    /// The number of a game of PySolFC.
    Pysolfc(PysolfcNumber),
    /// The cards themselves.
    Deck(Deck),
}

impl ChosenGame {
    /// The game.
    pub(super) fn game(&self) -> &'static Game {
        self.game
    }

    /// All its options, those that were not given at their defaults.
    ///
    /// # Errors
    /// If an option is given twice, or the game does not have it or its value: a sentence that says so.
    pub(super) fn options(&self) -> Result<Options, String> {
        for (index, (name, _)) in self.options.iter().enumerate() {
            if self.options[..index].iter().any(|(before, _)| before == name) {
                return Err(format!("invalid value for '--option': {name} is given twice"));
            }
        }
        let given = self.options.iter().map(|(name, value)| (name.clone(), self.value(name, value)));
        self.game
            .options_from(given)
            .map_err(|error| format!("invalid value for '--option': {}: {error}", error.name()))
    }

    /// A value as the option of that name has them: a number where it takes one, and is given one.
    fn value(&self, name: &str, text: &str) -> OptionValue {
        let option = self.game.options.iter().find(|option| option.name == name);
        let number = match option.map(|option| &option.domain) {
            Some(Domain::Integer { .. }) => text.parse().ok(),
            Some(Domain::Choice(_)) | None => None,
        };
        number.map_or_else(|| OptionValue::Word(text.into()), OptionValue::Number)
    }
}

impl Source {
    /// The cards in dealing order.
    pub(super) fn deck(&self, packs: Packs) -> Deck {
        match self {
            Source::Seed(seed) => seed.deck(packs),
            Source::Pysolfc(number) => number.deck(packs),
            Source::Deck(deck) => deck.clone(),
        }
    }
}

/// Options as JSON: words and numbers under their names.
pub(super) fn options_as_json(options: &Options) -> Value {
    let values = options.iter().map(|(name, value)| {
        let value = match value {
            OptionValue::Word(word) => Value::from(&**word),
            OptionValue::Number(number) => Value::from(*number),
        };
        (name.to_string(), value)
    });
    Value::Object(values.collect::<Map<_, _>>())
}

fn game_of(id: &str) -> Result<&'static Game, String> {
    games::find(id).ok_or_else(|| {
        let ids: Vec<&str> = games::CATALOGUE.iter().map(|game| game.id).collect();
        format!("there is no such game; there are {}", ids.join(", "))
    })
}

fn name_and_value(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as name=value")?;
    Ok((name.to_string(), value.to_string()))
}
