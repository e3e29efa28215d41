//! The server under test: everything that `patience serve` puts together, on a port of its own, with a
//! clock that only moves when it is told to and a store that can be held up.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use parking_lot::Mutex;
use patience::host::{self, Clock, Host};
use patience::http;
use patience::session::{self, Lifetimes, Timestamp, Version};
use patience::store::{
    self, Append, AppendError, Census, Listing, LogId, Place, Record, SessionStore, StoreError, Tail, Wanted, Watch,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::client::{Answer, Ask};
use crate::contract;
use crate::logs;
use crate::manners::{self, Known};
use crate::stores;

/// What a server is bounded by; the defaults are those of the program.
pub(crate) struct Limits {
    pub(crate) http: http::Limits,
    pub(crate) host: host::Limits,
    pub(crate) sessions: session::Limits,
    pub(crate) store: store::Limits,
}

impl Default for Limits {
    fn default() -> Limits {
        const HOUR: Duration = Duration::from_secs(3_600);
        Limits {
            http: http::Limits::default(),
            host: host::Limits {
                live_sessions: 1_000,
                queue: 256,
                checkpoint_every: 1_000,
                watchers: 5_000,
                solver_threads: 2,
                solver_queue: 256,
                winnable_deals: 2,
            },
            sessions: session::Limits {
                history: 20_000,
                lifetimes: Lifetimes { unplayed: HOUR, idle: HOUR * 24, finished: HOUR * 24 },
            },
            store: stores::ROOMY,
        }
    }
}

/// A clock that stands still until it is moved.
pub(crate) struct ManualClock {
    now: Mutex<Timestamp>,
    uptime: Mutex<Duration>,
}

impl ManualClock {
    fn at(now: Timestamp) -> ManualClock {
        ManualClock { now: Mutex::new(now), uptime: Mutex::default() }
    }

    pub(crate) fn advance(&self, by: Duration) {
        let mut now = self.now.lock();
        *now = now.plus(by);
        *self.uptime.lock() += by;
    }

    /// So many milliseconds back.
    pub(crate) fn turn_back(&self, millis: u64) {
        let mut now = self.now.lock();
        *now = Timestamp::from_millis(now.as_millis() - millis);
    }

    /// The time as it is shown.
    pub(crate) fn text(&self) -> String {
        self.now.lock().to_string()
    }

    /// The time so much later, as it is shown.
    pub(crate) fn text_in(&self, time: Duration) -> String {
        self.now.lock().plus(time).to_string()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.now.lock()
    }

    fn uptime(&self) -> Duration {
        *self.uptime.lock()
    }
}

/// A store that can be held up, and broken.
pub(crate) struct TestStore {
    inner: Arc<dyn SessionStore>,
    open: watch::Sender<bool>,
    waiting: watch::Sender<usize>,
    broken: AtomicBool,
    refusing: AtomicBool,
}

impl TestStore {
    async fn new(limits: store::Limits) -> TestStore {
        TestStore {
            inner: stores::open(limits).await,
            open: watch::Sender::new(true),
            waiting: watch::Sender::new(0),
            broken: AtomicBool::new(false),
            refusing: AtomicBool::new(false),
        }
    }

    /// From now on entries wait before they are taken.
    pub(crate) fn hold_up(&self) {
        self.open.send_replace(false);
    }

    /// Takes all the entries that wait, and those to come.
    pub(crate) fn let_go(&self) {
        self.open.send_replace(true);
    }

    /// Resolves when so many entries wait.
    pub(crate) async fn somebody_waits(&self, many: usize) {
        let mut waiting = self.waiting.subscribe();
        waiting.wait_for(|waiting| *waiting >= many).await.unwrap();
    }

    /// Whether entries are refused, as if there were no room.
    pub(crate) fn refuse_appends(&self, refusing: bool) {
        self.refusing.store(refusing, Ordering::SeqCst);
    }

    pub(crate) fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    fn must_work(&self) -> Result<(), StoreError> {
        let broken = self.broken.load(Ordering::SeqCst);
        if broken { Err(StoreError::Unavailable("told to be".into())) } else { Ok(()) }
    }
}

#[async_trait]
impl SessionStore for TestStore {
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        self.must_work()?;
        if self.refusing.load(Ordering::SeqCst) {
            return Err(AppendError::Full);
        }
        if !*self.open.borrow() {
            self.waiting.send_modify(|waiting| *waiting += 1);
            self.open.subscribe().wait_for(|open| *open).await.unwrap();
            self.waiting.send_modify(|waiting| *waiting -= 1);
        }
        self.inner.append(batch).await
    }

    async fn tail(&self, id: LogId) -> Result<Option<Tail>, StoreError> {
        self.must_work()?;
        self.inner.tail(id).await
    }

    async fn load(&self, id: LogId, after: Version, limit: usize) -> Result<Option<Vec<Record>>, StoreError> {
        self.must_work()?;
        self.inner.load(id, after, limit).await
    }

    async fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Result<Listing, StoreError> {
        self.must_work()?;
        self.inner.list(wanted, before, limit).await
    }

    fn watch(&self, id: LogId) -> Watch {
        self.inner.watch(id)
    }

    async fn remove(&self, id: LogId, expected: Tail) -> Result<(), AppendError> {
        self.must_work()?;
        self.inner.remove(id, expected).await
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<LogId>, StoreError> {
        self.must_work()?;
        self.inner.expire(now).await
    }

    async fn census(&self) -> Result<Census, StoreError> {
        self.must_work()?;
        self.inner.census().await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.must_work()?;
        self.inner.ready().await
    }
}

/// A server, and a client of it.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) store: Arc<TestStore>,
    pub(crate) host: Arc<Host>,
    /// What the handlers share: to tell it to drain.
    pub(crate) app: http::App,
    client: reqwest::Client,
    known: Known,
    /// What was answered, if somebody wants to know.
    answers: Mutex<Option<Vec<String>>>,
    stop: mpsc::Sender<http::Stop>,
    server: Mutex<Option<JoinHandle<()>>>,
}

