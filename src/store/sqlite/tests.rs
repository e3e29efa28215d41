//! What the store promises beyond what every store does.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use rusqlite::{Connection, TransactionBehavior};

use super::*;
use crate::store::conformance::{Logs, suite, version_of};
use crate::store::{Kind, Standing};

mod opening;
mod writing;

/// A directory that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("patience-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("patience.db")
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.file(), &IN_TESTS).unwrap()
    }

    /// What another program sees of the file.
    fn see(&self) -> Connection {
        Connection::open(self.file()).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A writer whose store was dropped may be at its end only now, and leave something behind meanwhile.
        let is_removed = (0..500)
            .any(|_| fs::remove_dir_all(&self.0).inspect_err(|_| thread::sleep(Duration::from_millis(10))).is_ok());
        assert!(is_removed || thread::panicking(), "{} cannot be removed", self.0.display());
    }
}

/// Nobody waits long.
const IN_TESTS: SqliteOptions = SqliteOptions { busy_timeout: Duration::from_millis(100), readers: 2, known: 1_000 };

/// The number that a question comes to.
fn number(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, (), |row| row.get(0)).unwrap()
}

/// So many logs that are begun.
fn begun(logs: &mut Logs, how_many: usize) -> Vec<Append> {
    let begin = |_| {
        let id = logs.id();
        logs.begun(id, 0)
    };
    (0..how_many).map(begin).collect()
}

#[tokio::test]
async fn it_does_what_every_store_does() {
    let scratch = Scratch::new();
    let files = AtomicU32::new(0);
    suite(async || {
        let path = scratch.0.join(format!("{}.db", files.fetch_add(1, Ordering::Relaxed)));
        SqliteStore::open(&path, &IN_TESTS).unwrap()
    })
    .await;
}

#[tokio::test]
async fn it_does_so_too_when_it_knows_next_to_nothing_without_asking_the_file() {
    let scratch = Scratch::new();
    let files = AtomicU32::new(0);
    suite(async || {
        let path = scratch.0.join(format!("{}.db", files.fetch_add(1, Ordering::Relaxed)));
        SqliteStore::open(&path, &SqliteOptions { known: 1, ..IN_TESTS }).unwrap()
    })
    .await;
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let (id, other) = (logs.id(), logs.id());
    let store = scratch.open();
    let appends = [logs.begun(id, 0), logs.played(id, 1, 1)];
    for append in &appends {
        store.append(vec![append.clone()]).await.unwrap();
    }
    store.append(vec![logs.begun(other, 2)]).await.unwrap();
    let census = store.census().await.unwrap();
    store.close().await;
    assert!(!scratch.0.join("patience.db-wal").exists(), "all of it is in the file");

    let store = scratch.open();
    let written: Vec<Record> = appends.iter().flat_map(|append| append.records.clone()).collect();
    assert_eq!(store.load(id, 0, 10).await.unwrap(), Some(written));
    assert_eq!(store.tail(id).await.unwrap(), Some(logs.tail(id)));
    assert_eq!(store.census().await.unwrap().logs, census.logs);
    store.append(vec![logs.played(id, 2, 3), logs.played(other, 1, 3)]).await.unwrap();
    assert_eq!((version_of(&store, id).await, version_of(&store, other).await), (Some(3), Some(2)));
    assert_eq!(store.census().await.unwrap().entries, 5);
}

#[tokio::test]
async fn what_was_answered_is_there_though_the_process_dies() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let store = scratch.open();
    let id = logs.id();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    store.append(vec![logs.played(id, 1, 1)]).await.unwrap();
    let elsewhere = Scratch::new();
    for name in ["patience.db", "patience.db-wal"] {
        fs::copy(scratch.0.join(name), elsewhere.0.join(name)).unwrap();
    }
    assert_eq!(elsewhere.open().tail(id).await.unwrap(), Some(logs.tail(id)));
}

