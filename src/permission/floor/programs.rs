//! Programs that destroy, end or give away what cannot be brought back.

use super::{
    super::shell::{Simple, Word},
    Finding,
    paths::{broad, is_device},
    table::{self, operands},
};

/// What is wrong with writing to this path.
pub(super) fn written(path: &str) -> Option<Finding> {
    if is_device(path) {
        return Some(Finding::new(
            "device-overwrite",
            format!("{path} would be overwritten"),
        ));
    }
    path.contains("sysrq-trigger")
        .then(|| Finding::new("self-termination", "the machine would be stopped"))
}

/// Programs that show the content of files.
const READERS: &[&str] = &[
    "awk", "base64", "bat", "cat", "egrep", "grep", "head", "less", "more", "nl", "od", "rg",
    "sed", "strings", "tac", "tail", "xxd",
];

/// The place of the word that is a pattern or a script and no file.
fn pattern_of(program: &str, words: &[&str]) -> Option<usize> {
    if !["awk", "egrep", "grep", "rg", "sed"].contains(&program) {
        return None;
    }
    let gives = |word: &&str| {
        let is_long = ["--regexp", "--file", "--expression"];
        let is_short = word.starts_with('-') && !word.starts_with("--");
        is_long.iter().any(|long| word.starts_with(long)) || is_short && word.contains(['e', 'f'])
    };
    if words.iter().any(gives) {
        return None;
    }
    words.iter().position(|word| !word.starts_with('-'))
}

/// What is wrong with a command.
pub(super) fn find(command: &Simple, is_secret: &dyn Fn(&str) -> bool) -> Option<Finding> {
    let program = command.program();
    let words: Vec<&str> = command
        .arguments()
        .iter()
        .map(|word| word.text.as_str())
        .collect();
    if let Some(found) = table::find(program, &words) {
        return Some(found);
    }
    match program {
        "rm" => removal(&words),
        "chmod" | "chown" | "chgrp" => rights(program, &words),
        "kill" => killed(&words),
        "dd" => words
            .iter()
            .filter_map(|word| word.strip_prefix("of="))
            .find_map(written),
        "tee" | "cp" | "mv" | "install" | "shred" | "truncate" => moved(program, &words),
        "sudo" | "doas" | "pkexec" | "su" | "runuser" => raised(program, command),
        "git" => git(&words),
        _ if READERS.contains(&program) => {
            let pattern = pattern_of(program, &words);
            let files = words
                .iter()
                .enumerate()
                .filter(|(at, _)| Some(*at) != pattern);
            let (_, secret) = files.into_iter().find(|(_, word)| is_secret(word))?;
            Some(Finding::new(
                "secret-read",
                format!("{secret} looks like a file that holds secrets"),
            ))
        }
        _ if program == "mkfs" || program.starts_with("mkfs.") => Some(Finding::new(
            "device-overwrite",
            "a file system would be made anew",
        )),
        _ => None,
    }
}

/// Whether short or long options ask for something: `-rf`, `--recursive`.
fn asks(words: &[&str], letters: &str, long: &str) -> bool {
    words.iter().any(|word| {
        word.strip_prefix("--").map_or_else(
            || {
                word.strip_prefix('-')
                    .is_some_and(|rest| rest.chars().any(|letter| letters.contains(letter)))
            },
            |name| name.len() > 1 && long.starts_with(name),
        )
    })
}

fn removal(words: &[&str]) -> Option<Finding> {
    if !asks(words, "rR", "recursive") {
        return None;
    }
    let code = "destructive-delete-root-or-broad-path";
    let forced = asks(words, "f", "force") || words.contains(&"--no-preserve-root");
    operands(words).find_map(|path| {
        let what = broad(path)?;
        (forced || what == "the whole file system").then(|| {
            Finding::new(
                code,
                format!("{path} is {what}: all of it would be deleted"),
            )
        })
    })
}

fn rights(program: &str, words: &[&str]) -> Option<Finding> {
    let recursive = asks(words, "R", "recursive");
    let open = ["777", "0777", "000", "0000", "a+rwx", "a=rwx", "a-rwx"];
    let is_wide = program != "chmod" || words.iter().any(|word| open.contains(word));
    operands(words).skip(1).find_map(|path| {
        let what = broad(path)?;
        let counts = is_wide && (recursive || what == "the whole file system");
        counts.then(|| {
            Finding::new(
                "permission-destruction",
                format!("the rights of {path} ({what}) would be changed"),
            )
        })
    })
}

fn killed(words: &[&str]) -> Option<Finding> {
    let names_signal = words
        .first()
        .is_some_and(|word| word.starts_with('-') && *word != "--");
    let is_named_apart = matches!(words.first(), Some(&("-s" | "-n" | "--signal")));
    let skipped = match (names_signal, is_named_apart) {
        (_, true) => 2,
        // `kill -1` alone is no signal: it is everything.
        (true, _) if words.len() > 1 => 1,
        _ => 0,
    };
    words
        .iter()
        .skip(skipped)
        .find(|word| matches!(**word, "1" | "-1"))
        .map(|word| {
            let code = if *word == "1" {
                "self-termination"
            } else {
                "fork-bomb-or-killall"
            };
            Finding::new(code, "every process would be ended")
        })
}

fn moved(program: &str, words: &[&str]) -> Option<Finding> {
    if program == "mv"
        && let Some(what) = operands(words).find_map(|path| broad(path).filter(|_| path.len() < 3))
    {
        let code = "destructive-delete-root-or-broad-path";
        return Some(Finding::new(code, format!("{what} would be moved away")));
    }
    match program {
        "tee" | "shred" | "truncate" => operands(words).find_map(written),
        _ => operands(words).last().and_then(written),
    }
}

/// Other rights: only asking what is allowed passes.
fn raised(program: &str, command: &Simple) -> Option<Finding> {
    let words = command.arguments();
    let texts: Vec<&str> = words.iter().map(|word: &Word| word.text.as_str()).collect();
    let only_asks = program == "sudo"
        && matches!(
            texts.as_slice(),
            ["-v" | "-l" | "--version" | "-V" | "--list" | "--validate" | "true"]
                | ["-n", "true" | "-v" | "-l"]
        );
    (!only_asks).then(|| {
        Finding::new(
            "privilege-escalation",
            format!("`{program}` would run it with other rights"),
        )
    })
}

fn git(words: &[&str]) -> Option<Finding> {
    let at = words
        .iter()
        .position(|word| matches!(*word, "push" | "reset"))?;
    // Only a subcommand counts: `git log -- push` has one in front of it.
    let before = words.get(..at).unwrap_or_default();
    let is_subcommand = before.iter().enumerate().all(|(index, word)| {
        word.starts_with('-')
            || (index > 0
                && matches!(
                    before.get(index - 1),
                    Some(&("-C" | "-c" | "--git-dir" | "--work-tree"))
                ))
    });
    if !is_subcommand {
        return None;
    }
    let rest = words.get(at + 1..).unwrap_or_default();
    let code = "git-destructive";
    match words.get(at) {
        Some(&"push") => {
            let forced = rest.iter().any(|word| {
                word.starts_with("--force")
                    || *word == "--mirror"
                    || word.starts_with('+')
                    || (word.starts_with('-') && !word.starts_with("--") && word.contains('f'))
            });
            forced.then(|| Finding::new(code, "commits that others may have would be overwritten"))
        }
        _ => asks(rest, "", "hard")
            .then(|| Finding::new(code, "changes that are in no commit would be lost")),
    }
}
