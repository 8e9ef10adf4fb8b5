//! Parses the command line and calls the one function of what was asked for.
//!
//! stdout gets only what was asked for; everything else goes to stderr. Both come from the caller.

use std::{ffi::OsString, io::Write, process::ExitCode};

use super::{
    arguments::{Arguments, Command, ConfigCommand, SessionCommand, ToolCommand},
    config, doctor,
    environment::HiddenVariables,
    failure::{Exit, Failure},
    session,
    startup::Setting,
    tool, workbench,
};
use crate::text::sanitize;

/// Where a command writes.
pub(super) struct Streams<'a> {
    /// What was asked for.
    pub(super) out: &'a mut dyn Write,
    /// Everything else.
    pub(super) err: &'a mut dyn Write,
}

/// Runs the program and returns its exit code.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: HiddenVariables,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> ExitCode {
    let mut streams = Streams { out, err };
    let code = match Arguments::read(arguments) {
        Ok(arguments) => match dispatch(&arguments, environment, &mut streams) {
            Ok(code) => code,
            Err(failure) => {
                streams.complain(&failure.text);
                failure.exit as u8
            }
        },
        Err(error) => {
            let text = error.render().to_string();
            let stream = if error.use_stderr() {
                &mut streams.err
            } else {
                &mut streams.out
            };
            let _ = write!(stream, "{text}");
            if error.use_stderr() {
                Exit::Usage as u8
            } else {
                Exit::Done as u8
            }
        }
    };
    let _ = streams.out.flush();
    let _ = streams.err.flush();
    ExitCode::from(code)
}

fn dispatch(
    arguments: &Arguments,
    environment: HiddenVariables,
    streams: &mut Streams<'_>,
) -> Result<u8, Failure> {
    let setting = Setting::find(arguments.cwd.as_deref())?;
    match &arguments.command {
        None => return workbench::run(setting, &arguments.workbench, environment),
        Some(Command::Session(command)) => match command {
            SessionCommand::List { all, limit, output } => {
                session::list(&setting, *all, *limit, output.format, streams)
            }
            SessionCommand::Show { id, output } => {
                session::show(&setting, id.as_deref(), output.format, streams)
            }
        },
        Some(Command::Config(command)) => match command {
            ConfigCommand::Path { output } => config::path(&setting, output.format, streams),
            ConfigCommand::Show { output } => config::show(&setting, output.format, streams),
            ConfigCommand::Check => config::check(&setting, &environment, streams),
            ConfigCommand::Init => config::init(&setting, streams),
        },
        Some(Command::Doctor { output }) => doctor::report(&setting, output.format, streams),
        Some(Command::Tool(command)) => match command {
            ToolCommand::List { output } => tool::list(&setting, output.format, streams),
            ToolCommand::Show { name, output } => {
                tool::show(&setting, name, output.format, streams)
            }
        },
    }?;
    Ok(Exit::Done as u8)
}

impl Streams<'_> {
    /// Writes to stderr. What comes from files and names may hold anything, so it is cleaned.
    pub(super) fn complain(&mut self, text: &str) {
        if !text.is_empty() {
            // There is nowhere to report that stderr is closed.
            let _ = writeln!(self.err, "{}", sanitize::clean(text));
        }
    }

    /// Writes a notice to stderr.
    pub(super) fn tell(&mut self, notice: &crate::domain::notice::Notice) {
        self.complain(&format!("warning: {}", notice.text));
        if let Some(hint) = &notice.hint {
            self.complain(&format!("  = help: {hint}"));
        }
    }

    /// Writes notices to stderr.
    pub(super) fn tell_all(&mut self, notices: &[crate::domain::notice::Notice]) {
        for notice in notices {
            self.tell(notice);
        }
    }

    /// Writes a value as JSON, one line at the end.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, value)?;
        writeln!(self.out)?;
        Ok(())
    }
}
