//! What a player could do next, from what he has seen.
//!
//! What can be done before the next card is turned is played out, and each way of doing it is tried on some decks that
//! the player might have before him: the cards that nobody has seen are shuffled, and the game is played on as if they
//! were known. The way that wins on most of them, and most easily, is the one to go; where captives might wait for one
//! another, it counts besides how likely it is that they do not. Where nothing is unseen, a line is looked for that wins.
//!
//! Whoever follows hints never comes back to a table that he has left, until something was placed, drawn or taken from
//! the waste, none of which is ever taken back. For as long as none of that happens, only runs are moved between tableau
//! piles: off a card that could be placed, which is kept [open](Tries::Forward) from then on; or onto a card that they
//! continue, which makes one run of two; or into a space from the cards under them. The number of open cards that could
//! be placed never falls, and rises in the first case; in the second the runs become fewer; in the third they stay as
//! many, and more of them lie at the bottom of a pile.
//!
//! Where no card can be turned, only such of these moves are recommended as lead to one of those events, and then those
//! that are left to it still do. If none does, runs have to be taken apart: then the hint is the first move of a shortest
//! [way on](Position::way_on), and each of them makes that shorter, until one of the events has come or such moves lead
//! to one. So it is too where all cards have been seen, and to turn one would be the end.

use std::cmp::Reverse;

use crate::rules::{Engine, Known, Move};

use super::Budget;
use super::beam::{Aim, Beam, End, Node};
use super::ground::{Ground, WASTE};
use super::hope::hopes;
use super::outlook::WayOn;
use super::position::{Position, Step};
use super::random::Random;
use super::tries::Tries;

/// What a player could do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The move.
    pub chosen: Move,
    /// What speaks for it.
    pub why: Why,
}

/// What speaks for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A card reaches its place.
    Places,
    /// A pile becomes a space.
    MakesSpace,
    /// A run becomes longer.
    Builds,
    /// A run is split, and the card that it lay on can be placed.
    Releases,
    /// The card under a run is free.
    Uncovers,
    /// A run is split, since nothing else leads on.
    TakesApart,
    /// The top of the waste goes to a space, and the next one is free.
    ClearsWaste,
    /// There is nothing better than to draw.
    OnlyDraws,
    /// There is nothing better than to turn the waste over.
    OnlyRedeals,
}

impl Why {
    /// It as a sentence for a person.
    pub const fn sentence(self) -> &'static str {
        match self {
            Why::Places => "This card can go to its place.",
            Why::MakesSpace => "This makes a space.",
            Why::Builds => "This makes a longer run.",
            Why::Releases => "This frees a card that can go to its place.",
            Why::Uncovers => "This is worth a space: it frees the card underneath.",
            Why::TakesApart => "This takes a run apart, without which nothing gets any further.",
            Why::ClearsWaste => "This card is worth a space.",
            Why::OnlyDraws => "Nothing on the table is worth doing now: draw the next card.",
            Why::OnlyRedeals => "Nothing on the table is worth doing now: turn the waste over.",
        }
    }
}

/// How many tables are kept at a time while it is played out what can be done before the next card is turned.
const BEFORE_THE_TURN: usize = 32;

/// How many ways stay in the running at most, and on how many more decks each of them is tried, round after round.
const ROUNDS: [(usize, usize); 4] = [(8, 6), (6, 6), (4, 12), (3, 24)];

/// After how many decks two ways that came to the same on each of them are taken to be as good as each other.
const ENOUGH_DECKS: i64 = 6;

/// How many tables are kept at a time on each of those decks, one search after the other until one wins. The narrower it
/// is, the more easily the game is won: a way that wins only if all cards are known and everything is tried is a poor one
/// for somebody who does not know them.
const WIDTHS: [usize; 4] = [1, 2, 4, 8];

/// How many tables are kept at a time where nothing is unseen, one search after the other until one wins.
const LINE_WIDTHS: [usize; 5] = [4, 16, 64, 256, 1_024];

