//! The engine: a game's rules made ready to play, the deal, and what a move does.

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck, Rank};

use super::group::Group;
use super::language::{Base, Complete, Corner, Face, Next, Offer, Piles, Rules, Sequence, Start, To};
use super::pile::PileSet;
use super::{Move, PileId, PileIndex, PileKind, Step, Steps, Table, View};

/// A game's rules, made ready to play.
#[derive(Debug)]
pub struct Engine {
    rules: Rules,
    piles: Vec<Pile>,
    /// The piles by the rules that they follow, in their order.
    pub(super) groups: Vec<Group>,
    foundations: PileSet,
    tableau: PileSet,
}

/// A pile of the game: its name and the group whose rules it follows.
#[derive(Debug)]
struct Pile {
    id: PileId,
    name: Box<str>,
    group: usize,
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// There is something left to do.
    Playing,
    /// Every card has reached its place.
    Won,
    /// Not won, and no legal move is left.
    Lost,
}

impl Engine {
    /// Makes rules ready to play.
    ///
    /// # Panics
    /// If the rules are no game: the stock and the waste are not the first two piles, the kinds
    /// are out of order, there are more than 32 piles, or a pile starts with something that it
    /// could not go on from. Rules come from code, so this is found by the first test.
    pub fn new(rules: Rules) -> Engine {
        let (mut piles, mut groups) = (Vec::<Pile>::new(), Vec::new());
        for (group, each) in rules.piles.iter().enumerate() {
            assert_is_playable(each);
            groups.push(Group::new(each.clone(), PileIndex(piles.len() as u8)));
            for _ in 0..each.count {
                let number = 1 + piles.iter().filter(|pile| pile.id.kind == each.kind).count() as u8;
                let id = PileId { kind: each.kind, number };
                let name = id.to_string().into();
                piles.push(Pile { id, name, group });
            }
        }
        let kinds: Vec<PileKind> = piles.iter().map(|pile| pile.id.kind).collect();
        assert!(kinds.is_sorted(), "piles stand in the order of their kinds");
        assert!(piles.len() <= PileSet::CAPACITY, "too many piles");
        let once = |kind| kinds.iter().filter(|&&each| each == kind).count() == 1;
        assert!(once(PileKind::Stock) && once(PileKind::Waste), "one stock, one waste");
        let of_kind = |kind| {
            let mut set = PileSet::EMPTY;
            (0..kinds.len()).filter(|&pile| kinds[pile] == kind).for_each(|pile| set.insert(PileIndex(pile as u8)));
            set
        };
        let (foundations, tableau) = (of_kind(PileKind::Foundation), of_kind(PileKind::Tableau));
        Engine { rules, piles, groups, foundations, tableau }
    }

    /// The rules that it plays by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The piles, in their order.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = PileIndex> + use<> {
        (0..self.piles.len() as u8).map(PileIndex)
    }

    /// The id of a pile of this game.
    pub fn id(&self, pile: PileIndex) -> PileId {
        self.piles[pile.get()].id
    }

    /// The names and kinds of the piles, in their order.
    pub fn named_piles(&self) -> impl ExactSizeIterator<Item = (&str, PileKind)> {
        self.piles.iter().map(|pile| (&*pile.name, pile.id.kind))
    }

    /// The ids of the piles, in their order.
    pub fn piles(&self) -> impl ExactSizeIterator<Item = PileId> {
        self.piles.iter().map(|pile| pile.id)
    }

    /// The name of a pile of this game.
    pub fn name(&self, pile: PileIndex) -> &str {
        &self.piles[pile.get()].name
    }

    /// The pile of that name, if the game has it.
    pub fn find(&self, name: &str) -> Option<PileIndex> {
        let place = self.piles.iter().position(|pile| &*pile.name == name)?;
        Some(PileIndex(place as u8))
    }

    /// Lays out the cards of a deck of the game's packs, element 0 first: the cards that are
    /// chosen from it, then group by group and row by row, and the rest is the stock.
    pub fn deal(&self, deck: &Deck) -> Table {
        let mut table = Table::empty(self.piles.len(), self.rules.redeals);
        let mut left: Vec<Card> = deck.cards().to_vec();
        for group in &self.groups {
            if let Start::Chosen { rows, ranks } = group.rules.start {
                let places = rows_of(group, rows);
                let chosen = left.extract_if(.., |card| ranks.contains(&card.rank()));
                places.zip(chosen).for_each(|(pile, card)| table.lay_face_up(pile, card));
            }
        }
        let mut next = left.into_iter();
        for group in &self.groups {
            if let Start::Dealt { rows, face } = group.rules.start {
                for (pile, card) in rows_of(group, rows).zip(next.by_ref()) {
                    match face {
                        Face::Up => table.lay_face_up(pile, card),
                        Face::Down => table.lay_face_down(pile, card),
                    }
                }
            }
        }
        next.rev().for_each(|card| table.lay_face_down(PileIndex::STOCK, card));
        table
    }

    /// How a game stands.
    pub fn outcome(&self, view: &View) -> Outcome {
        if self.placed(view) == self.rules.packs.cards() {
            Outcome::Won
        } else if self.has_legal_move(view) {
            Outcome::Playing
        } else {
            Outcome::Lost
        }
    }

    /// How many cards have reached their place. A captive has not, before it stands in its
    /// sequence.
    pub fn placed(&self, view: &View) -> usize {
        let homes = self.indices().filter(|&pile| self.piles[pile.get()].id.kind.is_home());
        homes.map(|pile| self.in_sequence(view, pile)).sum()
    }

    fn in_sequence(&self, view: &View, pile: PileIndex) -> usize {
        let cards = view.pile(pile).cards();
        match self.sequence(view, pile).map(|sequence| sequence.complete) {
            Some(Complete::At(complete)) => cards.len().min(usize::from(complete)),
            _ => cards.len(),
        }
    }

    /// What a legal move does to a table: the steps, with the cards that they turn up.
    pub fn steps(&self, table: &Table, chosen: Move) -> Steps {
        let (first, to, count) = match chosen {
            Move::Redeal => return Steps::from_slice(&[Step::Redeal]),
            Move::Draw => (turn(table, PileIndex::WASTE), PileIndex::WASTE, 1),
            Move::Transfer { from: PileIndex::STOCK, to, .. } => (turn(table, to), to, 1),
            Move::Transfer { from, to, count } => (Some(Step::Shift { from, to, count }), to, count),
        };
        let freed = self.freed_by(table, to, usize::from(count));
        first.into_iter().chain(freed).collect()
    }

    /// The captive that is turned up when so many cards more come to a pile.
    fn freed_by(&self, table: &Table, pile: PileIndex, count: usize) -> Option<Step> {
        let &card = table.hidden(pile).last()?;
        let Complete::At(complete) = self.sequence(table.view(), pile)?.complete else {
            return None;
        };
        let cards = table.view().pile(pile).cards().len() + count;
        (cards == usize::from(complete)).then_some(Step::Free { pile, card })
    }

    /// The group of a pile, whose rules it follows.
    pub(super) fn group(&self, pile: PileIndex) -> &Group {
        &self.groups[self.piles[pile.get()].group]
    }

    /// The sequence that a pile follows: its first face-up card decides.
    pub(super) fn sequence(&self, view: &View, pile: PileIndex) -> Option<&Sequence> {
        self.group(pile).sequence(view.pile(pile).cards())
    }

    /// Whether a pile has all the cards of its sequence.
    pub(super) fn is_complete(&self, view: &View, pile: PileIndex) -> bool {
        let cards = view.pile(pile).cards().len();
        self.sequence(view, pile).is_some_and(|sequence| sequence.is_complete_with(cards))
    }

    /// Whether a freed captive lies on top of a pile.
    pub(super) fn shows_captive(&self, view: &View, pile: PileIndex) -> bool {
        self.group(pile).shows_captive(view.pile(pile).cards())
    }

    /// The empty tableau piles.
    pub(super) fn spaces(&self, view: &View) -> PileSet {
        let occupied = self.tableau.filter(|&pile| !view.pile(pile).is_empty());
        occupied.fold(self.tableau, |spaces, pile| spaces.without(PileSet::of(pile)))
    }

    /// The piles that something which is given there can reach, when these are the spaces.
    pub(super) fn reach(&self, to: To, spaces: PileSet) -> PileSet {
        match to {
            To::Anywhere => PileSet::all(),
            To::Foundations => self.foundations,
            To::Spaces => spaces,
        }
    }

    /// How many cards from the top are a run, by the sequence that the pile is built in; at least
    /// 1 where there is a face-up card.
    pub(super) fn run_length(&self, view: &View, pile: PileIndex) -> usize {
        self.group(pile).run(view.pile(pile).cards()).len()
    }
}