#[tokio::test]
async fn a_listing_looks_through_so_many_logs_and_says_where_to_go_on() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let store = scratch.open();
    let batch = begun(&mut logs, 2_500).into_iter().map(|append| Append { listed: Some(1), ..append });
    store.append(batch.collect()).await.unwrap();
    let nothing = Wanted { kind: Kind::Session, game: Some("other"), status: None, free_seats: 0 };
    let (mut before, mut calls) = (None, 0);
    loop {
        let listing = store.list(&nothing, before, 10).await.unwrap();
        assert_eq!(listing.found, []);
        calls += 1;
        match listing.next {
            Some(next) => before = Some(next),
            None => break,
        }
    }
    assert_eq!(calls, 3);
}

#[tokio::test]
async fn what_is_closed_is_used_no_more() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let id = logs.id();
    let store = scratch.open();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    store.close().await;
    store.close().await;
    let refused = store.append(vec![logs.played(id, 1, 1)]).await;
    assert!(matches!(refused, Err(AppendError::Store(StoreError::Unavailable(_)))), "{refused:?}");
    assert!(store.tail(id).await.is_err() && store.load(id, 0, 1).await.is_err() && store.ready().await.is_err());
}

#[tokio::test]
async fn what_has_expired_leaves_nothing_behind_and_its_pages_are_given_back() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let store = scratch.open();
    for _ in 0..40 {
        let mut batch = begun(&mut logs, 50);
        batch.iter_mut().for_each(|append| append.listed = Some(1));
        store.append(batch).await.unwrap();
    }
    let full = store.census().await.unwrap();
    assert_eq!((full.entries, full.logs.len()), (2_000, 1));
    let expired = store.expire(Timestamp::from_millis(u64::MAX)).await.unwrap();
    assert_eq!(expired.len(), 2_000);

    let census = store.census().await.unwrap();
    assert_eq!((census.logs.len(), census.entries), (0, 0));
    let seen = scratch.see();
    for table in ["logs", "entries", "census", "sessions"] {
        assert_eq!(number(&seen, &format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    // Nothing is done with the file meanwhile, so the writer finds the time.
    for _ in 0..100 {
        if store.census().await.unwrap().bytes < full.bytes / 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} of {} bytes are still taken", store.census().await.unwrap().bytes, full.bytes);
}

#[tokio::test]
async fn what_is_damaged_takes_no_others_with_it() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let store = scratch.open();
    let [damaged, nameless, sound] = std::array::from_fn(|_| logs.id());
    for id in [damaged, nameless, sound] {
        store.append(vec![Append { listed: Some(1), ..logs.begun(id, 0) }]).await.unwrap();
    }
    store.close().await;
    let seen = scratch.see();
    seen.execute("UPDATE logs SET chain = x'00' WHERE id = ?1", [damaged.as_bytes()]).unwrap();
    seen.execute("UPDATE logs SET id = x'00' WHERE id = ?1", [nameless.as_bytes()]).unwrap();
    let store = scratch.open();

    assert!(matches!(store.tail(damaged).await, Err(StoreError::Damaged(_))));
    let wanted = Wanted { kind: Kind::Session, game: None, status: None, free_seats: 0 };
    assert_eq!(store.list(&wanted, None, 10).await.unwrap().found, [sound, damaged]);
    let later = Timestamp::from_millis(2_000_000_000_000);
    assert_eq!(store.expire(later).await.unwrap(), [sound]);
    assert_eq!(store.expire(later).await.unwrap(), []);
}

#[tokio::test]
async fn no_question_goes_through_all_logs_and_a_move_touches_no_index() {
    let scratch = Scratch::new();
    scratch.open().close().await;
    let seen = scratch.see();
    // What SQLite says of a statement in a column, row by row.
    let explain = |how: &str, sql: &str, column: usize| {
        let mut explained = seen.prepare(&format!("{how} {sql}")).unwrap();
        let (mut rows, mut said) = (explained.raw_query(), Vec::new());
        while let Some(row) = rows.next().unwrap() {
            said.push(row.get::<_, String>(column).unwrap());
        }
        said.join("; ")
    };
    for (sql, index) in [
        (values::Row::FIND, "USING INDEX logs_by_id"),
        (reader::LIST, "USING INDEX logs_listed"),
        (reader::RECORDS, "USING PRIMARY KEY"),
        (group::DUE, "USING INDEX logs_by_due"),
    ] {
        let plan = explain("EXPLAIN QUERY PLAN", sql, 3);
        assert!(plan.contains(index) && !plan.contains("SCAN") && !plan.contains("B-TREE"), "{sql}: {plan}");
    }
    let steps = explain("EXPLAIN", group::PROLONG, 1);
    assert!(steps.contains("Insert") && !steps.contains("Idx"), "{steps}");
}

#[tokio::test]
async fn people_can_read_what_there_is() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let store = scratch.open();
    let id = LogId::from_bytes(Kind::Race, *b"0123456789abcdef");
    let won = Standing { kind: Kind::Race, game: "g", status: "over" };
    store.append(vec![Append { standing: won, ..logs.begun(id, 1) }]).await.unwrap();
    let seen = scratch.see();
    let row: (String, String, String, u32, String) =
        seen.query_row("SELECT id, game, status, version, begun_at FROM races", (), |row| row.try_into()).unwrap();
    let (id, game, status, version, begun_at) = row;
    assert_eq!(id, "30313233-3435-3637-3839-616263646566");
    assert_eq!((game.as_str(), status.as_str(), version), ("g", "over", 1));
    assert_eq!(begun_at, "2001-09-09T01:46:41.000Z");
    assert_eq!(number(&seen, "SELECT count(*) FROM sessions"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_whole_though_it_is_made_while_others_write() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let store = Arc::new(scratch.open());
    let ids: Vec<LogId> = (0..20).map(|_| logs.id()).collect();
    store.append(ids.iter().map(|id| logs.begun(*id, 0)).collect()).await.unwrap();
    let (writing, all) = (store.clone(), ids.clone());
    let writer = tokio::spawn(async move {
        for version in 1..100 {
            let batch = all.iter().map(|id| logs.played(*id, version, 1)).collect();
            writing.append(batch).await.unwrap();
        }
    });
    while version_of(&*store, ids[0]).await < Some(5) {
        tokio::task::yield_now().await;
    }
    let to = scratch.0.join("copy.db");
    backup(&scratch.file(), &to).unwrap();
    writer.await.unwrap();

    let copy = SqliteStore::open(&to, &IN_TESTS).unwrap();
    let versions: Vec<Version> = {
        let mut versions = Vec::new();
        for id in &ids {
            versions.extend(version_of(&copy, *id).await);
        }
        versions
    };
    assert!(versions[0] >= 5 && versions.iter().all(|version| *version == versions[0]), "{versions:?}");
    let whole = store.load(ids[3], 0, versions[0] as usize).await.unwrap();
    assert_eq!(copy.load(ids[3], 0, 1_000).await.unwrap(), whole);
    assert_eq!(copy.census().await.unwrap().entries, 20 * versions[0] as usize);
    assert_eq!(fs::read_dir(&scratch.0).unwrap().filter(|file| is_unfinished(file.as_ref().unwrap())).count(), 0);
}

fn is_unfinished(file: &fs::DirEntry) -> bool {
    file.file_name().to_string_lossy().contains("unfinished")
}

#[tokio::test]
async fn nothing_is_copied_over_something_nor_from_something_else() {
    let scratch = Scratch::new();
    let (to, other) = (scratch.0.join("copy.db"), scratch.0.join("other.db"));
    let why = |from: &Path, to: &Path| backup(from, to).unwrap_err().to_string();
    assert!(why(&scratch.file(), &to).contains("there is no file"));
    fs::write(&other, "").unwrap();
    assert!(why(&other, &to).contains("nothing has been kept"));
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE things (a)").unwrap();
    assert!(why(&other, &to).contains("another program"));
    scratch.open().close().await;
    assert!(why(&scratch.file(), &scratch.0.join("no/copy.db")).contains("cannot be"));
    assert!(!to.exists());
    backup(&scratch.file(), &to).unwrap();
    let before = fs::read(&to).unwrap();
    assert!(why(&scratch.file(), &to).contains("exists already"));
    assert_eq!(fs::read(&to).unwrap(), before);
}
