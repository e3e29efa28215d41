//! A Redis of its own, in memory only.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A Redis that ends when this is dropped.
pub(crate) struct RedisServer {
    child: Child,
    port: u16,
}

impl RedisServer {
    pub(crate) fn start() -> RedisServer {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address");
        let port = free.port();
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port", &port.to_string()]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("`redis-server` is installed");
        let redis = RedisServer { child, port };
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            sleep(Duration::from_millis(10));
        }
        redis
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
