//! Code that calls tools while it runs: each call is one of its own, judged, asked about, shown and ended as any other.

use quarterdeck::{
    domain::{
        approval::ApprovalDecision,
        hook::{Hook, HookCommand, HookEvent},
        ids::{AgentId, CallId},
        permission::{Level, Rule, Verdict},
        record::{Record, TurnOutcome},
        tool::{CallStatus, ToolResult},
    },
    engine::{
        command::Command,
        event::{CallState, EventKind},
        options::EngineOptions,
    },
    process::{
        sandbox::{backend::Choice, wanted::SandboxSettings},
        supervisor,
    },
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::{bench::Bench, cage::backends, host::interpreters};

fn rule(action: &str, verdict: Verdict) -> Rule {
    Rule {
        action: action.to_owned(),
        resource: "*".to_owned(),
        verdict,
    }
}

/// A bench at level `unrestricted`, since nothing holds commands here, on which code runs without a question.
///
/// Nothing where there is no Python, which is said.
async fn bench_with(change: impl FnOnce(&mut EngineOptions)) -> Option<Bench> {
    if interpreters(&["python3"]).is_empty() {
        return None;
    }
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.permissions.rules = vec![rule("code_execute", Verdict::Allow)];
        change(options);
    })
    .await
    .into()
}

async fn bench() -> Option<Bench> {
    bench_with(|_| {}).await
}

/// Has the agent run Python.
fn runs(bench: &Bench, code: &str) {
    let arguments = json!({"language": "python3", "code": code});
    bench
        .script
        .reply(Reply::calls("code_execute", arguments))
        .reply(Reply::says("done"));
    bench.say("go on");
}

/// The result of the code, and those of the calls that it made.
fn ended(bench: &Bench) -> (ToolResult, Vec<ToolResult>) {
    let records = bench.records().into_iter();
    let inner = records.filter_map(|stored| match stored.record {
        Record::InnerResult { result } => Some(result),
        _ => None,
    });
    let outer = bench.results().into_iter().next();
    (outer.expect("a result"), inner.collect())
}

#[tokio::test]
async fn a_call_of_code_is_one_of_its_own_and_the_model_is_told_what_the_code_printed() {
    let Some(mut bench) = bench().await else {
        return;
    };
    bench.file("a.txt", "one\ntwo\n");
    runs(
        &bench,
        "print(tool('read', {'path': 'a.txt'}, limit=1).splitlines()[0])",
    );

    bench.turn_over().await;

    let (code, inner) = ended(&bench);
    assert_eq!(code.text, "one");
    assert_eq!(inner.len(), 1);
    assert_eq!(inner[0].text, "one\n[lines 1–1 of 2; next: start=2]");
    let records = bench.records();
    let steps: Vec<&Record> = records.iter().map(|stored| &stored.record).collect();
    let at = |wanted: &dyn Fn(&Record) -> bool| {
        steps
            .iter()
            .position(|record| wanted(record))
            .expect("a record")
    };
    let begun = at(
        &|record| matches!(record, Record::InnerCalled { parent, call } if *parent == code.call && call.name == "file_read"),
    );
    let runs =
        at(&|record| matches!(record, Record::CallStarted { call } if *call == inner[0].call));
    let over = at(
        &|record| matches!(record, Record::InnerResult { result } if result.call == inner[0].call),
    );
    let all_over =
        at(&|record| matches!(record, Record::Result { result } if result.call == code.call));
    assert!(begun < runs && runs < over && over < all_over);
    // A result without a call would be refused by a provider.
    let requests = bench.script.requests();
    let told = format!("{:?}", requests.last().expect("a request").messages);
    assert!(
        told.contains("one") && !told.contains("next: start=2"),
        "{told}"
    );
}

#[tokio::test]
async fn what_needs_an_answer_is_asked_with_the_code_named_and_a_no_is_an_error_in_it() {
    let Some(mut bench) = bench().await else {
        return;
    };
    let code = "for name in 'ab':\n    try:\n        print(tool('file_write', path=name, content=name))\n    \
                except ToolError as error:\n        print(type(error).__name__, error)";
    runs(&bench, code);

    let first = bench.approval().await;
    bench.decide(&first, ApprovalDecision::Once);
    let second = bench.approval().await;
    let words = Some("not that one".to_owned());
    bench.decide(&second, ApprovalDecision::Reject { words });
    bench.turn_over().await;

    assert_eq!(
        (first.tool.as_str(), first.subject.as_str()),
        ("file_write", "a")
    );
    let reason = &first.judgement.reason;
    assert!(
        reason.ends_with("; code that the agent runs calls it (code_execute)"),
        "{reason}"
    );
    let (code, inner) = ended(&bench);
    assert_eq!(
        code.text,
        "created a (1 line)\nToolError [file_write rejected by the person: not that one]"
    );
    let statuses: Vec<CallStatus> = inner.iter().map(|result| result.status).collect();
    assert_eq!(statuses, [CallStatus::Done, CallStatus::Refused]);
    assert!(bench.folder.join("a").exists() && !bench.folder.join("b").exists());
}

