//! The box in which a person decides, in the conversation.

use quarterdeck::{
    domain::{
        access::{Access, Resource},
        approval::{
            ApprovalDecision, ApprovalRequest, Circumstances, Confinement, Enclosure, Offers,
        },
        chat::ContentBlock,
        display::{Display, FileDiff},
        ids::{AgentId, CallId},
        permission::{Level, Network, Risk, Rule, Verdict},
        record::{Record, ReplyEnd},
        tool::{CallStatus, ToolResult},
    },
    engine::event::EventKind,
    permission::{self, PreparedCall},
    ui::{Message, panes::conversation::Scroll},
};
use serde_json::json;

use crate::support::{golden::Stage, sample, talk::Talk};

/// The main agent asks.
pub(super) fn ask(stage: &mut Stage, request: ApprovalRequest) {
    stage.event(
        "main",
        EventKind::ApprovalAsked(Box::new(ApprovalRequest {
            agent: AgentId::main(),
            ..request
        })),
    );
}

/// Goes to the oldest request and lets half a second pass.
pub(super) fn go(stage: &mut Stage) {
    stage.press("alt+a");
    if stage.model.overlay.is_some() {
        // Several wait: out of the list of them.
        stage.press("enter");
    }
    stage.paint();
    stage.advance(600);
    stage.paint();
}

#[test]
fn an_approval_shows_all_that_is_asked() {
    let mut talk = Talk::new(90, 30);
    talk.said("run the tests");
    ask(&mut talk.stage, sample::approval(1));
    ask(&mut talk.stage, sample::approval(2));
    ask(&mut talk.stage, sample::approval(3));
    talk.stage.check("approval_not_focused");
    go(&mut talk.stage);
    talk.stage.check("approval_focused");
    talk.stage.press("w");
    talk.stage.type_text("not now");
    talk.stage.check("approval_with_words");
}

/// In a sandbox the answer for the session is about the kind, and the box says so.
#[test]
fn an_approval_in_a_sandbox_says_what_an_answer_stands_for() {
    let mut request = sample::approval(1);
    if let Some(how) = &mut request.circumstances {
        how.confinement = Confinement::Sandbox(Enclosure {
            backend: "namespaces".to_owned(),
            writable: vec!["/home/ada/src/fetcher".to_owned()],
            network: Network::All,
            is_confined: false,
            missing: Vec::new(),
        });
    }
    request.offers.kinds = vec![Rule {
        action: "shell_execute".to_owned(),
        resource: "cargo test *".to_owned(),
        verdict: Verdict::Allow,
    }];
    let mut talk = Talk::new(90, 30);
    talk.said("run the tests");
    ask(&mut talk.stage, request);
    go(&mut talk.stage);
    talk.stage.check("approval_of_a_kind");
    talk.stage.press("x");
    talk.stage.check("approval_of_a_kind_explained");
}

/// Where a sandbox leaves much open, the box names the worst and counts the rest, and the explanation has them all.
#[test]
fn an_approval_in_a_weak_sandbox_says_what_it_does_not_hold() {
    let mut request = sample::approval(1);
    if let Some(how) = &mut request.circumstances {
        how.confinement = Confinement::Sandbox(Enclosure {
            backend: "landlock".to_owned(),
            writable: vec!["/home/ada/src/fetcher".to_owned()],
            network: Network::Remote,
            is_confined: false,
            missing: [
                "change modes and times of your files anywhere",
                "write .git/hooks, .git/config, .envrc and .quarterdeck in the workspace",
                "read files with secrets and those of quarterdeck itself",
                "see the files of others in /tmp, and only write below TMPDIR",
            ]
            .map(str::to_owned)
            .to_vec(),
        });
    }
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = Talk::new(columns, rows);
        talk.said("run the tests");
        ask(&mut talk.stage, request.clone());
        go(&mut talk.stage);
        talk.stage
            .check(&format!("approval_in_a_weak_sandbox_{columns}"));
    }
    let mut talk = Talk::new(90, 30);
    ask(&mut talk.stage, request);
    go(&mut talk.stage);
    talk.stage.press("x");
    talk.stage.check("approval_in_a_weak_sandbox_explained");
}

