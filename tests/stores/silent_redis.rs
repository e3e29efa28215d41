//! A Redis that takes connections and says nothing, for a while.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use crate::client::Ask;
use crate::node::Node;
use crate::redis::Redis;
use crate::table::{Table, Web};

/// After that long a test has failed.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server"]
async fn while_redis_is_silent_everyone_is_told_so_and_nobody_waits_for_all_the_others() {
    let (redis, web) = (Redis::start(), Web::new());
    let node = Node::start(&redis.store());
    let table = Table::open(&[node.address], 1).await;
    let draw = table.seats[0].post("/moves").json(&json!({"type": "draw"}));
    web.ask(node.address, &draw).await.expect(200);
    let asks = [draw.clone(), Ask::get(&table.path), Ask::get("/v1/sessions"), Ask::get("/readyz")];

    redis.pause();
    let mut answers = JoinSet::new();
    for ask in asks.iter().cycle().take(100) {
        let (web, node, ask) = (web.clone(), node.address, ask.clone());
        answers.spawn(async move { web.ask(node, &ask).await });
    }
    for answer in answers.join_all().await {
        // Who waits for longer than for Redis is told that the server is busy.
        answer.refused(503, "store_unavailable");
    }

    redis.go_on();
    let is_well = async {
        while web.ask(node.address, &Ask::get("/readyz")).await.status != 200 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, is_well).await.expect("it does not go on");
    let version = web.get(node.address, &table.path).await.json()["version"].as_u64().unwrap();
    let moved = web.ask(node.address, &draw).await.expect(200).json();
    assert_eq!(moved["version"], version + 1);
}
