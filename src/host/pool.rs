//! The deals that are kept ready because they can be won: how many there are of each variant, which is to be searched
//! for next, and when it is given up. Who draws the seeds and tries them is [`winnable`](super::winnable).
//!
//! Architecture Invariant: a seed leaves the pool when it is taken and never comes back, so nobody gets one that
//! somebody else has had.

use std::collections::HashMap;
use std::time::Duration;

use crate::cards::Seed;
use crate::games::Variant;

/// How many variants are remembered besides those that are always prepared.
const MOST_VARIANTS: usize = 128;

/// After so many deals of a variant in a row of which none was won, or so many tables, it is given up.
const MOST_EFFORT: Effort = Effort { deals: 20_000, tables: 10_000_000 };

/// For how long a variant that was given up is not tried again.
const GIVEN_UP_FOR: Duration = Duration::from_secs(600);

/// Deals that can be won.
#[derive(Debug)]
pub(super) struct Pool {
    shelves: HashMap<Variant, Shelf>,
    most_variants: usize,
    /// How many are kept ready of each variant.
    keep: usize,
    /// How many searches there may be at once, and are.
    most_searches: usize,
    searches: usize,
    turns: Turn,
}

/// What has happened later has a greater one.
type Turn = u64;

/// What there is of a variant.
#[derive(Debug, Default)]
struct Shelf {
    ready: Vec<Seed>,
    /// It is always prepared, and never forgotten.
    is_standard: bool,
    /// Somebody has asked for one and not got it.
    is_wanted: bool,
    searches: usize,
    /// Since the last that was won.
    in_vain: Effort,
    /// When it was, on the clock that never goes back.
    given_up: Option<Duration>,
    asked: Turn,
    searched: Turn,
}

/// What searching has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
    pub(super) deals: u64,
    pub(super) tables: u64,
}

/// What a search has come to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The seed of a deal that was won.
    pub(super) won: Option<Seed>,
    /// What the deals have taken that were not.
    pub(super) in_vain: Effort,
}

/// What one who asks for a deal gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The seed of one.
    Seed(Seed),
    /// There is none at the moment.
    NotYet,
    /// So many were tried in vain that there is hardly any.
    GivenUp,
}

impl Pool {
    /// An empty pool that keeps so many deals of each variant, found by so many searches at once.
    pub(super) fn new(keep: usize, most_searches: usize) -> Pool {
        Pool { shelves: HashMap::new(), most_variants: MOST_VARIANTS, keep, most_searches, searches: 0, turns: 0 }
    }

    /// Prepares a variant from now on, whether somebody asks for it or not.
    pub(super) fn prepare(&mut self, variant: Variant) {
        self.shelves.entry(variant).or_default().is_standard = true;
    }

    /// Takes a deal of a variant. It is prepared from now on, until others have been asked for.
    pub(super) fn take(&mut self, variant: &Variant, now: Duration) -> Taken {
        let turn = self.turn();
        if !self.shelves.contains_key(variant) {
            self.make_room();
        }
        let shelf = self.shelves.entry(variant.clone()).or_default();
        shelf.asked = turn;
        if let Some(seed) = shelf.ready.pop() {
            shelf.is_wanted = false;
            return Taken::Seed(seed);
        }
        match shelf.given_up {
            Some(at) if now < at + GIVEN_UP_FOR => return Taken::GivenUp,
            Some(_) => (shelf.given_up, shelf.in_vain) = (None, Effort::default()),
            None => {}
        }
        shelf.is_wanted = true;
        Taken::NotYet
    }

    /// What is to be searched for now, if there is anything: first what somebody waits for, each variant in turn.
    /// That search has begun with this; [`searched`](Pool::searched) ends it.
    pub(super) fn next_search(&mut self) -> Option<Variant> {
        if self.searches >= self.most_searches {
            return None;
        }
        let keep = self.keep;
        let lacking = self.shelves.iter_mut().filter(|(_, shelf)| shelf.lacks(keep));
        let (variant, shelf) = lacking.min_by_key(|(_, shelf)| (!shelf.is_wanted, shelf.searched))?;
        shelf.searches += 1;
        let variant = variant.clone();
        self.searches += 1;
        let turn = self.turn();
        if let Some(shelf) = self.shelves.get_mut(&variant) {
            shelf.searched = turn;
        }
        Some(variant)
    }

