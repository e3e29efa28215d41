//! Listings of what everyone may be told of: filters, pages, cursors.

use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};

use crate::host::{Kind, LogId, Place, Wanted};
use crate::session::Timestamp;

use super::wire::{self, Written};
use super::{Code, Problem, body, query};

/// How many items a page has when nothing is said, and at most.
const DEFAULT: i64 = 20;
const MOST: i64 = 100;

/// What is asked of a listing.
pub(super) struct Asked {
    pub(super) wanted: Wanted,
    pub(super) before: Option<Place>,
    pub(super) limit: usize,
}

impl Asked {
    /// Sessions, of a game, of a status, with free seats.
    ///
    /// # Errors
    /// If a parameter is unknown, or its value none.
    pub(super) fn of_sessions(uri: &Uri) -> Result<Asked, Problem> {
        let [game, status, free_seats, cursor, limit] =
            query::parameters(uri, ["game", "status", "free_seats", "cursor", "limit"])?;
        let status = status.map(|word| wire::status_wanted(&word)).transpose()?;
        Asked::new(Kind::Session, game, status, free_seats, cursor, limit)
    }

    /// Races that can be joined, of a game, with free seats.
    ///
    /// # Errors
    /// If a parameter is unknown, or its value none.
    pub(super) fn of_races(uri: &Uri) -> Result<Asked, Problem> {
        let [game, free_seats, cursor, limit] = query::parameters(uri, ["game", "free_seats", "cursor", "limit"])?;
        Asked::new(Kind::Race, game, None, free_seats, cursor, limit)
    }

    fn new(
        kind: Kind,
        game: Option<String>,
        status: Option<&'static str>,
        free_seats: Option<String>,
        cursor: Option<String>,
        limit: Option<String>,
    ) -> Result<Asked, Problem> {
        let number = |name, text: Option<String>, default| match text {
            Some(text) => query::integer(name, &text),
            None => Ok(default),
        };
        let game = game.map(|id| wire::game_wanted(&id)).transpose()?;
        let free_seats = number("free_seats", free_seats, 0)?;
        let limit = number("limit", limit, DEFAULT)?;
        let wrong = |field, detail| Problem::new(Code::InvalidRequest, detail).at_field(field);
        if !(0..=i64::from(u8::MAX)).contains(&free_seats) {
            return Err(wrong("free_seats", "There are 0 to 255 free seats."));
        }
        if !(1..=MOST).contains(&limit) {
            return Err(wrong("limit", "A page has 1 to 100 items."));
        }
        let read = |text: String| place_of(kind, &text).ok_or_else(|| wrong("cursor", "That is no cursor."));
        let before = cursor.map(read).transpose()?;
        let wanted = Wanted { kind, game, status, free_seats: free_seats as u8 };
        Ok(Asked { wanted, before, limit: limit as usize })
    }
}

/// A page, written by a function that is given the cursor of the next.
pub(super) fn page(next: Option<Place>, write: impl FnOnce(&mut Vec<u8>, Option<&str>) -> Written) -> Response {
    let next = next.map(cursor);
    let page = body::json_by(|out| write(out, next.as_deref()));
    ([(header::CACHE_CONTROL, "no-cache")], page).into_response()
}

/// A place as a client is given it; what is in it is nobody's business.
fn cursor(place: Place) -> String {
    let id = match place.id {
        LogId::Session(id) => id.to_string(),
        LogId::Race(id) => id.to_string(),
    };
    hex::encode(format!("{} {id}", place.begun_at.as_millis()))
}

fn place_of(kind: Kind, cursor: &str) -> Option<Place> {
    let text = String::from_utf8(hex::decode(cursor).ok()?).ok()?;
    let (millis, id) = text.split_once(' ')?;
    let id = match kind {
        Kind::Session => LogId::Session(id.parse().ok()?),
        Kind::Race => LogId::Race(id.parse().ok()?),
    };
    Some(Place { begun_at: Timestamp::from_millis(millis.parse().ok()?), id })
}
