use proptest::prelude::*;

use super::*;
use crate::ui::{rows::Piece, theme::StyleName};

fn texts(source: &str, width: usize) -> Vec<String> {
    Document::new(source)
        .rows(width, 0, &Highlights::default())
        .iter()
        .map(|row| row.text().trim_end().to_owned())
        .collect()
}

fn check(source: &str, width: usize, expected: &[&str]) {
    assert_eq!(texts(source, width), expected, "{source}");
}

#[test]
fn paragraphs_wrap_between_words_and_keep_hard_breaks() {
    check("one two three\nfour", 9, &["one two", "three", "four"]);
    check("one  \ntwo\\\nthree", 20, &["one", "two", "three"]);
    check("a\n\nb", 20, &["a", "", "b"]);
}

#[test]
fn lists_nest_hang_and_number() {
    check(
        "- one two three\n  - inner\n- last",
        10,
        &["• one two", "  three", "  • inner", "• last"],
    );
    check("9. nine\n10. ten", 20, &["9. nine", "10. ten"]);
    check("- a\n\n- b", 20, &["• a", "", "• b"]);
    check("- [x] done\n- [ ] open", 20, &["☑ done", "☐ open"]);
    check("-\n- b", 20, &["•", "• b"]);
}

#[test]
fn quotes_and_rules_are_drawn() {
    check(
        "> one\n> two\n>\n> three",
        8,
        &["▎ one", "▎ two", "▎", "▎ three"],
    );
    check("> > deep", 20, &["▎ ▎ deep"]);
    check("a\n\n---\n\nb", 5, &["a", "", "─────", "", "b"]);
}

#[test]
fn a_link_says_where_it_leads_unless_its_words_do() {
    check("[book](https://e.org)", 40, &["book (https://e.org)"]);
    check("<https://e.org>", 40, &["https://e.org"]);
    check(
        "See [the book].\n\nMore.\n\n[the book]: https://e.org",
        40,
        &["See the book (https://e.org).", "", "More."],
    );
}

#[test]
fn code_keeps_its_lines_and_opens_tabs() {
    check(
        "```rust\nfn a() {\n\tb();\n}\n```\nend",
        40,
        &["│ fn a() {", "│     b();", "│ }", "", "end"],
    );
    check("```\nabcdef\n```", 5, &["│ abc", "│ def"]);
}

#[test]
fn a_fence_closes_only_with_its_own_kind_and_length() {
    check("```py\n~~~\nx\n```\nend", 40, &["│ ~~~", "│ x", "", "end"]);
    check(
        "````\n```\ninner\n```\n````\nend",
        40,
        &["│ ```", "│ inner", "│ ```", "", "end"],
    );
    check(
        "- item\n\n  ```sh\n  ls\n  ```\n\nend",
        40,
        &["• item", "", "  │ ls", "", "end"],
    );
}

#[test]
fn a_table_lines_up_with_wide_characters() {
    check(
        "| 名前 | ok ✓ | 😀 |\n|---|---|--:|\n| a | bb | c |\n| end | | 1 |",
        40,
        &[
            "名前 │ ok ✓ │ 😀",
            "─────┼──────┼───",
            "a    │ bb   │  c",
            "end  │      │  1",
        ],
    );
}

#[test]
fn a_table_wraps_inside_cells_and_becomes_a_list_when_narrow() {
    let source = "| key | meaning |\n|---|---|\n| alpha | the first letter of all |";

    check(
        source,
        20,
        &[
            "key   │ meaning",
            "──────┼─────────────",
            "alpha │ the first",
            "      │ letter of",
            "      │ all",
        ],
    );
    check(
        source,
        9,
        &[
            "key:", "  alpha", "meaning:", "  the", "  first", "  letter", "  of all",
        ],
    );
}

/// The rows of a text that grew by these parts, which are those of the whole.
fn grown(parts: &[&str], width: usize) -> Stack {
    let highlights = Highlights::default();
    let mut growing = Document::new("");
    for part in parts {
        growing.push(part);
        growing.rows(width, 0, &highlights);
    }
    let rows = growing.rows(width, 0, &highlights);
    let whole = Document::new(parts.concat()).rows(width, 0, &highlights);
    assert_eq!(rows, whole, "{parts:?}");
    rows
}

