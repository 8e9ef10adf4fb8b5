//! An estimate of how many tokens a text takes, for what a provider has not counted yet.
//!
//! The rate is the public rule of thumb of the large providers, four characters of English a token, refined
//! for scripts in which a character is a token or nearly so. It errs towards too many: a window that is thought
//! full too early is compacted too early, one that is thought empty fails.

/// Quarters of a token that a character takes.
fn quarters(character: char) -> usize {
    match character {
        '\0'..='\u{7f}' => 1,
        // Latin with accents, Greek, Cyrillic, Hebrew, Arabic: two or three characters a token.
        '\u{80}'..='\u{7ff}' => 2,
        // Ideographs, kana, Hangul and the other scripts of three bytes: about one token each.
        '\u{800}'..='\u{ffff}' => 4,
        // Emoji and rare scripts: often one token for every two bytes.
        _ => 8,
    }
}

/// Tokens of a text, rounded up.
pub fn estimate(text: &str) -> usize {
    if text.is_ascii() {
        return text.len().div_ceil(4);
    }
    text.chars().map(quarters).sum::<usize>().div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_characters_of_english_are_a_token() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("abc"), 1);
        assert_eq!(estimate(&"word ".repeat(80)), 100);
    }

    #[test]
    fn denser_scripts_take_more_tokens_a_character() {
        assert_eq!(estimate("各各各"), 3);
        assert_eq!(estimate("привет"), 3);
        assert_eq!(estimate("👍👍"), 4);
    }
}
