//! What every store does, as one suite that is run over each of them.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::cards::Seed;
use crate::games;
use crate::rules::Proposal;
use crate::session::{
    self, Autoplay, Change, Command, Context, Credential, Decision, Entry, Gathering, Lifetimes, Limits, NewDeal,
    NewSession, PlayerName, Precondition, RaceId, Session, SessionId, Timestamp, Undoing, Version, Visibility,
};

use super::{
    Append, AppendError, Chain, Growth, Kind, Lease, Listing, LogId, News, Presence, Record, SessionStore, Standing,
    Tail, Wanted, Worth,
};

/// Runs the whole suite over stores that are made anew for each part.
pub(super) async fn suite<S: SessionStore>(new: impl AsyncFn() -> S) {
    a_log_is_read_as_it_was_written(&new().await).await;
    an_entry_is_added_only_at_the_version_that_the_log_has(&new().await).await;
    a_batch_is_added_whole_or_not_at_all(&new().await).await;
    what_is_removed_is_gone(&new().await).await;
    what_has_expired_is_removed_and_nothing_else(&new().await).await;
    of_writers_at_one_version_one_gets_through(&new().await).await;
    what_there_is_is_counted_by_game_and_status(&new().await).await;
    several_entries_are_added_at_once(&new().await).await;
    what_everyone_may_be_told_of_is_listed_youngest_first(&new().await).await;
    a_listing_neither_skips_nor_repeats_while_logs_come_and_go(&new().await).await;
    what_stands_behind_another_log_is_not_added(&new().await).await;
    whoever_watches_a_log_hears_of_it_and_of_nothing_else(&new().await).await;
    nobody_watches_elsewhere_who_watches_here(&new().await).await;
}

async fn a_log_is_read_as_it_was_written<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let id = logs.id();
    let appends = [logs.begun(id, 0), logs.played(id, 1, 1), logs.played(id, 2, 2)];
    for append in &appends {
        store.append(vec![append.clone()]).await.unwrap();
    }
    let written: Vec<Record> = appends.iter().flat_map(|append| append.records.clone()).collect();
    for after in 0..=4 {
        for limit in 0..=4 {
            let read = store.load(id, after, limit).await.unwrap().unwrap();
            let expected: Vec<Record> = written.iter().skip(after as usize).take(limit).cloned().collect();
            assert_eq!(read, expected, "after {after}, at most {limit}");
        }
    }
    assert_eq!(version_of(store, id).await, Some(3));
    assert_eq!(version_of(store, logs.id()).await, None);
    assert!(store.load(logs.id(), 0, 10).await.unwrap().is_none());
    store.ready().await.unwrap();
}

async fn an_entry_is_added_only_at_the_version_that_the_log_has<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (id, nobody) = (logs.id(), logs.id());
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    store.append(vec![logs.played(id, 1, 1)]).await.unwrap();
    for wrong in [1, 3, 100] {
        let refused = store.append(vec![logs.played(id, wrong, 2)]).await;
        assert!(matches!(refused, Err(AppendError::Conflict)), "at {wrong}");
    }
    let begun_again = store.append(vec![logs.begun(id, 2)]).await;
    assert!(matches!(begun_again, Err(AppendError::Conflict)));
    let to_nothing = store.append(vec![logs.played(nobody, 1, 2)]).await;
    assert!(matches!(to_nothing, Err(AppendError::Gone)));
    assert_eq!(version_of(store, id).await, Some(2));
}

