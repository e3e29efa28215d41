//! What the server under test keeps its sessions in: memory, or what `PATIENCE_TEST_STORE` says, which is
//! `sqlite` or an address of Redis. The answers are the same.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use patience::store::{Limits, MemoryStore, RedisStore, SessionStore, SqliteOptions, SqliteStore};

/// More than any test needs.
pub(crate) const ROOMY: Limits = Limits { sessions: 100_000, bytes: 1 << 30, grace: Duration::from_secs(60) };

/// A store of its own, with nothing in it. Where limits are narrow, it is one in memory: only that has
/// such.
pub(crate) async fn open(limits: Limits) -> Arc<dyn SessionStore> {
    let is_roomy = limits.sessions == ROOMY.sessions && limits.bytes == ROOMY.bytes;
    match std::env::var("PATIENCE_TEST_STORE").ok().filter(|_| is_roomy) {
        None => Arc::new(MemoryStore::new(limits)),
        Some(place) if place == "sqlite" => {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.db", name()));
            Arc::new(SqliteStore::open(&file, &SqliteOptions::default()).expect("a file can be made"))
        }
        Some(place) => {
            let address = place.parse().expect("PATIENCE_TEST_STORE is an address of Redis");
            Arc::new(RedisStore::open(&address, &name()).await.expect("Redis is there"))
        }
    }
}

/// A name that nothing else has.
fn name() -> String {
    format!("test-{}", hex::encode(rand::random::<[u8; 8]>()))
}
