//! What is killed at any moment: the program, or Redis. What was acknowledged is there afterwards, and
//! nothing is that nobody has asked for.

use std::time::{Duration, Instant};

use crate::dice::Dice;
use crate::ledger::Found;
use crate::load::{Load, Then};
use crate::maker;
use crate::node::{Folder, Node};
use crate::redis::Redis;
use crate::settings;

/// After so long all is well again.
const WELL_AGAIN: Duration = Duration::from_secs(5);

/// For so long no request waits.
const NOT_WAITED_FOR: Duration = Duration::from_secs(4);

/// A random moment of a load.
async fn a_moment(dice: &mut Dice) {
    tokio::time::sleep(Duration::from_millis(50 + dice.below(450) as u64)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_a_file_that_is_killed_has_lost_and_invented_nothing() {
    let folder = Folder::new();
    kill_nodes(&folder.store()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn a_node_on_redis_that_is_killed_has_lost_and_invented_nothing() {
    kill_nodes(&settings::redis()).await;
}

/// Kills a node and starts another on the same store, again and again.
async fn kill_nodes(store: &str) {
    let (mut dice, mut found, mut all) = (settings::dice(), Found::default(), Vec::new());
    let mut node = Node::start(store);
    for _ in 0..settings::kills() {
        let playing = Load::new(node.address, &mut dice).await.play(&[node.address], Then::Stop);
        let making = maker::make(node.address);
        a_moment(&mut dice).await;
        node.kill();
        let mut load = playing.stop().await;
        node = Node::start(store);
        found += load.check(node.address).await;
        making.await.unwrap().must_be_there(node.address).await;
        load.ask_again(node.address).await;
        load.go_on(node.address).await;
        load.check(node.address).await;
        all.push((load.histories(node.address).await, load));
    }
    for (histories, load) in &all {
        assert_eq!(load.histories(node.address).await, *histories, "it is still what it was");
    }
    println!("{} kills of a node: {found:?}", settings::kills());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server"]
async fn a_redis_that_writes_everything_down_and_is_killed_has_lost_and_invented_nothing() {
    let (mut dice, mut found, mut longest) = (settings::dice(), Found::default(), Duration::ZERO);
    let mut redis = Redis::start();
    let node = Node::start(&redis.store());
    let mut all = Vec::new();
    for _ in 0..settings::kills() {
        let playing = Load::new(node.address, &mut dice).await.play(&[node.address], Then::Settle);
        a_moment(&mut dice).await;
        redis.kill();
        // Once in a while it is gone for longer than a node asks again.
        if dice.one_in(4) {
            tokio::time::sleep(NOT_WAITED_FOR).await;
        }
        a_moment(&mut dice).await;
        redis.restart();
        let restarted = Instant::now();
        let again = tokio::time::timeout(WELL_AGAIN, playing.stop_and_go_on(node.address)).await;
        let load = again.expect("it is not well again");
        longest = longest.max(restarted.elapsed());
        found += load.check(node.address).await;
        load.ask_again(node.address).await;
        all.push((load.histories(node.address).await, load));
    }
    let other = Node::start(&redis.store());
    for (histories, load) in &all {
        assert_eq!(load.histories(other.address).await, *histories, "another node says the same");
    }
    println!("{} kills of Redis: {found:?}; all was well again within {longest:?}", settings::kills());
}
