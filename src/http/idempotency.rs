//! `Idempotency-Key`: what makes it harmless to send a change again.

use axum::http::HeaderName;
use axum::http::request::Parts;

use crate::session::IdempotencyKey;

use super::{Code, Problem};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The key of a request, if it has one. The method, the path and the bytes of the body tell the request
/// from others under the same key.
///
/// # Errors
/// If there are several, or it is not of the form of a key.
pub(super) fn idempotency_key(parts: &Parts, body: &[u8]) -> Result<Option<IdempotencyKey>, Problem> {
    let mut values = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
    let text = match (values.next(), values.next()) {
        (None, _) => return Ok(None),
        (Some(value), None) => value.to_str().unwrap_or_default(),
        (Some(_), Some(_)) => "",
    };
    let request = [parts.method.as_str().as_bytes(), parts.uri.path().as_bytes(), body];
    IdempotencyKey::new(text, &request).map(Some).map_err(|_| Problem::plain(Code::InvalidIdempotencyKey))
}

/// The key of a request by which somebody becomes known, if it has one. Whoever has the key will be
/// given the token again, so nobody may guess it.
///
/// # Errors
/// As [`idempotency_key`], or if it is short.
pub(super) fn unguessable_key(parts: &Parts, body: &[u8]) -> Result<Option<IdempotencyKey>, Problem> {
    let key = idempotency_key(parts, body)?;
    match key.as_ref().is_none_or(IdempotencyKey::is_unguessable) {
        true => Ok(key),
        false => Err(Problem::new(
            Code::InvalidIdempotencyKey,
            format!("Here a key has {} characters or more.", IdempotencyKey::UNGUESSABLE_CHARS),
        )),
    }
}
