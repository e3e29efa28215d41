//! Versions as entity tags: `ETag`, `If-Match` and `If-None-Match` (RFC 9110, sections 8.8 and 13.1).

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::session::{Precondition, Version};

/// The tag of a version: its number in quotes.
pub(super) fn etag(version: Version) -> HeaderValue {
    // Digits and quotes are always a header's value.
    HeaderValue::try_from(format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// What `If-Match` demands. Weak, unquoted and unknown tags match no version.
pub(super) fn if_match(headers: &HeaderMap) -> Precondition {
    let mut tags = tags(headers, header::IF_MATCH).peekable();
    if tags.peek().is_none() {
        return Precondition::None;
    }
    let mut versions = Vec::new();
    for tag in tags {
        match tag {
            "*" => return Precondition::None,
            tag => versions.extend(version_of(tag)),
        }
    }
    Precondition::AnyOf(versions)
}

/// Whether `If-None-Match` says that the client has this version already; weak tags will do.
pub(super) fn has_already(headers: &HeaderMap, version: Version) -> bool {
    knows(headers, |tag| version_of(tag) == Some(version))
}

/// Whether `If-None-Match` names the tag of what is asked for, quotes included, weak or not.
pub(super) fn knows(headers: &HeaderMap, is_it: impl Fn(&str) -> bool) -> bool {
    tags(headers, header::IF_NONE_MATCH).any(|tag| tag == "*" || is_it(tag.strip_prefix("W/").unwrap_or(tag)))
}

/// All the tags of a header; what is no text is a tag that matches nothing.
fn tags(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).iter().flat_map(|value| value.to_str().unwrap_or("?").split(',').map(str::trim))
}

fn version_of(tag: &str) -> Option<Version> {
    let digits = tag.strip_prefix('"')?.strip_suffix('"')?;
    let version: Version = digits.parse().ok()?;
    (version.to_string() == digits).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn if_match_takes_strong_tags_lists_and_a_star() {
        let cases: [(&[&str], Precondition); 9] = [
            (&[], Precondition::None),
            (&["*"], Precondition::None),
            (&["\"17\""], Precondition::AnyOf(vec![17])),
            (&["\"1\", \"2\"", "\"3\""], Precondition::AnyOf(vec![1, 2, 3])),
            (&["17"], Precondition::AnyOf(vec![])),
            (&["W/\"17\""], Precondition::AnyOf(vec![])),
            (&["\"017\", \"+1\", \"\", \"-1\""], Precondition::AnyOf(vec![])),
            (&[""], Precondition::AnyOf(vec![])),
            (&["\"99999999999999999999\""], Precondition::AnyOf(vec![])),
        ];
        for (values, expected) in cases {
            assert_eq!(if_match(&headers(header::IF_MATCH, values)), expected, "{values:?}");
        }
    }

    #[test]
    fn if_none_match_compares_weakly() {
        let cases: [(&[&str], bool); 6] = [
            (&[], false),
            (&["\"17\""], true),
            (&["W/\"17\""], true),
            (&["\"16\", \"17\""], true),
            (&["*"], true),
            (&["17"], false),
        ];
        for (values, expected) in cases {
            assert_eq!(has_already(&headers(header::IF_NONE_MATCH, values), 17), expected, "{values:?}");
        }
    }
}
