//! How old text is matched, what is refused, and how new text is fitted.

use proptest::prelude::*;

use super::*;

fn edit(old: &str, change: Change) -> Edit {
    Edit {
        old: old.to_owned(),
        change,
    }
}

fn replace(old: &str, new: &str) -> Edit {
    edit(old, Change::Replace(new.to_owned()))
}

fn apply(text: &str, edits: &[Edit]) -> Result<(String, usize), String> {
    let plan = plan(text, edits, false)?;
    let result = Unified::of(text).splice(text, &plan.splices);
    Ok((result, plan.relaxed))
}

/// The text after one replacement, and whether it matched exactly.
fn one(text: &str, old: &str, new: &str) -> (String, bool) {
    let (result, relaxed) = apply(text, &[replace(old, new)]).unwrap();
    (result, relaxed == 0)
}

fn refused(text: &str, edits: &[Edit]) -> String {
    apply(text, edits).unwrap_err()
}

const GO: &str =
    "package main\n\nfunc main() {\n\tcount := 1\n\tif count > 0 {\n\t\tprint(count)\n\t}\n}\n";

#[test]
fn text_that_is_there_verbatim_is_never_matched_any_other_way() {
    assert_eq!(
        one("a  b\n  a b\n", "  a b", "c"),
        ("a  b\nc\n".to_owned(), true)
    );
    assert_eq!(one("x1\nx\n", "x\n", "y\n"), ("x1\ny\n".to_owned(), true));
}

#[test]
fn white_space_around_the_old_text_is_forgiven_and_comes_off_the_new() {
    // An indentation that the model kept on a single line.
    assert_eq!(
        one("\tcount := 1\n", "    count := 1", "    count := 2"),
        ("\tcount := 2\n".to_owned(), false)
    );
    // A line end that the file does not have.
    assert_eq!(
        one("left\nright", "right\n", "RIGHT\n"),
        ("left\nRIGHT".to_owned(), false)
    );
    // New text that adds a blank line on purpose still adds it.
    assert_eq!(
        one("left\nright", "right\n", "right\n\n"),
        ("left\nright\n".to_owned(), false)
    );
    // New lines below a single one get the file's own indentation.
    assert_eq!(
        one(
            "\tif a {\n\t}\n",
            "    if a {",
            "    if a {\n        b()\n\n        c()"
        ),
        ("\tif a {\n\t\tb()\n\n\t\tc()\n\t}\n".to_owned(), false)
    );
}

#[test]
fn line_ends_around_the_old_text_come_off_the_new_by_their_number() {
    // The file has one line end where the old text has two.
    assert_eq!(
        one("  foo\nbar\n", "  foo\n\n", "  baz\n").0,
        "  baz\nbar\n"
    );
    assert_eq!(
        one("  foo\nbar\n", "  foo\n \n", "  baz\n\n").0,
        "  baz\nbar\n"
    );
    // And the same in front.
    assert_eq!(
        one("a\n  foo\nbar\n", "\n\n  foo\n", "\n  baz\n").0,
        "a\n  baz\nbar\n"
    );
    // One more than the old text had is meant.
    assert_eq!(
        one("  foo\nbar\n", "  foo\n\n", "  baz\n\n\n").0,
        "  baz\n\nbar\n"
    );
}

#[test]
fn forgiven_white_space_still_ends_a_word() {
    let refusal = refused("x = 10\n", &[replace("x = 1\n", "x = 2\n")]);

    assert!(refusal.starts_with("old text not found"), "{refusal}");
    assert!(apply("prefix\n", &[replace("  fix", "  y")]).is_err());
}

#[test]
fn deleting_a_line_leaves_no_line_of_spaces() {
    assert_eq!(
        one("a\n\tb\nc\n", "    b\n", ""),
        ("a\nc\n".to_owned(), false)
    );
    assert_eq!(
        one("a\n\tb\nc\n", "\n    b", ""),
        ("a\nc\n".to_owned(), false)
    );
    assert_eq!(
        one("a\n\tb\nc\n", "    b", ""),
        ("a\n\nc\n".to_owned(), false)
    );
    assert_eq!(
        one("a\n\tb\n\tc\nd\n", "    b\n    c\n", ""),
        ("a\nd\n".to_owned(), false)
    );
}

#[test]
fn a_block_retyped_with_spaces_is_found_and_gets_the_files_tabs() {
    let old = "func main() {\n    count := 1\n    if count > 0 {\n        print(count)\n    }\n}";
    let new = "func main() {\n    count := 2\n    if count > 0 {\n        print(count)\n\n        print(\"x\")\n    }\n}";

    let (result, exact) = one(GO, old, new);

    assert!(!exact);
    assert_eq!(
        result,
        "package main\n\nfunc main() {\n\tcount := 2\n\tif count > 0 {\n\t\tprint(count)\n\n\t\tprint(\"x\")\n\t}\n}\n"
    );
}