#[test]
fn definitions_in_front_of_a_block_stay_with_it() {
    let rows = grown(
        &[
            "    code\n",
            "[x]: https://e.org\n",
            "    head\n===\n",
            "- \n",
        ],
        20,
    );

    assert_eq!(rows.iter().filter(|row| row.text() == "head").count(), 1);
}

#[test]
fn a_definition_behind_a_list_stays_with_what_follows() {
    let rows = grown(
        &[
            "- word\n\n",
            "[x]: https://e.org\n",
            "10) \n",
            "===\n",
            "end\n",
        ],
        20,
    );

    let texts: Vec<String> = rows.iter().map(Row::text).collect();
    assert_eq!(texts, ["• word", "", "10)", "", "end"]);
}

#[test]
fn hidden_characters_do_not_pass() {
    check("a\u{1b}[31mb\u{202e}c\u{200b}d ⚠\u{fe0f}", 40, &["abcd ⚠"]);
    check("```\nx\u{1b}[2Jy\n```", 40, &["│ xy"]);
}

#[test]
fn looks_follow_emphasis() {
    let rows = Document::new("a **b** `c`").rows(40, 0, &Highlights::default());

    let names: Vec<(String, StyleName)> = rows
        .iter()
        .flat_map(|row| row.pieces.clone())
        .map(|Piece { text, paint, .. }| (text, paint.base))
        .collect();
    assert_eq!(
        names,
        [
            ("a ".to_owned(), StyleName::Text),
            ("b".to_owned(), StyleName::Text),
            (" ".to_owned(), StyleName::Text),
            ("c".to_owned(), StyleName::CodeInline),
        ]
    );
}

#[test]
fn copied_code_is_as_it_was_written() {
    let document = Document::new("x\n\n```make\nall:\n\techo\n```\n");

    assert_eq!(
        document.code_blocks(),
        [CodeBlock {
            language: "make".to_owned(),
            text: "all:\n\techo\n".to_owned()
        }]
    );
}

#[test]
fn hostile_texts_end_in_a_bounded_number_of_rows() {
    let hostile = [
        "> ".repeat(20_000) + "x",
        "- ".repeat(20_000) + "x",
        "[".repeat(60_000),
        "*a_ ".repeat(16_000),
        "x".repeat(8 << 20),
        "`".repeat(50_000) + "a" + &"`".repeat(49_999),
        "| a ".repeat(3_000) + "\n" + &"|-".repeat(3_000) + "\n",
        "<".repeat(60_000),
        "![](".repeat(15_000),
    ];
    for source in hostile {
        let rows = Document::new(source).rows(80, 0, &Highlights::default());

        assert!((1..20_000).contains(&rows.len()), "{}", rows.len());
    }
}

const FRAGMENTS: &[&str] = &[
    "word",
    " ",
    "\n",
    "\n\n",
    "# ",
    "## head\n",
    "- ",
    "  - in\n",
    "1. ",
    "> ",
    "```",
    "```rs\n",
    "~~~",
    "    ",
    "\t",
    "*",
    "**",
    "_",
    "`",
    "| a | b |\n",
    "|---|---|\n",
    "[x]",
    "[x]: https://e.org\n",
    "](u)",
    "---\n",
    "===\n",
    "<div>\n",
    "</div>",
    "<!--",
    "-->",
    "\\",
    "各",
    "😀",
    "- [ ] ",
    "&amp;",
    "  \n",
    "+ ",
    "10) ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_growing_text_ends_like_the_whole(
        parts in proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..40),
        width in 1usize..60,
    ) {
        let highlights = Highlights::default();
        let mut growing = Document::new("");
        for part in &parts {
            growing.push(part);
            growing.rows(width, 0, &highlights);
        }

        let whole = Document::new(parts.concat()).rows(width, 0, &highlights);

        prop_assert_eq!(growing.rows(width, 0, &highlights), whole.clone());
        growing.forget();
        prop_assert_eq!(growing.rows(width, 0, &highlights), whole);
    }

    #[test]
    fn no_row_is_wider_than_the_pane(
        parts in proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..40),
        width in 8usize..60,
    ) {
        let rows = Document::new(parts.concat()).rows(width, 0, &Highlights::default());

        for row in rows.iter() {
            prop_assert!(row.columns() <= width, "{:?} in {}", row.text(), width);
        }
    }
}
