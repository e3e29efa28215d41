//! The host: changes put in order, also by two hosts on one store, and sessions that are not at hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt;
use patience::cards::Seed;
use patience::games;
use patience::host::{Host, HostError, Limits, Outlook, Prospect, Reader, SystemClock, Told};
use patience::rules::{Move, Proposal};
use patience::session::{
    self, Autoplay, Change, Command, Credential, Gathering, Lifetimes, NewDeal, NewSession, PlayerName, Precondition,
    Refusal, Secret, Session, SessionId, Timestamp, Undoing, Version, Visibility,
};
use patience::store::{
    self, Append, AppendError, Census, Kind, Listing, LogId, MemoryStore, Place, Record, SessionStore, StoreError,
    Tail, Wanted, Watch,
};
use tokio::sync::Semaphore;
use tokio::time::Instant;

const LIMITS: Limits = Limits {
    live_sessions: 100,
    queue: 100,
    checkpoint_every: 5,
    watchers: 10,
    solver_threads: 1,
    solver_queue: 10,
    winnable_deals: 2,
};

fn host(store: Arc<dyn SessionStore>, limits: Limits) -> Arc<Host> {
    let day = Duration::from_secs(86_400);
    let lifetimes = Lifetimes { unplayed: day, idle: day, finished: day };
    Host::new(store, Arc::new(SystemClock::start()), limits, session::Limits { history: 1_000, lifetimes })
}

fn memory() -> Arc<MemoryStore> {
    Arc::new(MemoryStore::new(store::Limits { sessions: 1_000, bytes: 10_000_000, grace: Duration::from_secs(60) }))
}

/// A session of Napoleon's Square, where one may draw fifty-six times, and its token.
async fn begin(host: &Host) -> (SessionId, Secret) {
    let game = games::find("napoleons-square").unwrap();
    let new = NewSession {
        game,
        options: game.default_options(),
        deal: NewDeal::Seed(Seed::from_random([3; 16])),
        seats: 1,
        name: PlayerName::try_from("Player 1").unwrap(),
        visibility: Visibility::Unlisted,
        undoing: Undoing::Allowed,
        autoplay: Autoplay::Off,
    };
    let (_, opening) = host.create(new, None).await.unwrap();
    (opening.id, opening.token)
}

fn asked(token: &Secret, command: Command) -> Change {
    Change { who: Credential::Token(token.hash()), key: None, precondition: Precondition::None, command }
}

fn draw(token: &Secret) -> Change {
    asked(token, Command::Play(Proposal::Draw))
}

fn meant_for(version: Version, change: Change) -> Change {
    Change { precondition: Precondition::AnyOf(vec![version]), ..change }
}

async fn session(host: &Arc<Host>, id: SessionId) -> Result<Arc<Session>, HostError> {
    Ok(host.find(id).await?.current())
}

async fn session_at(host: &Arc<Host>, id: SessionId, version: Version) -> Result<Arc<Session>, HostError> {
    host.session_at(&*host.find(id).await?, version).await
}

async fn change(host: &Arc<Host>, id: SessionId, change: Change) -> Result<Arc<Session>, HostError> {
    host.change(&host.find(id).await?, change).await
}

/// All that tells one version of a session from another.
fn picture(session: &Session) -> String {
    let (moves, times) = (session.legal_moves(), (session.updated_at(), session.expires_at()));
    let flags = (session.can_undo(), session.can_redo(), session.moves(), session.status());
    format!("{} {:?} {moves:?} {flags:?} {times:?}", session.version(), session.view())
}

