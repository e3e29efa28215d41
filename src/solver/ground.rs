//! What stays the same while a game is searched: its rules in tables, and which card is which.

use std::ops::Range;

use crate::cards::Card;
use crate::rules::{Base, Complete, Engine, Filling, Known, Offer, PileKind, Piles, Sequence, To, Turning};

use super::position::Position;
use super::random::Random;
use super::understood::is_understood;
use super::worth::{TASTES, Taste};

/// The most cards of a game.
pub(super) const CARDS: usize = 2 * Card::COUNT;

/// The most piles of a game.
pub(super) const PILES: usize = 32;

/// The kind of a card that nobody has seen.
pub(super) const UNSEEN: u8 = Card::COUNT as u8;

/// How many kinds of cards there are, what nobody has seen among them.
pub(super) const KINDS: usize = Card::COUNT + 1;

/// The stock and the waste are the first piles of every game.
pub(super) const STOCK: u8 = 0;
pub(super) const WASTE: u8 = 1;

/// A set of piles, a bit each.
pub(super) type PileBits = u32;

/// A set of kinds of cards, a bit each.
pub(super) type KindBits = u64;

/// The members of a set, least first.
pub(super) fn each(bits: impl Into<u64>) -> impl Iterator<Item = u8> {
    let mut bits = bits.into();
    std::iter::from_fn(move || {
        let first = (bits != 0).then(|| bits.trailing_zeros() as u8)?;
        bits &= bits - 1;
        Some(first)
    })
}

/// The set of some piles.
pub(super) fn set_of(piles: impl Iterator<Item = u8>) -> PileBits {
    piles.fold(0, |set, pile| set | 1 << pile)
}

/// The rules of a game in tables, and which card is which.
///
/// Cards have numbers as long as a search goes on, so that two equal ones are told apart where that is of use; what
/// they are is their kind.
#[derive(Clone)]
pub(super) struct Ground<'a> {
    pub(super) engine: &'a Engine,
    kinds: [u8; CARDS],
    piles: Vec<Terms>,
    sequences: Vec<Growth>,
    pub(super) homes: PileBits,
    pub(super) tableau: PileBits,
    pub(super) turning: Turning,
    /// How often each card is in the game.
    pub(super) packs: u8,
    /// Which place each kind has in the sequence by which homes grow, from 0, and whose sequence that is.
    ranks: [u8; KINDS],
    chains: [u8; KINDS],
    /// By what tables are judged.
    pub(super) taste: Taste,
    /// What can lie on each kind in the tableau.
    hosted: [KindBits; KINDS],
}

/// The rules of a pile.
#[derive(Clone)]
pub(super) struct Terms {
    pub(super) kind: PileKind,
    pub(super) filling: Filling,
    /// Its sequences, from one to before another of those of all piles.
    pub(super) takes: Range<u8>,
    /// The kinds that it can start with, if not all.
    pub(super) bases: KindBits,
    /// Which sequence it follows when it has started with a kind.
    follows: [u8; KINDS],
    /// To where it gives its top card alone, and a run of several; elsewhere, and where that is a space.
    alone: [PileBits; 2],
    in_a_run: [PileBits; 2],
    /// Whether it gives nothing but a captive.
    gives_captives: bool,
    /// What it has in common with the piles that are like it while they hold the same.
    class: u8,
}

/// How a pile grows.
#[derive(Clone)]
pub(super) struct Growth {
    /// The kinds that go on each kind.
    after: [KindBits; KINDS],
    /// With how many cards it is complete; with more than there are if it never is.
    pub(super) complete: u8,
}

/// Piles over captives have classes of their own, from 0; groups of others from here on.
const SHARED_CLASSES: u8 = PILES as u8;

impl<'a> Ground<'a> {
    /// What is known of a table, ready to be searched; nothing if the game is none that a search
    /// [understands](is_understood).
    pub(super) fn new(engine: &'a Engine, known: &Known) -> Option<(Ground<'a>, Position)> {
        let rules = engine.rules();
        if !is_understood(rules) {
            return None;
        }
        let mut ground = Ground {
            engine,
            kinds: [UNSEEN; CARDS],
            piles: Vec::new(),
            sequences: Vec::new(),
            homes: 0,
            tableau: 0,
            turning: rules.turning,
            packs: rules.packs.count() as u8,
            ranks: [0; KINDS],
            chains: [0; KINDS],
            taste: TASTES[0],
            hosted: [0; KINDS],
        };
        (0..).zip(&rules.piles).for_each(|(group, piles)| ground.add(group, piles));
        (0..).zip(&rules.piles).for_each(|(group, piles)| ground.add_offers(group, piles));
        ground.rank_kinds();
        ground.find_hosts();
        let position = Position::of(&mut ground, known);
        Some((ground, position))
    }