/// How many tables are looked at to see that nothing can be done any more: at the table as it is, and after what might be
/// done.
pub const TO_SEE_THE_END: u64 = 20_000;
const TO_SEE_THE_END_AHEAD: u64 = 2_000;

/// The move to be recommended, within a budget; none if no move gets any further.
///
/// The same for everyone who knows the same: it follows from what is known and from the budget alone.
pub fn hint(engine: &Engine, known: &Known, budget: Budget) -> Option<Hint> {
    let (ground, start) = Ground::new(engine, known)?;
    let step = advice(&ground, &start, budget)?;
    Some(Hint { chosen: step.as_move(&ground), why: start.reason(&ground, step) })
}

fn advice(ground: &Ground<'_>, start: &Position, budget: Budget) -> Option<Step> {
    // What gets nowhere is not to be recommended.
    let first_on_the_way = match start.way_on(ground, TO_SEE_THE_END.min(budget.tables)) {
        WayOn::None => return None,
        WayOn::Starts(step) => Some(step),
        WayOn::Unknown => None,
    };
    let turn = start.turn(ground, &start.wanted(ground));
    let is_all_seen = ground.unseen() == 0;
    let certain = Tries::Forward.certain(ground, start);
    if let Some(step) = certain.filter(|step| step.places(ground) || turn.is_some() && !is_all_seen) {
        return Some(step);
    }
    let found = if is_all_seen {
        first_of_best_line(ground, start, budget)
    } else {
        first_of_most_promising(ground, start, turn.is_some(), budget)
    };
    let is_the_end = |turn: &Step| is_all_seen && start.gets_stuck_after(ground, *turn);
    found.or(turn.filter(|turn| !is_the_end(turn))).or(first_on_the_way).or(turn)
}

/// The first step of a line that wins, or of the one that places most cards, if it places any.
fn first_of_best_line(ground: &Ground<'_>, start: &Position, budget: Budget) -> Option<Step> {
    let mut beam = Beam::new(ground, Aim::from(start, ground), budget.tables);
    for width in LINE_WIDTHS {
        match beam.run(start, Tries::Forward, width) {
            End::Won(trail) => return beam.steps(trail).first().copied(),
            End::Tried { left_out: 1.. } => {}
            End::Tried { left_out: 0 } | End::OutOfBudget => break,
        }
    }
    beam.steps(beam.best?).first().copied()
}

/// The first step to the table from which the game goes on best; none if it is best to turn a card.
fn first_of_most_promising(ground: &Ground<'_>, start: &Position, can_turn: bool, budget: Budget) -> Option<Step> {
    let aim = Aim::from(start, ground);
    let mut beam = Beam::new(ground, aim, budget.tables);
    let mut ways = beam.before_the_turn(start, Tries::Forward, BEFORE_THE_TURN);
    if !can_turn {
        ways.retain(|node| gets_somewhere(ground, start, &node.position));
    }
    let best = most_promising(ground, start, ways, aim, budget.tables.saturating_sub(beam.tables))?;
    beam.steps(best.trail).first().copied()
}

/// Whether a table has more cards placed than another, or fewer in the waste and not for nothing, as far as is soon seen.
fn gets_somewhere(ground: &Ground<'_>, start: &Position, reached: &Position) -> bool {
    let clears_waste = || reached.len(WASTE) < start.len(WASTE);
    reached.placed > start.placed || clears_waste() && reached.way_on(ground, TO_SEE_THE_END_AHEAD) != WayOn::None
}

/// A way that is in the running.
struct Way {
    /// How the game went on from there, on each deck so far.
    values: Vec<u64>,
    /// How likely it is that all captives can be freed: by so much each value is multiplied.
    hope: u64,
    node: Node,
}

impl Way {
    fn sum(&self) -> u64 {
        self.values.iter().sum()
    }

