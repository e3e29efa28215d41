//! A table as a search keeps it: small, copied in one go, with a hash and a worth that each move brings up to
//! date.

use crate::rules::{Known, Move, PileIndex, PileKind};

use super::ground::{CARDS, Ground, PILES, PileBits, STOCK, UNSEEN, WASTE, each, set_of};
use super::worth::Worth;

/// No card.
pub(super) const NONE: u8 = u8::MAX;

/// A pile takes no card.
pub(super) const NOTHING: u8 = u8::MAX;

/// A pile takes cards of several kinds.
pub(super) const SEVERAL: u8 = u8::MAX - 1;

/// A move as a search writes it down: so many cards from pile to pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) count: u8,
}

impl Step {
    /// A card is drawn.
    pub(super) const DRAW: Step = Step { from: STOCK, to: WASTE, count: 1 };

    /// The waste is turned over.
    pub(super) const REDEAL: Step = Step { from: WASTE, to: STOCK, count: 0 };

    /// Whether a card reaches its place.
    pub(super) fn places(self, ground: &Ground<'_>) -> bool {
        ground.homes >> self.to & 1 == 1
    }

    /// The same as players make it.
    pub(super) fn as_move(self, ground: &Ground<'_>) -> Move {
        let pile = |number: u8| ground.engine.indices().nth(usize::from(number)).unwrap_or(PileIndex::STOCK);
        match self {
            Step::DRAW => Move::Draw,
            Step::REDEAL => Move::Redeal,
            Step { from, to, count } => Move::Transfer { from: pile(from), to: pile(to), count },
        }
    }
}

/// A table. Which card is which, the [`Ground`] knows.
#[derive(Clone)]
pub(super) struct Position {
    /// The card under each card.
    below: [u8; CARDS],
    /// The least rank among each card and those under it, where the order of a pile counts.
    least: [u8; CARDS],
    /// The top card of each pile; of the stock the one that is drawn next.
    top: [u8; PILES],
    /// The first face-up card of each pile, which decides what it takes.
    base: [u8; PILES],
    /// How many cards the stock has, and how many face-up cards each other pile.
    len: [u8; PILES],
    /// The card face down under each pile.
    captive: [u8; PILES],
    /// What each pile takes next, as [`Position::wish_of`] says.
    wish: [u8; PILES],
    /// How many cards of each chain of ranks are placed as often as the packs have them.
    pub(super) settled: [u8; 16],
    pub(super) redeals: u8,
    pub(super) placed: u8,
    hash: u64,
    /// What it is worth but for the cards that are placed and the spaces.
    pub(super) worth: i32,
}

impl Position {
    /// A table as it is known.
    pub(super) fn of(ground: &mut Ground<'_>, known: &Known) -> Position {
        let view = known.view();
        let mut position = Position {
            below: [NONE; CARDS],
            least: [0; CARDS],
            top: [NONE; PILES],
            base: [NONE; PILES],
            len: [0; PILES],
            captive: [NONE; PILES],
            wish: [NOTHING; PILES],
            settled: [0; 16],
            redeals: u8::try_from(view.redeals_left()).unwrap_or(u8::MAX),
            placed: ground.engine.placed(view) as u8,
            hash: 0,
            worth: 0,
        };
        let mut next = 0;
        for (pile, index) in (0..).zip(ground.engine.indices()) {
            for &card in known.face_down(index) {
                let card = ground.number(&mut next, card);
                match pile {
                    STOCK => position.push(ground, STOCK, card),
                    pile => position.captive[usize::from(pile)] = card,
                }
            }
            for &card in view.pile(index).cards() {
                let card = ground.number(&mut next, Some(card));
                position.push(ground, pile, card);
            }
        }
        position.settle_chains(ground);
        for pile in each(ground.homes | ground.tableau) {
            position.wish[usize::from(pile)] = position.wish_of(ground, pile);
        }
        position.hash = ground.piles().fold(0, |hash: u64, pile| hash.wrapping_add(position.pile_hash(ground, pile)));
        position.worth = position.whole_worth(ground);
        position
    }

    /// The same as another taste judges it.
    pub(super) fn judged_anew(&self, ground: &Ground<'_>) -> Position {
        Position { worth: self.whole_worth(ground), ..self.clone() }
    }

    fn push(&mut self, ground: &Ground<'_>, pile: u8, card: u8) {
        let pile = usize::from(pile);
        let below = self.top[pile];
        self.lay(ground, card, below);
        self.top[pile] = card;
        if self.len[pile] == 0 {
            self.base[pile] = card;
        }
        self.len[pile] += 1;
    }

    fn lay(&mut self, ground: &Ground<'_>, card: u8, below: u8) {
        let rank = ground.rank(ground.kind(card));
        self.below[usize::from(card)] = below;
        self.least[usize::from(card)] = if below == NONE { rank } else { rank.min(self.least[usize::from(below)]) };
    }