/// A seat at a session or in a race, as the one who sits there has it.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) id: String,
    /// `/v1/sessions/{id}` or `/v1/races/{id}`
    pub(crate) path: String,
    pub(crate) number: u64,
    pub(crate) token: String,
    pub(crate) invite: Option<String>,
    /// The session or the race as it was when the seat was taken.
    pub(crate) first: Value,
}

impl Seat {
    pub(crate) fn at(&self, rest: &str) -> String {
        format!("{}{rest}", self.path)
    }
}

impl TestApp {
    pub(crate) async fn start() -> TestApp {
        TestApp::limited(|_| ()).await
    }

    /// Starts a server with other limits.
    pub(crate) async fn limited(change: impl FnOnce(&mut Limits)) -> TestApp {
        TestApp::serving(http::router, change).await
    }

    /// Starts a server of other paths.
    pub(crate) async fn serving(paths: fn(http::App) -> Router, change: impl FnOnce(&mut Limits)) -> TestApp {
        logs::start();
        let mut limits = Limits::default();
        change(&mut limits);

        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_796_008_561_007)));
        let store = Arc::new(TestStore::new(limits.store).await);
        let host = Host::new(store.clone(), clock.clone(), limits.host, limits.sessions);
        let app = http::App::new(host.clone(), limits.http);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stops) = mpsc::channel(2);
        let served = app.clone();
        let server = tokio::spawn(async move {
            http::serve(listener, paths(served.clone()), &served, stops).await;
        });
        TestApp {
            address,
            clock,
            store,
            host,
            app,
            client: client(),
            known: Known::default(),
            answers: Mutex::default(),
            stop,
            server: Mutex::new(Some(server)),
        }
    }

    /// Tells the server to stop; the task ends when it has.
    pub(crate) fn stop(&self) -> JoinHandle<()> {
        self.told(http::Stop::Announced)
    }

    /// The same, in one way or the other.
    pub(crate) fn told(&self, stop: http::Stop) -> JoinHandle<()> {
        self.tell(stop);
        self.server.lock().take().expect("its end is waited for once")
    }

    /// Tells it, for the first time or once more.
    pub(crate) fn tell(&self, stop: http::Stop) {
        self.stop.try_send(stop).unwrap();
    }

    /// Asks, and checks the manners of the answer.
    pub(crate) async fn ask(&self, ask: Ask) -> Answer {
        let sent = self.client.execute(ask.request(self.address)).await;
        let response = sent.unwrap_or_else(|error| panic!("{ask}: {error:?}"));
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.unwrap_or_else(|error| panic!("{ask}: {error:?}")).to_vec();
        let answer = Answer { asked: ask.to_string(), status, headers, body };
        if let Some(answers) = &mut *self.answers.lock() {
            answers.push(format!("{:?}\n{}", answer.headers, answer.text()));
        }
        self.check(&ask, &answer);
        contract::check_request(&ask, &answer);
        answer
    }

    /// Keeps all answers from now on.
    pub(crate) fn record(&self) {
        *self.answers.lock() = Some(Vec::new());
    }

    /// The answers that were kept.
    pub(crate) fn recorded(&self) -> Vec<String> {
        self.answers.lock().clone().unwrap_or_default()
    }

    /// A client for requests whose answers are not checked.
    pub(crate) fn client_of_its_own(&self) -> &reqwest::Client {
        &self.client
    }

    /// Checks an answer, whatever was sent to get it.
    pub(crate) fn check(&self, ask: &Ask, answer: &Answer) {
        manners::check(&self.known, ask, answer);
        contract::check_answer(ask, answer);
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Ask::get(path)).await
    }

    /// Wishes for a session.
    pub(crate) async fn wish(&self, body: &Value) -> Answer {
        self.ask(Ask::post("/v1/sessions").json(body)).await
    }

    /// Makes a session.
    pub(crate) async fn create(&self, body: Value) -> Seat {
        Seat::of(&self.wish(&body).await.expect(201).json())
    }

    /// Makes a session of a game with everything as it is when nothing is said.
    pub(crate) async fn plain(&self, game: &str) -> Seat {
        self.create(json!({ "game": game })).await
    }

    pub(crate) async fn show(&self, seat: &Seat) -> Answer {
        self.ask(Ask::get(&seat.path).token(&seat.token)).await
    }

    /// The session or the race as it stands.
    pub(crate) async fn session(&self, seat: &Seat) -> Value {
        self.show(seat).await.expect(200).json()
    }

    pub(crate) async fn play(&self, seat: &Seat, play: &Value) -> Answer {
        self.ask(Ask::post(&seat.at("/moves")).token(&seat.token).json(play)).await
    }

    pub(crate) async fn draw(&self, seat: &Seat) -> Answer {
        self.play(seat, &json!({"type": "draw"})).await
    }

    pub(crate) async fn undo(&self, seat: &Seat) -> Answer {
        self.ask(Ask::post(&seat.at("/undo")).token(&seat.token)).await
    }

    pub(crate) async fn redo(&self, seat: &Seat) -> Answer {
        self.ask(Ask::post(&seat.at("/redo")).token(&seat.token)).await
    }

    pub(crate) async fn resign(&self, seat: &Seat) -> Answer {
        self.ask(Ask::post(&seat.at("/resign")).token(&seat.token)).await
    }

    pub(crate) async fn delete(&self, seat: &Seat) -> Answer {
        self.ask(Ask::delete(&seat.path).token(&seat.token)).await
    }

    /// Takes a seat beside somebody, who hands on the invite if there is one.
    pub(crate) async fn join(&self, beside: &Seat) -> Seat {
        let body = match &beside.invite {
            Some(invite) => json!({ "invite": invite }),
            None => json!({}),
        };
        let joined = self.ask(Ask::post(&beside.at("/players")).json(&body)).await.expect(201);
        Seat { invite: beside.invite.clone(), ..Seat::of(&joined.json()) }
    }

    /// Makes a seat free, one's own or somebody else's.
    pub(crate) async fn leave(&self, who: &Seat, seat: u64) -> Answer {
        self.ask(Ask::delete(&who.at(&format!("/players/{seat}"))).token(&who.token)).await
    }

    /// Makes a race.
    pub(crate) async fn race(&self, body: Value) -> Seat {
        Seat::of(&self.ask(Ask::post("/v1/races").json(&body)).await.expect(201).json())
    }

    /// Deals the cards of a race.
    pub(crate) async fn start_race(&self, host: &Seat) -> Answer {
        self.ask(Ask::post(&host.at("/start")).token(&host.token)).await
    }

    /// Where a player of a race that was started plays.
    pub(crate) async fn lane(&self, racer: &Seat) -> Seat {
        let race = self.session(racer).await;
        let standings = race["standings"].as_array().unwrap();
        let standing = standings.iter().find(|standing| standing["seat"] == racer.number).unwrap();
        let id = standing["session"].as_str().unwrap().to_string();
        let path = format!("/v1/sessions/{id}");
        let first = self.ask(Ask::get(&path).token(&racer.token)).await.expect(200).json();
        Seat { id, path, number: 1, token: racer.token.clone(), invite: None, first }
    }

    /// The whole history, page by page.
    pub(crate) async fn history(&self, seat: &Seat) -> Vec<Value> {
        let mut entries = Vec::new();
        let mut after = "0".to_string();
        loop {
            let path = seat.at(&format!("/history?limit=1000&after={after}"));
            let page = self.ask(Ask::get(&path).token(&seat.token)).await.expect(200).json();
            entries.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["next"].as_str() {
                Some(next) => after = next.to_string(),
                None => return entries,
            }
        }
    }

    /// Does something, and checks that the session is afterwards, byte for byte, what it was before.
    pub(crate) async fn unmoved<T>(&self, seat: &Seat, what: impl Future<Output = T>) -> T {
        let before = self.show(seat).await.expect(200);
        let done = what.await;
        let after = self.show(seat).await.expect(200);
        assert_eq!(after.text(), before.text());
        assert_eq!(after.header("etag"), before.header("etag"));
        done
    }
}

impl Seat {
    /// The seat that one who makes something, or joins it, is told of.
    pub(crate) fn of(told: &Value) -> Seat {
        let text = |value: &Value| value.as_str().map(str::to_string);
        let (folder, first) = match &told["race"] {
            Value::Null => ("/v1/sessions", &told["session"]),
            race => ("/v1/races", race),
        };
        let id = text(&first["id"]).unwrap();
        Seat {
            path: format!("{folder}/{id}"),
            id,
            number: told["seat"].as_u64().unwrap(),
            token: text(&told["token"]).unwrap(),
            invite: text(&told["invite"]),
            first: first.clone(),
        }
    }
}

fn client() -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    client.timeout(Duration::from_secs(60)).build().unwrap()
}