    /// Ends a search with what it has found.
    pub(super) fn searched(&mut self, variant: &Variant, found: Found, now: Duration) {
        self.searches = self.searches.saturating_sub(1);
        // What nobody has asked for since others were is forgotten.
        let Some(shelf) = self.shelves.get_mut(variant) else {
            return;
        };
        shelf.searches = shelf.searches.saturating_sub(1);
        match found.won {
            Some(seed) => {
                shelf.ready.push(seed);
                shelf.in_vain = Effort::default();
            }
            None => shelf.in_vain += found.in_vain,
        }
        if shelf.in_vain.is_too_much() && shelf.given_up.is_none() {
            shelf.given_up = Some(now);
            shelf.is_wanted = false;
        }
    }

    /// How many are ready of a game, in all its variants.
    pub(super) fn ready(&self, game: &str) -> usize {
        let of_game = self.shelves.iter().filter(|(variant, _)| variant.game.id == game);
        of_game.map(|(_, shelf)| shelf.ready.len()).sum()
    }

    fn turn(&mut self) -> Turn {
        self.turns += 1;
        self.turns
    }

    /// Forgets the variant that was asked for least recently, if there is no room for one more.
    fn make_room(&mut self) {
        let others = || self.shelves.iter().filter(|(_, shelf)| !shelf.is_standard);
        if others().count() < self.most_variants {
            return;
        }
        let oldest = others().min_by_key(|(_, shelf)| shelf.asked).map(|(variant, _)| variant.clone());
        oldest.and_then(|oldest| self.shelves.remove(&oldest));
    }
}

impl Shelf {
    /// Whether one more is to be searched for. Where none are kept ready, one is while somebody wants it.
    fn lacks(&self, keep: usize) -> bool {
        let wanted = keep.max(usize::from(self.is_wanted));
        self.given_up.is_none() && self.ready.len() + self.searches < wanted
    }
}

