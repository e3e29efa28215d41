//! Points in time, as the log records them.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// A point in time, in milliseconds since the beginning of 1970, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp(u64);

impl Timestamp {
    /// How much later this is than another time; nothing if it is earlier.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// The last point in time that can be written: the end of the year 9999.
    const LAST: u64 = 253_402_300_799_999;

    /// So many milliseconds after the beginning of 1970.
    pub fn from_millis(millis: u64) -> Timestamp {
        Timestamp(millis.min(Timestamp::LAST))
    }

    /// Milliseconds since the beginning of 1970.
    pub fn as_millis(self) -> u64 {
        self.0
    }

    /// The point in time so much later.
    pub fn plus(self, duration: Duration) -> Timestamp {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Timestamp::from_millis(self.0.saturating_add(millis))
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Timestamp {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(0).plus(since)
    }
}

/// RFC 3339 in UTC, with milliseconds: `2026-11-30T03:16:01.000Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(self.0);
        humantime::format_rfc3339_millis(time).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_rfc_3339_with_milliseconds_and_a_z() {
        let time = Timestamp::from_millis(1_796_008_561_007);
        assert_eq!(time.to_string(), "2026-11-30T03:16:01.007Z");
        assert_eq!(time.plus(Duration::MAX).to_string(), "9999-12-31T23:59:59.999Z");
    }
}