    fn add(&mut self, group: u8, piles: &Piles) {
        let first = self.sequences.len() as u8;
        self.sequences.extend(piles.takes.iter().map(Growth::new));
        let mut bases = 0;
        let mut follows = [first; KINDS];
        for (at, sequence) in piles.takes.iter().enumerate().rev() {
            let at = first + at as u8;
            let starts = kinds_of(Card::all().filter(|&card| sequence.base.accepts(card)));
            let unseen = KindBits::from(sequence.base == Base::Any) << UNSEEN;
            bases |= starts | unseen;
            each(starts | unseen).for_each(|kind| follows[usize::from(kind)] = at);
        }
        let gives_captives = piles.gives.iter().any(|gives| gives.offer == Offer::Captive);
        for _ in 0..piles.count {
            let pile = self.piles.len() as u8;
            self.homes |= PileBits::from(piles.kind.is_home()) << pile;
            self.tableau |= PileBits::from(piles.kind == PileKind::Tableau) << pile;
            self.piles.push(Terms {
                kind: piles.kind,
                filling: piles.filling,
                takes: first..self.sequences.len() as u8,
                bases,
                follows,
                alone: [0; 2],
                in_a_run: [0; 2],
                gives_captives,
                class: if gives_captives { pile } else { SHARED_CLASSES + group },
            });
        }
    }

    /// Works out to where each pile of a group gives: of what it gives, the first that reaches a target counts.
    fn add_offers(&mut self, group: u8, piles: &Piles) {
        let first = self.engine.rules().piles[..usize::from(group)].iter().map(|piles| piles.count).sum::<u8>();
        for pile in first..first + piles.count {
            for (at, is_space) in [(0, false), (1, true)] {
                let mut spoken_for: PileBits = 1 << pile;
                for gives in &piles.gives {
                    let reached = !spoken_for
                        & match gives.to {
                            To::Anywhere => PileBits::MAX,
                            To::Foundations => self.foundations(),
                            To::Spaces if is_space => self.tableau,
                            To::Spaces => 0,
                        };
                    spoken_for |= reached;
                    let terms = &mut self.piles[usize::from(pile)];
                    terms.alone[at] |= reached;
                    terms.in_a_run[at] |= if gives.offer == Offer::Run { reached } else { 0 };
                }
            }
        }
    }

    fn foundations(&self) -> PileBits {
        let is_foundation = |pile: &u8| self.terms(*pile).kind == PileKind::Foundation;
        set_of(each(self.homes).filter(is_foundation))
    }

    fn rank_kinds(&mut self) {
        let mut ranked: KindBits = 0;
        let mut chains = 0;
        let homes: Vec<u8> = each(self.homes).collect();
        for sequence in homes.iter().flat_map(|&home| self.piles[usize::from(home)].takes.clone()) {
            let bases = homes.iter().fold(0, |bases, &home| bases | self.bases_of(home, sequence));
            for base in each(bases & !ranked) {
                let mut front: KindBits = 1 << base;
                for rank in 0..self.sequences[usize::from(sequence)].complete {
                    front &= !ranked;
                    if front == 0 {
                        break;
                    }
                    ranked |= front;
                    for kind in each(front) {
                        (self.ranks[usize::from(kind)], self.chains[usize::from(kind)]) = (rank, chains);
                    }
                    front = each(front).fold(0, |next, kind| next | self.sequences[usize::from(sequence)].after(kind));
                }
                chains += 1;
            }
        }
    }

    /// The kinds with which a pile starts on a sequence.
    fn bases_of(&self, pile: u8, sequence: u8) -> KindBits {
        let terms = &self.piles[usize::from(pile)];
        let own = |kind: &u8| terms.follows[usize::from(*kind)] == sequence;
        each(terms.bases).filter(own).fold(0, |kinds, kind| kinds | 1 << kind)
    }

    fn find_hosts(&mut self) {
        for pile in each(self.tableau) {
            for sequence in self.piles[usize::from(pile)].takes.clone() {
                for (kind, hosted) in (0..).zip(&mut self.hosted) {
                    *hosted |= self.sequences[usize::from(sequence)].after(kind);
                }
            }
        }
    }

    /// Gives a card a number.
    pub(super) fn number(&mut self, next: &mut u8, card: Option<Card>) -> u8 {
        let number = *next;
        *next += 1;
        self.kinds[usize::from(number)] = card.map_or(UNSEEN, |card| card.index() as u8);
        number
    }

