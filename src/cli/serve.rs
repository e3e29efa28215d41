//! `patience serve`: wires the parts and runs them until told to stop.

use std::io::{BufWriter, IsTerminal, stdout};
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LogSettings, Settings, StoreChoice};
use crate::store::SessionStore;
use crate::{host, http};

use super::store;

/// How often expired sessions are looked for, and those who have not asked for a while are forgotten.
const SWEEP_EVERY: Duration = Duration::from_secs(10);

/// How many lines, of some 300 bytes each, may wait to be written; further ones are lost.
const LOG_LINES: usize = 16_384;

/// How many bytes of lines that come together are written at once.
const LOG_BUFFER: usize = 65_536;

/// After how many versions a session is kept to start from when a past version is asked for.
const CHECKPOINT_EVERY: u32 = 1_000;

/// Serves until SIGTERM or SIGINT, and until what has begun by then is finished; a second signal ends it at once.
///
/// # Errors
/// If it cannot start: a sentence that says why.
pub(super) fn run(settings: &Settings) -> Result<(), String> {
    let log = start_log(&settings.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| format!("no runtime can be started: {error}"))?.block_on(serve(settings, &log))
}

async fn serve(settings: &Settings, log: &Log) -> Result<(), String> {
    let place = settings.place.listen;
    let cannot_listen = |error| format!("cannot listen on {place}: {error}");
    let listener = TcpListener::bind(place).await.map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let interrupt = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;

    let host = host(settings, store::open(&settings.store.store, &settings.memory).await?);
    let app = http::App::new(host.clone(), http_limits(settings));
    let sweeper = tokio::spawn({
        let host = host.clone();
        async move { host.sweep_forever(SWEEP_EVERY).await }
    });
    let (metrics, metrics_address) = match settings.metrics.metrics_listen {
        Some(place) => {
            serve_metrics(place, &app, log).await.map(|(metrics, address)| (Some(metrics), Some(address)))?
        }
        None => (None, None),
    };
    let tidier = tokio::spawn(tidy(app.clone(), metrics));
    let (stop, stops) = mpsc::channel(1);
    let signals = tokio::spawn(pass_on(terminate, interrupt, stop));
    let metrics_address = metrics_address.map(tracing::field::display);
    tracing::info!(%address, metrics_address, version = env!("CARGO_PKG_VERSION"), "listening");
    allow_open_files(settings);
    host.prepare_deals();

    http::serve(listener, http::router(app.clone()), &app, stops).await;
    signals.abort();
    sweeper.abort();
    tidier.abort();
    host.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Each connection is an open file, of which a process may often have no more than 1,024.
fn allow_open_files(settings: &Settings) {
    const BESIDES: u64 = 256;
    let needed = u64::from(settings.http.max_connections) + BESIDES;
    match rlimit::increase_nofile_limit(needed) {
        Ok(allowed) if allowed < needed => {
            tracing::warn!(allowed, needed, "there may be fewer open files than connections need");
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "it cannot be found out how many open files there may be"),
    }
}

/// Tells metrics on a listener of their own, which has a connection or two and ends with the process.
async fn serve_metrics(place: SocketAddr, app: &http::App, log: &Log) -> Result<(http::Metrics, SocketAddr), String> {
    let cannot_listen = |error| format!("cannot listen on {place} for metrics: {error}");
    let listener = TcpListener::bind(place).await.map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let metrics = http::Metrics::install(log.lost.clone()).map_err(|error| format!("cannot count: {error}"))?;
    app.measure();
    let scraped = http::App::new(app.host().clone(), http::Limits { connections: 100, ..app.limits().clone() });
    let paths = http::metrics_router(app.clone(), metrics.clone());
    let (never, stops) = mpsc::channel(1);
    tokio::spawn(async move {
        let _never = never;
        http::serve(listener, paths, &scraped, stops).await;
    });
    Ok((metrics, address))
}

/// Throws away, now and then, what has been counted and does not count any more.
async fn tidy(app: http::App, metrics: Option<http::Metrics>) {
    let mut times = tokio::time::interval(SWEEP_EVERY);
    loop {
        times.tick().await;
        app.forget_idle();
        metrics.iter().for_each(http::Metrics::tidy);
    }
}

/// Tells the server to stop as often as signals say so.
async fn pass_on(mut terminate: Signal, mut interrupt: Signal, stop: mpsc::Sender<http::Stop>) {
    loop {
        let told = tokio::select! {
            _ = terminate.recv() => http::Stop::Announced,
            _ = interrupt.recv() => http::Stop::Prompt,
        };
        if stop.send(told).await.is_err() {
            return;
        }
    }
}

fn host(settings: &Settings, store: Arc<dyn SessionStore>) -> Arc<host::Host> {
    let limits = host::Limits {
        live_sessions: settings.memory.live_sessions as usize,
        queue: settings.sessions.queue as usize,
        checkpoint_every: CHECKPOINT_EVERY,
        watchers: settings.sessions.watchers as usize,
        solver_threads: settings.solver.solver_threads.map_or_else(solver_threads, |threads| threads as usize),
        solver_queue: settings.solver.solver_queue as usize,
        winnable_deals: settings.solver.winnable_deals as usize,
    };
    host::Host::new(store, Arc::new(host::SystemClock::start()), limits, session_limits(settings))
}

/// How many threads search when nothing is said: enough that one can be left to what takes a moment only.
fn solver_threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    (processors / 2).max(2)
}

