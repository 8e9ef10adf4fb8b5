//! A command line as it was understood.

use std::fmt;

use super::{Word, options, shells, tree, wrappers};

/// The longest line that is read.
pub(super) const LONGEST: usize = 64 * 1024;
/// The most commands of a line that are looked at.
pub(super) const MOST_COMMANDS: usize = 400;
/// How deep lines inside of lines are opened.
pub(super) const DEEPEST: usize = 6;

/// The doubt about what is made of what commands print.
pub(super) const PRINTED: &str = "a part of the line depends on what another command prints";

/// A command line as it was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Every simple command, in the order of the line; what a wrapper runs follows it.
    pub commands: Vec<Simple>,
    /// Commands that it may run, behind a program whose arguments are not read here.
    pub maybe: Vec<Simple>,
    /// Functions that it defines, each with the places of the commands in its body.
    pub functions: Vec<(String, std::ops::Range<usize>)>,
    /// Files that are written or read by redirection.
    pub redirects: Vec<Redirect>,
    /// Variables that it sets for what follows, each with its value.
    pub sets: Vec<(String, Word)>,
    /// Why the line is not understood in full; empty when it is.
    pub doubts: Vec<Doubt>,
    /// Whether bash may expand some of its texts once more.
    pub(super) calculates: bool,
}

/// Why a line is not understood in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Words of it are made of what other commands print (`$(…)`), every one of which is among its commands.
    Printed,
    /// Anything else, in words.
    Other(String),
}

/// A program with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The program, then its arguments.
    pub words: Vec<Word>,
    /// Variables set for it: name and value.
    pub assignments: Vec<(String, Word)>,
    /// What it reads from its standard input.
    pub input: Input,
    /// What it does with the commands that follow it.
    pub role: Role,
}

/// Where a command's standard input comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// From wherever the line has it.
    #[default]
    Inherited,
    /// From the commands at these places of [`Line::commands`].
    Pipe(std::ops::Range<usize>),
    /// From a text in the line; `false` when it holds expansions.
    Text(String, bool),
}

/// What a command is to those that it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// It does something itself.
    #[default]
    Plain,
    /// It only runs the commands that follow, with other limits or surroundings: they are judged in its place.
    Wrapper,
    /// It runs the commands that follow with other rights or elsewhere: it is judged as well.
    Gateway,
}

/// A redirection to or from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The file.
    pub file: Word,
    /// Whether the file is written.
    pub writes: bool,
}

impl Line {
    /// Reads a line.
    pub fn read(text: &str) -> Self {
        Self::read_inside(text, 0)
    }

    /// Reads a line that stands this deep in others.
    pub(super) fn read_inside(text: &str, depth: usize) -> Self {
        let mut line = Self::default();
        line.add(text, depth);
        shells::guess(&mut line, depth);
        line
    }

    /// Reads a text that the line runs as a line of its own.
    pub(super) fn add(&mut self, text: &str, depth: usize) {
        if depth > DEEPEST {
            return self.doubt("lines inside of lines are nested too deeply");
        }
        if text.len() > LONGEST {
            return self.doubt("the line is too long to be understood");
        }
        if let Some(odd) = text.chars().find(|found| is_odd(*found)) {
            self.doubt(format!(
                "the line holds the character {}",
                odd.escape_default()
            ));
        }
        tree::read(self, text, depth);
    }

    pub(super) fn doubt(&mut self, reason: impl Into<String>) {
        self.add_doubt(Doubt::Other(reason.into()));
    }

    /// What commands of the line print becomes a part of it.
    pub(super) fn doubt_printed(&mut self) {
        self.add_doubt(Doubt::Printed);
    }

    fn add_doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) && self.doubts.len() < 20 {
            self.doubts.push(doubt);
        }
    }

    /// A variable is set for what follows.
    pub(super) fn set(&mut self, name: &str, value: Word) {
        if self.sets.len() >= MOST_COMMANDS {
            return self.doubt("the line sets too many variables");
        }
        self.sets.push((name.to_owned(), value));
    }

    /// Takes a command in and opens what it runs.
    pub(super) fn push(&mut self, command: Simple, depth: usize) {
        if self.commands.len() >= MOST_COMMANDS {
            return self.doubt("the line holds too many commands");
        }
        let place = self.commands.len();
        self.commands.push(command);
        wrappers::open(self, place, depth);
    }

    /// Every text by which a rule may name something that the line runs.
    pub fn subjects(&self) -> Vec<String> {
        let mut subjects = Vec::new();
        for command in self.commands.iter().chain(&self.maybe) {
            for subject in command.subjects() {
                if !subjects.contains(&subject) {
                    subjects.push(subject);
                }
            }
        }
        subjects
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Printed => PRINTED,
            Self::Other(reason) => reason,
        })
    }
}

impl Simple {
    /// The program's name without its folder; empty when it is not known before the line runs.
    pub fn program(&self) -> &str {
        match self.words.first() {
            Some(word) if word.literal => base(&word.text),
            _ => "",
        }
    }

    /// Whether the program is named as one of the system or the shell is: by its bare name, or where such programs lie.
    pub fn is_of_system(&self) -> bool {
        const FOLDERS: &[&str] = &["/bin", "/usr/bin"];
        let name = self.words.first().map_or("", |word| word.text.as_str());
        match name.rsplit_once('/') {
            Some((folder, _)) => FOLDERS.contains(&folder),
            None => true,
        }
    }

    /// The arguments.
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The first argument behind a program's own options that is none itself: `push` of `git -C a push`.
    pub fn subcommand(&self) -> Option<&str> {
        let words = self.arguments();
        let words = options::behind_globals(self.program(), words).unwrap_or(words);
        let mut texts = words.iter().map(|word| word.text.as_str());
        texts.find(|text| !text.starts_with('-'))
    }

    /// The command as one text.
    pub fn text(&self) -> String {
        joined(&self.words)
    }

    /// The command as it is and, where that differs, with the bare name of its program and without the options
    /// that stand between a program and its subcommand.
    pub fn subjects(&self) -> Vec<String> {
        let mut subjects = vec![self.text()];
        let mut words = self.words.clone();
        if let Some(first) = words.first_mut() {
            first.text = base(&first.text).to_owned();
        }
        let mut add = |words: &[Word]| {
            let text = joined(words);
            if !text.is_empty() && !subjects.contains(&text) {
                subjects.push(text);
            }
        };
        add(&words);
        if let Some(rest) = options::behind_globals(self.program(), self.arguments()) {
            let mut bare: Vec<Word> = words.first().cloned().into_iter().collect();
            bare.extend_from_slice(rest);
            add(&bare);
        }
        subjects
    }
}

fn joined(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Characters that bash and a reader, or bash and its grammar, may take differently.
pub(super) fn is_odd(found: char) -> bool {
    let is_plain = found == '\n' || found == '\t' || found == ' ';
    !is_plain && (found.is_control() || found.is_whitespace())
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
