//! A session in the middle of its work: three agents, calls in every state, a checklist, notes, a gauge, one approval.
//! Frames of panes start from here.

use quarterdeck::{
    domain::{
        agent::{AgentNode, AgentStatus},
        approval::{ApprovalRequest, Circumstances, Confinement, Findings, Offers},
        artifact::ArtifactRef,
        chat::{ChatMessage, ContentBlock, Role},
        checklist::{Checklist, ItemChange, ItemStatus},
        display::{Display, FileDiff, FileMatch, MatchLine},
        ids::{AgentId, ArtifactId, CallId, RequestId, Sequence, SessionId, TurnId},
        model_info::ModelInfo,
        permission::{DecisionStep, Judgement, Level, Mode, Network, Risk, Rule, Verdict},
        question::{Question, QuestionForm, QuestionKind},
        record::{Lane, Record, ReplyEnd, Speaker, Stored},
        scratchpad::{ScratchpadInfo, ScratchpadOrigin},
        session::{SessionInfo, SessionSettings},
        tool::{CallStatus, ToolCall, ToolResult},
        usage::Usage,
        window::{ContextGauge, WindowShares},
    },
    engine::event::{CallState, Delta, EventKind, Opened},
};
use serde_json::json;

use super::golden::{NOW_MS, Stage};

/// Handles of the sample's sub-agents.
pub(crate) const SCOUT: &str = "scout_1a2b3c4d";
/// The one that asks.
pub(crate) const TESTS: &str = "tests_9f3c0d1e";

/// The sample session on a screen of this size.
pub(crate) fn session(columns: u16, rows: u16) -> Stage {
    let mut stage = opened(columns, rows);
    talk(&mut stage);
    agents(&mut stage);
    side(&mut stage);
    stage
}

/// A session that was just opened: nothing was said yet.
pub(crate) fn opened(columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::new(columns, rows);
    stage.event("main", EventKind::Opened(Box::new(opening())));
    stage.event(
        "main",
        EventKind::Agent(Box::new(main_agent(AgentStatus::Idle))),
    );
    stage
}

/// What the engine tells when it opens the sample.
pub(crate) fn opening() -> Opened {
    Opened {
        info: SessionInfo {
            id: SessionId::new("0192f0c1-session"),
            title: "add retry to fetcher".to_owned(),
            cwd: "/home/ada/src/fetcher".into(),
            created_ms: NOW_MS - 600_000,
            updated_ms: NOW_MS - 180_000,
            messages: 1,
        },
        settings: settings(),
        resumed: false,
        turns: 0,
        draft: String::new(),
        profiles: vec![
            ("work".to_owned(), "claude".to_owned()),
            ("practice".to_owned(), "practice".to_owned()),
        ],
        prompts: vec!["what does this project do?".to_owned()],
        asks_trust: false,
        asking: Default::default(),
        offers: Vec::new(),
    }
}

/// Settings of the sample.
pub(crate) fn settings() -> SessionSettings {
    SessionSettings {
        model: ModelInfo {
            profile: "work".to_owned(),
            backend: "openai-chat-completions".to_owned(),
            model_id: "claude".to_owned(),
            context_window: Some(200_000),
            max_output_tokens: Some(16_384),
            price: None,
            is_script: false,
            thinking: quarterdeck::domain::model_info::Thinking::default(),
            media: Default::default(),
        },
        level: Level::Workspace,
        mode: Mode::Adaptive,
        network: Network::All,
        approvals: true,
        trusted: true,
    }
}

/// A stored record of the main agent.
pub(crate) fn stored(sequence: u64, ago_s: i64, record: Record) -> EventKind {
    EventKind::Recorded(Box::new(Stored {
        sequence: Sequence(sequence),
        at_ms: NOW_MS - ago_s * 1000,
        agent: AgentId::main(),
        record,
    }))
}

/// A tool call.
pub(crate) fn call(id: &str, name: &str, arguments: serde_json::Value) -> ToolCall {
    ToolCall {
        id: CallId::new(id),
        name: name.to_owned(),
        arguments,
        malformed: None,
    }
}

/// A result.
pub(crate) fn result(id: &str, outcome: &str, elapsed_ms: u64, display: Display) -> ToolResult {
    ToolResult {
        call: CallId::new(id),
        status: CallStatus::Done,
        text: "…".to_owned(),
        display,
        outcome: outcome.to_owned(),
        artifact: None,
        attachments: Vec::new(),
        elapsed_ms,
        seen: None,
    }
}

