//! Joining a session or a race: the one change by somebody who is nobody there yet.

use std::sync::Arc;

use axum::extract::Request;

use crate::host::Live;
use crate::session::{Credential, Joining, is_invited};

use super::change::{Resource, found};
use super::idempotency::unguessable_key;
use super::precondition::if_match;
use super::wire::JoiningBody;
use super::{App, Problem, body, query};

/// Reads a wish to join, and what it is about.
///
/// # Errors
/// If there is no such session or race, or the wish cannot be read. Somebody who has no invite to a
/// private one must not find out that it exists, so the request is read in any case, and whatever is
/// wrong with it, that one is not there.
pub(super) async fn asked<G: Resource>(request: Request, app: &App) -> Result<(Arc<Live<G>>, Joining), Problem> {
    let (mut parts, body) = request.into_parts();
    let read = async {
        let [] = query::parameters(&parts.uri, [])?;
        let body = body::read(body, app.limits()).await?;
        Ok((JoiningBody::read(&parts.headers, &body)?, body))
    };
    let read: Result<_, Problem> = read.await;
    let live = found::<G>(&mut parts, app).await?;
    let state = live.current();
    let invite = read.as_ref().map_or(Credential::None, |(wish, _)| wish.invite());
    if !is_invited(&*state, &invite) {
        return Err(Problem::plain(G::MISSING));
    }
    let wish = read.and_then(|(wish, body)| {
        let (name, key) = (wish.name()?, unguessable_key(&parts, &body)?);
        Ok(Joining { name, invite, key, precondition: if_match(&parts.headers) })
    });
    Ok((live, wish.map_err(|problem| problem.about(state.version()))?))
}
