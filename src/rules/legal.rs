//! All legal moves. They are found from what each pile would take next, which is much faster than
//! to [check](Engine::check) every conceivable move, and a property test holds the two against
//! each other.

use std::ops::ControlFlow;

use super::group::Group;
use super::language::{Base, Filling, Offer, Turning};
use super::pile::PileSet;
use super::{Engine, Move, PileIndex, View};
use crate::cards::{Card, Suit};

/// A table on which moves are looked for, and which of its piles would take a card next.
struct Search<'a> {
    engine: &'a Engine,
    view: &'a View,
    spaces: PileSet,
    by_card: [PileSet; Card::COUNT],
    any_card: PileSet,
}

/// The piles to which a pile gives its top card, a run, and a captive that it shows.
struct Offered {
    top: PileSet,
    run: PileSet,
    captive: PileSet,
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
        let _: ControlFlow<()> = self.visit_moves(view, |each| {
            moves.push(each);
            ControlFlow::Continue(())
        });
    }

    pub(super) fn has_legal_move(&self, view: &View) -> bool {
        self.visit_moves(view, ControlFlow::Break).is_break()
    }

    /// Visits the legal moves in the order of [`Move`], until one is enough.
    pub(super) fn visit_moves<B>(&self, view: &View, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.rules().turning == Turning::Always {
            turn(view).into_iter().try_for_each(&mut visit)?;
        }
        let (spaces, none) = (self.spaces(view), PileSet::EMPTY);
        let mut search = Search { engine: self, view, spaces, by_card: [none; Card::COUNT], any_card: none };
        for group in self.groups.iter().filter(|group| !group.rules.takes.is_empty()) {
            search.add_takers(group);
        }
        if self.rules().turning == Turning::WhileWasteIsBlocked && !search.waste_plays() {
            turn(view).into_iter().try_for_each(&mut visit)?;
        }
        for group in self.groups.iter().filter(|group| !group.rules.gives.is_empty()) {
            let offered = search.offered(group);
            for from in group.piles() {
                search.visit_from(from, group, &offered, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The draw or the redeal, whichever there are cards for; never both.
fn turn(view: &View) -> Option<Move> {
    if !view.pile(PileIndex::STOCK).is_empty() {
        Some(Move::Draw)
    } else if !view.pile(PileIndex::WASTE).is_empty() && view.redeals_left() > 0 {
        Some(Move::Redeal)
    } else {
        None
    }
}

impl Search<'_> {
    fn add_takers(&mut self, group: &Group) {
        let mut gaps = PileSet::EMPTY;
        for pile in group.piles() {
            let cards = self.view.pile(pile).cards();
            if cards.is_empty() {
                gaps.insert(pile);
            }
            for card in group.next(cards) {
                self.by_card[card.index()].insert(pile);
            }
        }
        let places = match group.rules.filling {
            Filling::AnyPlace => gaps,
            Filling::LeftToRight => {
                let leftmost = self.engine.leftmost_gap(self.view, group.rules.kind);
                gaps.and(leftmost.map_or(PileSet::EMPTY, PileSet::of))
            }
        };
        for sequence in &group.rules.takes {
            self.add_places(sequence.base, places);
        }
    }

    fn add_places(&mut self, base: Base, places: PileSet) {
        match base {
            Base::Any => self.any_card = self.any_card.or(places),
            Base::Rank(rank) => {
                for suit in Suit::ALL {
                    let takers = &mut self.by_card[Card::new(rank, suit).index()];
                    *takers = takers.or(places);
                }
            }
        }
    }

    /// The piles that would take a card. Of the stock's top nobody knows which it is.
    fn takers(&self, card: Option<Card>) -> PileSet {
        match card {
            Some(card) => self.by_card[card.index()].or(self.any_card),
            None => self.any_card,
        }
    }

    fn waste_plays(&self) -> bool {
        let top = self.view.pile(PileIndex::WASTE).top();
        let offered = self.offered(self.engine.group(PileIndex::WASTE));
        top.is_some() && !self.takers(top).and(offered.top.or(offered.run)).is_empty()
    }

    fn offered(&self, group: &Group) -> Offered {
        let mut offered = Offered { top: PileSet::EMPTY, run: PileSet::EMPTY, captive: PileSet::EMPTY };
        let mut spoken_for = PileSet::EMPTY;
        for gives in &group.rules.gives {
            let reached = self.engine.reach(gives.to, self.spaces).without(spoken_for);
            spoken_for = spoken_for.or(reached);
            match gives.offer {
                Offer::Top => offered.top = offered.top.or(reached),
                Offer::Run => offered.run = offered.run.or(reached),
                Offer::Captive => offered.captive = offered.captive.or(reached),
            }
        }
        offered
    }

    fn visit_from<B>(
        &self,
        from: PileIndex,
        group: &Group,
        offered: &Offered,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let pile = self.view.pile(from);
        if pile.is_empty() {
            return ControlFlow::Continue(());
        }
        let others = PileSet::all().without(PileSet::of(from));
        let shows_captive = !offered.captive.is_empty() && group.shows_captive(pile.cards());
        let captive = if shows_captive { offered.captive } else { PileSet::EMPTY };
        let alone = self.takers(pile.top()).and(offered.top.or(offered.run).or(captive)).and(others);
        let run = if offered.run.is_empty() { &[] } else { group.run(pile.cards()) };
        if run.len() <= 1 {
            return alone.map(|to| Move::Transfer { from, to, count: 1 }).try_for_each(visit);
        }
        let takers_of_more = || {
            let lowest = (2..).zip(run.iter().rev().skip(1));
            lowest.map(|(count, &card)| (count, self.takers(Some(card)).and(offered.run).and(others)))
        };
        for to in takers_of_more().fold(alone, |all, (_, takers)| all.or(takers)) {
            if alone.contains(to) {
                visit(Move::Transfer { from, to, count: 1 })?;
            }
            for (count, _) in takers_of_more().filter(|(_, takers)| takers.contains(to)) {
                visit(Move::Transfer { from, to, count })?;
            }
        }
        ControlFlow::Continue(())
    }
}
