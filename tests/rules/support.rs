//! What the tests of the rules share: games, positions and moves as short texts, and chance that
//! is the same every time.
//!
//! A game is its id and the options that are not at their defaults: `captive-queens play=free`. A
//! move is `draw`, `redeal`, or source, target and count: `tableau-1 tableau-2 3`, the count left
//! out if it is 1. A pile is its cards, bottom first, a captive that lies face down in brackets:
//! `[7H] KS AS`. The stock is all face down and its last card is drawn next.

use std::sync::Arc;
use std::time::Duration;

use patience::cards::{Card, Deck, Packs, Seed};
use patience::games::{self, OptionValue, Options};
use patience::rules::{Drawing, Engine, Move, Outcome, PileIndex, Proposal, Steps, Table, View};
use patience::session::{
    Autoplay, Change, Command, Context, Credential, Decision, Entry, Gathering, Lifetimes, Limits, NewDeal, NewSession,
    PlayerName, Precondition, Refusal, Session, Timestamp, Undoing, Visibility, create, decide,
};

use crate::reference;

/// The id of a game and the options that are given, each a name and a value.
pub(crate) fn split(game: &str) -> (&str, Vec<(&str, &str)>) {
    let mut words = game.split(' ');
    let id = words.next().unwrap();
    (id, words.map(|option| option.split_once('=').unwrap()).collect())
}

/// The options of a game of the catalogue.
pub(crate) fn options(game: &str) -> Options {
    let (id, given) = split(game);
    let value = |text: &str| match text.parse() {
        Ok(number) => OptionValue::Number(number),
        Err(_) => OptionValue::Word(text.into()),
    };
    let given = given.into_iter().map(|(name, text)| (name.to_string(), value(text)));
    games::find(id).unwrap().options_from(given).unwrap()
}

/// The engine of a game of the catalogue.
pub(crate) fn engine(game: &str) -> Arc<Engine> {
    games::find(split(game).0).unwrap().engine(&options(game))
}

/// The same game in the second implementation.
pub(crate) fn reference_game(game: &str) -> reference::Game {
    let (id, given) = split(game);
    reference::Game::named(id, &given)
}

/// The deck of a seed.
pub(crate) fn seeded(seed: &str, packs: Packs) -> Deck {
    Seed::try_from(seed.to_string()).unwrap().deck(packs)
}

/// The cards of that text.
pub(crate) fn cards(text: &str) -> Vec<Card> {
    let words = text.split_whitespace();
    words.map(|word| word.parse().unwrap()).collect()
}

/// Those ranks in one suit: `suited("KA2", 'S')` is `KS AS 2S`.
pub(crate) fn suited(ranks: &str, suit: char) -> String {
    let names: Vec<String> = ranks.chars().map(|rank| format!("{rank}{suit}")).collect();
    names.join(" ")
}

/// Those cards as a text.
pub(crate) fn text(cards: &[Card]) -> String {
    let names: Vec<&str> = cards.iter().map(|card| card.as_str()).collect();
    names.join(" ")
}

/// The move of that text.
pub(crate) fn proposal(text: &str) -> Proposal {
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["draw"] => Proposal::Draw,
        ["redeal"] => Proposal::Redeal,
        [from, to] => transfer(from, to, 1),
        [from, to, count] => transfer(from, to, count.parse().unwrap()),
        _ => panic!("no move: {text}"),
    }
}

/// The move of so many cards from pile to pile.
pub(crate) fn transfer(from: &str, to: &str, count: u32) -> Proposal {
    Proposal::Transfer { from: from.into(), to: to.into(), count }
}

/// A move as a player asks for it.
pub(crate) fn asked(engine: &Engine, chosen: Move) -> Proposal {
    match chosen {
        Move::Draw => Proposal::Draw,
        Move::Redeal => Proposal::Redeal,
        Move::Transfer { from, to, count } => transfer(engine.name(from), engine.name(to), count.into()),
    }
}

/// Every move that could be thought of: to draw, to redeal, and from every pile to every pile,
/// with one name that no pile has, from one card to one more than there are.
pub(crate) fn conceivable(engine: &Engine, view: &View) -> Vec<Proposal> {
    let mut all = vec![Proposal::Draw, Proposal::Redeal];
    let names: Vec<String> = engine.piles().map(|pile| pile.to_string()).chain(["nowhere".into()]).collect();
    for from in &names {
        let height = engine.find(from).map_or(0, |pile| view.pile(pile).face_down() + view.pile(pile).cards().len());
        for to in &names {
            all.extend((1..=height as u32 + 1).map(|count| transfer(from, to, count)));
        }
    }
    all
}

/// A game on a table, played by the engine.
pub(crate) struct Board {
    pub(crate) engine: Arc<Engine>,
    pub(crate) table: Table,
}

impl Board {
    /// A game as it stands; piles left out are empty.
    pub(crate) fn standing(game: &str, redeals_left: u32, piles: &[(&str, &str)]) -> Board {
        let engine = engine(game);
        let table = position(&engine, redeals_left, piles);
        Board { engine, table }
    }

