//! `/openapi.yaml`: the contract, as it is written.

use axum::http::header;
use axum::response::IntoResponse;

const CONTRACT: &str = include_str!("../../../openapi.yaml");

/// The contract changes with a release, so it may be kept for a while.
const HEADERS: [(header::HeaderName, &str); 2] =
    [(header::CONTENT_TYPE, "application/yaml"), (header::CACHE_CONTROL, "public, max-age=300")];

pub(super) async fn show() -> impl IntoResponse {
    (HEADERS, CONTRACT)
}
