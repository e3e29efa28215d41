//! Problem documents (RFC 9457): what every error looks like, whoever raised it.

use std::borrow::Cow;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::host::{HostError, Kind, StoreError};
use crate::rules::Reason;
use crate::session::{Damaged, Refusal, Version};

use super::body::json;

/// After how many seconds it is worth trying again when the server could not serve, and when it had no
/// room: then others have to end first.
pub(super) const RETRY_AFTER: u32 = 1;
const RETRY_AFTER_FULL: u32 = 60;

const TOO_MANY_WATCH: &str = "As many watch as may. Try again when somebody has left, or look at it now and then.";

const TOO_MANY_SEARCHES: &str = "As many searches wait as may. Try again in a moment.";

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "`meaning` says it, for people")]
pub enum Code {
    MalformedRequest,
    InvalidIdempotencyKey,
    TokenRequired,
    InvalidToken,
    NotAPlayer,
    NotHost,
    NoSuchSession,
    NoSuchGame,
    NoSuchRace,
    NoSuchPath,
    NoSuchVersion,
    NoSuchSeat,
    MethodNotAllowed,
    RequestTimeout,
    SessionOver,
    NoMoves,
    NothingToUndo,
    NothingToRedo,
    NothingToPlay,
    UndoNotAllowed,
    HistoryFull,
    SessionNotOver,
    SessionFull,
    RaceFull,
    RaceNotOpen,
    RaceRunning,
    RaceOver,
    TooFewPlayers,
    StaleVersion,
    BodyTooLarge,
    UnsupportedMediaType,
    InvalidRequest,
    InvalidDeck,
    NoWinnableDeal,
    IllegalMove,
    IdempotencyKeyReused,
    RateLimited,
    InternalError,
    LogDamaged,
    AtCapacity,
    Busy,
    NoDealReady,
    ShuttingDown,
    StoreUnavailable,
}

impl Code {
    /// All of them, by status.
    pub const ALL: [Code; 44] = [
        Code::MalformedRequest,
        Code::InvalidIdempotencyKey,
        Code::TokenRequired,
        Code::InvalidToken,
        Code::NotAPlayer,
        Code::NotHost,
        Code::NoSuchSession,
        Code::NoSuchGame,
        Code::NoSuchRace,
        Code::NoSuchPath,
        Code::NoSuchVersion,
        Code::NoSuchSeat,
        Code::MethodNotAllowed,
        Code::RequestTimeout,
        Code::SessionOver,
        Code::NoMoves,
        Code::NothingToUndo,
        Code::NothingToRedo,
        Code::NothingToPlay,
        Code::UndoNotAllowed,
        Code::HistoryFull,
        Code::SessionNotOver,
        Code::SessionFull,
        Code::RaceFull,
        Code::RaceNotOpen,
        Code::RaceRunning,
        Code::RaceOver,
        Code::TooFewPlayers,
        Code::StaleVersion,
        Code::BodyTooLarge,
        Code::UnsupportedMediaType,
        Code::InvalidRequest,
        Code::InvalidDeck,
        Code::NoWinnableDeal,
        Code::IllegalMove,
        Code::IdempotencyKeyReused,
        Code::RateLimited,
        Code::InternalError,
        Code::LogDamaged,
        Code::AtCapacity,
        Code::Busy,
        Code::NoDealReady,
        Code::ShuttingDown,
        Code::StoreUnavailable,
    ];

