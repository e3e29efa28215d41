//! One who changes a session over and over: a card is drawn, and put back again.

use std::net::SocketAddr;
use std::time::Instant;

use super::client::Connection;
use super::play;

/// A player with a connection, and his session.
pub(crate) struct Player {
    connection: Connection,
    session: String,
    draw: Vec<u8>,
    undo: Vec<u8>,
    version: usize,
    bytes_received: usize,
}

/// A change that was asked for, and answered.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    /// The version that it has led to.
    pub(crate) version: usize,
    pub(crate) asked: Instant,
    pub(crate) answered: Instant,
}

impl Player {
    /// Makes a session of a deal, on a connection of its own.
    pub(crate) async fn sit_down(address: SocketAddr, deal: usize) -> Player {
        let mut connection = Connection::open(address).await;
        let (session, token) = make_session(&mut connection, deal).await;
        let request = |what: &str, body: &str| {
            let head = format!("POST /v1/sessions/{session}/{what} HTTP/1.1\r\nhost: localhost\r\n");
            let length = body.len();
            let more = format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
            format!("{head}{more}content-length: {length}\r\n\r\n{body}").into_bytes()
        };
        let (draw, undo) = (request("moves", r#"{"type":"draw"}"#), request("undo", "{}"));
        Player { connection, session, draw, undo, version: 1, bytes_received: 0 }
    }

    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// How many changes he has made.
    pub(crate) fn changes(&self) -> usize {
        self.version - 1
    }

    /// How many bytes the bodies of their answers had.
    pub(crate) fn bytes_received(&self) -> usize {
        self.bytes_received
    }

    /// Draws a card, or puts the last one back.
    pub(crate) async fn change(&mut self) -> Turn {
        let request = if self.version.is_multiple_of(2) { &self.undo } else { &self.draw };
        let asked = Instant::now();
        let answer = self.connection.exchange(request).await;
        let answered = Instant::now();
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
        self.bytes_received += answer.body.len();
        self.version += 1;
        Turn { version: self.version, asked, answered }
    }
}

/// The request that makes a session.
pub(crate) fn creation(body: &str) -> Vec<u8> {
    let head = "POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Makes a session, and gives its id and the token of its first seat.
pub(crate) async fn make_session(connection: &mut Connection, deal: usize) -> (String, String) {
    let answer = connection.exchange(&creation(&play::opening(deal))).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(answer.body));
    (answer.text("id"), answer.text("token"))
}
