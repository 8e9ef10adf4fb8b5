//! The one boundary for untrusted text: nothing that passed it can move a cursor, reorder a line or hide.
//!
//! [`clean`] is for what is read (output, names, titles): escape sequences, control, bidirectional and invisible
//! characters are taken out. [`reveal`] is for what is decided on (approvals): the same characters are shown as
//! `\u{202e}`, nothing is taken out, and their places are told. Both leave no character behind that a terminal
//! obeys; `clean` of a clean text changes nothing.

use std::{borrow::Cow, ops::Range};

use unicode_width::UnicodeWidthChar;

/// Why a character is not shown as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// A terminal obeys it, or a sequence that starts with it.
    Control,
    /// It changes the order in which other characters are shown.
    Bidirectional,
    /// It takes no room or looks like nothing.
    Invisible,
    /// It looks like a space and is none.
    OddBlank,
}

/// Combining marks in a row that are kept; no script needs more.
pub(super) const MARKS_IN_A_ROW: usize = 8;
/// Blanks in a row that are shown as they are in an approval.
const BLANKS_IN_A_ROW: usize = 32;
/// Blank lines in a row that are shown as they are in an approval.
const BLANK_LINES_IN_A_ROW: usize = 3;
/// Equal escaped characters in a row that are shown one by one.
const EQUAL_IN_A_ROW: usize = 4;
/// The longest string sequence (a title, an image) that is taken for one.
const LONGEST_SEQUENCE: usize = 1 << 20;

/// What is wrong with a character; newline and tab are fine.
pub fn hazard(character: char) -> Option<Hazard> {
    match character {
        '\n' | '\t' | ' '..='~' => None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Hazard::Control),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(Hazard::Bidirectional)
        }
        '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{2800}'
        | '\u{3000}' => Some(Hazard::OddBlank),
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2028}'..='\u{2029}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Some(Hazard::Invisible),
        _ => None,
    }
}

/// The text without escape sequences and hazards. Newlines and tabs stay; `\r\n` and `\r` become newlines.
/// Joiners stay inside scripts that need them; emoji sequences come apart, since terminals disagree on them.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut previous = ' ';
    let mut marks = 0;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        at += character.len_utf8();
        let put = match hazard(character) {
            None | Some(Hazard::OddBlank) => character,
            Some(Hazard::Control) if character == '\r' => {
                if text[at..].starts_with('\n') {
                    continue;
                }
                '\n'
            }
            Some(Hazard::Control) => {
                at += escape_length(rest).saturating_sub(character.len_utf8());
                continue;
            }
            Some(Hazard::Invisible) if matches!(character, '\u{2028}' | '\u{2029}') => '\n',
            Some(Hazard::Invisible) if joins(previous, character) => character,
            Some(Hazard::Invisible | Hazard::Bidirectional) => continue,
        };
        marks = if put.width() == Some(0) { marks + 1 } else { 0 };
        if marks <= MARKS_IN_A_ROW {
            kept.push(put);
            previous = put;
        }
    }
    Cow::Owned(kept)
}

/// [`clean`] for one line (a title, a name): newlines and tabs become spaces.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    let cleaned = clean(text);
    if cleaned.contains(['\n', '\t']) {
        return Cow::Owned(cleaned.replace(['\n', '\t'], " "));
    }
    cleaned
}

/// Whether a character passes on its own, whatever stands around it.
fn is_plain(character: char) -> bool {
    match character {
        '\n' | '\t' | ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        _ => {
            matches!(hazard(character), None | Some(Hazard::OddBlank))
                && character.width() != Some(0)
        }
    }
}

/// Whether a joiner stands where a script needs it: behind a letter of the scripts from Arabic to Mongolian.
pub(super) fn joins(previous: char, character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}') && matches!(previous, '\u{600}'..='\u{18af}')
}

/// Bytes of the escape sequence at the start of `rest`; of its first character when it is not a whole one, so
/// that an unfinished sequence hides nothing.
fn escape_length(rest: &str) -> usize {
    let mut characters = rest.chars();
    let Some(first) = characters.next() else {
        return 0;
    };
    let (introducer, length) = match (first, characters.next()) {
        ('\u{1b}', Some(second @ ' '..='~')) => (second, 2),
        ('\u{90}' | '\u{98}' | '\u{9b}' | '\u{9d}' | '\u{9e}' | '\u{9f}', _) => {
            (char::from(first as u8 - 0x40), first.len_utf8())
        }
        _ => return first.len_utf8(),
    };
    let body = &rest[length..];
    let found = match introducer {
        '[' => control_sequence(body),
        ']' => string_sequence(body, true),
        'P' | 'X' | '^' | '_' => string_sequence(body, false),
        ' '..='/' => escape_with_intermediates(body),
        _ => Some(0),
    };
    found.map_or(first.len_utf8(), |body| length + body)
}

