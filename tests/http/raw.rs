//! Bytes on a connection, for what no client would send.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use crate::app::TestApp;
use crate::client::{Answer, Ask};
use crate::contract;

/// After that long a test has failed; nothing waits for it otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection.
pub(crate) struct Raw {
    reader: OwnedReadHalf,
    /// None when no more will be sent.
    writer: Option<OwnedWriteHalf>,
    read: Vec<u8>,
}

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Raw {
        Raw::over(TcpStream::connect(address).await.unwrap())
    }

    /// A connection without leaving the server time to notice.
    pub(crate) fn connect_at_once(address: SocketAddr) -> Raw {
        let stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_nonblocking(true).unwrap();
        Raw::over(TcpStream::from_std(stream).unwrap())
    }

    fn over(stream: TcpStream) -> Raw {
        stream.set_nodelay(true).unwrap();
        let (reader, writer) = stream.into_split();
        Raw { reader, writer: Some(writer), read: Vec::new() }
    }

    /// Sends; says whether all of it went out.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        let writer = self.writer.as_ref().expect("it was not finished");
        let mut rest = bytes.as_ref();
        while !rest.is_empty() {
            timeout(PATIENCE, writer.writable()).await.expect("the server neither reads nor closes").unwrap();
            match writer.try_write(rest) {
                Ok(sent) => rest = &rest[sent..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// Says that no more will be sent.
    pub(crate) fn finish(&mut self) {
        self.writer = None;
    }

    /// The next answer; `None` if the server closes instead.
    pub(crate) async fn answer(&mut self, asked: &str) -> Option<Answer> {
        let head_end = loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                break end;
            }
            if !self.more().await {
                assert!(self.read.is_empty(), "half an answer: {:?}", String::from_utf8_lossy(&self.read));
                return None;
            }
        };
        let head = String::from_utf8(self.read[..head_end].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            headers.append(name.parse::<HeaderName>().unwrap(), value.parse::<HeaderValue>().unwrap());
        }
        let length = headers.get("content-length").map_or(0, |length| length.to_str().unwrap().parse().unwrap());
        while self.read.len() < head_end + 4 + length {
            assert!(self.more().await, "half a body: {:?}", String::from_utf8_lossy(&self.read));
        }
        let rest = self.read.split_off(head_end + 4 + length);
        let body = self.read.split_off(head_end + 4);
        self.read = rest;
        Some(Answer { asked: asked.to_string(), status, headers, body })
    }

    /// Waits until the server closes, which it does without another word.
    pub(crate) async fn is_closed(&mut self) {
        assert!(!self.more().await, "still talking: {:?}", String::from_utf8_lossy(&self.read));
    }

    async fn more(&mut self) -> bool {
        let mut buffer = [0; 4_096];
        loop {
            timeout(PATIENCE, self.reader.readable()).await.expect("the server says nothing").unwrap();
            match self.reader.try_read(&mut buffer) {
                Ok(read) => {
                    self.read.extend_from_slice(&buffer[..read]);
                    return read > 0;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // A reset is an end too.
                Err(_) => return false,
            }
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// The head of a request, with the headers that every request needs.
pub(crate) fn head(method: &str, path: &str, headers: &[(&str, &str)]) -> String {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("{method} {path} HTTP/1.1\r\nhost: patience\r\n{headers}\r\n")
}

impl TestApp {
    /// Sends bytes on a connection of their own, and checks the manners of what is answered.
    pub(crate) async fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut raw = Raw::connect(self.address).await;
        raw.send(head(method, path, headers)).await;
        raw.send(body).await;
        let answer = self.answer(&mut raw, method, path).await;
        let ask = headers.iter().fold(Ask::new(method, path), |ask, (name, value)| ask.header(*name, value));
        contract::check_request(&ask.body(body), &answer);
        answer
    }

    /// The next answer on a connection, its manners checked.
    pub(crate) async fn answer(&self, raw: &mut Raw, method: &str, path: &str) -> Answer {
        let ask = Ask::new(method, path);
        let answer = raw.answer(&ask.to_string()).await;
        let answer = answer.unwrap_or_else(|| panic!("{ask}: closed without an answer"));
        self.check(&ask, &answer);
        answer
    }
}
