//! Rules in words that a client can show to a player.

use crate::cards::Rank;

use super::language::{Base, Complete, Corner, Filling, Gives, Next, Offer, Sequence, To};
use super::{Engine, PileIndex, PileKind};

impl Engine {
    /// What a pile takes, in words.
    pub fn takes_in_words(&self, pile: PileIndex) -> String {
        let rules = &self.group(pile).rules;
        let sequences: Vec<String> = rules.takes.iter().map(in_words).collect();
        match (sequences.is_empty(), rules.kind, rules.filling) {
            (true, PileKind::Waste, _) => "what is drawn from the stock".into(),
            (true, PileKind::Stock, _) if self.rules().redeals > 0 => "the whole waste, turned over".into(),
            (true, ..) => "nothing".into(),
            (false, _, Filling::AnyPlace) => sequences.join("; or "),
            (false, _, Filling::LeftToRight) => format!("{}; the leftmost place first", sequences.join("; or ")),
        }
    }

    /// The ranks that a pile takes while it is empty; none if nothing is put there.
    pub fn bases(&self, pile: PileIndex) -> Vec<Rank> {
        let takes = &self.group(pile).rules.takes;
        let is_base = |rank: &Rank| takes.iter().any(|sequence| sequence.base.accepts_rank(*rank));
        Rank::ALL.into_iter().filter(is_base).collect()
    }

    /// What a pile gives, in words.
    pub fn gives_in_words(&self, pile: PileIndex) -> String {
        let rules = &self.group(pile).rules;
        let drawn = (rules.kind == PileKind::Stock).then(|| "one card at a time to the waste".to_string());
        let given = rules.gives.iter().map(Gives::in_words);
        let words: Vec<String> = drawn.into_iter().chain(given).collect();
        if words.is_empty() { "nothing".into() } else { words.join("; ") }
    }
}

impl Gives {
    fn in_words(&self) -> String {
        let offer = match self.offer {
            Offer::Top => "its top card",
            Offer::Run => "a run, whole or its upper part,",
            Offer::Captive => "a freed captive",
        };
        let to = match (self.to, self.offer) {
            (To::Anywhere, Offer::Run) => "to another tableau pile",
            (To::Anywhere, Offer::Top | Offer::Captive) => "to any pile that takes it",
            (To::Foundations, Offer::Captive) => "to another foundation",
            (To::Foundations, Offer::Top | Offer::Run) => "to a foundation",
            (To::Spaces, _) => "to a space",
        };
        format!("{offer} {to}")
    }
}

fn in_words(sequence: &Sequence) -> String {
    let next = match (sequence.base, sequence.complete, sequence.next) {
        (Base::Rank(base), Complete::At(cards), Next::UpInSuit(_)) => in_a_row(base, cards, Rank::above),
        (Base::Rank(base), Complete::At(cards), Next::DownInSuit(_)) => in_a_row(base, cards, Rank::below),
        (_, _, Next::UpInSuit(Corner::Closed)) => "the next higher of its suit, up to the king".into(),
        (_, _, Next::UpInSuit(Corner::Turned)) => "the next higher of its suit, an ace on the king".into(),
        (_, _, Next::DownInSuit(Corner::Closed)) => "the next lower of its suit, down to the ace".into(),
        (_, _, Next::DownInSuit(Corner::Turned)) => "the next lower of its suit, a king on the ace".into(),
        (_, Complete::At(cards), Next::SameRank) => format!("the others of its rank, {cards} in all"),
        (_, Complete::Never, Next::SameRank) => "others of its rank".into(),
    };
    match sequence.base {
        Base::Any => format!("any card, then {next}"),
        Base::Rank(Rank::Ace | Rank::Eight) => format!("an {}, then {next}", base_name(sequence.base)),
        Base::Rank(_) => format!("a {}, then {next}", base_name(sequence.base)),
    }
}

fn base_name(base: Base) -> &'static str {
    const NAMES: [&str; 13] =
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
    match base {
        Base::Any => "card",
        Base::Rank(rank) => NAMES[rank as usize],
    }
}

fn in_a_row(base: Rank, cards: u8, step: fn(Rank) -> Rank) -> String {
    let ranks = std::iter::successors(Some(step(base)), |&rank| Some(step(rank)));
    let letters: Vec<String> =
        ranks.take(usize::from(cards).saturating_sub(1)).map(|rank| rank.letter().into()).collect();
    match letters.as_slice() {
        [first, second, third, .., last] if letters.len() > 6 => {
            format!("{first} {second} {third} … {last} of its suit")
        }
        all => format!("{} of its suit", all.join(" ")),
    }
}
