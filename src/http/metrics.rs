//! `/metrics`: what the server counts, for Prometheus, on a listener of its own. Names and units follow
//! Prometheus' conventions. Nothing is counted by session, player or address.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use tracing_appender::non_blocking::ErrorCounter;

use crate::games::CATALOGUE;
use crate::host::{Kind, measures};
use crate::session::Status;
use crate::session::race::RaceStatus;

use super::App;
use super::problem::Told;

const REQUESTS: &str = "patience_http_requests_total";
const DURATION: &str = "patience_http_request_duration_seconds";
const REFUSALS: &str = "patience_refusals_total";
const REQUESTS_IN_FLIGHT: &str = "patience_http_requests_in_flight";
const CONNECTIONS: &str = "patience_http_connections";
const RATE_KEYS: &str = "patience_rate_limited_keys";
const SESSIONS: &str = "patience_sessions";
const RACES: &str = "patience_races";
const STREAMS: &str = "patience_streams";
const EVENTS_SENT: &str = "patience_stream_events_sent_total";
const READERS_DROPPED: &str = "patience_stalled_connections_dropped_total";
const LIVE_SESSIONS: &str = "patience_live_sessions";
const CHANGES_WAITING: &str = "patience_changes_waiting";
const ENTRIES: &str = "patience_entries";
const ENTRIES_APPENDED: &str = "patience_entries_appended_total";
const STORE_BYTES: &str = "patience_store_bytes";
const SEARCHES_WAITING: &str = "patience_searches_waiting";
const DEALS_READY: &str = "patience_winnable_deals_ready";
const LOG_LINES_LOST: &str = "patience_log_lines_lost_total";
const BUILD: &str = "patience_build_info";