async fn a_batch_is_added_whole_or_not_at_all<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (a, b, c) = (logs.id(), logs.id(), logs.id());
    store.append(vec![logs.begun(a, 0), logs.begun(b, 0)]).await.unwrap();
    let faulty = vec![logs.played(a, 1, 1), logs.begun(c, 1), logs.played(b, 2, 1)];
    assert!(matches!(store.append(faulty).await, Err(AppendError::Conflict)));
    assert_eq!(version_of(store, a).await, Some(1));
    assert_eq!(version_of(store, c).await, None);
    let sound = vec![logs.played(a, 1, 1), logs.begun(c, 1), logs.played(b, 1, 1)];
    store.append(sound).await.unwrap();
    for (id, version) in [(a, 2), (b, 2), (c, 1)] {
        assert_eq!(version_of(store, id).await, Some(version));
    }
    store.append(Vec::new()).await.unwrap();
}

async fn what_is_removed_is_gone<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (id, other) = (logs.id(), logs.id());
    store.append(vec![logs.begun(id, 0), logs.begun(other, 0)]).await.unwrap();
    let tail = logs.tail(id);
    for elsewhere in [Tail { version: 2, ..tail }, Tail { chain: Chain::START, ..tail }] {
        assert!(matches!(store.remove(id, elsewhere).await, Err(AppendError::Conflict)));
    }
    store.remove(id, tail).await.unwrap();
    assert!(matches!(store.remove(id, tail).await, Err(AppendError::Gone)));
    assert_eq!(version_of(store, id).await, None);
    assert!(matches!(store.append(vec![logs.played(id, 1, 1)]).await, Err(AppendError::Gone)));
    assert_eq!(version_of(store, other).await, Some(1));
}

async fn what_has_expired_is_removed_and_nothing_else<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let [unplayed, played, finished] = std::array::from_fn(|_| logs.id());
    for id in [unplayed, played, finished] {
        store.append(vec![logs.begun(id, 0)]).await.unwrap();
    }
    store.append(vec![logs.played(played, 1, 10)]).await.unwrap();
    store.append(vec![logs.played(finished, 1, 10)]).await.unwrap();
    let mut shortened = logs.played(finished, 2, 20);
    shortened.lease.expires_at = at(30);
    store.append(vec![shortened]).await.unwrap();

    let due = [
        (29, vec![]),
        (30, vec![finished]),
        (99, vec![]),
        (100, vec![unplayed]),
        (1_009, vec![]),
        (1_010, vec![played]),
    ];
    for (seconds, expected) in due {
        assert_eq!(store.expire(at(seconds)).await.unwrap(), expected, "after {seconds} s");
        for id in expected {
            assert_eq!(version_of(store, id).await, None);
        }
    }
}

async fn of_writers_at_one_version_one_gets_through<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let id = logs.id();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    for version in 1..20 {
        let append = logs.played(id, version, 1);
        let tries = [(); 8].map(|()| store.append(vec![append.clone()]));
        let [a, b, c, d, e, f, g, h] = tries;
        let results = tokio::join!(a, b, c, d, e, f, g, h);
        let results = [results.0, results.1, results.2, results.3, results.4, results.5, results.6, results.7];
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    }
    assert_eq!(version_of(store, id).await, Some(20));
}

async fn what_there_is_is_counted_by_game_and_status<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let [a, b, c, d] = std::array::from_fn(|_| logs.id());
    for id in [a, b, c, d] {
        store.append(vec![logs.begun(id, 0)]).await.unwrap();
    }
    let won = Standing { status: "won", ..PLAYING };
    for id in [a, b] {
        store.append(vec![Append { standing: won, ..logs.played(id, 1, 1) }]).await.unwrap();
    }
    assert!(store.append(vec![Append { standing: won, ..logs.played(c, 7, 1) }]).await.is_err());
    store.remove(a, logs.tail(a)).await.unwrap();
    store.remove(d, logs.tail(d)).await.unwrap();
    let census = store.census().await.unwrap();
    let count = |standing: Standing| census.count(standing.kind, standing.game, standing.status);
    assert_eq!((count(PLAYING), count(won)), (1, 1));
    assert_eq!(census.logs.iter().map(|counted| counted.logs).sum::<usize>(), 2);
    assert_eq!(census.entries, 3);
    assert!(census.bytes > 0);
}

