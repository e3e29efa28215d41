//! One file a resource, and the table that says which path leads where.

mod contract;
mod games;
mod health;
mod insight;
mod pages;
mod players;
mod plays;
mod problems;
mod races;
mod sessions;
mod solution;

use axum::Router;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::bounds::bounded;
use super::manners::{other_method, share};
use super::observe::{answer_panic, observe};
use super::rates::limit_creations;
use super::{App, Code, Problem, streams};
use crate::session::Session;
use crate::session::race::Race;

/// All paths of the API.
pub fn router(app: App) -> Router {
    // Here somebody comes who is not known yet.
    let newcomers = Router::new()
        .route("/v1/sessions", post(sessions::create))
        .route("/v1/sessions/{id}/players", post(players::join))
        .route("/v1/races", post(races::create))
        .route("/v1/races/{id}/players", post(races::join))
        .route_layer(from_fn_with_state(app.clone(), limit_creations));
    let sessions = Router::new()
        .route("/v1/sessions", get(sessions::list))
        .route("/v1/sessions/{id}", get(sessions::show).delete(sessions::remove))
        .route("/v1/sessions/{id}/moves", post(plays::play))
        .route("/v1/sessions/{id}/autoplay", post(plays::autoplay))
        .route("/v1/sessions/{id}/undo", post(plays::undo))
        .route("/v1/sessions/{id}/redo", post(plays::redo))
        .route("/v1/sessions/{id}/resign", post(plays::resign))
        .route("/v1/sessions/{id}/hint", get(insight::hint))
        .route("/v1/sessions/{id}/outlook", get(insight::outlook))
        .route("/v1/sessions/{id}/history", get(sessions::history))
        .route("/v1/sessions/{id}/solution", get(solution::show))
        .route("/v1/sessions/{id}/events", get(streams::open::<Session>))
        .route("/v1/sessions/{id}/presence", get(players::presence))
        .route("/v1/sessions/{id}/players/{seat}", delete(players::leave));
    let races = Router::new()
        .route("/v1/races", get(races::list))
        .route("/v1/races/{id}", get(races::show))
        .route("/v1/races/{id}/start", post(races::start))
        .route("/v1/races/{id}/events", get(streams::open::<Race>))
        .route("/v1/races/{id}/players/{seat}", delete(races::leave));
    surrounded(newcomers.merge(sessions).merge(races).merge(documents()).merge(pages()), app)
}

/// What is the same for everyone. Only this is compressed: where an answer has something secret in it
/// and something that others can choose, its length would tell of the secret.
fn documents() -> Router<App> {
    Router::new()
        .route("/v1/games", get(games::list))
        .route("/v1/games/{game}", get(games::show))
        .route("/openapi.yaml", get(contract::show))
        .route("/problems/{code}", get(problems::explain))
        .layer(CompressionLayer::new())
}

/// The built-in table, which is the same page wherever it is, and the API's reference. Their files are compressed
/// already.
fn pages() -> Router<App> {
    Router::new()
        .route("/", get(pages::table))
        .route("/sessions/{id}", get(pages::table))
        .route("/races/{id}", get(pages::table))
        .route("/docs", get(pages::reference))
        .route("/assets/{version}/{*name}", get(pages::asset))
}

/// What is found on a connection for which there is no place: a server that is full is well.
pub(super) fn turned_away(app: App) -> Router {
    let full = || Problem::new(Code::Busy, "The server has as many connections as it takes.");
    let paths = Router::new()
        .route("/healthz", get(health::is_up))
        .fallback(async move || ([(header::CONNECTION, "close")], full()));
    told_to_all(paths, app)
}

/// Paths with what surrounds every request: bounds, an answer where there is no such path or method, a
/// net for panics, the rules for other sites, an id and a line in the log. Those who ask how the server
/// is are not turned away when it is busy.
pub fn surrounded(paths: Router<App>, app: App) -> Router {
    let paths = paths
        .layer(from_fn_with_state(app.clone(), bounded))
        .route("/healthz", get(health::is_up))
        .route("/readyz", get(health::is_ready))
        .fallback(async || Problem::plain(Code::NoSuchPath))
        .method_not_allowed_fallback(other_method)
        .layer(CatchPanicLayer::custom(answer_panic));
    told_to_all(paths, app)
}

/// Adds what holds for every answer: the rules for other sites, an id, and a line in the log.
fn told_to_all(paths: Router<App>, app: App) -> Router {
    let paths = match app.sharing() {
        Some(sharing) => paths.layer(from_fn_with_state(sharing.clone(), share)),
        None => paths,
    };
    paths.layer(from_fn_with_state(app.clone(), observe)).with_state(app)
}
