//! What a host has in hand, for those who watch it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What a host has in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauges {
    /// Sessions that are kept folded.
    pub live_sessions: usize,
    /// Changes that wait for their turn or are being made.
    pub changes_waiting: usize,
    /// Entries that were added to logs.
    pub entries_appended: u64,
    /// Searches that wait for a thread.
    pub searches_waiting: usize,
}

/// What is counted while it happens.
#[derive(Default)]
pub(super) struct Counts {
    waiting: AtomicUsize,
    appended: AtomicU64,
}

impl Counts {
    /// Counts a change for as long as what this gives is kept.
    pub(super) fn waiting(self: &Arc<Counts>) -> Waiting {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(self.clone())
    }

    pub(super) fn appended(&self, entries: usize) {
        self.appended.fetch_add(entries as u64, Ordering::Relaxed);
    }

    pub(super) fn gauges(&self, live_sessions: usize, searches_waiting: usize) -> Gauges {
        Gauges {
            live_sessions,
            changes_waiting: self.waiting.load(Ordering::Relaxed),
            entries_appended: self.appended.load(Ordering::Relaxed),
            searches_waiting,
        }
    }
}

/// A change that waits or is being made.
pub(super) struct Waiting(Arc<Counts>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