async fn several_entries_are_added_at_once<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (id, other) = (logs.id(), logs.id());
    store.append(vec![logs.begun(id, 0), logs.begun(other, 0)]).await.unwrap();
    let mut two = logs.played(id, 1, 1);
    two.records.extend(logs.played(id, 2, 2).records);
    assert!(matches!(store.append(vec![two.clone(), logs.played(other, 7, 1)]).await, Err(AppendError::Conflict)));
    store.append(vec![two.clone(), logs.played(other, 1, 1)]).await.unwrap();
    assert_eq!(store.load(id, 1, 10).await.unwrap().unwrap(), two.records);
    assert_eq!((version_of(store, id).await, version_of(store, other).await), (Some(3), Some(2)));
    assert_eq!(store.census().await.unwrap().entries, 5);
}

async fn what_stands_behind_another_log_is_not_added<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (id, other) = (logs.id(), logs.id());
    store.append(vec![logs.begun(id, 0), logs.begun(other, 7)]).await.unwrap();
    let of_other = Append { id, ..logs.played(other, 1, 8) };
    assert!(matches!(store.append(vec![of_other]).await, Err(AppendError::Conflict)));
    store.append(vec![logs.played(id, 1, 8)]).await.unwrap();
    assert_eq!(version_of(store, id).await, Some(2));
}

async fn whoever_watches_a_log_hears_of_it_and_of_nothing_else<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (id, other) = (logs.id(), logs.id());
    let race = LogId::Race(RaceId::from_bytes(*id.as_bytes()));
    store.append(vec![logs.begun(id, 0), logs.begun(other, 0)]).await.unwrap();
    let (mut watch, mut of_race) = (store.watch(id), store.watch(race));
    let mut silent = store.watch(other);
    // A store may not be sure at first.
    while soon(watch.news()).await.is_some() {}
    while soon(of_race.news()).await.is_some() {}
    while soon(silent.news()).await.is_some() {}
    let nothing = |news: Option<News>| assert_eq!(news, None);

    let first_move = logs.played(id, 1, 1);
    store.append(vec![first_move.clone()]).await.unwrap();
    assert_eq!(watch.news().await, News::Grown(2));
    store.append(vec![Append { beside: Some(race), ..logs.played(id, 2, 2) }]).await.unwrap();
    assert_eq!((watch.news().await, of_race.news().await), (News::Grown(3), News::Beside));
    for version in 3..6 {
        store.append(vec![logs.played(id, version, 3)]).await.unwrap();
    }
    while watch.news().await != News::Grown(6) {}
    assert!(store.append(vec![first_move]).await.is_err());
    nothing(soon(watch.news()).await);
    store.remove(id, logs.tail(id)).await.unwrap();
    assert_eq!(watch.news().await, News::Unsure);
    drop(watch);

    let mut again = store.watch(id);
    while soon(again.news()).await.is_some() {}
    store.append(vec![logs.begun(id, 5)]).await.unwrap();
    assert_eq!(again.news().await, News::Grown(1));
    nothing(soon(silent.news()).await);
    store.expire(at(10_000)).await.unwrap();
    assert_eq!((again.news().await, silent.news().await), (News::Unsure, News::Unsure));
}

/// What comes within a moment, if anything does.
async fn soon<T>(coming: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(Duration::from_millis(200), coming).await.ok()
}

async fn nobody_watches_elsewhere_who_watches_here<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let id = logs.id();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    let here = Presence { online: vec![1], watchers: 3 };
    for _ in 0..2 {
        assert_eq!(store.attend(id, &here).await.unwrap(), Presence::default());
    }
}

/// How many entries a log has.
pub(super) async fn version_of<S: SessionStore>(store: &S, id: LogId) -> Option<Version> {
    store.tail(id).await.unwrap().map(|tail| tail.version)
}

