//! Bodies of requests: read up to a limit and in a bounded time, then parsed strictly.

use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes};
use serde::de::DeserializeOwned;

use super::problem::shortened;
use super::{Code, Limits, Problem};

/// Reads a body whole.
///
/// # Errors
/// If it is longer than it may be (known from its announced length before a byte of it is read), takes
/// too long, or breaks off.
pub(super) async fn read(body: Body, limits: &Limits) -> Result<Bytes, Problem> {
    if body.size_hint().lower() > limits.body_bytes as u64 {
        return Err(too_large(limits));
    }
    let whole = Limited::new(body, limits.body_bytes).collect();
    match tokio::time::timeout(limits.body_timeout, whole).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(limits)),
        Ok(Err(_)) => Err(Problem::new(Code::MalformedRequest, "The body broke off before its end.")),
        Err(_) => Err(Problem::plain(Code::RequestTimeout)),
    }
}

fn too_large(limits: &Limits) -> Problem {
    Problem::new(Code::BodyTooLarge, format!("A body has at most {} bytes.", limits.body_bytes))
}

/// Parses a body as JSON.
///
/// # Errors
/// If it is not called JSON, is none, or not of this schema.
pub(super) fn parse<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Problem> {
    must_be_called_json(headers)?;
    // Serde would take a list of its values for a struct.
    if body.trim_ascii_start().first().is_some_and(|&first| first == b'[') {
        return Err(Problem::new(Code::MalformedRequest, "The body is an object, not a list."));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let problem = malformed(error.inner());
        let names_a_field = path != "." && !path.contains('?');
        if names_a_field { problem.at_field(path) } else { problem }
    })?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(read)
}

/// The same of a body that may be left out.
///
/// # Errors
/// As [`parse`].
pub(super) fn parse_if_any<T: DeserializeOwned + Default>(headers: &HeaderMap, body: &[u8]) -> Result<T, Problem> {
    if body.is_empty() { Ok(T::default()) } else { parse(headers, body) }
}

fn malformed(error: &serde_json::Error) -> Problem {
    let detail = format!("The body is not the JSON that is expected here: {error}.");
    Problem::new(Code::MalformedRequest, shortened(detail))
}

/// `application/json`, or a media type that says it is based on JSON, with any parameters.
fn must_be_called_json(headers: &HeaderMap) -> Result<(), Problem> {
    let mut names = headers.get_all(header::CONTENT_TYPE).iter();
    let name = names.next().filter(|_| names.next().is_none());
    let name = name.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = essence == "application/json" || essence.starts_with("application/") && essence.ends_with("+json");
    if is_json { Ok(()) } else { Err(Problem::plain(Code::UnsupportedMediaType)) }
}

/// How many bytes most answers have at most.
const TYPICAL_ANSWER: usize = 4_096;

/// An answer in JSON.
pub(super) fn json(body: &impl serde::Serialize) -> Response {
    json_by(|out| serde_json::to_writer(out, body))
}

/// An answer in JSON that is written by a function.
pub(super) fn json_by(write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>) -> Response {
    let mut bytes = Vec::with_capacity(TYPICAL_ANSWER);
    match write(&mut bytes).map(|()| bytes) {
        Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written");
            Problem::plain(Code::InternalError).into_response()
        }
    }
}
