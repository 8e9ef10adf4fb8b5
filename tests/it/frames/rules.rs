//! Rules: made of an answer, listed and taken back.

use quarterdeck::{
    domain::{
        agent::Authority,
        agent_policy::{AgentPermissions, RuleOrigin},
        approval::{ApprovalDecision, ApprovalRequest},
        ids::{AgentId, CallId},
        permission::{Grant, JudgedCall, Judgement, Level, Network, Rule, Scope, Verdict},
    },
    engine::{
        command::{Command, Fetch, SessionCommand},
        event::{Covered, EventKind, Fetched, Rules},
    },
    ui::Effect,
};

use super::approvals::{ask, go};
use crate::support::{
    golden::{NOW_MS, Stage},
    sample,
    talk::Talk,
};

fn rule(resource: &str) -> Rule {
    Rule {
        action: "shell_execute".to_owned(),
        resource: resource.to_owned(),
        verdict: Verdict::Allow,
    }
}

fn ruled() -> ApprovalRequest {
    let patterns = ["cargo test --test retry", "cargo test *", "cargo *"];
    let mut request = sample::approval(1);
    request.offers.patterns = patterns.map(str::to_owned).to_vec();
    request
}

/// A request with the rule line open.
fn line(columns: u16, rows: u16) -> Talk {
    let mut talk = Talk::new(columns, rows);
    talk.said("run the tests");
    ask(&mut talk.stage, ruled());
    go(&mut talk.stage);
    talk.stage.take_effects();
    talk.stage.press("p");
    talk
}

/// The engine says that so many earlier calls are covered, and perhaps the one that is asked about.
fn covers(stage: &mut Stage, resource: &str, earlier: &[&str], this: bool) {
    let call = |id: String| (AgentId::main(), CallId::new(id));
    let mut calls: Vec<_> = (0..earlier.len())
        .map(|id| call(format!("e{id}")))
        .collect();
    calls.extend(this.then(|| call("a1".to_owned())));
    let covered = Covered {
        rules: resource.lines().map(rule).collect(),
        of: 14,
        subjects: earlier
            .iter()
            .map(|subject| (*subject).to_owned())
            .collect(),
        calls,
    };
    stage.event("main", EventKind::Fetched(Fetched::Covered(covered)));
}

fn asked(effects: &[Effect]) -> Vec<String> {
    let asked = effects.iter().filter_map(|effect| match effect {
        Effect::Send(Command::Fetch(Fetch::Covered(rules))) => {
            let patterns: Vec<&str> = rules.iter().map(|rule| rule.resource.as_str()).collect();
            Some(patterns.join("\n"))
        }
        _ => None,
    });
    asked.collect()
}

#[test]
fn the_rule_line_shows_what_the_rule_would_have_answered() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = line(columns, rows);
        covers(
            &mut talk.stage,
            "cargo test *",
            &["cargo test -q", "cargo test --lib", "cargo test -q"],
            true,
        );

        talk.stage.check(&format!("rule_line_{columns}x{rows}"));

        talk.stage.press("esc");
        assert!(talk.stage.grid().contains("once"), "{}", talk.stage.grid());
    }
}

/// A line of several commands has a rule for each of them.
#[test]
fn several_patterns_are_several_rules() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = Talk::new(columns, rows);
        talk.said("build it");
        let patterns = [
            "git status; make all",
            "git status *\nmake all *",
            "git *\nmake *",
        ];
        let mut request = sample::approval(1);
        request.offers.patterns = patterns.map(str::to_owned).to_vec();
        request.subject = patterns[0].to_owned();
        request.arguments = serde_json::json!({ "command": patterns[0] });
        ask(&mut talk.stage, request);
        go(&mut talk.stage);
        talk.stage.take_effects();
        let stage = &mut talk.stage;
        stage.press("p");
        assert_eq!(asked(&stage.take_effects()), ["git status *\nmake all *"]);
        covers(stage, "git status *\nmake all *", &["git status"], true);
        stage.check(&format!("rule_line_several_{columns}x{rows}"));
        stage.advance(1_100);
        stage.press("enter");

        let grant = |resource| said(resource, Verdict::Allow, Scope::Session, None);
        assert_eq!(
            stage.take_decisions(),
            [ApprovalDecision::Rule {
                grant: grant("git status *"),
                more: vec![grant("make all *")],
            }]
        );
    }
}

