//! The program itself: how it starts, what it says, and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::raw::{Raw, head};

pub(crate) fn patience(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patience"));
    command.args(arguments).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    patience(arguments).output().unwrap()
}

/// A server in a process of its own, which ends with the test.
struct Server {
    process: Child,
    log: BufReader<std::process::ChildStdout>,
    address: SocketAddr,
    /// What it said when it had started.
    first_line: Value,
}

impl Server {
    fn start(command: &mut Command) -> Server {
        let mut process = command.spawn().unwrap();
        let mut log = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(line["message"], "listening");
        let address = line["address"].as_str().unwrap().parse().unwrap();
        Server { process, log, address, first_line: line }
    }

    fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already when all went well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn get(address: SocketAddr, path: &str) -> (u16, Value) {
    let mut raw = Raw::connect(address).await;
    raw.send(head("GET", path, &[("connection", "close")])).await;
    let answer = raw.answer(path).await.unwrap();
    (answer.status, answer.json())
}

#[tokio::test]
async fn a_signal_ends_it_in_good_order() {
    for signal in ["TERM", "INT"] {
        let mut server = Server::start(&mut patience(&["serve", "--listen", "127.0.0.1:0"]));
        assert_eq!(get(server.address, "/readyz").await, (200, json!({"status": "ready"})));
        server.signal(signal);
        assert_eq!(server.process.wait().unwrap().code(), Some(0), "{signal}");
        let mut log = String::new();
        server.log.read_to_string(&mut log).unwrap();
        assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
        let mut complaints = String::new();
        server.process.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        assert_eq!(complaints, "");
    }
}

#[tokio::test]
async fn a_bare_call_serves_and_takes_its_settings_from_the_environment() {
    let mut command = patience(&[]);
    command.env("PATIENCE_LISTEN", "127.0.0.1:0").env("PATIENCE_BODY_LIMIT", "4096");
    let server = Server::start(&mut command);
    let mut raw = Raw::connect(server.address).await;
    raw.send(head("POST", "/v1/sessions", &[("content-type", "application/json"), ("content-length", "4097")])).await;
    let answer = raw.answer("4097 bytes").await.unwrap();
    assert_eq!((answer.status, answer.code().as_str()), (413, "body_too_large"));
}

#[tokio::test]
async fn the_drain_delay_is_for_sigterm_and_ends_with_a_second_signal() {
    let delayed = || {
        let mut command = patience(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("PATIENCE_DRAIN_DELAY", "1h");
        Server::start(&mut command)
    };
    let mut at_a_terminal = delayed();
    at_a_terminal.signal("INT");
    assert_eq!(at_a_terminal.process.wait().unwrap().code(), Some(0));

    for second in ["TERM", "INT"] {
        let mut server = delayed();
        server.signal("TERM");
        while get(server.address, "/readyz").await.0 == 200 {}
        assert_eq!(get(server.address, "/healthz").await.0, 200, "it still lets people in");
        server.signal(second);
        assert_eq!(server.process.wait().unwrap().code(), Some(0), "{second}");
    }
}

/// Asks for the health of what listens at an address.
fn healthcheck(address: SocketAddr) -> Command {
    let mut command = patience(&["healthcheck"]);
    command.env("PATIENCE_LISTEN", address.to_string());
    command
}

#[test]
fn a_server_that_is_up_is_healthy_and_one_that_drains_too() {
    let mut command = patience(&["serve", "--listen", "0.0.0.0:0", "--drain-delay", "1h"]);
    let server = Server::start(&mut command);
    for _ in 0..2 {
        let output = healthcheck(server.address).output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
        server.signal("TERM");
    }
}

#[test]
fn what_is_not_up_is_unhealthy_and_told_so_in_one_line() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    fails(&mut healthcheck(nobody), "unhealthy");
    for (says, complaint) in [
        ("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n", "500"),
        ("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n", "302"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "unhealthy"),
        ("", "unhealthy"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let other = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // Its question is read, so that the end is no reset.
            assert!(stream.read(&mut [0; 4_096]).unwrap() > 0);
            stream.write_all(says.as_bytes()).unwrap();
        });
        fails(&mut healthcheck(address), complaint);
        other.join().unwrap();
    }
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    fails(&mut healthcheck(silent.local_addr().unwrap()), "within");
}

