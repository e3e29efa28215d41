//! `…/players`: who sits at a session, and who watches it.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::answer::seated;
use crate::http::change::{Change, Seen};
use crate::http::wire::{Leave, write_presence};
use crate::http::{App, Problem, body, joining, query};
use crate::session::Session;

pub(super) async fn join(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (live, wish) = joining::asked::<Session>(request, &app).await?;
    let (session, ticket) = app.host().join(&live, wish).await?;
    Ok(seated(&session, &ticket))
}

pub(super) async fn leave(State(app): State<App>, change: Change<Leave<Session>>) -> Result<StatusCode, Problem> {
    let (live, change) = change.command();
    app.host().change(&live, change).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn presence(State(app): State<App>, seen: Seen, request: Request) -> Result<Response, Problem> {
    let [] = query::parameters(request.uri(), [])?;
    let presence = app.host().presence(&seen.live).await?;
    let presence = body::json_by(|out| write_presence(out, &presence));
    Ok(([(header::CACHE_CONTROL, "no-store"), (header::VARY, "Authorization")], presence).into_response())
}
