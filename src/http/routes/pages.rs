//! The built-in table and the API's reference, as pages and the files that they load.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::precondition::knows;
use crate::http::{Code, Problem};
use crate::web::{self, File};

/// What a page may do: load its own files, draw, and ask its own server. Neither scripts nor styles stand in a page.
const TABLE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The viewer of the reference makes styles as it goes, and has small pictures in them.
const REFERENCE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Files are sent as they are, or compressed.
const VARIES: (HeaderName, &str) = (header::VARY, "accept-encoding");

/// What has a version in its name never changes.
const FOREVER: &str = "public, max-age=31536000, immutable";

pub(super) async fn table(headers: HeaderMap) -> Response {
    page(web::table(), TABLE, &headers)
}

pub(super) async fn reference(headers: HeaderMap) -> Response {
    page(web::reference(), REFERENCE, &headers)
}

pub(super) async fn asset(
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let file = path.ok().and_then(|Path((version, name))| web::asset(&version, &name));
    let file = file.ok_or_else(|| Problem::plain(Code::NoSuchPath))?;
    Ok(([(header::CACHE_CONTROL, FOREVER), VARIES], contents(file, &headers)).into_response())
}

/// A page is asked for again each time, and sent if it is another one.
fn page(file: &'static File, policy: &'static str, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", web::version());
    let response = match knows(headers, |known| known == tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => contents(file, headers),
    };
    let about = [(header::CACHE_CONTROL, "no-cache"), (header::CONTENT_SECURITY_POLICY, policy), VARIES];
    ([(header::ETAG, tag)], about, response).into_response()
}

fn contents(file: &'static File, headers: &HeaderMap) -> Response {
    let about = [(header::CONTENT_TYPE, file.media_type())];
    if takes_gzip(headers) {
        (about, [(header::CONTENT_ENCODING, "gzip")], file.gzip).into_response()
    } else {
        (about, file.plain).into_response()
    }
}

/// Whether somebody says that he understands gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut codings = values.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = quality.trim().strip_prefix("q=").is_some_and(|quality| quality.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}
