//! One file a resource, and the table that says which path leads where.

mod games;
mod health;
mod plays;
mod problems;
mod sessions;

use axum::Router;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

use super::observe::{answer_panic, limit_time, observe};
use super::{App, Code, Problem};

/// All paths of the API.
pub fn router(app: App) -> Router {
    let paths = Router::new()
        .route("/v1/games", get(games::list))
        .route("/v1/games/{game}", get(games::show))
        .route("/v1/sessions", post(sessions::create))
        .route("/v1/sessions/{id}", get(sessions::show).delete(sessions::remove))
        .route("/v1/sessions/{id}/moves", post(plays::play))
        .route("/v1/sessions/{id}/undo", post(plays::undo))
        .route("/v1/sessions/{id}/redo", post(plays::redo))
        .route("/v1/sessions/{id}/resign", post(plays::resign))
        .route("/v1/sessions/{id}/history", get(sessions::history))
        .route("/healthz", get(health::is_up))
        .route("/readyz", get(health::is_ready))
        .route("/problems/{code}", get(problems::explain));
    surrounded(paths, app)
}

/// Paths with what surrounds every request: an id and a line in the log, a net for panics, a time
/// limit, and an answer where there is no such path or method.
pub fn surrounded(paths: Router<App>, app: App) -> Router {
    paths
        .fallback(async || Problem::plain(Code::NoSuchPath))
        .method_not_allowed_fallback(async || Problem::plain(Code::MethodNotAllowed))
        .layer(axum::middleware::from_fn_with_state(app.clone(), limit_time))
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(axum::middleware::from_fn(observe))
        .with_state(app)
}
