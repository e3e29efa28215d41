//! Values in requests: numbers, words, options, and what is said when they will not do.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::games::{self, Game, OptionValue};
use crate::http::{Code, Problem};
use crate::session::Status;

/// Options as they are given: words and whole numbers under their names, each name once.
#[derive(Default)]
pub(super) struct OptionsBody(pub(super) Vec<(String, OptionValue)>);

impl<'de> Deserialize<'de> for OptionsBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionsBody, D::Error> {
        struct OptionsVisitor;

        impl<'de> Visitor<'de> for OptionsVisitor {
            type Value = OptionsBody;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of options")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OptionsBody, A::Error> {
                let mut options: Vec<(String, OptionValue)> = Vec::new();
                while let Some((name, OptionBody(value))) = map.next_entry::<String, OptionBody>()? {
                    if options.iter().any(|(before, _)| *before == name) {
                        return Err(de::Error::custom("an option is there twice"));
                    }
                    options.push((name, value));
                }
                Ok(OptionsBody(options))
            }
        }

        deserializer.deserialize_map(OptionsVisitor)
    }
}

struct OptionBody(OptionValue);

impl<'de> Deserialize<'de> for OptionBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionBody, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a word or a whole number")]
        enum Either {
            Number(WholeNumber),
            Word(Box<str>),
        }

        Either::deserialize(deserializer).map(|either| match either {
            Either::Number(WholeNumber(number)) => OptionBody(OptionValue::Number(number)),
            Either::Word(word) => OptionBody(OptionValue::Word(word)),
        })
    }
}

/// A whole number as JSON Schema has it: 1 and 1.0 are the same, and one that no machine could hold is
/// the greatest or least that this one can.
pub(super) struct WholeNumber(pub(super) i64);

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WholeNumber, D::Error> {
        struct WholeNumberVisitor;

        impl Visitor<'_> for WholeNumberVisitor {
            type Value = WholeNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<WholeNumber, E> {
                Ok(WholeNumber(number))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<WholeNumber, E> {
                Ok(WholeNumber(i64::try_from(number).unwrap_or(i64::MAX)))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<WholeNumber, E> {
                let is_whole = number.fract() == 0.0;
                let wrong = || E::invalid_type(de::Unexpected::Float(number), &self);
                is_whole.then_some(WholeNumber(number as i64)).ok_or_else(wrong)
            }
        }

        deserializer.deserialize_any(WholeNumberVisitor)
    }
}

/// A field that may be left out, but is not null when it is there.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

pub(super) fn invalid(field: impl Into<String>, detail: impl Into<std::borrow::Cow<'static, str>>) -> Problem {
    Problem::new(Code::InvalidRequest, detail).at_field(field)
}

/// An error of the house as a sentence for a person.
pub(super) fn sentence(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// The game of an id in a path.
///
/// # Errors
/// If there is none.
pub(in crate::http) fn game_of(id: &str) -> Result<&'static Game, Problem> {
    games::find(id).ok_or_else(|| Problem::plain(Code::NoSuchGame))
}

/// The game that a listing is to be of.
///
/// # Errors
/// If there is none.
pub(in crate::http) fn game_wanted(id: &str) -> Result<&'static str, Problem> {
    games::find(id).map(|game| game.id).ok_or_else(|| invalid("game", "There is no game of that id."))
}

/// The status that a listing is to be of.
///
/// # Errors
/// If there is none.
pub(in crate::http) fn status_wanted(word: &str) -> Result<&'static str, Problem> {
    let statuses = Status::ALL.map(Status::as_str);
    let status = statuses.into_iter().find(|status| *status == word);
    status.ok_or_else(|| invalid("status", "A session is playing, won, lost, resigned or timed_out."))
}
