//! Scrolling, following and searching a whole output.

use super::*;

fn viewer(lines: usize, size: (usize, usize)) -> State {
    State {
        title: String::new(),
        source: Source::Text("".into()),
        lines: Some((1..=lines).map(|number| format!("line {number}")).collect()),
        failed: None,
        top: (0, 0),
        follows: false,
        wraps: true,
        query: String::new(),
        found: None,
        typing: None,
        size,
    }
}

#[test]
fn the_last_of_seventy_thousand_lines_can_be_reached() {
    let mut state = viewer(70_000, (40, 10));

    state.follows = true;

    assert_eq!(state.first(), (69_990, 0));
    state.scroll(-1);
    assert_eq!(state.first(), (69_989, 0));
    state.scroll(100);
    assert_eq!(state.first(), (69_990, 0), "down stops at the end");
}

#[test]
fn a_wrapped_line_scrolls_row_by_row() {
    let mut state = viewer(0, (10, 3));
    state.lines = Some(vec!["x".repeat(35), "end".to_owned()]);

    state.scroll(1);
    assert_eq!(state.first(), (0, 1));
    state.scroll(5);
    assert_eq!(
        state.first(),
        (0, 2),
        "three rows are left: two of x and the end"
    );
    state.scroll(-9);
    assert_eq!(state.first(), (0, 0));
}

#[test]
fn a_search_goes_round() {
    let mut state = viewer(100, (40, 10));
    state.query = "line 5".to_owned();

    let mut found = Vec::new();
    for _ in 0..12 {
        state.find(true);
        found.push(state.found.unwrap() + 1);
    }
    assert_eq!(found, [5, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 5]);
    state.find(false);
    assert_eq!(state.found, Some(58));
}

#[test]
fn matches_are_found_without_regard_to_case_unless_it_is_given() {
    assert_eq!(matches("Über FOO foo", "foo"), [6..9, 10..13]);
    assert_eq!(matches("Über FOO FOO", "FOO"), [6..9, 10..13]);
    assert_eq!(matches("Über, über", "über"), [0..5, 7..12]);
    assert_eq!(matches("abc", ""), Vec::<Range<usize>>::new());
}

#[test]
fn an_empty_text_is_searched_without_a_find() {
    for lines in [Some(Vec::new()), None] {
        let mut state = viewer(0, (40, 10));
        state.lines = lines;
        state.query = "word".to_owned();

        state.find(true);
        state.find(false);

        assert_eq!((state.found, state.first()), (None, (0, 0)));
    }
}
