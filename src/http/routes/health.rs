//! `/healthz` and `/readyz`: for those who run the server.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::json;

use crate::http::{App, Code, Problem, body};

const NO_STORE: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

/// The process is up.
pub(super) async fn is_up() -> impl IntoResponse {
    (NO_STORE, body::json(&json!({ "status": "ok" })))
}

/// It can serve: it is not stopping, and its store can be used.
pub(super) async fn is_ready(State(app): State<App>) -> Result<impl IntoResponse, Problem> {
    if app.is_draining() {
        return Err(Problem::plain(Code::ShuttingDown));
    }
    app.host().ready().await?;
    Ok((NO_STORE, body::json(&json!({ "status": "ready" }))))
}
