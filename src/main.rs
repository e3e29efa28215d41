//! The `patience` program: reads the command line and does what it says.

use std::process::ExitCode;

/// A request makes some dozens of small things and drops them at once, among others that stay for a
/// day. Where the two share lists of free memory, most of the time goes into cache misses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    patience::cli::run(std::env::args_os())
}
