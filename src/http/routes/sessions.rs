//! `/v1/sessions`: sessions are made, shown and removed.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::http::answer::{opened, shown_unless_known};
use crate::http::change::{Change, Seen};
use crate::http::idempotency::unguessable_key;
use crate::http::wire::{NewSessionBody, Remove, Wished, write_history, write_sessions};
use crate::http::{App, Code, Problem, body, listing, query};
use crate::session::{Gathering, Version};

pub(super) async fn create(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let [] = query::parameters(&parts.uri, [])?;
    let body = body::read(body, app.limits()).await?;
    let key = unguessable_key(&parts, &body)?;
    let (session, opening) = match body::parse::<NewSessionBody>(&parts.headers, &body)?.try_into()? {
        Wished::AsSaid(new) => app.host().create(new, key).await?,
        Wished::Winnable(new) => app.host().create_winnable(new, key).await?,
    };
    Ok(opened(&session, &opening))
}

pub(super) async fn list(State(app): State<App>, uri: Uri) -> Result<Response, Problem> {
    let asked = listing::Asked::of_sessions(&uri)?;
    let page = app.host().list(&asked.wanted, asked.before, asked.limit).await?;
    Ok(listing::page(page.next, |out, next| write_sessions(out, &page.found, next)))
}

pub(super) async fn show(
    State(app): State<App>,
    seen: Seen,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let [version] = query::parameters(&uri, ["version"])?;
    let session = match version {
        None => seen.state,
        Some(version) => app.host().session_at(&seen.live, version_of(&version)?).await?,
    };
    Ok(shown_unless_known(&session, &headers))
}

/// A version in a query. No session has one below 1 or beyond what a version can be.
fn version_of(text: &str) -> Result<Version, Problem> {
    Ok(Version::try_from(query::integer("version", text)?).unwrap_or(0))
}

pub(super) async fn remove(State(app): State<App>, change: Change<Remove>) -> Result<StatusCode, Problem> {
    app.host().remove(&change.live, change.who, change.precondition).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn history(State(app): State<App>, seen: Seen, uri: Uri) -> Result<Response, Problem> {
    let page = Page::of(&uri).map_err(|problem| problem.about(seen.state.version()))?;
    let session = &seen.state;
    let Page { after, limit } = page;
    let entries = app.host().history(session.id(), after, limit).await?;
    let last = after.saturating_add(entries.len() as Version);
    let next = (last < session.version()).then_some(last);
    let page = body::json_by(|out| write_history(out, session.engine(), after, &entries, next));
    Ok(([(header::CACHE_CONTROL, "private, no-cache"), (header::VARY, "Authorization")], page).into_response())
}

/// Which entries of a history are asked for.
struct Page {
    after: Version,
    limit: usize,
}

impl Page {
    /// How many entries a page has when nothing is said, and at most.
    const DEFAULT: i64 = 100;
    const MOST: i64 = 1_000;

    fn of(uri: &Uri) -> Result<Page, Problem> {
        let [after, limit] = query::parameters(uri, ["after", "limit"])?;
        let after = after.map_or(Ok(0), |text| query::integer("after", &text))?;
        let limit = limit.map_or(Ok(Page::DEFAULT), |text| query::integer("limit", &text))?;
        if after < 0 {
            return Err(Problem::new(Code::InvalidRequest, "Versions are 0 or more here.").at_field("after"));
        }
        if !(1..=Page::MOST).contains(&limit) {
            return Err(Problem::new(Code::InvalidRequest, "A page has 1 to 1,000 entries.").at_field("limit"));
        }
        Ok(Page { after: Version::try_from(after).unwrap_or(Version::MAX), limit: limit as usize })
    }
}
