//! Every setting: its flag, its environment variable, its default, its unit and its bounds. What
//! `--help` prints is the manual.

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use clap::{Args, ValueEnum};

/// Settings of `patience serve`.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub place: PlaceSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub http: HttpSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub sessions: SessionSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub solver: SolverSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub store: StoreSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub memory: MemorySettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub metrics: MetricsSettings,

    #[command(flatten)]
    #[allow(missing_docs, reason = "the group says what it is")]
    pub log: LogSettings,
}

/// Settings that who serves and who asks share.
#[derive(Clone, Debug, Args)]
pub struct PlaceSettings {
    /// Where the server listens: an IP address and a port; port 0 takes a free one
    #[arg(long, env = "PATIENCE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
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

    /// How long a client may take to read on an answer, 1s to 1h
    #[arg(long, env = "PATIENCE_WRITE_TIMEOUT", value_name = "DURATION", default_value = "30s", value_parser = up_to_an_hour)]
    pub write_timeout: Duration,

    /// How many connections there may be, 1 to 1000000; to a few more it is said that there are too many
    #[arg(long, env = "PATIENCE_MAX_CONNECTIONS", value_name = "CONNECTIONS", default_value = "10000",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,

    /// How many requests there may be at once, 1 to 1000000; others are turned away
    #[arg(long, env = "PATIENCE_MAX_REQUESTS", value_name = "REQUESTS", default_value = "10000",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_requests: u32,

    /// How many sessions and races may be made or joined from one address (of IPv6, from one /64 network) in a second, 0
    /// to 1000000, ten times as many in a burst; 0 for no limit
    #[arg(long, env = "PATIENCE_RATE_CREATES", value_name = "PER SECOND", default_value = "5",
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub rate_creates: u32,

    /// How many moves and other changes a player may ask for in a second, 0 to 1000000, ten times as many in a burst; 0
    /// for no limit
    #[arg(long, env = "PATIENCE_RATE_MOVES", value_name = "PER SECOND", default_value = "20",
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub rate_moves: u32,

    /// How many live streams may be open, 1 to 1000000; each is a connection too
    #[arg(long, env = "PATIENCE_MAX_STREAMS", value_name = "STREAMS", default_value = "9000",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_streams: u32,

    /// How many live streams may be open from one address, 1 to 1000000; of IPv6, from one /64 network
    #[arg(long, env = "PATIENCE_MAX_STREAMS_PER_ADDRESS", value_name = "STREAMS", default_value = "100",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_streams_per_address: u32,

    /// How long a live stream may be silent, 1s to 1h; then a sign of life is sent, so that no proxy takes it for dead
    #[arg(long, env = "PATIENCE_HEARTBEAT", value_name = "DURATION", default_value = "15s", value_parser = up_to_an_hour)]
    pub heartbeat: Duration,

    /// How many proxies in front add the address of their client to X-Forwarded-For, 0 to 16; the one that the first of
    /// them has added is taken for the client's
    #[arg(long, env = "PATIENCE_TRUSTED_PROXIES", value_name = "PROXIES", default_value = "0",
          value_parser = clap::value_parser!(u8).range(0..=16))]
    pub trusted_proxies: u8,

    /// The origins whose pages may use the API from a browser, with commas between them, as in
    /// `https://example.org,http://localhost:3000`; none unless set
    #[arg(long, env = "PATIENCE_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<HeaderValue>,

    /// How long connections are still taken once SIGTERM has come, 0s to 1h; /readyz says meanwhile that the server
    /// stops, so that a proxy in front can notice
    #[arg(long, env = "PATIENCE_DRAIN_DELAY", value_name = "DURATION", default_value = "0s", value_parser = none_to_an_hour)]
    pub drain_delay: Duration,

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

    /// How long a session is kept after its end, 1m to 10years; for sessions made from now on; unless set, 24h in
    /// memory, 7days in Redis, 365days in SQLite
    #[arg(long, env = "PATIENCE_FINISHED_TTL", value_name = "DURATION", value_parser = lifetime)]
    pub finished_ttl: Option<Duration>,

    /// How many entries a session's history holds, 10 to 1000000
    #[arg(long, env = "PATIENCE_HISTORY_LIMIT", value_name = "ENTRIES", default_value = "20000",
          value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub history_limit: u32,

    /// How many changes to one session may wait or run at once, 1 to 100000; beyond that they are turned away
    #[arg(long, env = "PATIENCE_QUEUE", value_name = "CHANGES", default_value = "256",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub queue: u32,

    /// How many live streams of one session or race may be open, 1 to 1000000
    #[arg(long, env = "PATIENCE_WATCHERS", value_name = "STREAMS", default_value = "5000",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub watchers: u32,
}

