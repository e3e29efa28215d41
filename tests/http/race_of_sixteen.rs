//! A whole race of sixteen, with all that can become of a player, and everything that the server said
//! meanwhile searched for what nobody was to know yet.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Seat, TestApp};
use crate::client::Ask;
use crate::dice::Dice;
use crate::hidden::cards_in;
use crate::logs;
use crate::oracle::dealt;
use crate::reference::{Game, Table};
use crate::to_the_end::{reference_move, simple};
use crate::watching::{Event, Watching};

const PLAYERS: usize = 16;
const LIMIT: Duration = Duration::from_secs(600);

/// By seat: who resigns at once, who loses the connection, who leaves, who is lost, whose time runs out.
/// All others play as well as they can.
const RESIGNS: usize = 2;
const LOSES_CONNECTION: usize = 3;
const LEAVES: usize = 4;
const IS_LOST: usize = 5;
const RUNS_OUT_OF_TIME: usize = 6;

/// A race that runs, as its players have it, by seat from 1.
struct Race {
    app: TestApp,
    racers: Vec<Seat>,
    lanes: Vec<Seat>,
    commitment: Value,
}

impl Race {
    /// A race on a deal that can be won.
    async fn started() -> Race {
        let app = TestApp::start().await;
        let wish = json!({"game": "captive-queens", "options": {"play": "free"}, "seats": PLAYERS, "limit_s": 600});
        let mut racers = vec![app.race(wish).await];
        let commitment = racers[0].first["deal"]["commitment"].clone();
        while racers.len() < PLAYERS {
            racers.push(app.join(&racers[0]).await);
        }
        app.start_race(&racers[0]).await.expect(200);
        let mut lanes = Vec::new();
        for racer in &racers {
            lanes.push(app.lane(racer).await);
        }
        Race { app, racers, lanes, commitment }
    }

    fn racer(&self, seat: usize) -> &Seat {
        &self.racers[seat - 1]
    }

    fn lane(&self, seat: usize) -> &Seat {
        &self.lanes[seat - 1]
    }

    /// Plays one move, and says how the session then stands.
    async fn step(&self, seat: usize) -> Value {
        let session = self.app.session(self.lane(seat)).await;
        let legal = session["legal_moves"].as_array().unwrap();
        let play = if seat == IS_LOST { dawdling(legal) } else { simple(legal) };
        self.app.play(self.lane(seat), &play).await.expect(200).json()
    }

    /// Looks everywhere where a seed or somebody's cards might be.
    async fn snoop(&self, seat: usize) {
        let (app, token) = (&self.app, &self.racer(seat).token);
        let race = &self.racer(1).path;
        for other in 1..=PLAYERS {
            // A stream of one's own has no end to wait for.
            for rest in ["", "/history", "/presence", "?version=1", "/events"] {
                if (other, rest) != (seat, "/events") {
                    let answer = app.ask(Ask::get(&self.lane(other).at(rest)).token(token)).await;
                    assert_eq!(answer.status, if other == seat { 200 } else { 404 }, "{}", answer.asked);
                }
            }
            for rest in ["/moves", "/undo", "/redo", "/resign", "/players"] {
                let ask = Ask::post(&self.lane(other).at(rest)).token(token);
                assert!(app.ask(ask.json(&json!({"type": "draw"}))).await.status >= 400);
            }
        }
        assert!(app.get(race).await.expect(200).json()["deal"]["seed"].is_null());
    }
}

/// The move of one who will lose: cards are drawn and redealt as long as that goes, and played last.
fn dawdling(legal: &[Value]) -> Value {
    legal.first().cloned().unwrap()
}

/// A session as the reference has it at each version.
fn tables(seed: &str, history: &[Value]) -> Vec<Table> {
    let mut table = dealt(Game::named("captive-queens", &[("play", "free")]), seed);
    history
        .iter()
        .map(|entry| {
            for each in entry["moves"].as_array().unwrap() {
                table.play(&reference_move(each));
            }
            table.clone()
        })
        .collect()
}

/// The cards that were face up at some version, up to each.
fn seen_by_version(tables: &[Table]) -> Vec<BTreeSet<String>> {
    let mut seen = BTreeSet::new();
    tables
        .iter()
        .map(|table| {
            seen.extend(table.piles().into_iter().flat_map(|pile| pile.cards).map(|card| card.as_str().to_string()));
            seen.clone()
        })
        .collect()
}

#[tokio::test]
async fn sixteen_race_and_nobody_learns_of_a_card_before_its_time() {
    // A deal that the good players win and the dawdler does not.
    for _ in 0..40 {
        if run().await {
            return;
        }
    }
    panic!("forty deals could not be won, or not be lost");
}