#[tokio::test]
async fn what_the_person_writes_instead_is_what_runs_and_an_answer_for_the_session_lasts() {
    let Some(mut bench) = bench().await else {
        return;
    };
    runs(
        &bench,
        "print(tool('file_write', path='a', content='x'))\nprint(tool('file_write', path='a', content='z'))",
    );

    let request = bench.approval().await;
    let arguments = json!({"path": "a", "content": "y"});
    bench.decide(&request, ApprovalDecision::Edited { arguments });
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Session);
    bench.turn_over().await;
    runs(
        &bench,
        "tool('file_read', path='a')\ntool('file_write', path='a', content='w')",
    );
    bench.turn_over().await;

    let (code, _) = ended(&bench);
    assert!(
        code.text
            .starts_with("[the person changed the arguments before allowing the call; it ran with"),
        "{}",
        code.text
    );
    assert_eq!(
        std::fs::read_to_string(bench.folder.join("a")).unwrap(),
        "w"
    );
}

#[tokio::test]
async fn rules_and_hooks_hold_for_what_code_calls() {
    let hook = Hook {
        name: "guard".to_owned(),
        event: HookEvent::PreToolCall,
        command: HookCommand::Line(
            "echo '{\"decision\": \"deny\", \"reason\": \"not here\"}'".to_owned(),
        ),
        matcher: "file_find".to_owned(),
        timeout_ms: 10_000,
        required: false,
        sandbox: false,
    };
    let Some(mut bench) = bench_with(|options| {
        options
            .permissions
            .rules
            .push(rule("file_read", Verdict::Deny));
        options.configured.hooks = vec![hook].into();
    })
    .await
    else {
        return;
    };
    let code = "for name, argument in [('file_read', {'path': 'a'}), ('file_find', {'pattern': '*'}), ('file_read', {'way': 1})]:\n    \
                try:\n        tool(name, argument)\n    except ToolError as error:\n        print(error)";
    runs(&bench, code);

    bench.turn_over().await;

    let (code, inner) = ended(&bench);
    let lines: Vec<&str> = code.text.lines().collect();
    assert!(
        lines[0].starts_with("[file_read refused: a rule says"),
        "{}",
        code.text
    );
    assert_eq!(lines[1], "[file_find denied by the hook guard: not here]");
    assert!(
        lines[2].contains("path") && lines[2].contains("way"),
        "{}",
        code.text
    );
    let statuses: Vec<CallStatus> = inner.iter().map(|result| result.status).collect();
    assert_eq!(
        statuses,
        [CallStatus::Refused, CallStatus::Refused, CallStatus::Failed]
    );
}

#[tokio::test]
async fn what_code_has_read_the_model_has_not() {
    let Some(mut bench) = bench_with(|options| {
        for name in ["file_write", "file_edit"] {
            options.permissions.rules.push(rule(name, Verdict::Allow));
        }
    })
    .await
    else {
        return;
    };
    for name in ["a", "b"] {
        bench.file(name, "old\n");
    }
    let write = |name: &str| Reply::calls("file_write", json!({"path": name, "content": "new"}));
    let code = "tool('file_read', path='a')\ntool('file_write', path='a', content='by code')\n\
                tool('file_edit', path='b', old_string='old', new_string='by code')\nprint('both')";
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "b"})))
        .reply(Reply::calls(
            "code_execute",
            json!({"language": "python3", "code": code}),
        ))
        .reply(write("a"))
        .reply(write("b"))
        .reply(Reply::says("done"));
    bench.say("go on");

    bench.turn_over().await;

    let texts = bench.texts();
    assert!(texts.contains(&"both".to_owned()), "{texts:?}");
    let [.., a, b] = texts.as_slice() else {
        panic!("too few results: {texts:?}");
    };
    assert!(a.starts_with("a exists but was never read"), "{a}");
    assert!(b.starts_with("b has changed since it was read"), "{b}");
}

