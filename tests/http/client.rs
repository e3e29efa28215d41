//! What is asked, and what is answered.

use std::fmt;
use std::net::SocketAddr;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use serde_json::Value;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
}

impl Ask {
    pub(crate) fn new(method: &str, path: &str) -> Ask {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        Ask { method, path: path.to_string(), headers: HeaderMap::new(), body: None }
    }

    pub(crate) fn get(path: &str) -> Ask {
        Ask::new("GET", path)
    }

    pub(crate) fn post(path: &str) -> Ask {
        Ask::new("POST", path)
    }

    pub(crate) fn delete(path: &str) -> Ask {
        Ask::new("DELETE", path)
    }

    pub(crate) fn header(mut self, name: impl TryInto<HeaderName>, value: &str) -> Ask {
        let name = name.try_into().ok().expect("a header's name");
        self.headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        self
    }

    pub(crate) fn token(self, token: &str) -> Ask {
        self.header(AUTHORIZATION, &format!("Bearer {token}"))
    }

    pub(crate) fn if_match(self, tags: &str) -> Ask {
        self.header(IF_MATCH, tags)
    }

    pub(crate) fn if_none_match(self, tags: &str) -> Ask {
        self.header(IF_NONE_MATCH, tags)
    }

    pub(crate) fn json(self, body: &Value) -> Ask {
        self.header(CONTENT_TYPE, "application/json").body(body.to_string())
    }

    /// A body without a word about what it is.
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Ask {
        self.body = Some(body.into());
        self
    }

    pub(crate) fn request(&self, address: SocketAddr) -> reqwest::Request {
        let url = format!("http://{address}{}", self.path).parse().unwrap();
        let mut request = reqwest::Request::new(self.method.clone(), url);
        *request.headers_mut() = self.headers.clone();
        *request.body_mut() = self.body.clone().map(Into::into);
        request
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        for (name, value) in &self.headers {
            write!(f, " {name}: {value:?}")?;
        }
        let body = self.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        write!(f, " {}", body.chars().take(200).collect::<String>())
    }
}

/// An answer whose manners were found to be good.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) asked: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The answer, if it has that status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{} was answered {}", self.asked, self.text());
        self
    }

    /// The answer, if it is that problem.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Answer {
        let answer = self.expect(status);
        assert_eq!(answer.code(), code, "{} was answered {}", answer.asked, answer.text());
        answer
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{}: {error} in {}", self.asked, self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn code(&self) -> String {
        self.member("code")
    }

    pub(crate) fn reason(&self) -> String {
        self.member("reason")
    }

    pub(crate) fn field(&self) -> String {
        self.member("field")
    }

    fn member(&self, name: &str) -> String {
        self.json()[name].as_str().unwrap_or_default().to_string()
    }

    pub(crate) fn version(&self) -> u64 {
        self.json()["version"].as_u64().unwrap_or_else(|| panic!("{}: no version in {}", self.asked, self.text()))
    }

    /// Everything but what is never twice the same: status, headers and body as one text.
    pub(crate) fn without_its_id(&self) -> String {
        let is_own = |name: &HeaderName| name == "x-request-id" || name == "date";
        let headers = self.headers.iter().filter(|(name, _)| !is_own(name));
        let mut headers: Vec<String> = headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
        headers.sort();
        format!("{}\n{}\n\n{}", self.status, headers.join("\n"), self.text())
    }
}
