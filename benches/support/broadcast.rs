//! A stand-in for live streams: axum with nothing around it, and a channel for each session.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::{Stream, StreamExt, stream};
use parking_lot::RwLock;
use tokio::sync::broadcast::{self, error::RecvError};

/// How many changes may wait for those who are behind.
const CHANNEL: usize = 16;

/// The sessions, and what is sent.
pub(crate) struct Stage {
    sessions: RwLock<Vec<Arc<Session>>>,
    answer: Bytes,
    snapshot: Arc<Change>,
    change_bytes: usize,
}

struct Session {
    version: AtomicUsize,
    changes: broadcast::Sender<Arc<Change>>,
}

/// What watchers are told.
struct Change {
    version: usize,
    name: &'static str,
    data: String,
    /// All of it, as it is sent.
    event: Bytes,
}

impl Change {
    fn new(version: usize, name: &'static str, bytes: usize) -> Arc<Change> {
        let data = "x".repeat(bytes);
        let event = format!("id: {version}\nevent: {name}\ndata: {data}\n\n").into();
        Arc::new(Change { version, name, data, event })
    }
}

impl Stage {
    /// One that sends as many bytes of data as this.
    pub(crate) fn new(answer: usize, snapshot: usize, change_bytes: usize) -> Arc<Stage> {
        Arc::new(Stage {
            sessions: RwLock::default(),
            answer: vec![b' '; answer].into(),
            snapshot: Change::new(1, "snapshot", snapshot),
            change_bytes,
        })
    }

    /// What a watcher is told, one after the other: how it stands, and what happens.
    fn told(&self, session: usize) -> Option<impl Stream<Item = Arc<Change>> + Send + 'static> {
        let receiver = self.sessions.read().get(session)?.changes.subscribe();
        let changes = stream::unfold(receiver, |mut receiver| async move {
            loop {
                match receiver.recv().await {
                    Ok(change) => return Some((change, receiver)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        });
        let snapshot = self.snapshot.clone();
        Some(stream::once(async { snapshot }).chain(changes))
    }
}

/// Paths whose streams are bodies made of bytes that are the same for all.
pub(crate) fn of_bytes(stage: Arc<Stage>) -> Router {
    paths(get(watch_bytes), stage)
}

/// Paths whose streams are axum's own.
pub(crate) fn of_events(stage: Arc<Stage>) -> Router {
    paths(get(watch_events), stage)
}

fn paths(watch: axum::routing::MethodRouter<Arc<Stage>>, stage: Arc<Stage>) -> Router {
    Router::new()
        .route("/v1/sessions", post(make))
        .route("/v1/sessions/{id}/moves", post(change))
        .route("/v1/sessions/{id}/undo", post(change))
        .route("/v1/sessions/{id}/events", watch)
        .with_state(stage)
}

async fn make(State(stage): State<Arc<Stage>>, _: Bytes) -> Response {
    let mut sessions = stage.sessions.write();
    let id = sessions.len();
    sessions.push(Arc::new(Session { version: AtomicUsize::new(1), changes: broadcast::Sender::new(CHANNEL) }));
    let json = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::CREATED, json, format!("{{\"id\":\"{id}\",\"token\":\"none\"}}")).into_response()
}

async fn change(State(stage): State<Arc<Stage>>, Path(id): Path<usize>, body: Bytes) -> Response {
    let session = stage.sessions.read().get(id).cloned();
    let Some(session) = session else { return StatusCode::NOT_FOUND.into_response() };
    if serde_json::from_slice::<serde::de::IgnoredAny>(&body).is_err() {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let version = session.version.fetch_add(1, Ordering::Relaxed) + 1;
    // Nobody has to watch.
    let _watched = session.changes.send(Change::new(version, "change", stage.change_bytes));
    ([(header::CONTENT_TYPE, "application/json")], stage.answer.clone()).into_response()
}

async fn watch_bytes(State(stage): State<Arc<Stage>>, Path(id): Path<usize>) -> Response {
    let Some(told) = stage.told(id) else { return StatusCode::NOT_FOUND.into_response() };
    let body = Body::from_stream(told.map(|change| Ok::<_, Infallible>(change.event.clone())));
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

async fn watch_events(State(stage): State<Arc<Stage>>, Path(id): Path<usize>) -> Response {
    let Some(told) = stage.told(id) else { return StatusCode::NOT_FOUND.into_response() };
    let events = told.map(|change| {
        let event = Event::default().id(change.version.to_string()).event(change.name).data(&change.data);
        Ok::<_, Infallible>(event)
    });
    Sse::new(events).keep_alive(KeepAlive::new()).into_response()
}
