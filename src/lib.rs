//! Patience
pub mod cards;
pub mod games;
pub mod host;
pub mod rules;
pub mod session;
pub mod store;
