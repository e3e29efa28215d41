//! A client of one keep-alive connection that does as little as it can: the load must never be what
//! a bench measures.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that carries one request at a time.
pub(crate) struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

/// An answer, as long as nothing else is asked.
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) head: &'a str,
    pub(crate) body: &'a [u8],
}

impl Answer<'_> {
    /// The first header of that name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(self.head, name)
    }

    /// The text of the first field of that name.
    pub(crate) fn text(&self, field: &str) -> String {
        let json = std::str::from_utf8(self.body).expect("JSON is text");
        let (_, after) = json.split_once(&format!("\"{field}\":\"")).expect("the answer has this field");
        after.split('"').next().unwrap_or_default().to_string()
    }
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Connection {
        Connection::try_open(address).await.expect("the server accepts connections")
    }

    /// Opens a connection to a server that may not be there any more.
    pub(crate) async fn try_open(address: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, received: Vec::with_capacity(16 * 1024) })
    }

    /// Sends a request, ready as it is, and waits for the answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Answer<'_> {
        self.try_exchange(request).await.expect("the server answers")
    }

    /// The same with a server that may break the connection off.
    pub(crate) async fn try_exchange(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.received.clear();
        let head = loop {
            self.receive().await?;
            if let Some(head) = Head::of(&self.received) {
                break head;
            }
        };
        while self.received.len() < head.bytes + head.content_length {
            self.receive().await?;
        }
        let (text, body) = self.received.split_at(head.bytes);
        let text = std::str::from_utf8(text).expect("a head is text");
        Ok(Answer { status: head.status, head: text, body })
    }

    async fn receive(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.received).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

/// Asks for the live stream of a session.
pub(crate) async fn ask_for_events(mut stream: TcpStream, session: &str) -> TcpStream {
    let request = format!("GET /v1/sessions/{session}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("the server reads");
    stream
}

/// What is needed of an answer's head.
struct Head {
    status: u16,
    content_length: usize,
    bytes: usize,
}

impl Head {
    /// The head of an answer, if all of it is there.
    fn of(received: &[u8]) -> Option<Head> {
        const END: &[u8] = b"\r\n\r\n";
        let bytes = received.windows(END.len()).position(|window| window == END)? + END.len();
        let text = std::str::from_utf8(&received[..bytes]).expect("a head is text");
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
        let length = header(text, "content-length").and_then(|length| length.parse().ok());
        Some(Head {
            status: status.expect("an answer begins with its status"),
            content_length: length.expect("an answer has a length"),
            bytes,
        })
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut headers = head.lines().filter_map(|line| line.split_once(": "));
    headers.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}