/// How many appends.
const GROUPS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// In seconds.
const BUCKETS: [f64; 14] =
    [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// What is counted, and how it is told.
#[derive(Clone)]
pub struct Metrics {
    told: PrometheusHandle,
    process: Collector,
    log_lines_lost: ErrorCounter,
}

impl Metrics {
    /// Counts from now on, in the whole process.
    ///
    /// # Errors
    /// If something else counts already.
    pub fn install(log_lines_lost: ErrorCounter) -> Result<Metrics, BuildError> {
        let mut builder = PrometheusBuilder::new();
        for seconds in [DURATION, measures::APPEND_SECONDS, measures::FEED_LAG_SECONDS, measures::SEARCH_SECONDS] {
            builder = builder.set_buckets_for_metric(Matcher::Full(seconds.into()), &BUCKETS)?;
        }
        builder = builder.set_buckets_for_metric(Matcher::Full(measures::GROUP_SIZE.into()), &GROUPS)?;
        let told = builder.install_recorder()?;
        let process = Collector::default();
        process.describe();
        describe_counter!(REQUESTS, "Requests answered, by method, route and status.");
        describe_histogram!(DURATION, Unit::Seconds, "How long answers took, by route.");
        describe_counter!(REFUSALS, "Problems answered, by code, and for illegal moves by reason.");
        describe_gauge!(REQUESTS_IN_FLIGHT, "Requests that are being answered.");
        describe_gauge!(CONNECTIONS, "Open connections.");
        describe_gauge!(RATE_KEYS, "Networks and seats that are remembered for having asked lately.");
        describe_gauge!(SESSIONS, "Sessions in the store, by game and status.");
        describe_gauge!(RACES, "Races in the store, by game and status.");
        describe_gauge!(STREAMS, "Open live streams.");
        describe_counter!(EVENTS_SENT, "Events that were sent on live streams.");
        describe_counter!(
            READERS_DROPPED,
            "Connections that were cut because the client did not read, live streams among them."
        );
        describe_gauge!(LIVE_SESSIONS, "Sessions that are at hand, ready to play.");
        describe_gauge!(CHANGES_WAITING, "Changes that wait for their turn or are being made.");
        describe_gauge!(ENTRIES, "Entries in the store.");
        describe_counter!(ENTRIES_APPENDED, "Entries that this process has added.");
        describe_gauge!(STORE_BYTES, Unit::Bytes, "What the store takes.");
        describe_histogram!(measures::APPEND_SECONDS, Unit::Seconds, "How long the store took to append.");
        describe_counter!(measures::CONFLICTS, "Appends that found that somebody else was first.");
        describe_histogram!(measures::GROUP_SIZE, "How many appends SQLite took at once.");
        describe_counter!(measures::RECONNECTS, "How often Redis was connected to anew.");
        describe_counter!(measures::RETRIES, "How often Redis was asked again because there was no answer.");
        describe_histogram!(
            measures::FEED_LAG_SECONDS,
            Unit::Seconds,
            "How old news of other nodes were when they came."
        );
        describe_counter!(measures::SEARCHES, "Searches, by what was searched for and how it ended.");
        describe_histogram!(
            measures::SEARCH_SECONDS,
            Unit::Seconds,
            "How long searches took, by what was searched for."
        );
        describe_gauge!(SEARCHES_WAITING, "Searches that wait for a thread.");
        describe_gauge!(DEALS_READY, "Deals that can be won and are ready to be asked for, by game.");
        describe_counter!(measures::DEALS_SEARCHED, "Deals that were tried, by game and by what was found.");
        describe_counter!(LOG_LINES_LOST, "Lines of the log that were lost because nobody took them in time.");
        describe_gauge!(BUILD, "1, with the version of the program.");
        gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Ok(Metrics { told, process, log_lines_lost })
    }

    /// Puts in order what has been counted. To be called now and then, so that it takes no more room
    /// while nobody asks.
    pub fn tidy(&self) {
        self.told.run_upkeep();
    }
}

/// The paths of the listener that metrics are told on.
pub fn metrics_router(app: App, metrics: Metrics) -> Router {
    Router::new().route("/metrics", get(tell)).with_state((app, metrics))
}

async fn tell(State((app, metrics)): State<(App, Metrics)>) -> Response {
    let host = app.host().gauges();
    gauge!(LIVE_SESSIONS).set(host.live_sessions as f64);
    gauge!(CHANGES_WAITING).set(host.changes_waiting as f64);
    gauge!(SEARCHES_WAITING).set(host.searches_waiting as f64);
    counter!(ENTRIES_APPENDED).absolute(host.entries_appended);
    gauge!(REQUESTS_IN_FLIGHT).set(app.requests_in_flight() as f64);
    gauge!(CONNECTIONS).set(app.open_connections() as f64);
    gauge!(STREAMS).set(app.streams().open() as f64);
    counter!(EVENTS_SENT).absolute(app.streams().events_sent());
    counter!(READERS_DROPPED).absolute(app.stalled());
    gauge!(RATE_KEYS).set(app.remembered() as f64);
    for game in CATALOGUE {
        gauge!(DEALS_READY, "game" => game.id).set(app.host().deals_ready(game.id) as f64);
    }
    match app.host().census().await {
        Ok(census) => {
            for game in CATALOGUE {
                let count = |kind, status| census.count(kind, game.id, status);
                for status in Status::ALL.map(Status::as_str) {
                    gauge!(SESSIONS, "game" => game.id, "status" => status).set(count(Kind::Session, status) as f64);
                }
                for status in RaceStatus::ALL.map(RaceStatus::as_str) {
                    gauge!(RACES, "game" => game.id, "status" => status).set(count(Kind::Race, status) as f64);
                }
            }
            gauge!(ENTRIES).set(census.entries as f64);
            gauge!(STORE_BYTES).set(census.bytes as f64);
        }
        Err(error) => {
            tracing::error!(%error, "the store cannot be counted");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    }
    counter!(LOG_LINES_LOST).absolute(metrics.log_lines_lost.dropped_lines() as u64);
    metrics.process.collect();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.told.render()).into_response()
}

/// Counts an answer.
pub(super) fn count(method: &'static str, route: &str, response: &Response, took: Duration) {
    let route = route.to_string();
    counter!(REQUESTS, "method" => method, "route" => route.clone(), "status" => response.status().as_u16().to_string()).increment(1);
    histogram!(DURATION, "route" => route).record(took);
    if let Some(told) = response.extensions().get::<Told>() {
        let reason = told.reason.map_or("", crate::rules::Reason::code);
        counter!(REFUSALS, "code" => told.code.as_str(), "reason" => reason).increment(1);
    }
}