/// Any session that may be listed.
const ANY: Wanted = Wanted { kind: Kind::Session, game: None, status: None, free_seats: 0 };

/// All that a listing gives, so many at a time.
async fn listed<S: SessionStore>(store: &S, wanted: &Wanted, limit: usize) -> Vec<LogId> {
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let Listing { found, next } = store.list(wanted, before, limit).await.unwrap();
        assert!(found.len() <= limit);
        all.extend(found);
        match next {
            Some(_) => before = next,
            None => return all,
        }
    }
}

async fn what_everyone_may_be_told_of_is_listed_youngest_first<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let [hidden, old, young, full, other_game] = std::array::from_fn(|_| logs.id_elsewhere());
    let race = LogId::Race(RaceId::from_random([9; 16]));
    for (id, seconds, listed, standing) in [
        (hidden, 1, None, PLAYING),
        (old, 2, Some(1), PLAYING),
        (race, 3, Some(60), Standing { kind: Kind::Race, ..PLAYING }),
        (young, 4, Some(3), PLAYING),
        (full, 5, Some(0), PLAYING),
        (other_game, 6, Some(7), Standing { game: "captive-queens", ..PLAYING }),
    ] {
        store.append(vec![Append { listed, standing, ..logs.begun(id, seconds) }]).await.unwrap();
    }
    for limit in 1..=6 {
        assert_eq!(listed(store, &ANY, limit).await, [other_game, full, young, old], "{limit} at a time");
    }
    let with_seats = Wanted { free_seats: 1, ..ANY };
    assert_eq!(listed(store, &with_seats, 2).await, [other_game, young, old]);
    let of_game = Wanted { game: Some(PLAYING.game), ..with_seats };
    assert_eq!(listed(store, &of_game, 2).await, [young, old]);
    assert_eq!(listed(store, &Wanted { kind: Kind::Race, ..ANY }, 2).await, [race]);

    let won = Append { listed: Some(3), standing: Standing { status: "won", ..PLAYING }, ..logs.played(young, 1, 9) };
    let gone = Append { listed: None, ..logs.played(old, 1, 9) };
    store.append(vec![won]).await.unwrap();
    store.append(vec![gone]).await.unwrap();
    assert_eq!(listed(store, &Wanted { status: Some("won"), ..ANY }, 2).await, [young]);
    assert_eq!(listed(store, &Wanted { status: Some("playing"), ..of_game }, 2).await, []);
    store.remove(full, logs.tail(full)).await.unwrap();
    store.expire(at(10_000)).await.unwrap();
    assert_eq!(listed(store, &ANY, 2).await, []);
}

async fn a_listing_neither_skips_nor_repeats_while_logs_come_and_go<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let ids: Vec<LogId> = (0..40).map(|_| logs.id_elsewhere()).collect();
    for (second, id) in ids.iter().enumerate() {
        // Some are made in the same moment.
        store.append(vec![Append { listed: Some(1), ..logs.begun(*id, second as u64 / 4) }]).await.unwrap();
    }
    let (mut seen, mut before, mut removed) = (Vec::new(), None, Vec::new());
    loop {
        let Listing { found, next } = store.list(&ANY, before, 3).await.unwrap();
        seen.extend(found.iter().copied());
        // One that was seen goes, so does one that was not, and another comes.
        let unseen = ids.iter().find(|id| !seen.contains(id) && !removed.contains(*id));
        for id in found.first().into_iter().chain(unseen) {
            store.remove(*id, logs.tail(*id)).await.unwrap();
            removed.push(*id);
        }
        let new = logs.id_elsewhere();
        store.append(vec![Append { listed: Some(1), ..logs.begun(new, 1_000) }]).await.unwrap();
        match next {
            Some(_) => before = next,
            None => break,
        }
    }
    let expected = ids.iter().filter(|id| seen.contains(id) || !removed.contains(id)).count();
    let once: HashSet<&LogId> = seen.iter().collect();
    assert_eq!((once.len(), seen.len()), (expected, expected));
    assert!(seen.iter().all(|id| ids.contains(id)) && seen.len() > 20);
}

