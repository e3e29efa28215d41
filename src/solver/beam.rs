//! A search from draw to draw that keeps the tables which look best.
//!
//! Tables are compared only with others at the same point of the stock. Between two draws everything that a search
//! tries is played out; of what is found the best tables draw the next card.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::ground::Ground;
use super::position::{Position, Step};
use super::tries::{Branch, Tries};

/// Which tables have been looked at, by their hashes, which need no second one.
pub(super) type Seen = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// Takes a word for its own hash.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |word, &byte| word.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

/// How many tables a search keeps at a time at most, of some 400 bytes each, and how many steps it writes down, of 8
/// bytes each; beyond that it ends as if its budget had.
const MOST_AT_ONCE: usize = 200_000;
const MOST_STEPS: usize = 50_000_000;

/// A table that has been reached, and how.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) trail: Trail,
    pub(super) score: i32,
}

/// The end of a way, by its place among the steps that a search has made.
pub(super) type Trail = u32;

/// The way of no steps.
const START: Trail = Trail::MAX;

/// A step and the way that leads to it.
#[derive(Clone, Copy)]
struct Link {
    before: Trail,
    step: Step,
}

/// How a search has ended.
pub(super) enum End {
    /// This way wins.
    Won(Trail),
    /// There is nothing more to try.
    Tried {
        /// How many tables were left out, as others looked better.
        left_out: u64,
    },
    /// The tables that it might look at are used up.
    OutOfBudget,
}

/// What a search is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// To win: a table is of no use once captives wait for one another.
    ToWin,
    /// To place cards, though they do.
    ToPlace,
}

impl Aim {
    /// What there is to be had from a table.
    pub(super) fn from(start: &Position, ground: &Ground<'_>) -> Aim {
        if start.is_deadlocked(ground) { Aim::ToPlace } else { Aim::ToWin }
    }
}

/// A search from draw to draw.
pub(super) struct Beam<'a> {
    pub(super) ground: &'a Ground<'a>,
    aim: Aim,
    tries: Tries,
    links: Vec<Link>,
    seen: Seen,
    /// How many tables it has looked at, and how many it may look at.
    pub(super) tables: u64,
    most: u64,
    left_out: u64,
    /// How many cards were placed on the best table of the latest run.
    pub(super) most_placed: u8,
    /// The way to it.
    pub(super) best: Option<Trail>,
}

