//! Redis servers that a test starts for itself, because it kills them.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::node::Folder;

/// After that long a test has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that writes everything down before it answers.
pub(crate) struct Redis {
    process: Child,
    pub(crate) port: u16,
    folder: Folder,
}

impl Redis {
    pub(crate) fn start() -> Redis {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = Folder::new();
        let process = spawn(port, &folder);
        let redis = Redis { process, port, folder };
        redis.answers();
        redis
    }

    /// It, as a store.
    pub(crate) fn store(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Ends it without a word.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again where it was, with what it had.
    pub(crate) fn restart(&mut self) {
        self.process = spawn(self.port, &self.folder);
        self.answers();
    }

    /// Has it take connections and say nothing.
    pub(crate) fn pause(&self) {
        self.signal("STOP");
    }

    /// Has it go on.
    pub(crate) fn go_on(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Gives it a command that it says OK to.
    pub(crate) fn tell(&self, command: &str) {
        let answer = said_to(self.port, command).expect("it is there");
        assert!(answer.starts_with("+OK"), "{command}: {answer}");
    }

    /// Waits until it answers.
    fn answers(&self) {
        let began = Instant::now();
        while ping(self.port).is_none_or(|answer| !answer.starts_with("+PONG")) {
            assert!(began.elapsed() < PATIENCE, "Redis does not start");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It has ended already where it was killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(port: u16, folder: &Folder) -> Child {
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--save", "", "--loglevel", "warning"]);
    command.args(["--appendonly", "yes", "--appendfsync", "always"]);
    command.arg("--port").arg(port.to_string()).arg("--dir").arg(folder.path()).stdout(Stdio::null());
    command.spawn().unwrap_or_else(|error| panic!("redis-server is needed here: {error}"))
}

fn ping(port: u16) -> Option<String> {
    said_to(port, "PING")
}

/// What it says to a command; nothing if it is not there.
fn said_to(port: u16, command: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(1))).ok()?;
    stream.write_all(format!("{command}\r\n").as_bytes()).ok()?;
    let mut answer = [0; 64];
    let length = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..length]).into_owned())
}
