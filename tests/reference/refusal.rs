//! The rules: what is refused, and for which reason.
//!
//! > **Reasons of `illegal_move`**, the first that applies; no card is looked at before its pile
//! > is known to offer it.

use patience::cards::{Card, Rank};

use super::table::Place;
use super::{Corner, Game, Kings, Move, Moves, Play, Table};

/// Captive Queens:
///
/// > four go 5 4 3 2 A K
const DOWN_FROM_FIVE: [Rank; 6] = [Rank::Five, Rank::Four, Rank::Three, Rank::Two, Rank::Ace, Rank::King];

/// Captive Queens:
///
/// > four go 6 7 8 9 T J
const UP_FROM_SIX: [Rank; 6] = [Rank::Six, Rank::Seven, Rank::Eight, Rank::Nine, Rank::Ten, Rank::Jack];

/// Napoleon's Square, and Forty Thieves:
///
/// > start with an ace, built up in suit to the king
const ACE_TO_KING: [Rank; 13] = [
    Rank::Ace,
    Rank::Two,
    Rank::Three,
    Rank::Four,
    Rank::Five,
    Rank::Six,
    Rank::Seven,
    Rank::Eight,
    Rank::Nine,
    Rank::Ten,
    Rank::Jack,
    Rank::Queen,
    Rank::King,
];

/// Topsy-Turvy Queens:
///
/// > start with a king, then A 2 3 … Q of its suit
const KING_THEN_ACE_TO_QUEEN: [Rank; 13] = [
    Rank::King,
    Rank::Ace,
    Rank::Two,
    Rank::Three,
    Rank::Four,
    Rank::Five,
    Rank::Six,
    Rank::Seven,
    Rank::Eight,
    Rank::Nine,
    Rank::Ten,
    Rank::Jack,
    Rank::Queen,
];

