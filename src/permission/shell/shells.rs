//! Shells and what makes a command of a text: `sh -c`, `eval`, `trap`, a text or a pipe into a shell.

use std::collections::BTreeSet;

use super::{Input, Line, Role, Simple, Word, options, wrappers};

/// Shells that read bash's grammar well enough.
pub const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"];

/// Programs that print their arguments.
const PRINTERS: &[&str] = &["echo", "printf"];

/// Files that are the standard input.
const INPUTS: &[&str] = &["-", "/dev/fd/0", "/dev/stdin", "/proc/self/fd/0"];

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
    let start = count(arguments, VALUED);
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
    if has('c') {
        match arguments.get(start).filter(|word| word.text != "-") {
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
    match arguments.get(start) {
        Some(file) if !has('s') => read_file(line, command, file, depth),
        _ => read_input(line, command, depth),
    }
}

/// `. FILE`: the shell itself reads it.
pub(super) fn sourced(line: &mut Line, command: &Simple, depth: usize) -> Role {
    match command.arguments().first() {
        Some(file) => read_file(line, command, file, depth),
        None => Role::Plain,
    }
}

/// How many words are options of a shell: some begin with `+`.
fn count(arguments: &[Word], valued: &[&str]) -> usize {
    let mut start = 0;
    loop {
        let rest = arguments.get(start..).unwrap_or_default();
        let is_turned_off = |word: &Word| word.literal && word.text.starts_with('+');
        start += match options::count(rest, valued) {
            0 if rest.first().is_some_and(is_turned_off) => {
                1 + usize::from(
                    rest.first()
                        .is_some_and(|word| valued.contains(&word.text.as_str())),
                )
            }
            0 => return start.min(arguments.len()),
            count => count,
        };
        if arguments
            .get(start - 1)
            .is_some_and(|word| word.text == "--")
        {
            return start;
        }
    }
}

/// A shell reads a file; what it is given, when that is its input.
fn read_file(line: &mut Line, command: &Simple, file: &Word, depth: usize) -> Role {
    if INPUTS.contains(&file.text.as_str()) {
        return read_input(line, command, depth);
    }
    Role::Plain
}

fn read_input(line: &mut Line, command: &Simple, depth: usize) -> Role {
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
    if words.iter().any(|word| !word.literal || word.glob) {
        return None;
    }
    let text = shown(words);
    // Options, escapes and conversions make something else of the words.
    let is_plain = match (command.program(), words) {
        ("echo", _) => words.iter().all(|word| !word.text.contains('\\')),
        ("printf", [_]) => !text.contains(['\\', '%']),
        _ => false,
    };
    (is_plain && !text.starts_with('-')).then_some(text)
}

fn shown(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ").replace("\\n", "\n")
}

/// What a printer may print: all its words, or those behind its options or its format.
fn guessed(command: &Simple) -> impl Iterator<Item = String> {
    let words = command.arguments();
    let behind = words
        .iter()
        .position(|word| !word.text.starts_with(['-', '%']));
    let starts = [Some(0), behind.filter(|behind| *behind > 0)];
    let starts = starts.into_iter().flatten();
    starts.map(|start| shown(words.get(start..).unwrap_or_default()))
}

/// Reads, as something that may run, what a shell is given by printers whose words are not all known: what surely
/// runs was read when the shell was.
pub(super) fn guess(line: &mut Line, depth: usize) {
    let is_shell = |command: &&Simple| SHELLS.contains(&command.program());
    let shells = line.commands.iter().filter(is_shell);
    let mut open: Vec<usize> = shells.flat_map(piped).collect();
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    while let Some(place) = open.pop() {
        let Some(command) = line.commands.get(place).filter(|_| seen.insert(place)) else {
            continue;
        };
        if PRINTERS.contains(&command.program()) {
            texts.extend(guessed(command));
        }
        open.extend(piped(command));
    }
    for text in texts {
        wrappers::maybe(line, &text, depth);
    }
}

/// The places of the commands that a command reads from.
fn piped(command: &Simple) -> std::ops::Range<usize> {
    match &command.input {
        Input::Pipe(from) => from.clone(),
        Input::Inherited | Input::Text(..) => 0..0,
    }
}
