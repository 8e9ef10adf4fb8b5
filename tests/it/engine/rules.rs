//! Rules that a person makes of an answer: how long they hold, and where.

use quarterdeck::{
    domain::{
        approval::ApprovalDecision,
        ids::AgentId,
        permission::{Grant, Rule, Scope, Verdict},
        tool::CallStatus,
    },
    engine::{
        command::{Command, Fetch, SessionCommand},
        event::{EventKind, Fetched},
    },
    process::{
        sandbox::{
            backend::{Backend, Choice},
            probe::Enforced,
            wanted::SandboxSettings,
        },
        supervisor,
    },
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::{
    bench::Bench,
    cage::{Cage, backends},
};

fn rule(resource: &str) -> Rule {
    Rule {
        action: "shell_execute".to_owned(),
        resource: resource.to_owned(),
        verdict: Verdict::Allow,
    }
}

fn run(command: &str) -> Reply {
    Reply::calls("shell_execute", json!({"command": command}))
}

/// Runs a command and answers a question about it by a rule.
async fn made(scope: Scope) -> Bench {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(run("printf one"))
        .reply(Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;
    assert_eq!(
        request.offers.patterns,
        ["printf one", "printf one *", "printf *"]
    );
    let grant = Grant {
        rule: rule("printf *"),
        scope,
        expires_ms: None,
        kind: false,
    };
    bench.decide(
        &request,
        ApprovalDecision::Rule {
            grant,
            more: Vec::new(),
        },
    );
    bench.turn_over().await;
    bench
}

/// Whether the next run of another `printf` is asked about.
async fn is_asked(bench: &mut Bench) -> bool {
    bench
        .script
        .reply(run("printf two"))
        .reply(Reply::says("ok"));
    bench.asks_next().await
}

#[tokio::test]
async fn a_rule_of_the_project_holds_in_the_next_session_until_it_is_taken_back() {
    let mut bench = made(Scope::Project).await;
    assert!(!is_asked(&mut bench).await);

    bench.send(Command::Session(SessionCommand::New));
    bench.opened().await;
    assert!(!is_asked(&mut bench).await);

    bench.send(Command::Session(SessionCommand::Revoke(rule("printf *"))));
    assert!(is_asked(&mut bench).await);
    bench.send(Command::Session(SessionCommand::New));
    bench.opened().await;
    assert!(is_asked(&mut bench).await);
}

#[tokio::test]
async fn a_rule_of_the_session_ends_with_it() {
    let mut bench = made(Scope::Session).await;
    assert!(!is_asked(&mut bench).await);

    bench.send(Command::Session(SessionCommand::New));
    bench.opened().await;

    assert!(is_asked(&mut bench).await);
}

/// What is offered for a line of several commands covers it, and each of them by itself.
#[tokio::test]
async fn the_rules_for_a_line_of_several_commands_cover_it() {
    let mut bench = Bench::start().await;
    let asks = async |bench: &mut Bench, line: &str| {
        bench.script.reply(run(line)).reply(Reply::says("ok"));
        bench.asks_next().await
    };
    bench
        .script
        .reply(run("printf one; uname -a"))
        .reply(Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;
    let offered = request.offers.patterns.clone();
    assert_eq!(
        offered,
        [
            "printf one; uname -a",
            "printf one *\nuname *",
            "printf *\nuname *"
        ]
    );
    let rules: Vec<Rule> = offered[1].lines().map(rule).collect();
    bench.send(Command::Fetch(Fetch::Covered(rules.clone())));
    let event = bench
        .until("what the rules cover", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Covered(_)))
        })
        .await;
    let EventKind::Fetched(Fetched::Covered(covered)) = event.kind else {
        unreachable!()
    };
    assert!(
        covered
            .calls
            .contains(&(request.agent.clone(), request.call.clone()))
    );
    let mut grants = rules.into_iter().map(Grant::session);
    let decision = ApprovalDecision::Rule {
        grant: grants.next().unwrap(),
        more: grants.collect(),
    };
    bench.decide(&request, decision);
    bench.turn_over().await;

    assert!(!asks(&mut bench, "printf one; uname -a").await);
    assert!(!asks(&mut bench, "uname").await);
    assert!(asks(&mut bench, "printf two; uname").await);
}

/// An answer for the turn holds for what comes later in it.
#[tokio::test]
async fn a_rule_of_the_turn_ends_with_it() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(run("printf one"))
        .reply(run("printf two"))
        .reply(Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;
    let grant = Grant {
        rule: rule("printf *"),
        scope: Scope::Turn(AgentId::main()),
        expires_ms: None,
        kind: false,
    };
    bench.decide(
        &request,
        ApprovalDecision::Rule {
            grant,
            more: Vec::new(),
        },
    );
    bench.turn_over().await;
    let done = bench.results();
    assert_eq!(
        done.iter().map(|result| result.status).collect::<Vec<_>>(),
        [CallStatus::Done, CallStatus::Done]
    );

    assert!(is_asked(&mut bench).await);
    // Nor does it come back with the session.
    let mut bench = bench.restart().await;
    assert!(is_asked(&mut bench).await);
}