#[test]
fn an_approval_makes_hidden_characters_visible() {
    let mut talk = Talk::new(90, 30);
    let command = "rm -rf ./a\u{202e}gpj.b #\u{1b}[2K\u{1b}[1A\rls";
    ask(
        &mut talk.stage,
        ApprovalRequest {
            subject: command.to_owned(),
            arguments: json!({"command": command, "note": format!("a{}b", " ".repeat(80))}),
            tool: "shell\u{1b}[2J".to_owned(),
            ..sample::approval(1)
        },
    );
    go(&mut talk.stage);

    let grid = talk.stage.grid();

    assert!(grid.contains("rm -rf ./a\\u{202e}gpj.b"), "{grid}");
    assert!(grid.contains("\\u{1b}[2K"), "{grid}");
    assert!(!grid.contains(['\u{1b}', '\u{202e}', '\r']));
    talk.stage.check("approval_suspicious");
}

#[test]
fn an_approval_of_an_edit_shows_the_change() {
    let mut talk = Talk::new(90, 34);
    ask(
        &mut talk.stage,
        ApprovalRequest {
            subject: "src/fetch.rs".to_owned(),
            tool: "file_edit".to_owned(),
            arguments: json!({"path": "src/fetch.rs", "old_string": "a\u{200b}b", "new_string": "ab\nc"}),
            preview: Some(Display::Diff(FileDiff {
                path: "src/fetch.rs".to_owned(),
                old: "x\na\u{200b}b\n".to_owned(),
                new: "x\nab\nc\n".to_owned(),
                first_line: 7,
                created: false,
            })),
            ..sample::approval(1)
        },
    );
    go(&mut talk.stage);
    talk.stage.check("approval_edit");
}

/// B35: the path shown is the one that is written.
#[test]
fn an_approval_of_an_edit_through_a_link_names_the_real_file() {
    let mut talk = Talk::new(90, 34);
    ask(
        &mut talk.stage,
        ApprovalRequest {
            subject: "docs/pre-commit".to_owned(),
            tool: "file_write".to_owned(),
            arguments: json!({"path": "docs/pre-commit", "content": "x\n"}),
            preview: Some(Display::Diff(FileDiff {
                path: ".git/hooks/pre-commit".to_owned(),
                old: String::new(),
                new: "x\n".to_owned(),
                first_line: 1,
                created: true,
            })),
            ..sample::approval(1)
        },
    );
    go(&mut talk.stage);

    let grid = talk.stage.grid();

    assert!(grid.contains("the file is .git/hooks/pre-commit"), "{grid}");
    talk.stage.check("approval_edit_through_a_link");
}

/// A command line as the judge finds it.
pub(super) fn judged(command: &str) -> ApprovalRequest {
    let access = Access {
        resources: vec![Resource::Shell {
            command: command.to_owned(),
        }],
        level: Level::Workspace,
        risk: Risk::Execution,
    };
    let call = PreparedCall::new("shell_execute", &[], &access, |path| {
        (path.to_owned(), false)
    });
    let request = sample::approval(1);
    ApprovalRequest {
        subject: command.to_owned(),
        arguments: json!({ "command": command }),
        circumstances: request.circumstances.map(|how| Circumstances {
            risk: call.risk,
            findings: permission::findings(&call),
            ..how
        }),
        offers: Offers::default(),
        ..request
    }
}

#[test]
fn an_approval_says_what_a_command_line_does_as_far_as_it_is_understood() {
    let long = "rm -rf target/debug \"$HOME/x\"; make > build.log 2>&1; tee a b c d; git push && echo $(date)";
    for (name, command) in [("looks", "ls -la src"), ("does", long)] {
        for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
            let mut talk = Talk::new(columns, rows);
            ask(&mut talk.stage, judged(command));
            go(&mut talk.stage);

            talk.stage
                .check(&format!("approval_{name}_{columns}x{rows}"));
        }
    }
}

