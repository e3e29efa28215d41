//! Is a move legal, and if not, which rule does it break? One ordered table for each kind of move:
//! the first rule that is broken is the reason.

use super::group::Group;
use super::language::{Base, Filling, Offer, To, Turning};
use super::{Engine, Move, Next, PileIndex, PileKind, Proposal, View};
use crate::cards::Card;

/// The rule that an illegal move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A pile is named that the game does not have.
    NoSuchPile,
    /// Source and target are one pile.
    SamePile,
    /// Such a pile gives no cards, or not to there.
    NotAvailable,
    /// The source has no cards.
    EmptySource,
    /// More cards than may move at once, or than there are.
    TooManyCards,
    /// The cards are not a run.
    NotARun,
    /// A freed captive goes to a foundation and nowhere else.
    CaptiveToFoundationOnly,
    /// Such a pile takes no cards.
    NoBuilding,
    /// The target takes no more cards.
    PileComplete,
    /// The target is empty and starts with another card.
    NeedsBaseCard,
    /// Another place is to be filled first.
    FillFromTheLeft,
    /// The target goes on in another suit.
    WrongSuit,
    /// The target goes on with another rank.
    WrongRank,
    /// There is no card to draw.
    StockEmpty,
    /// There are cards to draw.
    StockNotEmpty,
    /// There is no waste to turn over.
    NothingToRedeal,
    /// The waste has been turned over as often as it may be.
    NoRedealsLeft,
    /// The top of the waste can be played and must be.
    PlayWasteFirst,
}

impl Reason {
    /// All reasons, in the order in which they are judged.
    pub const ALL: [Reason; 18] = [
        Reason::NoSuchPile,
        Reason::SamePile,
        Reason::NotAvailable,
        Reason::EmptySource,
        Reason::TooManyCards,
        Reason::NotARun,
        Reason::CaptiveToFoundationOnly,
        Reason::NoBuilding,
        Reason::PileComplete,
        Reason::NeedsBaseCard,
        Reason::FillFromTheLeft,
        Reason::WrongSuit,
        Reason::WrongRank,
        Reason::StockEmpty,
        Reason::StockNotEmpty,
        Reason::NothingToRedeal,
        Reason::NoRedealsLeft,
        Reason::PlayWasteFirst,
    ];

    /// Its stable name, in `snake_case`.
    pub const fn code(self) -> &'static str {
        self.texts().0
    }

    /// The rule that was broken, as a sentence for a player.
    pub const fn sentence(self) -> &'static str {
        self.texts().1
    }

    #[rustfmt::skip]
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Reason::NoSuchPile => ("no_such_pile", "This game has no pile of that name."),
            Reason::SamePile => ("same_pile", "A move goes from one pile to another."),
            Reason::NotAvailable => ("not_available", "This pile gives no cards now, or not to there."),
            Reason::EmptySource => ("empty_source", "There is no card on the pile to move from."),
            Reason::TooManyCards => ("too_many_cards", "So many cards cannot move at once from this pile to that one."),
            Reason::NotARun => ("not_a_run", "Cards move together only as a run: each one rank lower than the card under it, and of its suit."),
            Reason::CaptiveToFoundationOnly => ("captive_to_foundation_only", "A freed captive goes to a foundation and nowhere else."),
            Reason::NoBuilding => ("no_building", "No card can be moved to a pile of this kind."),
            Reason::PileComplete => ("pile_complete", "That pile is complete and takes no more cards."),
            Reason::NeedsBaseCard => ("needs_base_card", "An empty pile of this kind starts with another card."),
            Reason::FillFromTheLeft => ("fill_from_the_left", "This card goes to the leftmost place that has none yet."),
            Reason::WrongSuit => ("wrong_suit", "That pile goes on in another suit."),
            Reason::WrongRank => ("wrong_rank", "That pile goes on with another rank."),
            Reason::StockEmpty => ("stock_empty", "The stock is empty: there is no card to draw."),
            Reason::StockNotEmpty => ("stock_not_empty", "The waste is turned over only when the stock is empty."),
            Reason::NothingToRedeal => ("nothing_to_redeal", "The waste is empty: there is nothing to turn over."),
            Reason::NoRedealsLeft => ("no_redeals_left", "The waste may not be turned over any more."),
            Reason::PlayWasteFirst => ("play_waste_first", "The top of the waste can be played, and must be played first."),
        }
    }
}

