//! Servers that stand in for Patience and do less.

use std::io::BufWriter;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::serve::ListenerExt;
use patience::host::{self, Host, SystemClock};
use patience::http;
use patience::session::{self, Lifetimes};
use patience::store::{self, MemoryStore};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tracing_appender::non_blocking::NonBlockingBuilder;
use tracing_subscriber::EnvFilter;

use super::broadcast::{self, Stage};
use super::process::Pinning;

/// What there is: the layers and connections of the house around constant answers; and axum with
/// nothing around it, which parses what it is sent. Two more are for live streams.
pub(crate) const ROLES: [&str; 2] = ["constant", "bare"];

/// A command for this program in a role, with answers of so many bytes.
pub(crate) fn command(pinning: &Pinning, role: &str, bytes: usize) -> Command {
    let this = std::env::current_exe().expect("this program has a path");
    let mut command = pinning.command(&this.to_string_lossy());
    command.args(["--role", role, "--bytes", &bytes.to_string()]);
    command
}

/// Serves in a role, until it is killed.
pub(crate) fn run(role: &str, bytes: usize) {
    // As `patience serve` does it.
    let output = BufWriter::with_capacity(65_536, std::io::stdout());
    let (writer, _guard) = NonBlockingBuilder::default().finish(output);
    let log = tracing_subscriber::fmt().with_env_filter(EnvFilter::new("info")).with_ansi(false).with_writer(writer);
    log.json().flatten_event(true).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a listener has an address");
        tracing::info!(%address, "listening");
        match role {
            "constant" => constant(listener, bytes).await,
            "bare" => bare(listener, bytes).await,
            "broadcast" => serve(listener, broadcast::of_bytes(stage(bytes))).await,
            "sse" => serve(listener, broadcast::of_events(stage(bytes))).await,
            _ => panic!("there is no role {role}"),
        }
    });
}

async fn constant(listener: TcpListener, bytes: usize) {
    let app = http::App::new(host(), http::Limits::default());
    let answer = Bytes::from(vec![b' '; bytes]);
    let constant = async move |_: Bytes| json(answer.clone());
    let paths =
        Router::new().route("/v1/sessions", post(constant.clone())).route("/v1/sessions/{id}/moves", post(constant));
    let (_nobody, stops) = mpsc::channel(1);
    http::serve(listener, http::surrounded(paths, app.clone()), &app, stops).await;
}

async fn bare(listener: TcpListener, bytes: usize) {
    let answer = Bytes::from(vec![b' '; bytes]);
    let made = answer.clone();
    let create = async move |_: Bytes| json(made.clone());
    let play = async move |body: Bytes| match serde_json::from_slice::<MoveBody>(&body) {
        Ok(_) => json(answer.clone()),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    };
    let paths = Router::new().route("/v1/sessions", post(create)).route("/v1/sessions/{id}/moves", post(play));
    serve(listener, paths).await;
}

async fn serve(listener: TcpListener, paths: Router) {
    let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a socket has this option"));
    axum::serve(listener, paths).await.expect("it serves until it is killed");
}

/// Live streams with as many bytes as the command line says.
fn stage(answer: usize) -> Arc<Stage> {
    Stage::new(answer, super::number("--snapshot-bytes", 0), super::number("--change-bytes", 0))
}

fn json(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A move, read as plainly as can be.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[allow(dead_code, reason = "it is read and no more")]
enum MoveBody {
    Draw,
    Redeal,
    Move { from: String, to: String, count: u8 },
}

/// A host that nobody asks for anything.
fn host() -> Arc<Host> {
    let store = MemoryStore::new(store::Limits { sessions: 1, bytes: 1 << 20, grace: Duration::from_secs(60) });
    let limits = host::Limits {
        live_sessions: 1,
        queue: 1,
        checkpoint_every: 1_000,
        watchers: 1,
        solver_threads: 1,
        solver_queue: 1,
        winnable_deals: 0,
    };
    let day = Duration::from_secs(24 * 3_600);
    let lifetimes = Lifetimes { unplayed: day, idle: day, finished: day };
    Host::new(Arc::new(store), Arc::new(SystemClock::start()), limits, session::Limits { history: 10, lifetimes })
}