fn talk(stage: &mut Stage) {
    let turn = TurnId(1);
    let said = Record::Said {
        speaker: Speaker::Person,
        lane: Lane::Steer,
        text: "The fetcher gives up on the first 503. Make it retry.".to_owned(),
    };
    let reply = Record::Reply {
        message: ChatMessage {
            role: Role::Assistant,
            blocks: vec![
                ContentBlock::Reasoning {
                    text: "The retry belongs where the request is made. I look for it first."
                        .to_owned(),
                },
                ContentBlock::Text {
                    text: "I'll look at how requests are made, then change it.".to_owned(),
                },
                ContentBlock::ToolCall(call("c1", "file_search", json!({"pattern": "send("}))),
                ContentBlock::ToolCall(call("c2", "file_read", json!({"path": "src/fetch.rs"}))),
            ],
            provider: None,
        },
        end: ReplyEnd::ToolCalls,
        usage: Usage::default(),
    };
    stage.event(
        "main",
        EventKind::Turn {
            turn,
            running: true,
        },
    );
    stage.event("main", stored(1, 180, Record::TurnStarted { turn }));
    stage.event("main", stored(2, 180, said));
    stage.event("main", stored(3, 170, reply));
    for (index, result) in first_results().into_iter().enumerate() {
        let call = result.call.clone();
        let sequence = 4 + 2 * index as u64;
        stage.event("main", stored(sequence, 165, Record::CallStarted { call }));
        stage.event("main", stored(sequence + 1, 165, Record::Result { result }));
    }
    second_reply(stage);
}

fn first_results() -> [ToolResult; 2] {
    let files = vec![FileMatch {
        path: "src/fetch.rs".to_owned(),
        lines: vec![MatchLine {
            number: 41,
            text: "    let answer = client.send(request).await?;".to_owned(),
            ranges: vec![(24, 29)],
        }],
    }];
    let found = Display::Files { files, omitted: 0 };
    let code = Display::Code {
        path: "src/fetch.rs".to_owned(),
        first_line: 1,
        text: "use std::time::Duration;\n\npub async fn fetch(url: &Url) -> Result<Bytes> {\n"
            .to_owned(),
    };
    [
        result("c1", "12 matches · 4 files", 20, found),
        result("c2", "lines 1–212", 3, code),
    ]
}

fn second_reply(stage: &mut Stage) {
    let reply = Record::Reply {
        message: ChatMessage {
            role: Role::Assistant,
            blocks: vec![
                ContentBlock::Text {
                    text: "There is one place. I **add a retry** with back-off:\n\n- three tries\n- 200 ms, doubled".to_owned(),
                },
                ContentBlock::ToolCall(call("c3", "file_edit", json!({"path": "src/fetch.rs"}))),
                ContentBlock::ToolCall(call(
                    "c4",
                    "shell_execute",
                    json!({"command": "cargo test -q"}),
                )),
                ContentBlock::ToolCall(call("c5", "file_edit", json!({"path": "src/retry.rs"}))),
            ],
            provider: None,
        },
        end: ReplyEnd::ToolCalls,
        usage: Usage::default(),
    };
    stage.event("main", stored(20, 150, reply));
    let edit = Display::Diff(FileDiff {
        path: "src/fetch.rs".to_owned(),
        old: "    let answer = client.send(request).await?;\n    answer.bytes().await\n".to_owned(),
        new: "    let answer = retry(TRIES, || client.send(request.clone())).await?;\n    answer.bytes().await\n".to_owned(),
        first_line: 41,
        created: false,
    });
    let mut output = "running 14 tests\n".to_owned();
    output.push_str(&"test fetch::works ... ok\n".repeat(13));
    output.push_str("test result: FAILED. 13 passed; 1 failed\n");
    let terminal = Display::Terminal {
        command: "cargo test -q".to_owned(),
        output,
        exit: Some(101),
        omitted_lines: 25,
    };
    let mut run = result("c4", "exit 101", 4_100, terminal);
    run.artifact = Some(ArtifactRef {
        id: ArtifactId::new("ab12"),
        bytes: 2_048,
        lines: 40,
        cut: false,
        streams: None,
    });
    for (sequence, result) in [(21, result("c3", "+1 −1", 4, edit)), (23, run)] {
        let call = result.call.clone();
        stage.event("main", stored(sequence, 140, Record::CallStarted { call }));
        stage.event("main", stored(sequence + 1, 140, Record::Result { result }));
    }
    let call = CallId::new("c5");
    stage.event(
        "main",
        stored(25, 30, Record::CallStarted { call: call.clone() }),
    );
    stage.event(
        "main",
        EventKind::Call {
            call,
            state: CallState::Running,
        },
    );
}

/// The main agent in a state.
pub(crate) fn main_agent(status: AgentStatus) -> AgentNode {
    AgentNode {
        id: AgentId::main(),
        parent: None,
        description: String::new(),
        status,
        activity: String::new(),
        started_ms: NOW_MS - 120_000,
        ended_ms: None,
        usage: Usage {
            input: 84_000,
            cached: 70_000,
            output: 3_200,
            cost: Some(0.41),
        },
        calls: 5,
    }
}

