//! What becomes of large outputs and of those that a scratchpad entry takes.

use quarterdeck::{
    domain::{
        permission::{Level, Mode},
        tool::{CallStatus, ToolResult},
    },
    engine::{
        command::{Command, Fetch},
        event::{EventKind, Fetched},
    },
    process::supervisor,
    providers::scripted::Reply,
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

/// A bench where everything may run.
async fn open_bench() -> Bench {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.permissions.mode = Mode::Open;
    })
    .await
}

/// Has the model make these calls one after another and answers their results.
async fn calls(bench: &mut Bench, calls: &[(&str, Value)]) -> Vec<ToolResult> {
    for (tool, arguments) in calls {
        bench.script.reply(Reply::calls(*tool, arguments.clone()));
    }
    bench.script.reply(Reply::says("Done."));
    bench.say("go");
    bench.turn_over().await;
    bench.results()
}

/// The address behind these words.
fn address(text: &str, behind: &str) -> String {
    let (_, rest) = text.split_once(behind).expect(behind);
    let end = rest.find([' ', ',', ';', ']']).unwrap_or(rest.len());
    rest[..end].to_owned()
}

#[tokio::test]
async fn each_stream_of_a_large_output_is_read_by_its_own_address() {
    let mut bench = open_bench().await;
    let command = "seq 1 9000; seq 1 3 >&2; exit 3";
    let results = calls(
        &mut bench,
        &[("shell_execute", json!({"command": command}))],
    )
    .await;
    let text = results[0].text.clone();
    let (output, error) = (address(&text, "by stream "), address(&text, " and "));
    assert!(
        output.ends_with("/stdout") && error.ends_with("/stderr"),
        "{text}"
    );
    assert!(text.contains("[exit code: 3]"), "{text}");
    let whole = results[0].artifact.as_ref().expect("the whole").uri();

    let results = calls(
        &mut bench,
        &[
            ("file_read", json!({"path": error})),
            ("file_read", json!({"path": output, "start": 8999})),
            // Both are read as they come: which line stands before which is not for certain.
            ("file_read", json!({"path": whole, "regex": "^(1|9000)$"})),
            ("file_read", json!({"path": format!("{whole}/stdout")})),
        ],
    )
    .await;

    let texts: Vec<&str> = results[1..]
        .iter()
        .map(|result| result.text.as_str())
        .collect();
    assert_eq!(texts[0], "1\n2\n3\n[lines 1–3 of 3]");
    assert_eq!(texts[1], "8999\n9000\n[lines 8999–9000 of 9000]");
    assert!(
        texts[2].ends_with("[3 lines match; lines 1–9003 of 9003]"),
        "{}",
        texts[2]
    );
    assert!(
        texts[3].ends_with("it is one text without streams: leave the name out"),
        "{}",
        texts[3]
    );
}

#[tokio::test]
async fn the_pages_of_a_stored_output_are_the_whole() {
    let mut bench = open_bench().await;
    // Lines of every length, of characters of two, three and four bytes.
    let command = "for i in $(seq 1 400); do printf 'é日𝄞%.0s' $(seq 1 $i); echo \" $i\"; done";
    let results = calls(
        &mut bench,
        &[("shell_execute", json!({"command": command}))],
    )
    .await;
    let whole = results[0].artifact.as_ref().expect("the whole").uri();
    let expected: String = (1..=400)
        .map(|number| format!("{} {number}\n", "é日𝄞".repeat(number)))
        .collect();

    let (mut read, mut start, mut pages) = (String::new(), 1, 0);
    while start <= 400 {
        let page = ("file_read", json!({"path": whole, "start": start}));
        let results = calls(&mut bench, &[page]).await;
        let text = &results.last().expect("a page").text;
        let (lines, end) = text.rsplit_once('[').expect("the last line");
        read.push_str(lines);
        pages += 1;
        start = match end.split_once("next: start=") {
            Some((_, next)) => next.trim_end_matches(']').parse().expect("a number"),
            None => 401,
        };
    }

    assert_eq!(read, expected);
    assert!((20..60).contains(&pages), "{pages} pages");
}

#[tokio::test]
async fn a_line_that_is_larger_than_any_page_is_read_to_its_end() {
    let mut bench = open_bench().await;
    let command = "head -c 1500000 /dev/zero | tr '\\0' x; echo end";
    let results = calls(
        &mut bench,
        &[("shell_execute", json!({"command": command}))],
    )
    .await;
    let whole = results[0].artifact.as_ref().expect("the whole").uri();

    let results = calls(
        &mut bench,
        &[
            ("file_read", json!({"path": whole})),
            (
                "file_read",
                json!({"path": whole, "start": 1, "start_byte": 1_048_576}),
            ),
        ],
    )
    .await;

    let (first, rest) = (&results[1], &results[2]);
    let note = "line 1 is 1500004 bytes long and was cut; its rest: start=1, start_byte=1048576";
    assert!(first.text.contains(note), "{}", first.text);
    assert!(
        rest.text.contains("xend\n[lines 1–1 of 1]"),
        "{}",
        rest.text
    );
    let rest = rest.artifact.as_ref().expect("the rest");
    let end = "end\n[lines 1–1 of 1]".len() as u64;
    assert_eq!(rest.bytes, 1_500_000 - 1_048_576 + end);
}

