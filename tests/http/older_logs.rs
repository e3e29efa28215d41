//! Logs that an older program wrote: they show what they showed to it, and go on.

use patience::session::race::Race;
use patience::session::{Entry, Session};
use patience::store::{Append, Chain, Logged, Record, SessionStore};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::client::Ask;

/// A log as it was found in the file of a server that had been played on, and what that server had shown of it.
#[derive(Deserialize)]
struct KeptLog {
    of: String,
    token: String,
    records: Vec<String>,
    shown: Value,
}

impl KeptLog {
    fn all() -> Vec<KeptLog> {
        serde_json::from_str(include_str!("../data/logs/format-1.json")).unwrap()
    }

    fn path(&self) -> String {
        let kind = self.of.split_once(", ").unwrap().0;
        format!("/v1/{kind}s/{}", self.shown["id"].as_str().unwrap())
    }

    /// A server in whose store it is, and all the others.
    async fn on_a_server(of: &str) -> (TestApp, KeptLog) {
        let app = TestApp::start().await;
        for log in KeptLog::all() {
            log.keep(&app).await;
        }
        let wanted = KeptLog::all().into_iter().find(|log| log.of == of).unwrap();
        (app, wanted)
    }

    async fn keep(&self, app: &TestApp) {
        let records = self.records.iter().map(|record| Record::from_bytes(hex::decode(record).unwrap())).collect();
        let append = if self.of.starts_with("race") { whole::<Race>(records) } else { whole::<Session>(records) };
        app.store.append(vec![append]).await.unwrap();
    }

    /// What was shown, and what has been shown besides since then.
    fn as_shown_since(&self) -> Value {
        let mut shown = self.shown.clone();
        shown["deal"]["pysolfc"] = Value::Null;
        if self.of.starts_with("session") {
            shown["autoplay"] = json!(false);
        }
        shown
    }

    fn ask_for(&self) -> Ask {
        Ask::get(&self.path()).token(&self.token)
    }
}

/// A log whose records are kept as they are.
fn whole<G: Logged>(records: Vec<Record>) -> Append {
    let mut chain = Chain::START;
    let mut entries: Vec<Entry<G::Event>> = Vec::new();
    for (record, version) in records.iter().zip(1..) {
        entries.push(record.entry(version, chain).unwrap());
        chain = record.chain();
    }
    let mut now = G::start(&entries[0]).unwrap();
    entries[1..].iter().for_each(|entry| now.apply(entry).unwrap());
    Append { records, ..Append::leading_to(&now, &entries, Chain::START).unwrap() }
}

#[tokio::test]
async fn what_an_older_program_wrote_is_shown_as_it_was() {
    let (app, _) = KeptLog::on_a_server("session, over").await;
    for log in KeptLog::all() {
        let shown = app.ask(log.ask_for()).await.expect(200).json();
        assert_eq!(shown, log.as_shown_since(), "{}", log.of);
    }
}

#[tokio::test]
async fn a_session_that_an_older_program_began_goes_on() {
    let (app, log) = KeptLog::on_a_server("session, playing").await;
    for wish in ["undo", "redo"] {
        app.ask(Ask::post(&format!("{}/{wish}", log.path())).token(&log.token)).await.expect(200);
    }
    let now = app.ask(log.ask_for()).await.expect(200).json();
    assert_eq!(now["version"], log.shown["version"].as_u64().unwrap() + 2);
    assert_eq!(now["piles"], log.shown["piles"]);
    let before = app.get(&format!("{}?version={}", log.path(), log.shown["version"])).await.expect(200).json();
    assert_eq!(before["piles"], log.shown["piles"]);
}

#[tokio::test]
async fn a_race_that_an_older_program_opened_can_be_started() {
    let (app, log) = KeptLog::on_a_server("race, open").await;
    let deal = log.as_shown_since()["deal"].clone();
    let race = app.ask(Ask::post(&format!("{}/start", log.path())).token(&log.token)).await.expect(200).json();
    assert_eq!([&race["status"], &race["deal"]], [&json!("running"), &deal]);
    let session = format!("/v1/sessions/{}", race["standings"][0]["session"].as_str().unwrap());
    let session = app.ask(Ask::get(&session).token(&log.token)).await.expect(200).json();
    assert_eq!(session["deal"], deal);
}
