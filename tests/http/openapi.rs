//! `/openapi.yaml`: the contract is complete, and agrees with the house.

use std::collections::BTreeSet;
use std::fs;

use patience::games::{CATALOGUE, Domain};
use patience::http::Code;
use patience::rules::Reason;
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::client::Ask;
use crate::contract::{DOCUMENT, OPERATIONS, TEXT, check_event, complaints, items, members, validator};

#[tokio::test]
async fn the_contract_is_served_as_it_is_written() {
    let app = TestApp::start().await;
    let answer = app.get("/openapi.yaml").await.expect(200);
    assert_eq!(answer.text(), *TEXT);
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
}

/// The router tells the methods of a path in `Allow`, which is held against the contract with every
/// answer to a method that is not there.
#[tokio::test]
async fn every_path_of_the_router_is_in_the_contract_with_its_methods_and_every_operation_is_answered() {
    let documented: BTreeSet<&str> = OPERATIONS.iter().map(|operation| operation.path.as_str()).collect();
    assert_eq!(routes().iter().map(String::as_str).collect::<BTreeSet<&str>>(), documented);
    let app = TestApp::start().await;
    for operation in OPERATIONS.iter() {
        let path = operation.example_path();
        app.ask(Ask::new("PATCH", &path)).await.refused(405, "method_not_allowed");
        app.ask(Ask::new("OPTIONS", &path)).await.expect(204);
        let answer = app.ask(Ask::new(operation.method.as_str(), &path)).await;
        assert!(answer.status < 404 || answer.code() != "no_such_path", "{} {path}", operation.method);
        if operation.method == "GET" {
            app.ask(Ask::new("HEAD", &path)).await.expect(answer.status);
        }
    }
}

/// Each answer is held against the contract when it comes.
#[tokio::test]
async fn what_is_told_of_a_table_and_of_a_race_is_in_the_contract() {
    let app = TestApp::start().await;
    let table = app.create(json!({"game": "captive-queens", "seats": 2, "visibility": "public"})).await;
    let key = "a-key-that-nobody-guesses";
    let join = Ask::post(&table.at("/players")).json(&json!({"name": "Grace"})).header("idempotency-key", key);
    let guest = app.ask(join.clone()).await.expect(201).json();
    assert_eq!(app.ask(join).await.expect(201).json(), guest);
    app.ask(Ask::post(&table.at("/players"))).await.refused(409, "session_full");
    let listed =
        app.get("/v1/sessions?game=captive-queens&status=playing&free_seats=0&limit=1").await.expect(200).json();
    assert_eq!(listed["items"][0]["id"], table.id);
    app.get(&table.at("/presence")).await.expect(200);
    app.ask(Ask::delete(&table.at("/players/7")).token(&table.token)).await.refused(404, "no_such_seat");
    let guest_token = guest["token"].as_str().unwrap();
    app.ask(Ask::delete(&table.at("/players/1")).token(guest_token)).await.refused(403, "not_host");
    app.ask(Ask::delete(&table.at("/players/2")).token(guest_token)).await.expect(204);
    app.history(&table).await;

    let wish = Ask::post("/v1/races").json(&json!({"game": "captive-queens", "seats": 2, "visibility": "private"}));
    let race = app.ask(wish).await.expect(201).json();
    let (path, token) =
        (format!("/v1/races/{}", race["race"]["id"].as_str().unwrap()), race["token"].as_str().unwrap());
    let at = |rest: &str| format!("{path}{rest}");
    app.get(&path).await.refused(404, "no_such_race");
    app.ask(Ask::post(&at("/start")).token(token)).await.refused(409, "too_few_players");
    let rival = app.ask(Ask::post(&at("/players")).json(&json!({"invite": race["invite"]}))).await.expect(201).json();
    app.ask(Ask::post(&at("/players")).json(&json!({"invite": race["invite"]}))).await.refused(409, "race_full");
    let running = app.ask(Ask::post(&at("/start")).token(token)).await.expect(200).json();
    let session = format!("/v1/sessions/{}", running["standings"][0]["session"].as_str().unwrap());
    app.ask(Ask::delete(&session).token(token)).await.refused(409, "race_running");
    app.ask(Ask::post(&format!("{session}/resign")).token(token)).await.expect(200);
    let rival_token = rival["token"].as_str().unwrap();
    app.ask(Ask::delete(&at("/players/2")).token(rival_token)).await.expect(204);
    app.ask(Ask::delete(&at("/players/1")).token(token)).await.refused(409, "race_over");
    assert_eq!(app.ask(Ask::get(&path).token(token)).await.expect(200).json()["status"], "over");
    app.ask(Ask::get(&format!("{session}/history")).token(token)).await.expect(200);
    app.ask(Ask::post("/v1/races").json(&json!({"game": "captive-queens", "seats": 2, "visibility": "public"}))).await;
    assert_eq!(app.get("/v1/races?limit=1").await.expect(200).json()["items"].as_array().unwrap().len(), 1);
}

