//! A cluster whose slots move from server to server all the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use redis::{Connection, FromRedisValue, cmd};

/// So many other slots move besides the one that matters.
const OTHERS: u16 = 200;

/// Moves slots back and forth until it is dropped.
pub(crate) struct Moving {
    enough: Arc<AtomicBool>,
    mover: Option<JoinHandle<usize>>,
}

impl Moving {
    /// Moves the slot of a session, and others.
    pub(crate) fn start(cluster: &str, session: &str) -> Moving {
        let mut servers: Vec<Server> = cluster.trim_start_matches("redis://").split(',').map(Server::at).collect();
        let slot = slot_of(&mut servers, session);
        let enough = Arc::new(AtomicBool::new(false));
        let told = enough.clone();
        let mover = thread::spawn(move || {
            let mut moves = 0;
            while !told.load(Ordering::Relaxed) {
                move_slot(&mut servers, slot);
                move_slot(&mut servers, (slot + 1 + moves as u16 % OTHERS) % 16_384);
                moves += 1;
            }
            moves
        });
        Moving { enough, mover: Some(mover) }
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        let moves = self.mover.take().unwrap().join();
        if !thread::panicking() {
            let moves = moves.expect("slots are moved to the end");
            println!("the session's slot was moved {moves} times, and as many others");
            assert!(moves > 5);
        }
    }
}

/// A server of the cluster.
struct Server {
    host: String,
    port: u16,
    id: String,
    connection: Connection,
}

impl Server {
    fn at(address: &str) -> Server {
        let (host, port) = address.split_once(':').unwrap();
        let mut connection = redis::Client::open(format!("redis://{address}")).unwrap().get_connection().unwrap();
        let id = cmd("CLUSTER").arg("MYID").query(&mut connection).unwrap();
        Server { host: host.to_string(), port: port.parse().unwrap(), id, connection }
    }

    fn cluster<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        cmd("CLUSTER").arg(words).query(&mut self.connection).unwrap()
    }

    /// Which server has a slot, as far as this one knows.
    fn owner(&mut self, slot: u16) -> Option<String> {
        let nodes: String = self.cluster(&["NODES"]);
        let owner = nodes.lines().map(|line| line.split(' ').collect::<Vec<_>>()).find(|words| {
            words[8..].iter().any(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                // One that is on its way is told in brackets besides.
                first.parse::<u16>().is_ok_and(|first| (first..=last.parse().unwrap()).contains(&slot))
            })
        });
        owner.map(|words| words[0].to_string())
    }
}

/// The slot of a session's log, which some server has.
fn slot_of(servers: &mut [Server], session: &str) -> u16 {
    for server in &mut *servers {
        let keys: Vec<String> = cmd("KEYS").arg(format!("*:s:{session}")).query(&mut server.connection).unwrap();
        if let Some(key) = keys.first() {
            return server.cluster(&["KEYSLOT", key]);
        }
    }
    panic!("no server has {session}");
}

/// Moves a slot to the next server, key by key, as the manual of Redis says.
fn move_slot(servers: &mut [Server], slot: u16) {
    let owner = servers[0].owner(slot).expect("somebody has it");
    let from = servers.iter().position(|server| server.id == owner).unwrap();
    let to = (from + 1) % servers.len();
    let (from_id, to_id, number) = (servers[from].id.clone(), servers[to].id.clone(), slot.to_string());
    let () = servers[to].cluster(&["SETSLOT", &number, "IMPORTING", &from_id]);
    let () = servers[from].cluster(&["SETSLOT", &number, "MIGRATING", &to_id]);
    let (host, port) = (servers[to].host.clone(), servers[to].port);
    loop {
        let keys: Vec<String> = servers[from].cluster(&["GETKEYSINSLOT", &number, "1"]);
        if keys.is_empty() {
            break;
        }
        let mut migrate = cmd("MIGRATE");
        migrate.arg(&host).arg(port).arg("").arg(0).arg(5_000).arg("KEYS").arg(keys);
        let _: String = migrate.query(&mut servers[from].connection).unwrap();
        // Long enough for somebody to come while some of the keys are here and some are there.
        thread::sleep(Duration::from_millis(3));
    }
    for server in [to, from] {
        let () = servers[server].cluster(&["SETSLOT", &number, "NODE", &to_id]);
    }
    agree(servers, slot, &to_id);
}

/// Waits until all agree on who has a slot, and tells them again: what they gossip may be older than what
/// they were told.
fn agree(servers: &mut [Server], slot: u16, owner: &str) {
    let mut agreed = 0;
    while agreed < 5 {
        agreed += 1;
        for server in &mut *servers {
            if server.owner(slot).as_deref() != Some(owner) {
                let () = server.cluster(&["SETSLOT", &slot.to_string(), "NODE", owner]);
                agreed = 0;
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
}
