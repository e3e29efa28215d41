//! Somebody who makes sessions, each under a key, and remembers what was answered.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinHandle;

use crate::client::{Answer, Ask};
use crate::table::{GAME, Web};

/// How long to wait between two: it is not they that are counted.
const PAUSE: Duration = Duration::from_millis(5);

/// Sessions that were asked for, and what was answered; nothing for the last, perhaps.
pub(crate) struct Made(Vec<(Ask, Option<Answer>)>);

/// Makes sessions until there is no answer.
pub(crate) fn make(node: SocketAddr) -> JoinHandle<Made> {
    tokio::spawn(async move {
        let (web, mut made) = (Web::new(), Vec::new());
        loop {
            let key = format!("{:032x}", rand::random::<u128>());
            let ask = Ask::post("/v1/sessions").header("idempotency-key", &key).json(&json!({"game": GAME}));
            let answer = web.try_ask(node, &ask).await.map(|answer| answer.expect(201));
            let is_last = answer.is_none();
            made.push((ask, answer));
            if is_last {
                return Made(made);
            }
            tokio::time::sleep(PAUSE).await;
        }
    })
}

impl Made {
    /// All that were acknowledged are there, and given again to whoever has their key, token and all; what was
    /// not answered is made now, if it was not, and once.
    pub(crate) async fn must_be_there(&self, node: SocketAddr) {
        let web = Web::new();
        for (ask, answer) in &self.0 {
            let again = web.ask(node, ask).await.expect(201);
            let before = match answer {
                Some(answer) => answer.clone(),
                None => web.ask(node, ask).await,
            };
            assert_eq!(again.without_its_id(), before.without_its_id());
        }
    }
}
