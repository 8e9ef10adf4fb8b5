//! Which bytes of an entry a read returns, never cutting inside a character.

use std::fmt::Write;

use regex::Regex;

/// What any tool may return inline, and so what a read never falls below.
pub(super) const INLINE: usize = 30_000;

/// Most lines that a search returns.
pub(super) const MATCHES: usize = 100;

/// Longest part of a matching line, in bytes.
const LINE: usize = 1_000;

/// From `offset` at most `limit` bytes, moved to the nearest character before; says where to go on.
pub(super) fn passage(content: &str, offset: usize, limit: usize) -> String {
    let start = content.floor_char_boundary(offset);
    let mut end = content.floor_char_boundary(start.saturating_add(limit));
    if end == start && start < content.len() {
        // A limit smaller than the character would never get past it.
        end = content.ceil_char_boundary(start + 1);
    }
    let text = content.get(start..end).unwrap_or_default();
    if start == 0 && end == content.len() {
        return text.to_owned();
    }
    let next = if end < content.len() {
        format!("; continue with offset {end}")
    } else {
        "; that is the end".to_owned()
    };
    format!(
        "{text}\n[bytes {start} to {end} of {}{next}]",
        content.len()
    )
}

/// How many bytes from `offset` fit into `room` tokens, by a bound that errs towards cutting: five letters or
/// spaces a token, one token for every other character. Never below [`INLINE`].
pub(super) fn fitting(content: &str, offset: usize, room: u64) -> usize {
    let start = content.floor_char_boundary(offset);
    let fifths = room.saturating_mul(5);
    let mut spent = 0_u64;
    let mut bytes = 0;
    for character in content.get(start..).unwrap_or_default().chars() {
        spent += if character.is_ascii_alphabetic() || character == ' ' {
            1
        } else {
            5
        };
        if spent > fifths {
            break;
        }
        bytes += character.len_utf8();
    }
    bytes.max(INLINE)
}

/// The lines that match, with their numbers, and how many there were.
pub(in crate::tools) fn search(content: &str, regex: &Regex) -> (String, usize) {
    let mut text = String::new();
    let mut found = 0;
    for (index, line) in content.lines().enumerate() {
        if !regex.is_match(line) {
            continue;
        }
        found += 1;
        if found <= MATCHES {
            let shown = line.get(..line.floor_char_boundary(LINE)).unwrap_or(line);
            let mark = if shown.len() < line.len() { "…" } else { "" };
            let _ = writeln!(text, "{}: {shown}{mark}", index + 1);
        }
    }
    if found > MATCHES {
        let _ = writeln!(
            text,
            "[{found} lines match; the first {MATCHES} are shown: make the regex narrower]"
        );
    }
    (text.trim_end_matches('\n').to_owned(), found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};
    use regex::Regex;

    use super::{INLINE, fitting, passage, search};

    #[test]
    fn a_part_says_where_it_is_and_where_to_go_on() {
        let table = [
            ("abcdef", 0, 99, "abcdef"),
            (
                "abcdef",
                0,
                2,
                "ab\n[bytes 0 to 2 of 6; continue with offset 2]",
            ),
            (
                "abcdef",
                2,
                99,
                "cdef\n[bytes 2 to 6 of 6; that is the end]",
            ),
            ("aé", 2, 99, "é\n[bytes 1 to 3 of 3; that is the end]"),
            ("éa", 0, 1, "é\n[bytes 0 to 2 of 3; continue with offset 2]"),
            ("", 0, 5, ""),
        ];

        for (content, offset, limit, expected) in table {
            assert_eq!(
                passage(content, offset, limit),
                expected,
                "{content:?} {offset} {limit}"
            );
        }
    }

    proptest! {
        #[test]
        fn following_the_offsets_returns_the_whole_text(content in any::<String>(), limit in 1_usize..9) {
            let mut offset = 0;
            let mut whole = String::new();
            loop {
                let text = passage(&content, offset, limit);
                let Some((part, note)) = text.rsplit_once("\n[bytes ") else {
                    whole.push_str(&text);
                    break;
                };
                whole.push_str(part);
                match note.rsplit_once("continue with offset ") {
                    Some((_, next)) => offset = next.trim_end_matches(']').parse().unwrap(),
                    None => break,
                }
            }

            assert_eq!(whole, content);
        }
    }

    #[test]
    fn dense_text_is_cut_sooner_than_prose_and_never_below_the_inline_bound() {
        let prose = "word ".repeat(20_000);
        let digits = "7".repeat(100_000);

        assert_eq!(fitting(&prose, 0, 100_000), 100_000);
        assert_eq!(fitting(&prose, 0, 10_000), 50_000);
        assert_eq!(fitting(&digits, 0, 40_000), 40_000);
        assert_eq!(fitting(&digits, 0, 10), INLINE);
        assert_eq!(fitting(&digits, 90_000, 40_000), INLINE);
    }

    #[test]
    fn a_search_numbers_lines_and_says_how_many_it_left_out() {
        let content = "one\ntwo\nthree";
        let many = "hit\n".repeat(150);

        assert_eq!(
            search(content, &Regex::new("^t").unwrap()),
            ("2: two\n3: three".to_owned(), 2)
        );
        assert_eq!(
            search(content, &Regex::new("x").unwrap()),
            (String::new(), 0)
        );
        let (text, found) = search(&many, &Regex::new("hit").unwrap());
        assert_eq!(found, 150);
        assert_eq!(text.lines().count(), 101);
        assert!(
            text.ends_with("[150 lines match; the first 100 are shown: make the regex narrower]")
        );
    }
}
