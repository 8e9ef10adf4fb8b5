use proptest::prelude::*;

use super::*;

#[test]
fn a_change_is_shown_with_its_surroundings_and_both_numbers() {
    let old = "one\ntwo\nthree\nfour\nfive\nsix\n";
    let new = "one\ntwo\nthree and a half\nfour\nfive\nsix\nseven\n";

    let diff = lines(old, new, 1);

    assert_eq!((diff.added, diff.removed), (2, 1));
    assert_eq!(
        diff.numbered(10),
        "11 11  two\n\
         12    -three\n   \
            12 +three and a half\n\
         13 13  four\n\
         ...\n\
         15 15  six\n   \
            16 +seven\n"
    );
}

#[test]
fn the_words_that_changed_inside_a_line_are_marked() {
    let diff = lines("let total = count(a, b);\n", "let total = sum(a, b);\n", 3);

    let marked: Vec<Vec<&str>> = diff.hunks[0]
        .lines
        .iter()
        .map(|line| {
            line.changed
                .iter()
                .map(|range| &line.text[range.clone()])
                .collect()
        })
        .collect();

    assert_eq!(marked, [["count"], ["sum"]]);
}

#[test]
fn lines_with_nothing_in_common_are_changed_as_a_whole() {
    let diff = lines("alpha beta\n", "one two three\n", 0);

    assert!(
        diff.hunks[0]
            .lines
            .iter()
            .all(|line| line.changed.is_empty())
    );
}

#[test]
fn a_line_is_paired_with_the_one_that_resembles_it() {
    let diff = lines(
        "fn read(path: &Path) {}\n",
        "// Reads.\nfn read(path: PathBuf) {}\n",
        0,
    );

    let changed: Vec<bool> = diff.hunks[0]
        .lines
        .iter()
        .map(|line| !line.changed.is_empty())
        .collect();

    assert_eq!(changed, [true, false, true]);
}

#[test]
fn line_ends_are_part_of_the_line() {
    let diff = lines("a\nb", "a\r\nb\n", 0);

    let ends: Vec<(Side, &str, LineEnd)> = diff.hunks[0]
        .lines
        .iter()
        .map(|line| (line.side, line.text, line.end))
        .collect();

    assert_eq!(
        ends,
        [
            (Side::Removed, "a", LineEnd::Lf),
            (Side::Removed, "b", LineEnd::Missing),
            (Side::Added, "a", LineEnd::CrLf),
            (Side::Added, "b", LineEnd::Lf),
        ]
    );
    assert!(diff.numbered(1).contains("-b\n\\ no newline at the end\n"));
}

#[test]
fn equal_texts_have_no_hunks() {
    assert!(lines("a\nb\n", "a\nb\n", 3).is_empty());
    assert!(lines("", "", 3).is_empty());
    assert_eq!(lines("", "a\n", 3).added, 1);
}

#[test]
fn texts_too_large_to_compare_are_one_replaced_block() {
    let old: String = (0..150_000).map(|number| format!("{number}\n")).collect();
    let new: String = (0..150_000).map(|number| format!("x{number}\n")).collect();
    let (old, new) = (format!("same\n{old}"), format!("same\n{new}"));

    let diff = lines(&old, &new, 1);

    assert_eq!(
        (diff.added, diff.removed, diff.hunks.len()),
        (150_000, 150_000, 1)
    );
}

#[test]
fn a_small_change_in_a_large_text_is_found() {
    let old: String = (0..200_000).map(|number| format!("{number}\n")).collect();
    let new = old.replacen("\n100000\n", "\nchanged\n", 1);

    let diff = lines(&old, &new, 0);

    assert_eq!((diff.added, diff.removed), (1, 1));
    assert_eq!(diff.hunks[0].lines[0].old, Some(100_001));
}

proptest! {
    #[test]
    fn both_texts_can_be_rebuilt_from_the_lines(old in "([abc]\n|x y z\n|\r\n){0,12}[ab]?", new in "([abc]\n|x w z\n|\r\n){0,12}[ab]?") {
        let diff = lines(&old, &new, 100);
        let rebuilt = |gone: Side| -> String {
            diff.hunks
                .iter()
                .flat_map(|hunk| &hunk.lines)
                .filter(|line| line.side != gone)
                .map(|line| match line.end {
                    LineEnd::Lf => format!("{}\n", line.text),
                    LineEnd::CrLf => format!("{}\r\n", line.text),
                    LineEnd::Missing => line.text.to_owned(),
                })
                .collect()
        };
        if !diff.is_empty() {
            prop_assert_eq!(rebuilt(Side::Added), old.as_str());
            prop_assert_eq!(rebuilt(Side::Removed), new.as_str());
        }
        prop_assert_eq!(diff.is_empty(), old == new);
    }

    #[test]
    fn changed_words_fall_on_character_boundaries(old in "\\PC{0,30}", new in "\\PC{0,30}") {
        if let Some((old_changed, new_changed)) = changed_words(&old, &new) {
            for range in old_changed {
                prop_assert!(old.get(range).is_some());
            }
            for range in new_changed {
                prop_assert!(new.get(range).is_some());
            }
        }
    }
}
