//! Logs in Redis or Valkey, for many nodes, any of which serves any session.
//!
//! A log is a stream whose entry ids are the versions. `XADD` with an id is no compare-and-swap, so one
//! script does it: it holds the end of the log against what the writer believes, adds the entries, and
//! keeps what is known of the log besides. All that one script touches is in one of 256 partitions, which
//! has one slot of a cluster.
//!
//! Architecture Invariant: every script does the same when it is run twice, because answers get lost.

mod address;
mod feeds;
mod keys;
mod link;
mod lobby;

pub use address::{ParseAddressError, RedisAddress};

use async_trait::async_trait;
use futures_util::future::{join_all, try_join_all};
use redis::{RedisError, Script, ScriptInvocation, Value, cmd};

use crate::session::{Seat, Timestamp, Version};

use super::news::Newsroom;
use super::{
    Append, AppendError, Census, Counted, Growth, Kind, Listing, LogId, POSTPONED, Place, Presence, Record,
    SessionStore, StoreError, Tail, Wanted, Watch,
};

use feeds::{Entries, Feeds};
use keys::{Keys, name, named};
use link::Link;

/// About how many entries a feed keeps: those of a partition in the last minutes.
const FEED_LENGTH: usize = 10_000;

/// How many logs of a partition are looked at whether they have expired, at a time.
const DUE: usize = 100;

/// For how many seconds it is remembered who has removed a log: longer than anybody asks for an answer.
const REMEMBERED: usize = 60;

/// For how long it holds who watches, in milliseconds: three times as long as it takes to be said again.
const PRESENCE: usize = 30_000;

/// A store in Redis.
pub struct RedisStore {
    link: Link,
    keys: Keys,
    newsroom: Newsroom,
    feeds: Feeds,
    scripts: Scripts,
    /// What this node is called among others.
    node: String,
}

struct Scripts {
    append: Script,
    remove: Script,
    expire: Script,
    attend: Script,
}

impl RedisStore {
    /// The store there, of all whose keys begin with the same. Redis is asked whether it is one.
    ///
    /// # Errors
    /// If it cannot be reached.
    pub async fn open(address: &RedisAddress, prefix: &str) -> Result<RedisStore, StoreError> {
        let (link, of_feeds) = (Link::new(address)?, Link::new(address)?);
        let (keys, newsroom, node) = (Keys::new(prefix), Newsroom::default(), hex::encode(rand::random::<[u8; 4]>()));
        let forget = include_str!("forget.lua");
        let with_forget = |script| Script::new(&format!("{forget}{script}"));
        let store = RedisStore {
            link,
            feeds: Feeds::new(of_feeds, keys.clone(), newsroom.clone(), node.clone()),
            keys,
            newsroom,
            scripts: Scripts {
                append: Script::new(include_str!("append.lua")),
                remove: with_forget(include_str!("remove.lua")),
                expire: with_forget(include_str!("expire.lua")),
                attend: Script::new(include_str!("attend.lua")),
            },
            node,
        };
        store.ready().await?;
        if let Err(error) = store.warn_of_eviction().await {
            tracing::warn!(%error, "it cannot be found out whether Redis forgets games when it is full");
        }
        Ok(store)
    }

    /// Redis may be told to forget what it has no room for. Logs must not be forgotten.
    async fn warn_of_eviction(&self) -> Result<(), StoreError> {
        let mut texts = Vec::new();
        collect_texts(self.link.ask_servers(cmd("INFO").arg("memory")).await?, &mut texts);
        for line in texts.iter().flat_map(|text| text.lines()) {
            if let Some(policy) =
                line.strip_prefix("maxmemory_policy:").map(str::trim).filter(|policy| *policy != "noeviction")
            {
                tracing::warn!(policy, "Redis forgets games when it is full; set maxmemory-policy to noeviction");
            }
        }
        Ok(())
    }

