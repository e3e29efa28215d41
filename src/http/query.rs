//! Query strings: parameters that are known, each at most once.

use axum::http::Uri;

use super::{Code, Problem};

/// The values of these parameters, in their order.
///
/// # Errors
/// If there is another parameter, or one twice.
pub(super) fn parameters<const N: usize>(uri: &Uri, known: [&str; N]) -> Result<[Option<String>; N], Problem> {
    let mut values = [const { None }; N];
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        let wrong = |detail| Err(Problem::new(Code::MalformedRequest, detail).at_field(name.to_string()));
        match known.iter().position(|&each| each == name) {
            None => return wrong("There is no such query parameter here."),
            Some(place) if values[place].is_some() => return wrong("This query parameter may be there only once."),
            Some(place) => values[place] = Some(value.into_owned()),
        }
    }
    Ok(values)
}

/// A whole number; one that no machine could hold is the greatest or least that this one can.
///
/// # Errors
/// If it is no integer.
pub(super) fn integer(name: &str, text: &str) -> Result<i64, Problem> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::new(Code::MalformedRequest, "This query parameter is a whole number.").at_field(name));
    }
    let extreme = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Ok(text.parse().unwrap_or(extreme))
}
