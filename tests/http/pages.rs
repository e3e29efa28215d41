//! The built-in table and the API's reference, as a browser gets them. They are no part of the API, so what is asked here
//! is not held against the contract.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::{Response, StatusCode};

use crate::app::TestApp;
use crate::client::Ask;
use crate::raw::Raw;

const TABLE: [&str; 4] =
    ["/", "/sessions/00000000-0000-4000-8000-000000000000", "/races/00000000-0000-4000-8000-000000000000", "/races/x"];

async fn get(app: &TestApp, ask: Ask) -> Response {
    app.client_of_its_own().execute(ask.request(app.address)).await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
}

/// The paths of the files that a page loads.
fn assets(page: &str) -> Vec<String> {
    page.split("=\"/assets/").skip(1).map(|rest| format!("/assets/{}", rest.split('"').next().unwrap())).collect()
}

#[tokio::test]
async fn the_table_is_one_page_wherever_it_is_and_its_scripts_and_styles_are_its_own_files() {
    let app = TestApp::start().await;
    let mut pages = Vec::new();
    for path in TABLE {
        let response = get(&app, Ask::get(path)).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(header(&response, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&response, "cache-control"), "no-cache");
        assert_eq!(header(&response, "x-frame-options"), "DENY");
        let policy = header(&response, "content-security-policy").to_string();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        pages.push(response.text().await.unwrap());
    }
    assert!(pages.iter().all(|page| *page == pages[0]));
    for inline in ["<script>", "<style>", "style=", "onclick="] {
        assert!(!pages[0].contains(inline), "{inline}");
    }
    assert!(assets(&pages[0]).len() > 10);
}

#[tokio::test]
async fn a_page_that_is_known_is_not_sent_again() {
    let app = TestApp::start().await;
    for path in ["/", "/docs"] {
        let tag = header(&get(&app, Ask::get(path)).await, "etag").to_string();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_string()] {
            let again = get(&app, Ask::get(path).header("if-none-match", &known)).await;
            assert_eq!((again.status(), header(&again, "etag")), (StatusCode::NOT_MODIFIED, &*tag), "{path}: {known}");
            assert_eq!(header(&again, "vary"), "accept-encoding");
            assert!(again.bytes().await.unwrap().is_empty());
        }
        let other = get(&app, Ask::get(path).header("if-none-match", "\"other\"")).await;
        assert_eq!(other.status(), 200, "{path}");
    }
}

#[tokio::test]
async fn what_pages_load_is_kept_for_ever_and_compressed_for_those_who_take_that() {
    let app = TestApp::start().await;
    for page in ["/", "/docs"] {
        let page = get(&app, Ask::get(page)).await.text().await.unwrap();
        for path in assets(&page) {
            let plain = get(&app, Ask::get(&path)).await;
            assert_eq!(plain.status(), 200, "{path}");
            assert_eq!(header(&plain, "cache-control"), "public, max-age=31536000, immutable", "{path}");
            assert_eq!((header(&plain, "content-encoding"), header(&plain, "vary")), ("", "accept-encoding"), "{path}");
            let media_type = match path.rsplit('.').next().unwrap() {
                "js" => "text/javascript; charset=utf-8",
                "css" => "text/css; charset=utf-8",
                _ => "image/svg+xml",
            };
            assert_eq!(header(&plain, "content-type"), media_type, "{path}");
            let packed = get(&app, Ask::get(&path).header("accept-encoding", "br, gzip;q=0.5")).await;
            assert_eq!(header(&packed, "content-encoding"), "gzip", "{path}");
            let mut unpacked = Vec::new();
            GzDecoder::new(&*packed.bytes().await.unwrap()).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, plain.bytes().await.unwrap(), "{path}");
            let refused = get(&app, Ask::get(&path).header("accept-encoding", "gzip;q=0, br")).await;
            assert_eq!(header(&refused, "content-encoding"), "", "{path}");
        }
    }
}

#[tokio::test]
async fn files_of_another_release_and_those_that_never_were_are_not_there() {
    let app = TestApp::start().await;
    let page = get(&app, Ask::get("/")).await.text().await.unwrap();
    let version = assets(&page)[0].split('/').nth(2).unwrap().to_string();
    for path in [
        "/assets/0000000000000000/main.js".to_string(),
        format!("/assets/{version}/nothing.js"),
        format!("/assets/{version}/../{version}/main.js"),
        format!("/assets/{version}/%2e%2e/main.js"),
        format!("/assets/{version}/%ff"),
        format!("/assets/{version}/"),
        "/sessions".to_string(),
        "/docs/".to_string(),
    ] {
        // Clients tidy paths up; this is sent as it is.
        let mut connection = Raw::connect(app.address).await;
        connection.send(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")).await;
        connection.answer(&path).await.unwrap().refused(404, "no_such_path");
    }
}

#[tokio::test]
async fn the_reference_is_a_page_that_shows_the_contract_of_this_server() {
    let app = TestApp::start().await;
    let response = get(&app, Ask::get("/docs")).await;
    assert_eq!(response.status(), 200);
    let policy = header(&response, "content-security-policy").to_string();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    let page = response.text().await.unwrap();
    let start = assets(&page).into_iter().find(|path| path.ends_with("start.js")).unwrap();
    assert!(get(&app, Ask::get(&start)).await.text().await.unwrap().contains("\"/openapi.yaml\""));
}