    /// A script that is about a log, with the keys and arguments that all of them begin with.
    fn about<'a>(&self, script: &'a Script, id: LogId) -> ScriptInvocation<'a> {
        let mut invocation = script.prepare_invoke();
        invocation.key(&self.keys.of_partition(id.partition())[..]);
        invocation.key(self.keys.log(id)).key(self.keys.facts(id)).arg(name(id)).arg(FEED_LENGTH);
        invocation
    }

    /// What appends to logs of a partition, known by a nonce if it is run again.
    fn to_append(&self, partition: u8, batch: &[Append], nonce: [u8; 8]) -> ScriptInvocation<'_> {
        let mut script = self.scripts.append.prepare_invoke();
        script.key(&self.keys.of_partition(partition)[..]);
        let is_closing = batch.iter().all(|append| append.growth == Growth::Closing);
        script.arg(&nonce[..]).arg(FEED_LENGTH).arg(if is_closing { "closing" } else { "" }).arg(batch.len());
        for append in batch {
            script.key(self.keys.log(append.id)).key(self.keys.facts(append.id));
            pass(append, &mut script);
        }
        script
    }

    /// What removes a log, known by a nonce if it is run again.
    fn to_remove(&self, id: LogId, expected: Tail, nonce: [u8; 8]) -> ScriptInvocation<'_> {
        let mut script = self.about(&self.scripts.remove, id);
        script.key(self.keys.removed(id)).arg(expected.version).arg(&expected.chain.as_bytes()[..]);
        script.arg(&nonce[..]).arg(REMEMBERED);
        script
    }

    /// Runs a script that changes logs if they end where that is expected.
    async fn change(&self, script: &ScriptInvocation<'_>) -> Result<(), AppendError> {
        let answer: String = self.link.run(script).await.map_err(refused)?;
        match answer.as_str() {
            "added" | "removed" => Ok(()),
            "conflict" => Err(AppendError::Conflict),
            "gone" => Err(AppendError::Gone),
            answer => Err(unexpected(answer).into()),
        }
    }

    async fn expire_in(&self, partition: u8, now: Timestamp) -> Result<Vec<LogId>, StoreError> {
        let due = self.keys.due(partition);
        let mut expired = Vec::new();
        loop {
            let mut ask = cmd("ZRANGE");
            ask.arg(&due).arg("-inf").arg(now.as_millis()).arg("BYSCORE").arg("LIMIT").arg(0).arg(DUE);
            let names: Vec<String> = self.link.ask(&ask).await?;
            for name in &names {
                match self.expire_named(name, now).await {
                    Ok(gone) => expired.extend(gone),
                    // One that is damaged takes no others with it.
                    Err(StoreError::Damaged(error)) => {
                        tracing::error!(name, error, "a log that is due cannot be looked at");
                        let later = now.plus(POSTPONED).as_millis();
                        let _: i64 = self.link.ask(cmd("ZADD").arg(&due).arg("XX").arg(later).arg(name)).await?;
                    }
                    Err(error) => return Err(error),
                }
            }
            if names.len() < DUE {
                return Ok(expired);
            }
        }
    }

    async fn expire_named(&self, name: &str, now: Timestamp) -> Result<Option<LogId>, StoreError> {
        let id = named(name).ok_or_else(|| unexpected("a name that is none of a log"))?;
        let mut script = self.about(&self.scripts.expire, id);
        Ok(self.link.run::<bool>(script.arg(now.as_millis())).await?.then_some(id))
    }

    async fn census_of(&self, partition: u8) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(self.link.ask(cmd("HGETALL").arg(self.keys.census(partition))).await?)
    }
}

#[async_trait]
impl SessionStore for RedisStore {
    async fn append(&self, batch: Vec<Append>) -> Result<(), AppendError> {
        let Some(partition) = batch.first().map(|append| append.id.partition()) else {
            return Ok(());
        };
        if batch.iter().any(|append| append.id.partition() != partition) {
            return Err(StoreError::Unwritable.into());
        }
        let script = self.to_append(partition, &batch, rand::random());
        self.change(&script).await
    }

    async fn tail(&self, id: LogId) -> Result<Option<Tail>, StoreError> {
        let mut ask = cmd("XREVRANGE");
        let entries: Entries = self.link.ask(ask.arg(self.keys.log(id)).arg("+").arg("-").arg("COUNT").arg(1)).await?;
        let tail = |(id, fields): (String, Vec<Vec<u8>>)| {
            let record = fields.get(1).ok_or_else(|| unexpected("an entry without a record"))?;
            Ok(Tail { version: version(&id)?, chain: Record::chain_of(record) })
        };
        entries.into_iter().next().map(tail).transpose()
    }

    async fn load(&self, id: LogId, after: Version, limit: usize) -> Result<Option<Vec<Record>>, StoreError> {
        let log = self.keys.log(id);
        let mut ask = redis::pipe();
        ask.cmd("EXISTS").arg(&log);
        ask.cmd("XRANGE").arg(&log).arg(u64::from(after) + 1).arg("+").arg("COUNT").arg(limit);
        let (is_there, entries): (bool, Entries) = self.link.ask_all(&ask).await?;
        if !is_there {
            return Ok(None);
        }
        let record = |(_, mut fields): (String, Vec<Vec<u8>>)| match fields.len() {
            ..2 => Err(unexpected("an entry without a record")),
            _ => Ok(Record::from_bytes(fields.swap_remove(1))),
        };
        entries.into_iter().map(record).collect::<Result<_, _>>().map(Some)
    }

    async fn list(&self, wanted: &Wanted, before: Option<Place>, limit: usize) -> Result<Listing, StoreError> {
        lobby::list(&self.link, &self.keys, wanted, before, limit).await
    }

    fn watch(&self, id: LogId) -> Watch {
        let watch = self.newsroom.watch(id);
        self.feeds.read(id.partition());
        watch
    }

