//! The workbench: a terminal is needed, everything is prepared, then engine and screen take over.

use std::io::{IsTerminal, Write};

use super::{
    arguments::WorkbenchArguments,
    failure::{Exit, Failure},
    startup::{Setting, Start, block_on},
};

/// Runs the workbench until it is left; returns the exit code.
pub fn run(
    setting: Setting,
    arguments: &WorkbenchArguments,
    _err: &mut dyn Write,
) -> Result<u8, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::new(
            Exit::Setup,
            "the workbench needs a terminal on stdin and stdout",
        ));
    }
    block_on(async {
        let start = Start::prepare(setting, arguments).await?;
        start.store.close().await?;
        Err(Failure::new(
            Exit::Failed,
            "this build has no screen attached",
        ))
    })?
}