/// What one agent may do is asked about when another does it, and is over when the agent is removed.
#[tokio::test]
async fn a_rule_of_an_agent_holds_for_it_alone() {
    let mut bench = Bench::start().await;
    let spawn = |kind: &str| {
        let arguments = json!({"prompt": "print", "description": "print", "agent": kind});
        Reply::calls("agent_spawn", arguments)
    };
    let script = &bench.script;
    script.reply_to("main", spawn("one"));
    script.reply_to("one", run("printf one"));
    script.reply_to("one", run("printf again"));
    script.reply_to("one", Reply::says("done"));
    script.reply_to("main", run("printf main"));
    script.reply_to("main", Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;
    let agent = request.agent.clone();
    assert!(agent.as_str().starts_with("one_"), "{agent}");
    let grant = Grant {
        rule: rule("printf *"),
        scope: Scope::Agent(agent.clone()),
        expires_ms: None,
        kind: false,
    };
    bench.decide(
        &request,
        ApprovalDecision::Rule {
            grant,
            more: Vec::new(),
        },
    );

    let request = bench.approval().await;
    assert!(request.agent.is_main(), "{:?}", request.subject);
    bench.decide(&request, ApprovalDecision::Reject { words: None });
    bench.turn_over().await;

    bench.send(Command::DeleteAgent { agent });
    let told = bench
        .until("the grants", |event| {
            matches!(event.kind, EventKind::Grants(_))
        })
        .await;
    assert!(matches!(told.kind, EventKind::Grants(left) if left.is_empty()));
}

#[tokio::test]
async fn what_decides_and_what_a_rule_would_have_answered_can_be_asked_for() {
    let mut bench = made(Scope::User).await;
    assert_eq!(bench.results()[0].status, CallStatus::Done);

    bench.send(Command::Fetch(Fetch::Covered(vec![rule("printf *")])));
    let event = bench
        .until("what is covered", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Covered(_)))
        })
        .await;
    let EventKind::Fetched(Fetched::Covered(covered)) = event.kind else {
        panic!("not covered");
    };
    assert_eq!(
        (covered.of, covered.subjects.clone()),
        (1, vec!["printf one".to_owned()])
    );
    let (agent, call) = &covered.calls[0];
    assert!(agent.is_main());
    assert_eq!(call, &bench.results()[0].call);

    bench.send(Command::Fetch(Fetch::Rules));
    let event = bench
        .until("the rules", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Rules(_)))
        })
        .await;
    let EventKind::Fetched(Fetched::Rules(rules)) = event.kind else {
        panic!("not rules");
    };
    assert_eq!(rules.grants[0].scope, Scope::User);
    // Asked at first, then judged again before it ran.
    let judged = rules.judged.iter();
    let verdicts: Vec<(&str, Verdict)> = judged
        .map(|judged| (judged.subject.as_str(), judged.judgement.verdict))
        .collect();
    assert_eq!(
        verdicts,
        [("printf one", Verdict::Allow), ("printf one", Verdict::Ask)]
    );
}

#[tokio::test]
async fn the_tools_can_be_asked_for_with_the_reason_why_some_are_not_offered() {
    let mut bench = made(Scope::User).await;

    bench.send(Command::Fetch(Fetch::Tools));
    let event = bench
        .until("the tools", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Tools(_)))
        })
        .await;

    let EventKind::Fetched(Fetched::Tools(tools)) = event.kind else {
        panic!("no tools");
    };
    let left_out: Vec<(&str, &str)> = tools
        .iter()
        .filter_map(|tool| Some((tool.name.as_str(), tool.why_not.as_deref()?)))
        .filter(|(name, _)| name.starts_with("goal_"))
        .collect();
    let why = "there is no goal: /goal sets one";
    assert_eq!(left_out, [("goal_get", why), ("goal_update", why)]);
}

/// Where a sandbox holds them, the answer for one command stands for its kind, and for nothing else.
#[tokio::test]
async fn in_each_sandbox_that_holds_an_answer_stands_for_the_kind() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    for backend in backends() {
        let is_whole = Cage::new(backend)
            .state()
            .enforced()
            .is_some_and(Enforced::is_whole);
        let mut bench = Bench::start_with(|options| {
            options.tools.sandbox = SandboxSettings {
                choice: Choice::Only(backend),
                ..SandboxSettings::none()
            };
        })
        .await;
        bench
            .script
            .reply(run("touch one"))
            .reply(Reply::says("ok"));
        bench.say("go");
        let request = bench.approval().await;
        bench.decide(&request, ApprovalDecision::Session);
        bench.turn_over().await;

        let offered: Vec<&str> = request
            .offers
            .kinds
            .iter()
            .map(|rule| rule.resource.as_str())
            .collect();
        let expected: &[&str] = if is_whole { &["touch *"] } else { &[] };
        assert_eq!(offered, expected, "{}", backend.name());
        for (command, asked) in [
            ("touch two && touch three", !is_whole),
            ("touch four; rm one", true),
        ] {
            let before = bench.folder.join("one").exists();
            bench.script.reply(run(command)).reply(Reply::says("ok"));
            assert_eq!(
                bench.asks_next().await,
                asked,
                "{command} in {}",
                backend.name()
            );
            assert_eq!(bench.folder.join("one").exists(), before);
        }
        assert_eq!(bench.folder.join("three").exists(), is_whole);
    }
}

/// B116: no answer could make a command run while the sandbox that the person named does not work, so nobody is asked.
#[tokio::test]
async fn b116_where_the_named_sandbox_does_not_work_nothing_is_asked() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let elsewhere = if cfg!(target_os = "macos") {
        Backend::Landlock
    } else {
        Backend::Seatbelt
    };
    let mut bench = Bench::start_with(|options| {
        options.tools.sandbox = SandboxSettings {
            choice: Choice::Only(elsewhere),
            ..SandboxSettings::none()
        };
    })
    .await;
    bench
        .script
        .reply(run("touch one"))
        .reply(Reply::says("ok"));

    assert!(!bench.asks_next().await);

    let result = bench.results().pop().expect("a result");
    assert_eq!(result.status, CallStatus::Refused);
    assert!(
        result.text.contains("does not work here"),
        "{}",
        result.text
    );
    assert!(!bench.folder.join("one").exists());
}
