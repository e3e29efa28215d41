//! What is true of every answer, whatever was asked.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::client::{Answer, Ask};

/// What has been seen of one server.
#[derive(Default)]
pub(crate) struct Known {
    request_ids: Mutex<HashSet<String>>,
    /// What was told once, by the session that it is of.
    secrets: Mutex<HashMap<String, Vec<String>>>,
}

/// Checks an answer.
#[track_caller]
pub(crate) fn check(known: &Known, ask: &Ask, answer: &Answer) {
    let manners = Manners {
        ask,
        answer,
        about: format!("{ask}\nwas answered {} {:?}\n{}", answer.status, answer.headers, answer.text()),
    };
    manners.has_an_id_of_its_own(known);
    manners.is_careful();
    match answer.status {
        200 if is_session(&ask.path) => manners.shows_a_session("private, no-cache"),
        200 if is_history(&ask.path) => manners.shows_history(),
        200 if ask.path.starts_with("/problems/") => manners.is_called("text/html; charset=utf-8"),
        200 if ask.path == "/openapi.yaml" => manners.is_called("application/yaml"),
        200 => manners.is_called("application/json"),
        201 => manners.opens_a_session(known),
        204 => manners.is_empty(),
        304 => manners.says_that_nothing_changed(),
        400..=599 => manners.is_a_problem(),
        other => panic!("{other} is not in the contract: {}", manners.about),
    }
    if answer.status != 201 {
        manners.keeps_secrets(known);
    }
}

/// The id of the session that a path is about.
fn session_id(path: &str) -> Option<&str> {
    let id = path.strip_prefix("/v1/sessions/")?;
    Some(&id[..id.find(['/', '?']).unwrap_or(id.len())])
}

/// Whether what is at that path, if all is well, is a session.
fn is_session(path: &str) -> bool {
    session_id(path).is_some() && !is_history(path)
}

fn is_history(path: &str) -> bool {
    path.split('?').next().is_some_and(|path| path.ends_with("/history"))
}

struct Manners<'a> {
    ask: &'a Ask,
    answer: &'a Answer,
    about: String,
}

