//! The one door for changes: what can be judged of a change before its session or race is locked.
//!
//! In this order: it exists and may be seen; the one who asks is a player; the query; the body. What
//! depends on its state (version, seat, rules) is judged when it is the change's turn, by
//! [`decide`](crate::session::decide()).

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;

use crate::host::{Host, HostError, Live, Logged};
use crate::session::race::{Race, RaceChange, RaceCommand};
use crate::session::{
    self, Command, Credential, Gathering, IdempotencyKey, Precondition, RaceId, Refusal, Role, Seat, Session, SessionId,
};

use super::credential::credential;
use super::idempotency::idempotency_key;
use super::precondition::if_match;
use super::{App, Code, Problem, body, query};

/// What has a URL of its own, people sit at, and can be changed.
pub(super) trait Resource: Logged<Id: FromStr> {
    /// What is answered where there is none.
    const MISSING: Code;

    /// One of that id, at hand.
    fn find(host: &Arc<Host>, id: Self::Id) -> impl Future<Output = Result<Arc<Live<Self>>, HostError>> + Send;

    /// One of that id as it was known last.
    fn find_to_change(
        host: &Arc<Host>,
        id: Self::Id,
    ) -> impl Future<Output = Result<Arc<Live<Self>>, HostError>> + Send;
}

impl Resource for Session {
    const MISSING: Code = Code::NoSuchSession;

    async fn find(host: &Arc<Host>, id: SessionId) -> Result<Arc<Live>, HostError> {
        host.find(id).await
    }

    async fn find_to_change(host: &Arc<Host>, id: SessionId) -> Result<Arc<Live>, HostError> {
        host.find_to_change(id).await
    }
}

impl Resource for Race {
    const MISSING: Code = Code::NoSuchRace;

    async fn find(host: &Arc<Host>, id: RaceId) -> Result<Arc<Live<Race>>, HostError> {
        host.find_race(id).await
    }

    async fn find_to_change(host: &Arc<Host>, id: RaceId) -> Result<Arc<Live<Race>>, HostError> {
        host.find_race_to_change(id).await
    }
}

/// A change to a session or a race that is well formed, by one of its players.
pub(super) struct Change<T: Wish> {
    pub(super) live: Arc<Live<T::Of>>,
    pub(super) who: Credential,
    pub(super) key: Option<IdempotencyKey>,
    pub(super) precondition: Precondition,
    pub(super) wish: T,
}

impl<T: Wish<Of = Session> + Into<Command>> Change<T> {
    /// The change as the session judges it.
    pub(super) fn command(self) -> (Arc<Live>, session::Change) {
        let Change { live, who, key, precondition, wish } = self;
        (live, session::Change { who, key, precondition, command: wish.into() })
    }
}

impl<T: Wish<Of = Race> + Into<RaceCommand>> Change<T> {
    /// The change as the race judges it.
    pub(super) fn race_command(self) -> (Arc<Live<Race>>, RaceChange) {
        let Change { live, who, key, precondition, wish } = self;
        (live, RaceChange { who, key, precondition, command: wish.into() })
    }
}

/// What a request asks for.
pub(super) trait Wish: Send + Sized {
    /// What it is to be done to.
    type Of: Resource;

    /// Who may ask for it.
    const ROLE: Role;

    /// Reads it from a request.
    ///
    /// # Errors
    /// If the body is not of its schema, or a value is out of range.
    fn read(parts: &Parts, body: &[u8]) -> Result<Self, Problem>;
}

