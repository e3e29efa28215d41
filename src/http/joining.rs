//! Joining a session or a race: the one change by somebody who is nobody there yet.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::request::Parts;

use crate::host::Live;
use crate::session::Joining;

use super::change::{Resource, found};
use super::idempotency::unguessable_key;
use super::precondition::if_match;
use super::wire::JoiningBody;
use super::{App, Problem, body, query};

/// Reads a wish to join, and what it is about.
///
/// # Errors
/// If there is no such session or race, or the body is not of its schema. Somebody who has no invite to
/// a private one must not find out that it exists, so the body is read in any case, and if it cannot be,
/// that one is not there.
pub(super) async fn asked<G: Resource>(request: Request, app: &App) -> Result<(Arc<Live<G>>, Joining), Problem> {
    let (mut parts, body) = request.into_parts();
    let wish = async {
        let [] = query::parameters(&parts.uri, [])?;
        let body = body::read(body, app.limits()).await?;
        read(&parts, &body)
    };
    let wish = wish.await;
    let live = found::<G>(&mut parts, app).await?;
    let state = live.current();
    let wish = wish.map_err(|problem| match state.is_open_to_strangers() {
        true => problem.about(state.version()),
        false => Problem::plain(G::MISSING),
    })?;
    Ok((live, wish))
}

fn read(parts: &Parts, body: &[u8]) -> Result<Joining, Problem> {
    let key = unguessable_key(parts, body)?;
    let JoiningBody { name, invite } = JoiningBody::read(&parts.headers, body)?;
    Ok(Joining { name, invite, key, precondition: if_match(&parts.headers) })
}
