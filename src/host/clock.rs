//! Time, which the host is given and does not take.

use std::time::{Duration, Instant, SystemTime};

use crate::session::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;

    /// The time since some point in the past. It never goes back, whatever is done to the time of day.
    fn uptime(&self) -> Duration;
}

/// The time of the machine.
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// A clock that was started now.
    pub fn start() -> SystemClock {
        SystemClock { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn uptime(&self) -> Duration {
        self.started.elapsed()
    }
}
