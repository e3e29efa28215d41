//! The table: the piles, the deal, what is seen of it, and what a move does to it.

use patience::cards::{Card, Rank};

use super::{Game, Start};

/// A game at one moment.
#[derive(Clone)]
pub struct Table {
    /// The game that is played.
    pub(super) game: Game,
    /// Face down, bottom first: the last is drawn next.
    pub(super) stock: Vec<Card>,
    /// Face up, bottom first.
    pub(super) waste: Vec<Card>,
    /// Always eight.
    pub(super) foundations: Vec<Foundation>,
    /// Face up, bottom first.
    pub(super) tableau: Vec<Vec<Card>>,
    /// Captive Queens only; in the other games it stays empty and is no pile.
    pub(super) queens: Vec<Card>,
    /// How often the waste may still be turned over.
    pub(super) redeals_left: u32,
}

/// One foundation. Only Topsy-Turvy Queens has captives.
#[derive(Clone)]
pub(super) struct Foundation {
    /// The captive that lies face down at the bottom, until it is freed.
    pub(super) captive: Option<Card>,
    /// The cards in sequence, face up.
    pub(super) built: Vec<Card>,
    /// The freed captive that lies face up on top, until it leaves.
    pub(super) freed: Option<Card>,
}

/// Which pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The stock.
    Stock,
    /// The waste.
    Waste,
    /// A foundation, the first being 0.
    Foundation(usize),
    /// A tableau pile, the first being 0.
    Tableau(usize),
    /// The queens.
    Queens,
}

/// A pile as everyone sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pile {
    /// Its name on the wire.
    pub name: String,
    /// How many cards lie face down at the bottom.
    pub face_down: usize,
    /// The face-up cards above them, bottom first.
    pub cards: Vec<Card>,
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Playing,
    /// Every card has reached its place.
    Won,
    /// Not won, and no legal move is left.
    Lost,
}

/// Something that a player may want to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "the wire calls it a move too")]
pub enum Move {
    /// Draws a card from the stock to the waste.
    Draw,
    /// Turns the waste over to become the stock.
    Redeal,
    /// Moves cards from pile to pile.
    Move {
        /// The pile that they come from.
        from: String,
        /// The pile that they go to.
        to: String,
        /// How many.
        count: usize,
    },
}

impl Table {
    /// Deals the deck, which is in dealing order: element 0 is dealt first.
    ///
    /// # Panics
    /// If the deck is not all the cards of the game.
    pub fn deal(game: Game, deck: &[Card]) -> Table {
        // > A deck always lists every card of the game, 52 or 104.
        for card in Card::all() {
            let copies = deck.iter().filter(|each| **each == card).count();
            assert_eq!(copies, game.packs(), "copies of {card} in the deck");
        }
        let mut table = Table::bare(game);
        let mut deck = deck.to_vec();

        match game {
            Game::CaptiveQueens { start, .. } => {
                // > all cards in the stock.
                // > With `queens` or `full` the cards laid out are taken out of the deck and the
                // > rest keeps its order.
                match start {
                    Start::Empty => {}
                    Start::Queens => table.lay_out_queens(&mut deck),
                    Start::Full => {
                        table.lay_out_queens(&mut deck);
                        table.lay_out_fives_and_sixes(&mut deck);
                    }
                }
            }
            Game::NapoleonsSquare { .. } => {
                // > twelve tableau piles of four face-up cards […], 56 cards in the stock.
                table.lay_out_tableau(&mut deck);
                assert_eq!(deck.len(), 56);
            }
            Game::TopsyTurvyQueens { .. } => {
                // > a row of seven face-down captives […], then eight tableau piles of four
                // > face-up cards, and 65 cards in the stock.
                table.lay_out_captives(&mut deck);
                table.lay_out_tableau(&mut deck);
                assert_eq!(deck.len(), 65);
            }
            Game::FortyThieves => {
                // Ten tableau piles of four face-up cards, 64 in the stock.
                table.lay_out_tableau(&mut deck);
                assert_eq!(deck.len(), 64);
            }
        }

        // > What is left is the stock, drawn in the same order.
        deck.reverse();
        table.stock = deck;
        table
    }

