//! What is measured of the host and its store, by the names under which it is told.

pub use crate::store::measures::*;

/// How many searches there were, by what was searched for and how it ended: `done`, `failed`, `left` (nobody waited
/// for it any more, and it was not begun) or `full` (it was turned away).
pub const SEARCHES: &str = "patience_searches_total";
/// How long searches took, in seconds, by what was searched for: a histogram.
pub const SEARCH_SECONDS: &str = "patience_search_duration_seconds";
/// How many deals were tried, by game and by what the solver found: `won`, `unwinnable` or `unknown`.
pub const DEALS_SEARCHED: &str = "patience_deals_searched_total";
