//! A line as the grammar reads it the way bash does: where the two differ, a plain letter stands in the place of each
//! byte. The words themselves are taken from the line as it is.

use std::borrow::Cow;

use super::{evaluated::expands_plainly, line::is_odd};

/// The text for the grammar; owned when something of it had to be replaced.
pub(super) fn tamed(text: &str) -> Cow<'_, str> {
    let is_hard = |(at, letter): (usize, char)| is_hard(text, at, letter);
    if !text.char_indices().any(is_hard) {
        return Cow::Borrowed(text);
    }
    let mut tame = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        if is_hard((at, letter)) {
            tame.extend(std::iter::repeat_n('x', letter.len_utf8()));
        } else {
            tame.push(letter);
        }
    }
    Cow::Owned(tame)
}

fn is_hard(text: &str, at: usize, letter: char) -> bool {
    let before = text.get(..at).unwrap_or_default();
    match letter {
        // A blank that stands for itself does not end a word, so no comment starts behind it, nor behind `a=(…)`.
        '#' => {
            let blank = before.strip_suffix([' ', '\t', '\n']);
            blank.is_some_and(is_escaped) || before.ends_with([')', '}'])
        }
        '\\' => goes_on(text, at),
        '\n' => at.checked_sub(1).is_some_and(|at| goes_on(text, at)),
        // Blanks that are none to bash.
        odd if is_odd(odd) => true,
        // Behind `{`, as in `{1..9}`, the grammar looks for digits in a table that ends long before the last letter,
        // and may crash.
        wide => {
            !wide.is_ascii()
                && before
                    .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
                    .ends_with('{')
        }
    }
}

/// Whether a text holds the start of a substitution, a backquote, `$(`, `<(` or `>(`, or what bash calculates with: `$[`
/// and `${…}` that is more than the text of a variable.
pub(super) fn substitutes(text: &str) -> bool {
    let mut before = ' ';
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (before, letter) {
            (_, '\\') => {
                letters.next();
            }
            (_, '`') | ('$' | '<' | '>', '(') | ('$', '[') => return true,
            ('$', '{') => {
                let from = text.get(at - 1..).unwrap_or_default();
                let end = from.find('}').map_or(from.len(), |end| end + 1);
                if !expands_plainly(from.get(..end).unwrap_or_default()) {
                    return true;
                }
            }
            _ => {}
        }
        before = letter;
    }
    false
}

/// Whether what follows stands behind a backslash that counts.
fn is_escaped(before: &str) -> bool {
    let rest = before.trim_end_matches('\\');
    !(before.len() - rest.len()).is_multiple_of(2)
}

/// Whether a backslash and a line end stand at this place inside of a word, which goes on behind them.
fn goes_on(text: &str, at: usize) -> bool {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| !letter.is_ascii_whitespace());
    let (before, behind) = (text.get(..at), text.get(at..));
    let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
    behind
        .strip_prefix("\\\n")
        .is_some_and(|next| is_word(next.chars().next()))
        && (is_word(before.chars().next_back()) || before.ends_with("\\\n"))
        && !is_escaped(before)
}