/// A rule, and whether a transfer breaks it.
type TransferRule = (Reason, fn(&Transfer<'_>) -> bool);

/// A rule, and whether drawing or redealing breaks it.
type TurnRule = (Reason, fn(&Turn<'_>) -> bool);

/// What a transfer must not do; each looks only at what the ones above it have let pass.
const TRANSFER: [TransferRule; 12] = [
    (Reason::SamePile, |it| it.from == it.to),
    (Reason::NotAvailable, |it| it.offer().is_none()),
    (Reason::EmptySource, |it| it.view.pile(it.from).is_empty()),
    (Reason::TooManyCards, |it| it.takes_too_many()),
    (Reason::NotARun, |it| it.count == 0 || it.count > it.engine.run_length(it.view, it.from).max(1)),
    (Reason::CaptiveToFoundationOnly, |it| it.leads_captive_astray()),
    (Reason::NoBuilding, |it| it.engine.group(it.to).rules.takes.is_empty()),
    (Reason::PileComplete, |it| it.engine.is_complete(it.view, it.to)),
    (Reason::NeedsBaseCard, |it| it.lacks_base_card()),
    (Reason::FillFromTheLeft, |it| it.leaves_gap_at_left()),
    (Reason::WrongSuit, |it| it.goes_on().is_some_and(|(next, top, card)| !next.suit_fits(top, card))),
    (Reason::WrongRank, |it| it.goes_on().is_some_and(|(next, top, card)| !next.rank_fits(top, card))),
];

const DRAW: [TurnRule; 2] =
    [(Reason::StockEmpty, |it| it.has_no_stock()), (Reason::PlayWasteFirst, |it| it.skips_waste())];

const REDEAL: [TurnRule; 4] = [
    (Reason::StockNotEmpty, |it| !it.has_no_stock()),
    (Reason::NothingToRedeal, |it| it.view.pile(PileIndex::WASTE).is_empty()),
    (Reason::NoRedealsLeft, |it| it.view.redeals_left() == 0),
    (Reason::PlayWasteFirst, |it| it.skips_waste()),
];

impl Engine {
    /// Judges a move on what everyone can see.
    ///
    /// # Errors
    /// The rule that it breaks, the first in the order of [`Reason::ALL`].
    pub fn check(&self, view: &View, proposal: &Proposal) -> Result<Move, Reason> {
        let turn = Turn { engine: self, view };
        match proposal {
            Proposal::Draw => obeys(&DRAW, &turn).map(|()| Move::Draw),
            Proposal::Redeal => obeys(&REDEAL, &turn).map(|()| Move::Redeal),
            Proposal::Transfer { from, to, count } => {
                let (Some(from), Some(to)) = (self.find(from), self.find(to)) else {
                    return Err(Reason::NoSuchPile);
                };
                let transfer = Transfer { engine: self, view, from, to, count: *count as usize };
                obeys(&TRANSFER, &transfer)?;
                let count = u8::try_from(*count).map_err(|_| Reason::TooManyCards)?;
                Ok(Move::Transfer { from, to, count })
            }
        }
    }
}

fn obeys<M, F: Fn(&M) -> bool>(rules: &[(Reason, F)], it: &M) -> Result<(), Reason> {
    match rules.iter().find(|(_, breaks)| breaks(it)) {
        Some((reason, _)) => Err(*reason),
        None => Ok(()),
    }
}

/// Drawing, or turning the waste over.
struct Turn<'a> {
    engine: &'a Engine,
    view: &'a View,
}

impl Turn<'_> {
    fn has_no_stock(&self) -> bool {
        self.view.pile(PileIndex::STOCK).is_empty()
    }

    fn skips_waste(&self) -> bool {
        let (engine, view) = (self.engine, self.view);
        let from = PileIndex::WASTE;
        let count = 1;
        let plays = |to| obeys(&TRANSFER, &Transfer { engine, view, from, to, count }).is_ok();
        engine.rules().turning == Turning::WhileWasteIsBlocked && engine.indices().any(plays)
    }
}

/// A move of the top `count` cards of a pile.
struct Transfer<'a> {
    engine: &'a Engine,
    view: &'a View,
    from: PileIndex,
    to: PileIndex,
    count: usize,
}

impl Transfer<'_> {
    /// What the source offers to the target. A captive is offered to all the world: that it may
    /// only go to a foundation has a reason of its own.
    fn offer(&self) -> Option<Offer> {
        let gives = &self.engine.group(self.from).rules.gives;
        let offers = gives.iter().filter(|gives| match gives.offer {
            Offer::Captive => self.engine.shows_captive(self.view, self.from),
            Offer::Top | Offer::Run => self.reaches(gives.to),
        });
        offers.map(|gives| gives.offer).next()
    }

    fn takes_too_many(&self) -> bool {
        match self.offer() {
            Some(Offer::Run) => self.count > self.view.pile(self.from).cards().len(),
            _ => self.count > 1,
        }
    }

    fn leads_captive_astray(&self) -> bool {
        let gives = &self.engine.group(self.from).rules.gives;
        self.offer() == Some(Offer::Captive) && !gives.iter().any(|gives| self.reaches(gives.to))
    }

    fn reaches(&self, to: To) -> bool {
        self.engine.reach(to, self.engine.spaces(self.view)).contains(self.to)
    }

    /// The card that has to fit. Of the stock's top nobody knows which it is.
    fn card(&self) -> Option<Card> {
        self.view.pile(self.from).lowest_of(self.count)
    }

    fn lacks_base_card(&self) -> bool {
        let accepts = |base: Base| match self.card() {
            Some(card) => base.accepts(card),
            None => base == Base::Any,
        };
        let bases = &self.engine.group(self.to).rules.takes;
        self.view.pile(self.to).cards().is_empty() && !bases.iter().any(|sequence| accepts(sequence.base))
    }

    fn leaves_gap_at_left(&self) -> bool {
        let rules = &self.engine.group(self.to).rules;
        rules.filling == Filling::LeftToRight
            && self.view.pile(self.to).cards().is_empty()
            && self.engine.leftmost_gap(self.view, rules.kind) != Some(self.to)
    }

    fn goes_on(&self) -> Option<(Next, Card, Card)> {
        let next = self.engine.sequence(self.view, self.to)?.next;
        Some((next, self.view.pile(self.to).top()?, self.card()?))
    }
}

impl Engine {
    /// The first pile of a kind that has no base card yet.
    pub(super) fn leftmost_gap(&self, view: &View, kind: PileKind) -> Option<PileIndex> {
        let of_kind = self.groups.iter().filter(|group| group.rules.kind == kind);
        of_kind.flat_map(Group::piles).find(|&pile| view.pile(pile).cards().is_empty())
    }
}