#[test]
fn a_long_argument_is_counted_where_it_is_cut() {
    let mut talk = Talk::new(60, 40);
    let long = "x".repeat(5_000);
    let lines: Vec<String> = (1..=40).map(|line| format!("echo {line}")).collect();
    ask(
        &mut talk.stage,
        ApprovalRequest {
            subject: lines.join("\n"),
            arguments: json!({"command": lines.join("\n"), "input": long}),
            ..sample::approval(1)
        },
    );
    go(&mut talk.stage);
    talk.stage.press("pageup");

    let grid = talk.stage.grid();

    // The line ends are characters too.
    let hidden = (7..=37).map(|line| format!("echo {line}\n").len());
    let said = format!(
        "… 31 lines, {} characters left out · d shows all",
        hidden.sum::<usize>()
    );
    assert!(grid.contains(&said), "{grid}");
}

#[test]
fn boxes_that_come_later_do_not_push_the_one_with_the_keyboard_out_of_sight() {
    let mut talk = Talk::new(90, 30);
    talk.said("run the tests");
    for id in 1..=4 {
        ask(&mut talk.stage, sample::approval(id));
        talk.stage.paint();
    }

    let grid = talk.stage.grid();
    assert!(grid.contains("1 of 4"), "{grid}");
}

/// What is shown is what runs.
#[test]
fn a_command_that_begins_with_the_working_directory_is_shown_whole() {
    let mut talk = Talk::new(90, 30);
    let command = "/home/ada/src/fetcher/git status";
    ask(
        &mut talk.stage,
        ApprovalRequest {
            subject: command.to_owned(),
            arguments: json!({"command": command, "input": command}),
            ..sample::approval(1)
        },
    );
    go(&mut talk.stage);

    let grid = talk.stage.grid();

    assert_eq!(grid.matches(command).count(), 3, "{grid}");
    assert!(grid.contains("shell_execute /home/ada"), "{grid}");
}

#[test]
fn the_end_of_a_long_command_is_in_sight_in_a_low_pane() {
    for (columns, rows) in [(80, 24), (60, 12), (40, 12), (40, 10)] {
        let command = format!("{}; touch HIDDEN", vec!["echo harmless"; 90].join("; "));
        let mut talk = Talk::new(columns, rows);
        ask(
            &mut talk.stage,
            ApprovalRequest {
                subject: command.clone(),
                arguments: json!({"command": command}),
                ..sample::approval(1)
            },
        );
        go(&mut talk.stage);

        let grid = talk.stage.grid();

        assert!(grid.contains("echo harmless"), "{columns}x{rows}: {grid}");
        assert!(grid.contains("HIDDEN"), "{columns}x{rows}: {grid}");
    }
}

#[test]
fn each_box_that_gets_the_keyboard_is_seen_to_its_end_and_while_it_is_edited() {
    let mut talk = Talk::new(90, 24);
    talk.said("run the tests");
    for id in 1..=4 {
        ask(&mut talk.stage, sample::approval(id));
    }
    go(&mut talk.stage);
    for number in 1..=4 {
        for keys in ["", "e", "esc"] {
            talk.stage.press(keys);

            let grid = talk.stage.grid();
            assert!(grid.contains("│▎┌ approve"), "{number} {keys}: {grid}");
            assert!(grid.contains("│▎└"), "{number} {keys}: {grid}");
        }
        talk.stage.press("tab");
        talk.stage.paint();
        talk.stage.advance(1_200);
    }
}

/// A command of many lines with many arguments, of which the box is higher than any pane here.
fn high() -> ApprovalRequest {
    let lines: Vec<String> = (1..=9).map(|line| format!("echo {line}")).collect();
    let mut arguments = json!({"command": lines.join("\n")});
    for number in 1..=12 {
        arguments[format!("option_{number}")] = json!(number);
    }
    ApprovalRequest {
        subject: lines.join("\n"),
        arguments,
        ..sample::approval(1)
    }
}

