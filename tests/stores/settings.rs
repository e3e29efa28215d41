//! How much is tried, and with what.

use crate::dice::Dice;

/// How often something is killed.
pub(crate) fn kills() -> usize {
    number("PATIENCE_KILLS").unwrap_or(10) as usize
}

/// For how many seconds the line to Redis is bad.
pub(crate) fn seconds_of_bad_line() -> u64 {
    number("PATIENCE_PROXY_SECONDS").unwrap_or(15)
}

/// Chance, which is the same again under the seed that this prints.
pub(crate) fn dice() -> Dice {
    let seed = number("PATIENCE_SEED").unwrap_or_else(|| u64::from(rand::random::<u32>()));
    println!("PATIENCE_SEED={seed}");
    Dice::new(seed)
}

/// The Redis that `.ci/with-redis` has started, as a store.
pub(crate) fn redis() -> String {
    started("PATIENCE_TEST_REDIS")
}

/// The cluster that `.ci/with-redis` has started, as a store.
pub(crate) fn cluster() -> String {
    started("PATIENCE_TEST_REDIS_CLUSTER")
}

fn started(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set; .ci/with-redis does that"))
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not {text:?}")))
}
