//! How a session is shown, and what is told of it.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::host::{Hint, Prospect, Solution};
use crate::session::race::{Race, Standing};
use crate::session::{Gathering, Opening, RaceId, Session, Ticket, Version};

use super::body::json_by;
use super::precondition::{etag, has_already};
use super::problem::RETRY_AFTER;
use super::wire::{
    write_hint, write_opening, write_prospect, write_race, write_race_opening, write_race_seated, write_seated,
    write_session, write_solution,
};

/// The answer that shows a session.
pub(super) fn shown(session: &Session) -> Response {
    with_headers(session, json_by(|out| write_session(out, session)), "private, no-cache")
}

/// The answer that shows a session to one who may have it already.
pub(super) fn shown_unless_known(session: &Session, headers: &HeaderMap) -> Response {
    let response = unless_known(session.version(), headers, || json_by(|out| write_session(out, session)));
    with_headers(session, response, "private, no-cache")
}

/// The answer that recommends a move, to one who may have it already.
pub(super) fn hinted(session: &Session, hint: &Hint, headers: &HeaderMap) -> Response {
    told_unless_known(session.version(), headers, || json_by(|out| write_hint(out, session, hint)))
}

/// The answer that says whether anything can still be done, to one who may have it already.
pub(super) fn foretold(prospect: &Prospect, headers: &HeaderMap) -> Response {
    told_unless_known(prospect.version, headers, || json_by(|out| write_prospect(out, prospect)))
}

/// What is told of a version to one who may know it already.
fn told_unless_known(version: Version, headers: &HeaderMap, told: impl FnOnce() -> Response) -> Response {
    let mut response = unless_known(version, headers, told);
    response.headers_mut().insert(header::ETAG, etag(version));
    for_viewer(response, "private, no-cache")
}

/// What is told of a version, or that it has not changed since it was asked for.
fn unless_known(version: Version, headers: &HeaderMap, told: impl FnOnce() -> Response) -> Response {
    if has_already(headers, version) { (StatusCode::NOT_MODIFIED, Body::empty()).into_response() } else { told() }
}

/// The answer that tells how the deal of a session could have been won, or that this is being looked for.
pub(super) fn solved(session: &Session, solution: &Solution) -> Response {
    let mut response = for_viewer(json_by(|out| write_solution(out, session.engine(), solution)), "private, no-cache");
    if *solution == Solution::Sought {
        *response.status_mut() = StatusCode::ACCEPTED;
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
    }
    response
}

/// The answer to the one who has made a session: the only one that shows its secrets.
pub(super) fn opened(session: &Session, opening: &Opening) -> Response {
    let response = with_headers(session, json_by(|out| write_opening(out, session, opening)), "no-store");
    created(response, &format!("/v1/sessions/{}", session.id()))
}

/// The answer to the one who has joined: the only one that shows the token.
pub(super) fn seated(session: &Session, ticket: &Ticket) -> Response {
    let response = with_headers(session, json_by(|out| write_seated(out, session, ticket)), "no-store");
    (StatusCode::CREATED, response).into_response()
}

/// The answer that shows a race.
pub(super) fn race_shown(race: &Race, standings: &[Standing]) -> Response {
    for_viewer(json_by(|out| write_race(out, race, standings)), "private, no-cache")
}

/// The answer to the one who has made a race: the only one that shows its secrets.
pub(super) fn race_opened(race: &Race, opening: &Opening<RaceId>) -> Response {
    let response = for_viewer(json_by(|out| write_race_opening(out, race, opening)), "no-store");
    created(response, &format!("/v1/races/{}", race.id()))
}

/// The answer to the one who has joined a race: the only one that shows the token.
pub(super) fn race_seated(race: &Race, ticket: &Ticket) -> Response {
    let response = for_viewer(json_by(|out| write_race_seated(out, race, ticket)), "no-store");
    (StatusCode::CREATED, response).into_response()
}

/// Something was made, and is found there.
fn created(mut response: Response, location: &str) -> Response {
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

fn with_headers(session: &Session, mut response: Response, cache_control: &'static str) -> Response {
    let location = format!("/v1/sessions/{}?version={}", session.id(), session.version());
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag(session.version()));
    if let Ok(location) = HeaderValue::try_from(location) {
        headers.insert(header::CONTENT_LOCATION, location);
    }
    for_viewer(response, cache_control)
}

/// Whoever keeps an answer must not give it to somebody else.
fn for_viewer(mut response: Response, cache_control: &'static str) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
    response
}