#[test]
fn an_approval_higher_than_the_pane_keeps_its_keys_in_sight() {
    for (columns, rows, name) in [
        (80, 24, "approval_high_80x24"),
        (40, 12, "approval_high_40x12"),
    ] {
        let mut talk = Talk::new(columns, rows);
        talk.said("set it up");
        ask(&mut talk.stage, high());
        go(&mut talk.stage);

        let grid = talk.stage.grid();

        for shown in ["approve", "echo 1", "once", "reject"] {
            assert!(grid.contains(shown), "{shown}: {grid}");
        }
        talk.stage.check(name);
    }
}

#[test]
fn words_for_a_high_approval_are_seen_while_they_are_written() {
    for (columns, rows) in [(80, 24), (40, 12)] {
        let mut talk = Talk::new(columns, rows);
        ask(&mut talk.stage, high());
        go(&mut talk.stage);
        talk.stage.press("w");
        talk.stage.type_text("first of all the tests");

        let grid = talk.stage.grid();

        assert!(grid.contains("all the tests"), "{grid}");
        assert!(grid.contains("reject because"), "{grid}");
        assert!(grid.contains("Enter rejects"), "{grid}");
        // The key types now.
        assert!(!grid.contains("d shows all"), "{grid}");
    }
}

/// An edit of one line into that line and so many more.
fn edit(added: usize) -> ApprovalRequest {
    let lines = |range: std::ops::RangeInclusive<usize>| -> String {
        range.map(|line| format!("line {line}\n")).collect()
    };
    let extra: String = (1..=added).map(|line| format!("extra {line}\n")).collect();
    let (old, new) = ("line 20\n", format!("line 20, changed\n{extra}"));
    let around = |middle: &str| format!("{}{middle}{}", lines(17..=19), lines(21..=23));
    ApprovalRequest {
        subject: "src/fetch.rs".to_owned(),
        tool: "file_edit".to_owned(),
        arguments: json!({"path": "src/fetch.rs", "old_string": old, "new_string": new, "strict": true}),
        preview: Some(Display::Diff(FileDiff {
            path: "src/fetch.rs".to_owned(),
            old: around(old),
            new: around(&new),
            first_line: 17,
            created: false,
        })),
        previewed: vec!["old_string".to_owned(), "new_string".to_owned()],
        editable: Some("new_string".to_owned()),
        ..sample::approval(1)
    }
}

/// The number of lines that the box says are not shown.
fn said_left_out(grid: &str) -> usize {
    let words = grid
        .split_once("… ")
        .and_then(|(_, rest)| rest.split_once(" line"))
        .or_else(|| {
            let (before, _) = grid.split_once(" more")?;
            Some((before.rsplit_once(' ')?.1, ""))
        });
    words.map_or(0, |(number, _)| number.parse().unwrap_or(0))
}

#[test]
fn lines_of_a_change_that_are_not_shown_are_counted_one_by_one() {
    let mut talk = Talk::new(120, 40);
    ask(&mut talk.stage, edit(40));
    go(&mut talk.stage);

    let grid = talk.stage.grid();

    let shown = (1..=40)
        .filter(|line| grid.contains(&format!("+ extra {line} ")))
        .count();
    // Three lines above and three below stay as they are.
    let context = (17..=23)
        .filter(|line| *line != 20)
        .filter(|line| !grid.contains(&format!("  line {line} ")))
        .count();
    let notes = usize::from(!grid.contains("asked because"));
    assert!(shown > 10, "{grid}");
    assert_eq!(said_left_out(&grid), 40 - shown + context + notes, "{grid}");
}

