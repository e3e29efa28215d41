//! Somebody who watches a session or a race: a connection on which events come.

use std::time::Duration;

use serde_json::Value;
use tokio::time::timeout;

/// After that long a test has failed; nothing waits for it otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// For how long nothing must come where nothing is expected.
const SILENCE: Duration = Duration::from_millis(50);

/// A stream of events.
pub(crate) struct Watching {
    response: reqwest::Response,
    read: String,
}

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) id: Option<u64>,
    pub(crate) name: String,
    pub(crate) data: Value,
    /// The data as it was sent.
    pub(crate) text: String,
}

impl Event {
    /// The event, if it is called so.
    #[track_caller]
    pub(crate) fn named(self, name: &str) -> Event {
        assert_eq!(self.name, name, "{self:?}");
        self
    }
}

impl Watching {
    /// What an answer goes on to tell.
    pub(crate) fn from(response: reqwest::Response) -> Watching {
        Watching { response, read: String::new() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.response.headers().get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Event {
        self.next_if_any().await.expect("the stream goes on")
    }

    /// The next event; `None` if there are no more.
    pub(crate) async fn next_if_any(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = event(&self.block().await?) {
                return Some(event);
            }
        }
    }

    /// The next event that has a version.
    pub(crate) async fn next_change(&mut self) -> Event {
        loop {
            let event = self.next().await;
            if event.id.is_some() {
                return event.named("change");
            }
        }
    }

    /// The next event of that name, past all others.
    pub(crate) async fn next_aside(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().await;
            if event.name == name {
                return event;
            }
            assert_ne!(event.name, "bye", "no {name} has come");
        }
    }

    /// How long the client is asked to wait before it comes back.
    pub(crate) async fn retry(&mut self) -> String {
        let block = self.block().await.expect("the stream goes on");
        block.strip_prefix("retry: ").unwrap_or_else(|| panic!("{block:?}")).to_string()
    }

    /// Waits for a sign of life.
    pub(crate) async fn heartbeat(&mut self) {
        while self.block().await.expect("the stream goes on") != ":" {}
    }

    /// Nothing comes, for a little while, but what has no version.
    pub(crate) async fn must_be_silent(&mut self) {
        while let Ok(block) = timeout(SILENCE, self.block()).await {
            let block = block.expect("the stream goes on");
            assert!(event(&block).is_none_or(|event| event.id.is_none()), "{block}");
        }
    }

    /// There is nothing more but a good-bye, and what has no version.
    pub(crate) async fn ends_because(&mut self, reason: &str) {
        loop {
            let event = self.next().await;
            if event.name == "bye" {
                assert_eq!(event.text, format!(r#"{{"reason":"{reason}"}}"#));
                break;
            }
            assert_eq!(event.id, None, "{event:?}");
        }
        assert_eq!(self.block().await, None);
    }

    /// The next lines up to an empty one; `None` if there are no more.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.read.split_once("\n\n") {
                let (block, rest) = (block.to_string(), rest.to_string());
                self.read = rest;
                return Some(block);
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await.expect("nothing comes").unwrap();
            match chunk {
                Some(chunk) => self.read.push_str(std::str::from_utf8(&chunk).unwrap()),
                None => {
                    assert_eq!(self.read, "");
                    return None;
                }
            }
        }
    }
}

/// What some lines tell, if that is an event.
fn event(block: &str) -> Option<Event> {
    let (mut id, mut name, mut data) = (None, None, None);
    for line in block.lines() {
        match line.split_once(": ") {
            Some(("id", text)) => id = Some(text.parse().unwrap()),
            Some(("event", text)) => name = Some(text.to_string()),
            Some(("data", text)) => data = Some(text.to_string()),
            Some(("retry", _)) => {}
            _ => assert_eq!(line, ":", "{block}"),
        }
    }
    let (name, text) = (name?, data?);
    Some(Event { id, name, data: serde_json::from_str(&text).unwrap(), text })
}
