//! Two nodes on one Redis: whoever asks either of them asks the same game.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::Ask;
use crate::cluster::Moving;
use crate::ledger;
use crate::node::Node;
use crate::player::{Asked, Player, Style, Told, Turn};
use crate::settings;
use crate::table::{GAME, Seat, Table, Web};
use crate::watching::{Event, Watching};
use crate::witness::Witness;

const WRITERS: usize = 16;
const SEATS: usize = 8;

/// So many versions are written together.
const VERSIONS: u64 = 400;

/// Two nodes on one store.
struct Pair {
    nodes: [Node; 2],
}

impl Pair {
    fn start(store: &str) -> Pair {
        Pair { nodes: [Node::start(store), Node::start(store)] }
    }

    fn addresses(&self) -> [SocketAddr; 2] {
        self.nodes.each_ref().map(|node| node.address)
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn sixteen_writers_through_two_nodes_play_one_game() {
    let pair = Pair::start(&settings::redis());
    play_one_game(pair.addresses(), VERSIONS, async |_| ()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the cluster that .ci/with-redis starts"]
async fn sixteen_writers_play_one_game_while_the_slots_of_a_cluster_move() {
    let cluster = settings::cluster();
    let pair = Pair::start(&cluster);
    let mut moving = None;
    play_one_game(pair.addresses(), VERSIONS * 2, async |table| moving = Some(Moving::start(&cluster, &table.id)))
        .await;
}

/// Has sixteen writers play one game, and two watch it, one at each node; before they begin, something else may.
async fn play_one_game(nodes: [SocketAddr; 2], versions: u64, first: impl AsyncFnOnce(&Table)) {
    let table = Table::open(&nodes, SEATS).await;
    first(&table).await;
    let witnesses = [Witness::of(&table, nodes[0]).await, Witness::of(&table, nodes[1]).await];
    let asked = write_together(nodes, &table, versions).await;
    let found = ledger::check(&table, nodes[0], &asked.iter().collect::<Vec<_>>()).await;
    println!("{} asked, {found:?}", asked.len());
    must_be_the_same_on_both(nodes, &table).await;
    must_be_answered_as_before(nodes, &asked).await;
    let mut told = Vec::new();
    for witness in witnesses {
        told.push(witness.must_have_been_told_all(&table, nodes[1]).await);
    }
    assert_eq!(told[0], told[1], "in the same words");
}

/// Plays in all seats until there are enough versions. In each sit two, one at each node: one who says behind
/// which version, and one who does not.
async fn write_together(nodes: [SocketAddr; 2], table: &Table, versions: u64) -> Vec<Asked> {
    let mut dice = settings::dice();
    let latest = Arc::new(AtomicU64::new(0));
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let (seat, is_second) = (number % SEATS, number / SEATS);
        let style = [[Style::Sure, Style::Sure], [Style::Plain, Style::Keyed]][is_second][seat % 2];
        let mut player = Player::new(&table.seats[seat], style, &mut dice);
        let (latest, node) = (latest.clone(), nodes[(seat / 2 + is_second) % 2]);
        writers.spawn(async move {
            while latest.load(Ordering::Relaxed) < versions {
                match player.turn(node).await {
                    Turn::Answered => _ = latest.fetch_max(player.version(), Ordering::Relaxed),
                    // Where too many are first, it is said that it is busy.
                    Turn::Lost => player.settle(&[node]).await,
                }
            }
            player.asked
        });
    }
    writers.join_all().await.into_iter().flatten().collect()
}

/// Each version is shown alike, and so is what led to it.
async fn must_be_the_same_on_both(nodes: [SocketAddr; 2], table: &Table) {
    let (web, history) = (Web::new(), table.history(nodes[0]).await);
    assert_eq!(history, table.history(nodes[1]).await);
    for version in 1..=history.len() as u64 {
        let [one, other] = [table.at(&web, nodes[0], version).await, table.at(&web, nodes[1], version).await];
        assert_eq!(one.text(), other.text(), "version {version}");
        assert_eq!(one.header("etag"), other.header("etag"));
    }
    let [one, other] = [web.get(nodes[0], &table.path).await, web.get(nodes[1], &table.path).await];
    assert_eq!(one.text(), other.text());
}

/// What was asked under a key is answered again as it was, wherever it is asked, and not played again.
async fn must_be_answered_as_before(nodes: [SocketAddr; 2], asked: &[Asked]) {
    let web = Web::new();
    let before = web.get(nodes[0], &asked[0].seat.path).await.version();
    let mut repeated = 0;
    for asked in asked.iter().filter(|asked| asked.key.is_some()) {
        let Told::Made(answer) = &asked.told else { continue };
        for node in nodes {
            let again = web.ask(node, &asked.ask()).await;
            assert_eq!(again.without_its_id(), answer.without_its_id());
            repeated += 1;
        }
    }
    assert!(repeated > 0);
    for node in nodes {
        assert_eq!(web.get(node, &asked[0].seat.path).await.version(), before);
    }
}

/// The next event that has a version.
async fn next_version(stream: &mut Watching) -> Event {
    loop {
        let event = stream.next().await;
        if event.id.is_some() {
            return event;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn what_is_read_is_as_new_as_the_last_word_wherever_that_was_said() {
    let pair = Pair::start(&settings::redis());
    let nodes = pair.addresses();
    let table = Table::open(&nodes, 1).await;
    let mut player = Player::new(&table.seats[0], Style::Plain, &mut settings::dice());
    let web = Web::new();
    for turn in 0..200 {
        let [writes, reads] = if turn % 3 == 0 { [nodes[1], nodes[0]] } else { nodes };
        assert_eq!(player.turn(writes).await, Turn::Answered);
        let Told::Made(answer) = &player.asked.last().unwrap().told else { panic!("{:?}", player.asked.last()) };
        assert_eq!(web.get(reads, &table.path).await.text(), answer.text(), "turn {turn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn what_is_deleted_on_one_node_is_gone_on_the_other() {
    let pair = Pair::start(&settings::redis());
    let nodes = pair.addresses();
    let web = Web::new();
    let table = Table::open(&nodes, 2).await;
    let mut stream = Web::watch(nodes[1], &table.path, None).await;
    stream.retry().await;
    next_version(&mut stream).await.named("snapshot");
    let [host, guest] = [&table.seats[0], &table.seats[1]];
    let draw = guest.post("/moves").json(&json!({"type": "draw"}));
    web.ask(nodes[1], &draw).await.expect(200);
    next_version(&mut stream).await.named("change");
    web.ask(nodes[0], &Ask::delete(&table.path).token(&host.token)).await.expect(204);
    web.ask(nodes[1], &draw).await.refused(404, "no_such_session");
    web.ask(nodes[1], &Ask::get(&table.path)).await.refused(404, "no_such_session");
    stream.ends_because("deleted").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn who_may_not_any_more_is_told_so_before_his_request_is_read_on_either_node() {
    let pair = Pair::start(&settings::redis());
    let nodes = pair.addresses();
    let web = Web::new();
    for (visibility, status, code) in [("unlisted", 403, "not_a_player"), ("private", 404, "no_such_session")] {
        let table = Table::open_with(&[nodes[1]], 1, json!({"visibility": visibility, "seats": 1})).await;
        let nonsense = table.seats[0].post("/moves").header("content-type", "application/json").body("{bad");
        // The other node has it at hand.
        web.ask(nodes[1], &nonsense).await.refused(400, "malformed_request");
        let leave = Ask::delete(&format!("{}/players/1", table.path)).token(&table.seats[0].token);
        web.ask(nodes[0], &leave).await.expect(204);
        web.ask(nodes[1], &nonsense).await.refused(status, code);
    }
    let table = Table::open(&[nodes[1]], 1).await;
    let nonsense = table.seats[0].post("/moves").header("content-type", "application/json").body("{bad");
    web.ask(nodes[1], &nonsense).await.refused(400, "malformed_request");
    web.ask(nodes[0], &Ask::delete(&table.path).token(&table.seats[0].token)).await.expect(204);
    web.ask(nodes[1], &nonsense).await.refused(404, "no_such_session");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn the_lobby_lists_what_was_made_on_either_node() {
    let pair = Pair::start(&settings::redis());
    let nodes = pair.addresses();
    let mut made = Vec::new();
    for node in nodes {
        made.push(Table::open_with(&[node], 1, json!({"visibility": "public"})).await.id);
    }
    for node in nodes {
        let listed = Web::new().get(node, "/v1/sessions?limit=2").await.json();
        let ids: Vec<&str> =
            listed["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(ids, [&*made[1], &*made[0]], "youngest first");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn who_watches_is_counted_on_all_nodes_until_one_is_killed() {
    let mut pair = Pair::start(&settings::redis());
    let nodes = pair.addresses();
    let table = Table::open(&nodes, 2).await;
    let [host, guest] = [&table.seats[0], &table.seats[1]];
    let mut here = Web::watch(nodes[0], &table.path, Some(&host.token)).await;
    let _others = [
        Web::watch(nodes[1], &table.path, Some(&guest.token)).await,
        Web::watch(nodes[1], &table.path, None).await,
        Web::watch(nodes[0], &table.path, None).await,
    ];
    told_who_watches(&mut here, &json!({"online": [1, 2], "watchers": 2})).await;
    for node in nodes {
        let presence = Web::new().get(node, &format!("{}/presence", table.path)).await.json();
        assert_eq!(presence, json!({"online": [1, 2], "watchers": 2}));
    }
    pair.nodes[1].kill();
    // It is not heard of for half a minute then.
    told_who_watches(&mut here, &json!({"online": [1], "watchers": 1})).await;
}

/// Waits until a stream tells that these watch.
async fn told_who_watches(stream: &mut Watching, expected: &Value) {
    let told = async {
        loop {
            let event = stream.next().await;
            if event.name == "presence" && event.data == *expected {
                break;
            }
        }
    };
    let patience = std::time::Duration::from_secs(60);
    tokio::time::timeout(patience, told).await.unwrap_or_else(|_| panic!("it is not told that {expected}"));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the Redis that .ci/with-redis starts"]
async fn a_race_is_one_race_on_both_nodes() {
    let pair = Pair::start(&settings::redis());
    let nodes = pair.addresses();
    let web = Web::new();
    let wish = json!({"game": GAME, "seats": 4});
    let opened = web.ask(nodes[0], &Ask::post("/v1/races").json(&wish)).await.expect(201).json();
    let path = format!("/v1/races/{}", opened["race"]["id"].as_str().unwrap());
    let mut seats = vec![Seat::taken(&path, &opened)];
    for number in 1..4 {
        let joined = web.ask(nodes[number % 2], &Ask::post(&format!("{path}/players"))).await.expect(201).json();
        seats.push(Seat::taken(&path, &joined));
    }
    let mut streams = [Web::watch(nodes[0], &path, None).await, Web::watch(nodes[1], &path, None).await];
    web.ask(nodes[1], &seats[0].post("/start")).await.expect(200);
    let race = web.get(nodes[0], &path).await.json();

    let sessions: HashMap<u64, String> = sessions_of(&race);
    for (seat, node) in seats.iter().zip(nodes.iter().cycle()) {
        let place = Seat { path: format!("/v1/sessions/{}", sessions[&seat.number]), ..seat.clone() };
        web.ask(*node, &place.post("/moves").json(&json!({"type": "draw"}))).await.expect(200);
        for stream in &mut streams {
            told_of_move(stream, seat.number).await;
        }
        web.ask(*node, &place.post("/resign")).await.expect(200);
    }
    let ends = [web.get(nodes[0], &path).await, web.get(nodes[1], &path).await];
    assert_eq!(ends[0].json()["status"], "over");
    assert_eq!(ends[0].text(), ends[1].text());
    for session in sessions.values() {
        let path = format!("/v1/sessions/{session}");
        assert_eq!(web.get(nodes[0], &path).await.text(), web.get(nodes[1], &path).await.text());
    }
}

fn sessions_of(race: &Value) -> HashMap<u64, String> {
    let standings = race["standings"].as_array().unwrap().iter();
    standings.map(|each| (each["seat"].as_u64().unwrap(), each["session"].as_str().unwrap().to_string())).collect()
}

/// Waits until a stream tells in the standings that a player has made a move.
async fn told_of_move(stream: &mut Watching, seat: u64) {
    loop {
        let event = stream.next().await;
        let has_moved = |each: &Value| each["seat"] == seat && each["moves"] == 1;
        if event.name == "standings" && event.data["standings"].as_array().unwrap().iter().any(has_moved) {
            return;
        }
    }
}