    /// Its stable name, in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        self.row().0
    }

    /// The status that it is answered with.
    pub const fn status(self) -> StatusCode {
        self.row().1
    }

    /// What it is, in a few words.
    pub const fn title(self) -> &'static str {
        self.row().2
    }

    /// What it means and what can be done, for people.
    pub const fn meaning(self) -> &'static str {
        self.row().3
    }

    #[rustfmt::skip]
    const fn row(self) -> (&'static str, StatusCode, &'static str, &'static str) {
        match self {
            Code::MalformedRequest => ("malformed_request", StatusCode::BAD_REQUEST, "The request cannot be read",
                "The body is not JSON in UTF-8, or not of the schema: a field is unknown, missing, there twice, or of another type. Or a query parameter is unknown, there twice, or no number. `field` says which, where one is to blame."),
            Code::InvalidIdempotencyKey => ("invalid_idempotency_key", StatusCode::BAD_REQUEST, "That is no key",
                "An `Idempotency-Key` has 1 to 64 visible ASCII characters, and 22 or more where it stands for somebody who is not known yet: when a session or a race is made or joined. A request has one of them."),
            Code::TokenRequired => ("token_required", StatusCode::UNAUTHORIZED, "A player’s token is needed",
                "Only players change a session or a race. Send `Authorization: Bearer` with the token that was given when it was made or joined."),
            Code::InvalidToken => ("invalid_token", StatusCode::UNAUTHORIZED, "That is no token",
                "What came in `Authorization` has not the form of a token: `Bearer` and 64 lower-case hexadecimal digits."),
            Code::NotAPlayer => ("not_a_player", StatusCode::FORBIDDEN, "The token is of no player here",
                "The token is well formed, but of another session or race, or of a seat that was left."),
            Code::NotHost => ("not_host", StatusCode::FORBIDDEN, "Only the host may do that",
                "Giving up a shared session, removing a session, making somebody else leave and starting a race are for the host."),
            Code::NoSuchSession => ("no_such_session", StatusCode::NOT_FOUND, "There is no such session",
                "There is none of that id, it has expired or was removed, or it is private and you are not one of its players. To join a private session, send its invite."),
            Code::NoSuchGame => ("no_such_game", StatusCode::NOT_FOUND, "There is no such game",
                "`GET /v1/games` lists the games and their ids."),
            Code::NoSuchRace => ("no_such_race", StatusCode::NOT_FOUND, "There is no such race",
                "There is none of that id, it has expired, or it is private and you are not one of its players. To join a private race, send its invite."),
            Code::NoSuchPath => ("no_such_path", StatusCode::NOT_FOUND, "There is nothing at this path",
                "The path is none of the API’s. Paths have no slash at their end."),
            Code::NoSuchVersion => ("no_such_version", StatusCode::NOT_FOUND, "The session has no such version",
                "Versions go from 1, after creation, to the `version` of the session as it stands."),
            Code::NoSuchSeat => ("no_such_seat", StatusCode::NOT_FOUND, "Nobody sits there",
                "`players` lists the seats that are taken; only such a one can be left."),
            Code::MethodNotAllowed => ("method_not_allowed", StatusCode::METHOD_NOT_ALLOWED, "The path has no such method",
                "`Allow` lists the methods that it has."),
            Code::RequestTimeout => ("request_timeout", StatusCode::REQUEST_TIMEOUT, "The request took too long to arrive",
                "The body did not arrive in time. Nothing was changed; send the request again."),
            Code::SessionOver => ("session_over", StatusCode::CONFLICT, "The game is over",
                "Nothing can be played any more. Of a lost game moves can be undone, if the session was made with undo."),
            Code::NoMoves => ("no_moves", StatusCode::CONFLICT, "No move can be recommended",
                "No move is left, or the server finds none that gets any further. Moves can be undone, if the session was made with undo; the outlook says whether the game is proved to be stuck."),
            Code::NothingToUndo => ("nothing_to_undo", StatusCode::CONFLICT, "There is nothing to undo",
                "Nothing has been played yet, or all of it has been undone."),
            Code::NothingToRedo => ("nothing_to_redo", StatusCode::CONFLICT, "There is nothing to redo",
                "Nothing has been undone since the last move."),
            Code::NothingToPlay => ("nothing_to_play", StatusCode::CONFLICT, "There is nothing to play by itself",
                "No card goes up by itself now; one that could start any of several places that differ is left to the player. Nor is drawing the only legal move, if it was asked for."),
            Code::UndoNotAllowed => ("undo_not_allowed", StatusCode::CONFLICT, "This session has no undo",
                "The session was made with `\"undo\": false`, or belongs to a race."),
            Code::HistoryFull => ("history_full", StatusCode::CONFLICT, "The history is full",
                "It holds as many entries as it may. It can still be resigned, left or removed."),
            Code::SessionNotOver => ("session_not_over", StatusCode::CONFLICT, "The session is not over",
                "How its deal can be won is a secret until it is over for good. A lost game that can be undone is not: give it up first."),
            Code::SessionFull => ("session_full", StatusCode::CONFLICT, "Every seat is taken",
                "The session has no free seat. It can be watched, and joined when somebody has left."),
            Code::RaceFull => ("race_full", StatusCode::CONFLICT, "Every seat is taken",
                "The race has no free seat. It can be joined when somebody has left, as long as it has not started."),
            Code::RaceNotOpen => ("race_not_open", StatusCode::CONFLICT, "The race has started",
                "The cards are dealt: nobody can join any more, and it cannot be started again."),
            Code::RaceRunning => ("race_running", StatusCode::CONFLICT, "The session belongs to a race",
                "While a race goes on, its sessions have no hints, no autoplay and no solution, and cannot be removed or left by themselves. Leave the race instead, or resign."),
            Code::RaceOver => ("race_over", StatusCode::CONFLICT, "The race is over",
                "Everybody has come to an end; nobody can leave any more."),
            Code::TooFewPlayers => ("too_few_players", StatusCode::CONFLICT, "A race needs two players",
                "Start it when somebody has joined."),
            Code::StaleVersion => ("stale_version", StatusCode::PRECONDITION_FAILED, "The version is another by now",
                "Somebody else was first: the version is not the one in `If-Match`. Look at what there is now and decide again. A weak or unquoted tag never matches."),
            Code::BodyTooLarge => ("body_too_large", StatusCode::PAYLOAD_TOO_LARGE, "The body is too large",
                "No request of this API needs so long a body."),
            Code::UnsupportedMediaType => ("unsupported_media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must be JSON",
                "Send the body with `Content-Type: application/json`."),
            Code::InvalidRequest => ("invalid_request", StatusCode::UNPROCESSABLE_ENTITY, "A value is not allowed",
                "The request can be read, but the value of `field` is out of its range, or none of those that are allowed there."),
            Code::InvalidDeck => ("invalid_deck", StatusCode::UNPROCESSABLE_ENTITY, "The cards are no deck of this game",
                "A deck lists every card of the game’s packs in dealing order, 52 or 104 of them."),
            Code::NoWinnableDeal => ("no_winnable_deal", StatusCode::UNPROCESSABLE_ENTITY, "There is hardly a deal that can be won",
                "With these options so many deals were tried in vain that no more are tried for a while. Choose other options, or ask for any deal."),
            Code::IllegalMove => ("illegal_move", StatusCode::UNPROCESSABLE_ENTITY, "The move is against the rules",
                "`reason` names the rule that it breaks, the first that applies. `legal_moves` of a session lists all moves that can be made."),
            Code::IdempotencyKeyReused => ("idempotency_key_reused", StatusCode::UNPROCESSABLE_ENTITY, "The key was used for another request",
                "Something else was done under this `Idempotency-Key`. Use a new key for each thing that is to be done, and the same only to send the same request again."),
            Code::RateLimited => ("rate_limited", StatusCode::TOO_MANY_REQUESTS, "That is too many requests",
                "More requests have come from one address, or for one player, than the server takes in this time. Wait as long as `retry_after` says."),
            Code::InternalError => ("internal_error", StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong here",
                "It is the server’s fault. Its log has more, under the `x-request-id` of the answer."),
            Code::LogDamaged => ("log_damaged", StatusCode::INTERNAL_SERVER_ERROR, "The session cannot be read",
                "What is stored of the session has been damaged. Other sessions are not affected."),
            Code::AtCapacity => ("at_capacity", StatusCode::SERVICE_UNAVAILABLE, "There is no room for more",
                "The server keeps as many sessions as it may. Try again when others have ended."),
            Code::Busy => ("busy", StatusCode::SERVICE_UNAVAILABLE, "Too much at once",
                "Too many wait for the same session or for a search, or the answer took too long. Try again in a moment."),
            Code::NoDealReady => ("no_deal_ready", StatusCode::SERVICE_UNAVAILABLE, "No deal is ready that can be won",
                "One is being looked for. Try again in a moment."),
            Code::ShuttingDown => ("shutting_down", StatusCode::SERVICE_UNAVAILABLE, "The server is stopping",
                "It finishes what it has begun and takes no more."),
            Code::StoreUnavailable => ("store_unavailable", StatusCode::SERVICE_UNAVAILABLE, "Sessions cannot be reached",
                "What keeps the sessions does not answer. Whether a change was made is not known: look at the session before you repeat it."),
        }
    }
}