/// What browsers load of the built-in table and the reference, which is no part of the API.
const PAGES: [&str; 5] = ["/", "/sessions/{id}", "/races/{id}", "/docs", "/assets/{version}/{*name}"];

/// The paths of the API in the router, as its source has them. Metrics are not for clients.
fn routes() -> BTreeSet<String> {
    let mut source = String::new();
    for file in fs::read_dir("src/http").unwrap().chain(fs::read_dir("src/http/routes").unwrap()) {
        let path = file.unwrap().path();
        if path.ends_with("metrics.rs") {
            continue;
        }
        source.push_str(&if path.is_file() { fs::read_to_string(path).unwrap() } else { String::new() });
    }
    for hidden in [".nest(", ".nest_service(", ".route_service(", ".fallback_service("] {
        assert!(!source.contains(hidden), "a path could hide behind {hidden}");
    }
    assert_eq!(source.matches(".route(").count(), source.matches(".route(\"").count(), "a path is no literal");
    let routes = source.split(".route(\"").skip(1).map(|route| route.split('"').next().unwrap().to_string());
    routes.filter(|route| !PAGES.contains(&&**route)).collect()
}

#[test]
fn the_codes_of_problems_are_those_of_the_house() {
    let schemas = &DOCUMENT["components"]["schemas"];
    let codes = Code::ALL.map(|code| json!(code.as_str()));
    assert_eq!(items(&schemas["ProblemCode"]["enum"]), codes);
    let table =
        Code::ALL.map(|code| format!("| `{}` | {} | {} |\n", code.as_str(), code.status().as_u16(), code.title()));
    let text = DOCUMENT["info"]["description"].as_str().unwrap();
    assert!(text.contains(&table.concat()), "the text should have\n{}", table.concat());
}

#[test]
fn the_reasons_of_illegal_moves_are_those_of_the_rules_in_their_order() {
    let reasons = Reason::ALL.map(|reason| json!(reason.code()));
    assert_eq!(items(&DOCUMENT["components"]["schemas"]["Reason"]["enum"]), reasons);
}

#[test]
fn every_problem_is_documented_under_its_status_with_an_example() {
    const PROBLEM: &str = "application/problem+json";
    let mut documented = BTreeSet::new();
    for operation in OPERATIONS.iter() {
        for (status, answer) in operation.answers.range(400..) {
            let about = format!("{} {} {status}", operation.method, operation.path);
            let schema = answer.content.get(PROBLEM).unwrap_or_else(|| panic!("{about} is no problem"));
            let method = operation.method.as_str().to_lowercase();
            let described = &DOCUMENT["paths"][&operation.path][method]["responses"][status.to_string()];
            let examples = members(&described["content"][PROBLEM]["examples"]).map(|(_, example)| &example["value"]);
            let shown: BTreeSet<&str> = examples.inspect(|example| is_of_the_house(example)).map(code_of).collect();
            let taken = Code::ALL.into_iter().filter(|code| schema.is_valid(&full(*code)));
            let taken: BTreeSet<&str> = taken.map(|code| of_status(code, *status)).collect();
            assert_eq!(shown, taken, "{about}");
            documented.extend(taken);
        }
    }
    // What is no operation is not listed with one.
    let examples = items(&DOCUMENT["components"]["schemas"]["Problem"]["examples"]);
    examples.iter().for_each(is_of_the_house);
    documented.extend(examples.iter().map(code_of));
    assert_eq!(documented, Code::ALL.into_iter().map(Code::as_str).collect());
}

fn code_of(problem: &Value) -> &str {
    problem["code"].as_str().unwrap()
}

fn of_status(code: Code, status: u16) -> &'static str {
    assert_eq!(code.status().as_u16(), status, "{code:?}");
    code.as_str()
}

/// A problem with all that one can have.
fn full(code: Code) -> Value {
    json!({"type": format!("/problems/{}", code.as_str()), "title": code.title(), "status": code.status().as_u16(),
        "detail": code.meaning(), "code": code.as_str(), "reason": "not_a_run", "version": 1, "field": "count",
        "retry_after": 1})
}

/// Checks that a problem says what the server would.
fn is_of_the_house(problem: &Value) {
    let code = Code::ALL.into_iter().find(|code| code.as_str() == code_of(problem)).unwrap();
    for name in ["type", "title", "status"] {
        assert_eq!(problem[name], full(code)[name], "{problem}");
    }
}

