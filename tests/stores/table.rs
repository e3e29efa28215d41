//! Sessions, their players' seats, and a client to ask a node with.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Answer, Ask};
use crate::watching::Watching;

/// The game that is played everywhere here: long, and with something to move about.
pub(crate) const GAME: &str = "napoleons-square";

/// After that long an answer is lost. The server gives up before.
const PATIENCE: Duration = Duration::from_secs(40);

/// A client with connections of its own.
#[derive(Clone)]
pub(crate) struct Web(reqwest::Client);

impl Web {
    pub(crate) fn new() -> Web {
        Web(reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap())
    }

    /// What a node answers; nothing if the answer was lost.
    pub(crate) async fn try_ask(&self, node: SocketAddr, ask: &Ask) -> Option<Answer> {
        let response = self.0.execute(ask.request(node)).await.ok()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.ok()?.to_vec();
        let answer = Answer { asked: ask.to_string(), status, headers, body };
        if status == 503 {
            assert!(answer.header("retry-after").is_some(), "{ask}: {}", answer.text());
        }
        Some(answer)
    }

    pub(crate) async fn ask(&self, node: SocketAddr, ask: &Ask) -> Answer {
        self.try_ask(node, ask).await.unwrap_or_else(|| panic!("{ask} was not answered"))
    }

    pub(crate) async fn get(&self, node: SocketAddr, path: &str) -> Answer {
        self.ask(node, &Ask::get(path)).await.expect(200)
    }

    /// Watches something; with a token, as a player.
    pub(crate) async fn watch(node: SocketAddr, path: &str, token: Option<&str>) -> Watching {
        let ask = token.into_iter().fold(Ask::get(&format!("{path}/events")), Ask::token);
        Web::open(node, &ask).await.unwrap_or_else(|| panic!("{ask} opens no stream"))
    }

    /// A stream that is asked for; nothing if it cannot be opened now.
    pub(crate) async fn open(node: SocketAddr, ask: &Ask) -> Option<Watching> {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let response = client.execute(ask.request(node)).await.ok()?;
        (response.status().as_u16() == 200).then(|| Watching::from(response))
    }
}

/// A session with all its seats taken.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// `/v1/sessions/{id}`
    pub(crate) path: String,
    pub(crate) id: String,
    pub(crate) seed: String,
    pub(crate) seats: Vec<Seat>,
}

/// A player's seat.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    /// `/v1/sessions/{id}`
    pub(crate) path: String,
    pub(crate) number: u64,
    pub(crate) token: String,
}

impl Seat {
    pub(crate) fn taken(path: &str, ticket: &Value) -> Seat {
        let token = ticket["token"].as_str().unwrap().to_string();
        Seat { path: path.to_string(), number: ticket["seat"].as_u64().unwrap(), token }
    }

    /// A request of this player.
    pub(crate) fn post(&self, what: &str) -> Ask {
        Ask::post(&format!("{}{what}", self.path)).token(&self.token)
    }
}

impl Table {
    /// Opens a session at the first of some nodes and takes its other seats at each in turn.
    pub(crate) async fn open(nodes: &[SocketAddr], seats: usize) -> Table {
        Table::open_with(nodes, seats, json!({})).await
    }

    /// The same, with more to say about it.
    pub(crate) async fn open_with(nodes: &[SocketAddr], seats: usize, mut wish: Value) -> Table {
        let (web, seed) = (Web::new(), format!("{:016x}", rand::random::<u64>()));
        (wish["game"], wish["seed"], wish["seats"]) = (json!(GAME), json!(seed), json!(seats));
        let opened = web.ask(nodes[0], &Ask::post("/v1/sessions").json(&wish)).await.expect(201).json();
        let id = opened["session"]["id"].as_str().unwrap().to_string();
        let path = format!("/v1/sessions/{id}");
        let mut taken = vec![Seat::taken(&path, &opened)];
        for node in nodes.iter().cycle().skip(1).take(seats - 1) {
            let joined = web.ask(*node, &Ask::post(&format!("{path}/players"))).await.expect(201).json();
            taken.push(Seat::taken(&path, &joined));
        }
        Table { path, id, seed, seats: taken }
    }

    /// The history as a node has it.
    pub(crate) async fn history(&self, node: SocketAddr) -> Vec<Value> {
        let (web, mut entries) = (Web::new(), Vec::new());
        loop {
            let after = entries.len();
            let page = web.get(node, &format!("{}/history?after={after}&limit=1000", self.path)).await.json();
            entries.extend(page["items"].as_array().unwrap().iter().cloned());
            if page["next"].is_null() {
                return entries;
            }
        }
    }

    /// The session as it stood at a version, as a node says.
    pub(crate) async fn at(&self, web: &Web, node: SocketAddr, version: u64) -> Answer {
        web.get(node, &format!("{}?version={version}", self.path)).await
    }
}
