//! The head of a document: `key: value` between two lines of `---`, one level of names below a key by indentation.
//!
//! This is the part of YAML that people write there. What is more than that (lists, several levels, anchors) is
//! refused by its line, so that nothing is taken for something else.

/// The most lines of a head.
const MOST: usize = 400;

/// A key with what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The line, from 1.
    pub(super) line: usize,
    /// How far it is indented.
    pub(super) indent: usize,
    /// The key.
    pub(super) key: String,
    /// The value; `None` when names follow below.
    pub(super) value: Option<String>,
}

/// Something wrong on a line.
pub(super) type Wrong = (usize, String);

/// The entries of the head, and what stands behind it.
pub(super) fn read(text: &str) -> Result<(Vec<Entry>, &str), Wrong> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    let mut entries = Vec::new();
    let mut number = 0;
    loop {
        let Some((line, behind)) = next(rest) else {
            let what = if number == 0 {
                "it begins with a line of `---`"
            } else {
                "its head ends with a line of `---`"
            };
            return Err((number.max(1), what.to_owned()));
        };
        rest = behind;
        number += 1;
        let line = line.trim_end();
        match (number, line) {
            (1, "---") => continue,
            (1, _) => return Err((1, "it begins with a line of `---`".to_owned())),
            (_, "---") => return Ok((entries, rest)),
            _ => {}
        }
        if number > MOST {
            return Err((number, format!("its head has more than {MOST} lines")));
        }
        let bare = line.trim_start_matches(' ');
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let indent = line.len() - bare.len();
        let entry = entry(bare).map_err(|what| (number, what))?;
        entries.push(Entry {
            line: number,
            indent,
            key: entry.0,
            value: entry.1,
        });
    }
}

fn next(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

fn entry(line: &str) -> Result<(String, Option<String>), String> {
    if line.starts_with('\t') {
        return Err("names below a key are indented with blanks, not with a tab".to_owned());
    }
    if line.starts_with("- ") || line == "-" {
        return Err("lists are not read here".to_owned());
    }
    let (key, rest) = word(line, true)?;
    let rest = rest
        .strip_prefix(':')
        .filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
        .ok_or_else(|| "a line is `key: value`".to_owned())?
        .trim();
    if rest.is_empty() || rest.starts_with('#') {
        return Ok((key, None));
    }
    if rest.starts_with(['[', '{', '|', '>', '&', '!']) {
        return Err(format!(
            "the value of {key} is one line of text; put quotes around it"
        ));
    }
    let (value, behind) = word(rest, false)?;
    let behind = behind.trim();
    if !behind.is_empty() && !behind.starts_with('#') {
        return Err(format!("behind the value of {key} stands more"));
    }
    Ok((key, Some(value)))
}

/// A quoted text, or a bare one up to a colon (a key) or a comment (a value); and what follows.
fn word(text: &str, is_key: bool) -> Result<(String, &str), String> {
    if let Some(quote) = text
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))
    {
        return quoted(text, quote);
    }
    let ends = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        if is_key {
            rest.starts_with(": ") || rest.starts_with(":\t") || rest == ":"
        } else {
            rest.starts_with(" #")
        }
    };
    let end = text.char_indices().map(|(at, _)| at).find(|at| ends(*at));
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    Ok((word.trim().to_owned(), rest))
}

fn quoted(text: &str, quote: char) -> Result<(String, &str), String> {
    let mut word = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if quote == '"' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => word.push(escaped),
                _ => return Err("in quotes only \\\" and \\\\ are escapes".to_owned()),
            },
            '\'' if quote == '\'' && letters.peek().is_some_and(|(_, next)| *next == '\'') => {
                letters.next();
                word.push('\'');
            }
            _ if letter == quote => {
                let rest = text.get(at + 1..).unwrap_or_default();
                return Ok((word, rest));
            }
            _ => word.push(letter),
        }
    }
    Err("a quote is not closed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Entry, read};

    #[test]
    fn keys_values_quotes_and_comments_are_read() {
        let text = "---\n# a comment\nname: tests # ours\ndescription: \"a \\\"b\\\": c\"\n\npermissions:\n  \
                    'it''s *': allow\n  git commit -m \"x: y\": ask\n---\nBody\n---\n";

        let (entries, body) = read(text).unwrap();

        let told: Vec<(usize, usize, &str, Option<&str>)> = entries
            .iter()
            .map(
                |Entry {
                     line,
                     indent,
                     key,
                     value,
                 }| { (*line, *indent, key.as_str(), value.as_deref()) },
            )
            .collect();
        assert_eq!(
            told,
            [
                (3, 0, "name", Some("tests")),
                (4, 0, "description", Some("a \"b\": c")),
                (6, 0, "permissions", None),
                (7, 2, "it's *", Some("allow")),
                (8, 2, "git commit -m \"x", Some("y\": ask")),
            ]
        );
        assert_eq!(body, "Body\n---\n");
    }

    #[test]
    fn what_is_more_than_that_is_refused_with_its_line() {
        for (text, line, says) in [
            ("", 1, "begins with"),
            ("# Title\n", 1, "begins with"),
            ("---\nname: x\n", 2, "ends with"),
            ("---\nname\n---\n", 2, "`key: value`"),
            ("---\n\n- a\n---\n", 3, "lists"),
            ("---\n\tname: x\n---\n", 2, "tab"),
            ("---\nname: [a]\n---\n", 2, "one line of text"),
            ("---\nname: \"a\n---\n", 2, "not closed"),
            ("---\nname: \"a\" b\n---\n", 2, "stands more"),
            ("---\nname: \"\\n\"\n---\n", 2, "escapes"),
        ] {
            let (at, what) = read(text).unwrap_err();
            assert!(at == line && what.contains(says), "{text:?}: {at} {what}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_it(text in "(---\n)?[ -~\n\té]{0,200}") {
            let _ = read(&text);
        }
    }
}
