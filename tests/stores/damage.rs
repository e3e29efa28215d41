//! A log that was damaged where it is kept: its session says so, and others go on.

use std::net::SocketAddr;

use redis::Commands;
use rusqlite::Connection;
use serde_json::json;
use uuid::Uuid;

use crate::client::Ask;
use crate::node::{Folder, Node};
use crate::settings;
use crate::table::{Table, Web};

/// The version whose entry is damaged, and how many there are.
const DAMAGED: u32 = 3;
const VERSIONS: u64 = 5;

/// A session that has been played a little.
async fn played(node: SocketAddr) -> Table {
    let (web, table) = (Web::new(), Table::open(&[node], 1).await);
    for _ in 1..VERSIONS {
        web.ask(node, &table.seats[0].post("/moves").json(&json!({"type": "draw"}))).await.expect(200);
    }
    table
}

async fn the_damaged_one_says_so_and_the_other_goes_on(node: SocketAddr, damaged: &Table, other: &Table) {
    let web = Web::new();
    let draw = |table: &Table| table.seats[0].post("/moves").json(&json!({"type": "draw"}));
    let asks = [
        Ask::get(&damaged.path),
        Ask::get(&format!("{}?version={VERSIONS}", damaged.path)),
        Ask::get(&format!("{}/history", damaged.path)),
        Ask::get(&format!("{}/events", damaged.path)),
        draw(damaged),
    ];
    for ask in asks {
        web.ask(node, &ask).await.refused(500, "log_damaged");
    }
    assert_eq!(web.ask(node, &draw(other)).await.expect(200).version(), VERSIONS + 1);
    let listed = web.get(node, "/v1/sessions").await.json();
    assert!(listed["items"].is_array());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_session_in_a_file_says_so_and_others_go_on() {
    let folder = Folder::new();
    let mut node = Node::start(&folder.store());
    let (damaged, other) = (played(node.address).await, played(node.address).await);
    node.kill();
    damage_in_file(&folder, &damaged);
    let node = Node::start(&folder.store());
    the_damaged_one_says_so_and_the_other_goes_on(node.address, &damaged, &other).await;
}

fn damage_in_file(folder: &Folder, table: &Table) {
    let file = Connection::open(folder.file()).unwrap();
    let id = table.id.parse::<Uuid>().unwrap();
    let place = "log = (SELECT number FROM logs WHERE id = ?1) AND version = ?2";
    let read = format!("SELECT record FROM entries WHERE {place}");
    let mut record: Vec<u8> = file.query_row(&read, (id.as_bytes(), DAMAGED), |row| row.get(0)).unwrap();
    flip(&mut record);
    let write = format!("UPDATE entries SET record = ?3 WHERE {place}");
    assert_eq!(file.execute(&write, (id.as_bytes(), DAMAGED, record)).unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn a_damaged_session_in_redis_says_so_and_others_go_on() {
    let store = settings::redis();
    let mut node = Node::start(&store);
    let (damaged, other) = (played(node.address).await, played(node.address).await);
    node.kill();
    damage_in_redis(&store, &damaged);
    let node = Node::start(&store);
    the_damaged_one_says_so_and_the_other_goes_on(node.address, &damaged, &other).await;
}

fn damage_in_redis(store: &str, table: &Table) {
    let mut redis = redis::Client::open(store).unwrap().get_connection().unwrap();
    let keys: Vec<String> = redis.keys(format!("*:s:{}", table.id)).unwrap();
    let log = &keys[0];
    type Entries = Vec<(String, Vec<Vec<u8>>)>;
    let mut entries: Entries = redis::cmd("XRANGE").arg(log).arg("-").arg("+").query(&mut redis).unwrap();
    flip(&mut entries[DAMAGED as usize - 1].1[1]);
    let () = redis.del(log).unwrap();
    for (id, fields) in entries {
        let () = redis::cmd("XADD").arg(log).arg(id).arg(fields).query(&mut redis).unwrap();
    }
}

/// Changes one bit of an entry, in its middle.
fn flip(record: &mut [u8]) {
    let middle = record.len() / 2;
    record[middle] ^= 1;
}