#[test]
fn a_block_without_its_base_indentation_gets_it_back() {
    let text = "class A:\n  class B:\n    def f(self):\n      a = 1\n      b = 2\n";

    // Two spaces a level in the file, four in the model's text, base left out.
    assert_eq!(
        one(
            text,
            "def f(self):\n    a = 1\n    b = 2\n",
            "def f(self):\n    if a:\n        a = 1\n    b = 3\n"
        ),
        (
            "class A:\n  class B:\n    def f(self):\n      if a:\n        a = 1\n      b = 3\n"
                .to_owned(),
            false
        )
    );
}

#[test]
fn lines_that_do_not_change_stay_the_files_own_to_the_byte() {
    let text = "\tone  \n\t two\n\tthree\n";

    assert_eq!(
        one(text, "one\ntwo\nthree", "one\ntwo\nTHREE"),
        ("\tone  \n\t two\n\tTHREE\n".to_owned(), false)
    );
}

#[test]
fn two_places_are_refused_with_their_lines_however_they_matched() {
    let text = "int a() {\n\treturn 0;\n}\nint b() {\n\treturn 0;\n}\n";

    assert_eq!(
        refused(text, &[replace("\treturn 0;", "\treturn 1;")]),
        "old text appears 2 times (lines 2, 5): to change one of them, add lines around it to the old text until it \
         is unique; to change several, send one edit for each, or replace_all for every exact occurrence; \
         nothing was changed"
    );
    assert!(
        refused(text, &[replace("    return 0;", "    return 1;")])
            .starts_with("old text appears 2 times when white space is ignored (lines 2, 5)")
    );
    assert!(
        refused(text, &[replace("    return 0;\n  }", "x")])
            .starts_with("old text appears 2 times when white space is ignored (lines 2, 5)")
    );
    // Occurrences that overlap are two places as well.
    assert!(refused("aaa", &[replace("aa", "b")]).starts_with("old text appears 2 times"));
}

#[test]
fn edits_are_resolved_against_the_original_text() {
    assert_eq!(
        apply("a b\n", &[replace("a", "b"), replace("b", "c")]).unwrap(),
        ("b c\n".to_owned(), 0)
    );
}

#[test]
fn edits_that_overlap_nest_or_repeat_are_refused() {
    for edits in [
        [replace("b\nc", "x"), replace("c\nd", "y")],
        [replace("b\nc\nd", "x"), replace("c", "y")],
        [replace("c", "x"), replace("c", "y")],
    ] {
        let refusal = refused("a\nb\nc\nd\n", &edits);

        assert!(
            refusal.starts_with("edits #1 and #2 touch the same text (line"),
            "{refusal}"
        );
    }
}

#[test]
fn one_bad_edit_of_several_is_named_and_stops_all() {
    let refusal = refused("a\nb\n", &[replace("a", "x"), replace("zzz", "y")]);

    assert!(
        refusal.starts_with("edit #2: old text not found"),
        "{refusal}"
    );
    assert!(refusal.ends_with("nothing was changed"), "{refusal}");
}

#[test]
fn every_exact_occurrence_can_be_replaced_and_only_exact_ones() {
    let all = |text: &str, old: &str| {
        apply(text, &[edit(old, Change::ReplaceAll("x".to_owned()))]).map(|(text, _)| text)
    };

    assert_eq!(all("foo bar foo\n", "foo"), Ok("x bar x\n".to_owned()));
    assert_eq!(all("aaa\n", "aa"), Ok("xa\n".to_owned()));
    assert!(all("\tfoo\n", "    foo").is_err());
}

#[test]
fn inserted_lines_stand_on_their_own_whatever_the_end_of_the_file() {
    let after = |text: &str, old: &str, new: &str| {
        apply(text, &[edit(old, Change::After(new.to_owned()))])
            .unwrap()
            .0
    };
    let before = |text: &str, old: &str, new: &str| {
        apply(text, &[edit(old, Change::Before(new.to_owned()))])
            .unwrap()
            .0
    };

    assert_eq!(after("left\nright", "right", "below"), "left\nright\nbelow");
    assert_eq!(
        after("left\nright\n", "right\n", "below\n"),
        "left\nright\nbelow\n"
    );
    assert_eq!(
        after("left x\nright", "left", "between"),
        "left x\nbetween\nright"
    );
    assert_eq!(
        before("left\nright", "right", "between"),
        "left\nbetween\nright"
    );
    assert_eq!(
        before("\tif a {\n", "    if a {", "    // why"),
        "\t// why\n\tif a {\n"
    );
    assert_eq!(
        after("\tif a {\n", "    if a {", "        b()"),
        "\tif a {\n\t\tb()\n"
    );
}

