//! JSON written as it is written around: the same indentation, line ends, separators and escapes.

use std::ops::Range;

use super::parts::Object;

/// What stands between the parts of an object or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gaps {
    /// Behind the opening bracket.
    pub(super) open: String,
    /// Between two entries, comma included.
    pub(super) between: String,
    /// Before the closing bracket.
    pub(super) close: String,
    /// Between a name and its value.
    pub(super) colon: String,
}

impl Gaps {
    /// Those of an object; nothing when it is empty.
    pub(super) fn of_object(text: &str, object: &Object) -> Option<Self> {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        let (_, first) = object.fields.first()?;
        let (_, last) = object.fields.last()?;
        let before = part(object.range.start + 1..first.start);
        let open = before.split('"').next().unwrap_or_default();
        let between = match object.fields.get(1) {
            Some((_, second)) => {
                let gap = part(first.end..second.start);
                gap.split('"').next().unwrap_or_default().to_owned()
            }
            None => after_comma(open),
        };
        Some(Self {
            open: open.to_owned(),
            between,
            close: part(last.end..object.range.end - 1).to_owned(),
            colon: before.rsplit('"').next().unwrap_or_default().to_owned(),
        })
    }

    /// Those of a list; nothing when it is empty.
    pub(super) fn of_list(
        text: &str,
        list: &Range<usize>,
        elements: &[Range<usize>],
        around: &Self,
    ) -> Option<Self> {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
        let (first, last) = (elements.first()?, elements.last()?);
        let open = part(list.start + 1..first.start);
        let between = match elements.get(1) {
            Some(second) => part(first.end..second.start),
            None if open.contains('\n') => after_comma(&open),
            None => around.flat().between,
        };
        Some(Self {
            between,
            close: part(last.end..list.end - 1),
            open,
            colon: around.colon.clone(),
        })
    }

    /// Those of what stands in an entry of one with these.
    pub(super) fn within(&self) -> Self {
        let Some((_, indent)) = self.open.rsplit_once('\n') else {
            return self.flat();
        };
        let outer = self.close.rsplit_once('\n').map_or("", |(_, outer)| outer);
        let unit = indent.strip_prefix(outer).unwrap_or(" ");
        let open = format!("\n{indent}{unit}");
        Self {
            between: after_comma(&open),
            open,
            close: format!("\n{indent}"),
            colon: self.colon.clone(),
        }
    }

    /// Those of something that stands on one line.
    fn flat(&self) -> Self {
        let is_airy = self.between.ends_with(' ') || self.between.contains('\n');
        Self {
            open: String::new(),
            between: if is_airy { ", " } else { "," }.to_owned(),
            close: String::new(),
            colon: self.colon.clone(),
        }
    }

    /// An object with these.
    pub(super) fn object(&self, fields: &[(String, String)], style: Style) -> String {
        let fields = fields.iter();
        let fields =
            fields.map(|(name, value)| format!("{}{}{value}", style.text(name), self.colon));
        self.enclosed('{', fields.collect(), '}')
    }

    /// A list with these.
    pub(super) fn list(&self, elements: Vec<String>) -> String {
        self.enclosed('[', elements, ']')
    }

    fn enclosed(&self, open: char, entries: Vec<String>, close: char) -> String {
        if entries.is_empty() {
            return format!("{open}{close}");
        }
        let entries = entries.join(&self.between);
        format!("{open}{}{entries}{}{close}", self.open, self.close)
    }
}

fn after_comma(open: &str) -> String {
    format!(",{open}")
}

/// How texts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether what is not ASCII is escaped.
    is_ascii: bool,
}

impl Style {
    /// How the texts of a file are written.
    pub(super) fn of(text: &str) -> Self {
        let escapes_letters = || {
            text.match_indices("\\u").any(|(at, _)| {
                let code = text.get(at + 2..at + 6).unwrap_or_default();
                u32::from_str_radix(code, 16).is_ok_and(|code| code > 0x9f)
            })
        };
        Self {
            is_ascii: text.is_ascii() && escapes_letters(),
        }
    }

    /// A text in quotes.
    pub(super) fn text(self, text: &str) -> String {
        let quoted = serde_json::Value::from(text).to_string();
        if !self.is_ascii || quoted.is_ascii() {
            return quoted;
        }
        let mut escaped = String::with_capacity(quoted.len());
        for letter in quoted.chars() {
            if letter.is_ascii() {
                escaped.push(letter);
            } else {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::{super::parts, *};

    #[test]
    fn what_is_written_is_spaced_as_what_is_around() {
        let table = [
            (
                "{\n \"a\": 1,\n \"b\": 2\n}",
                "{\n \"c\": 3,\n \"d\": 4\n}",
                "[\n  1,\n  2\n ]",
            ),
            (
                "{\n\t\"a\" :1\n}",
                "{\n\t\"c\" :3,\n\t\"d\" :4\n}",
                "[\n\t\t1,\n\t\t2\n\t]",
            ),
            ("{\"a\":1,\"b\":2}", "{\"c\":3,\"d\":4}", "[1,2]"),
            ("{\"a\": 1, \"b\": 2}", "{\"c\": 3, \"d\": 4}", "[1, 2]"),
        ];
        let style = Style::of("");
        let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        for (around, object, list) in table {
            let found = parts::object(around, 0..around.len()).unwrap();
            let gaps = Gaps::of_object(around, &found).unwrap();

            let written = gaps.object(&[entry("c", "3"), entry("d", "4")], style);
            let within = gaps.within().list(vec!["1".to_owned(), "2".to_owned()]);

            assert_eq!((written.as_str(), within.as_str()), (object, list));
        }
    }

    #[test]
    fn a_file_that_escapes_its_letters_gets_escaped_ones() {
        let escaping = Style::of("{\"a\": \"\\u00fc\"}");

        assert_eq!(escaping.text("ä\n😀"), "\"\\u00e4\\n\\ud83d\\ude00\"");
        assert_eq!(Style::of("{\"a\": \"ü\\u00fc\"}").text("ä"), "\"ä\"");
        assert_eq!(Style::of("\"\\u001b[0m\"").text("ä"), "\"ä\"");
    }
}