fn agents(stage: &mut Stage) {
    let running = |tool: &str| AgentStatus::Running {
        tool: tool.to_owned(),
    };
    let child = |id: &str, status, ago_s: i64, input, calls| AgentNode {
        id: AgentId::new(id),
        parent: Some(AgentId::main()),
        description: "looks for every caller".to_owned(),
        status,
        activity: "retry".to_owned(),
        started_ms: NOW_MS - ago_s * 1000,
        ended_ms: None,
        usage: Usage {
            input,
            cached: 0,
            output: 400,
            cost: None,
        },
        calls,
    };
    let main = main_agent(running("file_edit"));
    stage.event("main", EventKind::Agent(Box::new(main)));
    let scout = child(SCOUT, running("file_search"), 18, 12_000, 7);
    stage.event(SCOUT, EventKind::Agent(Box::new(scout)));
    let tests = child(TESTS, AgentStatus::Asking, 41, 2_700, 2);
    stage.event(TESTS, EventKind::Agent(Box::new(tests)));
}

fn side(stage: &mut Stage) {
    let mut checklist = Checklist::default();
    checklist.add("find every place that sends", ItemStatus::Completed);
    checklist.add("add a retry with back-off", ItemStatus::InProgress);
    checklist.add("cover it with tests", ItemStatus::Pending);
    let last = checklist.add("update the changelog", ItemStatus::Pending);
    let deferred = ItemChange {
        status: Some(ItemStatus::Deferred),
        reason: Some("until build_7c".to_owned()),
        text: None,
    };
    checklist.edit(last, &deferred).unwrap();
    stage.event(
        "main",
        EventKind::Checklist {
            checklist,
            nudges: 0,
        },
    );
    let note = |name: &str, bytes, ago_s: i64, origin| ScratchpadInfo {
        name: name.to_owned(),
        agent: AgentId::main(),
        bytes,
        updated_ms: NOW_MS - ago_s * 1000,
        origin,
    };
    let shell = ScratchpadOrigin::Spill {
        tool: "shell_execute".to_owned(),
    };
    stage.event(
        "main",
        EventKind::Scratchpad(vec![
            note("build_log", 62_464, 120, shell),
            note("api_notes", 2_048, 300, ScratchpadOrigin::Agent),
            note("plan", 1_024, 540, ScratchpadOrigin::Person),
        ]),
    );
    let gauge = ContextGauge {
        used: 84_000,
        window: Some(200_000),
        ceiling_percent: 85,
        reported: true,
        shares: WindowShares {
            system: 6_000,
            tools: 9_000,
            conversation: 28_000,
            outputs: 41_000,
        },
    };
    stage.event("main", EventKind::Context(gauge));
    let usage = Usage {
        input: 98_700,
        cached: 70_000,
        output: 4_000,
        cost: Some(0.41),
    };
    stage.event("main", EventKind::Usage(usage));
}

/// An approval that a sub-agent asks for.
pub(crate) fn approval(id: u64) -> ApprovalRequest {
    let rule = |verdict| Rule {
        action: "shell_execute".to_owned(),
        resource: "cargo test *".to_owned(),
        verdict,
    };
    ApprovalRequest {
        id: RequestId(id),
        agent: AgentId::new(TESTS),
        lineage: vec!["main".to_owned(), TESTS.to_owned()],
        call: CallId::new(format!("a{id}")),
        tool: "shell_execute".to_owned(),
        arguments: json!({"command": "cargo test --test retry", "timeout_ms": 120_000}),
        subject: "cargo test --test retry".to_owned(),
        preview: None,
        previewed: Vec::new(),
        circumstances: Some(Circumstances {
            folder: "/home/ada/src/fetcher".to_owned(),
            risk: Risk::Execution,
            findings: Findings::default(),
            network: Network::All,
            confinement: Confinement::Nothing,
            is_attended: false,
        }),
        judgement: Judgement {
            verdict: Verdict::Ask,
            reason: "shell at workspace, no rule".to_owned(),
            path: vec![DecisionStep {
                stage: "mode".to_owned(),
                says: "adaptive asks for the first of a kind".to_owned(),
                decided: true,
            }],
        },
        hash: format!("hash-{id}"),
        offers: Offers {
            session_rule: Some(rule(Verdict::Allow)),
            ..Offers::default()
        },
        editable: Some("command".to_owned()),
    }
}

/// A form with every kind of question.
pub(crate) fn form(id: u64) -> QuestionForm {
    let question = |text: &str, kind| Question {
        text: text.to_owned(),
        kind,
    };
    let options = |words: [&str; 3]| words.map(str::to_owned).to_vec();
    QuestionForm {
        id: RequestId(id),
        agent: AgentId::main(),
        lineage: vec!["main".to_owned()],
        call: CallId::new(format!("q{id}")),
        questions: vec![
            question(
                "Which back-off?",
                QuestionKind::Choice {
                    options: options(["constant", "doubling", "with jitter"]),
                    default: Some(1),
                },
            ),
            question(
                "Which answers are tried again?",
                QuestionKind::Multi {
                    options: options(["502", "503", "504"]),
                },
            ),
            question(
                "What is the longest wait?",
                QuestionKind::Text {
                    default: Some("30 s".to_owned()),
                },
            ),
            question(
                "Write a changelog entry?",
                QuestionKind::Confirm {
                    default: Some(true),
                },
            ),
        ],
    }
}

/// Words that stream in.
pub(crate) fn stream(stage: &mut Stage, text: &str) {
    stage.event("main", EventKind::Delta(Delta::Text(text.to_owned())));
}