#[test]
fn the_games_and_their_options_are_those_of_the_catalogue() {
    let schemas = &DOCUMENT["components"]["schemas"];
    let ids: Vec<Value> = CATALOGUE.iter().map(|game| json!(game.id)).collect();
    assert_eq!(items(&schemas["GameId"]["enum"]), ids);
    let [session, race] = ["NewSession", "NewRace"].map(|wish| items(&schemas[wish]["oneOf"]));
    assert_eq!(race, session);
    assert_eq!(session.len(), CATALOGUE.len());
    for (game, schema) in CATALOGUE.iter().zip(session) {
        assert_eq!(schema["properties"]["game"]["const"], game.id);
        let documented = members(&schema["properties"]["options"]["properties"]);
        let documented: Vec<(&str, Value)> = documented.map(|(name, option)| (name, without_prose(option))).collect();
        let mut options: Vec<(&str, Value)> =
            game.options.iter().map(|option| (option.name, schema_of(&option.domain))).collect();
        options.sort_by_key(|(name, _)| *name);
        assert_eq!(documented, options, "{}", game.id);
    }
}

fn without_prose(schema: &Value) -> Value {
    members(schema).filter(|(name, _)| *name != "description").map(|(name, value)| (name, value.clone())).collect()
}

/// The schema of an option with that domain.
fn schema_of(domain: &Domain) -> Value {
    match domain {
        Domain::Choice(choices) => {
            let words: Vec<&str> = choices.iter().map(|choice| choice.value).collect();
            json!({"type": "string", "enum": words, "default": words[0]})
        }
        Domain::Integer { minimum, maximum, default } => {
            json!({"type": "integer", "minimum": minimum, "maximum": maximum, "default": default})
        }
    }
}

#[test]
fn every_example_is_of_its_schema() {
    let mut checked = 0;
    check_examples(&DOCUMENT, "", &mut checked);
    assert!(checked > 100, "the examples were not found: {checked}");
}

/// Checks the examples in a part of the contract: of what is sent, they stand beside the schema, and of
/// a schema itself in it.
fn check_examples(part: &Value, place: &str, checked: &mut usize) {
    let (schema, examples): (_, Vec<&Value>) = match part.get("schema") {
        Some(schema) => {
            let named = members(&part["examples"]).map(|(_, example)| &example["value"]);
            (schema, part.get("example").into_iter().chain(named).collect())
        }
        None => (part, items(&part["examples"]).iter().collect()),
    };
    if !examples.is_empty() {
        let schema = validator(schema);
        for example in examples {
            assert_eq!(complaints(&schema, place, example), [""; 0], "{example}");
            *checked += 1;
        }
    }
    let below = members(part).filter(|(name, _)| !["example", "examples"].contains(name));
    below.for_each(|(name, member)| check_examples(member, &format!("{place}/{name}"), checked));
    items(part).iter().for_each(|item| check_examples(item, place, checked));
}

#[test]
fn every_event_in_the_example_of_a_stream_is_of_its_schema() {
    let of_sessions = [
        ("snapshot", "SnapshotEvent"),
        ("change", "ChangeEvent"),
        ("presence", "Presence"),
        ("outlook", "Outlook"),
        ("bye", "Bye"),
    ];
    let of_races = [("snapshot", "RaceSnapshotEvent"), ("change", "RaceChangeEvent"), ("standings", "StandingsEvent")];
    for (path, kinds) in [("/v1/sessions/{id}/events", &of_sessions[..]), ("/v1/races/{id}/events", &of_races)] {
        let content = &DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]["text/event-stream"];
        let events = content["example"].as_str().unwrap().split("\n\n").filter(|event| event.contains("event:"));
        let mut shown = BTreeSet::new();
        for event in events {
            let field = |name| event.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            let (_, schema) = kinds.iter().find(|(kind, _)| *kind == field("event: ")).unwrap();
            check_event(schema, &serde_json::from_str(field("data: ")).unwrap());
            shown.insert(*schema);
        }
        assert_eq!(shown, kinds.iter().map(|(_, schema)| *schema).collect(), "{path}");
    }
}

#[test]
fn every_operation_has_an_example_of_what_is_asked_and_answered() {
    for (path, item) in members(&DOCUMENT["paths"]) {
        for (method, operation) in members(item).filter(|(name, _)| *name != "parameters") {
            let answers = members(&operation["responses"]).map(|(_, answer)| answer);
            for what in answers.chain(operation.get("requestBody")) {
                for (media_type, content) in members(&what["content"]) {
                    let has_one = content.get("example").or(content.get("examples")).is_some();
                    assert!(has_one, "{method} {path}: no example of {media_type}");
                }
            }
        }
    }
}
