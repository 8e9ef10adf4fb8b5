//! What the person wants, as far as a script can tell: a handful of plain forms, nothing clever.

/// A wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// The guided tour.
    Tour,
    /// The tour from where it was left.
    Continue,
    /// What it can do.
    Help,
    /// A greeting or thanks.
    Greeting,
    /// Reads a file.
    Read(String),
    /// Searches contents.
    Search(String),
    /// Finds files by name.
    Find(String),
    /// Runs a command.
    Run(String),
    /// Runs a command into which the person types.
    Attend(String),
    /// Writes a file.
    Write {
        /// The file.
        path: String,
        /// Its content.
        content: String,
    },
    /// Replaces a text in a file.
    Edit {
        /// The file.
        path: String,
        /// What stands there.
        old: String,
        /// What is to stand there.
        new: String,
    },
    /// Keeps a note.
    Note(String),
    /// Asks a question back.
    Ask,
    /// Sends the two scouts.
    Agents,
    /// Looks at the context window.
    Context,
    /// The part of a scout: counts the files.
    Scout,
    /// The part of a reader.
    Reader(Option<String>),
    /// Anything else.
    Other,
}

impl Wish {
    /// Reads the words.
    pub(super) fn parse(words: &str) -> Self {
        let words = words.trim();
        let lower = words.to_lowercase();
        let plain = lower.trim_end_matches(['.', '!', '?', ' ']);
        if plain.starts_with("practice scout:") {
            return Self::Scout;
        }
        if plain.starts_with("practice reader:") {
            return Self::Reader(quoted(words).map(str::to_owned));
        }
        match plain {
            "tour" | "start" | "demo" => return Self::Tour,
            "continue" | "go on" | "continue the tour" | "go on with the tour" | "resume" => {
                return Self::Continue;
            }
            "help" | "what can you do" | "commands" => return Self::Help,
            "hello" | "hi" | "hey" | "thanks" | "thank you" | "good morning" => {
                return Self::Greeting;
            }
            "ask" | "ask me" | "ask me something" | "ask a question" => return Self::Ask,
            "agents" | "spawn agents" | "send scouts" | "send the scouts" => return Self::Agents,
            "context" | "check the context" | "context window" => return Self::Context,
            _ => {}
        }
        if [
            "start the tour",
            "show me around",
            "take the tour",
            "give me a tour",
            "guided tour",
            "the tour",
        ]
        .iter()
        .any(|phrase| plain.contains(phrase))
        {
            return Self::Tour;
        }
        Self::errand(words).unwrap_or(Self::Other)
    }

    /// A verb and what it is about, as the person spelled it.
    fn errand(words: &str) -> Option<Self> {
        let (verb, rest) = words.split_once(char::is_whitespace)?;
        let rest = rest.trim();
        if rest.is_empty() {
            return None;
        }
        let bare = || unquoted(rest).to_owned();
        Some(match verb.to_lowercase().as_str() {
            "read" | "open" | "show" => Self::Read(without(rest, &["the file ", "file "])),
            "search" | "grep" => Self::Search(without(rest, &["for "])),
            "find" | "list" => Self::Find(without(rest, &["files ", "file "])),
            "run" | "execute" => Self::Run(bare()),
            "type" => Self::Attend(without(rest, &["into "])),
            "note" | "remember" => Self::Note(bare()),
            "write" => {
                let (path, content) = rest.split_once(':')?;
                Self::Write {
                    path: without(path, &["the file ", "file "]),
                    content: content.trim_start().to_owned(),
                }
            }
            "edit" | "change" => {
                let (path, change) = rest.split_once(':')?;
                let (old, new) = change.split_once("=>")?;
                Self::Edit {
                    path: without(path, &["the file ", "file "]),
                    old: unquoted(old).to_owned(),
                    new: unquoted(new).to_owned(),
                }
            }
            _ => return None,
        })
    }
}

fn without(rest: &str, openings: &[&str]) -> String {
    let rest = rest.trim();
    let found = openings.iter().find_map(|opening| {
        let head = rest.get(..opening.len())?;
        head.eq_ignore_ascii_case(opening)
            .then(|| rest.get(opening.len()..))?
    });
    unquoted(found.unwrap_or(rest)).to_owned()
}

/// The text without one pair of quotes around it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['`', '"', '\''] {
        if let Some(inner) = text
            .strip_prefix(quote)
            .and_then(|inner| inner.strip_suffix(quote))
        {
            return inner;
        }
    }
    text
}

/// The first text in backticks.
fn quoted(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once('`')?;
    behind.split_once('`').map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::Wish;

    #[test]
    fn plain_forms_are_understood_and_the_rest_is_not_guessed() {
        let text = str::to_owned;
        let table = [
            ("tour", Wish::Tour),
            ("Start the tour!", Wish::Tour),
            ("please show me around here", Wish::Tour),
            ("go on", Wish::Continue),
            ("help", Wish::Help),
            ("Hello!", Wish::Greeting),
            ("read `src/main.rs`", Wish::Read(text("src/main.rs"))),
            ("Read the file a b.txt", Wish::Read(text("a b.txt"))),
            ("search for TODO: now", Wish::Search(text("TODO: now"))),
            ("find *.rs", Wish::Find(text("*.rs"))),
            ("run ls -la | wc -l", Wish::Run(text("ls -la | wc -l"))),
            (
                "edit a.md: `old: x` => new",
                Wish::Edit {
                    path: text("a.md"),
                    old: text("old: x"),
                    new: text("new"),
                },
            ),
            (
                "write a.md: one\ntwo",
                Wish::Write {
                    path: text("a.md"),
                    content: text("one\ntwo"),
                },
            ),
            ("note buy milk", Wish::Note(text("buy milk"))),
            ("Practice scout: list the files.", Wish::Scout),
            (
                "Practice reader: read `a.md`.",
                Wish::Reader(Some(text("a.md"))),
            ),
            ("Practice reader: read your notes.", Wish::Reader(None)),
            ("edit a.md", Wish::Other),
            ("read", Wish::Other),
            ("why is the sky blue?", Wish::Other),
            ("détour", Wish::Other),
            ("", Wish::Other),
        ];

        for (words, expected) in table {
            assert_eq!(Wish::parse(words), expected, "{words:?}");
        }
    }
}
