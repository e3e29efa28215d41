//! Who asks: the bearer token of a request.

use axum::http::{HeaderMap, header};

use crate::session::{Credential, Secret};

/// What a request says about who asks.
pub(super) fn credential(headers: &HeaderMap) -> Credential {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Credential::None,
        (Some(value), None) => {
            let token = value.to_str().ok().and_then(bearer).and_then(|token| token.parse::<Secret>().ok());
            token.map_or(Credential::Malformed, |token| Credential::Token(token.hash()))
        }
        (Some(_), Some(_)) => Credential::Malformed,
    }
}

/// The token of `Bearer <token>`; the scheme's case does not matter (RFC 9110, section 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
}
