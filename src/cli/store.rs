//! Opens the store that the settings say.

use std::sync::Arc;
use std::time::Duration;

use crate::config::{MemorySettings, StoreChoice};
use crate::store::{Limits, MemoryStore, RedisAddress, RedisStore, SessionStore, SqliteOptions, SqliteStore};

/// How old a session must be that gives way in memory because nobody has played there.
const GRACE: Duration = Duration::from_secs(60);

/// With what the keys in Redis begin.
const KEYS: &str = "patience";

/// The store that was chosen.
///
/// # Errors
/// If it cannot be used: a sentence that says why.
pub(super) async fn open(choice: &StoreChoice, memory: &MemorySettings) -> Result<Arc<dyn SessionStore>, String> {
    match choice {
        StoreChoice::Unknown => {
            Err("invalid value for '--store <STORE>': write it as memory, sqlite:PATH, redis://HOST or rediss://HOST"
                .into())
        }
        StoreChoice::Memory => Ok(Arc::new(MemoryStore::new(Limits {
            sessions: memory.max_sessions as usize,
            bytes: memory.max_memory as usize * 1024 * 1024,
            grace: GRACE,
        }))),
        StoreChoice::Sqlite(path) => match SqliteStore::open(path, &SqliteOptions::default()) {
            Ok(store) => Ok(Arc::new(store)),
            Err(error) => Err(format!("cannot use SQLite: {error}")),
        },
        StoreChoice::Redis(address) => {
            let address: RedisAddress = address.parse().map_err(|error| format!("cannot use Redis: {error}"))?;
            match RedisStore::open(&address, KEYS).await {
                Ok(store) => Ok(Arc::new(store)),
                Err(error) => Err(format!("cannot use Redis at {address}: {error}")),
            }
        }
    }
}
