//! `…/solution`: how the deal of a session that is over could have been won.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use crate::http::answer::solved;
use crate::http::change::Seen;
use crate::http::{App, Problem, query};

pub(super) async fn show(State(app): State<App>, seen: Seen, uri: Uri) -> Result<Response, Problem> {
    let [] = query::parameters(&uri, [])?;
    let solution = app.host().solution(&seen.state)?;
    Ok(solved(&seen.state, &solution))
}
