//! Options of a game: what may be chosen, and what was chosen.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something about a game that may be chosen.
#[derive(Debug)]
pub struct GameOption {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it decides, in a sentence for players.
    pub description: &'static str,
    /// What may be chosen, and what is chosen when nothing is said.
    pub domain: Domain,
}

/// What may be chosen for an option.
#[derive(Debug)]
pub enum Domain {
    /// One of some words; the first is the default.
    Choice(&'static [Choice]),
    /// A whole number from `minimum` to `maximum`.
    Integer {
        /// The least.
        minimum: u32,
        /// The greatest.
        maximum: u32,
        /// What it is when nothing is said.
        default: u32,
    },
}

/// A word that may be chosen.
#[derive(Debug)]
pub struct Choice {
    /// The word on the wire.
    pub value: &'static str,
    /// What it means, in a sentence for players.
    pub description: &'static str,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OptionValue {
    /// A word.
    Word(Box<str>),
    /// A number.
    Number(i64),
}

/// The options of a game, complete: each has a value that the game knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Options(Vec<(Box<str>, OptionValue)>);

/// Options that a game does not understand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The game has no option of that name.
    #[error("this game has no such option; it has {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The option does not take that value.
    #[error("this option is {expected}")]
    Value {
        /// The name of the option.
        name: &'static str,
        /// What it may be.
        expected: String,
    },
}

impl OptionError {
    /// The name of the option that is wrong.
    pub fn name(&self) -> &str {
        match self {
            OptionError::Unknown { name, .. } => name,
            OptionError::Value { name, .. } => name,
        }
    }
}

impl GameOption {
    /// How often the waste may be turned over, in the games that leave it to the players.
    pub(super) const REDEALS: GameOption = GameOption {
        name: "redeals",
        description: "How often the waste may be turned over.",
        domain: Domain::Integer { minimum: 0, maximum: 10, default: 2 },
    };

    /// What it is when nothing is said.
    pub fn default(&self) -> OptionValue {
        match &self.domain {
            Domain::Choice(choices) => OptionValue::Word(choices[0].value.into()),
            Domain::Integer { default, .. } => OptionValue::Number(i64::from(*default)),
        }
    }
}

impl Domain {
    /// All the values that may be chosen.
    pub fn values(&self) -> Vec<OptionValue> {
        match self {
            Domain::Choice(choices) => choices.iter().map(|choice| OptionValue::Word(choice.value.into())).collect(),
            Domain::Integer { minimum, maximum, .. } => {
                (*minimum..=*maximum).map(|number| OptionValue::Number(i64::from(number))).collect()
            }
        }
    }

    fn allows(&self, value: &OptionValue) -> bool {
        match (self, value) {
            (Domain::Choice(choices), OptionValue::Word(word)) => choices.iter().any(|choice| choice.value == &**word),
            (Domain::Integer { minimum, maximum, .. }, OptionValue::Number(number)) => {
                (i64::from(*minimum)..=i64::from(*maximum)).contains(number)
            }
            _ => false,
        }
    }

    fn in_words(&self) -> String {
        match self {
            Domain::Choice(choices) => {
                let words: Vec<&str> = choices.iter().map(|choice| choice.value).collect();
                format!("one of {}", words.join(", "))
            }
            Domain::Integer { minimum, maximum, .. } => format!("a whole number from {minimum} to {maximum}"),
        }
    }
}

impl Options {
    pub(super) fn defaults(known: &[GameOption]) -> Options {
        Options(known.iter().map(|option| (option.name.into(), option.default())).collect())
    }

    pub(super) fn from_given(
        known: &'static [GameOption],
        given: impl IntoIterator<Item = (String, OptionValue)>,
    ) -> Result<Options, OptionError> {
        let mut options = Options::defaults(known);
        for (name, value) in given {
            let Some(place) = known.iter().position(|option| option.name == name) else {
                let names: Vec<&str> = known.iter().map(|option| option.name).collect();
                let known = names.join(", ");
                return Err(OptionError::Unknown { name, known });
            };
            if !known[place].domain.allows(&value) {
                let name = known[place].name;
                let expected = known[place].domain.in_words();
                return Err(OptionError::Value { name, expected });
            }
            options.0[place].1 = value;
        }
        Ok(options)
    }

    /// All of them, in the order of the game.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &OptionValue)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// The word that was chosen for an option, empty if it has none.
    pub fn word(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::Word(word)) => word,
            _ => "",
        }
    }

    /// The number that was chosen for an option, 0 if it has none.
    pub fn number(&self, name: &str) -> u32 {
        match self.get(name) {
            Some(OptionValue::Number(number)) => u32::try_from(*number).unwrap_or(0),
            _ => 0,
        }
    }

    fn get(&self, name: &str) -> Option<&OptionValue> {
        self.0.iter().find(|(each, _)| &**each == name).map(|(_, value)| value)
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Word(word) => f.write_str(word),
            OptionValue::Number(number) => number.fmt(f),
        }
    }
}
