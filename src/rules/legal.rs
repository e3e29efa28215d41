//! All legal moves. They are found from what each pile would take next, which is much faster than
//! to [check](Engine::check) every conceivable move, and a property test holds the two against
//! each other.

use smallvec::SmallVec;

use super::language::{Base, Corner, Filling, Next, Offer, Turning};
use super::pile::PileSet;
use super::{Engine, Move, PileIndex, View};
use crate::cards::{Card, Rank, Suit};

/// Which piles would take a card next.
struct Wanted {
    by_card: [PileSet; Card::COUNT],
    any_card: PileSet,
    spaces: PileSet,
}

/// The piles to which a pile gives its top card alone, and a run.
struct Offered {
    alone: PileSet,
    in_a_run: PileSet,
}

impl Wanted {
    fn takers(&self, card: Option<Card>) -> PileSet {
        match card {
            Some(card) => self.by_card[card.index()].or(self.any_card),
            None => self.any_card,
        }
    }
}

impl Engine {
    /// All legal moves, equal ones too, in the order of [`Move`].
    pub fn legal_moves(&self, view: &View) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list_moves(view, &mut moves);
        moves
    }

    /// Adds all legal moves to a list, for loops that keep theirs.
    pub fn list_moves(&self, view: &View, moves: &mut Vec<Move>) {
        let wanted = self.wanted(view);
        moves.extend(self.turn(view, || self.waste_plays(view, &wanted)));
        for from in self.indices() {
            self.list_from(view, &wanted, from, moves);
        }
    }

    pub(super) fn has_legal_move(&self, view: &View) -> bool {
        if self.rules().turning == Turning::Always && self.turn(view, || false).is_some() {
            return true;
        }
        let wanted = self.wanted(view);
        let mut moves = Vec::new();
        let mut gives = |from| {
            self.list_from(view, &wanted, from, &mut moves);
            !moves.is_empty()
        };
        self.indices().any(&mut gives) || self.turn(view, || self.waste_plays(view, &wanted)).is_some()
    }

    /// The draw or the redeal, whichever is legal; they never are both.
    fn turn(&self, view: &View, waste_plays: impl FnOnce() -> bool) -> Option<Move> {
        let chosen = if !view.pile(PileIndex::STOCK).is_empty() {
            Move::Draw
        } else if !view.pile(PileIndex::WASTE).is_empty() && view.redeals_left() > 0 {
            Move::Redeal
        } else {
            return None;
        };
        let blocked = self.rules().turning == Turning::WhileWasteIsBlocked && waste_plays();
        (!blocked).then_some(chosen)
    }

    fn waste_plays(&self, view: &View, wanted: &Wanted) -> bool {
        let top = view.pile(PileIndex::WASTE).top();
        let offered = self.offered(view, wanted, PileIndex::WASTE);
        top.is_some() && !wanted.takers(top).and(offered.alone).is_empty()
    }

    fn offered(&self, view: &View, wanted: &Wanted, from: PileIndex) -> Offered {
        let mut offered = Offered { alone: PileSet::EMPTY, in_a_run: PileSet::EMPTY };
        let mut spoken_for = PileSet::of(from);
        for gives in &self.group(from).gives {
            let reached = self.reach(gives.to, wanted.spaces).without(spoken_for);
            spoken_for = spoken_for.or(reached);
            match gives.offer {
                Offer::Captive if !self.shows_captive(view, from) => {}
                Offer::Captive | Offer::Top => offered.alone = offered.alone.or(reached),
                Offer::Run => {
                    offered.alone = offered.alone.or(reached);
                    offered.in_a_run = offered.in_a_run.or(reached);
                }
            }
        }
        offered
    }

    fn list_from(&self, view: &View, wanted: &Wanted, from: PileIndex, moves: &mut Vec<Move>) {
        let pile = view.pile(from);
        if pile.is_empty() || self.group(from).gives.is_empty() {
            return;
        }
        let offered = self.offered(view, wanted, from);
        let alone = wanted.takers(pile.top()).and(offered.alone);
        let run = if offered.in_a_run.is_empty() { 1 } else { self.run_length(view, from) };
        if run <= 1 {
            moves.extend(alone.map(|to| Move::Transfer { from, to, count: 1 }));
            return;
        }
        let longer = (2..=run).map(|count| wanted.takers(pile.lowest_of(count)).and(offered.in_a_run));
        let by_count: SmallVec<[PileSet; 16]> = std::iter::once(alone).chain(longer).collect();
        for to in by_count.iter().fold(PileSet::EMPTY, |all, &takers| all.or(takers)) {
            let counts = (1..).zip(&by_count).filter(|(_, takers)| takers.contains(to));
            moves.extend(counts.map(|(count, _)| Move::Transfer { from, to, count }));
        }
    }

    fn wanted(&self, view: &View) -> Wanted {
        let spaces = self.spaces(view);
        let mut wanted = Wanted { by_card: [PileSet::EMPTY; Card::COUNT], any_card: PileSet::EMPTY, spaces };
        let mut has_gap_at_left = None;
        for pile in self.indices().filter(|&pile| !self.group(pile).takes.is_empty()) {
            let group = self.group(pile);
            match (self.sequence(view, pile), view.pile(pile).cards()) {
                (Some(sequence), cards @ [.., top]) if !sequence.is_complete_with(cards.len()) => {
                    sequence.next.each_after(*top, |card| wanted.by_card[card.index()].insert(pile));
                }
                (None, []) if group.filling == Filling::AnyPlace || has_gap_at_left != Some(group.kind) => {
                    has_gap_at_left = Some(group.kind);
                    group.takes.iter().for_each(|sequence| wanted.add_base(sequence.base, pile));
                }
                _ => {}
            }
        }
        wanted
    }
}

impl Wanted {
    fn add_base(&mut self, base: Base, pile: PileIndex) {
        match base {
            Base::Any => self.any_card.insert(pile),
            Base::Rank(rank) => {
                Suit::ALL.iter().for_each(|&suit| self.by_card[Card::new(rank, suit).index()].insert(pile));
            }
        }
    }
}

impl Next {
    /// Each card that goes on a top card.
    fn each_after(self, top: Card, mut take: impl FnMut(Card)) {
        let (rank, suit) = (top.rank(), top.suit());
        match self {
            Next::UpInSuit(Corner::Closed) if rank == Rank::King => {}
            Next::DownInSuit(Corner::Closed) if rank == Rank::Ace => {}
            Next::UpInSuit(_) => take(Card::new(rank.above(), suit)),
            Next::DownInSuit(_) => take(Card::new(rank.below(), suit)),
            Next::SameRank => Suit::ALL.iter().for_each(|&suit| take(Card::new(rank, suit))),
        }
    }
}
