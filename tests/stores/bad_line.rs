//! A node at the end of a bad line to Redis: it may have to say that it cannot say, and never says what is
//! wrong.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::load::{Load, Then};
use crate::node::Node;
use crate::proxy::Line;
use crate::settings;
use crate::table::Table;
use crate::witness::Witness;

/// After so long all is well again.
const WELL_AGAIN: Duration = Duration::from_secs(5);

const PLAYERS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn a_bad_line_to_redis_costs_answers_and_makes_none_wrong() {
    let (store, mut dice) = (settings::redis(), settings::dice());
    let server: SocketAddr = store.strip_prefix("redis://").unwrap().parse().unwrap();
    let line = Line::to(server).await;
    let (node, other) = (Node::start(&format!("redis://127.0.0.1:{}", line.port)), Node::start(&store));

    let shared = Table::open(&[node.address], PLAYERS).await;
    let mut tables = vec![shared.clone()];
    for _ in 0..PLAYERS {
        tables.push(Table::open(&[node.address], 1).await);
    }
    let witness = Witness::of(&shared, node.address).await;
    let playing = Load::at(tables, &mut dice).play(&[node.address], Then::Settle);
    let time = Duration::from_secs(settings::seconds_of_bad_line());
    let how = line.be_bad(time, &mut dice).await;
    let well = Instant::now();
    let again = tokio::time::timeout(WELL_AGAIN, playing.stop_and_go_on(node.address)).await;
    let load = again.expect("it is not well again");
    let after = well.elapsed();

    let found = load.check(other.address).await;
    assert_eq!(found.open, 0, "everything was settled");
    assert_eq!(load.histories(node.address).await, load.histories(other.address).await);
    load.ask_again(other.address).await;
    witness.must_have_been_told_all(&shared, other.address).await;
    println!("{how}; {found:?}; every session took a move within {after:?}");
}
