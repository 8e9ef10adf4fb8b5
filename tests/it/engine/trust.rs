//! Trust that is given while a session is open.

use std::sync::Arc;

use quarterdeck::{
    domain::{
        permission::{Level, Rule, Verdict},
        session::SessionSettings,
        tool::CallStatus,
    },
    engine::{
        command::{Command, SessionCommand, Setting},
        event::EventKind,
        options::{EngineOptions, NewProfile, NotRead, OpenedProfile, Profiles, Reading},
    },
    providers::{error::ProviderError, scripted::Reply},
};
use serde_json::json;

use crate::support::bench::Bench;

/// Profiles of a folder whose own configuration denies a file and switches a tool off, or cannot be read.
struct Project {
    profiles: Arc<dyn Profiles>,
    broken: bool,
}

impl Profiles for Project {
    fn list(&self) -> Vec<(String, String)> {
        self.profiles.list()
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        self.profiles.open(name)
    }

    fn add(&self, profile: &NewProfile) -> Result<(), String> {
        self.profiles.add(profile)
    }

    fn configure(&self, options: &mut EngineOptions, trusted: bool) -> Result<Reading, NotRead> {
        if self.broken {
            return Err(NotRead::Wrong("the project's file is broken".to_owned()));
        }
        options.permissions.rules.clear();
        options.configured.disabled.clear();
        if trusted {
            options.configured.disabled.push("file_find".to_owned());
            options.permissions.rules.push(Rule {
                action: "file_read".to_owned(),
                resource: "*.md".to_owned(),
                verdict: Verdict::Deny,
            });
        }
        Ok(Reading::default())
    }
}

async fn unasked(broken: bool) -> Bench {
    Bench::start_with(|options| {
        options.trusted = None;
        let profiles = Arc::clone(&options.profiles);
        options.profiles = Arc::new(Project { profiles, broken });
    })
    .await
}

/// The texts of results of a read and a listing.
async fn tried(bench: &mut Bench) -> [(CallStatus, String); 2] {
    let calls = Reply::new()
        .call("file_read", json!({"path": "a.md"}))
        .call("file_find", json!({"pattern": "*.md"}))
        .tool_calls();
    bench.script.reply(calls);
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    bench.turn_over().await;
    let mut results = bench.results();
    let mut latest = results.split_off(results.len() - 2);
    // They are stored as they come.
    latest.sort_by(|one, other| one.call.as_str().cmp(other.call.as_str()));
    let [read, found] = <[_; 2]>::try_from(latest).expect("two results");
    [read, found].map(|result| (result.status, result.text))
}

#[tokio::test]
async fn the_folders_own_rules_hold_as_soon_as_it_is_trusted_and_in_the_next_session() {
    let mut bench = unasked(false).await;
    bench.file("a.md", "text\n");
    let before = tried(&mut bench).await;

    bench.send(Command::Configure(Setting::Trust(true)));
    let after = tried(&mut bench).await;
    bench.send(Command::Session(SessionCommand::New));
    bench.opened().await;
    let EventKind::Opened(next) = &bench.seen.last().expect("an event").kind else {
        panic!("not opened");
    };
    let (SessionSettings { trusted, level, .. }, asks) = (next.settings.clone(), next.asks_trust);
    let later = tried(&mut bench).await;

    assert_eq!(before.map(|(status, _)| status), [CallStatus::Done; 2]);
    assert!(after[0].1.contains("a rule says"), "{after:?}");
    assert!(
        after[1].1.contains("switched off by tools.disabled"),
        "{after:?}"
    );
    assert_eq!((trusted, level, asks), (true, Level::Workspace, false));
    assert!(later[0].1.contains("a rule says"), "{later:?}");
    assert!(later[1].1.contains("there is no tool named"), "{later:?}");
}

#[tokio::test]
async fn a_folder_whose_configuration_is_broken_is_not_trusted() {
    let mut bench = unasked(true).await;

    bench.send(Command::Configure(Setting::Trust(true)));
    let told = bench
        .until("the reason", |event| {
            matches!(event.kind, EventKind::Notice(_))
        })
        .await;
    bench.send(Command::Session(SessionCommand::New));
    bench.opened().await;

    let EventKind::Notice(notice) = told.kind else {
        panic!("not a notice");
    };
    assert_eq!(notice.text, "the project's file is broken");
    let EventKind::Opened(next) = &bench.seen.last().expect("an event").kind else {
        panic!("not opened");
    };
    assert!(next.asks_trust);
    assert_eq!(next.settings.level, Level::Read);
}
