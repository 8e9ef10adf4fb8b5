//! What went wrong is read where it stands: wrapped as far as a bound, and folded beyond it with the key that opens it.

use quarterdeck::domain::{display::Display, ids::CallId, tool::CallStatus, tool::ToolResult};
use serde_json::json;

use crate::support::talk::{Talk, result};

fn shown(columns: u16, rows: u16, result: ToolResult) -> Talk {
    let mut talk = Talk::zoomed(columns, rows);
    talk.turn();
    talk.called("shell_execute", json!({"command": "make"}), result);
    talk
}

fn output(text: &str, exit: i32) -> ToolResult {
    let display = Display::Terminal {
        command: "make".to_owned(),
        output: text.to_owned(),
        exit: Some(exit),
        omitted_lines: 0,
    };
    result("a1", &format!("exit {exit}"), text, display)
}

const DENIED: &str = "[this may be the sandbox: it closes /home/ada/.cargo/registry; writing is possible in \
                      /home/ada/src/fetcher only; the person can add ~/.cargo/registry to sandbox.writable, or run \
                      without a sandbox at /permission unrestricted]";

#[test]
fn why_the_sandbox_was_in_the_way_is_read_to_its_end() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 24)] {
        let text = format!("error: Read-only file system\n{DENIED}\n");
        let talk = shown(columns, rows, output(&text, 1));

        let grid = talk.stage.grid();

        assert!(grid.contains("unrestricted]"), "{grid}");
        talk.stage.check(&format!("wrong_sandbox_{columns}x{rows}"));
    }
}

#[test]
fn an_error_of_one_long_line_is_wrapped_and_beyond_the_bound_folded_with_its_key() {
    let words: Vec<String> = (1..=400).map(|word| format!("word{word}")).collect();
    let text = format!("[file_edit failed: {}]", words.join(" "));
    let failed = ToolResult::plain(CallId::new("a1"), CallStatus::Failed, text);
    let talk = shown(80, 24, failed);

    let grid = talk.stage.grid();

    assert!(grid.contains("word30"), "{grid}");
    assert!(!grid.contains("word400"), "{grid}");
    assert!(grid.contains("1 line folded · Enter opens"), "{grid}");
}

#[test]
fn what_went_well_stays_a_row_for_a_line() {
    let mut talk = shown(80, 24, output(&"long ".repeat(60), 0));
    talk.stage.press("alt+1 end space");

    let rows = talk.stage.grid();
    let rows = rows.lines().filter(|row| row.contains("long long")).count();

    assert!(rows <= 1, "{}", talk.stage.grid());
}
