//! Those who watch: a socket each, and a task that does as little as it can.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::support::client::ask_for_events;

/// How many open a stream at a time: fewer than a server lets stand in line.
const BATCH: usize = 500;

/// How long a server may take to tell.
const PATIENCE: Duration = Duration::from_secs(60);

/// More than most events have, so that one is read at once.
const BUFFER: usize = 4_096;

/// What a watcher was told, and when.
pub(crate) struct Sighting {
    pub(crate) session: usize,
    pub(crate) version: usize,
    pub(crate) at: Instant,
}

/// What watchers have seen together.
pub(crate) struct Gallery {
    /// How many snapshots and changes.
    events: AtomicUsize,
    /// How many versions: a snapshot may stand for several.
    versions: AtomicUsize,
    /// How many streams have ended.
    ended: AtomicUsize,
    /// With how many versions somebody is to be woken.
    awaited: AtomicUsize,
    enough: Notify,
    sightings: Mutex<Option<Vec<Sighting>>>,
    sizes: Mutex<Option<Vec<usize>>>,
}

impl Gallery {
    pub(crate) fn new() -> Arc<Gallery> {
        Arc::new(Gallery {
            events: AtomicUsize::new(0),
            versions: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            awaited: AtomicUsize::new(usize::MAX),
            enough: Notify::new(),
            sightings: Mutex::new(None),
            sizes: Mutex::new(None),
        })
    }

    pub(crate) fn events(&self) -> usize {
        self.events.load(Ordering::Relaxed)
    }

    pub(crate) fn versions(&self) -> usize {
        self.versions.load(Ordering::Relaxed)
    }

    /// Waits until all together were told of so many versions.
    pub(crate) async fn has_seen(&self, versions: usize) {
        self.awaited.store(versions, Ordering::Relaxed);
        let waiting = async {
            while self.versions() < versions {
                self.enough.notified().await;
            }
        };
        let done = tokio::time::timeout(PATIENCE, waiting).await;
        let ended = self.ended.load(Ordering::Relaxed);
        assert_eq!(ended, 0, "streams have ended");
        assert!(done.is_ok(), "{} of {versions} versions came", self.versions());
    }

    /// Keeps every sighting from now on.
    pub(crate) fn keep_sightings(&self) {
        *self.sightings.lock() = Some(Vec::new());
    }

    /// Those that were kept.
    pub(crate) fn sightings(&self) -> Vec<Sighting> {
        self.sightings.lock().take().unwrap_or_default()
    }

    /// Keeps the size of everything from now on.
    pub(crate) fn keep_sizes(&self) {
        *self.sizes.lock() = Some(Vec::new());
    }

    /// Those that were kept.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.sizes.lock().take().unwrap_or_default()
    }

    fn note(&self, session: usize, event: &Event) {
        if let Some(sightings) = &mut *self.sightings.lock() {
            sightings.push(Sighting { session, version: event.version, at: Instant::now() });
        }
        if let Some(sizes) = &mut *self.sizes.lock() {
            sizes.push(event.data);
        }
        self.events.fetch_add(1, Ordering::Relaxed);
        let before = self.versions.fetch_add(event.versions, Ordering::Relaxed);
        let awaited = self.awaited.load(Ordering::Relaxed);
        if before < awaited && awaited <= before + event.versions {
            self.enough.notify_one();
        }
    }
}

/// Opens a stream for each of these sessions, which have a number and an id, and waits until it has begun.
/// The streams end when what this gives is dropped.
pub(crate) async fn open<'a>(
    address: SocketAddr,
    gallery: &Arc<Gallery>,
    sessions: impl IntoIterator<Item = (usize, &'a str)>,
) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    let before = gallery.versions();
    for (session, id) in sessions {
        let stream = TcpStream::connect(address).await.expect("the server accepts connections");
        tasks.spawn(watch(ask_for_events(stream, id).await, session, gallery.clone()));
        if tasks.len().is_multiple_of(BATCH) {
            gallery.has_seen(before + tasks.len()).await;
        }
    }
    gallery.has_seen(before + tasks.len()).await;
    tasks
}

async fn watch(mut stream: TcpStream, session: usize, gallery: Arc<Gallery>) {
    let mut buffer = vec![0; BUFFER];
    let mut events = Events::default();
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        events.read(&buffer[..length], |event| gallery.note(session, &event));
    }
    gallery.ended.fetch_add(1, Ordering::Relaxed);
    gallery.enough.notify_one();
}

/// What is known of an event that has a version.
struct Event {
    version: usize,
    /// How many versions it stands for, after the last one.
    versions: usize,
    /// How many bytes of data it has.
    data: usize,
}

/// Finds the events with an id in an answer, whatever else is there. It looks at the beginnings of lines
/// only, and for their ends.
#[derive(Default)]
struct Events {
    /// How the line begins that is being read, and how long it is so far.
    line: Vec<u8>,
    length: usize,
    version: Option<usize>,
    data: usize,
    last: Option<usize>,
}

impl Events {
    /// How much of a line is kept: enough for an id.
    const KEPT: usize = 24;

    fn read(&mut self, bytes: &[u8], mut each: impl FnMut(Event)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = Events::KEPT - self.line.len();
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            self.length += piece.len();
            if piece.ends_with(b"\n") {
                self.end_line().map(&mut each);
            }
        }
    }

    /// An event with a version, if that was its last line.
    fn end_line(&mut self) -> Option<Event> {
        let length = std::mem::take(&mut self.length);
        if let Some(id) = self.line.strip_prefix(b"id: ") {
            self.version = std::str::from_utf8(id).ok().and_then(|id| id.trim_end().parse().ok());
        } else if self.line.starts_with(b"data: ") {
            self.data = length - "data: \n".len();
        }
        let is_end = self.line == b"\n";
        self.line.clear();
        let version = if is_end { self.version.take()? } else { return None };
        let last = self.last.replace(version).unwrap_or(version.saturating_sub(1));
        Some(Event { version, versions: version.saturating_sub(last), data: self.data })
    }
}
