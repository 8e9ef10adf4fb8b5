//! qd: parses, runs, ends with an exit code. Everything else is in the library.

use std::{io, process::ExitCode};

use quarterdeck::process::supervisor;

fn main() -> ExitCode {
    let is_supervisor = std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == supervisor::SUBCOMMAND);
    if is_supervisor {
        return supervisor::main();
    }
    // Not locked: the screen writes to the same streams.
    quarterdeck::cli::run(std::env::args_os(), &mut io::stdout(), &mut io::stderr())
}
