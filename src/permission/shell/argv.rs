//! A program with its arguments that is run without a shell and only looks.

use std::fmt::Write as _;

use super::{
    Line, Simple, Word,
    readonly::{GIT, GitCommand, NO_COLOUR, Rest, only_looks},
};

/// The most words.
const MOST: usize = 32;
/// The longest word in characters.
const LONGEST: usize = 500;

/// What each program takes, in words. Those that only a shell has (`cd`) or that show nothing are not here.
const USAGES: &[(&str, &str)] = &[
    ("pwd", "nothing"),
    (
        "ls",
        "options of the letters 1aAdFhlprRStu, --color=never, then paths",
    ),
    ("cat", "-n, then paths"),
    ("stat", "paths"),
    ("file", "paths"),
    ("head", "-n N, -nN, -N or --lines=N, then paths"),
    ("tail", "-n N, -nN, -N or --lines=N, then paths"),
    ("wc", "options of the letters lwcmb, then paths"),
];

/// A program and its arguments that were proven to only look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argv {
    words: Vec<String>,
    line: String,
}

impl Argv {
    /// Takes words that only look; the refusal says what is possible instead.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let words: Vec<String> = words.iter().map(|word| word.trim().to_owned()).collect();
        check(&words)?;
        let command = Simple {
            words: words.iter().map(Word::literal).collect(),
            ..Simple::default()
        };
        let line = quoted(&words);
        if !is_known(command.program()) || !only_looks(&command) || !reads_back(&words, &line) {
            return Err(refusal(&words));
        }
        Ok(Self { words, line })
    }

    /// The words; the first names the program.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The same as a line of bash, by which it is judged and shown.
    pub fn line(&self) -> &str {
        &self.line
    }
}

/// What a word must be, whatever it means.
fn check(words: &[String]) -> Result<(), String> {
    if words.is_empty() {
        return Err("it names no program".to_owned());
    }
    if words.len() > MOST {
        return Err(format!(
            "it has {} words, and at most {MOST} are taken",
            words.len()
        ));
    }
    for (at, word) in words.iter().enumerate() {
        let length = word.chars().count();
        if word.is_empty() {
            return Err(format!("its word {} is empty", at + 1));
        }
        if length > LONGEST {
            return Err(format!(
                "its word {} has {length} characters, and at most {LONGEST} are taken",
                at + 1
            ));
        }
        if let Some(odd) = word
            .chars()
            .find(|found| found.is_control() || *found != ' ' && found.is_whitespace())
        {
            return Err(format!(
                "its word {} holds the character {}",
                at + 1,
                odd.escape_default()
            ));
        }
        // No shell would read them; a call that holds them was written for one.
        if word.contains([';', '&', '|', '<', '>', '`']) || word.contains("$(") {
            return Err(format!(
                "no shell reads `{word}`: send one program and its arguments, or use shell_execute"
            ));
        }
    }
    Ok(())
}

/// Whether bash would run exactly these words and only look.
fn reads_back(words: &[String], line: &str) -> bool {
    let line = Line::read(line);
    let [command] = line.commands.as_slice() else {
        return false;
    };
    line.prove_readonly().is_ok()
        && line.maybe.is_empty()
        && command.words.iter().all(|word| word.literal && !word.glob)
        && command.words.iter().map(|word| &word.text).eq(words)
}

/// The words as a line of bash that runs exactly them.
pub fn quoted(words: &[String]) -> String {
    // A word that begins with `=` is a sign to the grammar.
    let is_plain = |word: &str| {
        !word.is_empty()
            && !word.starts_with('=')
            && word.chars().all(|c| {
                c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':' | '=')
            })
    };
    let mut line = String::new();
    for word in words {
        // In front a word with this sign would set a variable.
        let is_setting = line.is_empty() && word.contains('=');
        if !line.is_empty() {
            line.push(' ');
        }
        if is_plain(word) && !is_setting {
            line.push_str(word);
        } else {
            let _ = write!(line, "'{}'", word.replace('\'', r"'\''"));
        }
    }
    line
}

fn is_known(program: &str) -> bool {
    program == "git" || USAGES.iter().any(|(name, _)| *name == program)
}

fn refusal(words: &[String]) -> String {
    let program = words.first().map_or("", String::as_str);
    let usage = if program == "git" {
        let name = words.get(1).map_or("", String::as_str);
        match GIT.iter().find(|command| command.name == name) {
            Some(command) => format!("`git {name}` takes {} here", of_git(command)),
            None => {
                let names: Vec<&str> = GIT.iter().map(|command| command.name).collect();
                format!("git is possible with {}", names.join(", "))
            }
        }
    } else if let Some((_, takes)) = USAGES.iter().find(|(name, _)| *name == program) {
        format!("`{program}` takes {takes} here")
    } else {
        let names: Vec<&str> = USAGES.iter().map(|(name, _)| *name).collect();
        format!(
            "the programs are {} and git, by their bare names and one word an argument",
            names.join(", ")
        )
    };
    format!(
        "`{}` is not known to only look: {usage}. Use shell_execute for anything else",
        words.join(" ")
    )
}

/// What a command of git takes.
fn of_git(command: &GitCommand) -> String {
    let mut options: Vec<&str> = command.options.to_vec();
    options.extend(NO_COLOUR);
    let behind = match command.rest {
        Rest::Nothing => "",
        Rest::Paths => ", then -- and paths",
        Rest::PatternAndPaths => ", then a pattern and paths",
    };
    format!("{}{behind}", options.join(", "))
}

#[cfg(test)]
#[path = "argv_tests.rs"]
mod tests;
