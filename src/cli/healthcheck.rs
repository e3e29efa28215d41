//! `patience healthcheck`: asks a server whether it is up, for container runtimes.
//!
//! It asks `/healthz`, not `/readyz`: what is unhealthy gets killed, and a server that drains, or that
//! waits for its store to come back, must not be.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::config::PlaceSettings;

/// How long the server has to answer, the connection included.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks the server that listens at a place, and gives a line that says that it is up.
///
/// # Errors
/// If it is not: a line that says why.
pub(super) fn run(place: &PlaceSettings) -> Result<String, String> {
    let address = reachable(place.listen);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("no runtime can be started: {error}"))?;
    match runtime.block_on(async { timeout(PATIENCE, ask(address)).await }) {
        Ok(Ok(StatusCode::OK)) => Ok(format!("healthy: http://{address}/healthz answers {}", StatusCode::OK)),
        Ok(Ok(status)) => Err(format!("unhealthy: http://{address}/healthz answers {status}")),
        Ok(Err(error)) => Err(format!("unhealthy: http://{address}/healthz does not answer: {error}")),
        Err(_) => Err(format!("unhealthy: http://{address}/healthz does not answer within {PATIENCE:?}")),
    }
}

async fn ask(address: SocketAddr) -> Result<StatusCode, Box<dyn Error>> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // If it breaks, whoever waits for the answer is told.
    tokio::spawn(connection);
    let request = Request::get("/healthz").header(header::HOST, address.to_string()).body(Empty::<Bytes>::new())?;
    Ok(sender.send_request(request).await?.status())
}

/// Where a server answers that listens there: one that listens on every address does so on loopback.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_on_loopback() {
        let cases = [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("127.0.0.2:80", "127.0.0.2:80"),
            ("[2001:db8::1]:80", "[2001:db8::1]:80"),
        ];
        for (listen, asked) in cases {
            assert_eq!(reachable(listen.parse().unwrap()), asked.parse().unwrap(), "{listen}");
        }
    }
}
