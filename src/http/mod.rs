//! The HTTP face: routes, extractors, wire types, problem documents, and the connections that carry
//! them.
//!
//! A handler says what is asked of the host and how the answer is shown, and no more. What can be
//! judged of a change before the session is locked is judged in one place, `change`.
//!
//! Architecture Invariant: nothing imports this module but the command line, and nothing here reaches
//! a table: what is shown of a session is made from its view.

mod address;
mod answer;
mod app;
mod body;
mod bounds;
mod change;
mod credential;
mod idempotency;
mod joining;
mod line;
mod listing;
mod manners;
mod metrics;
mod observe;
mod precondition;
mod problem;
mod query;
mod rates;
mod routes;
mod server;
mod streams;
mod wire;

pub use app::{App, Limits};
pub use metrics::{Metrics, metrics_router};
pub use problem::{Code, Problem};
pub use routes::{router, surrounded};
pub use server::{Stop, serve};
