//! Scrolling, following and searching a whole output.

use super::*;
use crate::{domain::ids::ArtifactId, ui::panes::conversation};

const SIZE: Size = Size {
    columns: 40,
    rows: 10,
};

fn viewer(lines: usize) -> State {
    let text: Vec<String> = (1..=lines)
        .map(|number| format!("line {number}\n"))
        .collect();
    of(&text.concat())
}

fn of(text: &str) -> State {
    let mut state = State::of(String::new(), Source::Text(text.into()));
    state.fill(&conversation::State::default());
    state
}

fn searching(mut state: State, words: &str) -> State {
    state.pattern = find::words(words);
    state
}

#[test]
fn the_last_of_seventy_thousand_lines_can_be_reached() {
    let mut state = viewer(70_000);

    state.follows = true;

    assert_eq!(state.first(SIZE), (69_990, 0));
    state.scroll(-1, SIZE);
    assert_eq!(state.first(SIZE), (69_989, 0));
    state.scroll(100, SIZE);
    assert_eq!(state.first(SIZE), (69_990, 0), "down stops at the end");
}

#[test]
fn a_wrapped_line_scrolls_row_by_row() {
    let size = Size {
        columns: 10,
        rows: 3,
    };
    let mut state = of(&format!("{}\nend\n", "x".repeat(35)));

    state.scroll(1, size);
    assert_eq!(state.first(size), (0, 1));
    state.scroll(5, size);
    assert_eq!(
        state.first(size),
        (0, 2),
        "three rows are left: two of x and the end"
    );
    state.scroll(-9, size);
    assert_eq!(state.first(size), (0, 0));
}

#[test]
fn what_is_read_stays_at_the_top_at_another_width() {
    let mut state = of(&format!("{}\n{}", "x".repeat(400), "end\n".repeat(20)));
    state.scroll(6, SIZE);
    assert_eq!(state.first(SIZE), (0, 6));

    let half = Size {
        columns: 20,
        rows: 10,
    };

    assert_eq!(state.first(half), (0, 12), "byte 240");
    state.scroll(1, half);
    assert_eq!(state.first(half), (0, 13));
    assert_eq!(state.first(SIZE), (0, 6), "byte 260 stands in this row");
}

#[test]
fn a_line_of_megabytes_is_wrapped_once() {
    let mut state = searching(of(&"word ".repeat(1 << 20)), "word");

    for _ in 0..20 {
        state.scroll(9, SIZE);
        state.first(SIZE);
    }
    state.find(true, SIZE);
    state.find(false, SIZE);

    assert_eq!(state.first(SIZE), (0, 179 - 3));
    assert_eq!(state.lines.unwrap().wrapped(), 1);
}

#[test]
fn a_search_goes_round() {
    let mut state = searching(viewer(100), "line 5");

    let mut found = Vec::new();
    for _ in 0..12 {
        state.find(true, SIZE);
        found.push(state.found.unwrap().0 + 1);
    }
    assert_eq!(found, [5, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 5]);
    state.find(false, SIZE);
    assert_eq!(state.found, Some((58, 0)));
    state.find(false, SIZE);
    assert_eq!(state.found, Some((57, 0)));
}

#[test]
fn a_search_goes_through_the_rows_of_one_line() {
    let size = Size {
        columns: 10,
        rows: 2,
    };
    let mut state = searching(
        of("foo foo xx zzzzzzzzz foo yy zzzzzzzzz zzzzzzzzz Foo"),
        "foo",
    );

    let mut found = Vec::new();
    for forward in [true, true, true, true, false, false, false, false] {
        state.find(forward, size);
        found.push(state.found.unwrap().1);
    }

    // Two in one row are seen together: forth they count as one, and back the last of them is found.
    assert_eq!(found, [0, 21, 48, 0, 48, 21, 4, 48]);
}

#[test]
fn an_empty_text_is_searched_without_a_find() {
    for text in [Some(""), None] {
        let mut state = match text {
            Some(text) => of(text),
            None => State::of(String::new(), Source::Artifact(ArtifactId::new("a"))),
        };
        state.pattern = find::words("word");

        state.find(true, SIZE);
        state.find(false, SIZE);

        assert_eq!((state.found, state.first(SIZE)), (None, (0, 0)));
    }
}
