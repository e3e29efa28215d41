//! The connections: accepted until told to stop, then drained.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_io_timeout::TimeoutWriter;
use tower::util::MapResponse;
use tower_http::add_extension::AddExtension;

use super::App;
use super::address::Peer;
use super::line::Line;
use super::manners::allow_options;
use super::routes::turned_away;

/// How long to wait before the next try when no connection can be accepted, for want of descriptors
/// say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How many connections may stand in line before they are accepted.
const LINE: usize = 1_024;

/// How long a client that has just connected, or been answered, may take to ask before it is sent away
/// by a server that ends: its request may be under way.
const MOMENT: Duration = Duration::from_millis(500);

/// How many connections beyond the bound are told that there are too many; further ones are closed
/// without a word.
const TURNED_AWAY: usize = 100;

/// How long connections beyond the bound have to ask and to be answered.
const SHORT: Duration = Duration::from_secs(2);

/// The most bytes of the head of a request.
const HEAD: usize = 65_536;

/// How a server is told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Connections are taken for the drain delay, so that a proxy in front can notice: SIGTERM.
    Announced,
    /// Nobody has to notice first: SIGINT, which is somebody at a terminal.
    Prompt,
}

/// Serves HTTP/1.1 on a listener until told to stop. Then it is no longer ready; after the drain
/// delay no connections are taken any more, and requests in flight are finished, for as long as the
/// limits allow. Told a second time, it ends at once.
pub async fn serve(listener: TcpListener, router: Router, app: &App, mut stops: mpsc::Receiver<Stop>) {
    let door = Door::new(router, app);
    let stop = tokio::select! {
        stop = next(&mut stops) => stop,
        never = door.accept(&listener) => match never {},
    };
    tracing::info!("stopping");
    app.start_draining();
    let drained = async {
        if stop == Stop::Announced {
            tokio::select! {
                () = tokio::time::sleep(app.limits().drain_delay) => {}
                never = door.accept(&listener) => match never {},
            }
        }
        door.close(listener);
        app.streams().end();
        if tokio::time::timeout(app.limits().drain_timeout, door.all_have_left()).await.is_err() {
            tracing::warn!("connections were cut that had not finished in time");
        }
    };
    tokio::select! {
        () = drained => {}
        _ = next(&mut stops) => tracing::warn!("told a second time to stop: what has not finished is cut"),
    }
}

/// What the server is told next; where nobody is left to tell, nothing.
async fn next(stops: &mut mpsc::Receiver<Stop>) -> Stop {
    match stops.recv().await {
        Some(stop) => stop,
        None => std::future::pending().await,
    }
}

/// An answer as it goes out. Once the server drains, it is the last one on its connection, so that the
/// client comes back by way of a proxy that may know better by then.
fn finished(response: Response, app: &App) -> Response {
    let mut response = allow_options(response);
    if app.is_draining() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Where connections come in and are counted, and those that have.
struct Door {
    app: App,
    inside: Hall,
    /// Where it is only said that there are too many.
    outside: Hall,
    connections: GracefulShutdown,
}

/// What connections find: so many places, paths, and some time to ask and to read.
struct Hall {
    places: Arc<Semaphore>,
    paths: Router,
    builder: http1::Builder,
    write_timeout: Duration,
}

impl Hall {
    fn new(places: Arc<Semaphore>, paths: Router, head_timeout: Duration, write_timeout: Duration) -> Hall {
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(head_timeout).max_buf_size(HEAD);
        // A client that closes its half once it has asked is answered all the same.
        builder.half_close(true);
        Hall { places, paths, builder, write_timeout }
    }

    fn place(&self) -> Option<(&Hall, OwnedSemaphorePermit)> {
        Some((self, self.places.clone().try_acquire_owned().ok()?))
    }
}

impl Door {
    fn new(paths: Router, app: &App) -> Door {
        let limits = app.limits();
        let few = Arc::new(Semaphore::new(TURNED_AWAY));
        Door {
            app: app.clone(),
            inside: Hall::new(app.connections().clone(), paths, limits.head_timeout, limits.write_timeout),
            outside: Hall::new(few, turned_away(app.clone()), SHORT, SHORT),
            connections: GracefulShutdown::new(),
        }
    }

    async fn accept(&self, listener: &TcpListener) -> Infallible {
        loop {
            let accepted = listener.accept().await;
            if let Err(error) = accepted.and_then(|(stream, peer)| self.let_in(stream, peer)) {
                warn(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    fn let_in(&self, stream: TcpStream, peer: SocketAddr) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let Some((hall, place)) = self.inside.place().or_else(|| self.outside.place()) else {
            return Ok(());
        };
        let line = Line::new(stream);
        let mut stream = TimeoutWriter::new(line.clone());
        stream.set_timeout(Some(hall.write_timeout));
        let (app, paths) = (self.app.clone(), hall.paths.clone());
        let service = MapResponse::new(AddExtension::new(AddExtension::new(paths, Peer(peer.ip())), line), move |it| {
            finished(it, &app)
        });
        let service = TowerToHyperService::new(service);
        let connection = hall.builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = self.connections.watch(connection);
        let app = self.app.clone();
        tokio::spawn(async move {
            // A connection ends with an error when its client breaks it off; nobody has to know.
            if connection.await.is_err_and(|error| has_stalled(&error)) {
                app.has_stalled();
            }
            drop(place);
        });
        Ok(())
    }

    /// Lets in who stands in line, whose request may have been sent already, and nobody after them.
    fn close(&self, listener: TcpListener) {
        let listener = match listener.into_std() {
            Ok(listener) => listener,
            Err(error) => return warn(&error),
        };
        for _ in 0..LINE {
            let let_in = match listener.accept() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                accepted => accepted.and_then(|(stream, peer)| {
                    stream.set_nonblocking(true)?;
                    self.let_in(TcpStream::from_std(stream)?, peer)
                }),
            };
            let_in.unwrap_or_else(|error| warn(&error));
        }
    }

    /// Waits until all who were let in have left. Whoever asks nothing is sent away in a moment.
    async fn all_have_left(self) {
        let all_places = u32::try_from(self.app.limits().connections).unwrap_or(u32::MAX);
        let nobody_is_there = self.app.connections().acquire_many(all_places);
        let _ = tokio::time::timeout(MOMENT, nobody_is_there).await;
        self.connections.shutdown().await;
    }
}

/// Whether a connection has ended because the client did not read.
fn has_stalled(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::TimedOut)
}

fn warn(error: &io::Error) {
    tracing::warn!(%error, "a connection could not be accepted");
}
