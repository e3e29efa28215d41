//! Live streams: Server-Sent Events about a session or a race.
//!
//! A stream is a reader's place in the log and a connection. Each change is written once, however many
//! read it.

use std::collections::{HashMap, hash_map};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::host::{End, Host, HostError, Live, Reader, Told};
use crate::session::race::Race;
use crate::session::{Entry, Event, Session, Version};

use super::address::{Network, client};
use super::change::{Resource, Seen};
use super::line::Line;
use super::wire::{self, Written};
use super::{App, Code, Limits, Problem, query};

/// When it is worth trying again to open a stream, where as many are open as may be.
const TRY_AGAIN: Duration = Duration::from_secs(15);

/// With what a stream begins: how long a browser is to wait before it comes back, in milliseconds.
const RETRY: &[u8] = b"retry: 2000\n\n";

/// A comment, which says nothing but that the stream is alive.
const SIGN_OF_LIFE: Bytes = Bytes::from_static(b":\n\n");

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Why a stream breaks off.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("an event could not be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// What can be watched.
pub(super) trait Watched: Resource {
    /// How the events are called that are no changes.
    const ASIDE: &'static str;

    /// Lets somebody read from a version on, or from now on.
    fn watch(host: &Host, seen: &Seen<Self>, after: Option<Version>) -> Result<Reader<Self>, HostError>;

    /// Writes how it stands, and what that stands for.
    fn write_snapshot(
        &self,
        host: &Host,
        from: Version,
        out: &mut Vec<u8>,
    ) -> impl Future<Output = Result<(), Broken>> + Send;

    /// Writes what has happened.
    fn write_change(&self, entry: &Entry<Self::Event>, out: &mut Vec<u8>) -> Written;

    /// Writes what is new besides.
    fn write_aside(
        host: &Host,
        live: &Live<Self>,
        out: &mut Vec<u8>,
    ) -> impl Future<Output = Result<(), Broken>> + Send;
}

impl Watched for Session {
    const ASIDE: &'static str = "presence";

    fn watch(host: &Host, seen: &Seen, after: Option<Version>) -> Result<Reader<Session>, HostError> {
        host.watch(&seen.live, &seen.who, after)
    }

    async fn write_snapshot(&self, _: &Host, from: Version, out: &mut Vec<u8>) -> Result<(), Broken> {
        Ok(wire::write_snapshot(out, self, from)?)
    }

    fn write_change(&self, entry: &Entry<Event>, out: &mut Vec<u8>) -> Written {
        wire::write_change(out, self, entry)
    }

    async fn write_aside(host: &Host, live: &Live, out: &mut Vec<u8>) -> Result<(), Broken> {
        Ok(wire::write_presence(out, &host.presence(live).await?)?)
    }
}

impl Watched for Race {
    const ASIDE: &'static str = "standings";

    fn watch(host: &Host, seen: &Seen<Race>, after: Option<Version>) -> Result<Reader<Race>, HostError> {
        host.watch_race(&seen.live, &seen.who, after)
    }

    async fn write_snapshot(&self, host: &Host, from: Version, out: &mut Vec<u8>) -> Result<(), Broken> {
        let standings = host.standings(self).await?;
        Ok(wire::write_race_snapshot(out, self, &standings, from)?)
    }

    fn write_change(&self, entry: &Entry<Self::Event>, out: &mut Vec<u8>) -> Written {
        wire::write_race_change(out, self, entry)
    }

    async fn write_aside(host: &Host, live: &Live<Race>, out: &mut Vec<u8>) -> Result<(), Broken> {
        let standings = host.standings(&live.current()).await?;
        Ok(wire::write_standings_event(out, &standings)?)
    }
}

/// Opens a stream.
pub(super) async fn open<G: Watched>(
    State(app): State<App>,
    seen: Seen<G>,
    request: Request,
) -> Result<Response, Problem> {
    let [after] = query::parameters(request.uri(), ["after"])?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::VARY, HeaderValue::from_static("Authorization")),
        (X_ACCEL_BUFFERING, HeaderValue::from_static("no")),
    ];
    let body = match *request.method() {
        Method::HEAD => Body::from_stream(stream::empty::<Result<Bytes, Infallible>>()),
        _ => events(app, &seen, &request, after)?,
    };
    Ok((headers, body).into_response())
}

/// The events that one who asks is told, as a body that has no end of its own.
fn events<G: Watched>(app: App, seen: &Seen<G>, request: &Request, after: Option<String>) -> Result<Body, Problem> {
    let place = app.streams().place(client(request, app.limits().trusted_proxies))?;
    let last = request.headers().get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()).map(str::to_string);
    let known =
        last.or(after).and_then(|text| text.parse().ok().filter(|version: &Version| version.to_string() == text));
    let reader = G::watch(app.host(), seen, known)?;
    let ending = app.streams().ending.subscribe();
    let line = request.extensions().get::<Line>().cloned();
    let stream = Stream { app, reader, line, ending, stage: Stage::New, _place: place };
    Ok(Body::from_stream(stream::unfold(stream, |mut stream| async move {
        let bytes = stream.next().await?;
        Some((Ok::<_, Infallible>(bytes), stream))
    })))
}

/// One who watches, and his connection.
struct Stream<G: Watched> {
    app: App,
    reader: Reader<G>,
    line: Option<Line>,
    ending: watch::Receiver<bool>,
    stage: Stage,
    _place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Begun,
    Over,
}

