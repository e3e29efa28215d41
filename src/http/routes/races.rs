//! `/v1/races`: races are made, joined, left, started and shown.

use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use crate::http::answer::{race_opened, race_seated, race_shown};
use crate::http::change::{Change, Seen};
use crate::http::idempotency::unguessable_key;
use crate::http::wire::{Leave, NewRaceBody, Start, Wished, write_races};
use crate::http::{App, Problem, body, joining, listing, query};
use crate::session::race::Race;

pub(super) async fn create(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let [] = query::parameters(&parts.uri, [])?;
    let body = body::read(body, app.limits()).await?;
    let key = unguessable_key(&parts, &body)?;
    let (race, opening) = match body::parse::<NewRaceBody>(&parts.headers, &body)?.try_into()? {
        Wished::AsSaid(new) => app.host().create_race(new, key).await?,
        Wished::Winnable(new) => app.host().create_winnable_race(new, key).await?,
    };
    Ok(race_opened(&race, &opening))
}

pub(super) async fn list(State(app): State<App>, uri: Uri) -> Result<Response, Problem> {
    let asked = listing::Asked::of_races(&uri)?;
    let page = app.host().list_races(&asked.wanted, asked.before, asked.limit).await?;
    Ok(listing::page(page.next, |out, next| write_races(out, &page.found, next)))
}

pub(super) async fn show(State(app): State<App>, seen: Seen<Race>, uri: Uri) -> Result<Response, Problem> {
    let [] = query::parameters(&uri, [])?;
    let standings = app.host().standings(&seen.state).await?;
    Ok(race_shown(&seen.state, &standings))
}

pub(super) async fn join(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (live, wish) = joining::asked::<Race>(request, &app).await?;
    let (race, ticket) = app.host().join_race(&live, wish).await?;
    Ok(race_seated(&race, &ticket))
}

pub(super) async fn leave(State(app): State<App>, change: Change<Leave<Race>>) -> Result<StatusCode, Problem> {
    let (live, change) = change.race_command();
    app.host().change_race(&live, change).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn start(State(app): State<App>, change: Change<Start>) -> Result<Response, Problem> {
    let (live, change) = change.race_command();
    let race = app.host().change_race(&live, change).await?;
    let standings = app.host().standings_as_dealt(&race).await?;
    Ok(race_shown(&race, &standings))
}