fn session_limits(settings: &Settings) -> host::SessionLimits {
    let sessions = &settings.sessions;
    host::SessionLimits {
        history: sessions.history_limit,
        lifetimes: host::Lifetimes {
            unplayed: sessions.unplayed_ttl,
            idle: sessions.idle_ttl,
            finished: sessions.finished_ttl.unwrap_or_else(|| kept_finished(&settings.store.store)),
        },
    }
}

/// How long finished sessions are kept when nothing is said: the longer, the less it costs.
fn kept_finished(store: &StoreChoice) -> Duration {
    const DAY: Duration = Duration::from_secs(86_400);
    match store {
        StoreChoice::Memory | StoreChoice::Unknown => DAY,
        StoreChoice::Redis(_) => DAY * 7,
        StoreChoice::Sqlite(_) => DAY * 365,
    }
}

fn http_limits(settings: &Settings) -> http::Limits {
    let http = &settings.http;
    http::Limits {
        body_bytes: http.body_limit as usize,
        body_timeout: http.body_timeout,
        head_timeout: http.head_timeout,
        request_timeout: http.request_timeout,
        drain_delay: http.drain_delay,
        drain_timeout: http.drain_timeout,
        write_timeout: http.write_timeout,
        connections: http.max_connections as usize,
        requests: http.max_requests as usize,
        creations_per_second: http.rate_creates,
        changes_per_second: http.rate_moves,
        heartbeat: http.heartbeat,
        streams: http.max_streams as usize,
        streams_per_network: http.max_streams_per_address as usize,
        trusted_proxies: usize::from(http.trusted_proxies),
        origins: http.cors_origins.clone(),
    }
}

/// The log: it is complete when this is dropped.
struct Log {
    _writer: WorkerGuard,
    /// How many lines were lost because standard output did not take them in time.
    lost: ErrorCounter,
}

/// Starts the log on standard output, by a thread of its own, so that no request waits for whoever
/// reads it. A panic is one line of it too.
fn start_log(settings: &LogSettings) -> Result<Log, String> {
    let wrong = |error| format!("invalid value '{}' for '--log <FILTER>': {error}", settings.log);
    let filter = EnvFilter::try_new(&settings.log).map_err(wrong)?;
    let is_terminal = stdout().is_terminal();
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(LOG_LINES)
        .finish(BufWriter::with_capacity(LOG_BUFFER, stdout()));
    let lost = writer.error_counter();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_terminal).with_writer(writer);
    let started = match settings.log_format {
        LogFormat::Auto if is_terminal => log.try_init(),
        LogFormat::Text => log.try_init(),
        LogFormat::Auto | LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panicked");
    }));
    started.map(|()| Log { _writer: guard, lost }).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Command, parse};

    #[test]
    fn what_tests_and_benches_take_for_granted_is_what_settings_say_when_nothing_is_said() {
        let Command::Serve(serve) = parse(vec!["patience".into()]).unwrap().command else {
            panic!("a bare call serves");
        };
        let rates = http::Limits { creations_per_second: 5, changes_per_second: 20, ..http::Limits::default() };
        assert_eq!(http_limits(&serve.settings), rates);
    }
}
