//! Which games a search understands.
//!
//! A search takes tables for alike, and moves for harmless, for reasons that hold in the games that people play. Where the
//! language of rules can say more than that, nothing is said about the game rather than something wrong.

use crate::cards::Card;
use crate::rules::{Base, Complete, Face, Filling, Next, Offer, PileKind, Piles, Rules, Sequence, Start, To};

/// Whether all that a search takes for granted holds in a game.
pub(super) fn is_understood(rules: &Rules) -> bool {
    let is = |kind: PileKind| move |piles: &&Piles| piles.kind == kind;
    let homes = || rules.piles.iter().filter(|piles| piles.kind.is_home());
    let stock_gives_to_spaces = rules.piles.iter().filter(is(PileKind::Stock)).all(gives_only_to_spaces);
    let tableau: Vec<&Piles> = rules.piles.iter().filter(is(PileKind::Tableau)).collect();
    let fillings: Vec<Filling> =
        rules.piles.iter().filter(is(PileKind::Foundation)).map(|piles| piles.filling).collect();
    u8::try_from(rules.redeals).is_ok()
        && stock_gives_to_spaces
        && tableau.len() <= 1
        && tableau.into_iter().all(is_plain_tableau)
        && homes().all(|piles| starts_as_it_takes(piles) && gives_captives_alone(piles))
        && fillings.windows(2).all(|pair| pair[0] == pair[1])
        && homes().filter(|piles| holds_captives(piles)).count() <= 1
        && have_cards_of_their_own(homes().flat_map(|piles| &piles.takes))
}

/// What is drawn may be taken for given, if the waste gives it on; a space that takes any card takes that one.
fn gives_only_to_spaces(stock: &Piles) -> bool {
    stock.gives.iter().all(|gives| gives.to == To::Spaces)
}

/// All tableau piles follow one sequence, which any card may start and which never ends, and hide nothing.
fn is_plain_tableau(piles: &Piles) -> bool {
    let is_endless = |sequence: &Sequence| sequence.base == Base::Any && sequence.complete == Complete::Never;
    matches!(piles.takes.as_slice(), [only] if is_endless(only)) && !holds_captives(piles)
}

fn holds_captives(piles: &Piles) -> bool {
    matches!(piles.start, Start::Dealt { face: Face::Down, .. })
}

/// What a home holds before the game, it could have taken.
fn starts_as_it_takes(piles: &Piles) -> bool {
    match &piles.start {
        Start::Chosen { ranks, .. } => {
            ranks.iter().all(|rank| piles.takes.iter().any(|sequence| sequence.base == Base::Rank(*rank)))
        }
        Start::Empty => true,
        Start::Dealt { face, .. } => *face == Face::Down,
        Start::Rest => false,
    }
}

/// Homes give captives to homes, and nothing else.
fn gives_captives_alone(piles: &Piles) -> bool {
    piles.gives.iter().all(|gives| gives.offer == Offer::Captive && gives.to == To::Foundations)
}

/// Each card belongs to one sequence of homes, from its base to where it is complete.
fn have_cards_of_their_own<'a>(sequences: impl Iterator<Item = &'a Sequence>) -> bool {
    let mut taken: Vec<(&Sequence, Card)> = Vec::new();
    for sequence in sequences {
        let members = members(sequence);
        let is_shared = |card: &Card| taken.iter().any(|(other, taken)| taken == card && *other != sequence);
        if members.iter().any(is_shared) {
            return false;
        }
        taken.extend(members.into_iter().map(|card| (sequence, card)));
    }
    true
}

fn members(sequence: &Sequence) -> Vec<Card> {
    let mut members: Vec<Card> = Card::all().filter(|&card| sequence.base.accepts(card)).collect();
    let length = match sequence.complete {
        Complete::At(cards) => cards,
        Complete::Never => u8::MAX,
    };
    let mut front = members.clone();
    for _ in 1..length {
        front = Card::all().filter(|&card| front.iter().any(|&top| sequence.next.accepts(top, card))).collect();
        front.retain(|card| !members.contains(card));
        if front.is_empty() || matches!(sequence.next, Next::SameRank) {
            break;
        }
        members.extend(&front);
    }
    members
}
