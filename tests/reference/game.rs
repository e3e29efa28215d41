//! Which games there are, with which options.

use patience::cards::Rank;

/// A game and the options that it is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Captive Queens, one pack.
    CaptiveQueens {
        /// What is laid out before the deal.
        start: Start,
        /// Whether a playable waste card must be played first.
        play: Play,
        /// How often the waste may be turned over.
        redeals: u32,
    },
    /// Napoleon's Square, two packs.
    NapoleonsSquare {
        /// Whether runs are moved, or single cards only.
        moves: Moves,
    },
    /// Topsy-Turvy Queens, two packs.
    TopsyTurvyQueens {
        /// Which place a king may go to.
        kings: Kings,
        /// Whether a king may be built on an ace in the tableau.
        corner: Corner,
        /// How often the waste may be turned over.
        redeals: u32,
        /// The rank that foundations start with: the king, or in a variant the ace, which then has
        /// the role that the king has.
        foundations_start: Rank,
    },
    /// Forty Thieves, two packs: the plainest game of the family, to compare the engine with on
    /// something that it was not made for.
    FortyThieves,
}

/// Captive Queens: what is laid out before the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Nothing.
    Empty,
    /// The four queens in the centre.
    Queens,
    /// The queens, and all fives and sixes on foundations 1 to 8.
    Full,
}

/// Captive Queens: whether a playable waste card must be played first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// It must.
    Forced,
    /// Drawing and redealing are allowed all the same.
    Free,
}

/// Napoleon's Square: how many cards go from tableau pile to tableau pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Any run.
    Runs,
    /// One card at a time.
    Single,
}

/// Topsy-Turvy Queens: which place a king may go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kings {
    /// The leftmost place that has no king yet.
    LeftToRight,
    /// Any place that has no king yet.
    Any,
}

/// Topsy-Turvy Queens: whether a king may be built on an ace in the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// It may not.
    Closed,
    /// It may, and runs may pass that corner.
    Turned,
}

impl Game {
    /// The game with that id on the wire and those options, by name and value on the wire (a
    /// number as decimal text); an option left out takes its default.
    ///
    /// # Panics
    /// On an unknown game, an option that it does not have or that is there twice, a value that
    /// the option does not have.
    pub fn named(game: &str, options: &[(&str, &str)]) -> Game {
        let known: &[&str] = match game {
            "captive-queens" => &["start", "play", "redeals"],
            "napoleons-square" => &["moves"],
            "topsy-turvy-queens" => &["kings", "corner", "redeals"],
            "forty-thieves" => &[],
            _ => panic!("no such game: {game}"),
        };
        for (index, (name, _)) in options.iter().enumerate() {
            assert!(known.contains(name), "{game} has no option {name}");
            let before = &options[..index];
            assert!(before.iter().all(|(other, _)| other != name), "option {name} is there twice");
        }
        let value = |name: &str| {
            let found = options.iter().find(|(each, _)| *each == name);
            found.map(|(_, value)| *value)
        };

        match game {
            // > `start`: `empty` (default) · `queens` · `full`. `play`: `forced` (default) ·
            // > `free`. `redeals`: `2` (default), 0 to 10.
            "captive-queens" => Game::CaptiveQueens {
                start: match value("start").unwrap_or("empty") {
                    "empty" => Start::Empty,
                    "queens" => Start::Queens,
                    "full" => Start::Full,
                    other => panic!("no such start: {other}"),
                },
                play: match value("play").unwrap_or("forced") {
                    "forced" => Play::Forced,
                    "free" => Play::Free,
                    other => panic!("no such play: {other}"),
                },
                redeals: redeals(value("redeals").unwrap_or("2")),
            },
            // > `moves`: `runs` (default) · `single`
            "napoleons-square" => Game::NapoleonsSquare {
                moves: match value("moves").unwrap_or("runs") {
                    "runs" => Moves::Runs,
                    "single" => Moves::Single,
                    other => panic!("no such moves: {other}"),
                },
            },
            // > `kings`: `left_to_right` (default) · `any`. `corner`: `closed` (default) ·
            // > `turned`. `redeals`: `2` (default), 0 to 10.
            "topsy-turvy-queens" => Game::TopsyTurvyQueens {
                kings: match value("kings").unwrap_or("left_to_right") {
                    "left_to_right" => Kings::LeftToRight,
                    "any" => Kings::Any,
                    other => panic!("no such kings: {other}"),
                },
                corner: match value("corner").unwrap_or("closed") {
                    "closed" => Corner::Closed,
                    "turned" => Corner::Turned,
                    other => panic!("no such corner: {other}"),
                },
                redeals: redeals(value("redeals").unwrap_or("2")),
                foundations_start: Rank::King,
            },
            "forty-thieves" => Game::FortyThieves,
            _ => panic!("no such game: {game}"),
        }
    }

    /// How many packs it is played with.
    pub fn packs(&self) -> usize {
        match self {
            // > Captive Queens — one pack, 52 cards
            Game::CaptiveQueens { .. } => 1,
            // > Napoleon's Square — two packs, 104 cards
            Game::NapoleonsSquare { .. } => 2,
            // > Topsy-Turvy Queens — two packs, 104 cards
            Game::TopsyTurvyQueens { .. } => 2,
            Game::FortyThieves => 2,
        }
    }

    /// How many tableau piles there are.
    pub(super) fn tableau_piles(&self) -> usize {
        match self {
            // > tableau | none
            Game::CaptiveQueens { .. } => 0,
            // > twelve tableau piles of four face-up cards
            Game::NapoleonsSquare { .. } => 12,
            // > eight tableau piles of four face-up cards
            Game::TopsyTurvyQueens { .. } => 8,
            // Ten tableau piles of four face-up cards.
            Game::FortyThieves => 10,
        }
    }

    /// Whether there is a pile `queens`.
    ///
    /// > and in Captive Queens `queens`
    pub(super) fn has_queens_pile(&self) -> bool {
        matches!(self, Game::CaptiveQueens { .. })
    }

    /// How often the waste may be turned over in the whole game.
    pub(super) fn redeals(&self) -> u32 {
        match self {
            Game::CaptiveQueens { redeals, .. } => *redeals,
            // > redeals | none (`redeals_left` is 0)
            Game::NapoleonsSquare { .. } => 0,
            Game::TopsyTurvyQueens { redeals, .. } => *redeals,
            // No redeal.
            Game::FortyThieves => 0,
        }
    }
}

/// > `redeals`: `2` (default), 0 to 10.
fn redeals(text: &str) -> u32 {
    let known = 0..=10;
    for number in known {
        if number.to_string() == text {
            return number;
        }
    }
    panic!("redeals must be 0 to 10, not {text}")
}