#[tokio::test]
async fn a_damaged_output_is_refused_by_name() {
    let mut bench = open_bench().await;
    let results = calls(
        &mut bench,
        &[("shell_execute", json!({"command": "seq 1 9000"}))],
    )
    .await;
    let artifact = results[0].artifact.clone().expect("the whole");
    let id = artifact.id.as_str();
    let places = bench.store().places();
    let path = places.artifacts().join(&id[..2]).join(id);
    std::fs::File::options()
        .append(true)
        .open(path)
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"x"))
        .expect("the file is there");

    let results = calls(
        &mut bench,
        &[("file_read", json!({"path": artifact.uri()}))],
    )
    .await;

    assert_eq!(
        results[1].text,
        format!("the stored output {id} is damaged: its content is not what was kept")
    );
}

#[tokio::test]
async fn a_scratchpad_entry_takes_every_output_whole_and_no_failure() {
    let mut bench = open_bench().await;
    for number in 0..60 {
        bench.file(&format!("many/{number}.txt"), "needle\n");
    }
    let named = |name: &str, rest: Value| {
        let mut arguments = rest;
        arguments["scratchpad"] = json!(name);
        arguments
    };
    let results = calls(
        &mut bench,
        &[
            (
                "shell_execute",
                named("large", json!({"command": "seq 1 9000; exit 4"})),
            ),
            ("file_search", named("found", json!({"pattern": "needle"}))),
            ("checklist_read", named("list", json!({}))),
            ("file_read", named("gone", json!({"path": "missing"}))),
            ("file_read", named("null", json!({"path": "many/1.txt"}))),
            (
                "scratchpad_read",
                json!({"name": "large", "regex": "^(9000|\\[exit code: 4\\])$"}),
            ),
            (
                "scratchpad_read",
                json!({"name": "found", "regex": "needle"}),
            ),
            ("scratchpad_list", json!({})),
            (
                "file_read",
                json!({"path": "many/1.txt", "scratchpad": null}),
            ),
            (
                "file_read",
                json!({"path": "many/1.txt", "scratchpad": true}),
            ),
        ],
    )
    .await;

    let texts: Vec<&str> = results.iter().map(|result| result.text.as_str()).collect();
    assert!(
        texts[0].starts_with("[exit 4]\n[43,908 bytes kept in the scratchpad as \"large\""),
        "{}",
        texts[0]
    );
    assert!(
        texts[1].starts_with("[60 matches · 60 files]\n["),
        "{}",
        texts[1]
    );
    assert!(texts[2].starts_with('['), "{}", texts[2]);
    assert!(
        texts[3].starts_with("missing does not exist"),
        "{}",
        texts[3]
    );
    assert!(
        texts[5].contains("9000") && texts[5].contains("[exit code: 4]"),
        "{}",
        texts[5]
    );
    assert_eq!(texts[6].matches("needle").count(), 60, "{}", texts[6]);
    assert!(!texts[7].contains("gone"), "{}", texts[7]);
    assert!(texts[8].starts_with("needle\n"), "{}", texts[8]);
    assert_eq!(
        texts[9],
        "file_read: scratchpad is true, but the name of an entry (a string) is expected"
    );
}

#[tokio::test]
async fn every_tool_says_once_that_a_scratchpad_entry_can_take_its_output() {
    let mut bench = open_bench().await;
    calls(&mut bench, &[]).await;

    let requests = bench.script.requests();
    let tools = &requests[0].tools;
    assert!(tools.len() > 20);
    for tool in tools.iter() {
        let argument = &tool.schema["properties"]["scratchpad"];
        assert_eq!(argument["type"], "string", "{}", tool.name);
        assert!(tool.schema["properties"].get("background").is_none());
    }
    let of_scratchpad = tools
        .iter()
        .filter(|tool| tool.name.starts_with("scratchpad_"));
    assert_eq!(of_scratchpad.count(), 9, "offered from the first request");
}

