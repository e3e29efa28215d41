//! Somebody who reads all that is told about a session, as it comes.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::client::Ask;
use crate::table::{Table, Web};
use crate::watching::{Event, Watching};

/// Somebody who watches a session at a node.
pub(crate) struct Witness {
    events: mpsc::UnboundedReceiver<Event>,
    reading: JoinHandle<()>,
}

impl Witness {
    /// Begins to watch. Who does not read as it comes is not waited for, so this reads at once; where a stream
    /// breaks off without a good-bye, it comes back and asks for what has come after the last that it was told.
    pub(crate) async fn of(table: &Table, node: SocketAddr) -> Witness {
        let mut stream = Web::watch(node, &table.path, None).await;
        let (teller, events) = mpsc::unbounded_channel();
        let path = table.path.clone();
        let reading = tokio::spawn(async move {
            let mut last = None;
            loop {
                while let Some(event) = stream.next_if_any().await {
                    last = event.id.or(last);
                    if teller.send(event).is_err() {
                        return;
                    }
                }
                stream = come_back(node, &path, last).await;
            }
        });
        Witness { events, reading }
    }

    /// Was told of each version once, up to the last that a node has; gives what was told of each. Of many that
    /// came at once it may be told where they led.
    pub(crate) async fn must_have_been_told_all(mut self, table: &Table, node: SocketAddr) -> Vec<String> {
        let history = table.history(node).await;
        let (mut changes, mut told) = (Vec::new(), 0);
        while told < history.len() as u64 {
            let event = self.events.recv().await.unwrap_or_else(|| panic!("there is no more after {told}"));
            assert_ne!(event.name, "bye", "{}", event.text);
            let Some(version) = event.id else { continue };
            if event.name == "snapshot" {
                assert!(told == 0 || event.data["from"] == told + 1, "after {told}: {event:?}");
            } else {
                assert_eq!(version, told + 1);
                assert_eq!(event.clone().named("change").data["entry"], history[told as usize]);
                changes.push(event.text);
            }
            told = version;
        }
        changes
    }
}

/// Watches again, as soon as that is possible.
async fn come_back(node: SocketAddr, path: &str, last: Option<u64>) -> Watching {
    let ask = Ask::get(&format!("{path}/events"));
    let ask = last.iter().fold(ask, |ask, id| ask.header("last-event-id", &id.to_string()));
    loop {
        match Web::open(node, &ask).await {
            Some(stream) => return stream,
            None => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.reading.abort();
    }
}
