//! How many requests there may be at once, and how long each may take.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::Body as _;

use super::{App, Code, Problem};

const TOO_MANY: &str = "The server has as many requests in hand as it takes. Nothing was done.";

const TOO_LONG: &str = "The answer took too long. A change that was asked for may still be made: look at the session before you repeat it.";

/// Turns a request away when there are too many, and ends one that takes too long. A change that has
/// begun is finished all the same.
///
/// Nobody reads a body that is longer than it may be, so its connection ends with the answer: always, and not
/// only when the answer was there before the body was.
pub(super) async fn bounded(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_too_long = request.body().size_hint().lower() > app.limits().body_bytes as u64;
    let mut response = in_time(&app, request, next).await;
    if is_too_long {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn in_time(app: &App, request: Request, next: Next) -> Response {
    let Ok(_place) = app.places().try_acquire() else {
        return Problem::new(Code::Busy, TOO_MANY).into_response();
    };
    match tokio::time::timeout(app.limits().request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::new(Code::Busy, TOO_LONG).into_response(),
    }
}
