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
    /// What was told once, by the id of the session or race that it is of.
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
    match (answer.status, Place::of(&ask.path)) {
        (200, Place::Session(_, "events") | Place::Race(_, "events")) => manners.streams(),
        (200, Place::Session(_, "history")) => manners.shows_history(),
        (200, Place::Session(_, "presence")) => manners.shows_presence(),
        (200, Place::Session(_, "hint")) => manners.tells_of_a_version(&["move", "why"]),
        (200 | 202, Place::Session(_, "solution")) => manners.tells_a_solution(),
        (200, Place::Session(_, "outlook")) => manners.tells_of_a_version(&["stuck", "version"]),
        (200, Place::Session(..)) => manners.shows_a_session("private, no-cache"),
        (200, Place::Race(..)) => manners.shows_a_race("private, no-cache"),
        (200, Place::Sessions | Place::Races) => manners.lists(),
        (200, Place::Elsewhere(path)) if path.starts_with("/problems/") => {
            manners.is_called("text/html; charset=utf-8");
        }
        (200, Place::Elsewhere("/openapi.yaml")) => manners.is_called("application/yaml"),
        (200, Place::Elsewhere(_)) => manners.is_called("application/json"),
        (201, Place::Sessions | Place::Session(..)) => manners.seats_at_a_session(known),
        (201, Place::Races | Place::Race(..)) => manners.seats_in_a_race(known),
        (204, _) => manners.is_empty(),
        (304, Place::Session(_, "hint" | "outlook")) => manners.says_that_nothing_is_new(),
        (304, _) => manners.says_that_nothing_changed(),
        (400..=599, _) => manners.is_a_problem(),
        (other, _) => panic!("{other} is not in the contract: {}", manners.about),
    }
    if answer.status != 201 {
        manners.keeps_secrets(known);
    }
}

/// What a path is about.
#[derive(Clone, Copy)]
enum Place<'a> {
    Sessions,
    Races,
    /// A session by its id, and what comes after that in the path, but for a seat.
    Session(&'a str, &'a str),
    Race(&'a str, &'a str),
    Elsewhere(&'a str),
}

