//! Server processes: started, measured from outside, ended.

use std::fs::{self, File, OpenOptions};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Ticks a second in which the kernel tells processor time; the same on every Linux.
const TICKS: f64 = 100.0;

/// A server process. It ends, and its log goes, when this is dropped.
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
    address: SocketAddr,
}

impl Process {
    /// Starts a server, its standard output to a file, and waits until it has logged where it listens.
    pub(crate) fn start(name: &str, mut command: Command) -> Process {
        let log = std::env::temp_dir().join(format!("patience-bench-{}-{name}.log", std::process::id()));
        File::create(&log).expect("the directory for temporary files can be written");
        // What is appended goes to the end wherever that is, so the file can be emptied meanwhile.
        let output = OpenOptions::new().append(true).open(&log).expect("the file is there");
        let child = command.stdin(Stdio::null()).stdout(output).spawn().expect("the server can be started");
        let mut process = Process { child, log, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        process.address = process.wait_for_address();
        process
    }

    fn wait_for_address(&mut self) -> SocketAddr {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            let log = fs::read_to_string(&self.log).expect("a log is text");
            let after = log.split_once("\"address\":\"").and_then(|(_, after)| after.split_once('"'));
            if let Some((address, _)) = after {
                return address.parse().expect("an address is logged");
            }
            assert!(self.ended().is_none(), "the server has ended at once: {log}");
            sleep(Duration::from_micros(100));
        }
        panic!("the server does not say where it listens");
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The processor time that it has used.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("the server runs");
        // After the name, which ends with the last parenthesis, user and system time are the 12th and 13th field.
        let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
        let times = fields.split_whitespace().skip(11).take(2);
        times.map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() / TICKS
    }

    /// Waits until it does nothing.
    pub(crate) async fn is_idle(&self) {
        loop {
            let before = self.cpu_seconds();
            tokio::time::sleep(Duration::from_millis(500)).await;
            if self.cpu_seconds() == before {
                return;
            }
        }
    }

    /// The memory that it has at hand, in bytes.
    pub(crate) fn resident_bytes(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the server runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has memory");
        let kib = line.trim().trim_end_matches(" kB");
        kib.parse::<usize>().expect("a number") * 1024
    }

    /// Tells it to end.
    pub(crate) fn terminate(&self) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()), "the server can be told to end");
    }

    /// How it has ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("the server can be asked for")
    }

    /// Empties its log.
    pub(crate) fn forget_log(&self) {
        let log = OpenOptions::new().write(true).open(&self.log).expect("the file is there");
        log.set_len(0).expect("a file can be emptied");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.log);
    }
}

/// What counts every creation and change, as by default, and refuses none: the load is one client that
/// plays faster than people do.
const RATES: [&str; 4] = ["--rate-creates", "1000000", "--rate-moves", "1000000"];

/// The release build of this server, or the one that `--program` names, on a free port, with rate limits
/// that are never reached and more arguments.
pub(crate) fn patience(pinning: &Pinning, arguments: &[String]) -> Command {
    let mut command = patience_for_people(pinning, arguments);
    command.args(RATES);
    command
}

/// The same with the rate limits that are there by default.
pub(crate) fn patience_for_people(pinning: &Pinning, arguments: &[String]) -> Command {
    let program = super::argument("--program").unwrap_or(env!("CARGO_BIN_EXE_patience").into());
    let mut command = pinning.command(&program);
    // The settings of whoever runs the bench are not those that are measured.
    let settings = std::env::vars_os().map(|(name, _)| name);
    settings.filter(|name| name.to_string_lossy().starts_with("PATIENCE_")).for_each(|name| {
        command.env_remove(name);
    });
    command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]).args(arguments);
    command
}

/// Servers on one core and the load on another, where that can be had.
pub(crate) struct Pinning {
    pinned: bool,
}

impl Pinning {
    const SERVER: &str = "0";
    const LOAD: &str = "1";

    /// Pins this process, which is the load.
    pub(crate) fn start() -> Pinning {
        let process = std::process::id().to_string();
        let mut taskset = Command::new("taskset");
        taskset.args(["--all-tasks", "--pid", "--cpu-list", Pinning::LOAD, &process]);
        let done = taskset.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let pinned = done.is_ok_and(|status| status.success());
        if !pinned {
            eprintln!("Servers and load share cores: `taskset` is not there or there is one core only.");
        }
        Pinning { pinned }
    }

    /// Pins nothing.
    pub(crate) fn none() -> Pinning {
        Pinning { pinned: false }
    }

    /// A command for a server.
    pub(crate) fn command(&self, program: &str) -> Command {
        if !self.pinned {
            return Command::new(program);
        }
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", Pinning::SERVER, program]);
        command
    }
}