/// Parameters, intermediates and the final character.
fn control_sequence(body: &str) -> Option<usize> {
    let end = body
        .bytes()
        .position(|byte| !(0x20..=0x3f).contains(&byte))?;
    matches!(body.as_bytes().get(end), Some(0x40..=0x7e)).then_some(end + 1)
}

fn escape_with_intermediates(body: &str) -> Option<usize> {
    let end = body
        .bytes()
        .position(|byte| !(0x20..=0x2f).contains(&byte))?;
    matches!(body.as_bytes().get(end), Some(0x30..=0x7e)).then_some(end + 1)
}

/// A string up to its terminator. Any other escape ends the search, which keeps the whole scan linear.
fn string_sequence(body: &str, one_line: bool) -> Option<usize> {
    let end = body.find(|character| match character {
        '\u{7}' | '\u{1b}' | '\u{80}'..='\u{9f}' => true,
        '\n' => one_line,
        _ => false,
    })?;
    let rest = &body[end..];
    let terminator = ["\u{7}", "\u{1b}\\", "\u{9c}"]
        .into_iter()
        .find(|terminator| rest.starts_with(terminator))?;
    (end <= LONGEST_SEQUENCE).then_some(end + terminator.len())
}

/// A text in which everything hidden is visible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revealed {
    /// What to show.
    pub text: String,
    /// The parts of `text` that stand for something hidden, in order.
    pub marks: Vec<Mark>,
}

/// A part of a [`Revealed`] text that stands for something hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where, in bytes.
    pub range: Range<usize>,
    /// What it is; `None` for folded padding.
    pub hazard: Option<Hazard>,
}

impl Revealed {
    /// Whether a person should look twice.
    pub fn is_suspicious(&self) -> bool {
        !self.marks.is_empty()
    }

    fn mark(&mut self, shown: &str, hazard: Option<Hazard>) {
        let start = self.text.len();
        self.text.push_str(shown);
        self.marks.push(Mark {
            range: start..self.text.len(),
            hazard,
        });
    }

    fn escape(&mut self, character: char, count: usize, hazard: Hazard) {
        let escaped = match character {
            '\n' => "\\n".to_owned(),
            '\t' => "\\t".to_owned(),
            _ => character.escape_unicode().to_string(),
        };
        if count > EQUAL_IN_A_ROW {
            self.mark(&format!("{escaped}×{count}"), Some(hazard));
        } else {
            self.mark(&escaped.repeat(count), Some(hazard));
        }
    }

    /// A run of blanks and newlines.
    fn blanks(&mut self, run: &str) {
        let lines = run.matches('\n').count();
        if lines > BLANK_LINES_IN_A_ROW + 1 {
            self.text.push('\n');
            self.mark(&format!("⟨{} blank lines⟩", lines - 1), None);
            self.text.push('\n');
            self.spaces(run.rsplit('\n').next().unwrap_or_default());
            return;
        }
        for (number, spaces) in run.split('\n').enumerate() {
            if number > 0 {
                self.text.push('\n');
            }
            self.spaces(spaces);
        }
    }

    fn spaces(&mut self, spaces: &str) {
        if spaces.len() > BLANKS_IN_A_ROW {
            self.mark(&format!("⟨{} blanks⟩", spaces.len()), None);
        } else {
            self.text.push_str(spaces);
        }
    }
}

/// The text with every hidden character shown as `\u{…}` and long padding folded with a count. Newlines and
/// tabs stay.
pub fn reveal(text: &str) -> Revealed {
    reveal_with(text, &['\n', '\t', ' '])
}

/// [`reveal`] in one line: newlines and tabs are shown as `\n` and `\t`.
pub fn reveal_line(text: &str) -> Revealed {
    reveal_with(text, &[' '])
}

fn reveal_with(text: &str, blanks: &[char]) -> Revealed {
    let mut revealed = Revealed::default();
    let mut marks = 0;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let blank_run = run_length(rest, |next| blanks.contains(&next));
        if blank_run > 0 {
            revealed.blanks(&rest[..blank_run]);
            at += blank_run;
            marks = 0;
            continue;
        }
        marks = if character.width() == Some(0) {
            marks + 1
        } else {
            0
        };
        let wrong = match character {
            '\n' | '\t' => Some(Hazard::Control),
            _ if marks > MARKS_IN_A_ROW => Some(hazard(character).unwrap_or(Hazard::Invisible)),
            _ => hazard(character),
        };
        let length = match wrong {
            Some(wrong) => {
                let length = run_length(rest, |next| next == character);
                revealed.escape(character, length / character.len_utf8(), wrong);
                length
            }
            None => {
                revealed.text.push(character);
                character.len_utf8()
            }
        };
        at += length;
    }
    revealed
}

fn run_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|character| !belongs(character))
        .unwrap_or(text.len())
}

#[cfg(test)]
#[path = "sanitize_tests.rs"]
mod tests;