impl<T: Wish> FromRequest<App> for Change<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Change<T>, Problem> {
        let (mut parts, body) = request.into_parts();
        let (id, who) = (id_in::<T::Of>(&mut parts, app).await?, credential(&parts.headers));
        let mut live = T::Of::find_to_change(app.host(), id).await?;
        let mut admitted = admit::<T>(&live.current(), &parts, &who);
        if admitted.is_err() {
            // It may have changed elsewhere meanwhile.
            live = T::Of::find(app.host(), id).await?;
            admitted = admit::<T>(&live.current(), &parts, &who);
        }
        let (seat, state) = (admitted?, live.current());
        app.rates().change(T::Of::log(state.id()), seat)?;
        let read = async {
            let [] = query::parameters(&parts.uri, [])?;
            let body = body::read(body, app.limits()).await?;
            let key = idempotency_key(&parts, &body)?;
            Ok((T::read(&parts, &body)?, key))
        };
        let (wish, key) = match read.await {
            Ok(read) => read,
            Err(problem) => return Err(refused_now::<T>(problem, id, &parts, &who, app).await),
        };
        Ok(Change { live, who, key, precondition: if_match(&parts.headers), wish })
    }
}

/// Why a change is refused that cannot be read: for the sake of who asks for it, if he may not any more.
async fn refused_now<T: Wish>(
    problem: Problem,
    id: <T::Of as Gathering>::Id,
    parts: &Parts,
    who: &Credential,
    app: &App,
) -> Problem {
    let state = match T::Of::find(app.host(), id).await {
        Ok(live) => live.current(),
        Err(error) => return error.into(),
    };
    match admit::<T>(&state, parts, who) {
        Err(problem) => problem,
        Ok(_) if !state.is_visible_to(who) => Problem::plain(T::Of::MISSING),
        Ok(_) => problem.about(state.version()),
    }
}

/// The seat of one who may ask for something.
///
/// # Errors
/// If he may not.
fn admit<T: Wish>(state: &T::Of, parts: &Parts, who: &Credential) -> Result<Seat, Problem> {
    match state.judge(who, T::ROLE) {
        Ok(seat) => Ok(seat),
        // Whoever has left may ask again for what he has asked for before.
        Err(_) if is_repeat(state, parts, who) => Ok(NOBODY),
        Err(refusal) => Err(refused::<T::Of>(refusal)),
    }
}

/// Under which seat those are counted who have none.
const NOBODY: Seat = 0;

/// Whether somebody has used the key of a request before, as far as can be told before the body is read.
fn is_repeat<G: Gathering>(state: &G, parts: &Parts, who: &Credential) -> bool {
    matches!(idempotency_key(parts, b""), Ok(Some(key)) if state.keys().were_used_by(who, &key))
}

fn refused<G: Resource>(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::NotVisible => Problem::plain(G::MISSING),
        refusal => refusal.into(),
    }
}

/// A session or a race that exists and that the one who asks may see, as it stands.
pub(super) struct Seen<G: Resource = Session> {
    pub(super) live: Arc<Live<G>>,
    pub(super) state: Arc<G>,
    pub(super) who: Credential,
}

impl<G: Resource> FromRequestParts<App> for Seen<G> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Seen<G>, Problem> {
        let live = found::<G>(parts, app).await?;
        let (state, who) = (live.current(), credential(&parts.headers));
        let visible = state.is_visible_to(&who);
        visible.then_some(Seen { live, state, who }).ok_or_else(|| Problem::plain(G::MISSING))
    }
}

/// What the path names, whoever asks.
///
/// # Errors
/// If there is none of that id.
pub(super) async fn found<G: Resource>(parts: &mut Parts, app: &App) -> Result<Arc<Live<G>>, Problem> {
    let id = id_in::<G>(parts, app).await?;
    Ok(G::find(app.host(), id).await?)
}

/// The id in the path.
async fn id_in<G: Resource>(parts: &mut Parts, app: &App) -> Result<G::Id, Problem> {
    let missing = || Problem::plain(G::MISSING);
    let path = RawPathParams::from_request_parts(parts, app).await.map_err(|_| missing())?;
    let id = path.iter().find(|(name, _)| *name == "id").and_then(|(_, id)| id.parse().ok());
    id.ok_or_else(missing)
}
