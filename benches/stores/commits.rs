//! SQLite under moves over HTTP, beside nothing but commits of as many rows in the same file format with
//! the same settings.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use crate::support::Spread;
use crate::support::contest::{self, Contender, Round, Terms};
use crate::support::load::Server;
use crate::support::play::{Recording, record};
use crate::support::process::{Pinning, patience};
use crate::{GAMES, MOVES, Place, in_file};

/// About what an entry takes.
const ROW_BYTES: usize = 48;

/// Compares moves a second with rows a second that are committed in groups of as many as there are
/// connections.
pub(crate) async fn compare() {
    let terms = Terms::asked_for();
    let place = Place::new("commits");
    let pinning = Pinning::start();
    let games: Arc<[Recording]> = record(GAMES, MOVES).into();
    let mut served = [Contender::new("sqlite", Server::Real, patience(&pinning, &[in_file(&place)]))];
    let mut ratios = Vec::new();
    let (mut moves, mut rows) = (Vec::new(), Vec::new());
    let mut raw = Raw::open(&place.file("raw.db"));
    for _ in 0..terms.rounds {
        contest::hold(&mut served, &games, Terms { rounds: 1, ..terms }).await;
        let of_moves = served[0].rounds.last().map_or(0.0, Round::per_second);
        let of_rows = raw.rows_per_second(terms.connections, Duration::from_secs(terms.seconds as u64));
        ratios.push(of_moves / of_rows);
        moves.push(of_moves);
        rows.push(of_rows);
    }
    println!("moves a second at {} connections: {}", terms.connections, Spread::of(moves));
    println!("raw rows a second, {} a commit: {}", terms.connections, Spread::of(rows));
    println!("moves/rows: {} (goal: 0.6 or more)", Spread::of(ratios));
}

/// A database with one table.
struct Raw {
    connection: Connection,
    next: i64,
}

impl Raw {
    fn open(path: &Path) -> Raw {
        let connection = Connection::open(path).expect("a database can be made");
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                 CREATE TABLE entries (log INTEGER, version INTEGER, record BLOB, PRIMARY KEY (log, version)) WITHOUT ROWID;",
            )
            .expect("a table can be made");
        Raw { connection, next: 0 }
    }

    /// How many rows a second are committed, each to another log, as moves are.
    fn rows_per_second(&mut self, group: usize, length: Duration) -> f64 {
        let row = [7_u8; ROW_BYTES];
        let (began, mut rows) = (Instant::now(), 0);
        while began.elapsed() < length {
            let transaction = self.connection.transaction().expect("a transaction");
            {
                let mut insert =
                    transaction.prepare_cached("INSERT INTO entries VALUES (?, ?, ?)").expect("a statement");
                for log in 0..group {
                    insert.execute(params![log as i64, self.next, &row[..]]).expect("a row");
                }
            }
            transaction.commit().expect("a commit");
            self.next += 1;
            rows += group;
        }
        rows as f64 / began.elapsed().as_secs_f64()
    }
}