#[test]
fn the_refusal_shows_the_region_that_came_closest() {
    let old = "func main() {\n    count := 2\n    if count > 0 {\n        print(count)\n    }\n}";

    assert_eq!(
        refused(GO, &[replace(old, "x")]),
        "old text not found: it must match the file, including line breaks:\n\
         \x20 │ func main() {\n\
         \x20 │     count := 2\n\
         \x20 │     if count > 0 {\n\
         \x20 │         print(count)\n\
         \x20 │     }\n\
         \x20 │ }\n\
         the closest the file comes to it, to copy from:\n\
         \x20 │ 3 │ func main() {\n\
         \x20 │ 4 │ \tcount := 1\n\
         \x20 │ 5 │ \tif count > 0 {\n\
         \x20 │ 6 │ \t\tprint(count)\n\
         \x20 │ 7 │ \t}\n\
         \x20 │ 8 │ }; nothing was changed"
    );
    assert!(
        refused(GO, &[replace("count := 17", "x")]).contains("to copy from:\n  │ 4 │ \tcount := 1")
    );
}

#[test]
fn an_innocent_part_of_the_file_is_not_pointed_at() {
    let refusal = refused(GO, &[replace("one\ntwo\n}\n}\nthree", "x")]);

    assert!(
        refusal.contains("nothing in the file comes close"),
        "{refusal}"
    );
    assert!(!refusal.contains("func main"), "{refusal}");
}

#[test]
fn look_alike_characters_are_named_by_their_code_points() {
    let text = "first\nsay \u{201C}hi\u{201D}\u{A0}\u{2013} now\n";

    let refusal = refused(text, &[replace("say \"hi\" - now", "x")]);

    assert_eq!(
        refusal,
        "old text not found: line 2 differs from it only in characters that look alike: the file has \
         U+00A0 where U+0020 was sent, U+2013 where U+002D was sent, U+201C where U+0022 was sent, \
         U+201D where U+0022 was sent; copy them as they are, or leave them out of the old text:\n\
         \x20 │ 2 │ say \u{201C}hi\u{201D}\u{A0}\u{2013} now; nothing was changed"
    );
}

#[test]
fn blank_old_text_and_a_change_to_the_same_are_refused_at_once() {
    assert_eq!(
        refused("wxyz", &[replace(" \n", "-")]),
        "the old text is blank; it must hold the text to find; nothing was changed"
    );
    assert_eq!(
        refused("wxyz", &[replace("x", "x")]),
        "the new text is what is there already; nothing was changed"
    );
}

/// Lines that a broken conversion gave two carriage returns.
#[test]
fn a_carriage_return_that_is_part_of_a_line_is_matched_and_kept() {
    let body = "a\r\r\nb\r\r\n";
    let file = Unified::of(body);

    let plan = plan(&file.text, &[replace("a\r\nb", "a\r\nc")], true).unwrap();

    assert_eq!(file.splice(body, &plan.splices), "a\r\r\nc\r\r\n");
}

#[test]
fn strict_allows_exact_matches_alone() {
    let edits = [replace("    count := 1", "    count := 2")];

    let refusal = plan(GO, &edits, true).unwrap_err();

    assert!(
        refusal.starts_with("old text not found, and it must match exactly here"),
        "{refusal}"
    );
}

proptest! {
    #[test]
    fn an_edit_never_changes_a_byte_outside_its_match(
        lines in prop::collection::vec("[ \t]{0,3}[a-dé]{0,3}[ \t]{0,2}", 1..8),
        old in "[ \t\n]{0,2}[a-dé]{1,3}[ \t\n]{0,2}([ \t]{0,2}[a-d]{0,2}\n?)",
        new in "[ \txé\n]{0,8}",
    ) {
        let text = lines.join("\n");
        if let Ok(plan) = plan(&text, &[replace(&old, &new)], false) {
            let [splice] = plan.splices.as_slice() else { panic!("{plan:?}") };
            let result = Unified::of(&text).splice(&text, &plan.splices);
            let (head, tail) = (&text[..splice.range.start], &text[splice.range.end..]);

            prop_assert!(result.starts_with(head) && result.ends_with(tail));
            // What goes is the piece that was meant, but for white space.
            let solid = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(solid(&text[splice.range.clone()]), solid(&old));
            prop_assert_eq!(solid(&splice.new), solid(&new));
        }
    }
}
