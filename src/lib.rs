//! Patience
pub mod cards;