#[tokio::test]
async fn two_hosts_on_one_store_see_each_others_changes() {
    let store = memory();
    let (here, there) = (host(store.clone(), LIMITS), host(store, LIMITS));
    let (id, token) = begin(&here).await;
    for turn in 1..=10 {
        let (first, second) = if turn % 2 == 0 { (&here, &there) } else { (&there, &here) };
        let changed = change(first, id, draw(&token)).await.unwrap();
        assert_eq!(changed.version(), turn + 1);
        assert_eq!(picture(&session(second, id).await.unwrap()), picture(&changed));
    }
    let tag = session(&here, id).await.unwrap().version();
    change(&there, id, draw(&token)).await.unwrap();
    let stale = change(&here, id, meant_for(tag, draw(&token))).await;
    assert!(matches!(stale, Err(HostError::Refused { refusal: Refusal::StaleVersion, version }) if version == tag + 1));
    there.remove(&there.find(id).await.unwrap(), Credential::Token(token.hash()), Precondition::None).await.unwrap();
    assert!(matches!(session(&here, id).await, Err(HostError::NoSuch(Kind::Session))));
    assert!(matches!(change(&here, id, draw(&token)).await, Err(HostError::NoSuch(Kind::Session))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_at_two_hosts_are_put_in_one_order() {
    let store = memory();
    let hosts = [host(store.clone(), LIMITS), host(store, LIMITS)];
    let (id, token) = begin(&hosts[0]).await;
    let writers: Vec<_> = (0..40)
        .map(|writer| {
            let (host, draw) = (hosts[writer % 2].clone(), draw(&token));
            tokio::spawn(async move { change(&host, id, draw).await.map(|session| session.version()) })
        })
        .collect();
    let mut versions = Vec::new();
    for writer in writers {
        match writer.await.unwrap() {
            Ok(version) => versions.push(version),
            // Eight times somebody else was first; a person would try again.
            Err(error) => assert!(matches!(error, HostError::Busy), "{error}"),
        }
    }
    versions.sort_unstable();
    let made = versions.len() as Version;
    assert!(made >= 2);
    assert_eq!(versions, Vec::from_iter(2..=made + 1));
    assert_eq!(hosts[1].history(id, 0, 1_000).await.unwrap().len() as Version, made + 1);
}

#[tokio::test]
async fn every_past_version_is_as_it_was_whatever_is_at_hand() {
    for (live_sessions, checkpoint_every) in [(100, 1), (100, 5), (100, 1_000), (1, 7)] {
        let host = host(memory(), Limits { live_sessions, checkpoint_every, ..LIMITS });
        let (id, token) = begin(&host).await;
        let mut pictures = vec![picture(&session(&host, id).await.unwrap())];
        let commands = [draw(&token), draw(&token), asked(&token, Command::Undo), asked(&token, Command::Redo)];
        for command in commands.iter().cycle().take(22) {
            pictures.push(picture(&change(&host, id, command.clone()).await.unwrap()));
        }
        for _ in 0..3 {
            begin(&host).await;
        }
        for (index, expected) in pictures.iter().enumerate() {
            let version = index as Version + 1;
            assert_eq!(&picture(&session_at(&host, id, version).await.unwrap()), expected, "version {version}");
        }
        for version in [0, 24, Version::MAX] {
            assert!(matches!(session_at(&host, id, version).await, Err(HostError::NoSuchVersion)), "{version}");
        }
    }
}

#[tokio::test]
async fn a_session_that_is_not_at_hand_is_folded_from_its_log() {
    let store = memory();
    let first = host(store.clone(), LIMITS);
    let (id, token) = begin(&first).await;
    for _ in 0..12 {
        change(&first, id, draw(&token)).await.unwrap();
    }
    change(&first, id, asked(&token, Command::Undo)).await.unwrap();
    let before = picture(&session(&first, id).await.unwrap());
    drop(first);
    let second = host(store, LIMITS);
    assert_eq!(picture(&session(&second, id).await.unwrap()), before);
    let redone = change(&second, id, asked(&token, Command::Redo)).await.unwrap();
    assert_eq!(redone.version(), 15);
    assert!(redone.legal_moves().contains(&Move::Draw));
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_says_so_and_what_waits_is_done_though_its_client_has_left() {
    let store = Arc::new(Gate { inside: memory(), open: Semaphore::new(1), broken: AtomicBool::new(false) });
    let host = host(store.clone(), Limits { queue: 3, ..LIMITS });
    let (id, token) = begin(&host).await;
    for _ in 0..3 {
        let left = tokio::time::timeout(Duration::from_millis(10), change(&host, id, draw(&token))).await;
        assert!(left.is_err(), "it waits for the store");
    }
    assert!(matches!(change(&host, id, draw(&token)).await, Err(HostError::Busy)));
    assert_eq!(session(&host, id).await.unwrap().version(), 1, "nothing is shown before the store has it");
    store.open.add_permits(100);
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(session(&host, id).await.unwrap().version(), 4);
    change(&host, id, draw(&token)).await.unwrap();
}

#[tokio::test]
async fn a_store_that_fails_changes_nothing_and_is_used_again_when_it_works() {
    let store = Arc::new(Gate { inside: memory(), open: Semaphore::new(1_000), broken: AtomicBool::new(false) });
    let host = host(store.clone(), LIMITS);
    let (id, token) = begin(&host).await;
    let before = picture(&session(&host, id).await.unwrap());
    store.broken.store(true, Ordering::Relaxed);
    let failed = change(&host, id, draw(&token)).await;
    assert!(matches!(failed, Err(HostError::Store(StoreError::Unavailable(_)))));
    store.broken.store(false, Ordering::Relaxed);
    assert_eq!(picture(&session(&host, id).await.unwrap()), before);
    assert_eq!(change(&host, id, draw(&token)).await.unwrap().version(), 2);
}

/// How long a session that is watched must have been left alone before its outlook is worked out.
const QUIET: Duration = Duration::from_millis(250);

async fn watch(host: &Arc<Host>, id: SessionId) -> Reader<Session> {
    host.watch(&host.find(id).await.unwrap(), &Credential::None, None).unwrap()
}

/// What somebody who watches is told next, but for who is there.
async fn told(reader: &mut Reader<Session>) -> Told<Session> {
    loop {
        match reader.next().await.unwrap() {
            Told::Stirred(_) => {}
            told => return told,
        }
    }
}

/// The version of the next outlook, past all else.
async fn next_prospect(reader: &mut Reader<Session>) -> Version {
    loop {
        match told(reader).await {
            Told::Prospect(prospect) => return prospect.version,
            Told::End(end) => panic!("{end:?}"),
            Told::Snapshot(..) | Told::Change(_) | Told::Stirred(_) => {}
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_outlook_is_worked_out_when_a_session_is_left_alone_and_of_its_newest_version_only() {
    let host = host(memory(), LIMITS);
    let (id, token) = begin(&host).await;
    let mut reader = watch(&host, id).await;
    for _ in 0..5 {
        tokio::time::sleep(QUIET - Duration::from_millis(1)).await;
        change(&host, id, draw(&token)).await.unwrap();
    }
    let left_alone = Instant::now();
    assert_eq!(next_prospect(&mut reader).await, 6);
    assert!(left_alone.elapsed() >= QUIET);
    // It is told once, and those who come later are told at once.
    let mut late = watch(&host, id).await;
    let came = Instant::now();
    assert!(matches!(told(&mut late).await, Told::Snapshot(1, _)));
    assert!(matches!(told(&mut late).await, Told::Prospect(prospect) if prospect.version == 6));
    assert_eq!(came.elapsed(), Duration::ZERO);
    change(&host, id, asked(&token, Command::Undo)).await.unwrap();
    assert!(matches!(told(&mut reader).await, Told::Change(change) if change.version() == 7));
    assert_eq!(next_prospect(&mut reader).await, 7);
}

#[tokio::test(start_paused = true)]
async fn who_asks_for_an_outlook_need_not_wait_for_quiet_and_those_who_watch_are_told_it_then() {
    let host = host(memory(), LIMITS);
    let (id, _) = begin(&host).await;
    let mut reader = watch(&host, id).await;
    let live = host.find(id).await.unwrap();
    let prospect = host.prospect(&live, &live.current()).await.unwrap();
    assert_eq!(prospect, Prospect { version: 1, outlook: Outlook::Open });
    assert!(matches!(told(&mut reader).await, Told::Snapshot(1, _)));
    assert!(matches!(told(&mut reader).await, Told::Prospect(told) if told == prospect));
}

#[tokio::test]
async fn who_has_left_takes_his_search_with_him_and_others_are_answered() {
    let host = host(memory(), Limits { solver_queue: 1, ..LIMITS });
    let (id, token) = begin(&host).await;
    let live = host.find(id).await.unwrap();
    for _ in 0..10 {
        let session = host.change(&live, draw(&token)).await.unwrap();
        let _have_left = (host.hint(&live, &session).now_or_never(), host.prospect(&live, &session).now_or_never());
        let hint = host.hint(&live, &session).await.unwrap();
        assert!(session.legal_moves().contains(&hint.chosen));
    }
}

/// A store whose appends wait at a gate, and fail while it is broken.
struct Gate {
    inside: Arc<MemoryStore>,
    open: Semaphore,
    broken: AtomicBool,
}

#[async_trait]
impl SessionStore for Gate {
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        self.open.acquire().await.unwrap().forget();
        if self.broken.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("it is broken".into()).into());
        }
        self.inside.append(batch).await
    }

    async fn tail(&self, id: LogId) -> Result<Option<Tail>, StoreError> {
        self.inside.tail(id).await
    }

    async fn load(&self, id: LogId, after: Version, limit: usize) -> Result<Option<Vec<Record>>, StoreError> {
        self.inside.load(id, after, limit).await
    }

    async fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Result<Listing, StoreError> {
        self.inside.list(wanted, before, limit).await
    }

    fn watch(&self, id: LogId) -> Watch {
        self.inside.watch(id)
    }

    async fn remove(&self, id: LogId, expected: Tail) -> Result<(), AppendError> {
        self.inside.remove(id, expected).await
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<LogId>, StoreError> {
        self.inside.expire(now).await
    }

    async fn census(&self) -> Result<Census, StoreError> {
        self.inside.census().await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.inside.ready().await
    }
}
