//! How many requests there may be at once, and how long each may take.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{App, Code, Problem};

const TOO_MANY: &str = "The server has as many requests in hand as it takes. Nothing was done.";

const TOO_LONG: &str = "The answer took too long. A change that was asked for may still be made: look at the session before you repeat it.";

/// Turns a request away when there are too many, and ends one that takes too long. A change that has
/// begun is finished all the same.
pub(super) async fn bounded(State(app): State<App>, request: Request, next: Next) -> Response {
    let Ok(_place) = app.places().try_acquire() else {
        return Problem::new(Code::Busy, TOO_MANY).into_response();
    };
    match tokio::time::timeout(app.limits().request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::new(Code::Busy, TOO_LONG).into_response(),
    }
}
