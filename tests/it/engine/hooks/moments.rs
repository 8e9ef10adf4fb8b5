//! When hooks are told, and of what; words that are kept from the model; turns that may not end.

use std::sync::Arc;

use quarterdeck::{
    domain::{
        hook::{Hook, HookEvent},
        record::{Record, Speaker, TurnOutcome},
    },
    engine::{
        command::{Command, Setting},
        options::{EngineOptions, NewProfile, NotRead, OpenedProfile, Profiles, Reading},
    },
    providers::{error::ProviderError, scripted::Reply},
};
use serde_json::{Value, json};

use super::world::{bench, bench_with, deeds, hook, last_request, reads_a_file, says};

#[tokio::test]
async fn each_moment_is_told_in_order_with_what_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let all: Vec<Hook> = HookEvent::ALL
        .iter()
        .map(|(name, event)| {
            hook(
                name,
                *event,
                &format!("cat >>{0}; echo >>{0}", log.display()),
            )
        })
        .collect();
    let mut bench = bench(all).await;
    reads_a_file(&bench);
    bench.say("read it");
    bench.turn_over().await;

    let log = std::fs::read_to_string(log).unwrap();
    let told: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    let events: Vec<&Value> = told.iter().map(|told| &told["event"]).collect();
    assert_eq!(
        events,
        [
            "pre_generation",
            "pre_tool_call",
            "post_tool_call",
            "turn_end"
        ]
    );
    assert_eq!(told[0]["words"], json!(["read it"]));
    assert_eq!(told[1]["tool"], "file_read");
    assert_eq!(told[1]["input"], json!({"path": "a.txt"}));
    assert_eq!(told[2]["status"], "done");
    assert!(told[2]["output"].as_str().unwrap().contains("content of a"));
    assert_eq!(told[2]["call"], told[1]["call"]);
    assert_eq!(told[3]["outcome"], "finished");
    assert_eq!(told[3]["words"], "Read.");
    for told in &told {
        assert_eq!(told["agent"], "main");
        assert_eq!(told["hook"], told["event"]);
        assert_eq!(told["cwd"], bench.folder.to_string_lossy().as_ref());
        assert_eq!(told["level"], "workspace");
        assert_eq!(told["session"], bench.session.as_str());
    }
    assert_eq!(deeds(&bench), Vec::<String>::new());
}

#[tokio::test]
async fn context_stands_in_front_of_the_words_that_it_was_added_to() {
    let adds = says(
        "weather",
        HookEvent::PreGeneration,
        &json!({"context": "it rains"}),
    );
    let mut bench = bench(vec![adds]).await;
    bench.script.reply(Reply::says("Take a coat."));
    bench.say("what shall I wear?");
    bench.turn_over().await;

    let told = last_request(&bench);
    let added = told.find("[context added by the hook weather]\\nit rains");
    let asked = told.find("what shall I wear?");
    assert!(added.is_some() && added < asked, "{told}");
}

#[tokio::test]
async fn blocked_words_never_reach_the_model_and_stay_in_the_log() {
    let blocks = "if grep -q secret; then echo 'a secret' >&2; exit 2; fi";
    let mut bench = bench(vec![hook("guard", HookEvent::PreGeneration, blocks)]).await;
    bench.script.reply(Reply::says("Hello."));

    bench.say("my secret is 1234");
    let blocked = bench.turn_over().await;
    bench.say("hello");
    let sent = bench.turn_over().await;

    assert_eq!(
        blocked,
        TurnOutcome::Stopped {
            reason: "the hook guard kept the message from the model: a secret".to_owned()
        }
    );
    assert_eq!(sent, TurnOutcome::Finished);
    assert_eq!(bench.script.requests().len(), 1);
    assert!(!last_request(&bench).contains("1234"));
    assert_eq!(
        deeds(&bench),
        ["guard blocked my secret is 1234 (a secret)"]
    );
}

#[tokio::test]
async fn a_required_hook_that_fails_keeps_the_words_from_the_model() {
    let mut guard = hook("guard", HookEvent::PreGeneration, "exit 1");
    guard.required = true;
    let mut bench = bench(vec![guard]).await;
    bench.say("hello");
    let outcome = bench.turn_over().await;

    assert!(
        matches!(outcome, TurnOutcome::Stopped { .. }),
        "{outcome:?}"
    );
    assert_eq!(bench.script.requests().len(), 0);
    assert_eq!(
        deeds(&bench),
        [
            "guard failed exit code 1 true",
            "guard blocked hello (it is required and failed: exit code 1)"
        ]
    );
}

#[tokio::test]
async fn a_turn_goes_on_when_a_hook_does_not_let_it_end_but_not_for_ever() {
    let never = says(
        "tests",
        HookEvent::TurnEnd,
        &json!({"decision": "deny", "reason": "run the tests"}),
    );
    let mut bench = bench(vec![never]).await;
    for _ in 0..4 {
        bench.script.reply(Reply::says("Done."));
    }
    bench.say("go");
    let outcome = bench.turn_over().await;

    assert_eq!(
        outcome,
        TurnOutcome::Stopped {
            reason: "the hook tests did not let the turn end 3 times".to_owned()
        }
    );
    assert_eq!(bench.script.requests().len(), 4);
    let told: Vec<String> = bench
        .records()
        .into_iter()
        .filter_map(|stored| match stored.record {
            Record::Said {
                speaker: Speaker::Program,
                text,
                ..
            } => Some(text),
            _ => None,
        })
        .collect();
    let word = "[the hook tests does not let the turn end: run the tests]";
    assert_eq!(told, [word; 3]);
}

/// Profiles of a folder that brings a hook of its own.
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
        let theirs = says(
            "theirs",
            HookEvent::PreToolCall,
            &json!({"context": "heard"}),
        );
        options.configured.hooks = if trusted {
            [theirs].into()
        } else {
            Arc::default()
        };
        Ok(Reading::default())
    }
}

#[tokio::test]
async fn a_projects_hook_is_heard_while_the_folder_is_trusted() {
    let mut bench = bench_with(Vec::new(), |options| {
        options.trusted = None;
        options.profiles = Arc::new(Project(Arc::clone(&options.profiles)));
    })
    .await;
    let mut heard = Vec::new();
    for trusted in [None, Some(true), Some(false)] {
        if let Some(trusted) = trusted {
            bench.send(Command::Configure(Setting::Trust(trusted)));
        }
        reads_a_file(&bench);
        bench.say("go");
        bench.turn_over().await;
        heard.push(deeds(&bench).len());
    }

    assert_eq!(heard, [0, 1, 1]);
}

#[tokio::test]
async fn a_session_with_hooks_looks_the_same_when_it_is_resumed() {
    let hooks = vec![
        says(
            "turn",
            HookEvent::PreToolCall,
            &json!({"input": {"path": "b.txt"}}),
        ),
        says(
            "after",
            HookEvent::PostToolCall,
            &json!({"context": "noted"}),
        ),
    ];
    let mut bench = bench(hooks).await;
    bench.file("b.txt", "content of b\n");
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;
    bench.script.reply(Reply::says("Again."));
    let before = last_request(&bench);

    let mut bench = bench.restart().await;
    bench.say("again");
    bench.turn_over().await;

    let after = last_request(&bench);
    let shared = before.trim_end_matches(']');
    assert!(after.starts_with(shared), "{before}\n{after}");
}