/// Checks that the program fails and says why in one line.
pub(crate) fn fails(command: &mut Command, why: &str) {
    let output = command.output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{command:?}");
    assert_eq!(complaint.lines().count(), 1, "{command:?}: {complaint}");
    assert!(complaint.contains(why), "{command:?}: {complaint}");
}

#[test]
fn a_port_in_use_is_told_in_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    fails(&mut patience(&["serve", "--listen", &address]), &address);
}

#[test]
fn a_store_that_cannot_be_used_is_told_in_one_line_and_without_its_password() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (store, why) in [
        (format!("redis://:secret@{closed}"), format!("cannot use Redis at {closed}: ")),
        (format!("redis://:secret@{closed}/x"), "cannot use Redis: ".to_string()),
        (format!("Redis://:secret@{closed}"), "--store".to_string()),
        (format!("redis://:secret@{closed},{closed}"), format!("cannot use Redis at cluster of {closed}, {closed}: ")),
    ] {
        let output = patience(&["--listen", "127.0.0.1:0", "--store", &store]).output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && complaint.lines().count() == 1, "{complaint}");
        assert!(complaint.contains(&why) && !complaint.contains("secret"), "{complaint}");
    }
}

#[test]
fn a_setting_that_makes_no_sense_is_told_in_one_line() {
    let cases = [
        ("--listen", "PATIENCE_LISTEN", vec!["", "localhost", "8080", "127.0.0.1:65536"]),
        ("--body-limit", "PATIENCE_BODY_LIMIT", vec!["", "4095", "1048577", "64k", "-1", "1.5"]),
        ("--head-timeout", "PATIENCE_HEAD_TIMEOUT", vec!["", "0s", "999ms", "3601s", "10", "-1s"]),
        ("--body-timeout", "PATIENCE_BODY_TIMEOUT", vec!["0s", "2h"]),
        ("--request-timeout", "PATIENCE_REQUEST_TIMEOUT", vec!["0s", "2h"]),
        ("--write-timeout", "PATIENCE_WRITE_TIMEOUT", vec!["0s", "2h"]),
        ("--max-connections", "PATIENCE_MAX_CONNECTIONS", vec!["0", "1000001"]),
        ("--max-requests", "PATIENCE_MAX_REQUESTS", vec!["0", "1000001"]),
        ("--rate-creates", "PATIENCE_RATE_CREATES", vec!["-1", "1000001", "0.5"]),
        ("--rate-moves", "PATIENCE_RATE_MOVES", vec!["-1", "1000001"]),
        ("--trusted-proxies", "PATIENCE_TRUSTED_PROXIES", vec!["-1", "17", "10.0.0.1"]),
        ("--cors-origins", "PATIENCE_CORS_ORIGINS", vec!["", "*", "https://example.org/", "https://a.org,"]),
        ("--drain-delay", "PATIENCE_DRAIN_DELAY", vec!["", "5", "-1s", "2h"]),
        ("--drain-timeout", "PATIENCE_DRAIN_TIMEOUT", vec!["0s", "2h"]),
        ("--metrics-listen", "PATIENCE_METRICS_LISTEN", vec!["", "9090", "localhost:9090"]),
        ("--unplayed-ttl", "PATIENCE_UNPLAYED_TTL", vec!["59s", "11years"]),
        ("--idle-ttl", "PATIENCE_IDLE_TTL", vec!["59s", "11years", "24"]),
        ("--finished-ttl", "PATIENCE_FINISHED_TTL", vec!["59s", "11years"]),
        ("--history-limit", "PATIENCE_HISTORY_LIMIT", vec!["9", "1000001"]),
        ("--queue", "PATIENCE_QUEUE", vec!["0", "100001"]),
        ("--solver-threads", "PATIENCE_SOLVER_THREADS", vec!["", "0", "1025"]),
        ("--solver-queue", "PATIENCE_SOLVER_QUEUE", vec!["0", "100001"]),
        ("--winnable-deals", "PATIENCE_WINNABLE_DEALS", vec!["", "-1", "10001"]),
        ("--store", "PATIENCE_STORE", vec!["", "sqlite", "sqlite:", "postgres://host", "Memory"]),
        ("--max-sessions", "PATIENCE_MAX_SESSIONS", vec!["0", "100000001"]),
        ("--max-memory", "PATIENCE_MAX_MEMORY", vec!["0", "1048577"]),
        ("--live-sessions", "PATIENCE_LIVE_SESSIONS", vec!["0", "10000001"]),
        ("--log", "PATIENCE_LOG", vec!["patience=loud"]),
        ("--log-format", "PATIENCE_LOG_FORMAT", vec!["xml"]),
    ];
    for (flag, variable, values) in cases {
        for value in values {
            fails(&mut patience(&["serve", "--listen", "127.0.0.1:0", &format!("{flag}={value}")]), flag);
            // A variable that is empty counts as one that makes no sense too.
            let mut command = patience(&["serve"]);
            command.env("PATIENCE_LISTEN", "127.0.0.1:0").env(variable, value);
            fails(&mut command, flag);
        }
    }
    fails(&mut patience(&["serve", "--colour", "red"]), "--colour");
    fails(&mut patience(&["play"]), "play");
}

