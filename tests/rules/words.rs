//! What piles take and give, in the words that clients show.

use crate::support::engine;

const DRAWN: &str = "what is drawn from the stock";
const TO_THE_WASTE: &str = "one card at a time to the waste";
const TOP: &str = "its top card to any pile that takes it";
const FIVE_OR_SIX: &str = "a five, then 4 3 2 A K of its suit; or a six, then 7 8 9 T J of its suit";
const KING: &str = "a king, then A 2 3 … Q of its suit";
const DOWN: &str = "any card, then the next lower of its suit, down to the ace";
const RUN: &str = "its top card to a foundation; a run, whole or its upper part, to another tableau pile";

/// A game, a pile of it, what that takes, and what it gives.
#[rustfmt::skip]
const WORDS: [(&str, &str, &str, &str); 19] = [
    ("captive-queens", "stock", "the whole waste, turned over", TO_THE_WASTE),
    ("captive-queens redeals=0", "stock", "nothing", TO_THE_WASTE),
    ("captive-queens", "waste", DRAWN, TOP),
    ("captive-queens", "foundation-1", FIVE_OR_SIX, "nothing"),
    ("captive-queens", "foundation-8", FIVE_OR_SIX, "nothing"),
    ("captive-queens", "queens", "a queen, then the others of its rank, 4 in all", "nothing"),
    ("napoleons-square", "stock", "nothing", "one card at a time to the waste; its top card to a space"),
    ("napoleons-square", "waste", DRAWN, TOP),
    ("napoleons-square", "foundation-1", "an ace, then 2 3 4 … K of its suit", "nothing"),
    ("napoleons-square", "tableau-12", DOWN, RUN),
    ("napoleons-square moves=single", "tableau-1", DOWN, TOP),
    ("topsy-turvy-queens", "stock", "the whole waste, turned over", TO_THE_WASTE),
    ("topsy-turvy-queens redeals=0", "stock", "nothing", TO_THE_WASTE),
    ("topsy-turvy-queens", "waste", DRAWN, TOP),
    ("topsy-turvy-queens", "foundation-7", "a king, then A 2 3 … Q of its suit; the leftmost place first", "a freed captive to another foundation"),
    ("topsy-turvy-queens", "foundation-8", "a king, then A 2 3 … Q of its suit; the leftmost place first", "nothing"),
    ("topsy-turvy-queens kings=any", "foundation-1", KING, "a freed captive to another foundation"),
    ("topsy-turvy-queens", "tableau-8", DOWN, RUN),
    ("topsy-turvy-queens corner=turned", "tableau-1", "any card, then the next lower of its suit, a king on the ace", RUN),
];

#[test]
fn every_kind_of_pile_says_what_it_takes_and_what_it_gives() {
    for (game, pile, takes, gives) in WORDS {
        let engine = engine(game);
        let index = engine.find(pile).unwrap();
        let words = (engine.takes_in_words(index), engine.gives_in_words(index));
        assert_eq!(words, (takes.into(), gives.into()), "{game}, {pile}");
    }
}
