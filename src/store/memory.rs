//! Logs in memory: nothing to set up, and gone with the process.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;

use crate::session::{Timestamp, Version};

use super::news::Newsroom;
use super::{
    Append, AppendError, Census, Counted, Growth, Kind, LOOKED_THROUGH, Lease, Listing, LogId, News, Place, Record,
    SessionStore, Standing, StoreError, Tail, Wanted, Watch, Worth,
};

/// What the store is bounded by.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most logs.
    pub sessions: usize,
    /// The most bytes that logs and what leads to them take.
    pub bytes: usize,
    /// How old a log must be that gives way because nobody has played there.
    pub grace: Duration,
}

/// A store in memory.
pub struct MemoryStore {
    limits: Limits,
    shelf: Mutex<Shelf>,
    newsroom: Newsroom,
}

/// All logs, and in which order they go.
#[derive(Default)]
struct Shelf {
    logs: HashMap<LogId, Log>,
    /// When to look at a log next. It may have been prolonged since; then it is put back.
    to_expire: BTreeSet<(Timestamp, LogId)>,
    /// What nobody has played, oldest first.
    unplayed: BTreeSet<(Timestamp, LogId)>,
    /// What everyone may be told of, by kind, oldest first.
    listed: HashMap<Kind, BTreeSet<Place>>,
    by_standing: HashMap<Standing, usize>,
    entries: usize,
    bytes: usize,
}

/// A log: its entries, encoded one after the other.
struct Log {
    entries: Vec<u8>,
    /// Where each entry ends.
    ends: Vec<u32>,
    begun_at: Timestamp,
    lease: Lease,
    standing: Standing,
    listed: Option<u8>,
    looked_at_next: Timestamp,
}

impl MemoryStore {
    /// An empty store.
    pub fn new(limits: Limits) -> MemoryStore {
        MemoryStore { limits, shelf: Mutex::default(), newsroom: Newsroom::default() }
    }
}