#[test]
fn enter_makes_the_rule_with_its_scope_and_end_once_it_has_stood_to_be_seen() {
    let mut talk = line(120, 40);
    let stage = &mut talk.stage;
    assert_eq!(asked(&stage.take_effects()), ["cargo test *"]);
    covers(stage, "cargo test *", &["cargo test -q"], true);
    stage.press("tab");
    stage.press("shift+tab");
    stage.press("shift+tab");

    stage.press("enter");
    assert_eq!(stage.take_decisions(), [], "it came too fast");
    stage.advance(1_100);
    stage.press("enter");

    let grant = Grant {
        rule: rule("cargo test *"),
        scope: Scope::Project,
        expires_ms: Some(NOW_MS + 1_700 + 7 * 24 * 3_600_000),
        kind: false,
    };
    assert_eq!(
        stage.take_decisions(),
        [ApprovalDecision::Rule {
            grant,
            more: Vec::new()
        }]
    );
}

#[test]
fn tab_goes_from_the_session_up_to_everywhere_and_on_from_the_turn() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = line(columns, rows);
        let stage = &mut talk.stage;
        covers(stage, "cargo test *", &["cargo test -q"], true);
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(stage.grid());
            stage.press("tab");
        }
        for (grid, words) in seen.iter().zip([
            "in this session",
            "in this folder",
            "everywhere",
            "in this turn",
            "by this agent",
        ]) {
            assert!(grid.contains(words), "{words}: {grid}");
        }
        stage.press("tab tab tab");
        // A turn has no other end than its own.
        stage.press("shift+tab");

        stage.check(&format!("rule_line_turn_{columns}x{rows}"));
    }
}

#[test]
fn a_rule_for_the_agent_names_the_one_that_asks() {
    let mut talk = line(120, 40);
    let stage = &mut talk.stage;
    covers(stage, "cargo test *", &[], true);
    stage.press("tab tab tab tab");
    stage.advance(1_100);
    stage.press("enter");

    let scope = Scope::Agent(AgentId::main());
    let grant = said("cargo test *", Verdict::Allow, scope, None);
    assert_eq!(
        stage.take_decisions(),
        [ApprovalDecision::Rule {
            grant,
            more: Vec::new()
        }]
    );
}

#[test]
fn a_rule_that_does_not_cover_the_call_is_refused_with_words() {
    let mut talk = line(80, 24);
    let stage = &mut talk.stage;
    stage.take_effects();
    covers(stage, "cargo test *", &[], true);
    stage.type_text("x");
    assert_eq!(asked(&stage.take_effects()), [""; 0], "still being typed");
    stage.advance(200);
    assert_eq!(asked(&stage.take_effects()), ["cargo test *x"]);

    stage.advance(400);
    stage.press("enter");
    assert!(stage.grid().contains("not known yet"), "{}", stage.grid());
    covers(stage, "cargo test *x", &["cargo test max"], false);
    stage.advance(1_100);
    stage.press("enter");

    assert_eq!(stage.take_decisions(), []);
    let grid = stage.grid();
    assert!(grid.contains("does not cover the call"), "{grid}");
    stage.check("rule_line_elsewhere");
}

