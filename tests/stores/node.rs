//! The program, as a process that can be killed, and a folder for what it leaves behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

/// A node: the program in a process of its own, which ends with the test.
pub(crate) struct Node {
    process: Child,
    pub(crate) address: SocketAddr,
    has_panicked: Arc<AtomicBool>,
}

impl Node {
    /// Starts the program on a store.
    pub(crate) fn start(store: &str) -> Node {
        Node::spawned(&mut Node::command(&[], store))
    }

    /// The program on a store, run by another one if that is named, with its arguments.
    pub(crate) fn command(runner: &[&str], store: &str) -> Command {
        let mut line = runner.to_vec();
        line.extend([env!("CARGO_BIN_EXE_patience"), "serve", "--listen", "127.0.0.1:0"]);
        line.extend(["--rate-creates", "0", "--rate-moves", "0", "--winnable-deals", "0", "--store", store]);
        let mut command = Command::new(line[0]);
        command.args(&line[1..]).env("PATIENCE_LOG", "info").stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }

    pub(crate) fn spawned(command: &mut Command) -> Node {
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut log = BufReader::new(process.stdout.take().unwrap());
        let address = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "it has not started: {command:?}");
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["message"] == "listening" {
                break line["address"].as_str().unwrap().parse().unwrap();
            }
        };
        let has_panicked = Arc::new(AtomicBool::new(false));
        let seen = has_panicked.clone();
        thread::spawn(move || read_on(log, &seen));
        Node { process, address, has_panicked }
    }

    /// Ends it without a word.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Reads the log, so that the pipe does not fill.
fn read_on(log: BufReader<ChildStdout>, has_panicked: &AtomicBool) {
    let shown = std::env::var_os("PATIENCE_SHOW_LOGS").is_some();
    for line in log.lines().map_while(Result::ok) {
        if shown {
            eprintln!("{line}");
        }
        if line.contains("\"message\":\"panicked\"") {
            has_panicked.store(true, Ordering::SeqCst);
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It has ended already where it was killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if !thread::panicking() {
            assert!(!self.has_panicked.load(Ordering::SeqCst), "a node has panicked");
        }
    }
}

/// A folder that is gone after the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let path = std::env::temp_dir().join(format!("patience-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it, as a store.
    pub(crate) fn store(&self) -> String {
        format!("sqlite:{}", self.file().display())
    }

    /// The file of that store.
    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("games.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
