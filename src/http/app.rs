//! What all handlers share, and what bounds them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::http::HeaderValue;
use tokio::sync::Semaphore;
use tower_http::cors::CorsLayer;

use crate::host::Host;

use super::manners;
use super::rates::Rates;
use super::streams::Streams;

/// What the HTTP face is bounded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a request's body.
    pub body_bytes: usize,
    /// How long the body of a request may take to arrive.
    pub body_timeout: Duration,
    /// How long a connection may take to send the head of its next request, idle time included.
    pub head_timeout: Duration,
    /// How long the answer to a request may take.
    pub request_timeout: Duration,
    /// How long a client may take to read on an answer.
    pub write_timeout: Duration,
    /// How many connections there may be.
    pub connections: usize,
    /// How many requests there may be at once.
    pub requests: usize,
    /// How many sessions may be made from one network in a second; 0 for no limit.
    pub creations_per_second: u32,
    /// How many changes one seat may ask for in a second; 0 for no limit.
    pub changes_per_second: u32,
    /// How many live streams there may be.
    pub streams: usize,
    /// How many live streams one network may have open.
    pub streams_per_network: usize,
    /// How long a live stream may be silent.
    pub heartbeat: Duration,
    /// How many proxies in front add to `X-Forwarded-For` what is true.
    pub trusted_proxies: usize,
    /// The origins whose pages may read the answers.
    pub origins: Vec<HeaderValue>,
    /// How long connections are still taken once a stop is announced.
    pub drain_delay: Duration,
    /// How long requests in flight have to finish when the server stops.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    /// Those of a program that nothing was told, but for the rates: nobody is counted.
    fn default() -> Limits {
        Limits {
            body_bytes: 65_536,
            body_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(65),
            request_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            connections: 10_000,
            requests: 10_000,
            creations_per_second: 0,
            changes_per_second: 0,
            streams: 9_000,
            streams_per_network: 100,
            heartbeat: Duration::from_secs(15),
            trusted_proxies: 0,
            origins: Vec::new(),
            drain_delay: Duration::ZERO,
            drain_timeout: Duration::from_secs(20),
        }
    }
}

/// What all handlers share.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    host: Arc<Host>,
    places: Semaphore,
    connections: Arc<Semaphore>,
    measured: AtomicBool,
    rates: Rates,
    streams: Arc<Streams>,
    stalled: AtomicU64,
    sharing: Option<CorsLayer>,
    limits: Limits,
    draining: AtomicBool,
}

impl App {
    /// An app that serves the sessions of a host.
    pub fn new(host: Arc<Host>, limits: Limits) -> App {
        let shared = Shared {
            places: Semaphore::new(limits.requests),
            connections: Arc::new(Semaphore::new(limits.connections)),
            measured: AtomicBool::new(false),
            rates: Rates::new(&limits, host.clock()),
            streams: Streams::new(&limits),
            stalled: AtomicU64::new(0),
            sharing: (!limits.origins.is_empty()).then(|| manners::sharing(&limits.origins)),
            draining: AtomicBool::new(false),
            limits,
            host,
        };
        App(Arc::new(shared))
    }

    /// Counts requests from now on.
    pub fn measure(&self) {
        self.0.measured.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_measured(&self) -> bool {
        self.0.measured.load(Ordering::Relaxed)
    }

    pub(super) fn requests_in_flight(&self) -> usize {
        self.0.limits.requests - self.0.places.available_permits()
    }

    pub(super) fn open_connections(&self) -> usize {
        self.0.limits.connections - self.0.connections.available_permits()
    }

    /// Forgets what does not count any more of who asked how often.
    pub fn forget_idle(&self) {
        self.0.rates.forget_idle();
    }

    /// How many are remembered for having asked lately.
    pub fn remembered(&self) -> usize {
        self.0.rates.remembered()
    }

    pub(super) fn places(&self) -> &Semaphore {
        &self.0.places
    }

    pub(super) fn connections(&self) -> &Arc<Semaphore> {
        &self.0.connections
    }

    pub(super) fn rates(&self) -> &Rates {
        &self.0.rates
    }

    pub(super) fn streams(&self) -> &Arc<Streams> {
        &self.0.streams
    }

    /// Counts a connection that was cut because the client did not read.
    pub(super) fn has_stalled(&self) {
        self.0.stalled.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn stalled(&self) -> u64 {
        self.0.stalled.load(Ordering::Relaxed)
    }

    pub(super) fn sharing(&self) -> Option<&CorsLayer> {
        self.0.sharing.as_ref()
    }

    /// The host whose sessions it serves.
    pub fn host(&self) -> &Arc<Host> {
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

    pub(super) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }
}