impl<G: Watched> Stream<G> {
    /// What is sent next; nothing if the stream is over.
    async fn next(&mut self) -> Option<Bytes> {
        match self.stage {
            Stage::Over => return None,
            Stage::New => {
                self.stage = Stage::Begun;
                return Some(Bytes::from_static(RETRY));
            }
            Stage::Begun => {}
        }
        let next = tokio::time::timeout(self.app.limits().heartbeat, self.reader.next());
        let told = tokio::select! {
            biased;
            _ = self.ending.wait_for(|ending| *ending) => None,
            () = hung_up(self.line.as_ref()) => return None,
            told = next => Some(told),
        };
        let written = match told {
            None => {
                self.stage = Stage::Over;
                Ok(farewell("shutting_down"))
            }
            Some(Err(_)) => return Some(self.beat().await),
            Some(Ok(Ok(told))) => self.write(told).await,
            Some(Ok(Err(error))) => Err(error.into()),
        };
        // Without a good-bye the client comes back, and is told then what is wrong.
        written.inspect_err(|error| tracing::warn!(%error, "a stream broke off")).ok().inspect(|_| {
            self.app.streams().events_sent.fetch_add(1, Ordering::Relaxed);
        })
    }

    async fn write(&mut self, told: Told<G>) -> Result<Bytes, Broken> {
        let host = self.app.host();
        match told {
            Told::Snapshot(from, state) => {
                let mut data = Vec::new();
                state.write_snapshot(host, from, &mut data).await?;
                Ok(event(Some(state.version()), "snapshot", &data))
            }
            Told::Change(change) => Ok(change.written(|entry, state| {
                let mut data = Vec::new();
                state.write_change(entry, &mut data).map(|()| event(Some(state.version()), "change", &data))
            })?),
            Told::Prospect(prospect) => {
                let mut data = Vec::new();
                wire::write_prospect(&mut data, &prospect)?;
                Ok(event(None, "outlook", &data))
            }
            Told::Stirred(stir) => {
                let write = async {
                    let mut data = Vec::new();
                    G::write_aside(host, self.reader.live(), &mut data).await?;
                    Ok::<_, Broken>(event(None, G::ASIDE, &data))
                };
                Ok(self.reader.aside(stir, write).await.unwrap_or(SIGN_OF_LIFE))
            }
            Told::End(end) => {
                self.stage = Stage::Over;
                reason(end).map(farewell).ok_or(Broken::Host(HostError::Failed))
            }
        }
    }

    /// A sign of life, and a time to see whether what is watched is still there.
    async fn beat(&mut self) -> Bytes {
        self.reader.tidy();
        // If it is not, the reader is told.
        let _looked = G::find(self.app.host(), self.reader.live().current().id()).await;
        SIGN_OF_LIFE
    }
}

/// Waits until the client has left.
async fn hung_up(line: Option<&Line>) {
    match line {
        Some(line) => line.is_hung_up().await,
        None => std::future::pending().await,
    }
}

/// An event as it is sent; its data is JSON in one line.
fn event(id: Option<Version>, name: &str, data: &[u8]) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    [id.as_bytes(), b"event: ", name.as_bytes(), b"\ndata: ", data, b"\n\n"].concat().into()
}

fn farewell(reason: &str) -> Bytes {
    event(None, "bye", format!("{{\"reason\":\"{reason}\"}}").as_bytes())
}

/// What is said at the end; nothing if whoever watches is to come back and be told what is wrong.
fn reason(end: End) -> Option<&'static str> {
    Some(match end {
        End::Unreadable => return None,
        End::Deleted => "deleted",
        End::Expired => "expired",
        End::Replaced => "replaced",
        End::SeatLeft => "seat_left",
    })
}

/// The open streams, and how many there may be.
pub(super) struct Streams {
    most: usize,
    most_of_one: usize,
    open: Mutex<Open>,
    ending: watch::Sender<bool>,
    events_sent: AtomicU64,
}

impl Streams {
    pub(super) fn new(limits: &Limits) -> Arc<Streams> {
        Arc::new(Streams {
            most: limits.streams,
            most_of_one: limits.streams_per_network,
            open: Mutex::default(),
            ending: watch::Sender::new(false),
            events_sent: AtomicU64::new(0),
        })
    }

    /// How many are open.
    pub(super) fn open(&self) -> usize {
        self.open.lock().all
    }

    /// How many events were sent.
    pub(super) fn events_sent(&self) -> u64 {
        self.events_sent.load(Ordering::Relaxed)
    }

    /// Ends all of them, and those to come.
    pub(super) fn end(&self) {
        self.ending.send_replace(true);
    }

    /// Counts a stream for as long as what this gives is kept.
    ///
    /// # Errors
    /// If there are as many as may be.
    fn place(self: &Arc<Streams>, network: Network) -> Result<Place, Problem> {
        let mut open = self.open.lock();
        if open.all >= self.most {
            return Err(Problem::new(Code::Busy, "The server has as many live streams open as it takes."));
        }
        let of_network = open.by_network.get(&network).copied().unwrap_or(0);
        if of_network >= self.most_of_one {
            let detail = "As many live streams are open from this address as may be. Close one.";
            return Err(Problem::new(Code::RateLimited, detail).retry_in(TRY_AGAIN));
        }
        open.all += 1;
        open.by_network.insert(network, of_network + 1);
        drop(open);
        Ok(Place { streams: self.clone(), network })
    }
}

#[derive(Default)]
struct Open {
    all: usize,
    by_network: HashMap<Network, usize>,
}

/// A stream that is open.
struct Place {
    streams: Arc<Streams>,
    network: Network,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock();
        open.all -= 1;
        if let hash_map::Entry::Occupied(mut of_network) = open.by_network.entry(self.network) {
            match of_network.get() {
                ..=1 => drop(of_network.remove()),
                more => *of_network.get_mut() = more - 1,
            }
        }
    }
}
