//! News from other nodes: the feeds of the partitions in which somebody watches something here.
//!
//! A feed is read by a task, on a connection of its own: it waits there for what comes next. A cluster's
//! connections are shared and must not be held up, so there it asks again and again.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use metrics::histogram;
use parking_lot::Mutex;
use redis::{RedisError, RedisResult, cmd};
use tokio::task::AbortHandle;

use crate::store::news::Newsroom;
use crate::store::{News, measures};

use super::keys::{Keys, named};
use super::link::{Connection, Link, Made, waits};

/// How long a feed is waited for at a time.
const WAIT: Duration = Duration::from_secs(5);

/// How often the feed of a cluster's partition is asked for.
const ASK_EVERY: Duration = Duration::from_millis(25);

/// How much of a feed is read at a time.
const PAGE: usize = 1_000;

/// Entries of a stream: their ids, and their fields and values by turns.
pub(super) type Entries = Vec<(String, Vec<Vec<u8>>)>;

/// The feeds that are read here.
pub(super) struct Feeds {
    source: Arc<Source>,
    readers: Arc<Mutex<HashMap<u8, AbortHandle>>>,
}

/// What a feed is read from and told to.
struct Source {
    link: Link,
    keys: Keys,
    newsroom: Newsroom,
    node: String,
    /// Whether one could not be read lately.
    is_failing: AtomicBool,
}

impl Feeds {
    pub(super) fn new(link: Link, keys: Keys, newsroom: Newsroom, node: String) -> Feeds {
        Feeds {
            source: Arc::new(Source { link, keys, newsroom, node, is_failing: AtomicBool::new(false) }),
            readers: Arc::default(),
        }
    }

    /// Has the feed of a partition read for as long as somebody watches something there.
    pub(super) fn read(&self, partition: u8) {
        let mut readers = self.readers.lock();
        readers.entry(partition).or_insert_with(|| {
            let (source, readers) = (self.source.clone(), self.readers.clone());
            tokio::spawn(async move { source.read_while_heard(partition, &readers).await }).abort_handle()
        });
    }
}

impl Drop for Feeds {
    fn drop(&mut self) {
        self.readers.lock().values().for_each(AbortHandle::abort);
    }
}

impl Source {
    /// Reads a feed until nobody listens any more; when it cannot be read, again and again.
    async fn read_while_heard(&self, partition: u8, readers: &Mutex<HashMap<u8, AbortHandle>>) {
        let mut pauses = waits();
        loop {
            let mut place = None;
            match self.follow(partition, &mut place, readers).await {
                Ok(()) => return,
                Err(error) => self.note_failure(partition, &error),
            }
            if place.is_some() {
                pauses = waits();
            }
            tokio::time::sleep(pauses.next().unwrap_or(WAIT)).await;
        }
    }

    /// Says that feeds cannot be read: once, and not for each.
    fn note_failure(&self, partition: u8, error: &RedisError) {
        match self.is_failing.swap(true, Ordering::Relaxed) {
            false => tracing::warn!(%error, "news of other nodes cannot be read"),
            true => tracing::debug!(%error, partition, "a feed cannot be read"),
        }
    }

    fn note_success(&self) {
        if self.is_failing.swap(false, Ordering::Relaxed) {
            tracing::info!("news of other nodes are read again");
        }
    }

    /// Reads a feed from its end on, which becomes the place.
    async fn follow(
        &self,
        partition: u8,
        place: &mut Option<String>,
        readers: &Mutex<HashMap<u8, AbortHandle>>,
    ) -> RedisResult<()> {
        let feed = self.keys.feed(partition);
        let Made { number, mut connection } = self.link.own_connection(WAIT * 2).await?;
        let newest: Entries =
            cmd("XREVRANGE").arg(&feed).arg("+").arg("-").arg("COUNT").arg(1).query_async(&mut connection).await?;
        let mut after = newest.first().map_or("0-0".to_string(), |(id, _)| id.clone());
        *place = Some(after.clone());
        self.note_success();
        // What was told before is not known.
        self.newsroom.tell_all(partition, News::Unsure);
        loop {
            let read = self.next(&mut connection, &feed, &after).await;
            let entries = read.inspect_err(|_| self.link.give_up(number))?;
            if let Some((last, _)) = entries.last() {
                histogram!(measures::FEED_LAG_SECONDS).record(age(last));
                // Of what is further behind than a page, some may have been forgotten.
                match entries.len() < PAGE {
                    true => entries.iter().for_each(|(_, fields)| self.tell(fields)),
                    false => self.newsroom.tell_all(partition, News::Unsure),
                }
                after.clone_from(last);
            } else {
                let mut readers = readers.lock();
                if !self.newsroom.is_heard_in(partition) {
                    readers.remove(&partition);
                    return Ok(());
                }
            }
        }
    }

    /// What comes next in a feed; nothing if nothing has come for a while.
    async fn next(&self, connection: &mut Connection, feed: &str, after: &str) -> RedisResult<Entries> {
        let asked_at = tokio::time::Instant::now();
        loop {
            let mut read = cmd("XREAD");
            read.arg("COUNT").arg(PAGE);
            if !self.link.is_cluster() {
                read.arg("BLOCK").arg(WAIT.as_millis() as u64);
            }
            read.arg("STREAMS").arg(feed).arg(after);
            let feeds: Option<Vec<(String, Entries)>> = read.query_async(connection).await?;
            let entries = feeds.into_iter().flatten().flat_map(|(_, entries)| entries).collect::<Entries>();
            if !entries.is_empty() || asked_at.elapsed() >= WAIT {
                return Ok(entries);
            }
            if self.link.is_cluster() {
                tokio::time::sleep(ASK_EVERY).await;
            }
        }
    }

    /// Tells what an entry of a feed says: the name of a log, and `g` with its version when it has grown, `u`
    /// when it is to be looked at, `b` when something has happened beside it, with the node if that knows it
    /// already.
    fn tell(&self, fields: &[Vec<u8>]) {
        let text = |at: usize| fields.get(at).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let Some((id, what)) = text(0).and_then(named).zip(text(1)) else {
            tracing::warn!("an entry of a feed cannot be read");
            return;
        };
        let news = match what.split_at_checked(1) {
            Some(("g", version)) => version.parse().map_or(News::Unsure, News::Grown),
            Some(("b", node)) if node == self.node => return,
            Some(("b", _)) => News::Beside,
            _ => News::Unsure,
        };
        self.newsroom.tell(id, news);
    }
}

/// How long ago an entry was added that has the time for an id, in seconds, as far as clocks agree.
fn age(id: &str) -> f64 {
    let added = id
        .split('-')
        .next()
        .and_then(|millis| millis.parse().ok())
        .map_or(UNIX_EPOCH, |millis| UNIX_EPOCH + Duration::from_millis(millis));
    SystemTime::now().duration_since(added).unwrap_or_default().as_secs_f64()
}
