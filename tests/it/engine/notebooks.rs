//! The tool for notebooks is there once there is one.

use quarterdeck::{
    domain::{approval::ApprovalDecision, display::Display},
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::bench::Bench;

const ONE_CELL: &str = r#"{"cells":[{"cell_type":"raw","id":"a","metadata":{},"source":"x"}],"nbformat":4,"nbformat_minor":5}"#;

fn offers(bench: &Bench) -> Vec<bool> {
    let requests = bench.script.requests();
    let has = |name: &str| name == "notebook_edit";
    requests
        .iter()
        .map(|request| request.tools.iter().any(|tool| has(&tool.name)))
        .collect()
}

#[tokio::test]
async fn it_is_offered_from_the_turn_in_which_there_is_a_notebook_and_stays() {
    let mut bench = Bench::start().await;
    for notebook in [None, Some("a.ipynb"), None] {
        if let Some(name) = notebook {
            bench.file(name, ONE_CELL);
        }
        bench.script.reply(Reply::says("yes"));
        bench.say("go on");
        bench.turn_over().await;
    }

    assert_eq!(offers(&bench), [false, true, true]);
}

#[tokio::test]
async fn an_edit_is_asked_for_as_the_change_of_its_cell() {
    let mut bench = Bench::start().await;
    bench.file("a.ipynb", ONE_CELL);
    let edit = json!({"path": "a.ipynb", "cell_id": "a", "new_source": "y"});
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "a.ipynb"})))
        .reply(Reply::calls("notebook_edit", edit))
        .reply(Reply::says("done"));
    bench.say("go on");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    let Some(Display::Diff(change)) = request.preview else {
        panic!("no change: {:?}", request.preview);
    };
    assert_eq!((change.old.as_str(), change.new.as_str()), ("x", "y"));
    assert!(bench.texts()[1].starts_with("a.ipynb: replaced cell-0 (id a, raw)"));
    let written = std::fs::read_to_string(bench.folder.join("a.ipynb")).unwrap();
    assert_eq!(written, ONE_CELL.replace("\"x\"", "\"y\""));
}
