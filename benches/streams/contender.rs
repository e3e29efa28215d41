//! The servers that are compared.

use std::fmt;
use std::net::SocketAddr;

use crate::support::process::{Pinning, Process, patience};
use crate::support::stand_in;

use super::watchers::{self, Gallery};
use crate::support::player::Player;

/// More than there are of anything.
const WIDE_OPEN: &str = "1000000";

/// What a server is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contender {
    /// The real one.
    Patience,
    /// Axum alone, with this role.
    Bare(&'static str),
}

/// All that there are, the real one first.
pub(crate) const ALL: [Contender; 3] = [Contender::Patience, Contender::Bare("broadcast"), Contender::Bare("sse")];

impl Contender {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Contender::Patience => "patience",
            Contender::Bare(role) => role,
        }
    }

    /// Starts it; one that stands in sends and answers as many bytes as the real one.
    pub(crate) fn start(self, pinning: &Pinning, sizes: Sizes) -> Process {
        let command = match self {
            Contender::Patience => return start_patience(pinning),
            Contender::Bare(role) => {
                let mut command = stand_in::command(pinning, role, sizes.answer);
                command.args(["--snapshot-bytes", &sizes.snapshot.to_string()]);
                command.args(["--change-bytes", &sizes.change.to_string()]);
                command
            }
        };
        Process::start(self.name(), command)
    }
}

/// Starts the real one, with all bounds wide open that the load could reach.
pub(crate) fn start_patience(pinning: &Pinning) -> Process {
    let flags = ["--max-connections", "--max-streams", "--max-streams-per-address", "--watchers", "--history-limit"];
    let arguments: Vec<String> = flags.iter().map(|flag| format!("{flag}={WIDE_OPEN}")).collect();
    Process::start("patience", patience(pinning, &arguments))
}

/// How many bytes things have.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    snapshot: usize,
    change: usize,
    answer: usize,
}

impl fmt::Display for Sizes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}, {}", self.snapshot, self.change, self.answer)
    }
}

impl Sizes {
    /// As the real server has them.
    pub(crate) async fn of_patience(pinning: &Pinning) -> Sizes {
        let server = start_patience(pinning);
        let mut player = Player::sit_down(server.address(), 0).await;
        let told = tell(server.address(), &mut player).await;
        let change = (told[1] + told[2]) / 2;
        Sizes { snapshot: told[0], change, answer: player.bytes_received() / player.changes() }
    }
}

/// How many bytes of data a watcher is sent with each version, while a move is made and undone.
async fn tell(address: SocketAddr, player: &mut Player) -> Vec<usize> {
    let gallery = Gallery::new();
    gallery.keep_sizes();
    let _watcher = watchers::open(address, &gallery, [(0, player.session())]).await;
    player.change().await;
    player.change().await;
    gallery.has_seen(3).await;
    gallery.sizes()
}