/// The piles of a group, first to last, so many times over.
fn rows_of(group: &Group, rows: u8) -> impl Iterator<Item = PileIndex> {
    (0..rows).flat_map(|_| group.piles())
}

fn turn(table: &Table, to: PileIndex) -> Option<Step> {
    let &card = table.hidden(PileIndex::STOCK).last()?;
    Some(Step::Turn { to, card })
}

fn assert_is_playable(piles: &Piles) {
    let any_base = piles.takes.iter().any(|sequence| sequence.base == Base::Any);
    let captives = piles.gives.iter().any(|gives| gives.offer == Offer::Captive);
    match &piles.start {
        Start::Rest => assert_eq!(piles.kind, PileKind::Stock, "the rest is the stock"),
        Start::Dealt { rows, face: Face::Down } => {
            assert!(*rows == 1 && captives, "a face-down card is a captive that its pile gives");
        }
        Start::Dealt { face: Face::Up, .. } => assert!(any_base, "any card may be dealt"),
        Start::Empty | Start::Chosen { .. } => {}
    }
    assert!(piles.count == 1 || piles.kind.is_numbered(), "more than one pile of this kind");
}

impl Sequence {
    /// Whether so many cards are all that it has, or more.
    pub(super) fn is_complete_with(&self, cards: usize) -> bool {
        match self.complete {
            Complete::At(complete) => cards >= usize::from(complete),
            Complete::Never => false,
        }
    }
}

impl Base {
    /// Whether an empty pile takes a card.
    pub fn accepts(self, card: Card) -> bool {
        self.accepts_rank(card.rank())
    }

    /// Whether an empty pile takes cards of a rank.
    pub fn accepts_rank(self, rank: Rank) -> bool {
        match self {
            Base::Any => true,
            Base::Rank(base) => rank == base,
        }
    }
}

impl Next {
    /// Whether a card goes on a top card.
    pub fn accepts(self, top: Card, card: Card) -> bool {
        self.suit_fits(top, card) && self.rank_fits(top, card)
    }

    pub(super) fn suit_fits(self, top: Card, card: Card) -> bool {
        match self {
            Next::UpInSuit(_) | Next::DownInSuit(_) => top.suit() == card.suit(),
            Next::SameRank => true,
        }
    }

    pub(super) fn rank_fits(self, top: Card, card: Card) -> bool {
        use crate::cards::Rank::{Ace, King};
        let (from, to) = (top.rank(), card.rank());
        match self {
            Next::UpInSuit(corner) => from.above() == to && (from != King || corner == Corner::Turned),
            Next::DownInSuit(corner) => from.below() == to && (from != Ace || corner == Corner::Turned),
            Next::SameRank => from == to,
        }
    }
}