#[tokio::test]
async fn what_a_scratchpad_entry_takes_is_not_cut_unless_a_limit_says_so() {
    let mut bench = open_bench().await;
    for number in 0..600 {
        bench.file(&format!("many/{number}.txt"), "needle\nneedle\n");
    }
    let find = json!({"pattern": "many/*.txt", "scratchpad": "files"});
    let search = json!({"pattern": "needle", "scratchpad": "lines"});
    let with = |arguments: &Value, limit: u32| {
        let mut arguments = arguments.clone();
        arguments["limit"] = json!(limit);
        arguments
    };
    let count = |name: &str, regex: &str| {
        let arguments = json!({"name": name, "regex": regex, "scratchpad": "count"});
        ("scratchpad_read", arguments)
    };

    let results = calls(
        &mut bench,
        &[
            ("file_find", find.clone()),
            ("file_search", search.clone()),
            count("files", r"^many/"),
            count("lines", "needle"),
            ("file_find", with(&find, 3)),
            ("file_search", with(&search, 3)),
            (
                "scratchpad_read",
                json!({"name": "files", "regex": r"^many/"}),
            ),
            (
                "scratchpad_read",
                json!({"name": "lines", "regex": "needle"}),
            ),
        ],
    )
    .await;

    let texts: Vec<&str> = results.iter().map(|result| result.text.as_str()).collect();
    assert!(texts[0].starts_with("[600 files"), "{}", texts[0]);
    assert!(texts[1].starts_with("[1,200 matches"), "{}", texts[1]);
    assert!(texts[2].starts_with("[600 lines match]"), "{}", texts[2]);
    assert!(texts[3].starts_with("[1200 lines match]"), "{}", texts[3]);
    assert_eq!(texts[6].lines().count(), 3, "{}", texts[6]);
    assert_eq!(texts[7].lines().count(), 3, "{}", texts[7]);
}

#[tokio::test]
async fn a_session_opens_whose_outputs_are_damaged_or_gone() {
    let mut bench = open_bench().await;
    let seq = |last: u32| {
        let command = format!("seq 1 {last}");
        ("shell_execute", json!({ "command": command }))
    };
    let results = calls(&mut bench, &[seq(9000), seq(9001)]).await;
    let kept: Vec<String> = results
        .iter()
        .map(|result| result.artifact.as_ref().expect("the whole").id.to_string())
        .collect();
    let artifacts = bench.store().places().artifacts();
    let path = |id: &str| artifacts.join(&id[..2]).join(id);
    std::fs::File::options()
        .append(true)
        .open(path(&kept[0]))
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"x"))
        .expect("the file is there");
    std::fs::remove_file(path(&kept[1])).expect("the file is there");

    let mut bench = bench.restart().await;
    let read = |id: &str| ("file_read", json!({"path": format!("artifact://{id}")}));
    let results = calls(&mut bench, &[read(&kept[0]), read(&kept[1]), seq(2)]).await;

    let texts: Vec<&str> = results.iter().map(|result| result.text.as_str()).collect();
    assert!(texts[0].contains("is damaged"), "{texts:?}");
    assert!(texts[1].contains(&kept[1]), "{texts:?}");
    assert_eq!([0, 1].map(|at| results[at].status), [CallStatus::Failed; 2]);
    assert_eq!(texts[2], "1\n2");
}

/// Where something went wrong stands at the end.
#[tokio::test]
async fn of_a_very_large_output_the_person_reads_both_ends() {
    let mut bench = open_bench().await;
    let command = "echo begin; head -c 9000000 /dev/zero | tr '\\0' x; echo; echo the end";
    let results = calls(
        &mut bench,
        &[("shell_execute", json!({"command": command}))],
    )
    .await;
    let artifact = results[0].artifact.clone().expect("the whole");
    assert!(results[0].text.contains("the end"), "{}", results[0].text);

    bench.send(Command::Fetch(Fetch::Artifact(artifact.id)));
    let event = bench
        .until("the output", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Artifact { .. }))
        })
        .await;

    let EventKind::Fetched(Fetched::Artifact { text: Ok(text), .. }) = event.kind else {
        unreachable!()
    };
    assert!(text.starts_with("begin\nxxx"));
    assert!(text.ends_with("xxx\nthe end\n"));
    assert!(text.contains("\n[… 611,407 of 9,000,015 bytes left out here …]\n"));
}

#[tokio::test]
async fn an_address_works_in_another_session_too() {
    let mut bench = open_bench().await;
    let seq = ("shell_execute", json!({"command": "seq 1 9000"}));
    let results = calls(&mut bench, &[seq]).await;
    let whole = results[0].artifact.as_ref().expect("the whole").uri();

    let mut beside = bench.beside().await;
    let read = json!({"path": whole, "start": 8_999});
    let results = calls(&mut beside, &[("file_read", read)]).await;

    assert_eq!(results[0].text, "8999\n9000\n[lines 8999–9000 of 9000]");
}
