//! What is done as one is done or not, and what is known of it is so.

use super::*;
use crate::store::Chain;
use crate::store::sqlite::upkeep::Upkeep;

/// A writer without a thread, so that a group is what a test makes it.
struct Alone {
    writer: Writer,
    known: Arc<Known>,
    newsroom: Newsroom,
    logs: Logs,
    scratch: Scratch,
}

impl Alone {
    fn new() -> Alone {
        let scratch = Scratch::new();
        let held = open::hold(&scratch.file()).unwrap();
        let connection = open::to_write(&scratch.file(), &held, IN_TESTS.busy_timeout).unwrap();
        let (known, newsroom) = (Arc::new(Known::new(100)), Newsroom::default());
        let writer = Writer::new(connection, known.clone(), newsroom.clone(), Arc::new(held));
        Alone { writer, known, newsroom, logs: Logs::default(), scratch }
    }

    /// Has a group done, and says what has become of each task.
    fn serve(&mut self, tasks: Vec<Task>) -> Vec<Outcome> {
        let make = |task| {
            let (answer, answered) = oneshot::channel();
            (Job { task, answer }, answered)
        };
        let (jobs, answers): (Vec<Job>, Vec<_>) = tasks.into_iter().map(make).unzip();
        self.writer.serve(jobs);
        answers.into_iter().map(|mut answered| answered.try_recv().unwrap()).collect()
    }

    /// Where a log ends: the file, what is known without asking it, and the entries say the same.
    fn tail(&self, id: LogId) -> Option<Tail> {
        let seen = self.scratch.see();
        let tail = reader::tail(&seen, id).unwrap();
        if let Some(known) = self.known.get(&id) {
            assert_eq!(Some(known.tail), tail);
        }
        let last = reader::load(&seen, id, 0, usize::MAX).unwrap();
        let last =
            last.map(|records| Tail { version: records.len() as Version, chain: records[records.len() - 1].chain() });
        assert_eq!(last, tail);
        tail
    }

    /// How many logs and entries are counted, which is how many there are.
    fn counted(&self) -> (i64, i64) {
        let seen = self.scratch.see();
        let counted = ["logs", "entries"].map(|table| {
            let there = number(&seen, &format!("SELECT count(*) FROM {table}"));
            assert_eq!(there, number(&seen, &format!("SELECT coalesce(sum({table}), 0) FROM census")), "{table}");
            there
        });
        counted.into()
    }
}

fn is_unavailable(outcome: &Outcome) -> bool {
    matches!(outcome, Err(AppendError::Store(StoreError::Unavailable(_))))
}

#[test]
fn a_job_that_is_refused_hurts_no_other_of_its_group() {
    let mut alone = Alone::new();
    let [a, b, c] = std::array::from_fn(|_| alone.logs.id());
    let logs = &mut alone.logs;
    let tasks = vec![
        Task::Append(vec![logs.begun(a, 0)]),
        Task::Append(vec![logs.played(b, 1, 0)]),
        Task::Append(vec![logs.begun(c, 0), logs.begun(a, 0)]),
        Task::Append(vec![logs.played(a, 1, 0)]),
        Task::Remove(c, Tail { version: 1, chain: Chain::START }),
        Task::Ping,
    ];
    let outcomes = alone.serve(tasks);
    assert!(matches!(
        &outcomes[..],
        [Ok(_), Err(AppendError::Gone), Err(AppendError::Conflict), Ok(_), Err(AppendError::Gone), Ok(_)]
    ));
    assert_eq!(alone.tail(a), Some(alone.logs.tail(a)));
    assert_eq!((alone.tail(b), alone.tail(c)), (None, None));
    assert_eq!(alone.counted(), (1, 2));
}

