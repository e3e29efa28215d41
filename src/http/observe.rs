//! What surrounds every request: an id, one line in the log, and a net for panics.

use std::any::Any;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::rules::Reason;
use crate::session::{RaceId, SessionId};

use super::manners::be_careful;
use super::problem::Told;
use super::{App, Code, Problem, metrics};

/// Gives the request an id and writes one line about it when it is answered. The line has no header,
/// no query, no body, and of the path only the route and the id of a session or a race, so it has no secret.
pub(super) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = format!("{:016x}", rand::random::<u64>());
    let method = known(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (session, race) = named(request.uri().path());

    let mut response = next.run(request).await;
    be_careful(response.headers_mut());

    if let Ok(id) = HeaderValue::try_from(&id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    let status = response.status();
    let told = response.extensions().get::<Told>();
    let code = told.map(|told| told.code.as_str());
    let reason = told.and_then(|told| told.reason).map(Reason::code);
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let (session, race) = (session.map(tracing::field::display), race.map(tracing::field::display));
    let status_code = status.as_u16();
    let took = started.elapsed();
    if app.is_measured() {
        metrics::count(method, route, &response, took);
    }
    let micros = took.as_micros() as u64;
    macro_rules! answered {
        ($level:ident) => {
            tracing::$level!(request = %id, method, route, session, race, status = status_code, code, reason, micros, "answered")
        };
    }
    match status {
        StatusCode::SERVICE_UNAVAILABLE => answered!(warn),
        _ if status.is_server_error() => answered!(error),
        _ => answered!(info),
    }
    response
}

/// The session, or the race, that a path names.
fn named(path: &str) -> (Option<SessionId>, Option<RaceId>) {
    let mut segments = path.split('/').skip(2);
    match (segments.next(), segments.next()) {
        (Some("sessions"), Some(id)) => (id.parse().ok(), None),
        (Some("races"), Some(id)) => (None, id.parse().ok()),
        _ => (None, None),
    }
}

/// A method by its name, if it is one of those that paths have: others could be of any number and length.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Answers a request whose handler has panicked.
pub(super) fn answer_panic(_: Box<dyn Any + Send>) -> Response {
    Problem::plain(Code::InternalError).into_response()
}
