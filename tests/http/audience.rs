//! How one comes to watch at the server under test.

use crate::app::TestApp;
use crate::client::Ask;
use crate::watching::Watching;

impl TestApp {
    /// Watches, from the version in the header `Last-Event-ID` or in the query on.
    pub(crate) async fn watch(&self, path: &str, header: Option<&str>, query: Option<&str>) -> Watching {
        self.watch_with(path, None, header, query).await
    }

    /// Watches with a token.
    pub(crate) async fn watch_as(&self, path: &str, token: &str) -> Watching {
        self.watch_with(path, Some(token), None, None).await
    }

    pub(crate) async fn watch_with(
        &self,
        path: &str,
        token: Option<&str>,
        header: Option<&str>,
        query: Option<&str>,
    ) -> Watching {
        let query: String = query
            .map(|after| form_urlencoded::Serializer::new("?".to_string()).append_pair("after", after).finish())
            .unwrap_or_default();
        let mut ask = Ask::get(&format!("{path}/events{query}"));
        ask = token.into_iter().fold(ask, Ask::token);
        ask = header.into_iter().fold(ask, |ask, id| ask.header("last-event-id", id));
        let response = self.client_of_its_own().execute(ask.request(self.address)).await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{ask}");
        Watching::from(response)
    }
}
