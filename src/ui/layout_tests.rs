//! Where everything stands at the sizes that interface and people have.

use proptest::prelude::*;

use super::*;

fn layout(columns: u16, rows: u16) -> Layout {
    Screen::new(columns, rows).layout(Wanted {
        composer: 1,
        form: false,
        boxed: 0,
    })
}

fn shown(layout: &Layout) -> Vec<Pane> {
    layout.panes.iter().map(|placed| placed.pane).collect()
}

#[test]
fn the_three_widths_show_all_panes_tabs_and_one_pane() {
    assert_eq!(shown(&layout(120, 30)), Pane::ALL);
    assert_eq!(
        shown(&layout(119, 30)),
        [Pane::Conversation, Pane::Composer, Pane::Agents]
    );
    assert_eq!(
        shown(&layout(200, 29)),
        [Pane::Conversation, Pane::Composer, Pane::Agents]
    );
    assert_eq!(shown(&layout(79, 40)), [Pane::Conversation, Pane::Composer]);
    assert_eq!(shown(&layout(20, 5)), [Pane::Composer]);
    assert_eq!(layout(19, 40).arrangement, Arrangement::TooSmall);
    assert_eq!(layout(40, 4).arrangement, Arrangement::TooSmall);
}

#[test]
fn stacked_panes_share_their_border_row() {
    let layout = layout(120, 40);
    let place = |pane| layout.of(pane).unwrap().outer;

    assert_eq!(
        place(Pane::Conversation).bottom() - 1,
        place(Pane::Composer).y
    );
    assert_eq!(place(Pane::Agents).bottom() - 1, place(Pane::Checklist).y);
    assert_eq!(place(Pane::Composer).bottom(), 39);
    assert_eq!(place(Pane::Context).bottom(), 39);
    assert_eq!(place(Pane::Context).height, 5);
}

#[test]
fn a_zoomed_pane_has_everything_between_header_and_footer() {
    let mut screen = Screen::new(120, 40);
    screen.zoomed = Some(Pane::Checklist);

    let layout = screen.layout(Wanted::default());

    assert_eq!(layout.panes.len(), 1);
    assert_eq!(layout.panes[0].outer, Rect::new(0, 1, 120, 38));
}

#[test]
fn a_long_draft_leaves_most_of_the_screen_to_the_transcript() {
    let screen = Screen::new(120, 40);
    let layout = screen.layout(Wanted {
        composer: 500,
        form: false,
        boxed: 0,
    });

    let rows = |pane| layout.of(pane).unwrap().inner.height;

    assert_eq!(rows(Pane::Composer), 15);
    assert!(rows(Pane::Conversation) > rows(Pane::Composer));
}

proptest! {
    #[test]
    fn at_any_size_everything_lies_inside_the_screen_and_only_border_rows_are_shared(
        columns in 0_u16..260, rows in 0_u16..120, composer in 0_u16..90, form: bool,
        focus in proptest::sample::select(&Pane::ALL), zoom: bool, hide in 0_u8..64,
        right in proptest::option::of(0_u16..300), extra in -40_i16..40,
    ) {
        let mut screen = Screen::new(columns, rows);
        screen.focus = focus;
        screen.zoomed = zoom.then_some(focus);
        screen.right_columns = right;
        for pane in Pane::ALL {
            screen.extra_rows.insert(pane, extra);
            if hide & (1 << (pane.number() - 1)) != 0 && pane != focus {
                screen.hidden.insert(pane);
            }
        }

        let layout = screen.layout(Wanted { composer, form, boxed: 0 });

        for placed in &layout.panes {
            prop_assert_eq!(placed.outer.intersection(screen.area()), placed.outer);
            prop_assert_eq!(placed.inner.intersection(placed.outer), placed.inner);
            for other in layout.panes.iter().filter(|other| other.pane != placed.pane) {
                prop_assert!(!placed.inner.intersects(other.inner) || placed.inner.is_empty());
            }
        }
        if layout.arrangement != Arrangement::TooSmall && screen.arrangement() == Arrangement::Wide {
            prop_assert!(layout.of(focus).is_some());
        }
    }
}

#[test]
fn where_one_pane_fits_the_next_one_takes_the_place_of_a_hidden_one() {
    let mut screen = Screen::new(100, 30);
    let shown = |screen: &Screen| -> Vec<Pane> {
        let layout = screen.layout(Wanted::default());
        let composer = layout.of(Pane::Composer).map(|placed| placed.inner.width);
        assert_eq!(composer, Some(screen.left_inner_width()));
        let panes = layout.panes.iter().map(|placed| placed.pane);
        panes.filter(|pane| pane.is_right()).collect()
    };

    let mut seen = Vec::new();
    for pane in [
        Pane::Scratchpad,
        Pane::Agents,
        Pane::Checklist,
        Pane::Context,
    ] {
        screen.hide(pane);
        seen.push(shown(&screen));
    }

    let one = |pane| vec![pane];
    let expected = [
        one(Pane::Agents),
        one(Pane::Checklist),
        one(Pane::Context),
        Vec::new(),
    ];
    assert_eq!(seen, expected);
}
