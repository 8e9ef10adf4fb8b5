//! Tools of the configuration in real turns: what runs, what is judged, what is refused.

use std::{sync::Arc, time::Duration};

use quarterdeck::{
    domain::{
        approval::ApprovalDecision,
        declared::{DeclaredTool, OutputForm, Parameter, ParameterKind, ToolInput},
        display::Display,
        hook::{Hook, HookCommand, HookEvent},
        ids::AgentId,
        permission::{Level, Mode, Rule, Verdict},
        record::{Record, TurnOutcome},
        tool::CallStatus,
    },
    engine::{
        command::{Command, Setting},
        event::EventKind,
        options::{EngineOptions, NewProfile, NotRead, OpenedProfile, Profiles, Reading},
    },
    process::{
        sandbox::{backend::Choice, wanted::SandboxSettings},
        supervisor,
    },
    providers::{error::ProviderError, scripted::Reply},
};
use serde_json::{Value, json};

use crate::support::{bench::Bench, cage::backends};

fn parameter(name: &str, kind: ParameterKind) -> Parameter {
    Parameter {
        name: name.to_owned(),
        kind,
        description: format!("The {name}."),
        choices: Vec::new(),
        default: None,
        optional: false,
    }
}

/// A tool with the text parameters `a` and `b`.
fn tool(name: &str, command: &[&str]) -> DeclaredTool {
    DeclaredTool {
        name: name.to_owned(),
        description: "Does it.".to_owned(),
        parameters: ["a", "b"]
            .map(|name| Parameter {
                optional: true,
                ..parameter(name, ParameterKind::String)
            })
            .to_vec(),
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        input: ToolInput::Nothing,
        timeout_ms: None,
        level: Level::None,
        output: OutputForm::Terminal,
    }
}

/// A bench at level `unrestricted`, since nothing holds commands here.
async fn bench(tools: Vec<DeclaredTool>) -> Bench {
    bench_with(tools, |_| {}).await
}

async fn bench_with(tools: Vec<DeclaredTool>, change: impl FnOnce(&mut EngineOptions)) -> Bench {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.configured.declared = tools.into();
        change(options);
    })
    .await
}

fn calls(bench: &Bench, name: &str, arguments: Value) {
    bench.script.reply(Reply::calls(name, arguments));
    bench.script.reply(Reply::says("Done."));
    bench.say("go");
}

const EACH: &[&str] = &[
    "sh",
    "-c",
    "for a; do printf '<%s>' \"$a\"; done",
    "sh",
    "{{a}}",
    "--b={{b}}",
];

#[tokio::test]
async fn a_value_stays_one_argument_whatever_it_holds_and_is_shown_so() {
    let mut bench = bench(vec![tool("each", EACH)]).await;
    let nasty = "x' \"y\" $(touch made) `touch made`; touch made\n| & {{b}} *";
    calls(&bench, "each", json!({"a": nasty, "b": "--c d"}));

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(request.tool, "each");
    assert!(request.subject.contains(r"'x'\''"), "{}", request.subject);
    assert!(
        request.subject.ends_with("'--b=--c d'"),
        "{}",
        request.subject
    );
    let text = &bench.texts()[0];
    assert_eq!(*text, format!("<{nasty}><--b=--c d>"));
    assert!(!bench.folder.join("made").exists());
    let Display::Terminal { command, .. } = &bench.results()[0].display else {
        panic!("no terminal");
    };
    assert!(command.starts_with("sh -c 'for a; do"), "{command}");
    assert!(command.contains(r"'x'\''"), "{command}");
}

#[tokio::test]
async fn what_is_left_out_leaves_no_empty_argument() {
    let mut bench = bench(vec![tool("each", EACH)]).await;
    calls(&bench, "each", json!({}));
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(bench.texts(), ["<--b=>"]);
}

#[tokio::test]
async fn a_default_stands_in_for_what_is_left_out() {
    let mut shows = tool("shows", EACH);
    shows.parameters[0].default = Some(json!("short"));
    let mut bench = bench_with(vec![shows], |options| {
        options.permissions.mode = Mode::Open;
    })
    .await;
    for arguments in [json!({}), json!({"a": "long"})] {
        calls(&bench, "shows", arguments);
        bench.turn_over().await;
    }

    assert_eq!(bench.texts(), ["<short><--b=>", "<long><--b=>"]);
}