/// Settings of what is searched for: hints, dead ends, lines that win.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solver")]
pub struct SolverSettings {
    /// How many threads search for hints, dead ends, deals that can be won and how others could have been, at the lowest
    /// priority, 1 to 1024; unless set, half as many as there are processors, and at least 2: one of several is left to
    /// what takes a moment only
    #[arg(long, env = "PATIENCE_SOLVER_THREADS", value_name = "THREADS",
          value_parser = clap::value_parser!(u32).range(1..=1_024))]
    pub solver_threads: Option<u32>,

    /// How many searches may wait for such a thread, 1 to 100000; beyond that they are turned away
    #[arg(long, env = "PATIENCE_SOLVER_QUEUE", value_name = "SEARCHES", default_value = "256",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub solver_queue: u32,

    /// How many deals that can be won are kept ready of each game, and of each set of options that somebody has asked for
    /// lately, 0 to 10000; with 0 one is looked for when somebody asks
    #[arg(long, env = "PATIENCE_WINNABLE_DEALS", value_name = "DEALS", default_value = "24",
          value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub winnable_deals: u32,
}

/// Where sessions are kept, shared by all that goes there.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreSettings {
    /// Where sessions are kept: `memory` (gone with the process), `sqlite:PATH` (a file on this machine) or
    /// `redis://[user:password@]host[:port][/database]` (for many servers; `rediss://` for TLS; several hosts with commas
    /// between them, or `?cluster=true`, for a cluster)
    #[arg(long, env = "PATIENCE_STORE", value_name = "STORE", default_value = "memory", hide_env_values = true)]
    pub store: StoreChoice,
}

/// Where sessions are kept.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreChoice {
    /// In memory.
    Memory,
    /// In a file.
    Sqlite(PathBuf),
    /// In Redis: a URL, which may have a password in it.
    Redis(String),
    /// What was said is none of these. It is not told again, as there may be a password in it.
    Unknown,
}

impl FromStr for StoreChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<StoreChoice, Infallible> {
        Ok(match text.split_once(':') {
            None if text == "memory" => StoreChoice::Memory,
            Some(("sqlite", path)) if !path.is_empty() => StoreChoice::Sqlite(path.into()),
            Some(("redis" | "rediss", _)) => StoreChoice::Redis(text.into()),
            _ => StoreChoice::Unknown,
        })
    }
}

impl fmt::Debug for StoreChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreChoice::Memory => f.write_str("memory"),
            StoreChoice::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            StoreChoice::Redis(_) => f.write_str("redis"),
            StoreChoice::Unknown => f.write_str("unknown"),
        }
    }
}

/// Settings of the store in memory.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Memory")]
pub struct MemorySettings {
    /// How many sessions are kept in memory, 1 to 100000000; when there are so many, ones in which nothing was ever played give
    /// way a minute after they were made
    #[arg(long, env = "PATIENCE_MAX_SESSIONS", value_name = "SESSIONS", default_value = "500000",
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub max_sessions: u32,

    /// How much memory the histories of sessions may take, in MiB, 1 to 1048576; when it is used up, as for the number
    /// of sessions
    #[arg(long, env = "PATIENCE_MAX_MEMORY", value_name = "MIB", default_value = "1024",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub max_memory: u32,

