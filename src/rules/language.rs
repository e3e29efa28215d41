//! The words in which a game is described. They are data: nothing here plays.
//!
//! Each word is one that several games could use. A game reads like its rule card:
//!
//! ```
//! use patience::cards::{Packs, Rank};
//! use patience::rules::{Offer, Piles, Rules, Sequence, To, Turning};
//!
//! let forty_thieves = Rules {
//!     packs: Packs::Two,
//!     turning: Turning::Always,
//!     redeals: 0,
//!     piles: vec![
//!         Piles::stock(),
//!         Piles::waste().gives(Offer::Top, To::Anywhere),
//!         Piles::foundations(8).takes(Sequence::from(Rank::Ace).up_in_suit().complete_at(13)),
//!         Piles::tableau(10)
//!             .dealt_face_up(4)
//!             .takes(Sequence::from_any().down_in_suit())
//!             .gives(Offer::Top, To::Anywhere),
//!     ],
//! };
//! # patience::rules::Engine::new(forty_thieves);
//! ```

use crate::cards::{Packs, Rank};

use super::PileKind;

/// The rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The packs it is played with.
    pub packs: Packs,
    /// Its piles in their order: the stock, the waste, foundations, tableau, queens.
    pub piles: Vec<Piles>,
    /// When cards may be drawn and the waste may be turned over.
    pub turning: Turning,
    /// How often the waste may be turned over to become the stock.
    pub redeals: u32,
}

/// When cards may be drawn and the waste may be turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// Whenever there is something to turn.
    Always,
    /// Only while the top of the waste can go nowhere.
    WhileWasteIsBlocked,
}

/// One or more piles of a kind that follow the same rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piles {
    /// Their kind.
    pub kind: PileKind,
    /// How many there are.
    pub count: u8,
    /// What each starts with.
    pub start: Start,
    /// The sequences that each can grow by; none: it takes no cards. A pile's first card decides
    /// which of them it follows.
    pub takes: Vec<Sequence>,
    /// Which of the places without a base card takes the next one.
    pub filling: Filling,
    /// What each gives, and to where; the first that reaches the target counts.
    pub gives: Vec<Gives>,
}

/// What a pile starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Nothing.
    Empty,
    /// So many cards, dealt row by row to all piles of the group.
    Dealt {
        /// How many each pile gets.
        rows: u8,
        /// How they lie.
        face: Face,
    },
    /// So many cards of these ranks each, taken out of the deck before the deal, in deck order.
    Chosen {
        /// How many each pile gets.
        rows: u8,
        /// The ranks that are taken out.
        ranks: &'static [Rank],
    },
    /// What is left of the deck when everything else has been dealt.
    Rest,
}

/// How a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Face {
    Up,
    Down,
}

/// How a pile grows: what may lie on it first, what goes on that, and when it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// What an empty pile takes.
    pub base: Base,
    /// What goes on the top card.
    pub next: Next,
    /// When it takes no more.
    pub complete: Complete,
}

/// What an empty pile takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Any card.
    Any,
    /// Cards of this rank.
    Rank(Rank),
}

/// What goes on a top card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next higher card of its suit.
    UpInSuit(Corner),
    /// The next lower card of its suit.
    DownInSuit(Corner),
    /// A card of its rank.
    SameRank,
}

/// Whether a sequence passes between king and ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// It ends there.
    Closed,
    /// It goes on round the corner.
    Turned,
}

/// When a pile is complete: it then takes no more, and the card that lay face down under it is
/// turned face up on top, a freed captive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complete {
    /// It never is.
    Never,
    /// With so many cards in sequence.
    At(u8),
}

/// Which of the places without a base card takes the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// Any of them.
    AnyPlace,
    /// The leftmost, that is the lowest numbered of its kind.
    LeftToRight,
}

/// What a pile gives, and to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gives {
    /// What it gives.
    pub offer: Offer,
    /// To which piles.
    pub to: To,
}

