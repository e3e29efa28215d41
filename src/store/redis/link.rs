//! The way to Redis: connections that are made when they are needed, and made anew when they break.

use std::time::{Duration, Instant};

use backon::{BackoffBuilder, ExponentialBuilder};
use metrics::counter;
use parking_lot::{Mutex, RwLock};
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError, RedisFuture, RedisResult,
    ScriptInvocation, ServerErrorKind, Value,
};

use super::RedisAddress;
use crate::store::measures;

/// How long a connection may take to be made, and an answer to come.
const ANSWER: Duration = Duration::from_secs(1);

/// For how long anybody waits for an answer, however often a question is put meanwhile.
const PATIENCE: Duration = Duration::from_secs(3);

/// Once somebody has waited so long to no avail, how often somebody tries again. Others are told at once that there
/// is no answer: whoever stands in line behind them would wait for all of them.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// A way to Redis that is shared by all who ask something. Clones of a connection share one socket.
pub(super) struct Link {
    client: Way,
    current: RwLock<Option<Made>>,
    silence: Mutex<Silence>,
    connecting: tokio::sync::Mutex<u64>,
}

/// What is known of whether questions are answered.
#[derive(Default)]
struct Silence {
    /// When to try again, if somebody has waited for as long as may be to no avail.
    until: Option<Instant>,
    /// When there was an answer last.
    answered: Option<Instant>,
}

/// Where connections lead.
enum Way {
    Server(Box<Client>),
    Cluster(Box<ClusterClient>),
}

/// A connection, and which one it is.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) number: u64,
    pub(super) connection: Connection,
}

/// A connection to a server, or to all nodes of a cluster.
#[derive(Clone)]
pub(super) enum Connection {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Connection::Server(connection) => connection.req_packed_command(cmd),
            Connection::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Connection::Server(connection) => connection.req_packed_commands(pipeline, offset, count),
            Connection::Cluster(connection) => connection.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Connection::Server(connection) => connection.get_db(),
            Connection::Cluster(connection) => connection.get_db(),
        }
    }
}

/// What is asked. It does the same when it is asked twice.
enum Question<'a> {
    Command(&'a Cmd),
    Commands(&'a Pipeline),
    Script(&'a ScriptInvocation<'a>),
}

impl Question<'_> {
    async fn put(&self, connection: &mut Connection) -> RedisResult<Value> {
        match self {
            Question::Command(command) => command.query_async(connection).await,
            Question::Commands(commands) => commands.query_async(connection).await,
            Question::Script(script) => script.invoke_async(connection).await,
        }
    }
}

