//! A game of the catalogue as it is shown.

use serde::{Serialize, Serializer};

use crate::games::{Choice, Domain, Game, GameOption, OptionValue, Place};
use crate::rules::{Engine, PileIndex};

use super::outgoing::OptionBody;

/// A game of the catalogue.
pub(in crate::http) struct GameBody(pub(in crate::http) &'static Game);

impl Serialize for GameBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let game = self.0;
        let engine = game.engine(&game.default_options());
        let piles = engine.indices().map(|pile| PileBody::new(game, &engine, pile)).collect();
        Shown {
            id: game.id,
            name: game.name,
            also_known_as: game.also_known_as,
            packs: engine.rules().packs.count(),
            summary: game.summary,
            rules: game.prose,
            options: OptionsBody(game.options),
            piles,
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct Shown {
    id: &'static str,
    name: &'static str,
    also_known_as: &'static [&'static str],
    packs: usize,
    summary: &'static str,
    rules: &'static str,
    options: OptionsBody,
    piles: Vec<PileBody>,
}

struct OptionsBody(&'static [GameOption]);

impl Serialize for OptionsBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|option| (option.name, DomainBody::new(option))))
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum DomainBody {
    Choice { values: Vec<ChoiceBody>, default: Value, description: &'static str },
    Integer { minimum: u32, maximum: u32, default: Value, description: &'static str },
}

impl DomainBody {
    fn new(option: &'static GameOption) -> DomainBody {
        let (default, description) = (Value(option.default()), option.description);
        match option.domain {
            Domain::Choice(choices) => {
                DomainBody::Choice { values: choices.iter().map(ChoiceBody::new).collect(), default, description }
            }
            Domain::Integer { minimum, maximum, .. } => DomainBody::Integer { minimum, maximum, default, description },
        }
    }
}

struct Value(OptionValue);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OptionBody(&self.0).serialize(serializer)
    }
}

#[derive(Serialize)]
struct ChoiceBody {
    value: &'static str,
    description: &'static str,
}

impl ChoiceBody {
    fn new(choice: &'static Choice) -> ChoiceBody {
        ChoiceBody { value: choice.value, description: choice.description }
    }
}

#[derive(Serialize)]
struct PileBody {
    id: String,
    kind: &'static str,
    takes: String,
    gives: String,
    home: bool,
    starts_with: Vec<String>,
    place: PlaceBody,
}

#[derive(Serialize)]
struct PlaceBody {
    column: f32,
    row: f32,
    spread: &'static str,
    room: f32,
}

impl PileBody {
    fn new(game: &Game, engine: &Engine, pile: PileIndex) -> PileBody {
        let id = engine.id(pile);
        let Place { column, row, spread, room } = (game.place)(id);
        PileBody {
            id: id.to_string(),
            kind: id.kind.as_str(),
            takes: engine.takes_in_words(pile),
            gives: engine.gives_in_words(pile),
            home: id.kind.is_home(),
            starts_with: engine.bases(pile).into_iter().map(|rank| rank.letter().into()).collect(),
            place: PlaceBody { column, row, spread: spread.as_str(), room },
        }
    }
}