#[test]
fn some_of_a_change_is_seen_wherever_it_can_be_allowed() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 12)] {
        let mut talk = Talk::new(columns, rows);
        talk.said("change it");
        ask(&mut talk.stage, edit(40));
        go(&mut talk.stage);

        let grid = talk.stage.grid();

        assert!(grid.contains("a once"), "{grid}");
        assert!(grid.contains("- line 20"), "{columns}x{rows}: {grid}");
        // What the change shows is not said again.
        assert!(!grid.contains("new_string"), "{columns}x{rows}: {grid}");
    }
}

#[test]
fn where_nothing_of_it_can_be_seen_nothing_can_be_allowed() {
    let mut talk = Talk::new(40, 8);
    ask(&mut talk.stage, edit(1));
    go(&mut talk.stage);

    let grid = talk.stage.grid();

    assert!(grid.contains("d shows all, to allow"), "{grid}");
    talk.stage.take_effects();
    talk.stage.press("a");
    assert_eq!(talk.stage.take_effects(), [], "{grid}");
    talk.stage.send(Message::Resize(40, 9));
    talk.stage.paint();
    talk.stage.advance(1_200);
    talk.stage.press("a");
    assert_eq!(talk.stage.take_effects().len(), 1, "{}", talk.stage.grid());
}

#[test]
fn no_answer_is_offered_where_none_is_taken() {
    for (columns, rows) in [(20, 5), (30, 9), (40, 8)] {
        let mut talk = Talk::new(columns, rows);
        ask(&mut talk.stage, edit(1));
        go(&mut talk.stage);
        let grid = talk.stage.grid();
        let footer = grid.lines().last().unwrap_or_default().to_owned();
        talk.stage.take_effects();

        talk.stage.press("a");

        let is_taken = !talk.stage.take_effects().is_empty();
        assert_eq!(is_taken, (columns, rows) == (30, 9), "{grid}");
        for answer in ["once", "session"] {
            assert!(
                is_taken || !footer.contains(answer),
                "{columns}x{rows}: {grid}"
            );
        }
    }
}

#[test]
fn after_the_answer_to_a_high_approval_the_end_is_followed_again() {
    let mut stage = sample::session(80, 24);
    ask(&mut stage, high());
    sample::stream(&mut stage, &"more\n\n".repeat(40));
    go(&mut stage);
    assert_ne!(stage.model.conversation.looking().scroll, Scroll::Follow);

    stage.press("a");

    assert_eq!(stage.model.conversation.looking().scroll, Scroll::Follow);
}

#[test]
fn whoever_sends_a_message_sees_what_comes_of_it() {
    let mut stage = sample::session(80, 24);
    stage.press("alt+1 pageup alt+2");
    assert_ne!(stage.model.conversation.looking().scroll, Scroll::Follow);

    stage.type_text("and now");
    stage.press("enter");

    assert_eq!(stage.model.conversation.looking().scroll, Scroll::Follow);
}

#[test]
fn an_edited_command_stands_where_the_original_stood_and_in_the_details() {
    let mut talk = Talk::new(90, 30);
    talk.said("run the tests");
    ask(&mut talk.stage, sample::approval(1));
    go(&mut talk.stage);
    talk.stage.press("e");
    talk.stage.type_text(" --quiet");
    let writing = talk.stage.grid();
    assert!(
        writing.contains("Enter keeps it, runs nothing yet"),
        "{writing}"
    );
    talk.stage.press("enter");
    talk.stage.paint();
    talk.stage.advance(1_200);

    let grid = talk.stage.grid();
    let footer = grid.lines().last().unwrap_or_default();
    assert!(footer.contains("a once, as changed"), "{grid}");
    assert!(!grid.contains("  s session"), "{grid}");
    talk.stage.check("approval_edited");

    talk.stage.press("d");
    let grid = talk.stage.grid();
    assert!(
        grid.contains("command: cargo test --test retry --quiet"),
        "{grid}"
    );
    assert!(grid.contains("as it was asked"), "{grid}");
}