async fn run() -> bool {
    let race = Race::started().await;
    let app = &race.app;
    app.record();
    let mut watcher = app.watch(&race.racer(1).path, None, None).await;
    let mut events = Vec::new();

    app.resign(race.lane(RESIGNS)).await.expect(200);
    race.snoop(RESIGNS).await;
    for _ in 0..3 {
        race.step(LEAVES).await;
    }
    app.leave(race.racer(LEAVES), LEAVES as u64).await.expect(204);
    app.ask(Ask::get(&race.lane(LEAVES).path).token(&race.racer(LEAVES).token)).await.refused(404, "no_such_session");
    for _ in 0..5 {
        race.step(RUNS_OUT_OF_TIME).await;
    }
    let own = lose_the_connection(&race, &mut events).await;

    let mut playing: Vec<usize> =
        (1..=PLAYERS).filter(|seat| ![RESIGNS, LEAVES, RUNS_OUT_OF_TIME].contains(seat)).collect();
    let mut ends: BTreeMap<usize, (Value, String)> = BTreeMap::new();
    let mut dice = Dice::new(16);
    while !playing.is_empty() {
        let place = dice.below(playing.len());
        let session = race.step(playing[place]).await;
        if session["status"] != "playing" {
            ends.insert(playing.swap_remove(place), (session["status"].clone(), app.clock.text()));
        }
        app.clock.advance(Duration::from_millis(1));
    }
    if ends[&IS_LOST].0 != "lost" || ends[&1].0 != "won" {
        return false;
    }
    drop(own);
    race.snoop(1).await;
    assert!(*app.clock.text() < *app.session(race.racer(1)).await["ends_at"].as_str().unwrap());
    let before_the_end = app.recorded();
    app.clock.advance(LIMIT);

    let over = app.get(&race.racer(1).path).await.expect(200).json();
    assert_eq!(over["status"], "over");
    read_to_the_end(&mut watcher, &mut events).await;
    ranks_are_as_they_should_be(&over, &ends);
    let seed = over["deal"]["seed"].as_str().unwrap();
    assert_eq!(hex::encode(Sha256::digest(seed)), race.commitment);
    assert_eq!(over["deal"]["commitment"], race.commitment);
    nobody_knew(&race, seed, &before_the_end, &events).await;
    true
}

/// Somebody plays while his stream breaks off, and resumes it without having missed anything.
async fn lose_the_connection(race: &Race, events: &mut Vec<String>) -> Watching {
    let (app, lane) = (&race.app, race.lane(LOSES_CONNECTION));
    let mut stream = app.watch_as(&lane.path, &lane.token).await;
    let snapshot = stream.next().await.named("snapshot");
    let mut seen = vec![snapshot.id.unwrap()];
    for broken in [false, true, true] {
        if broken {
            drop(stream);
            race.step(LOSES_CONNECTION).await;
            let last = seen.last().unwrap().to_string();
            stream = app.watch_with(&lane.path, Some(&lane.token), Some(&last), None).await;
        } else {
            race.step(LOSES_CONNECTION).await;
        }
        let change = stream.next_change().await;
        seen.push(change.id.unwrap());
        events.push(change.data.to_string());
    }
    assert_eq!(seen, [1, 2, 3, 4]);
    stream
}

/// All that is told until the race is over.
async fn read_to_the_end(stream: &mut Watching, events: &mut Vec<String>) {
    loop {
        let Event { data, .. } = stream.next().await;
        if data["race"]["status"] == "over" {
            return;
        }
        events.push(data.to_string());
    }
}

/// Winners first, by time; the others by cards placed; equals share a rank.
fn ranks_are_as_they_should_be(race: &Value, ends: &BTreeMap<usize, (Value, String)>) {
    let standings = race["standings"].as_array().unwrap();
    assert_eq!(standings.len(), PLAYERS);
    let order = |standing: &Value| match standing["status"].as_str().unwrap() {
        "won" => (0, standing["finished_at"].as_str().unwrap().to_string(), 0),
        _ => (1, String::new(), 52 - standing["placed"].as_u64().unwrap()),
    };
    for standing in standings {
        let seat = standing["seat"].as_u64().unwrap() as usize;
        let ahead = standings.iter().filter(|other| order(other) < order(standing)).count() as u64;
        assert_eq!(standing["rank"], ahead + 1, "{standing}");
        let expected = match seat {
            RESIGNS | LEAVES => json!("resigned"),
            RUNS_OUT_OF_TIME => json!("timed_out"),
            seat => ends[&seat].0.clone(),
        };
        assert_eq!(standing["status"], expected, "{standing}");
        if let Some((_, at)) = ends.get(&seat) {
            assert_eq!(standing["finished_at"], json!(at));
        }
    }
}

/// Nothing that was said before the end had the seed in it, nor a card that had not been face up by then
/// in the session that it was about.
async fn nobody_knew(race: &Race, seed: &str, answers: &[String], events: &[String]) {
    let mut seen = BTreeMap::new();
    for lane in &race.lanes {
        let history = race.app.history(&Seat { token: race.racers[0].token.clone(), ..lane.clone() }).await;
        seen.insert(lane.id.clone(), seen_by_version(&tables(seed, &history)));
    }
    let mut with_cards = 0;
    for said in answers.iter().chain(events) {
        assert!(!said.contains(seed), "the seed was in {said}");
        let body: Value = said.lines().last().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
        let session = if body["session"].is_object() { &body["session"] } else { &body };
        let allowed = session["id"].as_str().and_then(|id| seen.get(id));
        let version = session["version"].as_u64().unwrap_or_default() as usize;
        let allowed = allowed.and_then(|by_version| by_version.get(version.checked_sub(1)?));
        let cards = cards_in(said);
        with_cards += usize::from(!cards.is_empty());
        let none = BTreeSet::new();
        let unknown: Vec<_> = cards.difference(allowed.unwrap_or(&none)).collect();
        assert!(unknown.is_empty(), "{unknown:?} had not been seen when this was said:\n{said}");
    }
    assert!(with_cards > 500 && answers.len() > 1_000, "{with_cards} of {}", answers.len());
    assert_eq!(logs::lines_with(seed), Vec::<String>::new());
}