#[test]
fn a_log_goes_and_comes_again_within_a_group() {
    let mut alone = Alone::new();
    let [removed, expired] = std::array::from_fn(|_| alone.logs.id());
    let begun = Task::Append(vec![alone.logs.begun(removed, 0), alone.logs.begun(expired, 0)]);
    alone.serve(vec![begun]);
    let mut watch = alone.newsroom.watch(removed);

    let tail = alone.logs.tail(removed);
    let late = Timestamp::from_millis(1_000_000_100_000);
    let mut again = alone.logs.begun(removed, 50);
    again.listed = Some(2);
    let logs = &mut alone.logs;
    let tasks = vec![
        Task::Remove(removed, tail),
        Task::Append(vec![logs.played(removed, 1, 1)]),
        Task::Append(vec![again]),
        Task::Append(vec![logs.played(removed, 1, 51)]),
        Task::Expire(late),
        Task::Append(vec![logs.begun(expired, 101)]),
    ];
    let outcomes = alone.serve(tasks);
    let gone = |outcome: &Outcome| outcome.as_ref().unwrap().gone.clone();
    assert_eq!(gone(&outcomes[0]), [removed]);
    assert!(matches!(outcomes[1], Err(AppendError::Gone)));
    assert_eq!(gone(&outcomes[4]), [expired]);
    assert!(outcomes[2].is_ok() && outcomes[3].is_ok() && outcomes[5].is_ok());
    assert_eq!(alone.tail(removed), Some(alone.logs.tail(removed)));
    assert_eq!(alone.tail(expired).map(|tail| tail.version), Some(1));
    assert_eq!(alone.counted(), (2, 3));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(watch.news()), crate::store::News::Unsure);
}

#[test]
fn nothing_of_a_group_that_failed_is_left_and_the_next_one_is_done() {
    let mut alone = Alone::new();
    let [a, b, c] = std::array::from_fn(|_| alone.logs.id());
    let begun = Task::Append(vec![alone.logs.begun(a, 0), alone.logs.begun(b, 0)]);
    alone.serve(vec![begun]);
    let (of_a, of_b) = (alone.logs.tail(a), alone.logs.tail(b));
    let played = alone.logs.played(a, 1, 1);
    let tasks = |c: Append| {
        vec![
            Task::Append(vec![played.clone()]),
            Task::Remove(b, of_b),
            // That would be refused, but because of what is undone.
            Task::Append(vec![played.clone()]),
            Task::Append(vec![c]),
        ]
    };

    // Another program writes.
    let other = alone.scratch.see();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let new = alone.logs.begun(c, 0);
    let outcomes = alone.serve(tasks(new.clone()));
    assert!(outcomes.iter().all(is_unavailable), "{outcomes:?}");
    assert!(alone.serve(vec![Task::Ping]).iter().all(is_unavailable));
    drop(other);
    assert!(alone.serve(vec![Task::Ping])[0].is_ok());
    assert_eq!((alone.tail(a), alone.tail(b), alone.tail(c)), (Some(of_a), Some(of_b), None));

    // The disk is full.
    let pages = number(&alone.writer.connection, "PRAGMA page_count");
    alone.writer.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let large = Append { records: vec![Record::from_bytes(vec![1; 100_000])], ..new.clone() };
    let outcomes = alone.serve(tasks(large));
    assert!(outcomes.iter().all(is_unavailable), "{outcomes:?}");
    assert_eq!((alone.tail(a), alone.tail(b), alone.tail(c)), (Some(of_a), Some(of_b), None));
    assert_eq!(alone.counted(), (2, 2));

    let outcomes = alone.serve(tasks(new));
    assert!(matches!(&outcomes[..], [Ok(_), Ok(_), Err(AppendError::Conflict), Ok(_)]), "{outcomes:?}");
    assert_eq!((alone.tail(a), alone.tail(b)), (Some(alone.logs.tail(a)), None));
    assert_eq!(alone.counted(), (2, 3));
}