#[async_trait]
impl SessionStore for MemoryStore {
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        let mut shelf = self.shelf.lock();
        batch.iter().try_for_each(|append| shelf.expect(append.id, append.behind()))?;
        let gone = shelf.make_room(&batch, &self.limits)?;
        // To make room, a log may have gone that has expired this moment.
        batch.iter().try_for_each(|append| shelf.expect(append.id, append.behind()))?;
        batch.iter().for_each(|append| shelf.add(append));
        drop(shelf);
        gone.into_iter().for_each(|id| self.newsroom.tell(id, News::Unsure));
        self.newsroom.appended(&batch);
        Ok(())
    }

    async fn tail(&self, id: LogId) -> Result<Option<Tail>, StoreError> {
        Ok(self.shelf.lock().tail(id))
    }

    fn watch(&self, id: LogId) -> Watch {
        self.newsroom.watch(id)
    }

    async fn load(&self, id: LogId, after: Version, limit: usize) -> Result<Option<Vec<Record>>, StoreError> {
        let shelf = self.shelf.lock();
        let Some(log) = shelf.logs.get(&id) else {
            return Ok(None);
        };
        let records = (after as usize..log.ends.len()).take(limit).map(|index| Record::from_bytes(log.entry(index)));
        Ok(Some(records.collect()))
    }

    async fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Result<Listing, StoreError> {
        Ok(self.shelf.lock().list(wanted, before, limit))
    }

    async fn remove(&self, id: LogId, expected: Tail) -> Result<(), AppendError> {
        let mut shelf = self.shelf.lock();
        shelf.expect(id, Some(expected))?;
        shelf.remove(id);
        drop(shelf);
        self.newsroom.tell(id, News::Unsure);
        Ok(())
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<LogId>, StoreError> {
        let mut expired = Vec::new();
        // The lock is given back after each log, so that a great many of them hold nobody up.
        while let Some(looked_at) = self.shelf.lock().look_at_next(now) {
            expired.extend(looked_at);
        }
        expired.iter().for_each(|id| self.newsroom.tell(*id, News::Unsure));
        Ok(expired)
    }

    async fn census(&self) -> Result<Census, StoreError> {
        let shelf = self.shelf.lock();
        let counted = |(standing, logs): (&Standing, &usize)| Counted {
            kind: standing.kind,
            game: standing.game.into(),
            status: standing.status.into(),
            logs: *logs,
        };
        let logs = shelf.by_standing.iter().map(counted).collect();
        Ok(Census { logs, entries: shelf.entries, bytes: shelf.bytes })
    }

    async fn ready(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Shelf {
    fn tail(&self, id: LogId) -> Option<Tail> {
        self.logs.get(&id).map(Log::tail)
    }

    /// Makes sure that a log ends where that is expected; `None`: that there is no such log.
    fn expect(&self, id: LogId, expected: Option<Tail>) -> Result<(), AppendError> {
        match self.tail(id) {
            tail if tail == expected => Ok(()),
            None => Err(AppendError::Gone),
            Some(_) => Err(AppendError::Conflict),
        }
    }

    /// Makes room for a batch, if need be by removing what nobody has played, and says what has gone.
    fn make_room(&mut self, batch: &[Append], limits: &Limits) -> Result<Vec<LogId>, AppendError> {
        let new = batch.iter().filter(|append| append.expected == 0).count();
        let growth = |append: &Append| {
            let (bytes, entries) =
                (append.records.iter().map(|record| record.as_bytes().len()).sum(), append.records.len());
            match self.logs.get(&append.id) {
                Some(log) => log.growth(bytes, entries),
                None => Log::FIXED_BYTES + bytes + entries * size_of::<u32>(),
            }
        };
        let bytes: usize = batch.iter().map(growth).sum();
        let Some(now) = batch.iter().map(|append| append.at).max() else {
            return Ok(Vec::new());
        };
        // What comes to an end is let to: that adds a few entries to a log, and to each only once.
        let closing = batch.iter().all(|append| append.growth == Growth::Closing);
        let fits = |sessions, bytes| closing || sessions <= limits.sessions && bytes <= limits.bytes;
        let mut gone = Vec::new();
        while !fits(self.logs.len() + new, self.bytes + bytes)
            && let Some(looked_at) = self.look_at_next(now)
        {
            gone.extend(looked_at);
        }

        // All that has to give way is found before any of it goes: a refusal changes nothing.
        let (mut sessions, mut bytes) = (self.logs.len() + new, self.bytes + bytes);
        let spared = |id| batch.iter().any(|append| append.id == id);
        let old_enough = |begun_at: Timestamp| begun_at.plus(limits.grace) <= now;
        let oldest = self.unplayed.iter().take_while(|(begun_at, _)| old_enough(*begun_at));
        let mut oldest = oldest.filter_map(|(_, id)| Some((*id, self.logs.get(id)?))).filter(|(id, _)| !spared(*id));
        let mut giving_way = Vec::new();
        while !fits(sessions, bytes) {
            let (id, log) = oldest.next().ok_or(AppendError::Full)?;
            (sessions, bytes) = (sessions - 1, bytes - log.bytes() - Log::FIXED_BYTES);
            giving_way.push(id);
        }
        giving_way.iter().for_each(|id| self.remove(*id));
        gone.extend(giving_way);
        Ok(gone)
    }

    fn add(&mut self, append: &Append) {
        let (id, lease, standing) = (append.id, append.lease, append.standing);
        let log = self.logs.entry(id).or_insert_with(|| {
            self.bytes += Log::FIXED_BYTES;
            self.to_expire.insert((lease.expires_at, id));
            self.unplayed.insert((append.at, id));
            *self.by_standing.entry(standing).or_default() += 1;
            Log::new(append.at, lease, standing)
        });
        let bytes_before = log.bytes();
        log.push(&append.records);
        self.bytes += log.bytes() - bytes_before;
        self.entries += append.records.len();
        log.lease = lease;
        if log.standing != standing {
            count_down(&mut self.by_standing, log.standing);
            *self.by_standing.entry(standing).or_default() += 1;
            log.standing = standing;
        }
        if lease.worth == Worth::Played {
            self.unplayed.remove(&(log.begun_at, id));
        }
        if log.listed.is_some() != append.listed.is_some() {
            let listed = self.listed.entry(id.kind()).or_default();
            match append.listed {
                Some(_) => listed.insert(log.place(id)),
                None => listed.remove(&log.place(id)),
            };
        }
        log.listed = append.listed;
        // A longer lease is found out when the shorter one ends; that way a move moves nothing here.
        if lease.expires_at < log.looked_at_next {
            self.to_expire.remove(&(log.looked_at_next, id));
            self.to_expire.insert((lease.expires_at, id));
            log.looked_at_next = lease.expires_at;
        }
    }

    fn remove(&mut self, id: LogId) {
        if let Some(log) = self.logs.remove(&id) {
            self.to_expire.remove(&(log.looked_at_next, id));
            self.unplayed.remove(&(log.begun_at, id));
            self.listed.get_mut(&id.kind()).map(|listed| listed.remove(&log.place(id)));
            self.bytes -= log.bytes() + Log::FIXED_BYTES;
            self.entries -= log.ends.len();
            count_down(&mut self.by_standing, log.standing);
        }
        if self.logs.len() < self.logs.capacity() / 4 {
            self.logs.shrink_to(self.logs.len() * 2);
        }
    }

    /// Looks through those that everyone may be told of, so many of them at a time.
    fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Listing {
        let older = (Bound::Unbounded, before.map_or(Bound::Unbounded, Bound::Excluded));
        let listed = self.listed.get(&wanted.kind);
        let mut older = listed.into_iter().flat_map(|listed| listed.range(older).rev().copied());
        let (mut found, mut last) = (Vec::new(), None);
        for place in older.by_ref().take(LOOKED_THROUGH) {
            last = Some(place);
            if self.logs.get(&place.id).is_some_and(|log| log.is(wanted)) {
                found.push(place.id);
            }
            if found.len() == limit {
                break;
            }
        }
        Listing { found, next: last.filter(|_| older.next().is_some()) }
    }

    /// Looks at the log that is the first to be due, and removes it if it has expired; `None` if
    /// none is due.
    fn look_at_next(&mut self, now: Timestamp) -> Option<Option<LogId>> {
        let &(due, id) = self.to_expire.first().filter(|(due, _)| *due <= now)?;
        match self.logs.get_mut(&id) {
            Some(log) if log.lease.expires_at > now => {
                log.looked_at_next = log.lease.expires_at;
                self.to_expire.remove(&(due, id));
                self.to_expire.insert((log.looked_at_next, id));
                Some(None)
            }
            _ => {
                self.remove(id);
                Some(Some(id))
            }
        }
    }
}

impl Log {
    /// About what a log takes besides its entries: its place in the map and in the two orders, and
    /// what the allocator adds.
    const FIXED_BYTES: usize = size_of::<(LogId, Log)>() + 2 * 2 * size_of::<(Timestamp, LogId)>() + 64;

    fn new(begun_at: Timestamp, lease: Lease, standing: Standing) -> Log {
        Log {
            entries: Vec::new(),
            ends: Vec::new(),
            begun_at,
            lease,
            standing,
            listed: None,
            looked_at_next: lease.expires_at,
        }
    }

    fn place(&self, id: LogId) -> Place {
        Place { begun_at: self.begun_at, id }
    }

    fn is(&self, wanted: &Wanted) -> bool {
        let Standing { game, status, .. } = self.standing;
        self.listed.is_some_and(|free_seats| wanted.includes(game, status, free_seats))
    }

    fn version(&self) -> Version {
        self.ends.len() as Version
    }

    /// Where it ends. A log has an entry at least.
    fn tail(&self) -> Tail {
        Tail { version: self.version(), chain: Record::chain_of(self.entry(self.ends.len() - 1)) }
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    fn entry(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.entries[start..self.ends[index] as usize]
    }

    fn push(&mut self, records: &[Record]) {
        let bytes = records.iter().map(|record| record.as_bytes().len()).sum();
        self.entries.reserve_exact(reserve(&self.entries, bytes));
        self.ends.reserve_exact(reserve(&self.ends, records.len()));
        for record in records {
            self.entries.extend_from_slice(record.as_bytes());
            self.ends.push(self.entries.len() as u32);
        }
    }

    /// By how many bytes the log will grow with so many bytes of so many entries.
    fn growth(&self, bytes: usize, entries: usize) -> usize {
        let ends = self.ends.len() + reserve(&self.ends, entries) - self.ends.capacity();
        let entries = self.entries.len() + reserve(&self.entries, bytes) - self.entries.capacity();
        entries + ends * size_of::<u32>()
    }
}

/// Counts one less, and nothing where there is none left.
fn count_down(by_standing: &mut HashMap<Standing, usize>, standing: Standing) {
    if let Some(count) = by_standing.get_mut(&standing) {
        *count -= 1;
        if *count == 0 {
            by_standing.remove(&standing);
        }
    }
}

/// For how many items to make room before some are added: for those and a quarter of what is there,
/// instead of doubling, because most logs are short and there are many.
fn reserve<T>(items: &Vec<T>, more: usize) -> usize {
    let free = items.capacity() - items.len();
    if free < more { more.max(items.len() / 4) } else { free }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance::{Logs, suite, version_of};

    const ROOMY: Limits = Limits { sessions: 1_000, bytes: 1_000_000, grace: Duration::from_secs(60) };

    #[tokio::test]
    async fn it_does_what_every_store_does() {
        suite(async || MemoryStore::new(ROOMY)).await;
    }

    #[tokio::test]
    async fn when_full_what_nobody_has_played_for_a_minute_gives_way_oldest_first() {
        let store = MemoryStore::new(Limits { sessions: 3, ..ROOMY });
        let mut logs = Logs::default();
        let [first, second, third, fourth, fifth] = std::array::from_fn(|_| logs.id());
        store.append(vec![logs.begun(first, 0)]).await.unwrap();
        store.append(vec![logs.begun(second, 1)]).await.unwrap();
        store.append(vec![logs.begun(third, 2)]).await.unwrap();
        store.append(vec![logs.played(first, 1, 3)]).await.unwrap();

        let too_early = store.append(vec![logs.begun(fourth, 60)]).await;
        assert!(matches!(too_early, Err(AppendError::Full)));
        store.append(vec![logs.begun(fourth, 61)]).await.unwrap();
        assert_eq!(version_of(&store, second).await, None);
        store.append(vec![logs.begun(fifth, 62)]).await.unwrap();
        assert_eq!(version_of(&store, third).await, None);
        assert_eq!(version_of(&store, first).await, Some(2));
    }

    /// A store of 2,000 bytes that has no room for another move in its only log, and the version of that.
    async fn full_of_moves(logs: &mut Logs, id: LogId) -> (MemoryStore, Version) {
        let store = MemoryStore::new(Limits { bytes: 2_000, ..ROOMY });
        store.append(vec![logs.begun(id, 0)]).await.unwrap();
        let mut version = 1;
        while store.append(vec![logs.played(id, version, 1)]).await.is_ok() {
            version += 1;
            assert!(version < 1_000, "there is no bound");
        }
        (store, version)
    }

    #[tokio::test]
    async fn its_bytes_are_bounded_for_moves_too() {
        let mut logs = Logs::default();
        let id = logs.id();
        let (store, version) = full_of_moves(&mut logs, id).await;
        let refused = store.append(vec![logs.played(id, version, 1)]).await;
        assert!(matches!(refused, Err(AppendError::Full)));
        assert_eq!(version_of(&store, id).await, Some(version));
        assert!(store.shelf.lock().bytes <= 2_000);
    }

    #[tokio::test]
    async fn what_comes_to_an_end_is_let_to_however_full_it_is() {
        let mut logs = Logs::default();
        let id = logs.id();
        let (store, version) = full_of_moves(&mut logs, id).await;
        let closing = |append| Append { growth: Growth::Closing, ..append };
        let other = logs.id();
        let with_another = vec![closing(logs.played(id, version, 1)), logs.begun(other, 1)];
        assert!(matches!(store.append(with_another).await, Err(AppendError::Full)));
        store.append(vec![closing(logs.played(id, version, 1))]).await.unwrap();
        assert_eq!(version_of(&store, id).await, Some(version + 1));
    }

    #[tokio::test]
    async fn what_cannot_make_enough_room_does_not_give_way() {
        let mut logs = Logs::default();
        let [played, unplayed, next] = std::array::from_fn(|_| logs.id());
        let mut store = MemoryStore::new(ROOMY);
        store.append(vec![logs.begun(played, 0), logs.begun(unplayed, 0)]).await.unwrap();
        store.append(vec![logs.played(played, 1, 1)]).await.unwrap();
        // Less than the played log and a new one need, even when the unplayed one goes.
        store.limits.bytes = store.shelf.lock().logs[&played].bytes() + Log::FIXED_BYTES + 1;
        assert!(matches!(store.append(vec![logs.begun(next, 70)]).await, Err(AppendError::Full)));
        assert_eq!(version_of(&store, unplayed).await, Some(1));
    }

    #[tokio::test]
    async fn what_has_gone_leaves_nothing_behind() {
        let store = MemoryStore::new(ROOMY);
        let mut logs = Logs::default();
        let ids: Vec<LogId> = (0..500).map(|_| logs.id()).collect();
        for &id in &ids {
            store.append(vec![logs.begun(id, 0)]).await.unwrap();
            store.append(vec![logs.played(id, 1, 1)]).await.unwrap();
        }
        store.remove(ids[0], logs.tail(ids[0])).await.unwrap();
        store.expire(Timestamp::from_millis(u64::MAX)).await.unwrap();
        let shelf = store.shelf.lock();
        assert_eq!((shelf.logs.len(), shelf.to_expire.len(), shelf.unplayed.len(), shelf.bytes), (0, 0, 0, 0));
        assert_eq!((shelf.by_standing.len(), shelf.entries), (0, 0));
        assert!(shelf.logs.capacity() < 100);
    }
}
