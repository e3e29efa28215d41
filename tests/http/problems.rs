//! `/problems/{code}`: what a problem means.

use axum::Router;
use axum::routing::get;
use patience::http;

use crate::app::TestApp;
use crate::client::Ask;

/// The codes of the contract that can be met so far, with the status of each.
const CODES: [(&str, u16); 40] = [
    ("malformed_request", 400),
    ("token_required", 401),
    ("invalid_token", 401),
    ("not_a_player", 403),
    ("not_host", 403),
    ("no_such_session", 404),
    ("no_such_game", 404),
    ("no_such_race", 404),
    ("no_such_path", 404),
    ("no_such_version", 404),
    ("no_such_seat", 404),
    ("method_not_allowed", 405),
    ("request_timeout", 408),
    ("session_over", 409),
    ("no_moves", 409),
    ("nothing_to_undo", 409),
    ("nothing_to_redo", 409),
    ("nothing_to_play", 409),
    ("undo_not_allowed", 409),
    ("history_full", 409),
    ("session_not_over", 409),
    ("session_full", 409),
    ("race_full", 409),
    ("race_not_open", 409),
    ("race_running", 409),
    ("race_over", 409),
    ("too_few_players", 409),
    ("stale_version", 412),
    ("body_too_large", 413),
    ("unsupported_media_type", 415),
    ("invalid_request", 422),
    ("invalid_deck", 422),
    ("no_winnable_deal", 422),
    ("illegal_move", 422),
    ("internal_error", 500),
    ("at_capacity", 503),
    ("busy", 503),
    ("no_deal_ready", 503),
    ("shutting_down", 503),
    ("store_unavailable", 503),
];

const REASONS: [&str; 18] = [
    "no_such_pile",
    "same_pile",
    "not_available",
    "empty_source",
    "too_many_cards",
    "not_a_run",
    "captive_to_foundation_only",
    "no_building",
    "pile_complete",
    "needs_base_card",
    "fill_from_the_left",
    "wrong_suit",
    "wrong_rank",
    "stock_empty",
    "play_waste_first",
    "stock_not_empty",
    "nothing_to_redeal",
    "no_redeals_left",
];

#[tokio::test]
async fn every_code_has_a_page_for_people_that_says_what_it_means() {
    let app = TestApp::start().await;
    for (code, status) in CODES {
        let page = app.get(&format!("/problems/{code}")).await.expect(200).text();
        assert!(page.contains(code) && page.contains(&status.to_string()), "{code}: {page}");
    }
    let page = app.get("/problems/illegal_move").await.text();
    for reason in REASONS {
        assert!(page.contains(reason), "{reason}: {page}");
    }
}

#[tokio::test]
async fn the_type_of_a_problem_leads_to_its_page() {
    let app = TestApp::start().await;
    for path in ["/nowhere", "/v1/games/klondike", "/v1/sessions/1", "/v1/games?x"] {
        let problem = app.get(path).await.json();
        let page = app.get(problem["type"].as_str().unwrap()).await.expect(200).text();
        assert!(page.contains(problem["title"].as_str().unwrap()), "{path}: {page}");
    }
}

#[tokio::test]
async fn what_is_no_code_has_no_page() {
    let app = TestApp::start().await;
    for path in ["/problems/klondike", "/problems/", "/problems", "/problems/Stale_Version", "/problems/%ff"] {
        app.raw("GET", path, &[], b"").await.refused(404, "no_such_path");
    }
    app.ask(Ask::post("/problems/busy")).await.refused(405, "method_not_allowed");
}

/// Paths whose handlers fail.
fn failing(app: http::App) -> Router {
    let panics = async || -> &'static str { panic!("told to") };
    http::surrounded(Router::new().route("/panics", get(panics)).route("/waits", get(std::future::pending::<()>)), app)
}

#[tokio::test]
async fn a_handler_that_panics_or_takes_too_long_is_a_problem_like_any_other() {
    let short = std::time::Duration::from_millis(100);
    let app = TestApp::serving(failing, |limits| limits.http.request_timeout = short).await;
    let refused = app.get("/panics").await.refused(500, "internal_error");
    assert!(!refused.text().contains("told to"), "the inside is shown: {}", refused.text());
    app.get("/waits").await.refused(503, "busy");
    app.get("/panics").await.refused(500, "internal_error");
    app.get("/elsewhere").await.refused(404, "no_such_path");
}