#[tokio::test]
async fn an_invalid_call_runs_nothing_and_asks_nothing_and_says_all_that_is_wrong() {
    let show = DeclaredTool {
        parameters: vec![
            parameter("id", ParameterKind::Integer),
            Parameter {
                choices: vec![json!("short"), json!("long")],
                default: Some(json!("short")),
                ..parameter("form", ParameterKind::String)
            },
            parameter("who", ParameterKind::String),
        ],
        ..tool("show", &["touch", "{{id}}", "{{form}}", "{{who}}"])
    };
    let mut bench = bench(vec![show]).await;
    calls(&bench, "show", json!({"id": "one", "form": "wide", "x": 1}));
    bench.turn_over().await;

    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Failed);
    assert_eq!(
        result.text,
        "[show: invalid call, nothing was run — id: \"one\" is not an integer; form: \"wide\" is not one of short, \
         long; who is missing; \"x\" is not a parameter of this tool. You sent: {\"id\":\"one\",\"form\":\"wide\",\
         \"x\":1}. Expected: id (integer: The id.), form (string: The form. One of: short, long. Optional, default \
         short.), who (string: The who.). Call show again with each parameter as its own field.]"
    );
}

#[tokio::test]
async fn it_is_judged_as_what_it_runs() {
    let rule = |action: &str, resource: &str, verdict| Rule {
        action: action.to_owned(),
        resource: resource.to_owned(),
        verdict,
    };
    let tools = vec![
        tool("looks", &["cat", "{{a}}"]),
        tool("deletes", &["rm", "-rf", "{{a}}"]),
        tool("fetches", &["curl", "{{a}}"]),
        DeclaredTool {
            input: ToolInput::Text("{{a}}".to_owned()),
            ..tool("reads", &["bash"])
        },
        tool("ready", &["touch", "{{a}}"]),
    ];
    let mut bench = bench_with(tools, |options| {
        options.permissions.rules = vec![
            rule("shell_execute", "curl *", Verdict::Deny),
            rule("ready", "touch *", Verdict::Allow),
        ];
    })
    .await;
    bench.file("a.txt", "text\n");
    for (name, value) in [
        ("looks", "a.txt"),
        ("deletes", "/"),
        ("fetches", "http://127.0.0.1:9"),
        ("reads", "rm -rf /"),
        ("ready", "made"),
    ] {
        calls(&bench, name, json!({"a": value}));
        bench.turn_over().await;
    }

    let results = bench.results();
    let statuses: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    assert_eq!(
        statuses,
        [
            CallStatus::Done,
            CallStatus::Refused,
            CallStatus::Refused,
            CallStatus::Refused,
            CallStatus::Done
        ]
    );
    assert_eq!(results[0].text, "text");
    assert!(bench.folder.join("made").exists());
}

#[tokio::test]
async fn its_level_is_that_of_commands_and_no_less_than_it_says() {
    let tools = vec![
        DeclaredTool {
            level: Level::Unrestricted,
            ..tool("reaches", &["cat", "{{a}}"])
        },
        tool("looks", &["cat", "{{a}}"]),
    ];
    let mut bench = bench_with(tools, |options| {
        options.permissions.level = Level::Read;
        options.permissions.approvals = false;
        options.configured.levels = [("looks".to_owned(), Level::Workspace)].into();
    })
    .await;
    bench.file("a.txt", "text\n");
    for name in ["reaches", "looks"] {
        calls(&bench, name, json!({"a": "a.txt"}));
        bench.turn_over().await;
    }

    let texts = bench.texts();
    assert!(texts[0].contains("unrestricted"), "{texts:?}");
    assert!(texts[1].contains("workspace"), "{texts:?}");
}

