//! `/v1/sessions/{id}/…`: what players do to a session.

use axum::extract::State;
use axum::response::Response;

use crate::http::answer::shown;
use crate::http::change::{Change, Wish};
use crate::http::wire::{Autoplay, Redo, Resign, Undo};
use crate::http::{App, Problem};
use crate::rules::Proposal;
use crate::session::{Command, Session};

pub(super) async fn play(State(app): State<App>, change: Change<Proposal>) -> Result<Response, Problem> {
    make(&app, change).await
}

pub(super) async fn autoplay(State(app): State<App>, change: Change<Autoplay>) -> Result<Response, Problem> {
    make(&app, change).await
}

pub(super) async fn undo(State(app): State<App>, change: Change<Undo>) -> Result<Response, Problem> {
    make(&app, change).await
}

pub(super) async fn redo(State(app): State<App>, change: Change<Redo>) -> Result<Response, Problem> {
    make(&app, change).await
}

pub(super) async fn resign(State(app): State<App>, change: Change<Resign>) -> Result<Response, Problem> {
    make(&app, change).await
}

async fn make<T: Wish<Of = Session> + Into<Command>>(app: &App, change: Change<T>) -> Result<Response, Problem> {
    let (live, change) = change.command();
    let session = app.host().change(&live, change).await?;
    Ok(shown(&session))
}
