//! What every store does, as one suite that is run over each of them.

use std::time::Duration;

use crate::cards::Seed;
use crate::games;
use crate::rules::Proposal;
use crate::session::{
    self, Change, Command, Context, Credential, Decision, Entry, Lifetimes, Limits, NewDeal, NewSession, PlayerName,
    Precondition, Session, SessionId, Status, Timestamp, Undoing, Version, Visibility,
};

use super::{Append, AppendError, Census, Lease, SessionStore, Standing, Worth};

/// Runs the whole suite over stores that are made anew for each part.
pub(super) async fn suite<S: SessionStore>(new: impl Fn() -> S) {
    a_log_is_read_as_it_was_written(&new()).await;
    an_entry_is_added_only_at_the_version_that_the_log_has(&new()).await;
    a_batch_is_added_whole_or_not_at_all(&new()).await;
    what_is_removed_is_gone(&new()).await;
    what_has_expired_is_removed_and_nothing_else(&new()).await;
    of_writers_at_one_version_one_gets_through(&new()).await;
    what_there_is_is_counted_by_game_and_status(&new()).await;
}

async fn a_log_is_read_as_it_was_written<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let id = logs.id();
    let appends = [logs.begun(id, 0), logs.played(id, 1, 1), logs.played(id, 2, 2)];
    for append in &appends {
        store.append(vec![append.clone()]).await.unwrap();
    }
    let written: Vec<Entry> = appends.iter().map(|append| append.entry.clone()).collect();
    for after in 0..=4 {
        for limit in 0..=4 {
            let read = store.load(id, after, limit).await.unwrap().unwrap();
            let expected: Vec<Entry> = written.iter().skip(after as usize).take(limit).cloned().collect();
            assert_eq!(read, expected, "after {after}, at most {limit}");
        }
    }
    assert_eq!(store.version(id).await.unwrap(), Some(3));
    assert_eq!(store.version(logs.id()).await.unwrap(), None);
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
    assert_eq!(store.version(id).await.unwrap(), Some(2));
}

async fn a_batch_is_added_whole_or_not_at_all<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (a, b, c) = (logs.id(), logs.id(), logs.id());
    store.append(vec![logs.begun(a, 0), logs.begun(b, 0)]).await.unwrap();
    let faulty = vec![logs.played(a, 1, 1), logs.begun(c, 1), logs.played(b, 2, 1)];
    assert!(matches!(store.append(faulty).await, Err(AppendError::Conflict)));
    assert_eq!(store.version(a).await.unwrap(), Some(1));
    assert_eq!(store.version(c).await.unwrap(), None);
    let sound = vec![logs.played(a, 1, 1), logs.begun(c, 1), logs.played(b, 1, 1)];
    store.append(sound).await.unwrap();
    for (id, version) in [(a, 2), (b, 2), (c, 1)] {
        assert_eq!(store.version(id).await.unwrap(), Some(version));
    }
    store.append(Vec::new()).await.unwrap();
}

async fn what_is_removed_is_gone<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let (id, other) = (logs.id(), logs.id());
    store.append(vec![logs.begun(id, 0), logs.begun(other, 0)]).await.unwrap();
    assert!(matches!(store.remove(id, 2).await, Err(AppendError::Conflict)));
    store.remove(id, 1).await.unwrap();
    assert!(matches!(store.remove(id, 1).await, Err(AppendError::Gone)));
    assert_eq!(store.version(id).await.unwrap(), None);
    assert!(matches!(store.append(vec![logs.played(id, 1, 1)]).await, Err(AppendError::Gone)));
    assert_eq!(store.version(other).await.unwrap(), Some(1));
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
            assert_eq!(store.version(id).await.unwrap(), None);
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
    assert_eq!(store.version(id).await.unwrap(), Some(20));
}

async fn what_there_is_is_counted_by_game_and_status<S: SessionStore>(store: &S) {
    let mut logs = Logs::default();
    let [a, b, c, d] = std::array::from_fn(|_| logs.id());
    for id in [a, b, c, d] {
        store.append(vec![logs.begun(id, 0)]).await.unwrap();
    }
    let won = Standing { status: Status::Won, ..PLAYING };
    for id in [a, b] {
        store.append(vec![Append { standing: won, ..logs.played(id, 1, 1) }]).await.unwrap();
    }
    assert!(store.append(vec![Append { standing: won, ..logs.played(c, 7, 1) }]).await.is_err());
    store.remove(a, 2).await.unwrap();
    store.remove(d, 1).await.unwrap();
    let Census { sessions, entries, bytes } = store.census().await.unwrap();
    assert_eq!((sessions.get(&PLAYING), sessions.get(&won), sessions.len()), (Some(&1), Some(&1), 2));
    assert_eq!(entries, 3);
    assert!(bytes > 0);
}

const PLAYING: Standing = Standing { game: "napoleons-square", status: Status::Playing };

/// So many seconds after the beginning of a suite.
fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_000_000_000_000 + seconds * 1_000)
}

/// Makes logs to be kept: 100 s unplayed, 1,000 s from the latest move.
#[derive(Default)]
pub(super) struct Logs {
    ids: u64,
}

impl Logs {
    /// An id that has not been given yet.
    pub(super) fn id(&mut self) -> SessionId {
        self.ids += 1;
        SessionId::from_random(u128::from(self.ids).to_le_bytes())
    }

    /// The first entry of a log.
    pub(super) fn begun(&mut self, id: SessionId, seconds: u64) -> Append {
        let entry = sample_log(at(seconds)).0;
        let lease = Lease { expires_at: at(seconds + 100), worth: Worth::Unplayed };
        Append { id, expected: 0, entry, lease, standing: PLAYING }
    }

    /// A move in a log of so many entries.
    pub(super) fn played(&mut self, id: SessionId, expected: Version, seconds: u64) -> Append {
        let entry = sample_log(at(seconds)).1;
        let lease = Lease { expires_at: at(seconds + 1_000), worth: Worth::Played };
        Append { id, expected, entry, lease, standing: PLAYING }
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
