//! The connections: accepted until told to stop, then drained.

use std::future::Future;
use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::Limits;

/// How long to wait before the next try when no connection can be accepted, for want of descriptors
/// say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves HTTP/1.1 on a listener until `shutdown` resolves; then requests in flight are finished, for
/// as long as the limits allow.
pub async fn serve(listener: TcpListener, router: Router, limits: &Limits, shutdown: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let mut builder = http1::Builder::new();
    // A client that closes its half once it has asked is answered all the same.
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head_timeout).half_close(true);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted.map(|(stream, _)| stream),
            () = &mut shutdown => break,
        };
        match accepted.and_then(prepared) {
            Ok(stream) => {
                let service = TowerToHyperService::new(router.clone());
                let connection = builder.serve_connection(TokioIo::new(stream), service);
                // A connection ends with an error when its client breaks it off; nobody has to know.
                tokio::spawn(connections.watch(connection));
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

fn prepared(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true).map(|()| stream)
}