    /// A table without a card.
    fn bare(game: Game) -> Table {
        let empty = Foundation { captive: None, built: Vec::new(), freed: None };
        Table {
            game,
            stock: Vec::new(),
            waste: Vec::new(),
            foundations: vec![empty; 8],
            tableau: vec![Vec::new(); game.tableau_piles()],
            queens: Vec::new(),
            redeals_left: game.redeals(),
        }
    }

    /// > `queens` (the four queens are laid in the centre before the deal)
    fn lay_out_queens(&mut self, deck: &mut Vec<Card>) {
        for card in deck.clone() {
            if card.rank() == Rank::Queen {
                self.queens.push(card);
            }
        }
        deck.retain(|card| card.rank() != Rank::Queen);
    }

    /// > all fives and sixes on foundations 1–8, in deck order
    fn lay_out_fives_and_sixes(&mut self, deck: &mut Vec<Card>) {
        let mut next_foundation = 0;
        for card in deck.clone() {
            if card.rank() == Rank::Five || card.rank() == Rank::Six {
                self.foundations[next_foundation].built.push(card);
                next_foundation += 1;
            }
        }
        deck.retain(|card| card.rank() != Rank::Five && card.rank() != Rank::Six);
    }

    /// > Layouts are dealt row by row: one card to each pile in turn, pile 1 first, then the next
    /// > row.
    fn lay_out_tableau(&mut self, deck: &mut Vec<Card>) {
        for _row in 0..4 {
            for pile in &mut self.tableau {
                pile.push(deck.remove(0));
            }
        }
    }

    /// > seven face-down *captives* at the places of foundations 1–7 (the first seven cards dealt,
    /// > left to right; place 8 has none)
    fn lay_out_captives(&mut self, deck: &mut Vec<Card>) {
        for place in 0..7 {
            self.foundations[place].captive = Some(deck.remove(0));
        }
    }

    /// Lays out a position for a test, of any cards: each pile by its name and its cards, bottom
    /// first, separated by blanks. A captive that lies face down comes first, in brackets; one
    /// that is freed is the fourteenth face-up card of its foundation. Piles left out are empty.
    ///
    /// # Panics
    /// On what names no pile or no card.
    pub fn position(game: Game, redeals_left: u32, piles: &[(&str, &str)]) -> Table {
        let mut table = Table::bare(game);
        table.redeals_left = redeals_left;
        for (name, text) in piles {
            let mut captive = None;
            let mut cards: Vec<Card> = Vec::new();
            for word in text.split_whitespace() {
                match word.strip_prefix('[') {
                    Some(inner) => captive = Some(inner.trim_end_matches(']').parse().unwrap()),
                    None => cards.push(word.parse().unwrap()),
                }
            }
            match table.place(name).expect("a pile of this game") {
                Place::Stock => table.stock = cards,
                Place::Waste => table.waste = cards,
                Place::Tableau(number) => table.tableau[number] = cards,
                Place::Queens => table.queens = cards,
                Place::Foundation(number) => {
                    let freed = if cards.len() == 14 { cards.pop() } else { None };
                    table.foundations[number] = Foundation { captive, built: cards, freed };
                }
            }
        }
        table
    }