    /// A game dealt from a deck.
    pub(crate) fn dealt(game: &str, deck: &Deck) -> Board {
        let engine = engine(game);
        let table = engine.deal(deck);
        Board { engine, table }
    }

    /// Checks moves, each with the reason why it is refused, an empty one if it is legal.
    #[track_caller]
    pub(crate) fn check(&self, expected: &[(&str, &str)]) {
        for (chosen, reason) in expected {
            let judged = self.engine.check(self.table.view(), &proposal(chosen));
            assert_eq!(judged.map_or_else(|reason| reason.code(), |_| ""), *reason, "{chosen}");
        }
    }

    /// All legal moves.
    pub(crate) fn moves(&self) -> Vec<String> {
        self.engine.legal_moves(self.table.view()).into_iter().map(|each| self.text_of(each)).collect()
    }

    /// The only legal move, if there is one.
    pub(crate) fn only_move(&self) -> Option<String> {
        self.engine.only_move(self.table.view()).map(|only| self.text_of(only))
    }

    /// Plays what autoplay plays, and says what.
    #[track_caller]
    pub(crate) fn autoplay(&mut self, drawing: Drawing) -> Vec<String> {
        let mut played = Vec::new();
        while let Some(next) = self.engine.autoplay(self.table.view(), drawing) {
            let next = self.text_of(next);
            self.play(&next);
            played.push(next);
        }
        played
    }

    fn text_of(&self, each: Move) -> String {
        let name = |pile| self.engine.name(pile);
        match each {
            Move::Draw => "draw".into(),
            Move::Redeal => "redeal".into(),
            Move::Transfer { from, to, count: 1 } => format!("{} {}", name(from), name(to)),
            Move::Transfer { from, to, count } => format!("{} {} {count}", name(from), name(to)),
        }
    }

    /// Plays a legal move.
    #[track_caller]
    pub(crate) fn play(&mut self, chosen: &str) -> Steps {
        let judged = self.engine.check(self.table.view(), &proposal(chosen));
        let steps = self.engine.steps(&self.table, judged.unwrap());
        steps.iter().for_each(|step| self.table.apply(step).unwrap());
        steps
    }

    /// Plays several.
    #[track_caller]
    pub(crate) fn play_all(&mut self, chosen: &[&str]) {
        for each in chosen {
            self.play(each);
        }
    }

    /// The cards of a pile, hidden ones too.
    pub(crate) fn pile(&self, name: &str) -> String {
        let pile = self.engine.find(name).unwrap();
        let (hidden, seen) = (self.table.hidden(pile), self.table.view().pile(pile).cards());
        match pile {
            PileIndex::STOCK => text(hidden),
            _ => hidden
                .iter()
                .map(|card| format!("[{card}]"))
                .chain((!seen.is_empty()).then(|| text(seen)))
                .collect::<Vec<_>>()
                .join(" "),
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.engine.outcome(self.table.view())
    }

    pub(crate) fn placed(&self) -> usize {
        self.engine.placed(self.table.view())
    }

    pub(crate) fn redeals_left(&self) -> u32 {
        self.table.view().redeals_left()
    }
}

/// A table of that engine; piles left out are empty.
pub(crate) fn position(engine: &Engine, redeals_left: u32, piles: &[(&str, &str)]) -> Table {
    let mut all = vec![(Vec::new(), Vec::new()); engine.piles().len()];
    for (name, text) in piles {
        let pile = engine.find(name).unwrap();
        let (hidden, seen) = &mut all[pile.get()];
        for word in text.split_whitespace() {
            match word.strip_prefix('[') {
                Some(captive) => hidden.extend(cards(captive.trim_end_matches(']'))),
                None if pile == PileIndex::STOCK => hidden.extend(cards(word)),
                None => seen.extend(cards(word)),
            }
        }
    }
    Table::standing(all.iter().map(|(hidden, seen)| (&hidden[..], &seen[..])), redeals_left)
}

/// The piles of a game in their order.
pub(crate) fn indices(engine: &Engine) -> Vec<PileIndex> {
    engine.piles().map(|pile| engine.find(&pile.to_string()).unwrap()).collect()
}

/// All cards of a table, sorted.
pub(crate) fn all_cards(engine: &Engine, table: &Table) -> Vec<Card> {
    let mut all = Vec::new();
    for pile in indices(engine) {
        all.extend_from_slice(table.hidden(pile));
        all.extend_from_slice(table.view().pile(pile).cards());
    }
    all.sort();
    all
}

/// Random numbers that are the same every time (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number from 0 to one less than that.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True so many times in a hundred.
    pub(crate) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(crate) fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, them: &mut [T]) {
        for last in (1..them.len()).rev() {
            them.swap(last, self.below(last + 1));
        }
    }

    /// One of the moves; an eager player mostly sends cards home, and else mostly draws.
    pub(crate) fn choose(&mut self, engine: &Engine, moves: &[Move], eager: bool) -> Move {
        let goes_home = |each: &&Move| match each {
            Move::Transfer { to, .. } => engine.piles().nth(to.get()).unwrap().kind.is_home(),
            Move::Draw | Move::Redeal => false,
        };
        let home: Vec<Move> = moves.iter().filter(goes_home).copied().collect();
        if eager && !home.is_empty() && self.percent(95) {
            self.pick(&home)
        } else if eager && moves[0] == Move::Draw && self.percent(70) {
            moves[0]
        } else {
            self.pick(moves)
        }
    }
}