impl Effort {
    fn is_too_much(self) -> bool {
        self.deals >= MOST_EFFORT.deals || self.tables >= MOST_EFFORT.tables
    }
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, more: Effort) {
        self.deals = self.deals.saturating_add(more.deals);
        self.tables = self.tables.saturating_add(more.tables);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{CATALOGUE, OptionValue};

    const NOW: Duration = Duration::from_secs(5);
    const SECOND: Duration = Duration::from_secs(1);

    /// A variant that has so many redeals.
    fn redeals(redeals: i64) -> Variant {
        let game = CATALOGUE[0];
        let options = game.options_from([("redeals".to_string(), OptionValue::Number(redeals))]).unwrap();
        Variant { game, options }
    }

    fn seed(number: u8) -> Seed {
        Seed::from_random([number; 16])
    }

    fn won(number: u8) -> Found {
        Found { won: Some(seed(number)), in_vain: Effort { deals: 3, tables: 400_000 } }
    }

    fn in_vain(deals: u64, tables: u64) -> Found {
        Found { won: None, in_vain: Effort { deals, tables } }
    }

    /// What is searched for when every search finds something, until nothing is any more.
    fn fill(pool: &mut Pool) -> Vec<Variant> {
        let mut searched = Vec::new();
        while let Some(variant) = pool.next_search() {
            pool.searched(&variant, won(searched.len() as u8), NOW);
            searched.push(variant);
        }
        searched
    }

    #[test]
    fn standard_variants_are_prepared_in_turn_and_made_up_for_when_one_is_taken() {
        let mut pool = Pool::new(3, 2);
        CATALOGUE.into_iter().map(Variant::standard).for_each(|variant| pool.prepare(variant));
        let searched = fill(&mut pool);
        assert_eq!(searched.len(), 9);
        assert!(searched.chunks(3).all(|round| CATALOGUE.iter().all(|game| round.contains(&Variant::standard(game)))));
        assert!(CATALOGUE.iter().all(|game| pool.ready(game.id) == 3));
        let taken = Variant::standard(CATALOGUE[1]);
        assert!(matches!(pool.take(&taken, NOW), Taken::Seed(_)));
        assert_eq!(fill(&mut pool), [taken]);
    }

    #[test]
    fn a_seed_is_taken_once() {
        let mut pool = Pool::new(2, 1);
        pool.prepare(redeals(1));
        fill(&mut pool);
        let [one, other] = [(); 2].map(|()| pool.take(&redeals(1), NOW));
        assert_ne!(one, other);
        assert_eq!(pool.take(&redeals(1), NOW), Taken::NotYet);
        assert_eq!(pool.ready(CATALOGUE[0].id), 0);
    }

    #[test]
    fn there_are_so_many_searches_at_once_and_no_more_for_one_variant_than_it_lacks() {
        let mut pool = Pool::new(2, 3);
        pool.prepare(redeals(1));
        assert_eq!([(); 3].map(|()| pool.next_search()), [Some(redeals(1)), Some(redeals(1)), None]);
        pool.prepare(redeals(2));
        assert_eq!([(); 2].map(|()| pool.next_search()), [Some(redeals(2)), None]);
        pool.searched(&redeals(1), won(0), NOW);
        assert_eq!(pool.next_search(), Some(redeals(2)));
    }

    #[test]
    fn what_somebody_waits_for_is_searched_for_first() {
        let mut pool = Pool::new(3, 1);
        pool.prepare(redeals(1));
        let _other = pool.next_search().map(|variant| pool.searched(&variant, won(0), NOW));
        assert_eq!(pool.take(&redeals(2), NOW), Taken::NotYet);
        for _ in 0..5 {
            assert_eq!(pool.next_search(), Some(redeals(2)));
            pool.searched(&redeals(2), in_vain(1, 1), NOW);
        }
        assert_eq!(pool.next_search(), Some(redeals(2)));
        pool.searched(&redeals(2), won(1), NOW);
        assert_eq!(pool.take(&redeals(2), NOW), Taken::Seed(seed(1)));
        assert_eq!(pool.next_search(), Some(redeals(1)), "it is its turn");
    }

    #[test]
    fn where_none_are_kept_ready_one_is_searched_for_when_somebody_asks() {
        let mut pool = Pool::new(0, 5);
        pool.prepare(redeals(1));
        assert_eq!(pool.next_search(), None);
        assert_eq!(pool.take(&redeals(1), NOW), Taken::NotYet);
        assert_eq!(fill(&mut pool), [redeals(1)]);
        assert!(matches!(pool.take(&redeals(1), NOW), Taken::Seed(_)));
        assert_eq!(pool.next_search(), None);
    }

    #[test]
    fn a_variant_is_given_up_after_so_many_deals_or_tables_in_vain_and_tried_again_when_it_is_asked_for_later() {
        for found in [|| in_vain(MOST_EFFORT.deals / 4, 1), || in_vain(1, MOST_EFFORT.tables / 4)] {
            let mut pool = Pool::new(2, 1);
            assert_eq!(pool.take(&redeals(0), NOW), Taken::NotYet);
            for _ in 0..4 {
                assert_eq!(pool.take(&redeals(0), NOW), Taken::NotYet);
                assert_eq!(pool.next_search(), Some(redeals(0)));
                pool.searched(&redeals(0), found(), NOW);
            }
            for now in [NOW, NOW + GIVEN_UP_FOR - SECOND] {
                assert_eq!(pool.take(&redeals(0), now), Taken::GivenUp);
                assert_eq!(pool.next_search(), None);
            }
            assert_eq!(pool.take(&redeals(0), NOW + GIVEN_UP_FOR), Taken::NotYet);
            assert_eq!(pool.next_search(), Some(redeals(0)));
        }
    }

    #[test]
    fn a_deal_that_is_won_makes_up_for_those_that_were_not() {
        let mut pool = Pool::new(100, 1);
        pool.prepare(redeals(0));
        for _ in 0..20 {
            pool.next_search();
            pool.searched(&redeals(0), in_vain(MOST_EFFORT.deals - 1, MOST_EFFORT.tables - 1), NOW);
            pool.next_search();
            pool.searched(&redeals(0), won(0), NOW);
        }
        assert_eq!(pool.next_search(), Some(redeals(0)));
    }

    #[test]
    fn what_is_ready_is_given_even_if_no_more_is_searched_for() {
        let mut pool = Pool::new(2, 1);
        pool.prepare(redeals(0));
        for found in [won(7), in_vain(MOST_EFFORT.deals, 0)] {
            pool.next_search();
            pool.searched(&redeals(0), found, NOW);
        }
        assert_eq!(pool.take(&redeals(0), NOW), Taken::Seed(seed(7)));
        assert_eq!(pool.take(&redeals(0), NOW), Taken::GivenUp);
    }

    #[test]
    fn the_variant_that_was_asked_for_least_recently_gives_way_and_standard_ones_stay() {
        let mut pool = Pool { most_variants: 2, ..Pool::new(1, 1) };
        pool.prepare(redeals(2));
        [3, 4, 3].into_iter().for_each(|number| drop(pool.take(&redeals(number), NOW)));
        fill(&mut pool);
        pool.take(&redeals(5), NOW);
        let kept = [2, 3, 4, 5].map(|number| pool.shelves.contains_key(&redeals(number)));
        assert_eq!(kept, [true, true, false, true]);
        assert!(matches!(pool.take(&redeals(3), NOW), Taken::Seed(_)));
        pool.searched(&redeals(4), won(9), NOW);
        assert_eq!(pool.take(&redeals(4), NOW), Taken::NotYet, "nobody will ask for it");
    }
}
