//! Somebody who plays, and remembers what was asked and what was answered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, Ask};
use crate::dice::Dice;
use crate::table::{Seat, Web};

/// After that long a test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a player sees to it that nothing is played twice, or on what was not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Not at all.
    Plain,
    /// By `If-Match`.
    Careful,
    /// By `Idempotency-Key`.
    Keyed,
    /// By both.
    Sure,
}

/// A change that was asked for, and what was told about it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) seat: Seat,
    /// `/moves`, `/undo` or `/redo`
    pub(crate) what: &'static str,
    pub(crate) body: Option<Value>,
    pub(crate) key: Option<String>,
    /// The version in `If-Match`.
    pub(crate) behind: Option<u64>,
    /// How often it was asked.
    pub(crate) tries: usize,
    pub(crate) told: Told,
}

/// What was told about a change.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    /// It was made, and led to this.
    Made(Answer),
    /// It was not made.
    Refused,
    /// Nothing that says whether it was made.
    Nothing,
}

impl Asked {
    pub(crate) fn ask(&self) -> Ask {
        let ask = self.seat.post(self.what);
        let ask = self.body.iter().fold(ask, Ask::json);
        let ask = self.key.iter().fold(ask, |ask, key| ask.header("idempotency-key", key));
        self.behind.iter().fold(ask, |ask, version| ask.if_match(&format!("\"{version}\"")))
    }

    /// Whether an entry of the history tells of this.
    pub(crate) fn fits(&self, entry: &Value) -> bool {
        let kind = match self.what {
            "/moves" => "moved",
            "/undo" => "undone",
            _ => "redone",
        };
        let is_behind = |version: u64| entry["version"] == version + 1;
        entry["type"] == kind
            && entry["seat"] == self.seat.number
            && self.body.as_ref().is_none_or(|body| entry["moves"] == json!([body]))
            && self.behind.is_none_or(is_behind)
    }

    fn is_open(&self) -> bool {
        matches!(self.told, Told::Nothing)
    }
}

/// What came of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// An answer.
    Answered,
    /// No answer, or one that says that the server cannot say.
    Lost,
}

/// Somebody who plays in a seat.
pub(crate) struct Player {
    seat: Seat,
    style: Style,
    dice: Dice,
    web: Web,
    /// The session as it was seen last.
    seen: Option<Value>,
    pub(crate) asked: Vec<Asked>,
}

impl Player {
    pub(crate) fn new(seat: &Seat, style: Style, dice: &mut Dice) -> Player {
        let dice = Dice::new(dice.below(usize::MAX) as u64);
        Player { seat: seat.clone(), style, dice, web: Web::new(), seen: None, asked: Vec::new() }
    }

    /// The version that was seen last.
    pub(crate) fn version(&self) -> u64 {
        self.seen.as_ref().map_or(0, |seen| seen["version"].as_u64().unwrap())
    }

    /// Looks, if what was seen may be old, and asks for a change at a node.
    pub(crate) async fn turn(&mut self, node: SocketAddr) -> Turn {
        assert!(self.has_settled(), "what was asked is to be settled first");
        if self.seen.is_none() && self.look(node).await == Turn::Lost {
            return Turn::Lost;
        }
        if let Some(asked) = self.wish() {
            self.asked.push(asked);
            return self.put(node).await;
        }
        // Somebody else may find something.
        self.seen = None;
        Turn::Answered
    }

    /// Asks again until what was asked last is answered; if there is no need to or no way, looks until that works.
    pub(crate) async fn settle(&mut self, nodes: &[SocketAddr]) {
        let began = Instant::now();
        loop {
            let node = *self.dice.pick(nodes);
            let turn = if self.has_settled() { self.look(node).await } else { self.put(node).await };
            if turn == Turn::Answered {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "no answer for {PATIENCE:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Whether it is known what has become of all that was asked, as far as it can be found out.
    fn has_settled(&self) -> bool {
        self.style == Style::Plain || self.asked.last().is_none_or(|asked| !asked.is_open())
    }

    async fn look(&mut self, node: SocketAddr) -> Turn {
        match self.web.try_ask(node, &Ask::get(&self.seat.path)).await {
            Some(answer) if answer.status == 200 => {
                self.seen = Some(answer.json());
                Turn::Answered
            }
            answer => lost(answer),
        }
    }

    /// What to ask for next; nothing if nothing can be done.
    fn wish(&mut self) -> Option<Asked> {
        let seen = self.seen.as_ref()?;
        let moves = seen["legal_moves"].as_array().unwrap();
        let can = |what: &str| seen[what] == true;
        let what = match self.dice.below(10) {
            0 if can("can_undo") => "/undo",
            1 if can("can_redo") => "/redo",
            _ if !moves.is_empty() => "/moves",
            _ if can("can_undo") => "/undo",
            _ => return None,
        };
        let body = (what == "/moves").then(|| self.dice.pick(moves).clone());
        let key = matches!(self.style, Style::Keyed | Style::Sure).then(|| format!("{:032x}", rand::random::<u128>()));
        let behind = matches!(self.style, Style::Careful | Style::Sure).then(|| self.version());
        Some(Asked { seat: self.seat.clone(), what, body, key, behind, tries: 0, told: Told::Nothing })
    }

    /// Asks what was asked last, for the first time or again.
    async fn put(&mut self, node: SocketAddr) -> Turn {
        let asked = self.asked.last_mut().unwrap();
        asked.tries += 1;
        let asked = asked.clone();
        let Some(answer) = self.web.try_ask(node, &asked.ask()).await else {
            return Turn::Lost;
        };
        let told = match answer.status {
            200 => {
                self.seen = Some(answer.json());
                Told::Made(answer)
            }
            // It was not made this time; it may have been when it was asked before.
            412 if asked.tries > 1 && asked.key.is_none() => match self.made_before(node, &asked).await {
                Ok(told) => told,
                Err(turn) => return turn,
            },
            409 | 412 | 422 => {
                self.seen = None;
                Told::Refused
            }
            _ => return lost(Some(answer)),
        };
        self.asked.last_mut().unwrap().told = told;
        Turn::Answered
    }

    /// Whether a change behind a version was made, as the history tells where no two players share a seat.
    async fn made_before(&mut self, node: SocketAddr, asked: &Asked) -> Result<Told, Turn> {
        self.seen = None;
        let behind = asked.behind.expect("only an If-Match is answered so");
        let path = &self.seat.path;
        let page = self.read(node, &format!("{path}/history?after={behind}&limit=1")).await?.json();
        if !asked.fits(&page["items"][0]) {
            return Ok(Told::Refused);
        }
        self.read(node, &format!("{path}?version={}", behind + 1)).await.map(Told::Made)
    }

    async fn read(&self, node: SocketAddr, path: &str) -> Result<Answer, Turn> {
        match self.web.try_ask(node, &Ask::get(path)).await {
            Some(answer) if answer.status == 200 => Ok(answer),
            answer => Err(lost(answer)),
        }
    }
}

/// An answer that says nothing; there must be no other.
fn lost(answer: Option<Answer>) -> Turn {
    if let Some(answer) = answer {
        assert_eq!(answer.status, 503, "{} was answered {}", answer.asked, answer.text());
    }
    Turn::Lost
}
