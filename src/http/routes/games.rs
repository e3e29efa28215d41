//! `/v1/games`: the catalogue.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{Uri, header};
use axum::response::IntoResponse;
use serde::Serialize;

use crate::games::CATALOGUE;
use crate::http::body::json;
use crate::http::wire::{GameBody, game_of};
use crate::http::{Code, Problem, query};

/// The catalogue changes with a release, so it may be kept for a while.
const CACHE: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "public, max-age=300")];

#[derive(Serialize)]
struct List {
    items: Vec<GameBody>,
    next: Option<String>,
}

pub(super) async fn list(uri: Uri) -> Result<impl IntoResponse, Problem> {
    let [] = query::parameters(&uri, [])?;
    let items = CATALOGUE.into_iter().map(GameBody).collect();
    Ok((CACHE, json(&List { items, next: None })))
}

pub(super) async fn show(path: Result<Path<String>, PathRejection>, uri: Uri) -> Result<impl IntoResponse, Problem> {
    let Path(id) = path.map_err(|_| Problem::plain(Code::NoSuchGame))?;
    let game = game_of(&id)?;
    let [] = query::parameters(&uri, [])?;
    Ok((CACHE, json(&GameBody(game))))
}