    fn pop(&mut self, pile: u8) -> u8 {
        let pile = usize::from(pile);
        let card = self.top[pile];
        self.top[pile] = self.below[usize::from(card)];
        self.len[pile] -= 1;
        card
    }

    /// The top card of a pile; of the stock the one that is drawn next.
    pub(super) fn top(&self, pile: u8) -> Option<u8> {
        some(self.top[usize::from(pile)])
    }

    /// The first face-up card of a pile that has one.
    pub(super) fn base(&self, pile: u8) -> u8 {
        self.base[usize::from(pile)]
    }

    /// How many cards the stock has, or how many face-up cards another pile.
    pub(super) fn len(&self, pile: u8) -> u8 {
        self.len[usize::from(pile)]
    }

    /// The card under a card.
    pub(super) fn below(&self, card: u8) -> Option<u8> {
        some(self.below[usize::from(card)])
    }

    /// The least rank among a card and those under it.
    pub(super) fn least(&self, card: u8) -> u8 {
        self.least[usize::from(card)]
    }

    /// The card face down under a pile.
    pub(super) fn captive(&self, pile: u8) -> Option<u8> {
        some(self.captive[usize::from(pile)])
    }

    /// The card so many places under the top of a pile that has it.
    pub(super) fn nth(&self, pile: u8, depth: u8) -> u8 {
        (0..depth).fold(self.top[usize::from(pile)], |card, _| self.below[usize::from(card)])
    }

    /// A hash of the table. That of another is the same only by chance, unless they differ in nothing but the places
    /// of alike piles and of equal cards.
    pub(super) fn hash(&self) -> u64 {
        self.hash ^ mixed(u64::from(self.len[usize::from(STOCK)]) << 8 | u64::from(self.redeals))
    }

    /// Whether every card has reached its place.
    pub(super) fn is_won(&self, ground: &Ground<'_>) -> bool {
        self.placed == ground.cards()
    }

    /// Whether the next card of the stock is one that nobody has seen.
    pub(super) fn draws_unseen(&self, ground: &Ground<'_>) -> bool {
        self.top(STOCK).is_some_and(|card| ground.kind(card) == UNSEEN)
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, ground: &Ground<'_>, step: Step) {
        match step {
            Step::DRAW => {
                let card = self.pop(STOCK);
                self.push(ground, WASTE, card);
                self.worth -= self.burden_of_waste_top(ground);
            }
            Step::REDEAL => {
                while self.top[usize::from(WASTE)] != NONE {
                    let card = self.pop(WASTE);
                    self.push(ground, STOCK, card);
                }
                self.redeals -= 1;
                self.worth = self.whole_worth(ground);
            }
            step => self.transfer(ground, step),
        }
    }

    fn transfer(&mut self, ground: &Ground<'_>, Step { from, to, count }: Step) {
        let before = self.beside(ground, from).and(self.beside(ground, to));
        let taken = self.top[usize::from(from)];
        if from == WASTE {
            self.worth += self.burden_of_waste_top(ground);
        }
        self.relink(ground, from, to, count);
        let is_placed = ground.homes >> to & 1 == 1;
        if is_placed {
            self.placed += 1;
            self.free_captive(ground, to);
        }
        self.wish[usize::from(from)] = self.wish_of(ground, from);
        self.wish[usize::from(to)] = self.wish_of(ground, to);
        let after = self.beside(ground, from).and(self.beside(ground, to));
        self.hash = self.hash.wrapping_add(after.hash).wrapping_sub(before.hash);
        self.worth += after.worth - before.worth;
        if from == STOCK || from == WASTE {
            self.hash = self.hash.wrapping_sub(card_hash(taken));
        }
        if is_placed && self.settle_chains(ground) {
            self.worth = self.whole_worth(ground);
        }
    }

    /// What a pile takes next: a kind, [`NOTHING`], or, where it takes several, [`SEVERAL`].
    fn wish_of(&self, ground: &Ground<'_>, pile: u8) -> u8 {
        let index = usize::from(pile);
        if (ground.homes | ground.tableau) >> pile & 1 == 0 {
            return NOTHING;
        }
        if self.len[index] == 0 {
            return SEVERAL;
        }
        let growth = ground.growth(pile, ground.kind(self.base[index]));
        let after = if self.len[index] < growth.complete { growth.after(ground.kind(self.top[index])) } else { 0 };
        match after.count_ones() {
            0 => NOTHING,
            1 => after.trailing_zeros() as u8,
            _ => SEVERAL,
        }
    }

    /// What a pile takes next, as [`Position::wish_of`] says.
    pub(super) fn wish(&self, pile: u8) -> u8 {
        self.wish[usize::from(pile)]
    }

    /// Moves the top cards of one pile onto another.
    fn relink(&mut self, ground: &Ground<'_>, from: u8, to: u8, count: u8) {
        let mut run = [NONE; CARDS];
        for card in &mut run[..usize::from(count)] {
            *card = self.pop(from);
        }
        for &card in run[..usize::from(count)].iter().rev() {
            self.push(ground, to, card);
        }
    }