    /// How many sessions are kept ready to play besides, 1 to 10000000, at about 8 KiB each, or more if they are long
    /// (20000 moves: 800 KiB, with idempotency keys 3600 KiB); others are worked out from
    /// their history when they are asked for
    #[arg(long, env = "PATIENCE_LIVE_SESSIONS", value_name = "SESSIONS", default_value = "10000",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub live_sessions: u32,
}

/// Settings of metrics.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Metrics")]
pub struct MetricsSettings {
    /// Where to tell metrics to Prometheus, under /metrics: an IP address and a port that the public cannot reach; none
    /// unless set
    #[arg(long, env = "PATIENCE_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
}

/// Settings of the log.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Log")]
pub struct LogSettings {
    /// What to log: off, error, warn, info, debug or trace, or such levels by module, as in `warn,patience=info`
    #[arg(long, env = "PATIENCE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,

    /// How to log: auto (as text on a terminal, as JSON otherwise), text or json
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

fn none_to_an_hour(text: &str) -> Result<Duration, String> {
    duration(text, Duration::ZERO, HOUR)
}

fn up_to_an_hour(text: &str) -> Result<Duration, String> {
    duration(text, SECOND, HOUR)
}

fn lifetime(text: &str) -> Result<Duration, String> {
    duration(text, MINUTE, TEN_YEARS)
}

/// An origin as browsers write it: scheme, host, and the port if it is not the scheme's own.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let wrong = || "write it as https://example.org or http://localhost:3000, without a path".to_string();
    let uri: Uri = text.trim().parse().map_err(|_| wrong())?;
    let (Some(scheme), Some(authority), "/", None) = (uri.scheme_str(), uri.authority(), uri.path(), uri.query())
    else {
        return Err(wrong());
    };
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    let authority = authority.as_str();
    let is_origin = matches!(scheme, "http" | "https") && !authority.contains('@') && !text.ends_with('/');
    let origin = format!("{scheme}://{}", authority.strip_suffix(own_port).unwrap_or(authority)).to_ascii_lowercase();
    is_origin.then(|| HeaderValue::try_from(origin).ok()).flatten().ok_or_else(wrong)
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
    fn origins_are_a_scheme_and_a_host() {
        for (text, expected) in [
            ("https://example.org", "https://example.org"),
            (" http://localhost:3000", "http://localhost:3000"),
            ("HTTPS://Example.org", "https://example.org"),
            ("https://example.org:443", "https://example.org"),
            ("http://example.org:443", "http://example.org:443"),
        ] {
            assert_eq!(origin(text).unwrap(), expected);
        }
        for text in [
            "",
            "*",
            "null",
            "example.org",
            "https://example.org/",
            "https://example.org/x",
            "ftp://example.org",
            "https://a@b",
        ] {
            assert!(origin(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_store_is_in_memory_in_a_file_or_in_redis() {
        assert_eq!("memory".parse(), Ok(StoreChoice::Memory));
        assert_eq!("sqlite:a:b.db".parse(), Ok(StoreChoice::Sqlite("a:b.db".into())));
        let url = "rediss://user:secret@host:1/2";
        let redis: StoreChoice = url.parse().unwrap();
        assert_eq!((&redis, format!("{redis:?}")), (&StoreChoice::Redis(url.into()), "redis".to_string()));
        for text in ["", "memory:", "sqlite", "sqlite:", "Redis://a", "postgres://a"] {
            assert_eq!(text.parse(), Ok(StoreChoice::Unknown), "{text:?}");
        }
    }

    #[test]
    fn durations_have_units_and_bounds() {
        assert_eq!(lifetime("24h"), Ok(HOUR * 24));
        assert_eq!(lifetime("10years"), Ok(TEN_YEARS));
        for text in ["", "24", "h", "-1h", "59s", "11years", "1h;"] {
            assert!(lifetime(text).is_err(), "{text:?}");
        }
    }
}