/// The ranks of that game in the order in which cards go home.
pub(crate) fn ranks(game: &str) -> &'static str {
    match split(game).0 {
        "captive-queens" => "56Q473829ATKJ",
        "topsy-turvy-queens" => "KA23456789TJQ",
        _ => "A23456789TJQK",
    }
}

/// A deck that is easy to win with: cards come up about in the order in which they go home, which
/// the ranks say, but for so many pairs of them that change places. The last `dealt` of that order
/// are dealt first.
pub(crate) fn kind_deck(engine: &Engine, ranks: &str, swaps: usize, chance: &mut Chance) -> Deck {
    let packs = engine.rules().packs;
    let mut order = Vec::new();
    for rank in ranks.chars() {
        let start = order.len();
        for suit in "CDHS".repeat(packs.count()).chars() {
            order.extend(cards(&format!("{rank}{suit}")));
        }
        chance.shuffle(&mut order[start..]);
    }
    for _ in 0..swaps {
        let (one, other) = (chance.below(order.len()), chance.below(order.len()));
        order.swap(one, other);
    }
    let table = engine.deal(&Deck::unshuffled(packs));
    let laid_out = packs.cards() - table.hidden(PileIndex::STOCK).len();
    let mut deck = order.split_off(order.len() - laid_out);
    deck.reverse();
    deck.extend(order);
    Deck::new(packs, deck).unwrap()
}

/// The deck of the game that lays out these cards first, and from then on draws those; the rest
/// lies in between and after them.
pub(crate) fn deck(engine: &Engine, first: &str, drawn: &str) -> Deck {
    let packs = engine.rules().packs;
    let whole = Deck::unshuffled(packs);
    let laid_out = packs.cards() - engine.deal(&whole).hidden(PileIndex::STOCK).len();
    let (mut order, drawn) = (cards(first), cards(drawn));
    let mut rest = whole.cards().to_vec();
    for card in order.iter().chain(&drawn) {
        let place = rest.iter().position(|each| each == card).unwrap();
        rest.remove(place);
    }
    let after = rest.split_off(laid_out - order.len());
    order.extend(rest.into_iter().chain(drawn).chain(after));
    Deck::new(packs, order).unwrap()
}

/// A session as it is played: what it has become, and its log.
pub(crate) struct Live {
    pub(crate) session: Session,
    pub(crate) log: Vec<Entry>,
    host: Credential,
}

impl Live {
    pub(crate) fn new(game: &str, deal: NewDeal) -> Live {
        Live::with(Autoplay::Off, game, deal)
    }

    /// One in which cards go up by themselves, or do not.
    pub(crate) fn with(autoplay: Autoplay, game: &str, deal: NewDeal) -> Live {
        let new = NewSession {
            game: games::find(split(game).0).unwrap(),
            options: options(game),
            deal,
            seats: 1,
            name: PlayerName::try_from("Ada").unwrap(),
            visibility: Visibility::Unlisted,
            undoing: Undoing::Allowed,
            autoplay,
        };
        let (first, opening) = in_context(1, |context| create(new, None, context));
        let session = Session::start(&first).unwrap();
        Live { session, log: vec![first], host: Credential::Token(opening.token.hash()) }
    }

    pub(crate) fn ask(&mut self, command: Command) -> Result<(), Refusal> {
        let change = Change { who: self.host, key: None, precondition: Precondition::None, command };
        let second = self.log.len() as u64 + 1;
        let Decision::Made(entry) = in_context(second, |context| decide(&self.session, &change, context))? else {
            panic!("nothing is asked for under a key here");
        };
        self.session.apply(&entry).unwrap();
        self.log.push(entry);
        Ok(())
    }

    pub(crate) fn play(&mut self, chosen: &str) -> Result<(), Refusal> {
        self.ask(Command::Play(proposal(chosen)))
    }
}

fn in_context<T>(second: u64, decided: impl FnOnce(&Context<'_>) -> T) -> T {
    let hour = Duration::from_secs(3600);
    let lifetimes = Lifetimes { unplayed: hour, idle: hour, finished: hour };
    let limits = Limits { history: 20_000, lifetimes };
    let now = Timestamp::from_millis(second * 1_000);
    decided(&Context { now, random: &|bytes| bytes.fill(7), limits: &limits })
}
