//! What is measured of stores, by the names under which it is told.

/// How long appends took, in seconds: a histogram.
pub const APPEND_SECONDS: &str = "patience_store_append_duration_seconds";
/// How many appends found that somebody else was first.
pub const CONFLICTS: &str = "patience_store_conflicts_total";
/// How many appends SQLite took at once: a histogram.
pub const GROUP_SIZE: &str = "patience_store_group_size";
/// How often Redis was connected to anew.
pub const RECONNECTS: &str = "patience_store_reconnects_total";
/// How often Redis was asked again because there was no answer.
pub const RETRIES: &str = "patience_store_retries_total";
/// How old news of other nodes were when they came, in seconds: a histogram.
pub const FEED_LAG_SECONDS: &str = "patience_store_feed_lag_seconds";