    /// Whether it has done so much worse than the leader, on the same decks, that it will hardly catch up: by more than
    /// the standard error of the difference, or never better and never worse on enough of them.
    fn is_outdone_by(&self, leader: &Way) -> bool {
        let differences = || leader.values.iter().zip(&self.values).map(|(&most, &value)| most as i64 - value as i64);
        let decks = self.values.len() as i64;
        let (sum, squares) = (differences().sum::<i64>(), differences().map(|each| each * each).sum::<i64>());
        let is_alike = squares == 0;
        // The mean is above the standard error, in whole numbers.
        if is_alike { decks >= ENOUGH_DECKS } else { (decks + 1) * sum * sum >= decks * squares }
    }
}

/// The table from which the game goes on best on decks that there might be.
fn most_promising(ground: &Ground<'_>, start: &Position, mut ways: Vec<Node>, aim: Aim, most: u64) -> Option<Node> {
    let mut random = Random::from(start.hash());
    let mut tables = 0;
    ways.sort_by_key(|node| Reverse(node.score));
    ways.truncate(ROUNDS[0].0);
    let reached: Vec<&Position> = ways.iter().map(|node| &node.position).collect();
    let hopes = hopes(ground, start, &reached, &mut random);
    let mut ways: Vec<Way> =
        ways.into_iter().zip(hopes).map(|(node, hope)| Way { values: Vec::new(), hope, node }).collect();
    for (stay, decks) in ROUNDS {
        ways.truncate(stay);
        if ways.len() <= 1 {
            break;
        }
        for _ in 0..decks {
            let imagined = ground.imagined(&mut random);
            let mut beam = Beam::new(&imagined, aim, most - tables);
            let values: Option<Vec<u64>> = ways.iter().map(|way| value(&mut beam, &way.node)).collect();
            tables = most.min(tables + beam.tables);
            // A deck on which not all ways were tried says nothing.
            let Some(values) = values else { break };
            ways.iter_mut().zip(values).for_each(|(way, value)| way.values.push(value * way.hope));
        }
        // Of equals the one comes first that did before.
        ways.sort_by_key(|way| Reverse(way.sum()));
        let mut others = ways.split_off(1);
        others.retain(|way| !way.is_outdone_by(&ways[0]));
        ways.append(&mut others);
    }
    ways.into_iter().next().map(|way| way.node)
}

/// How a game goes on from a table: how many cards are placed in the end; for a game that is won as many more, and half of
/// them again for each search that need not be tried. Nothing if the budget has ended.
fn value(beam: &mut Beam<'_>, node: &Node) -> Option<u64> {
    let cards = u64::from(beam.ground.cards());
    let mut most_placed = 0;
    for (width, spared) in WIDTHS.into_iter().zip((0..WIDTHS.len() as u64).rev()) {
        match beam.run(&node.position, Tries::Forward, width) {
            End::Won(_) => return Some(2 * cards + spared * cards / 2),
            End::Tried { left_out } => {
                most_placed = most_placed.max(u64::from(beam.most_placed));
                if left_out == 0 {
                    break;
                }
            }
            End::OutOfBudget => return None,
        }
    }
    Some(most_placed)
}

impl Position {
    /// Whether it is soon seen that nothing can be done any more after a move.
    fn gets_stuck_after(&self, ground: &Ground<'_>, step: Step) -> bool {
        let mut next = self.clone();
        next.play(ground, step);
        next.way_on(ground, TO_SEE_THE_END_AHEAD) == WayOn::None
    }

    /// What speaks for a move.
    fn reason(&self, ground: &Ground<'_>, step: Step) -> Why {
        let is_space = || self.top(step.to).is_none();
        match step {
            Step::DRAW => Why::OnlyDraws,
            Step::REDEAL => Why::OnlyRedeals,
            step if step.places(ground) => Why::Places,
            Step { from: WASTE, .. } if is_space() => Why::ClearsWaste,
            Step { from, count, .. } if from != WASTE && count == self.len(from) => Why::MakesSpace,
            Step { from, count, .. } if from != WASTE && count < self.run_length(ground, from) => {
                let exposed = self.wanted(ground).takers(ground.kind(self.nth(from, count)));
                if exposed & ground.homes == 0 { Why::TakesApart } else { Why::Releases }
            }
            _ if is_space() => Why::Uncovers,
            _ => Why::Builds,
        }
    }
}