    /// Turns up the captive under a pile that has just been completed.
    fn free_captive(&mut self, ground: &Ground<'_>, pile: u8) {
        let index = usize::from(pile);
        let captive = self.captive[index];
        if captive != NONE && self.len[index] == ground.growth(pile, ground.kind(self.base[index])).complete {
            self.captive[index] = NONE;
            self.push(ground, pile, captive);
        }
    }

    /// Finds out how far each chain of ranks is settled, and says whether any is further than before.
    fn settle_chains(&mut self, ground: &Ground<'_>) -> bool {
        let mut started = [0; 16];
        let mut least = [u8::MAX; 16];
        for pile in each(ground.homes) {
            if self.len[usize::from(pile)] > 0 {
                let base = ground.kind(self.base[usize::from(pile)]);
                let chain = usize::from(ground.chain(base)) % 16;
                let placed = self.len[usize::from(pile)].min(ground.growth(pile, base).complete);
                started[chain] += 1;
                least[chain] = least[chain].min(placed);
            }
        }
        let settled = std::array::from_fn(|chain| if started[chain] < ground.packs { 0 } else { least[chain] });
        std::mem::replace(&mut self.settled, settled) != settled
    }

    /// What a pile adds to the hash and the worth of a table; what the stock and the waste add is kept card by card.
    fn beside(&self, ground: &Ground<'_>, pile: u8) -> Beside {
        match ground.terms(pile).kind {
            PileKind::Stock | PileKind::Waste => Beside { hash: 0, worth: 0 },
            PileKind::Tableau => self.column(ground, pile),
            PileKind::Foundation | PileKind::Queens => Beside { hash: self.home_hash(ground, pile), worth: 0 },
        }
    }

    fn column(&self, ground: &Ground<'_>, pile: u8) -> Beside {
        let mut card = self.top[usize::from(pile)];
        if card == NONE {
            return Beside { hash: 0, worth: 0 };
        }
        let growth = ground.growth(pile, ground.kind(self.base[usize::from(pile)]));
        let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
        let mut worth = Worth::of_column();
        while card != NONE {
            let (kind, below) = (ground.kind(card), self.below[usize::from(card)]);
            hash = (hash ^ (u64::from(kind) + 1)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 29;
            let is_built = below != NONE && growth.accepts(ground.kind(below), kind);
            worth.add(ground, self, card, is_built);
            card = below;
        }
        Beside { hash: mixed(hash), worth: worth.total() }
    }

    fn home_hash(&self, ground: &Ground<'_>, pile: u8) -> u64 {
        let index = usize::from(pile);
        if self.top[index] == NONE {
            return 0;
        }
        let class = ground.terms(pile).class(self.captive[index] != NONE);
        let captive = self.shows_captive(ground, pile).then(|| ground.kind(self.top[index]) + 1);
        let shown = [class, ground.kind(self.base[index]), self.len[index], captive.unwrap_or(0)];
        mixed(u64::from(u32::from_le_bytes(shown)) | 1 << 40)
    }

    fn pile_hash(&self, ground: &Ground<'_>, pile: u8) -> u64 {
        let cards = std::iter::successors(self.top(pile), |&card| self.below(card));
        match ground.terms(pile).kind {
            // Which cards these are says in which order they lie.
            PileKind::Stock | PileKind::Waste => cards.fold(0, |hash: u64, card| hash.wrapping_add(card_hash(card))),
            _ => self.beside(ground, pile).hash,
        }
    }

    fn whole_worth(&self, ground: &Ground<'_>) -> i32 {
        let columns: i32 = each(ground.tableau).map(|pile| self.column(ground, pile).worth).sum();
        columns - self.burden_of_waste(ground)
    }

    /// Whether a freed captive lies on top of a pile: one card more than its sequence has.
    pub(super) fn shows_captive(&self, ground: &Ground<'_>, pile: u8) -> bool {
        let len = self.len[usize::from(pile)];
        len > 0 && len > ground.growth(pile, ground.kind(self.base[usize::from(pile)])).complete
    }

    /// The empty tableau piles.
    pub(super) fn spaces(&self, ground: &Ground<'_>) -> PileBits {
        set_of(each(ground.tableau).filter(|&pile| self.top[usize::from(pile)] == NONE))
    }
}

/// What a pile adds to a table.
struct Beside {
    hash: u64,
    worth: i32,
}

impl Beside {
    fn and(self, other: Beside) -> Beside {
        Beside { hash: self.hash.wrapping_add(other.hash), worth: self.worth + other.worth }
    }
}

fn some(card: u8) -> Option<u8> {
    (card != NONE).then_some(card)
}

fn card_hash(card: u8) -> u64 {
    mixed(u64::from(card) + 0x1234_5678)
}

/// Spreads what is in a word over all its bits (SplitMix64).
pub(super) fn mixed(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
