//! What a text might run that the grammar could not read: cut at everything that ends a command, quotes taken away, and
//! every word taken for the start of one. Far too much is found, so only rules that ask or deny, and the floor, look at it.

use super::{Line, Simple, Word, line::MOST_COMMANDS};

/// How many words of a piece are tried as the start of a command.
const MOST_STARTS: usize = 32;

/// Adds what the text might run.
pub(super) fn read(line: &mut Line, text: &str) {
    if line.maybe.len() >= MOST_COMMANDS {
        return;
    }
    for quotes in [true, false] {
        for piece in pieces(text, quotes) {
            let words: Vec<&str> = piece.split_whitespace().collect();
            if line.maybe.len() >= MOST_COMMANDS {
                return;
            }
            for start in 0..words.len().min(MOST_STARTS) {
                let tail = words.get(start..).unwrap_or_default();
                let command = Simple {
                    words: tail.iter().copied().map(Word::literal).collect(),
                    ..Simple::default()
                };
                if line.maybe.len() < MOST_COMMANDS && !line.maybe.contains(&command) {
                    line.maybe.push(command);
                }
            }
        }
    }
}

/// Cuts a text; with `quotes`, not inside of them. Quotes and backslashes are dropped.
fn pieces(text: &str, quotes: bool) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let ends = matches!(
            character,
            ';' | '&' | '|' | '\n' | '\r' | '(' | ')' | '{' | '}' | '<' | '>' | '`'
        );
        match (quote, character) {
            (Some(open), found) if open == found => quote = None,
            (None, '\'' | '"') => quote = Some(character).filter(|_| quotes),
            // A line that goes on.
            (_, '\\') if characters.peek() == Some(&'\n') => drop(characters.next()),
            // In backquotes one backslash may stand for another.
            (_, '\\') if !quotes => {}
            (_, '\\') => {
                if let (Some(last), Some(next)) = (pieces.last_mut(), characters.next()) {
                    last.push(next);
                }
            }
            (open, found) if ends && (open.is_none() || found == '(' || found == '`') => {
                pieces.push(String::new());
            }
            (_, '$') if characters.peek() == Some(&'(') => {}
            (_, found) => {
                if let Some(last) = pieces.last_mut() {
                    last.push(found);
                }
            }
        }
    }
    pieces
}
