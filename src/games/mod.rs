//! The games: one file a game, with its options and the [`Rules`](crate::rules::Rules) that they
//! give, and the catalogue that lists them.
//!
//! A new game is a new file and a line in [`CATALOGUE`]; everything else picks it up from there.

mod captive_queens;
mod game;
mod napoleons_square;
mod options;
mod topsy_turvy_queens;

pub use game::{Game, Place, Spread, Variant};
pub use options::{Choice, Domain, GameOption, OptionError, OptionValue, Options};

/// All games, in the order in which they are shown.
pub static CATALOGUE: [&Game; 3] = [&captive_queens::GAME, &napoleons_square::GAME, &topsy_turvy_queens::GAME];

/// The game of that id.
pub fn find(id: &str) -> Option<&'static Game> {
    CATALOGUE.into_iter().find(|game| game.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_value_changes_the_rules() {
        for game in CATALOGUE {
            let standard = (game.rules)(&game.default_options());
            for option in game.options {
                for value in option.domain.values() {
                    let text = format!("{} {}={value}", game.id, option.name);
                    let options = game.options_from([(option.name.to_string(), value.clone())]).unwrap();
                    let changed = (game.rules)(&options) != standard;
                    assert_eq!(changed, value != option.default(), "{text}");
                }
            }
        }
    }

    #[test]
    fn every_pile_of_every_game_has_a_place_of_its_own() {
        for game in CATALOGUE {
            let engine = game.engine(&game.default_options());
            let places: Vec<Place> = engine.piles().map(game.place).collect();
            for (index, place) in places.iter().enumerate() {
                assert!(place.column >= 0.0 && place.row >= 0.0 && place.room >= 1.0);
                let clash = places[..index].iter().any(|other| overlap(place, other));
                assert!(!clash, "{}: pile {index} lies on another", game.id);
            }
        }
    }

    /// Whether two piles cover a part of the table together, as far as their cards may be spread.
    fn overlap(one: &Place, other: &Place) -> bool {
        // What of a column or row a card leaves free.
        const GAP: f32 = 0.08;
        let columns = |place: &Place| if place.spread == Spread::Right { place.room } else { 1.0 };
        let rows = |place: &Place| if place.spread == Spread::Down { place.room } else { 1.0 };
        let apart = |from: f32, length: f32, other: f32| from + length - GAP <= other;
        let is_beside =
            apart(one.column, columns(one), other.column) || apart(other.column, columns(other), one.column);
        let is_below = apart(one.row, rows(one), other.row) || apart(other.row, rows(other), one.row);
        !is_beside && !is_below
    }

    #[test]
    fn a_game_is_found_by_its_id_and_ids_are_unique() {
        for game in CATALOGUE {
            assert!(std::ptr::eq(find(game.id).unwrap(), game));
        }
        assert!(find("klondike").is_none());
    }
}
