//! A Redis that has no room left, and has some again.

use patience::session::Timestamp;
use patience::store::{RedisStore, SessionStore};
use serde_json::json;

use crate::client::Ask;
use crate::node::Node;
use crate::redis::Redis;
use crate::table::{GAME, Table, Web};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server"]
async fn where_there_is_no_room_left_games_are_read_ended_removed_and_expire() {
    let (redis, web) = (Redis::start(), Web::new());
    let node = Node::start(&redis.store());
    let [played, ended, removed, expired] = [
        Table::open(&[node.address], 1).await,
        Table::open(&[node.address], 1).await,
        Table::open(&[node.address], 1).await,
        Table::open(&[node.address], 1).await,
    ];
    let (begin, draw) = (Ask::post("/v1/sessions").json(&json!({"game": GAME})), json!({"type": "draw"}));
    redis.tell("CONFIG SET maxmemory 1");
    web.ask(node.address, &begin).await.refused(503, "at_capacity");
    web.ask(node.address, &played.seats[0].post("/moves").json(&draw)).await.refused(503, "at_capacity");
    web.get(node.address, &played.path).await;
    web.ask(node.address, &ended.seats[0].post("/resign")).await.expect(200);
    web.ask(node.address, &Ask::delete(&removed.path).token(&removed.seats[0].token)).await.expect(204);
    web.ask(node.address, &Ask::get(&removed.path)).await.refused(404, "no_such_session");

    redis.tell("CONFIG SET maxmemory 0");
    web.ask(node.address, &played.seats[0].post("/moves").json(&draw)).await.expect(200);
    redis.tell("CONFIG SET maxmemory 1");
    let store = RedisStore::open(&redis.store().parse().unwrap(), "patience").await.unwrap();
    let gone = store.expire(Timestamp::from_millis(u64::MAX / 2)).await.unwrap();
    assert_eq!(gone.len(), 3, "all that are left have expired");
    web.ask(node.address, &Ask::get(&expired.path)).await.refused(404, "no_such_session");
    assert_eq!(store.census().await.unwrap().entries, 0);

    redis.tell("CONFIG SET maxmemory 0");
    web.ask(node.address, &begin).await.expect(201);
}
