//! The HTTP face: routes, extractors, wire types, problem documents, and the connections that carry
//! them.
//!
//! A handler says what is asked of the host and how the answer is shown, and no more. What can be
//! judged of a change before the session is locked is judged in one place, `change`.
//!
//! Architecture Invariant: nothing imports this module but the command line, and nothing here reaches
//! a table: what is shown of a session is made from its view.

mod answer;
mod body;
mod change;
mod credential;
mod idempotency;
mod observe;
mod precondition;
mod problem;
mod query;
mod routes;
mod server;
mod wire;

pub use problem::{Code, Problem};
pub use routes::{router, surrounded};
pub use server::serve;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::host::Host;

/// What the HTTP face is bounded by.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most bytes of a request's body.
    pub body_bytes: usize,
    /// How long the body of a request may take to arrive.
    pub body_timeout: Duration,
    /// How long a connection may take to send the head of its next request, idle time included.
    pub head_timeout: Duration,
    /// How long the answer to a request may take.
    pub request_timeout: Duration,
    /// How long requests in flight have to finish when the server stops.
    pub drain_timeout: Duration,
}

/// What all handlers share.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    host: Arc<Host>,
    limits: Limits,
    draining: AtomicBool,
}

impl App {
    /// An app that serves the sessions of a host.
    pub fn new(host: Arc<Host>, limits: Limits) -> App {
        App(Arc::new(Shared { host, limits, draining: AtomicBool::new(false) }))
    }

    fn host(&self) -> &Arc<Host> {
        &self.0.host
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Tells load balancers that no more requests should come.
    pub fn start_draining(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }
}
