//! The one door for changes: what can be judged of a change before its session is locked.
//!
//! In this order: the session exists and may be seen; the one who asks is a player; the query; the
//! body. What depends on the session's state (version, seat, rules) is judged when it is the change's
//! turn, by [`decide`](crate::session::decide()).

use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::sync::Arc;

use crate::host::Live;
use crate::session::{self, Command, Credential, IdempotencyKey, Precondition, Role, Session};

use super::credential::credential;
use super::idempotency::idempotency_key;
use super::precondition::if_match;
use super::{App, Code, Problem, body, query};

/// A change to a session that is well formed, by one of its players.
pub(super) struct Change<T> {
    pub(super) live: Arc<Live>,
    pub(super) who: Credential,
    pub(super) key: Option<IdempotencyKey>,
    pub(super) precondition: Precondition,
    pub(super) wish: T,
}

impl<T: Into<Command>> Change<T> {
    /// The change as the session judges it.
    pub(super) fn command(self) -> (Arc<Live>, session::Change) {
        let Change { live, who, key, precondition, wish } = self;
        (live, session::Change { who, key, precondition, command: wish.into() })
    }
}

/// What a body asks for.
pub(super) trait Wish: Sized {
    /// Who may ask for it.
    const ROLE: Role;

    /// Reads it from a body.
    ///
    /// # Errors
    /// If the body is not of its schema, or a value is out of range.
    fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, Problem>;
}

impl<T: Wish> FromRequest<App> for Change<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Change<T>, Problem> {
        let (mut parts, body) = request.into_parts();
        let Seen { live, session, who } = Seen::from_request_parts(&mut parts, app).await?;
        let seat = session.judge(&who, T::ROLE)?;
        app.rates().change(session.id(), seat)?;
        let read = async {
            let [] = query::parameters(&parts.uri, [])?;
            let body = body::read(body, app.limits()).await?;
            let key = idempotency_key(&parts, &body)?;
            Ok((T::read(&parts.headers, &body)?, key))
        };
        let (wish, key) = read.await.map_err(|problem: Problem| problem.about(session.version()))?;
        Ok(Change { live, who, key, precondition: if_match(&parts.headers), wish })
    }
}

/// A session that exists and that the one who asks may see, as it stands.
pub(super) struct Seen {
    pub(super) live: Arc<Live>,
    pub(super) session: Arc<Session>,
    pub(super) who: Credential,
}

impl FromRequestParts<App> for Seen {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Seen, Problem> {
        let path = Path::<String>::from_request_parts(parts, app).await;
        let id = path.ok().and_then(|Path(id)| id.parse().ok());
        let id = id.ok_or_else(|| Problem::plain(Code::NoSuchSession))?;
        let live = app.host().find(id).await?;
        let session = live.current();
        let who = credential(&parts.headers);
        let visible = session.is_visible_to(&who);
        visible.then_some(Seen { live, session, who }).ok_or_else(|| Problem::plain(Code::NoSuchSession))
    }
}