#[tokio::test]
async fn in_each_sandbox_it_is_held_as_a_command_is() {
    for backend in backends() {
        let outside = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside-of-tools");
        let mut bench = bench_with(vec![tool("touches", &["touch", "{{a}}"])], |options| {
            options.permissions.level = Level::Workspace;
            options.tools.sandbox = SandboxSettings {
                choice: Choice::Only(backend),
                ..SandboxSettings::none()
            };
        })
        .await;
        for (path, made) in [("made", true), (outside.to_str().expect("a path"), false)] {
            calls(&bench, "touches", json!({"a": path}));
            let request = bench.approval().await;
            bench.decide(&request, ApprovalDecision::Once);
            bench.turn_over().await;
            let path = bench.folder.join(path);
            assert_eq!(path.exists(), made, "{} {}", path.display(), backend.name());
        }
    }
}

#[tokio::test]
async fn a_program_reads_its_text_or_all_arguments() {
    let tools = vec![
        DeclaredTool {
            input: ToolInput::Text("a is {{a}}\n".to_owned()),
            ..tool("text", &["cat"])
        },
        DeclaredTool {
            input: ToolInput::Arguments,
            output: OutputForm::Markdown,
            ..tool("json", &["cat"])
        },
    ];
    let mut bench = bench(tools).await;
    for name in ["text", "json"] {
        calls(&bench, name, json!({"a": "it's $(x)", "b": "2"}));
        bench.turn_over().await;
    }

    let results = bench.results();
    assert_eq!(results[0].text, "a is it's $(x)");
    assert_eq!(results[1].text, r#"{"a":"it's $(x)","b":"2"}"#);
    assert!(matches!(results[1].display, Display::Markdown { .. }));
}

#[tokio::test]
async fn a_time_limit_a_missing_program_and_a_failing_one_are_told() {
    let tools = vec![
        DeclaredTool {
            timeout_ms: Some(300),
            ..tool("slow", &["sh", "-c", "echo begun; sleep 600"])
        },
        tool("missing", &["no-such-program", "{{a}}"]),
        tool("failing", &["sh", "-c", "echo why; exit 3"]),
    ];
    let mut bench = bench(tools).await;
    for name in ["slow", "missing", "failing"] {
        calls(&bench, name, json!({"a": "x"}));
        let request = bench.approval().await;
        bench.decide(&request, ApprovalDecision::Once);
        bench.turn_over().await;
    }

    let results = bench.results();
    assert!(
        results[0]
            .text
            .starts_with("begun\n[ended with all its processes after 300 ms"),
        "{}",
        results[0].text
    );
    assert_eq!(results[1].status, CallStatus::Failed);
    assert!(
        results[1]
            .text
            .starts_with("no-such-program cannot be started:"),
        "{}",
        results[1].text
    );
    assert_eq!(results[2].status, CallStatus::Done);
    assert_eq!(results[2].text, "why\n[exit code: 3]");
}

#[tokio::test]
async fn without_a_limit_of_its_own_that_of_commands_holds() {
    let sleeps = tool("sleeps", &["sh", "-c", "echo begun; sleep 600"]);
    let mut bench = bench_with(vec![sleeps], |options| {
        options.permissions.mode = Mode::Open;
        options.tools.shell_timeout = Duration::from_millis(300);
    })
    .await;
    calls(&bench, "sleeps", json!({}));
    bench.turn_over().await;

    let text = &bench.texts()[0];
    assert!(
        text.starts_with("begun\n[ended with all its processes after 300 ms"),
        "{text}"
    );
}

#[tokio::test]
async fn a_recap_counts_commands_and_not_tools_of_the_configuration() {
    let mut bench = bench_with(vec![tool("looks", &["cat", "{{a}}"])], |options| {
        options.permissions.mode = Mode::Open;
    })
    .await;
    bench.file("a.txt", "text\n");
    let calls = Reply::new()
        .call("shell_execute", json!({"command": "true"}))
        .call("bash", json!({"command": "exit 1"}))
        .call("looks", json!({"a": "a.txt"}))
        .tool_calls();
    bench.script.reply(calls);
    bench.script.reply(Reply::says("Done."));
    bench.say("go");
    bench.turn_over().await;

    let recap = bench
        .records()
        .into_iter()
        .find_map(|stored| match stored.record {
            Record::TurnFinished { recap, .. } => Some(recap),
            _ => None,
        })
        .expect("a recap");
    assert_eq!((recap.commands, recap.tools), (2, 1));
}

#[tokio::test]
async fn stopping_it_ends_its_processes_and_keeps_what_it_printed() {
    let mut bench = bench(vec![tool(
        "slow",
        &["sh", "-c", "echo begun; echo >begun; sleep 600"],
    )])
    .await;
    calls(&bench, "slow", json!({}));
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench
        .until("output", |event| {
            matches!(&event.kind, EventKind::Delta(delta) if format!("{delta:?}").contains("begun"))
        })
        .await;

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Cancelled);
    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Interrupted);
    assert!(result.text.starts_with("begun"), "{}", result.text);
}

