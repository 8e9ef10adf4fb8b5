//! qd: parses, runs, ends with an exit code. Everything else is in the library.

use std::{io, process::ExitCode};

use quarterdeck::{
    cli::{self, environment::HiddenVariables},
    process::{environment, supervisor},
};

fn main() -> ExitCode {
    let is_supervisor = std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == supervisor::SUBCOMMAND);
    if is_supervisor {
        return supervisor::main();
    }
    // Keys leave the environment before anything else can read it.
    let hidden = environment::hide(&[]).unwrap_or_default();
    // Not locked: the screen writes to the same streams.
    cli::run(
        std::env::args_os(),
        HiddenVariables::new(hidden),
        &mut io::stdout(),
        &mut io::stderr(),
    )
}