#[tokio::test]
async fn metrics_are_told_on_a_listener_of_their_own_and_tell_of_nobody() {
    // Where no deals are prepared, nothing is searched for but what is asked for.
    let ports = ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--winnable-deals", "0"];
    let server = Server::start(&mut patience(&ports));
    let metrics: SocketAddr = server.first_line["metrics_address"].as_str().unwrap().parse().unwrap();
    let mut raw = Raw::connect(server.address).await;
    let mut ask = async |method: &str, path: &str, token: &str, body: &str| {
        let (token, length) = (format!("Bearer {token}"), body.len().to_string());
        let headers = [("authorization", &*token), ("content-type", "application/json"), ("content-length", &length)];
        raw.send(head(method, path, &headers) + body).await;
        raw.answer(path).await.unwrap()
    };
    let opening = ask("POST", "/v1/sessions", "", r#"{"game": "napoleons-square"}"#).await.json();
    let (id, token) = (opening["session"]["id"].as_str().unwrap(), opening["token"].as_str().unwrap());
    let moves = format!("/v1/sessions/{id}/moves");
    for body in [r#"{"type": "draw"}"#, r#"{"type": "draw"}"#, r#"{"type": "redeal"}"#] {
        ask("POST", &moves, token, body).await;
    }
    ask("BREW", &moves, token, "").await;
    ask("GET", &format!("/v1/sessions/{id}/hint"), token, "").await;

    let mut scrape = Raw::connect(metrics).await;
    scrape.send(head("GET", "/metrics", &[])).await;
    let told = scrape.answer("/metrics").await.unwrap().expect(200);
    assert_eq!(told.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let told = told.text();
    let route = r#"route="/v1/sessions/{id}/moves""#;
    for line in [
        &format!(r#"patience_http_requests_total{{method="POST",{route},status="200"}} 2"#),
        &format!(r#"patience_http_requests_total{{method="POST",{route},status="422"}} 1"#),
        &format!(r#"patience_http_requests_total{{method="other",{route},status="405"}} 1"#),
        &format!(r#"patience_http_request_duration_seconds_count{{{route}}} 4"#),
        r#"patience_refusals_total{code="illegal_move",reason="stock_not_empty"} 1"#,
        r#"patience_sessions{game="napoleons-square",status="playing"} 1"#,
        "patience_entries 3",
        "patience_entries_appended_total 3",
        "patience_live_sessions 1",
        "patience_changes_waiting 0",
        r#"patience_searches_total{outcome="done",search="hint"} 1"#,
        r#"patience_search_duration_seconds_count{search="hint"} 1"#,
        "patience_searches_waiting 0",
        r#"patience_winnable_deals_ready{game="captive-queens"} 0"#,
        "patience_http_connections 1",
        "patience_http_requests_in_flight 0",
        "patience_log_lines_lost_total 0",
        concat!(r#"patience_build_info{version=""#, env!("CARGO_PKG_VERSION"), r#""} 1"#),
    ] {
        assert!(told.lines().any(|told| told == line), "{line}\n{told}");
    }
    for name in ["process_resident_memory_bytes", "process_cpu_seconds_total", "patience_store_bytes"] {
        assert!(told.lines().any(|line| line.starts_with(name)), "{name}\n{told}");
    }
    for line in told.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let family =
            ["_bucket", "_sum", "_count"].iter().fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
        let described = |kind: &str| told.contains(&format!("# {kind} {family} "));
        assert!(described("TYPE") && described("HELP"), "{line}");
    }
    assert!(!told.contains(id) && !told.contains(token) && !told.contains("127.0.0.1"), "{told}");
    assert_eq!(get(server.address, "/metrics").await.0, 404);
}

#[test]
fn the_help_tells_every_setting_with_its_variable_default_and_bounds() {
    let output = run(&["serve", "--help"]);
    assert!(output.status.success());
    let help = String::from_utf8(output.stdout).unwrap();
    let mut settings: Vec<String> = Vec::new();
    for line in help.lines() {
        if line.trim_start().starts_with("--") || line.trim_start().starts_with("-h") {
            settings.push(String::new());
        }
        if let Some(setting) = settings.last_mut() {
            setting.push_str(line.trim());
            setting.push(' ');
        }
    }
    let own: Vec<&String> = settings.iter().filter(|setting| setting.starts_with("--")).collect();
    assert_eq!(own.len(), 33, "{help}");
    for setting in own {
        let flag = setting.split_whitespace().next().unwrap();
        let variable = format!("PATIENCE_{}", flag.trim_start_matches('-').to_uppercase().replace('-', "_"));
        // What may have a password in it is not shown.
        let is_told = ["=]", "]"].iter().any(|end| setting.contains(&format!("[env: {variable}{end}")));
        assert!(is_told, "{flag}: {setting}");
        assert!(setting.contains("[default: ") || setting.contains("unless set"), "{flag}: {setting}");
        let is_number = setting.contains("[default: ")
            && setting.contains('<')
            && setting.split("[default: ").nth(1).unwrap().starts_with(|c: char| c.is_ascii_digit());
        assert!(!is_number || flag == "--listen" || setting.contains(" to "), "{flag} tells no bounds: {setting}");
    }
}

/// The settings as the help tells them: variable, default, meaning.
fn settings() -> Vec<[String; 3]> {
    let output = run(&["serve", "--help"]);
    assert!(output.status.success());
    let help = String::from_utf8(output.stdout).unwrap();
    let own = help.split("\n      --").skip(1);
    let between = |text: &str, start: &str, end: &str| {
        text.split_once(start).map(|(_, rest)| rest.split(end).next().unwrap().to_string())
    };
    own.map(|setting| {
        let lines: Vec<&str> = setting.lines().skip(1).map(str::trim).take_while(|line| !line.is_empty()).collect();
        let variable = between(setting, "[env: ", "]").unwrap().trim_end_matches('=').to_string();
        [variable, between(setting, "[default: ", "]").unwrap_or_default(), lines.join(" ")]
    })
    .collect()
}

#[test]
fn the_readme_has_every_setting_as_the_help_tells_it() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let rows: String = settings()
        .into_iter()
        .map(|[variable, default, meaning]| {
            let default = if default.is_empty() { default } else { format!("`{default}`") };
            format!("| `{variable}` | {default} | {meaning} |\n")
        })
        .collect();
    let table = format!("\n\n| setting | default | what it is |\n|---|---|---|\n{rows}\n```sh\n");
    assert!(readme.contains(&table), "the README should have\n{table}");
}

#[test]
fn other_calls_say_what_they_are_asked_for() {
    let version = run(&["--version"]);
    assert!(version.status.success());
    assert_eq!(String::from_utf8(version.stdout).unwrap(), format!("patience {}\n", env!("CARGO_PKG_VERSION")));
    let games = run(&["games"]);
    assert!(games.status.success());
    let games = String::from_utf8(games.stdout).unwrap();
    for id in ["captive-queens", "napoleons-square", "topsy-turvy-queens"] {
        assert!(games.contains(id), "{games}");
    }
    for arguments in [
        vec!["--help"],
        vec!["help"],
        vec!["serve", "-h"],
        vec!["games", "--help"],
        vec!["solve", "--help"],
        vec!["simulate", "-h"],
    ] {
        assert!(run(&arguments).status.success(), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    for arguments in [&["serve", "--help"][..], &["games"], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = patience(arguments).stdout(writer).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        assert_eq!(output.stderr, b"", "{arguments:?}");
    }
}