impl Manners<'_> {
    #[track_caller]
    fn has(&self, name: &str, value: &str) {
        // Where other sites are let in, it depends on them too.
        let of_other_sites = |value: &&HeaderValue| name == "vary" && *value == "origin";
        let values: Vec<_> = self.answer.headers.get_all(name).iter().filter(|value| !of_other_sites(value)).collect();
        assert_eq!(values, [value], "{name}: {}", self.about);
    }

    fn has_none(&self, name: &str) {
        assert_eq!(self.answer.header(name), None, "{name}: {}", self.about);
    }

    fn has_an_id_of_its_own(&self, known: &Known) {
        let id = self.answer.header("x-request-id").unwrap_or_else(|| panic!("no x-request-id: {}", self.about));
        assert!(id.len() >= 8 && id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}: {}", self.about);
        assert!(known.request_ids.lock().insert(id.to_string()), "{id} was there before: {}", self.about);
        self.has_none("content-encoding");
        self.has_none("set-cookie");
    }

    fn is_careful(&self) {
        self.has("x-content-type-options", "nosniff");
        self.has("x-frame-options", "DENY");
        self.has("referrer-policy", "no-referrer");
        self.has("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    }

    fn keeps_secrets(&self, known: &Known) {
        let secrets = known.secrets.lock();
        let Some(secrets) = session_id(&self.ask.path).and_then(|id| secrets.get(id)) else {
            return;
        };
        let (headers, body) = (format!("{:?}", self.answer.headers), self.answer.text());
        for secret in secrets {
            assert!(!headers.contains(secret) && !body.contains(secret), "a secret is shown: {}", self.about);
        }
    }

    fn is_head(&self) -> bool {
        self.ask.method == Method::HEAD
    }

    #[track_caller]
    fn is_called(&self, media_type: &str) {
        self.has("content-type", media_type);
        match (self.is_head(), self.answer.body.is_empty()) {
            (true, false) => panic!("a HEAD has a body: {}", self.about),
            (false, true) => panic!("there is no body: {}", self.about),
            _ => {}
        }
    }

    fn is_empty(&self) {
        assert!(self.answer.body.is_empty(), "{}", self.about);
        self.has_none("content-type");
    }

    fn shows_a_session(&self, cache_control: &str) {
        self.is_called("application/json");
        if self.is_head() {
            self.has("cache-control", cache_control);
            self.has("vary", "Authorization");
            assert!(self.answer.header("etag").is_some(), "{}", self.about);
            return;
        }
        let body = self.answer.json();
        let session = if self.answer.status == 201 { &body["session"] } else { &body };
        let (id, version) = (&session["id"].as_str().unwrap(), &session["version"]);
        assert!(session_id(&self.ask.path).is_none_or(|asked| asked == *id), "another session: {}", self.about);
        self.has("etag", &format!("\"{version}\""));
        self.has("content-location", &format!("/v1/sessions/{id}?version={version}"));
        self.has("cache-control", cache_control);
        self.has("vary", "Authorization");
        check_session(session, &self.about);
    }

    fn shows_history(&self) {
        self.is_called("application/json");
        self.has("cache-control", "private, no-cache");
        self.has("vary", "Authorization");
        if self.is_head() {
            return;
        }
        let page = self.answer.json();
        assert_eq!(keys(&page), ["items", "next"], "{}", self.about);
        assert!(page["next"].is_null() || page["next"].is_string(), "{}", self.about);
        for entry in page["items"].as_array().unwrap() {
            check_entry(entry, &self.about);
        }
    }

    fn opens_a_session(&self, known: &Known) {
        self.shows_a_session("no-store");
        let body = self.answer.json();
        let session = &body["session"];
        let id = session["id"].as_str().unwrap();
        self.has("location", &format!("/v1/sessions/{id}"));
        let mut expected = vec!["seat", "session", "token"];
        if session["visibility"] == "private" {
            expected.insert(0, "invite");
        }
        assert_eq!(keys(&body), expected, "{}", self.about);
        let secrets = ["token", "invite"].iter().filter_map(|name| body[name].as_str());
        let secrets: Vec<String> = secrets.map(str::to_string).collect();
        for secret in &secrets {
            assert!(secret.len() >= 22 && secret.is_ascii(), "128 bits take 22 characters or more: {}", self.about);
        }
        known.secrets.lock().insert(id.to_string(), secrets);
    }

    fn says_that_nothing_changed(&self) {
        self.is_empty();
        let etag = self.answer.header("etag").unwrap_or_else(|| panic!("no ETag: {}", self.about));
        let version = etag.trim_matches('"');
        let id = session_id(&self.ask.path).unwrap();
        self.has("etag", &format!("\"{version}\""));
        self.has("content-location", &format!("/v1/sessions/{id}?version={version}"));
        self.has("cache-control", "private, no-cache");
        self.has("vary", "Authorization");
    }

    fn is_a_problem(&self) {
        let status = self.answer.status;
        self.is_called("application/problem+json");
        if status == 401 {
            self.has("www-authenticate", "Bearer");
        }
        if status == 405 {
            let allow = self.answer.header("allow").unwrap_or_default();
            assert!(allow.ends_with(",OPTIONS") && !allow.contains(self.ask.method.as_str()), "{}", self.about);
        }
        if matches!(status, 429 | 503) {
            let after = self.answer.header("retry-after").and_then(|after| after.parse::<u32>().ok());
            assert!(after.is_some(), "no Retry-After in whole seconds: {}", self.about);
        }
        self.has_none("etag");
        if self.is_head() {
            return;
        }
        let problem = self.answer.json();
        let text = |name: &str| problem[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", self.about));
        let code = text("code");
        assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{}", self.about);
        assert_eq!(text("type"), format!("/problems/{code}"), "{}", self.about);
        assert_eq!(problem["status"], status, "{}", self.about);
        assert!(!text("title").is_empty(), "{}", self.about);
        let detail = text("detail");
        assert!(detail.ends_with(['.', '…']) && detail.len() > 10, "no sentence: {}", self.about);
        assert_eq!(problem["retry_after"].is_u64(), matches!(status, 429 | 503), "{}", self.about);
        assert_eq!(problem["reason"].is_string(), code == "illegal_move", "{}", self.about);
        assert!(problem["field"].is_string() || code != "invalid_request", "{}", self.about);
        let of_a_state = matches!(status, 409 | 412) || code == "illegal_move";
        assert!(problem["version"].is_u64() || !of_a_state, "no version: {}", self.about);
        let known = ["code", "detail", "field", "reason", "retry_after", "status", "title", "type", "version"];
        assert!(keys(&problem).iter().all(|key| known.contains(&key.as_str())), "{}", self.about);
    }
}

/// The names of an object's members, sorted.
pub(crate) fn keys(object: &Value) -> Vec<String> {
    let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

const SESSION: [&str; 22] = [
    "can_redo",
    "can_undo",
    "cards",
    "created_at",
    "deal",
    "expires_at",
    "finished_at",
    "game",
    "id",
    "legal_moves",
    "moves",
    "options",
    "piles",
    "placed",
    "players",
    "redeals_left",
    "seats",
    "status",
    "undo",
    "updated_at",
    "version",
    "visibility",
];

/// Checks what is true of a session at any version.
#[track_caller]
fn check_session(session: &Value, about: &str) {
    assert_eq!(keys(session), SESSION, "{about}");
    assert!(session["version"].as_u64().unwrap() >= 1, "{about}");
    check_id(&session["id"], about);

    let status = session["status"].as_str().unwrap();
    let may_undo = session["undo"].as_bool().unwrap();
    let is_over = match status {
        "playing" => false,
        "won" | "resigned" => true,
        "lost" => !may_undo,
        other => panic!("{other}: {about}"),
    };
    let moves = session["legal_moves"].as_array().unwrap();
    assert_eq!(moves.is_empty(), status != "playing", "{about}");
    moves.iter().for_each(|each| check_move(each, about));
    for steps in ["can_undo", "can_redo"] {
        assert!(!session[steps].as_bool().unwrap() || (may_undo && !is_over), "{steps}: {about}");
    }

    let piles = session["piles"].as_array().unwrap();
    let mut cards = 0;
    let mut placed = 0;
    for pile in piles {
        assert_eq!(keys(pile), ["cards", "face_down", "id", "kind"], "{about}");
        let kind = pile["kind"].as_str().unwrap();
        let id = pile["id"].as_str().unwrap();
        assert!(id == kind || id.strip_prefix(kind).is_some_and(|number| number.starts_with('-')), "{about}");
        let face_up = pile["cards"].as_array().unwrap();
        face_up.iter().for_each(|card| check_card(card, about));
        assert!(kind != "stock" || face_up.is_empty(), "{about}");
        cards += pile["face_down"].as_u64().unwrap() as usize + face_up.len();
        placed += match kind {
            "foundation" => face_up.len().min(13),
            "queens" => face_up.len(),
            _ => 0,
        };
    }
    assert_eq!(session["cards"], cards, "{about}");
    assert_eq!(session["placed"], placed, "{about}");

    let seats = session["seats"].as_u64().unwrap();
    let players = session["players"].as_array().unwrap();
    assert!((1..=8).contains(&seats) && players.len() as u64 <= seats, "{about}");
    assert_eq!(players.iter().filter(|player| player["host"] == true).count(), 1, "{about}");
    players.iter().for_each(|player| assert_eq!(keys(player), ["host", "name", "seat"], "{about}"));

    for time in ["created_at", "updated_at", "expires_at"] {
        check_time(&session[time], about);
    }
    assert_eq!(session["finished_at"].is_string(), is_over, "finished_at: {about}");
    if is_over {
        check_time(&session["finished_at"], about);
    }
    check_deal(&session["deal"], is_over, about);
}

fn check_deal(deal: &Value, is_over: bool, about: &str) {
    assert_eq!(keys(deal), ["commitment", "deck", "seed", "source"], "{about}");
    let source = deal["source"].as_str().unwrap();
    assert!(["server", "seed", "deck"].contains(&source), "{about}");
    assert_eq!(deal["seed"].is_string(), is_over && source != "deck", "{about}");
    assert_eq!(deal["deck"].is_array(), is_over && source == "deck", "{about}");
    match (source, deal["commitment"].as_str(), deal["seed"].as_str()) {
        ("server", Some(commitment), Some(seed)) => {
            assert_eq!(commitment, hex::encode(Sha256::digest(seed)), "{about}");
        }
        ("server", Some(commitment), None) => {
            let is_hash = commitment.len() == 64 && commitment.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
            assert!(is_hash, "{about}");
        }
        ("server", None, _) => panic!("no commitment: {about}"),
        (_, commitment, _) => assert_eq!(commitment, None, "{about}"),
    }
}

fn check_entry(entry: &Value, about: &str) {
    const TYPES: [&str; 7] = ["created", "joined", "left", "moved", "undone", "redone", "resigned"];
    assert_eq!(keys(entry), ["at", "moves", "seat", "type", "version"], "{about}");
    assert!(TYPES.contains(&entry["type"].as_str().unwrap()), "{about}");
    assert!(entry["seat"].is_null() || entry["seat"].is_u64(), "{about}");
    check_time(&entry["at"], about);
    let moves = entry["moves"].as_array().unwrap();
    let plays = ["moved", "undone", "redone"].contains(&entry["type"].as_str().unwrap());
    assert_eq!(!moves.is_empty(), plays, "{about}");
    moves.iter().for_each(|each| check_move(each, about));
}

fn check_move(each: &Value, about: &str) {
    match each["type"].as_str().unwrap() {
        "draw" | "redeal" => assert_eq!(keys(each), ["type"], "{about}"),
        "move" => {
            assert_eq!(keys(each), ["count", "from", "to", "type"], "{about}");
            assert!(each["count"].as_u64().unwrap() >= 1, "{about}");
        }
        other => panic!("{other}: {about}"),
    }
}

fn check_card(card: &Value, about: &str) {
    let is_card = matches!(card.as_str().unwrap().as_bytes(), [rank, suit]
        if b"A23456789TJQK".contains(rank) && b"CDHS".contains(suit));
    assert!(is_card, "{card}: {about}");
}

/// RFC 3339 in UTC, with milliseconds and a `Z`.
fn check_time(time: &Value, about: &str) {
    let digits = |byte: u8| if byte.is_ascii_digit() { '0' } else { char::from(byte) };
    let form: String = time.as_str().unwrap().bytes().map(digits).collect();
    assert_eq!(form, "0000-00-00T00:00:00.000Z", "{about}");
}

fn check_id(id: &Value, about: &str) {
    let id = id.as_str().unwrap();
    let parsed: uuid::Uuid = id.parse().unwrap();
    assert_eq!(parsed.to_string(), id, "{about}");
}
