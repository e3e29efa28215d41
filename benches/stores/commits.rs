//! SQLite under moves over HTTP, beside nothing but commits of what as many moves write: an entry, and what
//! changes in the summary of a session, in the same file format with the same settings.
//!
//! Nothing is pinned here: server, load and disk take what they find, as those commits do.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use crate::support::Spread;
use crate::support::contest::{self, Contender, Load, Round, Terms};
use crate::support::load::Server;
use crate::support::play::recorded;
use crate::support::process::{Pinning, patience};
use crate::{Place, in_file};

/// About what an entry takes.
const RECORD_BYTES: usize = 48;

/// Compares moves a second with those that are committed in groups of as many as there are connections.
pub(crate) async fn compare() {
    let terms = Terms { load: Load::Asleep, ..Terms::asked_for() };
    let place = Place::new("commits");
    let pinning = Pinning::none();
    let games = recorded();
    let mut served = [Contender::new("sqlite", Server::Real, patience(&pinning, &[in_file(&place)]))];
    let mut ratios = Vec::new();
    let (mut moves, mut rows) = (Vec::new(), Vec::new());
    let mut raw = Raw::open(&place.file("raw.db"), terms.connections);
    for _ in 0..terms.rounds {
        contest::hold(&mut served, &games, Terms { rounds: 1, ..terms }).await;
        let of_moves = served[0].rounds.last().map_or(0.0, Round::per_second);
        let of_rows = raw.moves_per_second(terms.connections, Duration::from_secs(terms.seconds as u64));
        ratios.push(of_moves / of_rows);
        moves.push(of_moves);
        rows.push(of_rows);
    }
    println!("moves a second at {} connections: {}", terms.connections, Spread::of(moves));
    println!("raw moves a second, {} a commit: {}", terms.connections, Spread::of(rows));
    println!("moves/raw: {} (goal: 0.6 or more)", Spread::of(ratios));
}

/// A database with the two tables that a move writes to.
struct Raw {
    connection: Connection,
    next: i64,
}

impl Raw {
    fn open(path: &Path, sessions: usize) -> Raw {
        let connection = Connection::open(path).expect("a database can be made");
        let tables = "
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE logs (number INTEGER PRIMARY KEY, id BLOB, game TEXT, version INTEGER, chain BLOB,
                updated_at INTEGER, expires_at INTEGER) STRICT;
            CREATE TABLE entries (log INTEGER, version INTEGER, record BLOB, PRIMARY KEY (log, version))
                STRICT, WITHOUT ROWID;";
        connection.execute_batch(tables).expect("tables can be made");
        for number in 0..sessions {
            let row = params![number as i64, [number as u8; 16]];
            let sql = "INSERT INTO logs VALUES (?, ?, 'napoleons-square', 1, zeroblob(8), 0, 0)";
            connection.execute(sql, row).expect("a row");
        }
        Raw { connection, next: 2 }
    }

    /// How many moves a second are committed, each in another session.
    fn moves_per_second(&mut self, group: usize, length: Duration) -> f64 {
        let (began, mut moves) = (Instant::now(), 0);
        while began.elapsed() < length {
            self.commit(group).expect("a commit");
            moves += group;
        }
        moves as f64 / began.elapsed().as_secs_f64()
    }

    fn commit(&mut self, group: usize) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        let mut insert = transaction.prepare_cached("INSERT INTO entries VALUES (?, ?, ?)")?;
        let sql = "UPDATE logs SET version = ?2, chain = ?3, updated_at = ?4, expires_at = ?5 WHERE number = ?1";
        let mut update = transaction.prepare_cached(sql)?;
        for session in 0..group as i64 {
            insert.execute(params![session, self.next, [7_u8; RECORD_BYTES]])?;
            update.execute(params![session, self.next, self.next.to_le_bytes(), self.next, self.next])?;
        }
        drop((insert, update));
        self.next += 1;
        transaction.commit()
    }
}