#[test]
fn a_log_that_is_damaged_hurts_no_other() {
    let mut alone = Alone::new();
    let [sound, damaged] = std::array::from_fn(|_| alone.logs.id());
    let begun = Task::Append(vec![alone.logs.begun(sound, 0), alone.logs.begun(damaged, 0)]);
    alone.serve(vec![begun]);
    alone.scratch.see().execute("UPDATE logs SET chain = x'00' WHERE id = ?1", [damaged.as_bytes()]).unwrap();
    alone.known.clear();

    let logs = &mut alone.logs;
    let tasks = vec![
        Task::Append(vec![logs.played(damaged, 1, 1)]),
        Task::Append(vec![logs.played(sound, 1, 1)]),
        Task::Append(vec![logs.played(damaged, 1, 1)]),
    ];
    let outcomes = alone.serve(tasks);
    let is_damaged = |outcome: &Outcome| matches!(outcome, Err(AppendError::Store(StoreError::Damaged(_))));
    assert!(is_damaged(&outcomes[0]) && outcomes[1].is_ok() && is_damaged(&outcomes[2]), "{outcomes:?}");
    assert_eq!(alone.tail(sound), Some(alone.logs.tail(sound)));
    assert_eq!(number(&alone.scratch.see(), "SELECT count(*) FROM entries"), 3);
}

#[test]
fn what_comes_while_a_commit_takes_its_time_is_committed_as_one() {
    let pages = |group: usize| {
        let mut alone = Alone::new();
        let mut appends = begun(&mut alone.logs, 64);
        while !appends.is_empty() {
            let tasks = appends.drain(..group).map(|append| Task::Append(vec![append])).collect();
            assert!(alone.serve(tasks).iter().all(Result::is_ok));
        }
        let mut journal = alone.writer.connection.prepare("PRAGMA wal_checkpoint(NOOP)").unwrap();
        journal.query_row((), |row| row.get::<_, i64>(1)).unwrap()
    };
    let (one_by_one, as_one) = (pages(1), pages(64));
    assert!(one_by_one > 64 * 3 && as_one < 64, "{one_by_one} and {as_one} pages were written");
}

#[tokio::test]
async fn a_file_that_was_locked_is_written_again() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let id = logs.id();
    let store = scratch.open();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    let played = logs.played(id, 1, 1);
    {
        let mut other = scratch.see();
        let _writing = other.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        let failed = store.append(vec![played.clone()]).await;
        assert!(matches!(failed, Err(AppendError::Store(StoreError::Unavailable(_)))), "{failed:?}");
        assert!(store.ready().await.is_err());
        // Those who read do not wait.
        assert_eq!(store.load(id, 0, 10).await.unwrap().unwrap().len(), 1);
        assert_eq!(version_of(&store, id).await, Some(1));
    }
    store.ready().await.unwrap();
    store.append(vec![played]).await.unwrap();
    assert_eq!(store.tail(id).await.unwrap(), Some(logs.tail(id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_read_of_an_entry_finds_the_log_no_shorter() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let id = logs.id();
    let store = Arc::new(scratch.open());
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    let writing = store.clone();
    let writer = tokio::spawn(async move {
        for version in 1..300 {
            writing.append(vec![logs.played(id, version, 1)]).await.unwrap();
            assert_eq!(writing.tail(id).await.unwrap(), Some(logs.tail(id)));
        }
    });
    while !writer.is_finished() {
        let read = store.load(id, 0, 1_000).await.unwrap().unwrap();
        assert!(version_of(&*store, id).await >= Some(read.len() as Version));
    }
    writer.await.unwrap();
}

#[test]
fn the_journal_is_copied_back_before_it_is_long() {
    let mut alone = Alone::new();
    let mut upkeep = Upkeep::default();
    let mut longest = 0;
    for _ in 0..60 {
        let id = alone.logs.id();
        let large = Append { records: vec![Record::from_bytes(vec![1; 1_000_000])], ..alone.logs.begun(id, 0) };
        assert!(alone.serve(vec![Task::Append(vec![large])])[0].is_ok());
        upkeep.copy_back(&alone.writer.connection);
        longest = longest.max(fs::metadata(alone.scratch.0.join("patience.db-wal")).unwrap().len());
    }
    assert!(longest < 12_000_000, "the journal has grown to {longest} bytes");
}
