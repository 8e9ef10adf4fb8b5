//! What hooks around a call may answer.

use quarterdeck::{
    domain::{
        approval::ApprovalDecision,
        hook::HookEvent,
        permission::Level,
        record::{Record, TurnOutcome},
        tool::CallStatus,
    },
    providers::scripted::Reply,
};
use serde_json::json;

use super::world::{bench, bench_with, deeds, hook, last_request, reads_a_file, says};

const PRE: HookEvent = HookEvent::PreToolCall;
const POST: HookEvent = HookEvent::PostToolCall;

#[tokio::test]
async fn a_denied_call_does_not_run_and_the_model_hears_why() {
    let denies = says(
        "gate",
        PRE,
        &json!({"decision": "deny", "reason": "not on Friday"}),
    );
    let mut bench = bench(vec![denies]).await;
    bench.script.reply(Reply::calls(
        "file_write",
        json!({"path": "new.txt", "content": "text"}),
    ));
    bench.script.reply(Reply::says("Well."));
    bench.say("go");

    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Refused);
    assert_eq!(
        result.text,
        "[file_write denied by the hook gate: not on Friday]"
    );
    assert!(!bench.folder.join("new.txt").exists());
    assert_eq!(deeds(&bench), ["gate denied not on Friday"]);
    assert!(last_request(&bench).contains("not on Friday"));
}

#[tokio::test]
async fn exit_code_2_denies_with_the_words_on_standard_error() {
    let mut bench = bench(vec![hook("gate", PRE, "echo 'no reading' >&2; exit 2")]).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(
        bench.texts(),
        ["[file_read denied by the hook gate: no reading]"]
    );
}

#[tokio::test]
async fn a_matcher_says_which_tools_a_hook_is_about_by_any_of_their_names() {
    let only = |name: &str, matcher: &str| {
        let mut hook = says(name, PRE, &json!({"context": "seen"}));
        hook.matcher = matcher.to_owned();
        hook
    };
    let hooks = vec![
        only("by name", "file_*"),
        only("by alias", "read_file"),
        only("other", "shell_*"),
    ];
    let mut bench = bench(hooks).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(deeds(&bench), ["by name added seen", "by alias added seen"]);
}

#[tokio::test]
async fn a_call_that_would_run_is_asked_about_when_a_hook_wants_it_once_for_what_was_shown() {
    let asks = says(
        "careful",
        PRE,
        &json!({"decision": "ask", "reason": "look first"}),
    );
    let mut bench = bench(vec![asks]).await;
    reads_a_file(&bench);
    bench.say("go");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    let reason = &request.judgement.reason;
    assert_eq!(reason, "the hook careful wants you asked: look first");
    assert_eq!(request.offers.session_rule, None);
    assert!(bench.texts()[0].contains("content of a"));
    assert_eq!(deeds(&bench), ["careful asked look first"]);
}

#[tokio::test]
async fn where_nobody_is_asked_a_hook_that_asks_refuses() {
    let asks = says("careful", PRE, &json!({"decision": "ask"}));
    let mut bench = bench_with(vec![asks], |options| options.permissions.approvals = false).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Refused);
    assert!(result.text.contains("approvals are off"), "{}", result.text);
}

#[tokio::test]
async fn changed_arguments_run_and_the_log_and_the_model_know_both_and_who() {
    let changes = says("turn", PRE, &json!({"input": {"path": "b.txt"}}));
    let mut bench = bench(vec![changes]).await;
    bench.file("b.txt", "content of b\n");
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    let text = &bench.texts()[0];
    let told = "[the hook turn changed the arguments of this call to {\"path\":\"b.txt\"}]\n";
    assert!(text.starts_with(told), "{text}");
    assert!(text.contains("content of b"), "{text}");
    assert_eq!(
        deeds(&bench),
        ["turn changed {\"path\":\"a.txt\"} to {\"path\":\"b.txt\"}"]
    );
    let called = bench
        .records()
        .into_iter()
        .find_map(|stored| match stored.record {
            Record::Reply { message, .. } => message.calls().next().cloned(),
            _ => None,
        });
    assert_eq!(called.expect("a call").arguments, json!({"path": "a.txt"}));
}

#[tokio::test]
async fn a_read_that_becomes_a_write_outside_is_judged_as_what_it_became() {
    let read_to = |command: &str| says("turn", PRE, &json!({"input": {"command": command}}));
    let mut bench = bench_with(vec![read_to("touch ../outside.txt; rm -rf /")], |options| {
        options.permissions.level = Level::Unrestricted;
    })
    .await;
    bench
        .script
        .reply(Reply::calls("shell_execute", json!({"command": "ls"})));
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    bench.turn_over().await;

    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Refused, "{}", result.text);
    assert!(
        result.text.starts_with("[the hook turn changed"),
        "{}",
        result.text
    );
    assert!(!bench.folder.join("../outside.txt").exists());
}

