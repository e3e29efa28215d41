//! `patience serve`: wires the parts and runs them until told to stop.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LogSettings, Settings};
use crate::store::{self, MemoryStore};
use crate::{host, http};

/// How often expired sessions are looked for, and those who have not asked for a while are forgotten.
const SWEEP_EVERY: Duration = Duration::from_secs(10);

/// How old a session must be that gives way because nobody has played there.
const GRACE: Duration = Duration::from_secs(60);

/// After how many versions a session is kept to start from when a past version is asked for.
const CHECKPOINT_EVERY: u32 = 1_000;

/// Serves until SIGTERM or SIGINT, and until what has begun by then is finished; a second signal ends it at once.
///
/// # Errors
/// If it cannot start: a sentence that says why.
pub(super) fn run(settings: &Settings) -> Result<(), String> {
    start_log(&settings.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| format!("no runtime can be started: {error}"))?.block_on(serve(settings))
}

async fn serve(settings: &Settings) -> Result<(), String> {
    let place = settings.place.listen;
    let cannot_listen = |error| format!("cannot listen on {place}: {error}");
    let listener = TcpListener::bind(place).await.map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let interrupt = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;

    allow_open_files(settings);
    let host = host(settings);
    let app = http::App::new(host.clone(), http_limits(settings));
    let sweeper = tokio::spawn(async move { host.sweep_forever(SWEEP_EVERY).await });
    let tidier = tokio::spawn(forget_idle(app.clone()));
    let (stop, stops) = mpsc::channel(1);
    let signals = tokio::spawn(pass_on(terminate, interrupt, stop));
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");

    http::serve(listener, http::router(app.clone()), &app, stops).await;
    signals.abort();
    sweeper.abort();
    tidier.abort();
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

async fn forget_idle(app: http::App) {
    let mut times = tokio::time::interval(SWEEP_EVERY);
    loop {
        times.tick().await;
        app.forget_idle();
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

fn host(settings: &Settings) -> Arc<host::Host> {
    let memory = &settings.memory;
    let store = MemoryStore::new(store::Limits {
        sessions: memory.max_sessions as usize,
        bytes: memory.max_memory as usize * 1024 * 1024,
        grace: GRACE,
    });
    let limits = host::Limits {
        live_sessions: memory.live_sessions as usize,
        queue: settings.sessions.queue as usize,
        checkpoint_every: CHECKPOINT_EVERY,
    };
    host::Host::new(Arc::new(store), Arc::new(host::SystemClock::start()), limits, session_limits(settings))
}

fn session_limits(settings: &Settings) -> host::SessionLimits {
    let sessions = &settings.sessions;
    host::SessionLimits {
        history: sessions.history_limit,
        lifetimes: host::Lifetimes {
            unplayed: sessions.unplayed_ttl,
            idle: sessions.idle_ttl,
            finished: sessions.finished_ttl,
        },
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
        trusted_proxies: usize::from(http.trusted_proxies),
        origins: http.cors_origins.clone(),
    }
}

/// Starts the log on standard output. A panic is one line of it too.
fn start_log(settings: &LogSettings) -> Result<(), String> {
    let wrong = |error| format!("invalid value '{}' for '--log <FILTER>': {error}", settings.log);
    let filter = EnvFilter::try_new(&settings.log).map_err(wrong)?;
    let is_terminal = std::io::stdout().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_terminal);
    let started = match settings.log_format {
        LogFormat::Auto if is_terminal => log.try_init(),
        LogFormat::Text => log.try_init(),
        LogFormat::Auto | LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panicked");
    }));
    started.map_err(|error| error.to_string())
}
