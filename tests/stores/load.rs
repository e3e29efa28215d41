//! Several who play at once, each on a connection of their own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tokio::task::JoinSet;

use crate::dice::Dice;
use crate::ledger::{self, Found};
use crate::player::{Asked, Player, Style, Turn};
use crate::table::{Table, Web};

/// So many play at once.
const PLAYERS: usize = 8;

/// What they do when an answer does not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// They stop.
    Stop,
    /// They ask again until they know.
    Settle,
}

/// Sessions, and who plays there.
pub(crate) struct Load {
    tables: Vec<Table>,
    players: Vec<Player>,
}

/// Those who play at this moment.
pub(crate) struct Playing {
    tables: Vec<Table>,
    players: JoinSet<Player>,
    enough: Arc<AtomicBool>,
}

impl Load {
    /// Eight players: at a table that half of them share, and at a table of their own each; of every two who
    /// are next to each other, one is careful and one has keys.
    pub(crate) async fn new(node: SocketAddr, dice: &mut Dice) -> Load {
        let mut tables = vec![Table::open(&[node], PLAYERS / 2).await];
        for _ in 0..PLAYERS / 2 {
            tables.push(Table::open(&[node], 1).await);
        }
        Load::at(tables, dice)
    }

    /// A player in every seat.
    pub(crate) fn at(tables: Vec<Table>, dice: &mut Dice) -> Load {
        let seats = tables.iter().flat_map(|table| &table.seats);
        let styles = [Style::Careful, Style::Keyed].iter().cycle();
        let players = seats.zip(styles).map(|(seat, style)| Player::new(seat, *style, dice)).collect();
        Load { tables, players }
    }

    /// Has them play through some nodes until it is enough.
    pub(crate) fn play(self, nodes: &[SocketAddr], then: Then) -> Playing {
        let enough = Arc::new(AtomicBool::new(false));
        let mut players = JoinSet::new();
        for (player, first) in self.players.into_iter().zip(0..) {
            let (nodes, enough) = (nodes.to_vec(), enough.clone());
            players.spawn(async move { play(player, &nodes, first, &enough, then).await });
        }
        Playing { tables: self.tables, players, enough }
    }

    /// Holds what all were told against what a node has.
    pub(crate) async fn check(&self, node: SocketAddr) -> Found {
        let mut found = Found::default();
        for table in &self.tables {
            let all = self.players.iter().flat_map(|player| &player.asked);
            let here: Vec<&Asked> = all.filter(|asked| asked.seat.path == table.path).collect();
            found += ledger::check(table, node, &here).await;
        }
        found
    }

    /// The histories of all sessions, as a node has them.
    pub(crate) async fn histories(&self, node: SocketAddr) -> Vec<Vec<Value>> {
        let mut histories = Vec::new();
        for table in &self.tables {
            histories.push(table.history(node).await);
        }
        histories
    }

    /// Has everyone play once more: their tokens are good, and so is what they see.
    pub(crate) async fn go_on(&mut self, node: SocketAddr) {
        for player in &mut self.players {
            player.settle(&[node]).await;
            assert_eq!(player.turn(node).await, Turn::Answered);
        }
    }

    /// What was asked under a key is answered again as it was.
    pub(crate) async fn ask_again(&self, node: SocketAddr) {
        for player in &self.players {
            let keyed = player.asked.iter().filter(|asked| asked.key.is_some());
            if let Some((asked, answer)) = keyed.filter_map(|asked| ledger::made(&asked)).next_back() {
                let again = Web::new().ask(node, &asked.ask()).await;
                assert_eq!(again.without_its_id(), answer.without_its_id());
            }
        }
    }
}

impl Playing {
    /// Tells them that it is enough, and waits for the last of their answers.
    pub(crate) async fn stop(self) -> Load {
        self.enough.store(true, Ordering::Relaxed);
        self.wait().await
    }

    /// Stops them, and has everyone play once more.
    pub(crate) async fn stop_and_go_on(self, node: SocketAddr) -> Load {
        let mut load = self.stop().await;
        load.go_on(node).await;
        load
    }

    /// Waits until they have all stopped by themselves.
    pub(crate) async fn wait(self) -> Load {
        Load { tables: self.tables, players: self.players.join_all().await }
    }
}

async fn play(mut player: Player, nodes: &[SocketAddr], first: usize, enough: &AtomicBool, then: Then) -> Player {
    for turn in first.. {
        if enough.load(Ordering::Relaxed) {
            break;
        }
        match (player.turn(nodes[turn % nodes.len()]).await, then) {
            (Turn::Answered, _) => {}
            (Turn::Lost, Then::Stop) => break,
            (Turn::Lost, Then::Settle) => player.settle(nodes).await,
        }
    }
    player
}
