//! What stores cost: moves over HTTP with each of them, SQLite beside raw commits, and a great many
//! finished sessions on disk.
//!
//! `cargo bench --bench stores -- [--part moves|commits|archive] [--rounds 5] [--seconds 3]
//! [--connections 64] [--sessions 1000000] [--directory target]`; a Redis is started from `redis-server`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod archive;
mod commits;
mod redis_server;

use std::path::PathBuf;

use redis_server::RedisServer;
use support::contest::{self, Contender, Terms};
use support::load::Server;
use support::play::recorded;
use support::process::{Pinning, patience};

/// The allocator of the program, so that what this does in its own process costs the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    support::start(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        if support::is_asked_for("moves") {
            runtime.block_on(compare_moves());
        }
        if support::is_asked_for("commits") {
            runtime.block_on(commits::compare());
        }
        if support::is_asked_for("archive") {
            runtime.block_on(archive::measure());
        }
    });
}

/// A directory on the disk that is measured, which goes when this is dropped.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let directory = support::argument("--directory").unwrap_or("target".into());
        let place = PathBuf::from(directory).join(format!("bench-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&place).expect("a directory can be made");
        Place(place)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The argument that has the program keep its games in a file.
fn in_file(place: &Place) -> String {
    format!("--store=sqlite:{}", place.file("games.db").display())
}

async fn compare_moves() {
    let pinning = Pinning::start();
    let games = recorded();
    let place = Place::new("moves");
    let redis = RedisServer::start();
    let server = |name, store: String| Contender::new(name, Server::Real, patience(&pinning, &[store]));
    let mut contenders = [
        server("memory", "--store=memory".into()),
        server("sqlite", in_file(&place)),
        server("redis", format!("--store={}", redis.url())),
    ];
    contest::hold(&mut contenders, &games, Terms::asked_for()).await;
    contest::report(&contenders);
    let [memory, sqlite, redis] = &contenders;
    contest::report_ratio(sqlite, memory, "0.5 or more");
    contest::report_ratio(redis, memory, "0.35 or more");
}
