//! What a command line may hide, without a full parser.
//!
//! Two questions are answered, each erring to the safe side. *Is the line plain?* One simple command that
//! starts nothing but itself: only then may a rule with wildcards allow it. *What are its parts?* Every text
//! in it that might be a command: a deny or ask rule that matches one of them counts.

/// Characters that can start, join or redirect commands, or change what is run.
const OPERATORS: &[char] = &[
    ';', '&', '|', '<', '>', '$', '`', '\\', '(', ')', '{', '}', '\n', '\r', '\0', '!', '#',
];

/// How many words of a wrapper's line are tried as the start of what it runs.
const MAX_TAILS: usize = 64;

/// Programs that run the program that their arguments name.
const WRAPPERS: &[&str] = &[
    ".",
    "ash",
    "bash",
    "builtin",
    "busybox",
    "chroot",
    "chrt",
    "command",
    "coproc",
    "dash",
    "doas",
    "env",
    "eval",
    "exec",
    "fish",
    "flock",
    "gdb",
    "ionice",
    "ksh",
    "ltrace",
    "nice",
    "nohup",
    "nsenter",
    "numactl",
    "parallel",
    "pkexec",
    "proot",
    "runuser",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "trap",
    "unshare",
    "valgrind",
    "watch",
    "xargs",
    "xvfb-run",
    "zsh",
];

/// Arguments by which an otherwise harmless program runs another or writes: program, argument prefixes.
const TRICKS: &[(&str, &[&str])] = &[
    ("find", &["-exec", "-ok", "-delete", "-fprint", "-fls"]),
    (
        "git",
        &[
            "-c",
            "--config-env",
            "--exec-path",
            "-C",
            "--git-dir",
            "--work-tree",
            "--upload-pack",
            "--receive-pack",
            "--ext-diff",
            "--output",
            "-O",
            "--open-files-in-pager",
        ],
    ),
    ("fd", &["-x", "-X", "--exec"]),
    ("rg", &["--pre", "--hostname-bin"]),
    ("sort", &["-o", "--output", "--compress-program"]),
    (
        "tar",
        &[
            "--to-command",
            "--checkpoint-action",
            "-I",
            "--use-compress-program",
        ],
    ),
    ("sed", &["-i", "--in-place"]),
    ("less", &["-o", "-O", "--log-file"]),
    ("man", &["-P", "--pager", "-H"]),
    (
        "make",
        &["-f", "--file", "--makefile", "-C", "--directory", "--eval"],
    ),
    ("cargo", &["--config"]),
    ("npm", &["exec", "x"]),
    ("go", &["-exec", "-toolexec"]),
    ("ip", &["netns"]),
];

/// Why a line is not one plain command, or `None` when it is.
pub(super) fn hides(line: &str) -> Option<String> {
    if let Some(operator) = line.chars().find(|character| OPERATORS.contains(character)) {
        return Some(format!("the line holds {operator:?}"));
    }
    if line.chars().any(char::is_control) {
        return Some("the line holds a control character".to_owned());
    }
    let words = words(line);
    let Some(first) = words.first() else {
        return Some("the line is empty".to_owned());
    };
    if is_assignment(first) {
        return Some(format!("`{first}` changes the environment of what follows"));
    }
    let program = program(first);
    if WRAPPERS.contains(&program) {
        return Some(format!("`{program}` runs another program"));
    }
    let tricks = TRICKS
        .iter()
        .find(|(name, _)| *name == program)
        .map_or(&[][..], |(_, tricks)| *tricks);
    words
        .iter()
        .skip(1)
        .find(|word| tricks.iter().any(|trick| word.starts_with(trick)))
        .map(|word| format!("`{program} {word}` can run or write something else"))
}

/// Every text of the line that might be a command by itself. Quoted text is not split, other than by
/// substitutions inside double quotes and behind a wrapper.
pub(super) fn parts(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for piece in pieces(line) {
        let words = words(&piece);
        add(&mut parts, words.join(" "));
        let opens = words
            .first()
            .is_some_and(|first| is_assignment(first) || WRAPPERS.contains(&program(first)));
        if opens {
            // What a wrapper runs may stand behind any number of its own options: every tail counts.
            for start in 1..words.len().min(MAX_TAILS) {
                let tail = words.get(start..).unwrap_or_default().join(" ");
                for inner in pieces(&tail) {
                    add(&mut parts, inner.trim().to_owned());
                }
            }
        }
    }
    parts.retain(|part| part != line);
    parts
}

fn add(parts: &mut Vec<String>, part: String) {
    if !part.is_empty() && !parts.contains(&part) {
        parts.push(part);
    }
}

/// Splits at everything that ends a simple command.
fn pieces(line: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), other) => piece.push(other),
            (None, '\'' | '"') => quote = Some(character),
            (_, '\\') => piece.extend(characters.next()),
            (_, '`') => pieces.push(std::mem::take(&mut piece)),
            (_, '$') if characters.peek() == Some(&'(') => {
                characters.next();
                pieces.push(std::mem::take(&mut piece));
                quote = None;
            }
            (Some(_), other) => piece.push(other),
            (None, ';' | '&' | '|' | '\n' | '\r' | '(' | ')' | '{' | '}' | '<' | '>') => {
                pieces.push(std::mem::take(&mut piece));
            }
            (None, other) => piece.push(other),
        }
    }
    pieces.push(piece);
    pieces
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| word.replace(['\'', '"'], ""))
        .filter(|word| !word.is_empty())
        .collect()
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|character| {
                character.is_ascii_alphanumeric() || matches!(character, '_' | '+' | '[' | ']')
            })
    })
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
