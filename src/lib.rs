//! Patience: a game server for patience (solitaire) games that several people can play and watch at
//! once.
//!
//! # The house
//!
//! | room | what is in it |
//! |---|---|
//! | [`cards`] | ranks, suits, decks, and the shuffles that turn a seed or a number into a deck |
//! | [`rules`] | the engine: what the rules of a game can say, and what they mean on a table |
//! | [`games`] | one file a game: its options and the rules that they give |
//! | [`session`] | what a session is: a deal and a log; commands and what is decided about them; seats; races |
//! | [`solver`] | search over tables and over what a player can see |
//! | [`store`] | where logs live: in memory, in SQLite, in Redis |
//! | [`host`] | sessions and races at work: load, decide, append, publish, expire |
//! | [`http`] | routes, extractors, wire types, problem documents, connections, live streams |
//! | [`web`] | the built-in table: a page that plays every game, and the API's reference to read |
//! | [`config`] | every setting: flag, variable, default, unit, bound |
//! | [`cli`] | one file a subcommand |
//!
//! # Who may import whom
//!
//! Arrows point one way, and `tests/house.rs` keeps it so: `main` → `cli` · `cli` → `config`, `http`,
//! `host`, `store`, `solver`, `games`, `rules`, `cards` · `http` → `host`, `session`, `games`, `rules`, `cards`,
//! `web`, `config` · `host` → `store`, `session`, `games`, `solver`, `rules`, `cards` · `store` → `session`, `cards` ·
//! `session` → `games`, `rules`, `cards` · `solver` → `rules`, `cards` · `games` → `rules`, `cards` · `rules` → `cards`.
//!
//! # Invariants
//!
//! - `cards`, `rules`, `games`, `session` and `solver` are pure: no clock, no runtime, no randomness of their own,
//!   no input or output. Time, random bytes and limits come in as a [`session::Context`].
//! - What a player is told is made from a [`rules::View`], which has no place for a hidden card.
//! - Only [`session::Gathering::apply`] changes a session or a race, in live play and after a restart alike.
//! - Nothing is published before the store has taken it. What happens to several logs at once is taken by
//!   all of them or by none.
//! - What is at hand is a copy of its log. Before anything is told from it, or refused because of it, it is held
//!   against the end of the log; what is appended, the log itself refuses if there is more.
//! - Whoever watches has a place in the log and no queue.

pub mod cards;
pub mod cli;
pub mod config;
pub mod games;
pub mod host;
pub mod http;
pub mod rules;
pub mod session;
pub mod solver;
pub mod store;
pub mod web;