impl Place<'_> {
    fn of(path: &str) -> Place<'_> {
        let path = path.split('?').next().unwrap_or_default();
        let mut segments = path.split('/').skip(1);
        match [(); 4].map(|()| segments.next()) {
            [Some("v1"), Some("sessions"), None, _] => Place::Sessions,
            [Some("v1"), Some("races"), None, _] => Place::Races,
            [Some("v1"), Some("sessions"), Some(id), rest] => Place::Session(id, rest.unwrap_or_default()),
            [Some("v1"), Some("races"), Some(id), rest] => Place::Race(id, rest.unwrap_or_default()),
            _ => Place::Elsewhere(path),
        }
    }

    /// The id of the session or race that it is.
    fn id(&self) -> Option<&str> {
        match self {
            Place::Session(id, _) | Place::Race(id, _) => Some(id),
            Place::Sessions | Place::Races | Place::Elsewhere(_) => None,
        }
    }
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
        let Some(secrets) = Place::of(&self.ask.path).id().and_then(|id| secrets.get(id)) else {
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
        let asked = Place::of(&self.ask.path);
        assert!(asked.id().is_none_or(|asked| asked == *id), "another session: {}", self.about);
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

    fn shows_a_race(&self, cache_control: &str) {
        self.is_called("application/json");
        self.has("cache-control", cache_control);
        self.has("vary", "Authorization");
        self.has_none("etag");
        if self.is_head() {
            return;
        }
        let body = self.answer.json();
        let race = if self.answer.status == 201 { &body["race"] } else { &body };
        let id = race["id"].as_str().unwrap();
        let asked = Place::of(&self.ask.path);
        assert!(asked.id().is_none_or(|asked| asked == id), "another race: {}", self.about);
        check_race(race, &self.about);
        check_standings(race, &self.about);
    }

    fn shows_presence(&self) {
        self.is_called("application/json");
        self.has("cache-control", "no-store");
        self.has("vary", "Authorization");
    }

    /// Checks what is told beside a session of one of its versions.
    fn tells_of_a_version(&self, members: &[&str]) {
        self.is_called("application/json");
        self.is_of_a_version();
        if self.is_head() {
            return;
        }
        assert_eq!(keys(&self.answer.json()), members, "{}", self.about);
    }

    /// Checks what is told of how a deal could have been won, or that this is not known yet.
    fn tells_a_solution(&self) {
        self.is_called("application/json");
        self.has("cache-control", "private, no-cache");
        self.has("vary", "Authorization");
        let is_sought = self.answer.status == 202;
        assert_eq!(self.answer.header("retry-after").is_some(), is_sought, "{}", self.about);
        if self.is_head() {
            return;
        }
        let body = self.answer.json();
        assert_eq!(keys(&body), ["moves", "verdict"], "{}", self.about);
        assert_eq!(body["verdict"].is_null(), is_sought, "{}", self.about);
        assert_eq!(body["moves"] == serde_json::json!([]), body["verdict"] != "won", "{}", self.about);
    }

    fn says_that_nothing_is_new(&self) {
        self.is_empty();
        self.is_of_a_version();
    }

    fn is_of_a_version(&self) {
        let version = self.answer.header("etag").map(|tag| tag.trim_matches('"').parse::<u64>());
        assert!(matches!(version, Some(Ok(1..))), "no version as ETag: {}", self.about);
        self.has_none("content-location");
        self.has("cache-control", "private, no-cache");
        self.has("vary", "Authorization");
    }

    fn lists(&self) {
        self.is_called("application/json");
        if self.is_head() {
            return;
        }
        let page = self.answer.json();
        assert_eq!(keys(&page), ["items", "next"], "{}", self.about);
        assert!(page["next"].is_null() || page["next"].is_string(), "{}", self.about);
        for item in page["items"].as_array().unwrap() {
            check_id(&item["id"], &self.about);
            check_time(&item["created_at"], &self.about);
            if matches!(Place::of(&self.ask.path), Place::Races) {
                assert_eq!(
                    (&item["status"], &item["visibility"]),
                    (&"open".into(), &"public".into()),
                    "{}",
                    self.about
                );
                check_race(item, &self.about);
            }
        }
    }

    fn streams(&self) {
        self.has("content-type", "text/event-stream");
        self.has("cache-control", "no-store");
        self.has("vary", "Authorization");
        self.has("x-accel-buffering", "no");
        self.has_none("content-length");
    }

    fn seats_at_a_session(&self, known: &Known) {
        self.shows_a_session("no-store");
        self.tells_secrets("session", known);
    }

    fn seats_in_a_race(&self, known: &Known) {
        self.shows_a_race("no-store");
        self.tells_secrets("race", known);
    }

    /// Checks what is told once: to the one who makes something, where it is and how others are invited.
    fn tells_secrets(&self, what: &str, known: &Known) {
        let body = self.answer.json();
        let id = body[what]["id"].as_str().unwrap();
        let is_new = Place::of(&self.ask.path).id().is_none();
        let mut expected = vec!["seat", what, "token"];
        expected.sort_unstable();
        if is_new {
            self.has("location", &format!("/v1/{what}s/{id}"));
        } else {
            self.has_none("location");
        }
        if is_new && body[what]["visibility"] == "private" {
            expected.insert(0, "invite");
        }
        assert_eq!(keys(&body), expected, "{}", self.about);
        let seat = &body["seat"];
        assert!(
            body[what]["players"].as_array().unwrap().iter().any(|player| player["seat"] == *seat),
            "{}",
            self.about
        );
        let told = ["token", "invite"].iter().filter_map(|name| body[name].as_str());
        for secret in told {
            assert!(secret.len() >= 22 && secret.is_ascii(), "128 bits take 22 characters or more: {}", self.about);
            known.secrets.lock().entry(id.to_string()).or_default().push(secret.to_string());
        }
    }

    fn says_that_nothing_changed(&self) {
        self.is_empty();
        let etag = self.answer.header("etag").unwrap_or_else(|| panic!("no ETag: {}", self.about));
        let version = etag.trim_matches('"');
        let asked = Place::of(&self.ask.path);
        let id = asked.id().unwrap();
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

const SESSION: [&str; 23] = [
    "autoplay",
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
        "won" | "resigned" | "timed_out" => true,
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
    check_players(players, about);

    for time in ["created_at", "updated_at", "expires_at"] {
        check_time(&session[time], about);
    }
    assert_eq!(session["finished_at"].is_string(), is_over, "finished_at: {about}");
    if is_over {
        check_time(&session["finished_at"], about);
    }
    // A session of a race keeps its seed until the race is over, and nobody can tell it from others.
    let is_drawn = session["deal"]["commitment"].is_string();
    let may_race = seats == 1 && !may_undo && is_drawn && session["autoplay"] == false;
    let is_shown = is_over && !(may_race && session["deal"]["seed"].is_null());
    check_deal(&session["deal"], is_shown, about);
}

/// Somebody is the host, unless nobody is there.
fn check_players(players: &[Value], about: &str) {
    let hosts = players.iter().filter(|player| player["host"] == true).count();
    assert_eq!(hosts, players.len().min(1), "{about}");
    players.iter().for_each(|player| assert_eq!(keys(player), ["host", "name", "seat"], "{about}"));
    let seats: Vec<u64> = players.iter().map(|player| player["seat"].as_u64().unwrap()).collect();
    assert!(seats.is_sorted_by(|one, next| one < next), "{about}");
}

/// Checks what is true of a race at any version.
fn check_race(race: &Value, about: &str) {
    check_id(&race["id"], about);
    let status = race["status"].as_str().unwrap();
    let players = race["players"].as_array().unwrap();
    assert!(players.len() as u64 <= race["seats"].as_u64().unwrap(), "{about}");
    check_players(players, about);
    for time in ["starts_at", "ends_at"] {
        assert_eq!(race[time].is_null(), status == "open", "{time}: {about}");
    }
    check_deal(&race["deal"], status == "over", about);
}

/// Checks that the standings are in order, and agree with the race.
fn check_standings(race: &Value, about: &str) {
    let standings = race["standings"].as_array().unwrap();
    assert_eq!(standings.is_empty(), race["status"] == "open", "{about}");
    let place = |standing: &Value| (standing["rank"].as_u64().unwrap(), standing["seat"].as_u64().unwrap());
    assert!(standings.is_sorted_by_key(place), "{about}");
    for standing in standings {
        check_id(&standing["session"], about);
        let has_ended = standing["finished_at"].is_string();
        assert!(has_ended || race["status"] != "over", "{about}");
        assert_eq!(has_ended, standing["status"] != "playing", "{about}");
    }
}

fn check_deal(deal: &Value, is_over: bool, about: &str) {
    assert_eq!(keys(deal), ["commitment", "deck", "pysolfc", "seed", "source"], "{about}");
    let source = deal["source"].as_str().unwrap();
    let origin = match source {
        "server" | "winnable" | "seed" => "seed",
        "deck" | "pysolfc" => source,
        other => panic!("{other}: {about}"),
    };
    for name in ["seed", "deck", "pysolfc"] {
        assert_eq!(!deal[name].is_null(), is_over && name == origin, "{name}: {about}");
    }
    match (source, deal["commitment"].as_str(), deal["seed"].as_str()) {
        ("server" | "winnable", Some(commitment), Some(seed)) => {
            assert_eq!(commitment, hex::encode(Sha256::digest(seed)), "{about}");
        }
        ("server" | "winnable", Some(commitment), None) => {
            let is_hash = commitment.len() == 64 && commitment.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
            assert!(is_hash, "{about}");
        }
        ("server" | "winnable", None, _) => panic!("no commitment: {about}"),
        (_, commitment, _) => assert_eq!(commitment, None, "{about}"),
    }
}

fn check_entry(entry: &Value, about: &str) {
    const TYPES: [&str; 8] = ["created", "joined", "left", "moved", "undone", "redone", "resigned", "revealed"];
    let names: &[&str] = if entry["type"] == "joined" { &["name"] } else { &[] };
    assert_eq!(keys(entry), [&["at", "moves"], names, &["seat", "type", "version"]].concat(), "{about}");
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
