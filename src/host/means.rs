//! What everything in the host works with.

use std::sync::Arc;
use std::time::Instant;

use metrics::{counter, histogram};

use crate::session::Context;
use crate::store::{Append, AppendError, SessionStore};

use super::gauges::Counts;
use super::searches::Searches;
use super::solutions::Solutions;
use super::winnable::Winnable;
use super::{Clock, Limits, SessionLimits, measures};

/// What everything in the host works with.
pub(super) struct Means {
    pub(super) store: Arc<dyn SessionStore>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) limits: Limits,
    pub(super) session_limits: SessionLimits,
    pub(super) counts: Arc<Counts>,
    pub(super) searches: Searches,
    pub(super) winnable: Winnable,
    pub(super) solutions: Solutions,
}

impl Means {
    pub(super) fn context(&self) -> Context<'_> {
        Context { now: self.clock.now(), random: &|bytes| rand::fill(bytes), limits: &self.session_limits }
    }

    pub(super) async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        let entries = batch.iter().map(|append| append.records.len()).sum();
        let began = Instant::now();
        let appended = self.store.append(batch).await;
        histogram!(measures::APPEND_SECONDS).record(began.elapsed());
        match &appended {
            Ok(()) => self.counts.appended(entries),
            Err(AppendError::Conflict) => counter!(measures::CONFLICTS).increment(1),
            Err(AppendError::Gone | AppendError::Full | AppendError::Store(_)) => {}
        }
        appended
    }
}
