//! qd.

use std::process::ExitCode;

use quarterdeck::process::supervisor;

fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == supervisor::SUBCOMMAND)
    {
        return supervisor::main();
    }
    ExitCode::SUCCESS
}