#[tokio::test]
async fn threads_call_beside_each_other_and_each_gets_its_own_answer() {
    let Some(mut bench) = bench().await else {
        return;
    };
    for number in 0..20 {
        bench.file(&format!("f{number}"), &format!("content {number}\n"));
    }
    let code = "from concurrent.futures import ThreadPoolExecutor\nread = lambda n: tool('file_read', path=f'f{n}').splitlines()[0]\n\
                with ThreadPoolExecutor(8) as pool:\n    print(list(pool.map(read, range(20))) == [f'content {n}' for n in range(20)])";
    runs(&bench, code);

    bench.turn_over().await;

    let (code, inner) = ended(&bench);
    assert_eq!(code.text, "True");
    assert_eq!(inner.len(), 20);
}

#[tokio::test]
async fn a_thousand_calls_are_bounded() {
    let Some(mut bench) = bench().await else {
        return;
    };
    bench.file("a", "x");
    let code = "made = 0\nfor n in range(1000):\n    try:\n        tool('file_read', path='a')\n        made += 1\n    \
                except ToolError as error:\n        last = error\nprint(made, last)";
    runs(&bench, code);

    bench.turn_over().await;

    let (code, inner) = ended(&bench);
    assert_eq!(
        code.text,
        "200 the code has made 200 calls, which is the most; do the rest in another run"
    );
    assert_eq!(inner.len(), 200);
}

fn is_asked_of(kind: &EventKind, wanted: &CallId) -> bool {
    matches!(kind, EventKind::Call { call, state: CallState::Asking } if call == wanted)
}

#[tokio::test]
async fn stopping_the_turn_ends_a_question_of_the_code_and_the_code() {
    let Some(mut bench) = bench().await else {
        return;
    };
    runs(
        &bench,
        "try:\n    tool('file_write', path='a', content='x')\nfinally:\n    import time\n    time.sleep(600)",
    );
    let request = bench.approval().await;
    assert!(
        bench
            .seen
            .iter()
            .any(|event| is_asked_of(&event.kind, &request.call))
    );

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    let closed = request.id;
    bench
        .until("the question is withdrawn", |event| {
            event.kind == EventKind::RequestClosed(closed)
        })
        .await;
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Cancelled);
    let (code, inner) = ended(&bench);
    assert_eq!(code.status, CallStatus::Interrupted);
    assert_eq!(inner[0].status, CallStatus::Interrupted);
    let withdrawn = |stored: &quarterdeck::domain::record::Stored| matches!(&stored.record, Record::ApprovalDecided { request, decision: ApprovalDecision::Withdrawn } if *request == closed);
    assert!(bench.records().iter().any(withdrawn));
    assert!(!bench.folder.join("a").exists());
}

/// A copy cannot call tools, and what it writes to the line when the program's end is known is not heard.
#[tokio::test]
async fn a_copy_of_the_program_that_goes_on_is_not_heard() {
    let Some(mut bench) = bench_with(|options| {
        options
            .permissions
            .rules
            .push(rule("file_write", Verdict::Allow));
    })
    .await
    else {
        return;
    };
    let code = r#"
import os
heard, says = os.pipe()
if os.fork() == 0:
    try:
        tool('file_read', path='a')
    except ToolError as error:
        os.write(says, str(error).encode())
    main = os.getppid()
    while os.getppid() == main:
        pass
    request = b'{"tool": "file_write", "arguments": {"path": "b", "content": "x"}}\n'
    try:
        while True:
            os.write(3, request)
    except OSError:
        os._exit(0)
print(os.read(heard, 1000).decode())
"#;
    runs(&bench, code);

    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let (code, _) = ended(&bench);
    let refused = "tool() works only in the process that runs the code";
    assert!(code.text.starts_with(refused), "{}", code.text);
    bench.script.reply(Reply::says("again"));
    bench.say("and now");
    bench.turn_over().await;
    let is_called = |record: &Record| matches!(record, Record::InnerCalled { .. });
    let is_over =
        |record: &Record| matches!(record, Record::Result { result } if result.call == code.call);
    let records = bench.records();
    let mut later = records.iter().map(|stored| &stored.record);
    assert!(later.any(is_over) && !later.any(is_called));
}

#[tokio::test]
async fn a_session_that_is_resumed_has_the_calls_of_the_code_and_goes_on() {
    let Some(mut bench) = bench_with(|options| {
        options
            .permissions
            .rules
            .push(rule("file_write", Verdict::Allow));
    })
    .await
    else {
        return;
    };
    bench.file("a", "x");
    runs(&bench, "print(tool('file_read', path='a').splitlines()[0])");
    bench.turn_over().await;

    let mut bench = bench.restart().await;
    let write = json!({"path": "a", "content": "y"});
    bench
        .script
        .reply(Reply::calls("file_write", write))
        .reply(Reply::says("again"));
    bench.say("and now");
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let stored = bench.stored().await;
    let inner = stored
        .iter()
        .filter(|stored| matches!(stored.record, Record::InnerCalled { .. }));
    assert_eq!(inner.count(), 1);
    let refused = bench.texts().pop().expect("a result");
    assert!(
        refused.starts_with("a exists but was never read"),
        "{refused}"
    );
}

