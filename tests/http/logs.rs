//! The log of all the servers under test: kept, so that a test can see what was written there.

use std::io::{self, Write};
use std::sync::Once;

use parking_lot::Mutex;

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.lock().push(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts to keep the log, once: everything that the server says at any level, and the libraries
/// under it; the client's words are left out.
pub(crate) fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let filter = "trace,reqwest=off,hyper_util::client=off,mio=off";
        let log = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter);
        log.with_writer(|| Writer).init();
    });
}

/// The lines in which a text is, in their order.
pub(crate) fn lines_with(text: &str) -> Vec<String> {
    LINES.lock().iter().filter(|line| line.contains(text)).cloned().collect()
}
