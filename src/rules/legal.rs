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
        moves.extend(self.turn(view, &wanted));
        for from in self.indices() {
            self.list_from(view, &wanted, from, moves);
        }
    }

    pub(super) fn has_legal_move(&self, view: &View) -> bool {
        let wanted = self.wanted(view);
        self.turn(view, &wanted).is_some() || {
            let mut moves = Vec::new();
            self.indices().any(|from| {
                self.list_from(view, &wanted, from, &mut moves);
                !moves.is_empty()
            })
        }
    }

    /// The draw or the redeal, whichever is legal; they never are both.
    fn turn(&self, view: &View, wanted: &Wanted) -> Option<Move> {
        let waste = view.pile(PileIndex::WASTE);
        let waste_plays = || {
            let targets = self.targets(view, PileIndex::WASTE, 1);
            !waste.is_empty() && !wanted.takers(waste.top()).and(targets).is_empty()
        };
        if self.rules().turning == Turning::WhileWasteIsBlocked && waste_plays() {
            None
        } else if !view.pile(PileIndex::STOCK).is_empty() {
            Some(Move::Draw)
        } else if !waste.is_empty() && view.redeals_left() > 0 {
            Some(Move::Redeal)
        } else {
            None
        }
    }

    /// The piles to which a pile gives so many cards.
    fn targets(&self, view: &View, from: PileIndex, count: usize) -> PileSet {
        let mut targets = PileSet::EMPTY;
        let mut spoken_for = PileSet::of(from);
        for gives in &self.group(from).gives {
            let reached = self.reach(view, gives.to).without(spoken_for);
            let offered = match gives.offer {
                Offer::Top => count == 1,
                Offer::Run => true,
                Offer::Captive => count == 1 && self.shows_captive(view, from),
            };
            if offered {
                targets = targets.or(reached);
            }
            spoken_for = spoken_for.or(reached);
        }
        targets
    }

    fn list_from(&self, view: &View, wanted: &Wanted, from: PileIndex, moves: &mut Vec<Move>) {
        let pile = view.pile(from);
        if pile.is_empty() || self.group(from).gives.is_empty() {
            return;
        }
        let run = self.run_length(view, from).max(1);
        let takers = |count| wanted.takers(pile.lowest_of(count)).and(self.targets(view, from, count));
        let by_count: SmallVec<[PileSet; 16]> = (1..=run).map(takers).collect();
        for to in by_count.iter().fold(PileSet::EMPTY, |all, &takers| all.or(takers)) {
            let counts = (1..).zip(&by_count).filter(|(_, takers)| takers.contains(to));
            moves.extend(counts.map(|(count, _)| Move::Transfer { from, to, count }));
        }
    }

    fn wanted(&self, view: &View) -> Wanted {
        let mut wanted = Wanted { by_card: [PileSet::EMPTY; Card::COUNT], any_card: PileSet::EMPTY };
        for pile in self.indices() {
            if self.is_complete(view, pile) {
                continue;
            }
            match (self.sequence(view, pile), view.pile(pile).top()) {
                (Some(sequence), Some(top)) => {
                    sequence.next.each_after(top, |card| wanted.by_card[card.index()].insert(pile));
                }
                _ => self.want_base(view, pile, &mut wanted),
            }
        }
        wanted
    }

    fn want_base(&self, view: &View, pile: PileIndex, wanted: &mut Wanted) {
        let group = self.group(pile);
        if group.filling == Filling::LeftToRight && self.leftmost_gap(view, group.kind) != Some(pile) {
            return;
        }
        for sequence in &group.takes {
            match sequence.base {
                Base::Any => wanted.any_card.insert(pile),
                Base::Rank(rank) => Suit::ALL.iter().for_each(|&suit| {
                    wanted.by_card[Card::new(rank, suit).index()].insert(pile);
                }),
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
