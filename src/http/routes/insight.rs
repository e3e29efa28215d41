//! `…/hint` and `…/outlook`: what could be done in a session, from what has been seen of it.

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::http::answer::{foretold, hinted};
use crate::http::change::Seen;
use crate::http::{App, Problem, query};

pub(super) async fn hint(
    State(app): State<App>,
    seen: Seen,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let [] = query::parameters(&uri, [])?;
    let hint = app.host().hint(&seen.live, &seen.state).await?;
    Ok(hinted(&seen.state, &hint, &headers))
}

pub(super) async fn outlook(
    State(app): State<App>,
    seen: Seen,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let [] = query::parameters(&uri, [])?;
    let prospect = app.host().prospect(&seen.live, &seen.state).await?;
    Ok(foretold(&prospect, &headers))
}
