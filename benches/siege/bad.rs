//! Connections that are there to be held: they ask too slowly, or nothing.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// In what time they come. In this time they send a byte, too.
const SECOND: Duration = Duration::from_secs(1);

/// How long one that was not let in waits before it comes again, and how often it is asked whether it
/// is enough.
const PAUSE: Duration = Duration::from_millis(50);

/// What a bad connection does.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Head,
    Body,
    Silent,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Head, Kind::Body, Kind::Silent];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Head => "endless head",
            Kind::Body => "endless body",
            Kind::Silent => "says nothing",
        }
    }

    fn opening(self) -> &'static [u8] {
        match self {
            Kind::Head => b"GET /v1/games HTTP/1.1\r\nhost: localhost\r\nx-long: ",
            Kind::Body => {
                b"POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\n\
                  content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
            }
            Kind::Silent => b"",
        }
    }
}

/// What has become of the bad connections of one kind.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fate {
    /// How many are open.
    pub(crate) held: usize,
    /// How many were closed by the server with an answer, and without.
    pub(crate) answered: usize,
    pub(crate) closed: usize,
    /// How many were not let in, or told that there are too many.
    pub(crate) refused: usize,
}

#[derive(Default)]
struct Count {
    held: AtomicUsize,
    answered: AtomicUsize,
    closed: AtomicUsize,
    refused: AtomicUsize,
}

/// How long a server bears with a connection.
#[derive(Clone, Copy)]
pub(crate) struct TimeOuts {
    pub(crate) head: Duration,
    pub(crate) body: Duration,
}

impl TimeOuts {
    fn of(self, kind: Kind) -> Duration {
        match kind {
            Kind::Head | Kind::Silent => self.head,
            Kind::Body => self.body,
        }
    }
}

/// Bad connections, a third of each kind. Whichever the server closes comes again at once.
pub(crate) struct Siege {
    counts: Arc<[Count; 3]>,
    lifted: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Siege {
    /// Lays a siege, from a thread of its own; all have come when this is over. They are then closed as
    /// evenly as in a siege that lasts: each breaks its first connection off itself, at another part of
    /// the time that the server bears with it.
    pub(crate) async fn lay(address: SocketAddr, connections: usize, time_outs: TimeOuts) -> Siege {
        let (counts, lifted) = (Arc::<[Count; 3]>::default(), Arc::<AtomicBool>::default());
        let thread = std::thread::spawn({
            let (counts, lifted) = (counts.clone(), lifted.clone());
            move || besiege(address, connections, time_outs, &counts, &lifted)
        });
        tokio::time::sleep(SECOND + 4 * PAUSE).await;
        Siege { counts, lifted, thread }
    }

    /// What has become of them so far, by kind.
    pub(crate) fn fates(&self) -> [Fate; 3] {
        std::array::from_fn(|kind| {
            let Count { held, answered, closed, refused } = &self.counts[kind];
            let [held, answered, closed, refused] = [held, answered, closed, refused].map(|count| count.load(Relaxed));
            Fate { held, answered, closed, refused }
        })
    }

    /// Ends it.
    pub(crate) async fn lift(self) {
        self.lifted.store(true, Relaxed);
        tokio::task::spawn_blocking(|| self.thread.join().expect("the siege does not panic"))
            .await
            .expect("a thread can be waited for");
    }
}

fn besiege(
    address: SocketAddr,
    connections: usize,
    time_outs: TimeOuts,
    counts: &Arc<[Count; 3]>,
    lifted: &AtomicBool,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        for number in 0..connections {
            let counts = counts.clone();
            let place = number % Kind::ALL.len();
            let kind = Kind::ALL[place];
            let part = |whole: Duration| whole.mul_f64(number as f64 / connections as f64);
            let (delay, first) = (part(SECOND), part(time_outs.of(kind)));
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                let _ = tokio::time::timeout(first, misbehave_once(address, kind, &counts[place])).await;
                loop {
                    misbehave_once(address, kind, &counts[place]).await;
                }
            });
        }
        while !lifted.load(Relaxed) {
            tokio::time::sleep(PAUSE).await;
        }
    });
}

async fn misbehave_once(address: SocketAddr, kind: Kind, count: &Count) {
    let Ok(stream) = TcpStream::connect(address).await else {
        count.refused.fetch_add(1, Relaxed);
        tokio::time::sleep(PAUSE).await;
        return;
    };
    let held = Held::count(&count.held);
    let answer = hold(stream, kind).await;
    drop(held);
    match answer.as_slice() {
        [] => count.closed.fetch_add(1, Relaxed),
        answer if answer.starts_with(b"HTTP/1.1 503") => count.refused.fetch_add(1, Relaxed),
        _ => count.answered.fetch_add(1, Relaxed),
    };
}

/// Counts a connection for as long as it is there.
struct Held<'a>(&'a AtomicUsize);

impl Held<'_> {
    fn count(held: &AtomicUsize) -> Held<'_> {
        held.fetch_add(1, Relaxed);
        Held(held)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Holds a connection until the server answers or closes it, and gives the beginning of the answer.
async fn hold(mut stream: TcpStream, kind: Kind) -> Vec<u8> {
    let mut answer = Vec::with_capacity(1_024);
    // If this cannot be sent, nothing can be read either.
    let _ = stream.write_all(kind.opening()).await;
    loop {
        match tokio::time::timeout(SECOND, stream.read_buf(&mut answer)).await {
            Ok(_) => return answer,
            Err(_) if matches!(kind, Kind::Silent) => {}
            Err(_) => {
                let _ = stream.write_all(b"x").await;
            }
        }
    }
}
