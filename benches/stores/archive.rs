//! A great many finished sessions in SQLite, and a server that has them on disk.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use patience::games;
use patience::rules::Proposal;
use patience::session::{
    self, Autoplay, Change, Command, Context, Credential, Decision, Entry, Gathering, Lifetimes, Limits, NewDeal,
    NewSession, PlayerName, Precondition, Session, SessionId, Timestamp, Undoing, Visibility,
};
use patience::store::{Append, Chain, SessionStore, SqliteOptions, SqliteStore};

use crate::support::client::Connection;
use crate::support::play::Random;
use crate::support::process::{Pinning, Process, patience};
use crate::support::{self, Spread};
use crate::{Place, in_file};

/// How many entries each session has.
const ENTRIES: usize = 10;

/// How many sessions are written at once, in how many appends.
const SESSIONS_AN_APPEND: usize = 100;
const APPENDS: usize = 16;

/// How many sessions are opened.
const OPENED: usize = 1_000;

/// Writes sessions, starts a server on them and opens some.
pub(crate) async fn measure() {
    let sessions = support::number("--sessions", 1_000_000);
    let place = Place::new("archive");
    let file = place.file("games.db");
    let ids = write(&file, sessions).await;
    let size = std::fs::metadata(&file).expect("the file is there").len();
    println!(
        "{sessions} sessions of {ENTRIES} entries: {} MiB, {} bytes a session",
        size >> 20,
        size / sessions as u64
    );

    let pinning = Pinning::start();
    let started = Instant::now();
    let server = Process::start("archive", patience(&pinning, &[in_file(&place)]));
    let mut connection = Connection::open(server.address()).await;
    let ready = connection.exchange(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert_eq!(ready.status, 200);
    println!("start to first answer: {:.1} ms", started.elapsed().as_secs_f64() * 1e3);
    println!("resident: {:.1} MiB", server.resident_bytes() as f64 / f64::from(1 << 20));

    let (mut random, mut millis) = (Random::new(1), Vec::new());
    for _ in 0..OPENED {
        let id = ids[random.below(ids.len())];
        let request = format!("GET /v1/sessions/{id} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        let began = Instant::now();
        let answer = connection.exchange(request.as_bytes()).await;
        millis.push(began.elapsed().as_secs_f64() * 1e3);
        assert_eq!(answer.status, 200);
    }
    println!("to open one of them, in ms: {}", Spread::of(millis));
    println!("resident after {OPENED}: {:.1} MiB", server.resident_bytes() as f64 / f64::from(1 << 20));
}

/// Writes so many finished sessions, and says which.
async fn write(file: &Path, sessions: usize) -> Vec<SessionId> {
    let store = SqliteStore::open(file, &SqliteOptions::default()).expect("a store can be made");
    let mut ids = Vec::new();
    let began = Instant::now();
    while ids.len() < sessions {
        let mut appends = Vec::new();
        for _ in 0..APPENDS {
            let count = SESSIONS_AN_APPEND.min(sessions - ids.len());
            let batch: Vec<Append> = (0..count).map(|nth| finished(ids.len() + nth)).collect();
            ids.extend(batch.iter().map(|append| SessionId::from_bytes(*append.id.as_bytes())));
            appends.push(store.append(batch));
        }
        try_join_all(appends).await.expect("the store takes them");
        if ids.len().is_multiple_of(100 * SESSIONS_AN_APPEND * APPENDS) {
            eprintln!("{} of {sessions} sessions after {} s", ids.len(), began.elapsed().as_secs());
        }
    }
    store.close().await;
    ids
}

/// A session in which somebody has drawn a few cards and given up.
fn finished(number: usize) -> Append {
    let year = Duration::from_secs(365 * 86_400);
    let lifetimes = Lifetimes { unplayed: year, idle: year, finished: year };
    let limits = Limits { history: 1_000, lifetimes };
    let random = |bytes: &mut [u8]| rand::fill(bytes);
    let now = Timestamp::from_millis(1_800_000_000_000 + number as u64);
    let context = Context { now, random: &random, limits: &limits };
    let game = games::CATALOGUE[1];
    let new = NewSession {
        game,
        options: game.default_options(),
        deal: NewDeal::Drawn,
        seats: 1,
        name: PlayerName::try_from("Player 1").expect("a name"),
        visibility: Visibility::Unlisted,
        undoing: Undoing::Allowed,
        autoplay: Autoplay::Off,
    };
    let (begun, opening) = session::create(new, None, &context);
    let mut session = Session::start(&begun).expect("a session");
    let mut entries: Vec<Entry> = vec![begun];
    while entries.len() < ENTRIES {
        let command = match entries.len() + 1 {
            ENTRIES => Command::Resign,
            _ => Command::Play(Proposal::Draw),
        };
        let (who, precondition) = (Credential::Token(opening.token.hash()), Precondition::None);
        let change = Change { who, key: None, precondition, command };
        let Ok(Decision::Made(entry)) = session::decide(&session, &change, &context) else {
            panic!("a card can be drawn, and a game given up");
        };
        session.apply(&entry).expect("it fits");
        entries.push(entry);
    }
    Append::leading_to(&session, &entries, Chain::START).expect("entries can be kept")
}
