//! Shells and what makes a command of a text: `sh -c`, `eval`, `trap`, a text or a pipe into a shell.

use super::{Input, Line, Role, Simple, options};

/// Shells that read bash's grammar well enough.
pub const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"];

/// Programs that make one line of their arguments.
pub(super) fn joined(line: &mut Line, command: &Simple, depth: usize) -> Role {
    let skipped = match command.program() {
        "watch" => options::count(
            command.arguments(),
            &["-n", "--interval", "-q", "--equexit"],
        ),
        _ => 0,
    };
    let words = command.arguments().get(skipped..).unwrap_or_default();
    if words.iter().any(|word| !word.literal) {
        line.doubt("a command is made of a text that is not known before it runs");
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    line.add(&texts.join(" "), depth + 1);
    Role::Wrapper
}

pub(super) fn trapped(line: &mut Line, command: &Simple, depth: usize) -> Role {
    match command
        .arguments()
        .iter()
        .find(|word| !word.text.starts_with('-'))
    {
        Some(word) if word.literal => line.add(&word.text, depth + 1),
        Some(_) => line.doubt("a command is made of a text that is not known before it runs"),
        None => {}
    }
    Role::Wrapper
}

pub(super) fn shell(line: &mut Line, command: &Simple, depth: usize) -> Role {
    const VALUED: &[&str] = &["-o", "+o", "-O", "+O", "--rcfile", "--init-file"];
    let arguments = command.arguments();
    if arguments
        .iter()
        .any(|word| matches!(word.text.as_str(), "--rcfile" | "--init-file"))
    {
        line.doubt("a shell reads a start file");
    }
    let start = options::count(arguments, VALUED);
    let has = |letter: char| {
        arguments
            .get(..start)
            .unwrap_or_default()
            .iter()
            .any(|word| {
                word.text.starts_with('-')
                    && !word.text.starts_with("--")
                    && word.text.contains(letter)
            })
    };
    let operand = arguments.get(start).filter(|word| word.text != "-");
    if has('c') {
        match operand {
            Some(script) => {
                if !script.literal {
                    line.doubt("a command is made of a text that is not known before it runs");
                }
                line.add(&script.text, depth + 1);
            }
            None => line.doubt("a shell is not told what to run"),
        }
        return Role::Wrapper;
    }
    if operand.is_some() && !has('s') {
        return Role::Plain;
    }
    match &command.input {
        Input::Text(text, is_known) => {
            if !is_known {
                line.doubt("a shell reads a text that is not known before it runs");
            }
            line.add(text, depth + 1);
            Role::Wrapper
        }
        Input::Pipe(from) => {
            let printed: Option<Vec<String>> = line
                .commands
                .get(from.clone())
                .unwrap_or_default()
                .iter()
                .filter(|from| from.role != Role::Wrapper)
                .map(printed)
                .collect();
            match printed {
                Some(texts) if texts.len() == 1 => line.add(&texts.concat(), depth + 1),
                _ => line.doubt("a shell runs what another command prints"),
            }
            Role::Gateway
        }
        Input::Inherited => Role::Plain,
    }
}

/// What a command surely prints.
pub fn printed(command: &Simple) -> Option<String> {
    let words = command.arguments();
    let is_printer = matches!(command.program(), "echo" | "printf");
    if !is_printer || words.iter().any(|word| !word.literal || word.glob) {
        return None;
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    Some(texts.join(" ").replace("\\n", "\n"))
}