impl<'a> Beam<'a> {
    pub(super) fn new(ground: &'a Ground<'a>, aim: Aim, most: u64) -> Beam<'a> {
        Beam {
            ground,
            aim,
            tries: Tries::Likely,
            links: Vec::new(),
            seen: Seen::default(),
            tables: 0,
            most,
            left_out: 0,
            most_placed: 0,
            best: None,
        }
    }

    /// Searches from a table, keeping so many tables at a time.
    pub(super) fn run(&mut self, start: &Position, tries: Tries, width: usize) -> End {
        self.links.clear();
        (self.tries, self.left_out, self.most_placed, self.best) = (tries, 0, start.placed, None);
        let mut first = Node { position: start.clone(), trail: START, score: 0 };
        let is_of_use = self.go(&mut first, &[]);
        if first.position.is_won(self.ground) {
            return End::Won(first.trail);
        }
        let mut layer: Vec<Node> = is_of_use.then_some(first).into_iter().collect();
        while !layer.is_empty() {
            let mut all = Vec::new();
            let found = self.explored(layer, width, &mut all).and_then(|()| self.turned(all, width));
            match found {
                Ok(next) => layer = next,
                Err(end) => return end,
            }
        }
        End::Tried { left_out: self.left_out }
    }

    /// All that can be tried from a table before the next card is turned; the table itself comes first.
    pub(super) fn before_the_turn(&mut self, start: &Position, tries: Tries, width: usize) -> Vec<Node> {
        self.links.clear();
        self.tries = tries;
        let first = Node { position: start.clone(), trail: START, score: start.score(self.ground) };
        let mut all = Vec::new();
        // What was found before the budget ended is found all the same.
        let _end = self.explored(vec![first.clone()], width, &mut all);
        if all.is_empty() {
            all.push(first);
        }
        all
    }

    /// The steps of a way.
    pub(super) fn steps(&self, trail: Trail) -> Vec<Step> {
        let link = |trail: Trail| self.links.get(trail as usize).copied();
        let links = std::iter::successors(link(trail), |last| link(last.before));
        let mut steps: Vec<Step> = links.map(|link| link.step).collect();
        steps.reverse();
        steps
    }

    /// Adds all that is tried from some tables without turning a card, with those tables.
    fn explored(&mut self, layer: Vec<Node>, width: usize, all: &mut Vec<Node>) -> Result<(), End> {
        self.seen.clear();
        self.seen.extend(layer.iter().map(|node| node.position.hash()));
        let mut generation = layer;
        let mut branches = Vec::new();
        while !generation.is_empty() {
            let mut next = Vec::new();
            for node in &generation {
                branches.clear();
                self.tries.branches(self.ground, &node.position, &mut branches);
                for branch in &branches {
                    self.follow(node, branch, &mut next)?;
                }
                if all.len() + next.len() > MOST_AT_ONCE {
                    return Err(End::OutOfBudget);
                }
            }
            all.append(&mut generation);
            self.keep_best(&mut next, width);
            generation = next;
        }
        Ok(())
    }

    /// Some tables when the next card has been drawn, or the waste turned over.
    fn turned(&mut self, all: Vec<Node>, width: usize) -> Result<Vec<Node>, End> {
        self.seen.clear();
        let mut turned = Vec::new();
        for node in all {
            let wanted = node.position.wanted(self.ground);
            match node.position.turn(self.ground, &wanted) {
                Some(Step::DRAW) if node.position.draws_unseen(self.ground) => {}
                Some(step) => self.follow(&node, &Branch::of(step), &mut turned)?,
                None => {}
            }
        }
        self.keep_best(&mut turned, width);
        Ok(turned)
    }

    /// Adds the table to which a branch leads, if that is somewhere new.
    fn follow(&mut self, node: &Node, branch: &Branch, next: &mut Vec<Node>) -> Result<(), End> {
        self.tables += 1;
        if self.tables > self.most || self.links.len() > MOST_STEPS {
            return Err(End::OutOfBudget);
        }
        next.push(node.clone());
        if let Some(reached) = next.last_mut() {
            let is_of_use = self.go(reached, branch.steps());
            if reached.position.is_won(self.ground) {
                return Err(End::Won(reached.trail));
            }
            if !is_of_use || !self.seen.insert(reached.position.hash()) {
                next.pop();
            }
        }
        Ok(())
    }

    /// Goes some steps, and those that need no thought, and says whether that may be of use.
    fn go(&mut self, node: &mut Node, steps: &[Step]) -> bool {
        let placed = node.position.placed;
        for &step in steps {
            self.play(node, step);
        }
        while let Some(step) = self.tries.certain(self.ground, &node.position) {
            self.play(node, step);
        }
        node.score = node.position.score(self.ground);
        if node.position.placed > self.most_placed {
            (self.most_placed, self.best) = (node.position.placed, Some(node.trail));
        }
        let may_be_deadlocked = self.aim == Aim::ToWin && (node.position.placed != placed || steps.is_empty());
        !(may_be_deadlocked && node.position.is_deadlocked(self.ground))
    }

    fn play(&mut self, node: &mut Node, step: Step) {
        node.position.play(self.ground, step);
        self.links.push(Link { before: node.trail, step });
        node.trail = (self.links.len() - 1) as Trail;
    }

    fn keep_best(&mut self, nodes: &mut Vec<Node>, width: usize) {
        if nodes.len() <= width {
            return;
        }
        self.left_out += (nodes.len() - width) as u64;
        let mut order: Vec<(i32, usize)> = nodes.iter().enumerate().map(|(at, node)| (-node.score, at)).collect();
        order.select_nth_unstable(width);
        order.truncate(width);
        let mut at = 0;
        let mut keeps = vec![false; nodes.len()];
        order.iter().for_each(|&(_, kept)| keeps[kept] = true);
        nodes.retain(|_| {
            at += 1;
            keeps[at - 1]
        });
    }
}
