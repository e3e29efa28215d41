//! `/problems/{code}`: what a problem means, as a page for people.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{Html, IntoResponse};

use crate::http::{Code, Problem};
use crate::rules::Reason;

pub(super) async fn explain(path: Result<Path<String>, PathRejection>) -> Result<impl IntoResponse, Problem> {
    let known = |code: &Code| path.as_ref().is_ok_and(|Path(name)| name == code.as_str());
    let code = Code::ALL.into_iter().find(known).ok_or_else(|| Problem::plain(Code::NoSuchPath))?;
    Ok(Html(page(code)))
}

fn page(code: Code) -> String {
    let (name, status) = (code.as_str(), code.status());
    let (title, meaning) = (escaped(code.title()), escaped(code.meaning()));
    let reasons = if code == Code::IllegalMove { reasons() } else { String::new() };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{name}</title>\n\
         <h1>{title}</h1>\n<p><code>{name}</code>, {status}</p>\n<p>{meaning}</p>\n{reasons}</html>\n"
    )
}

fn reasons() -> String {
    let row =
        |reason: Reason| format!("<dt><code>{}</code></dt><dd>{}</dd>\n", reason.code(), escaped(reason.sentence()));
    let rows: String = Reason::ALL.into_iter().map(row).collect();
    format!("<h2>Reasons</h2>\n<dl>\n{rows}</dl>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