#[test]
fn arrows_walk_the_offered_patterns_and_typing_asks_one_question_at_a_time() {
    let mut talk = line(80, 24);
    let stage = &mut talk.stage;
    stage.take_effects();

    stage.press("down");
    stage.press("down");
    stage.press("up");
    stage.advance(300);
    assert_eq!(asked(&stage.take_effects()), [""; 0], "the first is out");
    covers(stage, "cargo test *", &[], true);

    assert_eq!(asked(&stage.take_effects()), ["cargo *"]);
    let lost = Command::Fetch(Fetch::Covered(vec![rule("cargo *")]));
    assert!(stage.grid().contains("looking at earlier calls"));
    stage.send(quarterdeck::ui::Message::Done(
        quarterdeck::ui::message::Done::Refused(Box::new(lost)),
    ));
    stage.advance(5_000);
    assert_eq!(asked(&stage.take_effects()), [""; 0], "no hammering");
    stage.press("enter");
    assert_eq!(asked(&stage.take_effects()), ["cargo *"]);
}

fn said(resource: &str, verdict: Verdict, scope: Scope, expires_ms: Option<i64>) -> Grant {
    Grant {
        rule: Rule {
            verdict,
            ..rule(resource)
        },
        scope,
        expires_ms,
        kind: false,
    }
}

fn told() -> Rules {
    let judged = |tool: &str, subject: &str, verdict: Verdict, ago_s: i64| JudgedCall {
        tool: tool.to_owned(),
        subject: subject.to_owned(),
        judgement: Judgement {
            verdict,
            reason: "adaptive asks for the first of a kind".to_owned(),
            path: sample::approval(1).judgement.path,
        },
        at_ms: NOW_MS - ago_s * 1_000,
    };
    Rules {
        grants: vec![
            said("cargo test *", Verdict::Allow, Scope::Session, None),
            said(
                "cargo *",
                Verdict::Allow,
                Scope::Project,
                Some(NOW_MS + 7 * 24 * 3_600_000),
            ),
            said("over *", Verdict::Allow, Scope::Session, Some(NOW_MS - 1)),
            said("git push\u{202e} *", Verdict::Deny, Scope::User, None),
            said("make *", Verdict::Allow, Scope::Turn(AgentId::main()), None),
            said(
                "npm test",
                Verdict::Allow,
                Scope::Agent(AgentId::new("scout_1a2b3c4d")),
                None,
            ),
        ],
        configured: vec![
            Rule {
                action: "file_write".to_owned(),
                resource: "docs/*".to_owned(),
                verdict: Verdict::Allow,
            },
            Rule {
                action: "shell_execute".to_owned(),
                resource: "terraform *".to_owned(),
                verdict: Verdict::Deny,
            },
        ],
        origins: vec![
            RuleOrigin {
                is_project: false,
                place: "~/.config/quarterdeck/config.toml:12".to_owned(),
            },
            RuleOrigin {
                is_project: true,
                place: "~/src/fetcher/.quarterdeck/con\u{202e}fig.toml:3".to_owned(),
            },
        ],
        agents: vec![(
            AgentId::new("scout_1a2b3c4d"),
            Authority {
                cap: Level::Workspace,
                network: Network::None,
                inherits: Vec::new(),
                policies: vec![policy()],
            },
        )],
        roots: vec!["/home/ada/src/fetcher".into()],
        disabled: vec!["web_fetch".to_owned()],
        judged: vec![
            judged("shell_execute", "cargo test", Verdict::Ask, 5),
            judged(
                "file_read",
                "/home/ada/src/fetcher/a.rs",
                Verdict::Allow,
                70,
            ),
        ],
    }
}

/// What the type of an agent says.
fn policy() -> AgentPermissions {
    let patterns = [("*", Verdict::Deny), ("cargo test *", Verdict::Allow)];
    let patterns = patterns.map(|(pattern, verdict)| (pattern.to_owned(), verdict));
    AgentPermissions {
        of: "scout".to_owned(),
        actions: [("shell_execute".to_owned(), patterns.into())].into(),
        answers: true,
    }
}

/// What the second agent of the tree may do.
fn scope(columns: u16, rows: u16) -> Stage {
    let mut stage = sample::session(columns, rows);
    stage.press("alt+3 j");
    stage.take_effects();
    stage.press("p");
    let asked = Effect::Send(Command::Fetch(Fetch::Rules));
    assert_eq!(stage.take_effects(), [asked]);
    let rules = Fetched::Rules(Box::new(told()));
    stage.event("main", EventKind::Fetched(rules));
    stage
}

