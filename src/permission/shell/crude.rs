//! What a text might run that the grammar could not read: cut at everything that ends a command, quotes taken away.
//! Far too much is found, so only rules that ask or deny, and the floor, look at it.

use super::{Line, Simple, Word, line::MOST_COMMANDS};

/// Words of the shell that may stand in front of a command.
const RESERVED: &[&str] = &[
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "in", "select", "then", "time", "until", "while",
];

/// Adds what the text might run.
pub(super) fn read(line: &mut Line, text: &str) {
    for quotes in [true, false] {
        for piece in pieces(text, quotes) {
            let mut words: Vec<&str> = piece.split_whitespace().collect();
            while words
                .first()
                .is_some_and(|word| RESERVED.contains(word) || is_assignment(word))
            {
                words.remove(0);
            }
            if words.is_empty() || line.maybe.len() >= MOST_COMMANDS {
                continue;
            }
            let command = Simple {
                words: words.into_iter().map(Word::literal).collect(),
                ..Simple::default()
            };
            if !line.maybe.contains(&command) {
                line.maybe.push(command);
            }
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
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