#[tokio::test]
async fn a_write_inside_that_becomes_one_outside_is_refused_though_it_was_allowed_before() {
    let script = r#"
        if grep -q '"a.txt"'; then echo '{}'
        else echo '{"input": {"path": "../outside.txt", "content": "x"}}'; fi"#;
    let mut bench = bench(vec![hook("turn", PRE, script)]).await;
    for name in ["a.txt", "b.txt"] {
        bench.script.reply(Reply::calls(
            "file_write",
            json!({"path": name, "content": "x"}),
        ));
    }
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Session);
    bench.turn_over().await;

    let statuses: Vec<CallStatus> = bench.results().iter().map(|result| result.status).collect();
    assert_eq!(statuses, [CallStatus::Done, CallStatus::Refused]);
    assert!(!bench.folder.join("../outside.txt").exists());
    assert!(!bench.folder.join("b.txt").exists());
}

/// B105: a hook writes other arguments than the model's.
#[tokio::test]
async fn what_is_asked_is_what_hooks_made_of_it_and_nothing_else_runs() {
    let changes = says(
        "turn",
        PRE,
        &json!({"input": {"path": "b.txt", "content": "from the hook"}}),
    );
    let mut bench = bench(vec![changes]).await;
    bench.script.reply(Reply::calls(
        "file_write",
        json!({"path": "a.txt", "content": "from the model"}),
    ));
    bench.script.reply(Reply::says("Done."));
    bench.say("go");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(
        request.arguments,
        json!({"path": "b.txt", "content": "from the hook"})
    );
    assert!(
        request
            .judgement
            .reason
            .ends_with("; the hook turn changed the arguments")
    );
    let written = std::fs::read_to_string(bench.folder.join("b.txt")).expect("a file");
    assert_eq!(written, "from the hook");
    assert!(!bench.folder.join("a.txt").exists());
}