#[test]
fn what_an_agent_may_do_is_shown_and_what_was_said_about_it_taken_back() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        scope(columns, rows).check(&format!("agent_scope_{columns}x{rows}"));
    }
    let mut stage = scope(80, 24);
    stage.press("x");
    assert_eq!(stage.take_effects(), []);
    assert!(
        stage.grid().contains("document of a type"),
        "{}",
        stage.grid()
    );

    stage.press("end x");

    let revoked = SessionCommand::Revoke(told().grants[5].rule.clone());
    assert_eq!(
        stage.take_effects(),
        [Effect::Send(Command::Session(revoked))]
    );
}

#[test]
fn a_rule_of_the_configuration_says_whose_it_is_and_where_it_stands() {
    let mut stage = list(80, 24, "/rules");
    stage.press("end enter");

    let grid = stage.grid();
    assert!(grid.contains("it is the project's and stands in"), "{grid}");
    assert!(grid.contains(r"con\u{202e}fig.toml:3"), "{grid}");
}

/// A list that this slash command opened and the engine filled.
fn list(columns: u16, rows: u16, slash: &str) -> Stage {
    let mut stage = sample::session(columns, rows);
    stage.press("alt+2");
    stage.type_text(slash);
    stage.press("enter");
    let effects = stage.take_effects();
    assert!(
        effects.contains(&Effect::Send(Command::Fetch(Fetch::Rules))),
        "{effects:?}"
    );
    let rules = Fetched::Rules(Box::new(told()));
    stage.event("main", EventKind::Fetched(rules));
    stage
}

#[test]
fn what_is_allowed_and_forbidden_is_listed_with_where_it_holds_and_until_when() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let stage = list(columns, rows, "/approvals");

        stage.check(&format!("rules_{columns}x{rows}"));
    }
}

#[test]
fn one_key_takes_back_what_the_person_said_and_nothing_of_the_configuration() {
    let mut stage = list(120, 40, "/approvals");
    stage.take_effects();
    stage.press("j j x");
    let revoked = SessionCommand::Revoke(told().grants[3].rule.clone());
    assert_eq!(
        stage.take_effects(),
        [Effect::Send(Command::Session(revoked))]
    );

    stage.event("main", EventKind::Grants(told().grants[..3].to_vec()));
    assert!(!stage.grid().contains("git push"), "{}", stage.grid());

    stage.press("x");
    assert_eq!(stage.take_effects(), []);
    let grid = stage.grid();
    assert!(grid.contains("stands in the configuration"), "{grid}");
}

#[test]
fn a_rule_of_ones_own_is_added_from_the_list_of_rules() {
    let mut stage = list(120, 40, "/rules");
    stage.take_effects();
    stage.press("a enter");
    assert_eq!(stage.take_effects(), []);
    stage.type_text("shell_execute");
    stage.press("down");
    stage.type_text("git push *");
    stage.press("down right down right down space");
    stage.check("rule_added");

    stage.press("enter");

    let midnight = (NOW_MS / 86_400_000 + 1) * 86_400_000;
    let grant = said("git push *", Verdict::Deny, Scope::Project, Some(midnight));
    assert_eq!(stage.take_effects(), [Effect::Send(Command::Grant(grant))]);
    assert!(stage.grid().contains("takes it back") || stage.grid().contains("adds a rule"));
}

#[test]
fn the_latest_judgements_lead_to_what_decided_them() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let stage = list(columns, rows, "/security");

        stage.check(&format!("judged_{columns}x{rows}"));
    }
    let mut stage = list(80, 24, "/security");
    stage.press("enter");
    let grid = stage.grid();
    assert!(grid.contains("▶ mode"), "{grid}");
    stage.press("esc");
    assert!(stage.grid().contains("What was judged"));
}