#[tokio::test]
async fn the_model_is_told_of_it_behind_the_built_in_tools_and_hooks_know_its_name() {
    let gate = Hook {
        name: "gate".to_owned(),
        event: HookEvent::PreToolCall,
        command: HookCommand::Line("exit 2".to_owned()),
        matcher: "each".to_owned(),
        timeout_ms: 10_000,
        required: false,
        sandbox: false,
    };
    let mut bench = bench_with(vec![tool("each", EACH), tool("off", EACH)], |options| {
        options.configured.hooks = [gate].into();
        options.configured.disabled = vec!["off".to_owned()];
    })
    .await;
    calls(&bench, "each", json!({"a": "x"}));
    bench.turn_over().await;

    assert_eq!(bench.texts(), ["[each denied by the hook gate]"]);
    let requests = bench.script.requests();
    let tools = &requests[0].tools;
    let last = tools.last().expect("tools");
    assert_eq!(last.name, "each");
    assert!(tools.iter().all(|tool| tool.name != "off"));
    assert_eq!(
        last.schema["properties"]["a"],
        json!({"type": "string", "description": "The a. Optional."})
    );
}

/// Profiles of a folder that brings a tool of its own.
struct Project(Arc<dyn Profiles>);

impl Profiles for Project {
    fn list(&self) -> Vec<(String, String)> {
        self.0.list()
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        self.0.open(name)
    }

    fn add(&self, profile: &NewProfile) -> Result<(), String> {
        self.0.add(profile)
    }

    fn configure(&self, options: &mut EngineOptions, trusted: bool) -> Result<Reading, NotRead> {
        options.configured.declared = if trusted {
            [tool("theirs", &["cat", "{{a}}"])].into()
        } else {
            Arc::default()
        };
        Ok(Reading::default())
    }
}

#[tokio::test]
async fn a_projects_tool_is_there_while_the_folder_is_trusted() {
    let mut bench = bench_with(Vec::new(), |options| {
        options.trusted = None;
        options.profiles = Arc::new(Project(Arc::clone(&options.profiles)));
    })
    .await;
    bench.file("a.txt", "text\n");
    let mut texts = Vec::new();
    for trusted in [None, Some(true), Some(false)] {
        if let Some(trusted) = trusted {
            bench.send(Command::Configure(Setting::Trust(trusted)));
        }
        calls(&bench, "theirs", json!({"a": "a.txt"}));
        let before = bench.seen.len();
        bench
            .until("a question or the end", |event| match &event.kind {
                EventKind::ApprovalAsked(_) => true,
                EventKind::Turn { running, .. } => !running,
                _ => false,
            })
            .await;
        let asked = bench.seen[before..]
            .iter()
            .find_map(|event| match &event.kind {
                EventKind::ApprovalAsked(request) => Some((**request).clone()),
                _ => None,
            });
        if let Some(request) = asked {
            bench.decide(&request, ApprovalDecision::Once);
            bench.turn_over().await;
        }
        texts.extend(bench.texts().last().cloned());
    }

    assert!(texts[0].contains("there is no tool named"), "{texts:?}");
    assert_eq!(texts[1], "text");
    assert_eq!(
        texts[2],
        "theirs is no longer among the tools of the configuration"
    );
}
