//! What needs a real Redis.

use std::time::Duration;

use super::*;
use crate::store::News;
use crate::store::conformance::{Logs, suite, version_of};

/// A store of its own on the Redis that the gate has started.
async fn store(variable: &str) -> RedisStore {
    let address = std::env::var(variable).expect("where Redis is");
    let prefix = format!("test-{}", hex::encode(rand::random::<[u8; 8]>()));
    RedisStore::open(&address.parse().expect("an address"), &prefix).await.expect("Redis is there")
}

/// What the script says of a batch that is appended under a nonce.
async fn ran(store: &RedisStore, append: &Append, nonce: [u8; 8]) -> String {
    let script = store.to_append(append.id.partition(), std::slice::from_ref(append), nonce);
    store.link.run(&script).await.expect("an answer")
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn it_does_what_every_store_does() {
    suite(async || store("PATIENCE_TEST_REDIS").await).await;
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS_TLS says; .ci/run starts one"]
async fn it_does_so_on_connections_that_are_encrypted() {
    suite(async || store("PATIENCE_TEST_REDIS_TLS").await).await;
}

#[tokio::test]
#[ignore = "needs the cluster that PATIENCE_TEST_REDIS_CLUSTER says; .ci/run starts one"]
async fn a_cluster_does_what_every_store_does() {
    suite(async || store("PATIENCE_TEST_REDIS_CLUSTER").await).await;
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn what_is_asked_for_again_because_an_answer_was_lost_is_done_once() {
    let (store, mut logs) = (store("PATIENCE_TEST_REDIS").await, Logs::default());
    let id = logs.id();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    let append = logs.played(id, 1, 1);
    for _ in 0..2 {
        assert_eq!(ran(&store, &append, [1; 8]).await, "added");
        assert_eq!(version_of(&store, id).await, Some(2));
    }
    // Somebody else has gone on meanwhile.
    store.append(vec![logs.played(id, 2, 2)]).await.unwrap();
    assert_eq!(ran(&store, &append, [1; 8]).await, "added");
    assert_eq!(ran(&store, &append, [2; 8]).await, "conflict");
    assert_eq!(version_of(&store, id).await, Some(3));
    assert_eq!(store.census().await.unwrap().entries, 3);
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn a_log_that_redis_has_forgotten_is_no_log_to_append_to() {
    let (store, mut logs) = (store("PATIENCE_TEST_REDIS").await, Logs::default());
    let id = logs.id();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    let _: i64 = store.link.ask(cmd("DEL").arg(store.keys.log(id))).await.unwrap();
    assert!(matches!(store.append(vec![logs.played(id, 1, 1)]).await, Err(AppendError::Gone)));
    assert_eq!(store.tail(id).await.unwrap(), None);
    assert!(store.load(id, 0, 10).await.unwrap().is_none());
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn a_removal_that_is_asked_for_again_because_an_answer_was_lost_was_done() {
    let (store, mut logs) = (store("PATIENCE_TEST_REDIS").await, Logs::default());
    let id = logs.id();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    let removed = async |nonce| {
        let script = store.to_remove(id, logs.tail(id), nonce);
        store.link.run::<String>(&script).await.expect("an answer")
    };
    assert_eq!(removed([1; 8]).await, "removed");
    assert_eq!(removed([1; 8]).await, "removed");
    assert_eq!(removed([2; 8]).await, "gone");
    assert_eq!(store.census().await.unwrap().entries, 0);
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn what_is_damaged_takes_no_others_with_it() {
    let (store, mut logs) = (store("PATIENCE_TEST_REDIS").await, Logs::default());
    let [damaged, sound] = std::array::from_fn(|_| logs.id());
    for id in [damaged, sound] {
        store.append(vec![Append { listed: Some(1), ..logs.begun(id, 0) }]).await.unwrap();
    }
    let _: String = store.link.ask(cmd("SET").arg(store.keys.log(damaged)).arg("nonsense")).await.unwrap();
    let due = store.keys.due(damaged.partition());
    let _: i64 = store.link.ask(cmd("ZADD").arg(due).arg(1).arg("nonsense")).await.unwrap();

    assert!(matches!(store.tail(damaged).await, Err(StoreError::Damaged(_))));
    let wanted = Wanted { kind: Kind::Session, game: None, status: None, free_seats: 0 };
    assert_eq!(store.list(&wanted, None, 10).await.unwrap().found.len(), 2);
    let later = Timestamp::from_millis(2_000_000_000_000);
    assert_eq!(store.expire(later).await.unwrap(), [sound]);
    assert_eq!(store.expire(later).await.unwrap(), []);
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn logs_of_several_partitions_are_not_appended_to_at_once() {
    let (store, mut logs) = (store("PATIENCE_TEST_REDIS").await, Logs::default());
    let [one, other] = std::array::from_fn(|_| logs.id_elsewhere());
    let both = vec![logs.begun(one, 0), logs.begun(other, 0)];
    assert!(matches!(store.append(both).await, Err(AppendError::Store(StoreError::Unwritable))));
    assert_eq!((version_of(&store, one).await, version_of(&store, other).await), (None, None));
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn whoever_watches_hears_of_the_last_of_very_many_changes() {
    let (here, mut logs) = (store("PATIENCE_TEST_REDIS").await, Logs::default());
    let id = logs.id();
    here.append(vec![logs.begun(id, 0)]).await.unwrap();
    let mut watch = here.watch(id);
    let newest = 3_000;
    for version in 1..newest {
        here.append(vec![logs.played(id, version, 1)]).await.unwrap();
    }
    loop {
        let news = tokio::time::timeout(Duration::from_secs(10), watch.news()).await.expect("news");
        if news == News::Grown(newest) || (news == News::Unsure && version_of(&here, id).await == Some(newest)) {
            return;
        }
    }
}

#[tokio::test]
#[ignore = "needs the Redis that PATIENCE_TEST_REDIS says; .ci/run starts one"]
async fn nodes_hear_of_those_who_watch_on_others() {
    let (variable, mut logs) = ("PATIENCE_TEST_REDIS", Logs::default());
    let (one, id) = (store(variable).await, logs.id());
    let other = RedisStore { node: "other".into(), ..store(variable).await };
    let other = RedisStore { keys: one.keys.clone(), ..other };
    let two_players = Presence { online: vec![2, 5], watchers: 0 };
    let a_crowd = Presence { online: vec![1, 2], watchers: 7 };
    assert_eq!(one.attend(id, &two_players).await.unwrap(), Presence::default());
    assert_eq!(other.attend(id, &a_crowd).await.unwrap(), two_players);
    assert_eq!(one.attend(id, &two_players).await.unwrap(), a_crowd);
    assert_eq!(one.attend(id, &Presence::default()).await.unwrap(), a_crowd);
    assert_eq!(other.attend(id, &a_crowd).await.unwrap(), Presence::default());
}
