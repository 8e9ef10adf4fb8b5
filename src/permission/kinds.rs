//! Kinds of calls: what an answer for the session stands for where mode is adaptive and something holds the call
//! anyway, the sandbox a command and the workspace a change of a file.
//!
//! What commands of the line print (`$(…)`) is an argument that nobody knows: it may stand where no argument makes
//! another kind of the command, and the kinds of these commands are among those of the line.
//!
//! At level read nothing can be thrown away: every program is a kind there but those that talk to other machines.

use super::{
    bounds,
    call::{PreparedCall, Target},
    consult::is_neutral,
    findings::networked,
    program_kinds::{is_name, of_command},
    rule::escape,
    shell::{Doubt, Line, Redirect, Role, Simple, Word, looks_when_held, only_looks},
};
use crate::domain::permission::{Level, Mode, PermissionSettings, Risk, Rule, Verdict};

/// The most kinds that one answer stands for.
const MOST: usize = 4;

/// What is known of the kinds that a call is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    /// It is of none that an answer could stand for.
    None,
    /// One of them at least was not allowed yet: these.
    New(String),
    /// All of them were allowed, by these patterns.
    Known(String),
}

/// The rules that an answer for the session adds instead of one for exactly this call; none where nothing holds it.
pub fn rules(call: &PreparedCall, settings: &PermissionSettings) -> Vec<Rule> {
    let patterns = patterns(call, settings).unwrap_or_default();
    patterns
        .into_iter()
        .map(|resource| Rule {
            action: call.tool.clone(),
            resource,
            verdict: Verdict::Allow,
        })
        .collect()
}

/// What the kinds that were allowed say about a call.
pub(super) fn known<'a>(
    call: &PreparedCall,
    settings: &PermissionSettings,
    allowed: impl Iterator<Item = &'a Rule>,
) -> Kinds {
    let Some(patterns) = patterns(call, settings) else {
        return Kinds::None;
    };
    let allowed: Vec<&str> = allowed
        .filter(|rule| rule.action == call.tool)
        .map(|rule| rule.resource.as_str())
        .collect();
    // What a kind is does not depend on what was allowed: the patterns are the same texts or they are not.
    let new: Vec<&str> = patterns
        .iter()
        .map(String::as_str)
        .filter(|pattern| !allowed.contains(pattern))
        .collect();
    if new.is_empty() {
        Kinds::Known(patterns.join(", "))
    } else {
        Kinds::New(new.join(", "))
    }
}

/// The kinds of a call; `None` when some part of it is of none, or when nothing holds it.
fn patterns(call: &PreparedCall, settings: &PermissionSettings) -> Option<Vec<String>> {
    let is_held = match call.risk {
        Risk::WorkspaceWrite => settings.level == Level::Workspace,
        Risk::Execution => call.held && matches!(settings.level, Level::Read | Level::Workspace),
        _ => false,
    };
    if settings.mode != Mode::Adaptive || !is_held || call.targets.is_empty() {
        return None;
    }
    if bounds::guarded_write(call, settings).is_some()
        || bounds::foreign_read(call, settings).is_some()
    {
        return None;
    }
    let mut patterns = Vec::new();
    for target in &call.targets {
        for pattern in of_target(target, settings)? {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    (!patterns.is_empty() && patterns.len() <= MOST).then_some(patterns)
}

fn of_target(target: &Target, settings: &PermissionSettings) -> Option<Vec<String>> {
    match target {
        Target::Path { writes: false, .. } => Some(Vec::new()),
        Target::Path {
            resolved, secret, ..
        } => {
            let root = settings
                .roots
                .iter()
                .find(|root| resolved.starts_with(root) && resolved != *root)?;
            let folder = root.to_string_lossy();
            (!secret).then(|| vec![format!("{}/*", escape(folder.trim_end_matches('/')))])
        }
        Target::Shell { line, .. } => {
            let writes_file = |redirect: &Redirect| {
                let is_known = redirect.file.literal && !redirect.file.glob;
                !is_known || redirect.writes && redirect.file.text != "/dev/null"
            };
            let may_write = settings.level > Level::Read;
            let is_told = |doubt: &Doubt| *doubt == Doubt::Printed;
            if !line.doubts.iter().all(is_told)
                || may_write && line.redirects.iter().any(writes_file)
            {
                return None;
            }
            of_line(line, settings)
        }
        // What is fetched ends in a file: the kind is that of the file.
        Target::Url { .. } => Some(Vec::new()),
        Target::Agent { .. } => None,
    }
}

/// The kinds of the commands of a line that do something.
fn of_line(line: &Line, settings: &PermissionSettings) -> Option<Vec<String>> {
    let (mut kinds, mut looking) = (Vec::new(), Vec::new());
    for (at, command) in line.commands.iter().enumerate() {
        if command.role == Role::Wrapper {
            if !wraps_plainly(command, line.commands.get(at + 1)) {
                return None;
            }
        } else if !is_neutral(command) && !goes(command) && !looks(line, command) {
            let of_any = || (settings.level == Level::Read).then(|| of_program(command))?;
            let kind = of_command(command, line, &settings.roots).or_else(of_any);
            kinds.push(kind.filter(|_| command.role == Role::Plain)?);
        } else if !is_neutral(command) && !goes(command) {
            looking.push(command);
        }
    }
    // A line that was not proven to look, although each of its commands does, is of their kinds.
    if kinds.is_empty() {
        let names = looking.into_iter().map(Simple::program);
        kinds.extend(names.map(|name| format!("{} *", escape(name))));
    }
    Some(kinds)
}

fn looks(line: &Line, command: &Simple) -> bool {
    only_looks(command) || looks_when_held(line, command)
}

/// A program as a kind, whatever it is given.
fn of_program(command: &Simple) -> Option<String> {
    let first = command.words.first()?;
    let is_known = command.assignments.is_empty() && first.literal && !first.text.contains('/');
    (is_known && is_name(&first.text) && networked(command).is_none())
        .then(|| format!("{} *", escape(&first.text)))
}

/// Whether it is known where in a wrapper's words the command begins that it runs.
fn wraps_plainly(wrapper: &Simple, inner: Option<&Simple>) -> bool {
    let words = wrapper.words.as_slice();
    let own = inner.and_then(|inner| words.strip_suffix(inner.words.as_slice()));
    own.unwrap_or(words)
        .iter()
        .all(|word| word.literal && !word.glob)
}

/// Going to a folder, known or not, does nothing by itself.
fn goes(command: &Simple) -> bool {
    let is_cd = |word: &Word| word.literal && word.text == "cd";
    command.role == Role::Plain && command.words.first().is_some_and(is_cd)
}

#[cfg(test)]
#[path = "kinds_tests.rs"]
mod tests;
