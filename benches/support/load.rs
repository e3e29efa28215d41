//! The load: players that replay recorded games, one connection each.

use std::convert::Infallible;
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
    script: Script,
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
        let first = number * games.len() / connections;
        let script = Script::new(server, games, first, "");
        players.push(Player { connection: Connection::open(address).await, script });
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
    /// Whether the next request of a script is still to be sent.
    fn allows(&self, script: &Script) -> bool {
        match self {
            Until::Time(end) => Instant::now() < *end,
            Until::Games(countdown) => !script.is_between_games() || countdown.begin(),
        }
    }
}

/// Lets players play.
pub(crate) async fn play(players: &mut Vec<Player>, until: Until) -> Tally {
    let start = |mut player: Player| {
        let until = until.clone();
        tokio::spawn(async move {
            let mut tally = Tally::default();
            while until.allows(&player.script) {
                player.ask(&mut tally).await;
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

/// Does something with this thread awake all the while: a server would pay for waking it, and the slower
/// one more often.
pub(crate) async fn awake<T>(work: impl Future<Output = T>) -> T {
    tokio::select! {
        biased;
        done = work => done,
        never = stay_awake() => match never {},
    }
}

async fn stay_awake() -> Infallible {
    loop {
        tokio::task::yield_now().await;
    }
}

impl Player {
    async fn ask(&mut self, tally: &mut Tally) {
        let asked = Instant::now();
        let answer = self.connection.exchange(self.script.request()).await;
        tally.latencies.push(asked.elapsed());
        tally.bytes += answer.body.len();
        assert!(self.script.goes_on(&answer), "{} {}", answer.status, String::from_utf8_lossy(answer.body));
    }
}

/// The requests of one who replays games: a session is made, its moves are played, and so on with the
/// next game.
pub(crate) struct Script {
    server: Server,
    games: Arc<[Recording]>,
    game: usize,
    /// How many moves of the game have been played; none before its session is there.
    played: Option<usize>,
    /// More headers of every request, each with its end of line.
    headers: String,
    request: Vec<u8>,
    /// How many bytes of the request are the same for all moves of a session.
    head: usize,
}

impl Script {
    /// Games from this one on, every request with these headers besides its own, each with its end of
    /// line.
    pub(crate) fn new(server: Server, games: &Arc<[Recording]>, first: usize, headers: &str) -> Script {
        let (games, headers) = (games.clone(), headers.to_string());
        let mut script = Script { server, games, game: first, played: None, headers, request: Vec::new(), head: 0 };
        script.ask_for_session();
        script
    }

    /// Whether the next request makes a session.
    pub(crate) fn is_between_games(&self) -> bool {
        self.played.is_none()
    }

    /// The next request.
    pub(crate) fn request(&self) -> &[u8] {
        &self.request
    }

    /// Goes on to the next request; not if the answer says that this one was refused.
    pub(crate) fn goes_on(&mut self, answer: &Answer<'_>) -> bool {
        let expected = if self.is_between_games() { 201 } else { 200 };
        if self.server == Server::Real && answer.status != expected {
            return false;
        }
        let played = match self.played {
            None => self.enter_session(answer),
            Some(played) => played + 1,
        };
        let games = self.games.clone();
        match games[self.game % games.len()].moves.get(played) {
            Some(body) => {
                self.played = Some(played);
                self.request.truncate(self.head);
                append_body(&mut self.request, body);
            }
            None => {
                self.game += 1;
                self.ask_for_session();
            }
        }
        true
    }

    fn ask_for_session(&mut self) {
        self.played = None;
        self.request = format!("POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\n{}", self.headers).into();
        append_body(&mut self.request, &self.games[self.game % self.games.len()].opening);
    }

    /// Writes the head of the requests that play in a session, and gives how many moves have been played
    /// there.
    fn enter_session(&mut self, answer: &Answer<'_>) -> usize {
        let (id, token) = match self.server {
            Server::Real => (answer.text("id"), answer.text("token")),
            Server::StandIn => ("00000000-0000-4000-8000-000000000000".into(), "0".repeat(64)),
        };
        let path = format!("POST /v1/sessions/{id}/moves HTTP/1.1\r\nhost: localhost\r\n");
        self.request = format!("{path}authorization: Bearer {token}\r\n{}", self.headers).into();
        self.head = self.request.len();
        0
    }
}

fn append_body(request: &mut Vec<u8>, body: &str) {
    let length = body.len();
    let rest = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
    request.extend_from_slice(rest.as_bytes());
}
