//! Rate limits: how many sessions may be made or joined from one network, and how many changes one seat may ask
//! for, in a second. Bursts of ten seconds' worth are let through.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::host::{Clock, LogId};
use crate::session::Seat;

use super::address::{Network, client};
use super::{App, Code, Limits, Problem};

/// How many seconds' worth may come at once.
const BURST: u32 = 10;

/// Who has asked for how much lately.
pub(super) struct Rates {
    creations: Option<Limiter<Network>>,
    changes: Option<Limiter<(LogId, Seat)>>,
}

type Limiter<K> = RateLimiter<K, DashMapStateStore<K>, Ticks, NoOpMiddleware<Duration>>;

/// Time as the host tells it.
#[derive(Clone)]
struct Ticks(Arc<dyn Clock>);

impl governor::clock::Clock for Ticks {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.uptime()
    }
}

impl Rates {
    pub(super) fn new(limits: &Limits, clock: &Arc<dyn Clock>) -> Rates {
        Rates {
            creations: limiter(limits.creations_per_second, clock),
            changes: limiter(limits.changes_per_second, clock),
        }
    }

    /// Lets one more session be made from a network.
    ///
    /// # Errors
    /// If there were too many lately.
    pub(super) fn creation(&self, network: Network) -> Result<(), Problem> {
        take(self.creations.as_ref(), &network)
    }

    /// Lets a seat ask for one more change.
    ///
    /// # Errors
    /// If there were too many lately.
    pub(super) fn change(&self, of: LogId, seat: Seat) -> Result<(), Problem> {
        take(self.changes.as_ref(), &(of, seat))
    }

    /// Forgets those who have not asked for a while.
    pub(super) fn forget_idle(&self) {
        forget_idle(self.creations.as_ref());
        forget_idle(self.changes.as_ref());
    }

    /// How many are remembered.
    pub(super) fn remembered(&self) -> usize {
        self.creations.as_ref().map_or(0, RateLimiter::len) + self.changes.as_ref().map_or(0, RateLimiter::len)
    }
}

/// No limiter where the limit is 0.
fn limiter<K: Hash + Eq + Clone>(per_second: u32, clock: &Arc<dyn Clock>) -> Option<Limiter<K>> {
    let quota = Quota::per_second(NonZeroU32::new(per_second)?);
    let burst = NonZeroU32::new(per_second.saturating_mul(BURST))?;
    Some(RateLimiter::new(quota.allow_burst(burst), DashMapStateStore::default(), Ticks(clock.clone())))
}

fn take<K: Hash + Eq + Clone>(limiter: Option<&Limiter<K>>, key: &K) -> Result<(), Problem> {
    let Some(limiter) = limiter else {
        return Ok(());
    };
    limiter.check_key(key).map_err(|refusal| {
        let wait = refusal.wait_time_from(governor::clock::Clock::now(limiter.clock()));
        Problem::plain(Code::RateLimited).retry_in(wait)
    })
}

fn forget_idle<K: Hash + Eq + Clone>(limiter: Option<&Limiter<K>>) {
    if let Some(limiter) = limiter {
        limiter.retain_recent();
        limiter.shrink_to_fit();
    }
}

/// Counts the sessions that are made or joined from one network, before anything of the request is read.
pub(super) async fn limit_creations(State(app): State<App>, request: Request, next: Next) -> Response {
    match app.rates().creation(client(&request, app.limits().trusted_proxies)) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}
