//! How values are written in the columns of the file.

use std::borrow::Cow;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::session::Timestamp;
use crate::store::{Append, Chain, Kind, LogId, Tail, Worth};

/// What the file says of a log besides its entries, as far as the writer needs it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// What names the row, and the entries.
    pub(super) number: i64,
    pub(super) tail: Tail,
    pub(super) heading: Heading,
    pub(super) listed: Option<u8>,
    /// When to look whether it has expired.
    pub(super) due: Timestamp,
    pub(super) worth: Worth,
}

/// What a log is counted under: a [`Standing`](crate::store::Standing) that may have been read from the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Heading {
    pub(super) kind: Kind,
    pub(super) game: Cow<'static, str>,
    pub(super) status: Cow<'static, str>,
}

impl Row {
    /// Finds the row of a log by the bytes of its id and by its kind.
    pub(super) const FIND: &str = "SELECT number, version, chain, kind, game, status, listed, due, played
                                   FROM logs WHERE id = ?1 AND kind = ?2";

    /// Reads what was found.
    ///
    /// # Errors
    /// If the columns are not what they should be.
    pub(super) fn read(columns: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
        Ok(Row {
            number: columns.get(0)?,
            tail: Tail { version: columns.get(1)?, chain: columns.get(2)? },
            heading: Heading {
                kind: columns.get(3)?,
                game: Cow::Owned(columns.get(4)?),
                status: Cow::Owned(columns.get(5)?),
            },
            listed: columns.get(6)?,
            due: columns.get(7)?,
            worth: columns.get(8)?,
        })
    }

    /// The row once some entries are added. That of a log that is begun has no number yet.
    pub(super) fn grown(before: Option<&Row>, append: &Append) -> Row {
        let expires_at = append.lease.expires_at;
        Row {
            number: before.map_or(0, |row| row.number),
            tail: Tail { version: append.version(), chain: append.chain() },
            heading: Heading {
                kind: append.id.kind(),
                game: append.standing.game.into(),
                status: append.standing.status.into(),
            },
            listed: append.listed,
            // A longer lease is found out when the shorter one ends; that way a move moves no index.
            due: before.map_or(expires_at, |row| row.due.min(expires_at)),
            worth: append.lease.worth,
        }
    }

    /// Whether another row differs at its end only, so that no index has to be touched.
    pub(super) fn is_found_like(&self, other: &Row) -> bool {
        self == &Row { tail: self.tail, ..other.clone() }
    }
}

/// The id of a log, from the columns of its kind and of its bytes.
///
/// # Errors
/// If they are not what they should be.
pub(super) fn log_id(columns: &rusqlite::Row<'_>, kind: usize, id: usize) -> rusqlite::Result<LogId> {
    Ok(LogId::from_bytes(columns.get(kind)?, columns.get(id)?))
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        // They end with the year 9999.
        Ok((self.as_millis() as i64).into())
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Timestamp> {
        let millis = value.as_i64()?;
        u64::try_from(millis).map(Timestamp::from_millis).map_err(|_| FromSqlError::OutOfRange(millis))
    }
}

impl ToSql for Chain {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_bytes().to_sql()
    }
}

impl FromSql for Chain {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Chain> {
        FromSql::column_result(value).map(Chain::from_bytes)
    }
}

impl ToSql for Kind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Kind::Session => 1.into(),
            Kind::Race => 2.into(),
        })
    }
}

impl FromSql for Kind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Kind> {
        match value.as_i64()? {
            1 => Ok(Kind::Session),
            2 => Ok(Kind::Race),
            other => Err(FromSqlError::OutOfRange(other)),
        }
    }
}

impl ToSql for Worth {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok((*self == Worth::Played).into())
    }
}

impl FromSql for Worth {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Worth> {
        Ok(if bool::column_result(value)? { Worth::Played } else { Worth::Unplayed })
    }
}