    /// The same for another taste.
    pub(super) fn with_taste(&self, taste: Taste) -> Ground<'a> {
        Ground { taste, ..self.clone() }
    }

    /// How many cards nobody has seen.
    pub(super) fn unseen(&self) -> usize {
        self.kinds[..usize::from(self.cards())].iter().filter(|&&kind| kind == UNSEEN).count()
    }

    /// The kinds of the cards that nobody has seen: what the packs have besides those that are known.
    pub(super) fn unseen_kinds(&self) -> Vec<u8> {
        let mut left = [self.packs; KINDS];
        for &kind in &self.kinds[..usize::from(self.cards())] {
            left[usize::from(kind)] = left[usize::from(kind)].saturating_sub(1);
        }
        (0..UNSEEN).flat_map(|kind| std::iter::repeat_n(kind, left[usize::from(kind)].into())).collect()
    }

    /// The same if the cards that nobody has seen lay in some order.
    pub(super) fn imagined(&self, random: &mut Random) -> Ground<'a> {
        let mut unseen = self.unseen_kinds();
        random.shuffle(&mut unseen);
        let mut imagined = self.clone();
        let places = imagined.kinds[..usize::from(self.cards())].iter_mut().filter(|kind| **kind == UNSEEN);
        places.zip(unseen).for_each(|(place, kind)| *place = kind);
        imagined
    }

    /// What a card is.
    pub(super) fn kind(&self, card: u8) -> u8 {
        self.kinds[usize::from(card)]
    }

    /// Which place a kind has in the sequence by which homes grow, from 0.
    pub(super) fn rank(&self, kind: u8) -> u8 {
        self.ranks[usize::from(kind)]
    }

    /// Which of the sequences by which homes grow a kind belongs to.
    pub(super) fn chain(&self, kind: u8) -> u8 {
        self.chains[usize::from(kind)]
    }

    /// What can lie on a kind in the tableau.
    pub(super) fn hosted(&self, kind: u8) -> KindBits {
        self.hosted[usize::from(kind)]
    }

    /// How many cards the game has.
    pub(super) fn cards(&self) -> u8 {
        self.packs * Card::COUNT as u8
    }

    /// All piles.
    pub(super) fn piles(&self) -> Range<u8> {
        0..self.piles.len() as u8
    }

    /// The piles from which cards are moved, the stock apart.
    pub(super) fn sources(&self) -> Range<u8> {
        WASTE..self.piles.len() as u8
    }

    /// The rules of a pile.
    pub(super) fn terms(&self, pile: u8) -> &Terms {
        &self.piles[usize::from(pile)]
    }

    /// How a pile grows that has started with a kind.
    pub(super) fn growth(&self, pile: u8, base: u8) -> &Growth {
        self.sequence(self.terms(pile).follows[usize::from(base)])
    }

    /// A sequence by its number.
    pub(super) fn sequence(&self, sequence: u8) -> &Growth {
        &self.sequences[usize::from(sequence)]
    }
}

impl Terms {
    /// To which piles it gives its top card alone, and a run of several, when these are the spaces. While it gives
    /// captives, it must show one.
    pub(super) fn offers(&self, spaces: PileBits, shows_captive: impl FnOnce() -> bool) -> (PileBits, PileBits) {
        if self.gives_captives && !shows_captive() {
            return (0, 0);
        }
        let by_target = |reached: [PileBits; 2]| reached[0] & !spaces | reached[1] & spaces;
        (by_target(self.alone), by_target(self.in_a_run))
    }

    /// What it has in common with the piles that are like it while they hold the same; if a captive lies under it,
    /// there is none.
    pub(super) fn class(&self, over_a_captive: bool) -> u8 {
        if over_a_captive || !self.gives_captives { self.class } else { 2 * SHARED_CLASSES + self.kind as u8 }
    }

    /// Which sequence it follows when it has started with a kind.
    pub(super) fn follows(&self, base: u8) -> u8 {
        self.follows[usize::from(base)]
    }
}

impl Growth {
    fn new(sequence: &Sequence) -> Growth {
        let mut after = [0; KINDS];
        for top in Card::all() {
            after[top.index()] = kinds_of(Card::all().filter(|&card| sequence.next.accepts(top, card)));
        }
        let complete = match sequence.complete {
            Complete::At(cards) => cards,
            Complete::Never => u8::MAX,
        };
        Growth { after, complete }
    }

    /// The kinds that go on a kind.
    pub(super) fn after(&self, top: u8) -> KindBits {
        self.after[usize::from(top)]
    }

    /// Whether a kind goes on another.
    pub(super) fn accepts(&self, top: u8, kind: u8) -> bool {
        self.after(top) >> kind & 1 == 1
    }
}

fn kinds_of(cards: impl Iterator<Item = Card>) -> KindBits {
    cards.fold(0, |kinds, card| kinds | 1 << card.index())
}