    /// All places, in the order of the wire.
    ///
    /// > Piles, everywhere: stock, waste, foundations, tableau, queens, each by number.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places = Vec::with_capacity(22);
        places.push(Place::Stock);
        places.push(Place::Waste);
        for number in 0..8 {
            places.push(Place::Foundation(number));
        }
        for number in 0..self.game.tableau_piles() {
            places.push(Place::Tableau(number));
        }
        if self.game.has_queens_pile() {
            places.push(Place::Queens);
        }
        places
    }

    /// The place of that name, if there is such a pile.
    ///
    /// > Piles are named `stock`, `waste`, `foundation-1` … `foundation-8`, `tableau-1` …, and in
    /// > Captive Queens `queens`.
    pub(super) fn place(&self, name: &str) -> Option<Place> {
        self.places().into_iter().find(|place| is_named(*place, name))
    }

    /// The face-up cards of a pile, bottom first.
    fn face_up(&self, place: Place) -> Vec<Card> {
        match place {
            Place::Stock => Vec::new(),
            Place::Waste => self.waste.clone(),
            Place::Foundation(number) => {
                let mut cards = self.foundations[number].built.clone();
                // > the captive under it is turned face up on top of the pile
                cards.extend(self.foundations[number].freed);
                cards
            }
            Place::Tableau(number) => self.tableau[number].clone(),
            Place::Queens => self.queens.clone(),
        }
    }

    /// The face-down cards of a pile, bottom first.
    fn face_down(&self, place: Place) -> Vec<Card> {
        match place {
            // > face-down pile
            Place::Stock => self.stock.clone(),
            Place::Foundation(number) => Vec::from_iter(self.foundations[number].captive),
            Place::Waste | Place::Tableau(_) | Place::Queens => Vec::new(),
        }
    }

    /// How many cards a pile has, face down or face up.
    pub(super) fn height(&self, place: Place) -> usize {
        self.face_down(place).len() + self.face_up(place).len()
    }

    /// The piles as everyone sees them, in the order of the wire.
    pub fn piles(&self) -> Vec<Pile> {
        let mut piles = Vec::new();
        for place in self.places() {
            piles.push(Pile { name: name(place), face_down: self.face_down(place).len(), cards: self.face_up(place) });
        }
        piles
    }

    /// The face-down cards of the pile of that name, bottom first; of the stock, the last is drawn
    /// next.
    ///
    /// # Panics
    /// If there is no such pile.
    pub fn hidden(&self, name: &str) -> Vec<Card> {
        let place = self.place(name).expect("a pile of this game");
        self.face_down(place)
    }

    /// How often the waste may still be turned over.
    pub fn redeals_left(&self) -> u32 {
        self.redeals_left
    }

    /// How many cards have reached their place.
    ///
    /// > A captive counts as placed only when it stands in its sequence; cards that `start` lays
    /// > out count from the beginning.
    pub fn placed(&self) -> usize {
        let mut placed = self.queens.len();
        for foundation in &self.foundations {
            placed += foundation.built.len();
        }
        placed
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        if self.is_won() {
            Status::Won
        } else if self.legal_moves().is_empty() {
            // > **Lost**: not won, and no legal move is left.
            Status::Lost
        } else {
            Status::Playing
        }
    }

    /// > **Won**: every card has reached its place.
    fn is_won(&self) -> bool {
        match self.game {
            // > won | stock and waste are both empty: eight complete foundations, four queens in
            // > the centre
            Game::CaptiveQueens { .. } => self.stock.is_empty() && self.waste.is_empty(),
            // > won | eight foundations of thirteen
            Game::NapoleonsSquare { .. } | Game::FortyThieves => self.has_eight_thirteens(),
            // > won | eight foundations of thirteen, no captive left
            Game::TopsyTurvyQueens { .. } => {
                let captives = self.foundations.iter().any(|foundation| {
                    // > the game is not won until the captive has left
                    foundation.captive.is_some() || foundation.freed.is_some()
                });
                self.has_eight_thirteens() && !captives
            }
        }
    }

    /// > eight foundations of thirteen
    fn has_eight_thirteens(&self) -> bool {
        let mut foundations = self.foundations.iter();
        foundations.all(|foundation| foundation.built.len() == 13)
    }

    /// All legal moves, equal ones too, in the order of the wire; none unless the game goes on.
    ///
    /// Every conceivable move is tried out.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.is_won() {
            return Vec::new();
        }
        // > in the order draw, redeal, moves by source, target, count
        let mut moves = vec![Move::Draw, Move::Redeal];
        moves.retain(|each| self.refusal(each).is_none());
        for source in self.places() {
            for target in self.places() {
                for count in 1..=self.height(source) {
                    if self.refusal_between(source, target, count).is_none() {
                        moves.push(Move::Move { from: name(source), to: name(target), count });
                    }
                }
            }
        }
        moves
    }

    /// Plays a move.
    ///
    /// # Panics
    /// If it is not legal.
    pub fn play(&mut self, m: &Move) {
        let refusal = self.refusal(m);
        assert_eq!(refusal, None, "{m:?} is not legal");
        match m {
            // > one card at a time is *drawn* from it to the waste
            Move::Draw => {
                let card = self.stock.pop().expect("a stock that has cards");
                self.waste.push(card);
            }
            // > the whole waste is turned over to become the stock. Nothing is shuffled: the first
            // > card drawn in the last pass is the first drawn in the next
            Move::Redeal => {
                while let Some(card) = self.waste.pop() {
                    self.stock.push(card);
                }
                self.redeals_left -= 1;
            }
            Move::Move { from, to, count } => {
                let source = self.place(from).expect("a pile of this game");
                let target = self.place(to).expect("a pile of this game");
                let cards = self.take(source, *count);
                self.put(target, cards);
            }
        }
    }

    /// Takes the top cards off a pile, which keep their order.
    ///
    /// > `count` cards are the top `count` of the source
    fn take(&mut self, source: Place, count: usize) -> Vec<Card> {
        match source {
            Place::Stock => vec![self.stock.pop().unwrap()],
            Place::Waste => vec![self.waste.pop().unwrap()],
            // > From there it may go to another foundation
            Place::Foundation(number) => vec![self.foundations[number].freed.take().unwrap()],
            Place::Tableau(number) => {
                let pile = &mut self.tableau[number];
                pile.split_off(pile.len() - count)
            }
            Place::Queens => panic!("a queen never moves again"),
        }
    }

    /// Puts cards on a pile.
    fn put(&mut self, target: Place, cards: Vec<Card>) {
        match target {
            Place::Stock | Place::Waste => panic!("such a pile takes no cards"),
            Place::Tableau(number) => self.tableau[number].extend(cards),
            Place::Queens => self.queens.extend(cards),
            Place::Foundation(number) => {
                self.foundations[number].built.extend(cards);
                self.free_the_captive_of_a_finished_foundation(number);
            }
        }
    }

    /// > when a foundation reaches its queen, the captive under it is turned face up on top of the
    /// > pile
    ///
    /// > Turning a captive up is part of the move that completed the pile
    fn free_the_captive_of_a_finished_foundation(&mut self, number: usize) {
        let foundation = &mut self.foundations[number];
        if foundation.built.len() == 13 {
            foundation.freed = foundation.captive.take();
        }
    }
}

/// The name of a pile.
fn name(place: Place) -> String {
    match place {
        Place::Stock => "stock".to_string(),
        Place::Waste => "waste".to_string(),
        Place::Foundation(number) => format!("foundation-{}", number + 1),
        Place::Tableau(number) => format!("tableau-{}", number + 1),
        Place::Queens => "queens".to_string(),
    }
}

/// Whether that is the name of the pile. (It could as well be `name(place) == text`, but it is asked
/// so often that it takes half of the time to write the names out.)
fn is_named(place: Place, text: &str) -> bool {
    const NUMBERS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    match place {
        Place::Stock => text == "stock",
        Place::Waste => text == "waste",
        Place::Foundation(number) => text.strip_prefix("foundation-") == Some(NUMBERS[number]),
        Place::Tableau(number) => text.strip_prefix("tableau-") == Some(NUMBERS[number]),
        Place::Queens => text == "queens",
    }
}
