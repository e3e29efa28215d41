//! What a game of the catalogue is.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
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

/// A game with its options chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The game.
    pub game: &'static Game,
    /// Its options.
    pub options: Options,
}

impl Variant {
    /// The game as it is when nothing is said.
    pub fn standard(game: &'static Game) -> Variant {
        Variant { game, options: game.default_options() }
    }

    /// The variant made ready to play.
    pub fn engine(&self) -> Arc<Engine> {
        self.game.engine(&self.options)
    }
}

/// Games are told apart by their ids.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.id == other.id
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// Where a pile is drawn, on a grid whose unit is one pile; fractions are allowed. A row is 1.4 times as high as a column
/// is wide, which is the shape of a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// From the left, 0 or more.
    pub column: f32,
    /// From the top, 0 or more.
    pub row: f32,
    /// How its cards lie on one another.
    pub spread: Spread,
    /// How many columns or rows there are for them, from the place on, in the direction of the spread: 1 or more.
    pub room: f32,
}

/// How the cards of a pile lie on one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// All at the same place: only the top one is seen.
    None,
    /// Each a little to the right of the one under it.
    Right,
    /// Each a little further down than the one under it.
    Down,
}

impl Spread {
    /// Its stable name, in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Spread::None => "none",
            Spread::Right => "right",
            Spread::Down => "down",
        }
    }
}

impl Place {
    /// The place in that column and row, for cards that all lie there.
    pub const fn at(column: f32, row: f32) -> Place {
        Place { column, row, spread: Spread::None, room: 1.0 }
    }

    /// The same, for cards that lie next to one another in so many columns.
    pub const fn to_the_right(self, columns: f32) -> Place {
        Place { spread: Spread::Right, room: columns, ..self }
    }

    /// The same, for cards that lie below one another in so many rows.
    pub const fn down(self, rows: f32) -> Place {
        Place { spread: Spread::Down, room: rows, ..self }
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