#[tokio::test]
async fn what_the_person_wrote_instead_is_heard_by_hooks_and_asked_again_when_one_changes_it() {
    let script = r#"
        if grep -q '"content":"mine"'; then echo '{"input": {"path": "a.txt", "content": "ours"}}'
        else echo '{}'; fi"#;
    let mut bench = bench(vec![hook("turn", PRE, script)]).await;
    bench.script.reply(Reply::calls(
        "file_write",
        json!({"path": "a.txt", "content": "theirs"}),
    ));
    bench.script.reply(Reply::says("Done."));
    bench.say("go");
    let first = bench.approval().await;
    bench.decide(
        &first,
        ApprovalDecision::Edited {
            arguments: json!({"path": "a.txt", "content": "mine"}),
        },
    );

    let second = bench.approval().await;
    bench.decide(&second, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(second.arguments["content"], "ours");
    assert_ne!(first.hash, second.hash);
    let told = "[the hook turn changed the arguments of this call to {\"path\":\"a.txt\",\"content\":\"ours\"}]\n\
                [the person changed the arguments to {\"path\":\"a.txt\",\"content\":\"mine\"} before that]\n";
    let text = &bench.texts()[0];
    assert!(text.starts_with(told), "{text}");
    let written = std::fs::read_to_string(bench.folder.join("a.txt")).expect("a file");
    assert_eq!(written, "ours");
}

#[tokio::test]
async fn a_hook_hears_what_a_later_one_made_of_the_call() {
    let denies_b = r#"if grep -q '"b.txt"'; then echo 'not b' >&2; exit 2; fi"#;
    let changes = says("turn", PRE, &json!({"input": {"path": "b.txt"}}));
    let mut bench = bench(vec![hook("gate", PRE, denies_b), changes]).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(
        bench.texts(),
        ["[file_read denied by the hook gate: not b]"]
    );
}

#[tokio::test]
async fn hooks_that_do_not_agree_about_the_arguments_let_nothing_run() {
    let hooks = vec![
        says("one", PRE, &json!({"input": {"path": "b.txt"}})),
        says("two", PRE, &json!({"input": {"path": "c.txt"}})),
    ];
    let mut bench = bench(hooks).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(
        bench.texts(),
        [
            "[file_read denied by the hook one: it does not agree with the hook two about the arguments]"
        ]
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_let_nothing_run() {
    let changes = says("turn", PRE, &json!({"input": {"no_such_argument": 1}}));
    let mut bench = bench(vec![changes]).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Refused);
    assert!(
        result.text.contains("its arguments do not fit"),
        "{}",
        result.text
    );
}

#[tokio::test]
async fn context_of_a_call_comes_with_its_result() {
    let hooks = vec![
        says("before", PRE, &json!({"context": "know this"})),
        says("after", POST, &json!({"context": "and that"})),
    ];
    let mut bench = bench(hooks).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    let text = &bench.texts()[0];
    assert!(
        text.ends_with(
            "\n[context added by the hook after]\nand that\n[context added by the hook before]\nknow this"
        ),
        "{text}"
    );
}

#[tokio::test]
async fn context_of_a_call_that_did_not_run_is_told_all_the_same() {
    let adds = || says("before", PRE, &json!({"context": "know this"}));
    let denies = says("gate", PRE, &json!({"decision": "deny"}));
    for hooks in [vec![adds()], vec![adds(), denies]] {
        let mut bench = bench_with(hooks, |options| {
            options.permissions.level = Level::Read;
            options.permissions.approvals = false;
        })
        .await;
        bench.script.reply(Reply::calls(
            "file_write",
            json!({"path": "a.txt", "content": "x"}),
        ));
        bench.script.reply(Reply::says("Well."));
        bench.say("go");
        bench.turn_over().await;

        let result = &bench.results()[0];
        assert_eq!(result.status, CallStatus::Refused);
        let text = &result.text;
        assert!(
            text.ends_with("\n[context added by the hook before]\nknow this"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn hooks_that_write_the_same_in_other_words_agree() {
    let script = r#"
        if grep -q numbered; then echo '{"input": {"filePath": "b.txt", "numbered": true}}'
        else echo '{"input": {"filePath": "b.txt"}}'; fi"#;
    let hooks = vec![
        hook("one", PRE, script),
        says(
            "two",
            PRE,
            &json!({"input": {"path": "b.txt", "numbered": true}}),
        ),
    ];
    let mut bench = bench(hooks).await;
    bench.file("b.txt", "content of b\n");
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    let result = &bench.results()[0];
    assert_eq!(result.status, CallStatus::Done, "{}", result.text);
    assert!(
        result
            .text
            .starts_with("[the hook one and the hook two changed")
    );
}

#[tokio::test]
async fn an_output_is_replaced_for_the_model_and_an_objection_is_heard() {
    let hooks = vec![
        says("redact", POST, &json!({"output": "nothing to see"})),
        says(
            "critic",
            POST,
            &json!({"decision": "deny", "reason": "too short"}),
        ),
    ];
    let mut bench = bench(hooks).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(
        bench.texts(),
        [
            "[the hook redact replaced the output (14 characters)]\nnothing to see\n[the hook critic objects: too \
             short]"
        ]
    );
    assert!(!last_request(&bench).contains("content of a"));
    assert_eq!(
        deeds(&bench),
        ["redact replaced 14", "critic denied too short"]
    );
}

#[tokio::test]
async fn an_asked_agent_is_told_of_and_its_answer_replaced() {
    let pre = says("who", HookEvent::PreAsk, &json!({"context": "asked"}));
    let mut other = says("other", HookEvent::PreAsk, &json!({"decision": "deny"}));
    other.matcher = "reviewer".to_owned();
    let post = says(
        "short",
        HookEvent::PostAsk,
        &json!({"output": "in short: fine"}),
    );
    let mut bench = bench(vec![pre, other, post]).await;
    bench.script.reply_to(
        "main",
        Reply::calls(
            "agent_spawn",
            json!({"prompt": "look", "description": "look", "agent": "scout"}),
        ),
    );
    bench.script.reply_to("scout", Reply::says("a long report"));
    bench.script.reply_to("main", Reply::says("Well."));
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(deeds(&bench), ["who added asked", "short replaced 14"]);
    let text = bench.texts().pop().expect("a result");
    assert!(text.contains("in short: fine"), "{text}");
}

#[tokio::test]
async fn a_denied_ask_starts_no_agent() {
    let pre = says(
        "who",
        HookEvent::PreAsk,
        &json!({"decision": "deny", "reason": "alone"}),
    );
    let mut bench = bench(vec![pre]).await;
    bench.script.reply(Reply::calls(
        "agent_spawn",
        json!({"prompt": "look", "description": "look", "agent": "scout"}),
    ));
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    bench.turn_over().await;

    assert_eq!(bench.texts(), ["[ask denied by the hook who: alone]"]);
}