#[tokio::test]
async fn in_each_sandbox_it_is_held_as_a_command_is_and_reaches_our_tools() {
    for backend in backends() {
        let outside = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside-of-code");
        let Some(mut bench) = bench_with(|options| {
            options.permissions.level = Level::Workspace;
            options.tools.sandbox = SandboxSettings {
                choice: Choice::Only(backend),
                ..SandboxSettings::none()
            };
        })
        .await
        else {
            return;
        };
        bench.file("a", "one\n");
        let outside = outside.to_str().expect("a path");
        let code = format!(
            "print(tool('file_read', path='a').splitlines()[0])\nopen('made', 'w').close()\nopen({outside:?}, 'w').close()"
        );
        runs(&bench, &code);

        bench.turn_over().await;

        let (code, _) = ended(&bench);
        assert!(
            code.text.starts_with("one\n"),
            "{}: {}",
            backend.name(),
            code.text
        );
        assert!(code.text.contains("Error: [Errno"), "{}", code.text);
        assert!(bench.folder.join("made").exists() && !std::path::Path::new(outside).exists());
    }
}

/// Where nothing can be written, all code of a language is a kind; elsewhere each code is asked about.
#[tokio::test]
async fn an_answer_for_the_session_stands_for_a_language_at_level_read_only() {
    let Some(backend) = backends().into_iter().next() else {
        return;
    };
    for (level, kinds) in [(Level::Read, vec!["python3 *"]), (Level::Workspace, vec![])] {
        let Some(mut bench) = bench_with(|options| {
            options.permissions.level = level;
            options.permissions.rules.clear();
            options.tools.sandbox = SandboxSettings {
                choice: Choice::Only(backend),
                ..SandboxSettings::none()
            };
        })
        .await
        else {
            return;
        };
        runs(&bench, "print(1)");
        let request = bench.approval().await;
        bench.decide(&request, ApprovalDecision::Session);
        bench.turn_over().await;

        assert_eq!(
            (request.tool.as_str(), request.subject.as_str()),
            ("code_execute", "print(1)")
        );
        let offered: Vec<&str> = request
            .offers
            .kinds
            .iter()
            .map(|rule| rule.resource.as_str())
            .collect();
        assert_eq!(offered, kinds, "{}", level.name());
        bench.script.reply(Reply::calls(
            "code_execute",
            json!({"language": "python3", "code": "print(2)"}),
        ));
        assert_eq!(bench.asks_next().await, kinds.is_empty());
    }
}

/// The limit is less than the hook takes.
#[tokio::test]
async fn the_time_of_a_call_is_not_the_codes() {
    let slow = Hook {
        name: "slow".to_owned(),
        event: HookEvent::PreToolCall,
        command: HookCommand::Line("sleep 4; echo '{}'".to_owned()),
        matcher: "file_read".to_owned(),
        timeout_ms: 60_000,
        required: true,
        sandbox: false,
    };
    let Some(mut bench) = bench_with(|options| options.configured.hooks = vec![slow].into()).await
    else {
        return;
    };
    bench.file("a", "x\n");
    let code = "print(tool('file_read', path='a').splitlines()[0])";
    let arguments = json!({"language": "python3", "code": code, "timeout_ms": 3_500});
    bench
        .script
        .reply(Reply::calls("code_execute", arguments))
        .reply(Reply::says("done"));
    bench.say("go on");

    bench.turn_over().await;

    let (code, inner) = ended(&bench);
    assert_eq!(inner[0].status, CallStatus::Done, "{}", inner[0].text);
    assert_eq!(code.text, "x");
}

/// What a rule forbids to a command line, code may not do either.
#[tokio::test]
async fn a_rule_about_commands_holds_for_code() {
    let Some(mut bench) = bench_with(|options| {
        let resource = "python3 *".to_owned();
        let forbids = Rule {
            resource,
            ..rule("shell_execute", Verdict::Deny)
        };
        options.permissions.rules.push(forbids);
    })
    .await
    else {
        return;
    };
    runs(&bench, "open('made', 'w')");

    bench.turn_over().await;

    let (code, _) = ended(&bench);
    assert_eq!(code.status, CallStatus::Refused);
    assert!(
        code.text.starts_with("[code_execute refused: a rule says"),
        "{}",
        code.text
    );
    assert!(!bench.folder.join("made").exists());
}
