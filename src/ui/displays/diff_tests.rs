use super::*;
use crate::ui::highlight::Highlights;

fn change(old: &str, new: &str) -> FileDiff {
    FileDiff {
        path: "a.rs".to_owned(),
        old: old.to_owned(),
        new: new.to_owned(),
        first_line: 9,
        created: false,
    }
}

fn rows(change: &FileDiff, width: usize, diff: DiffStyle, highlights: &Highlights) -> Vec<Row> {
    let canvas = Canvas {
        width,
        amount: Amount::Whole,
        diff,
        highlights,
        open_key: "Enter",
        reveal: false,
        wraps: false,
    };
    render(change, &canvas).rows
}

fn texts(change: &FileDiff, width: usize, diff: DiffStyle) -> Vec<String> {
    rows(change, width, diff, &Highlights::default())
        .iter()
        .map(|row| row.text().trim_end().to_owned())
        .collect()
}

#[test]
fn one_column_has_both_numbers_and_a_sign() {
    let change = change("fn a() {\n\tb(1);\n}\n", "fn a() {\n\tb(2);\n}\n");

    assert_eq!(
        texts(&change, 40, DiffStyle::Auto),
        [
            " 9  9   fn a() {",
            "10    -     b(1);",
            "   10 +     b(2);",
            "11 11   }",
        ]
    );
}

#[test]
fn side_by_side_pairs_the_lines() {
    let change = change("a\nold\nz\n", "a\nnew\nmore\nz\n");

    assert_eq!(
        texts(&change, 43, DiffStyle::SideBySide),
        [
            " 9   a               │  9   a",
            "10 - old             │ 10 + new",
            "                     │ 11 + more",
            "11   z               │ 12   z",
        ]
    );
}

#[test]
fn wide_panes_go_side_by_side_by_themselves() {
    assert!(DiffStyle::Auto.is_side_by_side(116));
    assert!(!DiffStyle::Auto.is_side_by_side(80));
    assert_eq!(DiffStyle::Auto.toggled(116), DiffStyle::Unified);
    assert_eq!(DiffStyle::Unified.toggled(116), DiffStyle::SideBySide);
}

#[test]
fn changed_words_are_marked_where_they_stand_behind_tabs() {
    let change = change("\tlet x = 1;\n", "\tlet x = 2;\n");

    let rows = rows(&change, 60, DiffStyle::Unified, &Highlights::default());

    let marked: Vec<(String, Option<StyleName>)> = rows
        .iter()
        .flat_map(|row| &row.pieces)
        .filter(|piece| piece.paint.over.is_some())
        .map(|piece| (piece.text.clone(), piece.paint.over))
        .collect();
    assert_eq!(
        marked,
        [
            ("1".to_owned(), Some(StyleName::DiffDeleteWord)),
            ("2".to_owned(), Some(StyleName::DiffAddWord)),
        ]
    );
}

#[test]
fn colours_of_the_language_lie_over_the_side() {
    let mut highlights = Highlights::default();
    let change = change("let x = 1;\n", "let x = 1;\nlet y = 2;\n");
    // Both sides begin alike, so they are worked on one after the other.
    for _ in 0..2 {
        rows(&change, 60, DiffStyle::Unified, &highlights);
        for job in highlights.take_jobs() {
            highlights.finish(job.run());
        }
    }

    let rows = rows(&change, 60, DiffStyle::Unified, &highlights);

    let keyword = Paint {
        over: Some(StyleName::SyntaxKeyword),
        ..Paint::of(StyleName::DiffAdd)
    };
    assert!(rows[1].pieces.contains(&Piece::new("let", keyword)));
}

#[test]
fn a_changed_line_end_is_seen() {
    let change = change("a\r\nb\n", "a\nb");

    let shown = texts(&change, 60, DiffStyle::Unified).join("\n");

    assert!(
        shown.contains("- a␍") && shown.contains("+ b ⌿ no newline"),
        "{shown}"
    );
}

#[test]
fn no_width_and_no_text_panics() {
    let wide = "各".repeat(40);
    let change = change(&format!("{wide}\n"), &format!("{wide}x\n\t\u{1b}[2J\n"));
    for width in 1..130 {
        for diff in [DiffStyle::Auto, DiffStyle::Unified, DiffStyle::SideBySide] {
            assert!(!rows(&change, width, diff, &Highlights::default()).is_empty());
        }
    }
}

#[test]
fn rows_beyond_the_bound_are_counted_and_not_made() {
    let highlights = Highlights::default();
    let new: String = (0..5_000).map(|line| format!("new {line}\n")).collect();
    let old: String = (0..3_000).map(|line| format!("old {line}\n")).collect();
    for (diff, all) in [(DiffStyle::Unified, 8_000), (DiffStyle::SideBySide, 5_000)] {
        let canvas = Canvas {
            width: 120,
            amount: Amount::Preview,
            diff,
            highlights: &highlights,
            open_key: "",
            reveal: false,
            wraps: false,
        };

        let drawn = change_rows(&change(&old, &new), &canvas, 14);
        let whole = change_rows(&change(&old, &new), &canvas, all - 1);

        assert_eq!((drawn.rows.len(), drawn.beyond), (14, all - 14), "{diff:?}");
        assert_eq!(
            (whole.rows.len(), whole.beyond),
            (all, 0),
            "a fold that hides one row saves nothing"
        );
    }
}

#[test]
fn a_line_that_is_cut_inside_counts_as_left_out() {
    let highlights = Highlights::default();
    let canvas = Canvas {
        width: 20,
        amount: Amount::Preview,
        diff: DiffStyle::Unified,
        highlights: &highlights,
        open_key: "",
        reveal: false,
        wraps: false,
    };
    let new = format!("{}\nshort\n", "x".repeat(400));

    let drawn = change_rows(&change("", &new), &canvas, 14);

    assert_eq!((drawn.rows.len(), drawn.beyond), (14, 2));
}

#[test]
fn where_one_side_has_nothing_the_other_takes_the_whole_width() {
    let mut new_file = change("", "one\ntwo\n");
    new_file.created = true;
    assert_eq!(
        texts(&new_file, 200, DiffStyle::Auto),
        texts(&new_file, 40, DiffStyle::Unified)
    );
}
