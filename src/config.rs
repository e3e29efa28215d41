//! Every setting: its flag, its environment variable, its default, its unit and its bounds. What
//! `--help` prints is the manual.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// Settings of `patience serve`.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    /// Where to listen: an IP address and a port; port 0 takes a free one
    #[arg(long, env = "PATIENCE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub http: HttpSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub sessions: SessionSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub memory: MemorySettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub log: LogSettings,
}

/// Settings of connections and requests.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Connections and requests")]
pub struct HttpSettings {
    /// The longest body of a request, in bytes, 4096 to 1048576
    #[arg(long, env = "PATIENCE_BODY_LIMIT", value_name = "BYTES", default_value = "65536",
          value_parser = clap::value_parser!(u32).range(4_096..=1_048_576))]
    pub body_limit: u32,

    /// How long a connection may take to send the head of its next request, idle time included, 1s to 1h;
    /// behind a proxy, longer than the proxy keeps idle connections
    #[arg(long, env = "PATIENCE_HEAD_TIMEOUT", value_name = "DURATION", default_value = "65s", value_parser = up_to_an_hour)]
    pub head_timeout: Duration,

    /// How long the body of a request may take to arrive, 1s to 1h
    #[arg(long, env = "PATIENCE_BODY_TIMEOUT", value_name = "DURATION", default_value = "10s", value_parser = up_to_an_hour)]
    pub body_timeout: Duration,

    /// How long the answer to a request may take, 1s to 1h
    #[arg(long, env = "PATIENCE_REQUEST_TIMEOUT", value_name = "DURATION", default_value = "30s", value_parser = up_to_an_hour)]
    pub request_timeout: Duration,

    /// How long requests in flight have to finish when the server stops, 1s to 1h
    #[arg(long, env = "PATIENCE_DRAIN_TIMEOUT", value_name = "DURATION", default_value = "20s", value_parser = up_to_an_hour)]
    pub drain_timeout: Duration,
}

/// Settings of sessions.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Sessions")]
pub struct SessionSettings {
    /// How long a session is kept in which nothing was ever played, 1m to 10years; for sessions made from now on
    #[arg(long, env = "PATIENCE_UNPLAYED_TTL", value_name = "DURATION", default_value = "1h", value_parser = lifetime)]
    pub unplayed_ttl: Duration,

    /// How long a session is kept after its latest move, 1m to 10years; for sessions made from now on
    #[arg(long, env = "PATIENCE_IDLE_TTL", value_name = "DURATION", default_value = "24h", value_parser = lifetime)]
    pub idle_ttl: Duration,

    /// How long a session is kept after its end, 1m to 10years; for sessions made from now on
    #[arg(long, env = "PATIENCE_FINISHED_TTL", value_name = "DURATION", default_value = "24h", value_parser = lifetime)]
    pub finished_ttl: Duration,

    /// How many entries a session's history holds, 10 to 1000000
    #[arg(long, env = "PATIENCE_HISTORY_LIMIT", value_name = "ENTRIES", default_value = "20000",
          value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub history_limit: u32,

    /// How many changes to one session may wait or run at once, 1 to 100000; beyond that they are turned away
    #[arg(long, env = "PATIENCE_QUEUE", value_name = "CHANGES", default_value = "256",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub queue: u32,
}

/// Settings of the store in memory.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Memory")]
pub struct MemorySettings {
    /// How many sessions are kept, 1 to 100000000; when there are so many, ones in which nothing was ever played give
    /// way a minute after they were made
    #[arg(long, env = "PATIENCE_MAX_SESSIONS", value_name = "SESSIONS", default_value = "500000",
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub max_sessions: u32,

    /// How much memory the histories of sessions may take, in MiB, 1 to 1048576; when it is used up, as for the number
    /// of sessions
    #[arg(long, env = "PATIENCE_MAX_MEMORY", value_name = "MIB", default_value = "1024",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub max_memory: u32,

    /// How many sessions are kept ready to play besides, 1 to 10000000, at about 8 KiB each; others are worked out from
    /// their history when they are asked for
    #[arg(long, env = "PATIENCE_LIVE_SESSIONS", value_name = "SESSIONS", default_value = "10000",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub live_sessions: u32,
}

/// Settings of the log.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Log")]
pub struct LogSettings {
    /// What to log: off, error, warn, info, debug or trace, or such levels by module, as in `warn,patience=info`
    #[arg(long, env = "PATIENCE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,

    /// How to log
    #[arg(long, env = "PATIENCE_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Auto)]
    pub log_format: LogFormat,
}

/// How to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// As text on a terminal, as JSON otherwise.
    Auto,
    /// As text.
    Text,
    /// As JSON, one object a line.
    Json,
}

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);
const MINUTE: Duration = Duration::from_secs(60);
const TEN_YEARS: Duration = Duration::from_secs(10 * 31_557_600);

fn up_to_an_hour(text: &str) -> Result<Duration, String> {
    duration(text, SECOND, HOUR)
}

fn lifetime(text: &str) -> Result<Duration, String> {
    duration(text, MINUTE, TEN_YEARS)
}

fn duration(text: &str, least: Duration, most: Duration) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|_| "write it as 90s, 15m, 24h or 7days".to_string())?;
    if (least..=most).contains(&duration) {
        return Ok(duration);
    }
    let [least, most] = [least, most].map(humantime::format_duration);
    Err(format!("it must be {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_bounds() {
        assert_eq!(lifetime("24h"), Ok(HOUR * 24));
        assert_eq!(lifetime("10years"), Ok(TEN_YEARS));
        for text in ["", "24", "h", "-1h", "59s", "11years", "1h;"] {
            assert!(lifetime(text).is_err(), "{text:?}");
        }
    }
}