/// A problem: its kind, and what it is about this time.
#[derive(Debug)]
pub struct Problem {
    code: Code,
    detail: Cow<'static, str>,
    reason: Option<Reason>,
    version: Option<Version>,
    field: Option<Box<str>>,
    retry_after: Option<u32>,
}

/// A problem document, as it is sent.
#[derive(Serialize)]
struct Document<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Version>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
}

impl Problem {
    /// A problem, with a sentence that says what is wrong this time.
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Problem {
        Problem { code, detail: detail.into(), reason: None, version: None, field: None, retry_after: None }
    }

    /// A problem about which there is no more to say than what it means.
    pub fn plain(code: Code) -> Problem {
        Problem::new(code, code.meaning())
    }

    /// The field of the request that is to blame, with dots between levels. One without a name cannot be told.
    pub fn at_field(self, field: impl Into<String>) -> Problem {
        let field = shortened(field.into());
        Problem { field: (!field.is_empty()).then(|| field.into()), ..self }
    }

    /// After which time it is worth trying again.
    pub(super) fn retry_in(self, wait: Duration) -> Problem {
        let seconds = wait.as_millis().div_ceil(1_000).max(1);
        Problem { retry_after: Some(u32::try_from(seconds).unwrap_or(u32::MAX)), ..self }
    }

