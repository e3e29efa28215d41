//! What is answered has reached the disk before: the system calls say so. A process that is killed could not
//! tell, because the kernel writes what it has left behind.

use std::collections::HashMap;
use std::fs;

use crate::node::{Folder, Node};
use crate::player::{Player, Style, Turn};
use crate::settings;
use crate::table::Table;

const MOVES: usize = 50;

/// Tracer as a grandchild, so that the process is the program's; all threads; descriptors with their names.
const STRACE: [&str; 5] =
    ["strace", "-D", "-f", "-y", "--trace=read,recvfrom,pwrite64,fdatasync,fsync,sendto,write,writev"];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs strace"]
async fn no_move_is_answered_before_it_has_reached_the_disk() {
    let folder = Folder::new();
    let trace = folder.path().join("trace");
    let runner = [&STRACE[..], &["-o", trace.to_str().unwrap()]].concat();
    let mut node = Node::spawned(&mut Node::command(&runner, &folder.store()));
    let table = Table::open(&[node.address], 1).await;
    let mut player = Player::new(&table.seats[0], Style::Plain, &mut settings::dice());
    for _ in 0..MOVES {
        assert_eq!(player.turn(node.address).await, Turn::Answered);
    }
    node.kill();
    let mut order = Order::default();
    fs::read_to_string(&trace).unwrap().lines().for_each(|line| order.learn(line));
    assert_eq!(order.answers, MOVES);
}

/// In which order things are done for a request.
#[derive(Default)]
struct Order {
    /// Whether a change was asked for and not answered yet.
    is_asked: bool,
    /// Whether it was written to the journal.
    is_written: bool,
    /// Whether it was flushed after that.
    is_flushed: bool,
    /// Flushes of the journal that have begun, by thread: whether all was written by then.
    flushing: HashMap<String, bool>,
    /// How many changes were answered.
    answers: usize,
}

impl Order {
    /// Learns what a line of the trace tells: `thread call(descriptor<name>, …) = result`, or the beginning and
    /// the end of that in two lines.
    fn learn(&mut self, line: &str) {
        let (thread, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        let has_begun = |names: &[&str]| names.iter().any(|name| call.starts_with(&format!("{name}(")));
        let is_of_journal = call.contains("games.db-wal>");
        if call.contains("\"POST /v1/sessions/") {
            (self.is_asked, self.is_written, self.is_flushed) = (true, false, false);
        } else if has_begun(&["pwrite64"]) && is_of_journal {
            (self.is_written, self.is_flushed) = (true, false);
        } else if has_begun(&["fdatasync", "fsync"]) && is_of_journal {
            self.flushing.insert(thread.to_string(), self.is_written);
        } else if call.contains("\"HTTP/1.1 200 OK") && self.is_asked {
            assert!(self.is_flushed, "answered before it was flushed, after {} answers: {line}", self.answers);
            self.answers += 1;
            self.is_asked = false;
        }
        let is_flush = has_begun(&["fdatasync", "fsync"]) || call.contains("sync resumed>");
        if is_flush
            && call.ends_with("= 0")
            && let Some(was_written) = self.flushing.remove(thread)
        {
            self.is_flushed = was_written;
        }
    }
}