impl Silence {
    /// While nothing is answered, one question at a time is put to find out whether that is over.
    fn must_be_worth_a_try(&mut self, now: Instant) -> RedisResult<()> {
        match self.until {
            Some(until) if now < until => Err(timed_out()),
            Some(_) => {
                self.until = Some(now + TRY_AGAIN);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Remembers, and says, whether questions are answered: what has come of one that was put then. Whoever has
    /// waited in vain while somebody else was answered has only come too early.
    fn note(&mut self, is_silent: bool, began: Instant, now: Instant) {
        if !is_silent {
            self.answered = Some(now);
        } else if self.answered.is_some_and(|answered| answered >= began) {
            return;
        }
        match (is_silent, self.until.is_some()) {
            (true, false) => tracing::error!("Redis does not answer"),
            (false, true) => tracing::info!("Redis answers again"),
            (true, true) | (false, false) => {}
        }
        self.until = is_silent.then(|| now + TRY_AGAIN);
    }
}

impl Link {
    /// A way to Redis; nothing is connected yet.
    ///
    /// # Errors
    /// If nothing can be connected to there, as where certificates are missing.
    pub(super) fn new(address: &RedisAddress) -> RedisResult<Link> {
        let client = match address {
            RedisAddress::Server(server) => Way::Server(Box::new(Client::open(server.as_ref().clone())?)),
            RedisAddress::Cluster(nodes) => {
                let builder = ClusterClient::builder(nodes.iter().cloned());
                let client = builder.connection_timeout(ANSWER).response_timeout(ANSWER).retries(4).build()?;
                Way::Cluster(Box::new(client))
            }
        };
        let (current, silence, connecting) = Default::default();
        Ok(Link { client, current, silence, connecting })
    }

    /// Whether a question that waits for something would hold up others.
    pub(super) fn is_cluster(&self) -> bool {
        matches!(self.client, Way::Cluster(_))
    }

    /// Gives a command that does the same when it is given twice.
    ///
    /// # Errors
    /// If it is refused, or not answered for as long as somebody may wait for it.
    pub(super) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        self.insist(Question::Command(command)).await
    }

    /// Gives several commands, all of one slot, as [`Link::ask`].
    ///
    /// # Errors
    /// As [`Link::ask`].
    pub(super) async fn ask_all<T: FromRedisValue>(&self, commands: &Pipeline) -> RedisResult<T> {
        self.insist(Question::Commands(commands)).await
    }

    /// Runs a script that does the same when it is run twice.
    ///
    /// # Errors
    /// As [`Link::ask`].
    pub(super) async fn run<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> RedisResult<T> {
        self.insist(Question::Script(script)).await
    }

    /// What each server says to a command that names no key.
    ///
    /// # Errors
    /// If one does not answer.
    pub(super) async fn ask_servers(&self, command: &Cmd) -> RedisResult<Value> {
        match self.connection().await?.connection {
            Connection::Server(mut connection) => command.query_async(&mut connection).await,
            Connection::Cluster(mut connection) => {
                let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
                connection.route_command(command.clone(), all).await
            }
        }
    }

    /// A connection of one's own, on which answers may take so long.
    ///
    /// # Errors
    /// If none can be made.
    pub(super) async fn own_connection(&self, answer: Duration) -> RedisResult<Made> {
        match &self.client {
            Way::Server(client) => Ok(Made { number: 0, connection: connect(client, answer).await? }),
            Way::Cluster(_) => self.connection().await,
        }
    }

    /// Asks until there is an answer, for a while.
    async fn insist<T: FromRedisValue>(&self, question: Question<'_>) -> RedisResult<T> {
        let began = Instant::now();
        self.silence.lock().must_be_worth_a_try(began)?;
        let answer = tokio::time::timeout(PATIENCE, self.put(&question)).await.unwrap_or_else(|_| Err(timed_out()));
        let is_silent = answer.as_ref().is_err_and(is_passing);
        self.silence.lock().note(is_silent, began, Instant::now());
        Ok(T::from_redis_value(answer?)?)
    }

    async fn put(&self, question: &Question<'_>) -> RedisResult<Value> {
        let mut waits = waits();
        loop {
            let error = match self.try_once(question).await {
                Err(error) if is_passing(&error) => error,
                answer => return answer,
            };
            let Some(wait) = waits.next() else {
                return Err(error);
            };
            counter!(measures::RETRIES).increment(1);
            tokio::time::sleep(wait).await;
        }
    }

    async fn try_once(&self, question: &Question<'_>) -> RedisResult<Value> {
        let Made { number, mut connection } = self.connection().await?;
        let answer = question.put(&mut connection).await;
        if let Err(error) = &answer
            && breaks_connection(error)
        {
            self.give_up(number);
        }
        answer
    }

    async fn connection(&self) -> RedisResult<Made> {
        if let Some(made) = self.current.read().clone() {
            return Ok(made);
        }
        let mut number = self.connecting.lock().await;
        // Somebody else may have made one meanwhile.
        if let Some(made) = self.current.read().clone() {
            return Ok(made);
        }
        let connection = match &self.client {
            Way::Server(client) => connect(client, ANSWER).await?,
            Way::Cluster(client) => {
                let connected = tokio::time::timeout(PATIENCE, client.get_async_connection()).await;
                Connection::Cluster(connected.unwrap_or_else(|_| Err(timed_out()))?)
            }
        };
        if *number > 0 {
            counter!(measures::RECONNECTS).increment(1);
        }
        *number += 1;
        let made = Made { number: *number, connection };
        *self.current.write() = Some(made.clone());
        Ok(made)
    }

    /// Makes no more use of a connection.
    pub(super) fn give_up(&self, number: u64) {
        let mut current = self.current.write();
        if current.as_ref().is_some_and(|made| made.number == number) {
            *current = None;
        }
    }
}

/// A connection to a server, on which answers may take so long.
async fn connect(client: &Client, answer: Duration) -> RedisResult<Connection> {
    let config = AsyncConnectionConfig::new().set_connection_timeout(Some(ANSWER)).set_response_timeout(Some(answer));
    client.get_multiplexed_async_connection_with_config(&config).await.map(Connection::Server)
}

/// How long to wait before asking again: longer each time, and not all at once.
pub(super) fn waits() -> impl Iterator<Item = Duration> {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(10))
        .with_max_delay(Duration::from_millis(500))
        .without_max_times()
        .with_jitter()
        .build()
}

fn timed_out() -> RedisError {
    std::io::Error::from(std::io::ErrorKind::TimedOut).into()
}

/// Whether it may be better in a moment.
fn is_passing(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Io | ErrorKind::Parse | ErrorKind::ClusterConnectionNotFound => true,
        ErrorKind::Server(kind) => matches!(
            kind,
            ServerErrorKind::BusyLoading
                | ServerErrorKind::Moved
                | ServerErrorKind::Ask
                | ServerErrorKind::TryAgain
                | ServerErrorKind::ClusterDown
                | ServerErrorKind::MasterDown
                | ServerErrorKind::ReadOnly
        ),
        _ => false,
    }
}

/// Whether another connection may do better: this one is lost or silent, or leads to a server that is no
/// primary any more.
fn breaks_connection(error: &RedisError) -> bool {
    let is_demoted = error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly);
    is_demoted || matches!(error.kind(), ErrorKind::Io | ErrorKind::Parse | ErrorKind::ClusterConnectionNotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments, so many seconds after now.
    fn moments<const N: usize>() -> [Instant; N] {
        let now = Instant::now();
        std::array::from_fn(|second| now + Duration::from_secs(second as u64))
    }

    #[test]
    fn while_nothing_is_answered_one_question_a_second_is_put() {
        let [began, now, later] = moments();
        let mut silence = Silence::default();
        silence.must_be_worth_a_try(began).unwrap();
        silence.note(true, began, now);
        silence.must_be_worth_a_try(now).unwrap_err();
        silence.must_be_worth_a_try(later).unwrap();
        silence.must_be_worth_a_try(later).unwrap_err();
        silence.note(false, later, later);
        silence.must_be_worth_a_try(later).unwrap();
    }

    #[test]
    fn who_gives_up_just_after_others_were_answered_does_not_silence_them() {
        let [began, answered, now] = moments();
        let mut silence = Silence::default();
        silence.note(false, answered, answered);
        silence.note(true, began, now);
        silence.must_be_worth_a_try(now).unwrap();
    }
}
