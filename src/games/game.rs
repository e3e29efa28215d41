//! What a game of the catalogue is.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use parking_lot::RwLock;

use crate::rules::{Engine, PileId, Rules};

use super::{GameOption, OptionError, OptionValue, Options};

/// A game of the catalogue: its names, its prose, its options and the rules that they give.
#[derive(Debug)]
pub struct Game {
    /// Its id in the API and in logs, for good.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Other names that it goes by.
    pub also_known_as: &'static [&'static str],
    /// One sentence that says what it is like.
    pub summary: &'static str,
    /// Its rules, in prose for players; paragraphs are separated by empty lines.
    pub prose: &'static str,
    /// Grows by one with every change to its rules. A session's log says under which revision it
    /// was played.
    pub revision: u32,
    /// Its options.
    pub options: &'static [GameOption],
    /// The rules that options of this game give.
    pub rules: fn(&Options) -> Rules,
    /// Where a pile is drawn.
    pub place: fn(PileId) -> Place,
}

/// Where a pile is drawn, on a grid whose unit is one pile; fractions are allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// From the left, 0 or more.
    pub column: f32,
    /// From the top, 0 or more.
    pub row: f32,
}

impl Place {
    /// The place in that column and row.
    pub const fn at(column: f32, row: f32) -> Place {
        Place { column, row }
    }
}

impl Game {
    /// Its options at their defaults.
    pub fn default_options(&self) -> Options {
        Options::defaults(self.options)
    }

    /// Options of this game, those left out at their defaults.
    ///
    /// # Errors
    /// The first option that the game does not have, or whose value it does not know.
    pub fn options_from(&self, given: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Options, OptionError> {
        Options::from_given(self.options, given)
    }

    /// The game made ready to play with these options. All sessions that play it so share one engine.
    pub fn engine(&self, options: &Options) -> Arc<Engine> {
        let ready = ENGINES.read().get(&(self.id, options.clone())).cloned();
        ready.unwrap_or_else(|| {
            let engine = Arc::new(Engine::new((self.rules)(options)));
            ENGINES.write().entry((self.id, options.clone())).or_insert(engine).clone()
        })
    }
}

/// The engines that have been asked for: at most one for each way to choose a game's options.
static ENGINES: LazyLock<RwLock<HashMap<Played, Arc<Engine>>>> = LazyLock::new(RwLock::default);

/// The id of a game, and its options.
type Played = (&'static str, Options);
