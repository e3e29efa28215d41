//! The `patience` program: reads the command line and does what it says.

use std::process::ExitCode;

fn main() -> ExitCode {
    patience::cli::run(std::env::args_os())
}
