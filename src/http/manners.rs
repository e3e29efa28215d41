//! What browsers are told: to be careful with every answer, which methods a path has, and which other
//! sites may read the answers.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower::{Layer, ServiceExt, service_fn};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::{Code, Problem};

/// What is sent with every answer. Nothing here is to be framed, guessed at, or told of elsewhere, and
/// what is not JSON loads nothing.
const CAREFUL: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

/// Adds what is sent with every answer.
pub(super) fn be_careful(headers: &mut HeaderMap) {
    for (name, value) in CAREFUL {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Adds `OPTIONS` to the methods that the router has found for a path.
pub(super) fn allow_options(mut response: Response) -> Response {
    let allowed = response.headers().get(header::ALLOW).and_then(|allowed| allowed.to_str().ok());
    if let Some(Ok(allowed)) = allowed.map(|allowed| HeaderValue::try_from(format!("{allowed},OPTIONS"))) {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

/// The answer to a method that a path does not have. The router adds those that it has.
pub(super) async fn other_method(method: Method) -> Response {
    match method {
        Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        _ => Problem::plain(Code::MethodNotAllowed).into_response(),
    }
}

/// How long a browser may remember what it was told about other sites.
const REMEMBER: Duration = Duration::from_secs(3_600);

/// What a site of one of these origins may do.
pub(super) fn sharing(origins: &[HeaderValue]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins.iter().cloned()))
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([
            header::ETAG,
            header::LOCATION,
            header::CONTENT_LOCATION,
            header::RETRY_AFTER,
            header::ALLOW,
            header::WWW_AUTHENTICATE,
            HeaderName::from_static("x-request-id"),
        ])
        .vary([header::ORIGIN])
        .max_age(REMEMBER)
}

/// Lets sites of some other origins in. `OPTIONS` that is no preflight is about the path and not about
/// origins.
pub(super) async fn share(State(sharing): State<CorsLayer>, request: Request, next: Next) -> Response {
    let is_preflight = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if request.method() == Method::OPTIONS && !is_preflight {
        return next.run(request).await;
    }
    let inner = service_fn(move |request| {
        let next = next.clone();
        async move { Ok::<_, Infallible>(next.run(request).await) }
    });
    let Ok(response) = sharing.layer(inner).oneshot(request).await;
    response
}