impl Table {
    /// Why the move is illegal, in the words of the wire, or nothing if it is legal. It is judged
    /// on the table alone, even if the game is over.
    pub fn refusal(&self, m: &Move) -> Option<&'static str> {
        match m {
            Move::Draw => self.refusal_of_draw(),
            Move::Redeal => self.refusal_of_redeal(),
            Move::Move { from, to, count } => self.refusal_of_move(from, to, *count),
        }
    }

    /// > Draw: `stock_empty`, `play_waste_first`.
    fn refusal_of_draw(&self) -> Option<&'static str> {
        // > draw | whenever the stock has cards
        if self.stock.is_empty() {
            return Some("stock_empty");
        }
        if self.waste_must_be_played_first() {
            return Some("play_waste_first");
        }
        None
    }

    /// > Redeal: `stock_not_empty`, `nothing_to_redeal`, `no_redeals_left`, `play_waste_first`.
    fn refusal_of_redeal(&self) -> Option<&'static str> {
        // > with the stock empty and the waste not, the whole waste is turned over
        if !self.stock.is_empty() {
            return Some("stock_not_empty");
        }
        if self.waste.is_empty() {
            return Some("nothing_to_redeal");
        }
        if self.redeals_left == 0 {
            return Some("no_redeals_left");
        }
        if self.waste_must_be_played_first() {
            return Some("play_waste_first");
        }
        None
    }

    /// > draw and redeal | only while the top of the waste cannot be played: a playable card, a
    /// > queen too, must be played first
    ///
    /// > `free` (drawing and redealing are allowed although the waste could be played)
    fn waste_must_be_played_first(&self) -> bool {
        match self.game {
            Game::CaptiveQueens { play, .. } => match play {
                Play::Forced => self.top_of_the_waste_can_be_played(),
                Play::Free => false,
            },
            Game::NapoleonsSquare { .. } => false,
            Game::TopsyTurvyQueens { .. } => false,
            Game::FortyThieves => false,
        }
    }

    /// Whether there is any pile that takes the top of the waste.
    fn top_of_the_waste_can_be_played(&self) -> bool {
        self.places().into_iter().any(|target| self.refusal_between(Place::Waste, target, 1).is_none())
    }

    /// > Move: `no_such_pile`, `same_pile`, `not_available` (such a pile gives no cards, or not to
    /// > there: a foundation unless it shows a captive, the stock to anything but a space),
    /// > `empty_source`, `too_many_cards`, `not_a_run`, `captive_to_foundation_only`,
    /// > `no_building` (such a pile takes no cards), `pile_complete`, `needs_base_card`,
    /// > `fill_from_the_left`, `wrong_suit`, `wrong_rank`.
    fn refusal_of_move(&self, from: &str, to: &str, count: usize) -> Option<&'static str> {
        let (Some(source), Some(target)) = (self.place(from), self.place(to)) else {
            return Some("no_such_pile");
        };
        self.refusal_between(source, target, count)
    }

    /// The same between piles that there are.
    pub(super) fn refusal_between(&self, source: Place, target: Place, count: usize) -> Option<&'static str> {
        if source == target {
            return Some("same_pile");
        }
        if !self.gives_cards(source, target) {
            return Some("not_available");
        }
        if self.height(source) == 0 {
            return Some("empty_source");
        }
        if count > self.most_cards(source, target) {
            return Some("too_many_cards");
        }
        let cards = self.top(source, count);
        if !self.is_run(&cards) {
            return Some("not_a_run");
        }
        if is_foundation(source) && !is_foundation(target) {
            // > From there it may go to another foundation and nowhere else
            return Some("captive_to_foundation_only");
        }
        // The card that comes to lie on the target.
        let card = cards[0];
        match target {
            Place::Stock | Place::Waste => Some("no_building"),
            Place::Foundation(number) => self.refusal_by_foundation(number, card),
            Place::Tableau(number) => self.refusal_by_tableau(number, card),
            Place::Queens => self.refusal_by_queens(card),
        }
    }

    /// Whether the source gives any cards at all, to such a target.
    fn gives_cards(&self, source: Place, target: Place) -> bool {
        match source {
            Place::Stock => self.stock_gives_cards(target),
            // > only its top card is available
            Place::Waste => true,
            Place::Foundation(number) => self.shows_a_captive(number),
            // > Its top card is available.
            Place::Tableau(_) => true,
            // > it is never built on and never moves again
            Place::Queens => false,
        }
    }

    /// > spaces | take the top of the waste, any run, or the top of the stock directly
    ///
    /// In Napoleon's Square, that is, and nowhere else; the stock's top goes to nothing but a
    /// space.
    fn stock_gives_cards(&self, target: Place) -> bool {
        match self.game {
            Game::CaptiveQueens { .. } => false,
            Game::NapoleonsSquare { .. } => match target {
                Place::Tableau(number) => self.is_space(number),
                _ => false,
            },
            Game::TopsyTurvyQueens { .. } => false,
            Game::FortyThieves => false,
        }
    }

    /// > **Space**: an empty tableau pile.
    fn is_space(&self, number: usize) -> bool {
        self.tableau[number].is_empty()
    }

    /// > A card on a foundation never comes back (Topsy-Turvy's freed captives are the one
    /// > exception).
    fn shows_a_captive(&self, number: usize) -> bool {
        self.foundations[number].freed.is_some()
    }

    /// How many cards the source gives at most, to such a target, whichever cards they are.
    fn most_cards(&self, source: Place, target: Place) -> usize {
        match (source, target) {
            // > or the top of the stock directly
            (Place::Stock, _) => 1,
            // > only its top card is available
            (Place::Waste, _) => 1,
            // Of a foundation, the freed captive and nothing else.
            (Place::Foundation(_), _) => 1,
            // > to a foundation `count` is 1
            (Place::Tableau(_), Place::Foundation(_)) => 1,
            (Place::Tableau(_), _) => match self.game {
                Game::CaptiveQueens { .. } => panic!("Captive Queens has no tableau"),
                Game::NapoleonsSquare { moves } => match moves {
                    // > a run, whole or its upper part, to a tableau pile
                    Moves::Runs => self.height(source),
                    // > `single` (one card at a time from tableau pile to tableau pile, into a
                    // > space too)
                    Moves::Single => 1,
                },
                // > a run, whole or its upper part, to a tableau pile
                Game::TopsyTurvyQueens { .. } => self.height(source),
                // One card at a time, never runs.
                Game::FortyThieves => 1,
            },
            (Place::Queens, _) => panic!("a queen never moves again"),
        }
    }

    /// > `count` cards are the top `count` of the source
    pub(super) fn top(&self, source: Place, count: usize) -> Vec<Card> {
        let offered = match source {
            Place::Stock => &self.stock,
            Place::Waste => &self.waste,
            Place::Foundation(number) => &Vec::from_iter(self.foundations[number].freed),
            Place::Tableau(number) => &self.tableau[number],
            Place::Queens => panic!("a queen never moves again"),
        };
        offered[offered.len() - count..].to_vec()
    }

    /// > A *run* is one or more cards from some card up to the top, each one rank lower than the
    /// > card under it and of the same suit.
    ///
    /// > and runs may pass that corner, dealt cards included
    fn is_run(&self, cards: &[Card]) -> bool {
        if cards.is_empty() {
            return false;
        }
        for index in 1..cards.len() {
            let under = cards[index - 1];
            let card = cards[index];
            if card.suit() != under.suit() {
                return false;
            }
            if !self.goes_down_in_the_tableau(under.rank(), card.rank()) {
                return false;
            }
        }
        true
    }

    /// Whether in the tableau a card of that rank may lie on a card of the other, suits aside.
    ///
    /// > built down in suit; no turning the corner (a king never goes on an ace)
    fn goes_down_in_the_tableau(&self, under: Rank, rank: Rank) -> bool {
        if under == Rank::Ace { rank == Rank::King && self.corner_is_turned() } else { rank == under.below() }
    }

    /// > `turned` (in the tableau a king may also be built on an ace of its suit, and runs may
    /// > pass that corner, dealt cards included; an ace on a king stays illegal)
    fn corner_is_turned(&self) -> bool {
        match self.game {
            Game::CaptiveQueens { .. } => false,
            Game::NapoleonsSquare { .. } => false,
            Game::TopsyTurvyQueens { corner, .. } => match corner {
                Corner::Closed => false,
                Corner::Turned => true,
            },
            Game::FortyThieves => false,
        }
    }

    /// Why a foundation does not take the card.
    ///
    /// > **Foundation**: a pile that grows by its own sequence, always in one suit.
    fn refusal_by_foundation(&self, number: usize, card: Card) -> Option<&'static str> {
        // > nothing goes on a pile that shows one
        // (One that does has all its thirteen.)
        if self.is_complete(number) {
            return Some("pile_complete");
        }
        let built = &self.foundations[number].built;
        let Some(base) = built.first() else {
            return self.refusal_by_empty_foundation(number, card);
        };
        if card.suit() != base.suit() {
            return Some("wrong_suit");
        }
        if card.rank() != self.sequence_from(base.rank())[built.len()] {
            return Some("wrong_rank");
        }
        None
    }

    /// > Six cards complete it
    ///
    /// > eight foundations of thirteen
    fn is_complete(&self, number: usize) -> bool {
        let built = &self.foundations[number].built;
        match self.game {
            Game::CaptiveQueens { .. } => built.len() == 6,
            Game::NapoleonsSquare { .. } => built.len() == 13,
            Game::TopsyTurvyQueens { .. } => built.len() == 13,
            Game::FortyThieves => built.len() == 13,
        }
    }

    /// The ranks of a foundation that starts with that rank.
    fn sequence_from(&self, base: Rank) -> &'static [Rank] {
        match (self.game, base) {
            // > that card decides its suit and direction
            (Game::CaptiveQueens { .. }, Rank::Five) => &DOWN_FROM_FIVE,
            (Game::CaptiveQueens { .. }, Rank::Six) => &UP_FROM_SIX,
            (Game::NapoleonsSquare { .. }, Rank::Ace) => &ACE_TO_KING,
            (Game::TopsyTurvyQueens { .. }, Rank::King) => &KING_THEN_ACE_TO_QUEEN,
            // The variant in which an ace has the role of the king.
            (Game::TopsyTurvyQueens { .. }, Rank::Ace) => &ACE_TO_KING,
            (Game::FortyThieves, Rank::Ace) => &ACE_TO_KING,
            (game, base) => panic!("{game:?} has no foundation that starts with {base:?}"),
        }
    }

    /// Why a foundation that has no card of its sequence yet does not take the card.
    fn refusal_by_empty_foundation(&self, number: usize, card: Card) -> Option<&'static str> {
        if !self.starts_a_foundation(card) {
            return Some("needs_base_card");
        }
        if !self.may_be_started(number) {
            return Some("fill_from_the_left");
        }
        None
    }

    /// Whether foundations start with such a card.
    fn starts_a_foundation(&self, card: Card) -> bool {
        match self.game {
            // > An empty one takes any five or any six
            Game::CaptiveQueens { .. } => card.rank() == Rank::Five || card.rank() == Rank::Six,
            // > An empty one takes any ace
            Game::NapoleonsSquare { .. } => card.rank() == Rank::Ace,
            // > start with a king
            Game::TopsyTurvyQueens { foundations_start, .. } => card.rank() == foundations_start,
            Game::FortyThieves => card.rank() == Rank::Ace,
        }
    }

    /// Whether it is this empty foundation's turn to be started.
    fn may_be_started(&self, number: usize) -> bool {
        match self.game {
            // > any empty place will do
            Game::CaptiveQueens { .. } => true,
            // > An empty one takes any ace
            Game::NapoleonsSquare { .. } => true,
            Game::TopsyTurvyQueens { kings, .. } => match kings {
                // > A king goes to the leftmost place that has no king yet
                Kings::LeftToRight => self.is_leftmost_place_without_king(number),
                // > `any` (a king may go to any place that has no king yet)
                Kings::Any => true,
            },
            Game::FortyThieves => true,
        }
    }

    /// > the leftmost place that has no king yet
    fn is_leftmost_place_without_king(&self, number: usize) -> bool {
        let mut to_the_left = self.foundations[..number].iter();
        self.foundations[number].built.is_empty() && to_the_left.all(|foundation| !foundation.built.is_empty())
    }

    /// Why a tableau pile does not take cards of which this one is the lowest.
    fn refusal_by_tableau(&self, number: usize, card: Card) -> Option<&'static str> {
        // > spaces | take the top of the waste or any run
        if self.is_space(number) {
            return None;
        }
        let pile = &self.tableau[number];
        let under = pile[pile.len() - 1];
        // > tableau | built down in suit
        if card.suit() != under.suit() {
            return Some("wrong_suit");
        }
        if !self.goes_down_in_the_tableau(under.rank(), card.rank()) {
            return Some("wrong_rank");
        }
        None
    }

    /// Why the centre of Captive Queens does not take the card.
    ///
    /// > queens | a queen that is on top of the waste goes to `queens`
    fn refusal_by_queens(&self, card: Card) -> Option<&'static str> {
        // > a place for the four queens in its centre
        if self.queens.len() == 4 {
            return Some("pile_complete");
        }
        if card.rank() == Rank::Queen {
            None
        } else if self.queens.is_empty() {
            // The first queen is what the others follow, as on every pile that is built on.
            Some("needs_base_card")
        } else {
            Some("wrong_rank")
        }
    }
}

/// Whether the pile is a foundation.
fn is_foundation(place: Place) -> bool {
    matches!(place, Place::Foundation(_))
}
