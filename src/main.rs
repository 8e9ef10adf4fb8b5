//! qd: parses, runs, ends with an exit code. Everything else is in the library.

use std::{io, process::ExitCode};

use quarterdeck::{
    cli::{self, environment::HiddenVariables},
    config::{self, Paths},
    process::{
        environment,
        sandbox::{inside, order},
        supervisor,
        terminal::unconfined,
    },
};

fn main() -> ExitCode {
    let first = std::env::args_os().nth(1).unwrap_or_default();
    if first == supervisor::SUBCOMMAND {
        return supervisor::main();
    }
    if first == order::SUBCOMMAND {
        return inside::main();
    }
    if first == unconfined::SUBCOMMAND {
        return unconfined::main();
    }
    // Keys leave the environment before anything else can read it.
    let hidden = environment::hide(configured_keys).unwrap_or_default();
    // Not locked: the screen writes to the same streams.
    cli::run(
        std::env::args_os(),
        HiddenVariables::new(hidden),
        &mut io::stdout(),
        &mut io::stderr(),
    )
}

/// The variables that the person's settings call keys.
fn configured_keys() -> Vec<String> {
    Paths::from_environment().map_or_else(|_| Vec::new(), |paths| config::key_variables(&paths))
}