    async fn attend(&self, id: LogId, here: &Presence) -> Result<Presence, StoreError> {
        let mut script = self.scripts.attend.prepare_invoke();
        script.key(self.keys.feed(id.partition())).key(self.keys.presence(id));
        script.arg(name(id)).arg(FEED_LENGTH).arg(&self.node).arg(written(here)).arg(PRESENCE);
        let elsewhere: Vec<String> = self.link.run(&script).await?;
        let mut all = Presence::default();
        for there in elsewhere.iter().filter_map(|there| read(there)) {
            all.watchers += there.watchers;
            all.online.extend(there.online);
        }
        all.online.sort_unstable();
        all.online.dedup();
        Ok(all)
    }

    async fn remove(&self, id: LogId, expected: Tail) -> Result<(), AppendError> {
        let script = self.to_remove(id, expected, rand::random());
        self.change(&script).await
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<LogId>, StoreError> {
        let partitions = join_all((0..=u8::MAX).map(|partition| self.expire_in(partition, now))).await;
        let (mut expired, mut failed) = (Vec::new(), None);
        for partition in partitions {
            match partition {
                Ok(gone) => expired.extend(gone),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            // What is gone is gone, and to be told.
            Some(error) if expired.is_empty() => Err(error),
            _ => Ok(expired),
        }
    }

    async fn census(&self) -> Result<Census, StoreError> {
        let counts = try_join_all((0..=u8::MAX).map(|partition| self.census_of(partition))).await?;
        let mut census = Census::default();
        for (what, count) in counts.into_iter().flatten() {
            let count = usize::try_from(count).unwrap_or(0);
            match what.as_str() {
                "entries" => census.entries += count,
                "bytes" => census.bytes += count,
                what => census.logs.extend(counted(what, count)),
            }
        }
        Ok(census)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let _: bool = self.link.ask(cmd("EXISTS").arg(self.keys.census(0))).await?;
        Ok(())
    }
}

/// Passes an append to the script that does it.
fn pass(append: &Append, script: &mut ScriptInvocation<'_>) {
    let behind: &[u8] = if append.expected == 0 { b"" } else { append.behind.as_bytes() };
    script.arg(name(append.id)).arg(append.expected).arg(behind);
    script.arg(append.at.as_millis()).arg(append.lease.expires_at.as_millis());
    script.arg(format!("{}|{}", append.standing.game, append.standing.status));
    script.arg(append.listed.map(|seats| seats.to_string()).unwrap_or_default());
    script.arg(append.beside.map(name).unwrap_or_default());
    script.arg(append.records.len());
    for record in &append.records {
        script.arg(record.as_bytes());
    }
}

/// A count as it is kept: kind, game and status.
fn counted(what: &str, logs: usize) -> Option<Counted> {
    let mut parts = what.split('|');
    let kind = match parts.next()? {
        "s" => Kind::Session,
        "r" => Kind::Race,
        _ => return None,
    };
    let [game, status] = [parts.next()?, parts.next()?].map(str::to_string);
    (logs > 0).then_some(Counted { kind, game, status, logs })
}

/// Who watches on a node, as it is kept; empty if nobody does.
fn written(here: &Presence) -> String {
    if *here == Presence::default() {
        return String::new();
    }
    let online: Vec<String> = here.online.iter().map(Seat::to_string).collect();
    format!("{}|{}", here.watchers, online.join(","))
}

/// Who watches on a node, behind its name.
fn read(there: &str) -> Option<Presence> {
    let mut parts = there.split('|').skip(1);
    let watchers = parts.next()?.parse().ok()?;
    let online = parts.next()?.split(',').filter_map(|seat| seat.parse().ok()).collect();
    Some(Presence { online, watchers })
}

/// The version that an entry's id stands for.
fn version(id: &str) -> Result<Version, StoreError> {
    let version = id.split('-').next().and_then(|version| version.parse().ok());
    version.ok_or_else(|| unexpected("an id that is no version"))
}

fn unexpected(what: &str) -> StoreError {
    StoreError::Damaged(format!("Redis has what Patience has not put there: {what}"))
}

/// Why something was not written.
fn refused(error: RedisError) -> AppendError {
    if error.code() == Some("OOM") { AppendError::Full } else { AppendError::Store(error.into()) }
}

impl From<RedisError> for StoreError {
    fn from(error: RedisError) -> StoreError {
        match error.code() {
            Some("WRONGTYPE") => StoreError::Damaged(error.to_string()),
            _ => StoreError::Unavailable(error.to_string()),
        }
    }
}

/// All texts in an answer, which is one for each server.
fn collect_texts(value: Value, texts: &mut Vec<String>) {
    match value {
        Value::BulkString(bytes) => texts.push(String::from_utf8_lossy(&bytes).into_owned()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => texts.push(text),
        Value::Array(values) => values.into_iter().for_each(|value| collect_texts(value, texts)),
        Value::Map(pairs) => pairs.into_iter().for_each(|(_, value)| collect_texts(value, texts)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
