//! `/healthz` and `/readyz`: for those who run the server.

use crate::app::TestApp;
use crate::client::Ask;

#[tokio::test]
async fn a_server_that_serves_is_healthy_and_ready() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/readyz"] {
        app.get(path).await.expect(200);
        app.ask(Ask::new("HEAD", path)).await.expect(200);
        app.ask(Ask::post(path)).await.refused(405, "method_not_allowed");
    }
}

#[tokio::test]
async fn a_server_that_drains_is_healthy_and_not_ready() {
    let app = TestApp::start().await;
    app.app.start_draining();
    app.get("/healthz").await.expect(200);
    app.get("/readyz").await.refused(503, "shutting_down");
}

#[tokio::test]
async fn a_server_whose_store_fails_is_healthy_and_not_ready_and_says_so_on_every_call() {
    let app = TestApp::start().await;
    let seat = app.plain("captive-queens").await;
    app.store.set_broken(true);
    app.get("/healthz").await.expect(200);
    app.get("/v1/games").await.expect(200);
    app.get("/readyz").await.refused(503, "store_unavailable");
    app.show(&seat).await.refused(503, "store_unavailable");
    app.draw(&seat).await.refused(503, "store_unavailable");
    app.delete(&seat).await.refused(503, "store_unavailable");
    app.wish(&serde_json::json!({"game": "captive-queens"})).await.refused(503, "store_unavailable");
    app.store.set_broken(false);
    app.get("/readyz").await.expect(200);
    assert_eq!(app.session(&seat).await, seat.first, "nothing was changed");
}
