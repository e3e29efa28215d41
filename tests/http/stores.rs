//! What the server under test keeps its sessions in: memory, or what `PATIENCE_TEST_STORE` says, as
//! `redis://127.0.0.1:6379`. The answers are the same.

use std::sync::Arc;
use std::time::Duration;

use patience::store::{Limits, MemoryStore, RedisStore, SessionStore};

/// More than any test needs.
pub(crate) const ROOMY: Limits = Limits { sessions: 100_000, bytes: 1 << 30, grace: Duration::from_secs(60) };

/// A store of its own, with nothing in it. Where limits are narrow, it is one in memory: only that has
/// such.
pub(crate) async fn open(limits: Limits) -> Arc<dyn SessionStore> {
    let is_roomy = limits.sessions == ROOMY.sessions && limits.bytes == ROOMY.bytes;
    match std::env::var("PATIENCE_TEST_STORE").ok().filter(|_| is_roomy) {
        None => Arc::new(MemoryStore::new(limits)),
        Some(place) => {
            let address = place.parse().expect("PATIENCE_TEST_STORE is an address of Redis");
            let keys = format!("test-{}", hex::encode(rand::random::<[u8; 8]>()));
            Arc::new(RedisStore::open(&address, &keys).await.expect("Redis is there"))
        }
    }
}