/// What a pile gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Its top card.
    Top,
    /// A run from its top, whole or in part.
    Run,
    /// The captive that it shows, while it shows one.
    Captive,
}

/// To where a pile gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To any pile that takes it.
    Anywhere,
    /// To foundations.
    Foundations,
    /// To empty tableau piles.
    Spaces,
}

impl Piles {
    /// The stock: it holds the rest of the deck, and what is drawn from it goes to the waste.
    pub const fn stock() -> Piles {
        let mut stock = Piles::empty(PileKind::Stock, 1);
        stock.start = Start::Rest;
        stock
    }

    /// The waste.
    pub const fn waste() -> Piles {
        Piles::empty(PileKind::Waste, 1)
    }

    /// So many foundations.
    pub const fn foundations(count: u8) -> Piles {
        Piles::empty(PileKind::Foundation, count)
    }

    /// So many tableau piles.
    pub const fn tableau(count: u8) -> Piles {
        Piles::empty(PileKind::Tableau, count)
    }

    /// The place of the queens.
    pub const fn queens() -> Piles {
        Piles::empty(PileKind::Queens, 1)
    }

    const fn empty(kind: PileKind, count: u8) -> Piles {
        Piles { kind, count, start: Start::Empty, takes: Vec::new(), filling: Filling::AnyPlace, gives: Vec::new() }
    }

    /// Each starts with so many cards face up.
    pub fn dealt_face_up(self, rows: u8) -> Piles {
        let face = Face::Up;
        self.starting(Start::Dealt { rows, face })
    }

    /// Each starts with a captive: a card face down, to be freed when the pile is complete.
    pub fn over_a_captive(self) -> Piles {
        let face = Face::Down;
        self.starting(Start::Dealt { rows: 1, face })
    }

    /// Each starts like that.
    pub fn starting(self, start: Start) -> Piles {
        Piles { start, ..self }
    }

    /// Each can grow by this sequence too.
    pub fn takes(mut self, sequence: Sequence) -> Piles {
        self.takes.push(sequence);
        self
    }

    /// Where the next base card goes.
    pub fn filled(self, filling: Filling) -> Piles {
        Piles { filling, ..self }
    }

    /// Each gives this too; what was said before counts first.
    pub fn gives(mut self, offer: Offer, to: To) -> Piles {
        self.gives.push(Gives { offer, to });
        self
    }
}

impl Sequence {
    /// A pile that starts with any card.
    pub const fn from_any() -> Sequence {
        Sequence::starting(Base::Any)
    }

    /// A pile that starts with a card of this rank.
    pub const fn from(rank: Rank) -> Sequence {
        Sequence::starting(Base::Rank(rank))
    }

    const fn starting(base: Base) -> Sequence {
        Sequence { base, next: Next::SameRank, complete: Complete::Never }
    }

    /// It goes up in suit.
    pub const fn up_in_suit(self) -> Sequence {
        self.then(Next::UpInSuit(Corner::Closed))
    }

    /// It goes down in suit.
    pub const fn down_in_suit(self) -> Sequence {
        self.then(Next::DownInSuit(Corner::Closed))
    }

    /// It goes on with cards of the same rank.
    pub const fn same_rank(self) -> Sequence {
        self.then(Next::SameRank)
    }

    const fn then(self, next: Next) -> Sequence {
        Sequence { next, ..self }
    }

    /// Whether it goes on from king to ace, or from ace to king.
    pub const fn corner(self, corner: Corner) -> Sequence {
        let next = match self.next {
            Next::UpInSuit(_) => Next::UpInSuit(corner),
            Next::DownInSuit(_) => Next::DownInSuit(corner),
            Next::SameRank => Next::SameRank,
        };
        self.then(next)
    }

    /// It is complete with so many cards.
    pub const fn complete_at(self, cards: u8) -> Sequence {
        Sequence { complete: Complete::At(cards), ..self }
    }
}