const PLAYING: Standing = Standing { kind: Kind::Session, game: "napoleons-square", status: "playing" };

/// So many seconds after the beginning of a suite.
fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_000_000_000_000 + seconds * 1_000)
}

/// Makes logs to be kept: 100 s unplayed, 1,000 s from the latest move.
#[derive(Default)]
pub(super) struct Logs {
    ids: u64,
    /// What each log has come to at its versions, from the first.
    chains: HashMap<LogId, Vec<Chain>>,
}

impl Logs {
    /// An id that has not been given yet, in the same partition as others.
    pub(super) fn id(&mut self) -> LogId {
        self.ids += 1;
        LogId::Session(SessionId::from_random(u128::from(self.ids).to_be_bytes()))
    }

    /// One in another partition than the one before.
    pub(super) fn id_elsewhere(&mut self) -> LogId {
        self.ids += 1;
        LogId::Session(SessionId::from_random(u128::from(self.ids).to_le_bytes()))
    }

    /// Where a log ends.
    pub(super) fn tail(&self, id: LogId) -> Tail {
        let chains = &self.chains[&id];
        Tail { version: chains.len() as Version, chain: chains[chains.len() - 1] }
    }

    /// The first entry of a log.
    pub(super) fn begun(&mut self, id: LogId, seconds: u64) -> Append {
        let entry = sample_log(at(seconds)).0;
        self.chains.insert(id, Vec::new());
        self.append(id, 0, &entry, Lease { expires_at: at(seconds + 100), worth: Worth::Unplayed })
    }

    /// A move in a log of so many entries.
    pub(super) fn played(&mut self, id: LogId, expected: Version, seconds: u64) -> Append {
        let entry = sample_log(at(seconds)).1;
        self.append(id, expected, &entry, Lease { expires_at: at(seconds + 1_000), worth: Worth::Played })
    }

    fn append(&mut self, id: LogId, expected: Version, entry: &Entry, lease: Lease) -> Append {
        let chains = self.chains.entry(id).or_default();
        let behind = (expected as usize).checked_sub(1).and_then(|at| chains.get(at)).copied().unwrap_or(Chain::START);
        let record = Record::of(entry, behind).unwrap();
        chains.truncate(expected as usize);
        chains.push(record.chain());
        let (at, records) = (entry.at, vec![record]);
        let (growth, standing) = (Growth::Any, PLAYING);
        Append { id, expected, behind, records, at, growth, lease, standing, listed: None, beside: None }
    }
}

/// A creation and a move, as they come.
fn sample_log(now: Timestamp) -> (Entry, Entry) {
    let day = Duration::from_secs(86_400);
    let limits = Limits { history: 100, lifetimes: Lifetimes { unplayed: day, idle: day, finished: day } };
    let context = Context { now, random: &|bytes: &mut [u8]| bytes.fill(7), limits: &limits };
    let game = games::CATALOGUE[1];
    let (begun, opening) = session::create(
        NewSession {
            game,
            options: game.default_options(),
            deal: NewDeal::Seed(Seed::from_random([1; 16])),
            seats: 1,
            name: PlayerName::try_from("Player 1").unwrap(),
            visibility: Visibility::Unlisted,
            undoing: Undoing::Allowed,
            autoplay: Autoplay::Off,
        },
        None,
        &context,
    );
    let session = Session::start(&begun).unwrap();
    let change = Change {
        who: Credential::Token(opening.token.hash()),
        key: None,
        precondition: Precondition::None,
        command: Command::Play(Proposal::Draw),
    };
    match session::decide(&session, &change, &context) {
        Ok(Decision::Made(moved)) => (begun, moved),
        other => panic!("{other:?}"),
    }
}
