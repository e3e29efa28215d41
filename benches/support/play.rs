//! Random play, the same in every run.

use std::sync::Arc;

use patience::cards::Seed;
use patience::games::{self, Game};
use patience::rules::{Engine, Move, Table};

/// A generator of numbers that costs next to nothing (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `bound`, near enough to equally likely.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        ((u128::from(word) * bound as u128) >> 64) as usize
    }
}

/// A game in which a random legal move follows the other.
pub(crate) struct RandomPlay {
    engine: Arc<Engine>,
    table: Table,
    legal: Vec<Move>,
    random: Random,
}

impl RandomPlay {
    pub(crate) fn new(game: &Game, deal: usize) -> RandomPlay {
        let engine = game.engine(&game.default_options());
        let table = dealt(&engine, deal);
        RandomPlay { engine, table, legal: Vec::new(), random: Random::new(deal as u64) }
    }

    /// Starts again from another deal.
    pub(crate) fn deal(&mut self, deal: usize) {
        self.table = dealt(&self.engine, deal);
    }

    /// Plays a move; none if there is no legal one.
    pub(crate) fn play(&mut self) -> Option<Move> {
        self.legal.clear();
        self.engine.list_moves(self.table.view(), &mut self.legal);
        let chosen = *self.legal.get(self.random.below(self.legal.len()))?;
        for step in &self.engine.steps(&self.table, chosen) {
            self.table.apply(step).expect("a step fits the table that it was made from");
        }
        Some(chosen)
    }
}

/// The table of a deal, from the text of its seed on.
pub(crate) fn dealt(engine: &Engine, deal: usize) -> Table {
    let seed = Seed::try_from(seed(deal)).expect("this is a seed");
    engine.deal(&seed.deck(engine.rules().packs))
}

fn seed(deal: usize) -> String {
    format!("bench {deal}")
}

/// A game as it is played over HTTP: the body that makes its session, and those of its moves.
pub(crate) struct Recording {
    pub(crate) opening: String,
    pub(crate) moves: Vec<String>,
}

const GAME: &str = "napoleons-square";

/// The games that servers are compared with: two hundred, up to 150 moves long.
pub(crate) fn recorded() -> Arc<[Recording]> {
    record(200, 150).into()
}

/// Games of Napoleon's Square, each up to so many moves long.
pub(crate) fn record(games: usize, length: usize) -> Vec<Recording> {
    let game = games::find(GAME).expect("it is in the catalogue");
    let record = |deal| {
        let mut play = RandomPlay::new(game, deal);
        let moves = std::iter::from_fn(|| play.play().map(|chosen| body(&play.engine, chosen)));
        let moves = moves.take(length).collect();
        Recording { opening: opening(deal), moves }
    };
    (0..games).map(record).collect()
}

/// The body that makes a session of Napoleon's Square.
pub(crate) fn opening(deal: usize) -> String {
    serde_json::json!({ "game": GAME, "seed": seed(deal) }).to_string()
}

fn body(engine: &Engine, chosen: Move) -> String {
    let body = match chosen {
        Move::Draw => serde_json::json!({ "type": "draw" }),
        Move::Redeal => serde_json::json!({ "type": "redeal" }),
        Move::Transfer { from, to, count } => {
            serde_json::json!({ "type": "move", "from": engine.name(from), "to": engine.name(to), "count": count })
        }
    };
    body.to_string()
}