    /// Says which version of the session it is about, where that is of use.
    pub(super) fn about(self, version: Version) -> Problem {
        let of_use = [StatusCode::CONFLICT, StatusCode::PRECONDITION_FAILED, StatusCode::UNPROCESSABLE_ENTITY];
        Problem { version: of_use.contains(&self.code.status()).then_some(version), ..self }
    }

    fn retry_after(&self) -> Option<u32> {
        match (self.code, self.code.status()) {
            _ if self.retry_after.is_some() => self.retry_after,
            (Code::AtCapacity, _) => Some(RETRY_AFTER_FULL),
            (_, StatusCode::SERVICE_UNAVAILABLE) => Some(RETRY_AFTER),
            _ => None,
        }
    }

    fn document(&self) -> Document<'_> {
        Document {
            r#type: format!("/problems/{}", self.code.as_str()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            reason: self.reason.map(Reason::code),
            version: self.version,
            field: self.field.as_deref(),
            retry_after: self.retry_after(),
        }
    }
}

/// What a client wrote is not given back at any length.
pub(super) fn shortened(text: String) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.code.status(), json(&self.document())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.code.status() == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Told { code: self.code, reason: self.reason });
        response
    }
}

/// What a client was told, for the log.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) code: Code,
    pub(super) reason: Option<Reason>,
}

impl From<HostError> for Problem {
    fn from(error: HostError) -> Problem {
        match error {
            HostError::NoSuch(Kind::Session) => Problem::plain(Code::NoSuchSession),
            HostError::NoSuch(Kind::Race) => Problem::plain(Code::NoSuchRace),
            HostError::TooManyWatch => Problem::new(Code::Busy, TOO_MANY_WATCH),
            HostError::TooManySearches => Problem::new(Code::Busy, TOO_MANY_SEARCHES),
            HostError::NoWinnableDeal => Problem::plain(Code::NoWinnableDeal).at_field("winnable"),
            HostError::NoDealReady => Problem::plain(Code::NoDealReady),
            HostError::NoSuchVersion => Problem::plain(Code::NoSuchVersion),
            HostError::Refused { version, refusal } => Problem::from(refusal).about(version),
            HostError::KeyReused => Problem::plain(Code::IdempotencyKeyReused),
            HostError::Busy => Problem::plain(Code::Busy),
            HostError::AtCapacity => Problem::plain(Code::AtCapacity),
            HostError::Store(error @ StoreError::Damaged(_)) => {
                tracing::error!(%error, "a log is damaged");
                Problem::plain(Code::LogDamaged)
            }
            HostError::Store(error) => {
                tracing::error!(%error, "the store failed");
                Problem::plain(Code::StoreUnavailable)
            }
            HostError::Damaged(error @ (Damaged::Later(_) | Damaged::UnknownGame { .. })) => {
                tracing::warn!(%error, "a log is for a later version of the program");
                let detail =
                    "A later version of the server has written here, and this one cannot read that. Another node may.";
                Problem::new(Code::StoreUnavailable, detail)
            }
            HostError::Damaged(error) => {
                tracing::error!(%error, "a log is damaged");
                Problem::plain(Code::LogDamaged)
            }
            HostError::Failed => Problem::plain(Code::InternalError),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let code = match refusal {
            Refusal::TokenRequired => Code::TokenRequired,
            Refusal::InvalidToken => Code::InvalidToken,
            Refusal::NotVisible => Code::NoSuchSession,
            Refusal::NotAPlayer => Code::NotAPlayer,
            Refusal::NotHost => Code::NotHost,
            Refusal::KeyReused => Code::IdempotencyKeyReused,
            Refusal::StaleVersion => Code::StaleVersion,
            Refusal::SessionOver => Code::SessionOver,
            Refusal::NoMoves => Code::NoMoves,
            Refusal::SessionNotOver => Code::SessionNotOver,
            Refusal::UndoNotAllowed => Code::UndoNotAllowed,
            Refusal::NothingToUndo => Code::NothingToUndo,
            Refusal::NothingToRedo => Code::NothingToRedo,
            Refusal::NothingToPlay => Code::NothingToPlay,
            Refusal::HistoryFull => Code::HistoryFull,
            Refusal::NoSuchSeat => Code::NoSuchSeat,
            Refusal::SessionFull => Code::SessionFull,
            Refusal::RaceFull => Code::RaceFull,
            Refusal::RaceNotOpen => Code::RaceNotOpen,
            Refusal::RaceRunning => Code::RaceRunning,
            Refusal::RaceOver => Code::RaceOver,
            Refusal::TooFewPlayers => Code::TooFewPlayers,
            Refusal::Illegal(reason) => return Problem::from(reason),
        };
        Problem::plain(code)
    }
}

impl From<Reason> for Problem {
    fn from(reason: Reason) -> Problem {
        Problem { reason: Some(reason), ..Problem::new(Code::IllegalMove, reason.sentence()) }
    }
}
