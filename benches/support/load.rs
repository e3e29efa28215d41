//! The load: players that replay recorded games, one connection each.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::client::{Answer, Connection};
use super::play::Recording;

/// What the players of a server know of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    /// It plays: it must take every game and every move.
    Real,
    /// It stands in for one, and answers everything alike.
    StandIn,
}

/// A player with a connection.
pub(crate) struct Player {
    connection: Connection,
    server: Server,
    games: Arc<[Recording]>,
    next: usize,
}

/// What players have seen.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) bytes: usize,
    pub(crate) latencies: Vec<Duration>,
}

impl Tally {
    pub(crate) fn requests(&self) -> usize {
        self.latencies.len()
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.bytes += other.bytes;
        self.latencies.extend(other.latencies);
    }

    /// The latency that this part of the requests, from 0 to 1, did not exceed.
    pub(crate) fn quantile(&self, part: f64) -> Duration {
        let mut latencies = self.latencies.clone();
        let place = ((latencies.len() - 1) as f64 * part) as usize;
        *latencies.select_nth_unstable(place).1
    }
}

/// Players of a server, each on a connection of its own.
pub(crate) async fn players(
    server: Server,
    address: SocketAddr,
    games: &Arc<[Recording]>,
    connections: usize,
) -> Vec<Player> {
    let mut players = Vec::new();
    for number in 0..connections {
        // Far apart, so that they do not all play the same at the same time.
        let next = number * games.len() / connections;
        players.push(Player { connection: Connection::open(address).await, server, games: games.clone(), next });
    }
    players
}

/// When players stop.
#[derive(Clone)]
pub(crate) enum Until {
    /// At this time, wherever they are.
    Time(Instant),
    /// When so many games have been begun, at the end of the last of them.
    Games(Arc<Countdown>),
}

/// How many games are still to be begun.
pub(crate) struct Countdown(AtomicUsize);

impl Countdown {
    pub(crate) fn from(games: usize) -> Arc<Countdown> {
        Arc::new(Countdown(AtomicUsize::new(games)))
    }

    pub(crate) fn left(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn begin(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

impl Until {
    fn begin_game(&self) -> bool {
        match self {
            Until::Time(end) => Instant::now() < *end,
            Until::Games(countdown) => countdown.begin(),
        }
    }

    fn go_on(&self) -> bool {
        match self {
            Until::Time(end) => Instant::now() < *end,
            Until::Games(_) => true,
        }
    }
}

/// Lets players play.
pub(crate) async fn play(players: &mut Vec<Player>, until: Until) -> Tally {
    let start = |mut player: Player| {
        let until = until.clone();
        tokio::spawn(async move {
            let mut tally = Tally::default();
            while until.begin_game() {
                player.play_game(&until, &mut tally).await;
            }
            (player, tally)
        })
    };
    let tasks: Vec<_> = players.drain(..).map(start).collect();
    let mut total = Tally::default();
    for task in tasks {
        let (player, tally) = task.await.expect("no player panics");
        players.push(player);
        total.add(tally);
    }
    total
}

impl Player {
    async fn play_game(&mut self, until: &Until, tally: &mut Tally) {
        let (server, games) = (self.server, self.games.clone());
        let game = &games[self.next % games.len()];
        self.next += 1;
        let mut request = self.open(&game.opening, tally).await;
        let head = request.len();
        for body in &game.moves {
            if !until.go_on() {
                return;
            }
            request.truncate(head);
            append_body(&mut request, body);
            let status = self.ask(&request, tally).await.status;
            assert!(server == Server::StandIn || status == 200, "{status} for {body}");
        }
    }

    /// Makes a session, and gives the head of the requests that play there.
    async fn open(&mut self, body: &str, tally: &mut Tally) -> Vec<u8> {
        let mut request = b"POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\n".to_vec();
        append_body(&mut request, body);
        let server = self.server;
        let answer = self.ask(&request, tally).await;
        let (id, token) = match server {
            Server::Real => {
                assert_eq!(answer.status, 201, "for {body}");
                (answer.text("id"), answer.text("token"))
            }
            Server::StandIn => ("00000000-0000-4000-8000-000000000000".into(), "0".repeat(64)),
        };
        let path = format!("POST /v1/sessions/{id}/moves HTTP/1.1\r\n");
        format!("{path}host: localhost\r\nauthorization: Bearer {token}\r\n").into()
    }

    async fn ask(&mut self, request: &[u8], tally: &mut Tally) -> Answer<'_> {
        let asked = Instant::now();
        let answer = self.connection.exchange(request).await;
        tally.latencies.push(asked.elapsed());
        tally.bytes += answer.body.len();
        answer
    }
}

fn append_body(request: &mut Vec<u8>, body: &str) {
    let length = body.len();
    let rest = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
    request.extend_from_slice(rest.as_bytes());
}
