//! Scripts of `sed`: most change what is printed; `e` runs a command and `w` writes a file.

use std::{iter::Peekable, str::Chars};

use super::Word;

/// The word of `sed` by which it may run a command or write a file: an unknown script is one.
pub(super) fn trick(arguments: &[Word]) -> Option<&str> {
    let mut given = Vec::new();
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let letters = text.strip_prefix('-').filter(|rest| !rest.is_empty());
        match letters {
            Some("-") => operands.extend(words.by_ref()),
            Some(long) if long.starts_with('-') => match long.split_once('=') {
                Some(("-expression", script)) => given.push((text, script)),
                Some(("-file", _)) => return Some(text),
                None if matches!(long, "-expression" | "-file") => return Some(text),
                _ => {}
            },
            // The script follows the letter, or is the next word.
            Some(letters) => match letters.split_once(['e', 'f']) {
                Some((before, _)) if letters.get(before.len()..)?.starts_with('f') => {
                    return Some(text);
                }
                Some((_, "")) => given.extend(words.next().map(|word| (text, word.text.as_str()))),
                Some((_, script)) => given.push((text, script)),
                None => {}
            },
            None => operands.push(word),
        }
    }
    if given.is_empty() {
        let script = operands.first().map(|word| word.text.as_str());
        given.extend(script.map(|script| (script, script)));
    }
    given
        .into_iter()
        .find(|(_, script)| !is_tame(script))
        .map(|(word, _)| word)
}

/// Whether a script is understood and neither runs nor writes anything.
fn is_tame(script: &str) -> bool {
    let mut letters = script.chars().peekable();
    while let Some(letter) = letters.next() {
        let goes_on = match letter {
            ' ' | '\t' | '\n' | ';' | '{' | '}' | ',' | '!' | '$' | '~' | '+' | '0'..='9' => true,
            '/' => skip(&mut letters, '/') && skip_any(&mut letters, "IM"),
            'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'q' | 'Q' | '='
            | 'l' => true,
            's' | 'y' => match letters.next() {
                Some(mark) if !mark.is_alphanumeric() && mark != '\\' && mark != '\n' => {
                    skip(&mut letters, mark)
                        && skip(&mut letters, mark)
                        && skip_any(&mut letters, "gpiIM0123456789")
                }
                _ => false,
            },
            _ => false,
        };
        if !goes_on {
            return false;
        }
    }
    true
}

/// Goes behind the next mark that stands for itself; false when there is none.
fn skip(letters: &mut Peekable<Chars<'_>>, mark: char) -> bool {
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            // In brackets no backslash counts, and a mark may or may not end it.
            '[' => {
                letters.next_if_eq(&'^');
                let mut inside = letters.next();
                while let Some(found) = inside {
                    if found == mark || found == '\\' || found == '[' {
                        return false;
                    }
                    inside = letters.next().filter(|next| *next != ']');
                }
            }
            found if found == mark => return true,
            _ => {}
        }
    }
    false
}

/// Goes behind flags; false when others follow.
fn skip_any(letters: &mut Peekable<Chars<'_>>, flags: &str) -> bool {
    while letters.next_if(|letter| flags.contains(*letter)).is_some() {}
    letters
        .peek()
        .is_none_or(|next| !matches!(next, 'e' | 'w' | 'm'))
}