#[test]
fn an_edited_text_is_shown_as_the_change_that_it_makes() {
    let mut talk = Talk::new(90, 34);
    ask(&mut talk.stage, edit(1));
    go(&mut talk.stage);
    talk.stage.press("e");
    talk.stage.type_text("mine");
    talk.stage.press("enter");
    talk.stage.paint();

    let grid = talk.stage.grid();

    assert!(grid.contains("+ mine"), "{grid}");
    assert!(grid.contains("- line 20"), "{grid}");
}

#[test]
fn the_details_of_an_edit_are_its_change_in_colours() {
    let mut talk = Talk::new(90, 34);
    ask(&mut talk.stage, edit(3));
    go(&mut talk.stage);
    talk.stage.press("d");

    talk.stage.check("approval_details");
}

#[test]
fn a_long_text_keeps_its_label_its_keys_and_its_frame_while_it_is_edited() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut talk = Talk::new(columns, rows);
        ask(&mut talk.stage, edit(60));
        go(&mut talk.stage);
        talk.stage.press("e");

        let grid = talk.stage.grid();

        for shown in [
            "change it:",
            "extra 60",
            "Enter keeps",
            "└──",
            "src/fetch.rs",
        ] {
            assert!(grid.contains(shown), "{shown} at {columns}x{rows}: {grid}");
        }
        assert!(!grid.contains("Alt+A answer"), "{grid}");
    }
    let mut talk = Talk::new(40, 12);
    ask(&mut talk.stage, edit(60));
    go(&mut talk.stage);
    talk.stage.press("e");
    let grid = talk.stage.grid();
    assert!(grid.contains("change it:"), "{grid}");
    assert!(grid.contains("runs nothing yet │"), "{grid}");
}

#[test]
fn what_was_asked_about_is_told_as_it_was_asked() {
    let mut talk = Talk::zoomed(100, 30);
    talk.turn();
    let command = format!("echo \u{202e}gnp.exe{}; rm -rf x", " ".repeat(300));
    let arguments = json!({ "command": command });
    let call = sample::call("a1", "shell_execute", arguments.clone());
    talk.reply(vec![ContentBlock::ToolCall(call)], ReplyEnd::ToolCalls);
    let request = ApprovalRequest {
        agent: AgentId::main(),
        subject: command,
        arguments,
        ..sample::approval(1)
    };
    let id = request.id;
    talk.record(Record::ApprovalAsked { request });
    talk.record(Record::ApprovalDecided {
        request: id,
        decision: ApprovalDecision::Reject { words: None },
    });
    talk.record(Record::Result {
        result: ToolResult::plain(CallId::new("a1"), CallStatus::Refused, "no"),
    });

    let grid = talk.stage.grid();

    assert!(
        grid.contains("echo \\u{202e}gnp.exe⟨300 blanks⟩; rm -rf x"),
        "{grid}"
    );
}

#[test]
fn a_call_that_was_refused_unasked_says_why() {
    let mut talk = Talk::zoomed(100, 30);
    talk.turn();
    let call = sample::call("a1", "shell_execute", json!({"command": "echo one"}));
    talk.reply(vec![ContentBlock::ToolCall(call)], ReplyEnd::ToolCalls);
    let why = "you said never in this session: deny shell_execute `echo *`";
    talk.record(Record::Result {
        result: ToolResult::plain(
            CallId::new("a1"),
            CallStatus::Refused,
            format!("[shell_execute refused: {why}]"),
        ),
    });

    let grid = talk.stage.grid();

    assert!(grid.contains(&format!("↳ {why}")), "{grid}");
}

#[test]
fn a_box_is_drawn_at_every_size_whatever_is_done_in_it() {
    for rows in 5..=32 {
        for columns in [20, 40, 90] {
            for keys in ["", "e", "w"] {
                for request in [edit(40), high()] {
                    let mut talk = Talk::new(columns, rows);
                    ask(&mut talk.stage, request);
                    go(&mut talk.stage);
                    talk.stage.press(keys);

                    assert!(!talk.stage.grid().is_empty());
                }
            }
        }
    }
}
