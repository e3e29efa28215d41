//! The connections: accepted until told to stop, then drained.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutWriter;
use tower::util::MapResponse;
use tower_http::add_extension::AddExtension;

use super::address::Peer;
use super::manners::allow_options;
use super::observe::observe;
use super::{Code, Limits, Problem};

/// How long to wait before the next try when no connection can be accepted, for want of descriptors
/// say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How many connections beyond the bound are told that there are too many; further ones are closed
/// without a word.
const TURNED_AWAY: usize = 100;

/// Serves HTTP/1.1 on a listener until `shutdown` resolves; then requests in flight are finished, for
/// as long as the limits allow.
pub async fn serve(listener: TcpListener, router: Router, limits: &Limits, shutdown: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let door = Door::new(router, limits);
    let mut builder = http1::Builder::new();
    // A client that closes its half once it has asked is answered all the same.
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head_timeout).half_close(true);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted.and_then(prepared) {
            Ok((stream, peer)) => {
                let Some((place, paths)) = door.enter() else {
                    continue;
                };
                let mut stream = TimeoutWriter::new(stream);
                stream.set_timeout(Some(limits.write_timeout));
                let service = TowerToHyperService::new(MapResponse::new(
                    AddExtension::new(paths, Peer(peer.ip())),
                    allow_options as fn(Response) -> Response,
                ));
                let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
                let connection = connections.watch(connection);
                tokio::spawn(async move {
                    // A connection ends with an error when its client breaks it off; nobody has to know.
                    let _ended = connection.await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(limits.drain_timeout, connections.shutdown()).await.is_err() {
        tracing::warn!("connections were cut that had not finished in time");
    }
}

fn prepared((stream, peer): (TcpStream, SocketAddr)) -> io::Result<(TcpStream, SocketAddr)> {
    stream.set_nodelay(true).map(|()| (stream, peer))
}

/// Counts the connections.
struct Door {
    places: Arc<Semaphore>,
    paths: Router,
    places_outside: Arc<Semaphore>,
    turned_away: Router,
}

impl Door {
    fn new(paths: Router, limits: &Limits) -> Door {
        Door {
            places: Arc::new(Semaphore::new(limits.connections)),
            paths,
            places_outside: Arc::new(Semaphore::new(TURNED_AWAY)),
            turned_away: Router::new().fallback(turn_away).layer(from_fn(observe)),
        }
    }

    /// A place for one more connection, and what it will find; none if it is to be closed at once.
    fn enter(&self) -> Option<(OwnedSemaphorePermit, Router)> {
        let inside = || Some((self.places.clone().try_acquire_owned().ok()?, self.paths.clone()));
        let outside = || Some((self.places_outside.clone().try_acquire_owned().ok()?, self.turned_away.clone()));
        inside().or_else(outside)
    }
}

async fn turn_away() -> Response {
    let problem = Problem::new(Code::Busy, "The server has as many connections as it takes.");
    ([(header::CONNECTION, HeaderValue::from_static("close"))], problem).into_response()
}
