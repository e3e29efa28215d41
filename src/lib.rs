//! Patience
pub mod cards;
pub mod games;
pub mod rules;
pub mod session;
