//! Tools of the configuration on the page of tools.

use quarterdeck::engine::event::EventKind;

use crate::support::sample;

#[test]
fn the_page_of_tools_ends_with_those_of_the_configuration() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = sample::opened(columns, rows);
        let tool = |name: &str, does: &str| (name.to_owned(), does.to_owned());
        stage.event(
            "main",
            EventKind::Declared(vec![
                tool("ticket_show", "Shows a ticket of the tracker."),
                tool(
                    "odd_one",
                    "Says **no** | \u{1b}[31mred\u{202e} <b>text</b>.",
                ),
            ]),
        );
        stage.press("f1 enter enter enter end");
        stage.check(&format!("help_declared_{columns}x{rows}"));
    }
}
