//! `POST /v1/sessions/{id}/redo`: what was taken back is played again.

use serde_json::json;

use crate::app::TestApp;
use crate::undo::table;

#[tokio::test]
async fn redo_plays_again_what_was_taken_back_the_last_first() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    let mut tables = vec![table(&seat.first)];
    for _ in 0..10 {
        let session = app.session(&seat).await;
        let play = session["legal_moves"].as_array().unwrap().last().unwrap().clone();
        tables.push(table(&app.play(&seat, &play).await.expect(200).json()));
    }
    for _ in 0..7 {
        app.undo(&seat).await.expect(200);
    }
    for (redone, expected) in (1..).zip(&tables[4..]) {
        let session = app.redo(&seat).await.expect(200).json();
        assert_eq!(table(&session), *expected, "{redone} redone");
        assert_eq!(session["version"], 18 + redone);
        assert_eq!(session["can_redo"], redone < 7);
    }
    app.unmoved(&seat, app.redo(&seat)).await.refused(409, "nothing_to_redo");
}

#[tokio::test]
async fn a_new_move_ends_what_could_be_redone_and_a_refusal_does_not() {
    let app = TestApp::start().await;
    let seat = app.plain("napoleons-square").await;
    app.unmoved(&seat, app.redo(&seat)).await.refused(409, "nothing_to_redo");
    for _ in 0..3 {
        app.draw(&seat).await.expect(200);
    }
    for _ in 0..2 {
        app.undo(&seat).await.expect(200);
    }
    app.play(&seat, &json!({"type": "redeal"})).await.refused(422, "illegal_move");
    assert_eq!(app.redo(&seat).await.expect(200).json()["can_redo"], true);
    let session = app.draw(&seat).await.expect(200).json();
    assert_eq!([&session["can_redo"], &session["moves"]], [&json!(false), &json!(3)]);
    app.unmoved(&seat, app.redo(&seat)).await.refused(409, "nothing_to_redo");
}
