//! Deals: the server agrees with `data/deals.py` and `data/pysolfc.py`, second programs written from the specification and
//! from what PySolFC deals.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use patience::cards::{Card, Deck, Packs, PysolfcNumber, Seed};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// A deal as `data/deals.py` works it out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    seed: String,
    packs: u8,
    commitment: String,
    deck: String,
}

/// A deal as `data/pysolfc.py` works it out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PysolfcVector {
    number: String,
    packs: u8,
    deck: String,
}

fn packs(count: u8) -> Packs {
    match count {
        1 => Packs::One,
        2 => Packs::Two,
        other => panic!("{other} packs"),
    }
}

/// The names of the cards, in dealing order.
fn names(deck: &Deck) -> String {
    deck.cards().iter().map(|card| card.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_deal_is_the_one_that_the_specification_gives() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("data/deals.json")).unwrap();
    assert_eq!(vectors.len(), 24, "twelve seeds, for one and two packs");
    for vector in vectors {
        let packs = packs(vector.packs);
        let seed = Seed::try_from(vector.seed.clone()).unwrap();
        let deck = seed.deck(packs);
        let case = format!("seed {:?}, {packs:?}", vector.seed);
        assert_eq!(names(&deck), vector.deck, "{case}");
        assert_eq!(seed.commitment(), vector.commitment, "{case}");

        // What a player may check afterwards: the listed cards are that deck, and a whole one.
        let listed: Vec<&str> = vector.deck.split(' ').collect();
        assert_eq!(Deck::parse(packs, &listed), Ok(deck), "{case}");
    }
}

#[test]
fn every_number_of_pysolfc_deals_what_it_deals_there() {
    // The first cards, and how the SHA-256 of all of them begins.
    for (number, count, first, digest) in [
        ("1", 1, "JD 2D 9H JC 5D", "dfc7f8b31adf124d"),
        ("1", 2, "3D 5H JC KH 5S", "da24703f53cd7a5d"),
        ("12345678901234567890", 2, "2C 5D AS 9H TH", "f4da56ad0700f87e"),
    ] {
        let deck = names(&number.parse::<PysolfcNumber>().unwrap().deck(packs(count)));
        assert!(deck.starts_with(first), "{number}, {count}: {deck}");
        assert!(hex::encode(Sha256::digest(&deck)).starts_with(digest), "{number}, {count}: {deck}");
    }

    let vectors: Vec<PysolfcVector> = serde_json::from_str(include_str!("data/pysolfc.json")).unwrap();
    assert_eq!(vectors.len(), 30, "fifteen numbers, for one and two packs");
    for PysolfcVector { number, packs: count, deck } in vectors {
        let dealt = number.parse::<PysolfcNumber>().unwrap().deck(packs(count));
        assert_eq!(names(&dealt), deck, "{number}, {count}");
        let listed: Vec<&str> = deck.split(' ').collect();
        assert_eq!(Deck::parse(packs(count), &listed), Ok(dealt), "{number}, {count}");
    }
}

#[test]
fn every_card_lands_on_every_place_about_equally_often() {
    const DEALS: usize = 5_000;
    let mut landed = [[0; Card::COUNT]; Card::COUNT]; // by card, then by place
    for seed in 0..DEALS {
        let deck = Seed::try_from(seed.to_string()).unwrap().deck(Packs::One);
        for (place, card) in deck.cards().iter().enumerate() {
            landed[card.index()][place] += 1;
        }
    }

    // Chi-square: where one card lands has 51 degrees of freedom, so a mean of 51 and a standard
    // deviation of 10. With other seeds an even shuffle would go beyond 130, for any of the cards,
    // less than once in a million tries; these seeds are fixed. The usual mistakes go beyond it
    // at once: to swap with any of the cards, or never with the card itself.
    let expected = DEALS as f64 / Card::COUNT as f64;
    let unevenness = |counts: &[i32; Card::COUNT]| -> f64 {
        let excess = counts.iter().map(|&count| f64::from(count) - expected);
        excess.map(|excess| excess * excess / expected).sum()
    };
    let mut total = 0.0;
    for (card, counts) in Card::all().zip(&landed) {
        let one = unevenness(counts);
        assert!(one < 130.0, "{card} lands unevenly: {one:.1}, {counts:?}");
        total += one;
    }
    // All together they have a mean of 52 · 51 and a standard deviation of about 74, of which this
    // allows six. Too little unevenness would be no chance either.
    assert!((total - 2652.0).abs() < 6.0 * 74.0, "in all: {total:.1}");
}
