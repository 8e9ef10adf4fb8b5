//! The folder's own files that act: what a command makes of them is told, and acts at no start before it was asked about.

use std::sync::Arc;

use quarterdeck::{
    cli::{
        arguments::WorkbenchArguments,
        environment::HiddenVariables,
        options as made,
        startup::{Setting as Place, Start},
    },
    config::{Paths, project::ProjectFiles},
    domain::{
        configured::seen::{Asking, Why},
        permission::{Level, Mode},
    },
    engine::{
        command::{Command, SessionCommand, Setting},
        event::EventKind,
        options::{EngineOptions, NewProfile, NotRead, OpenedProfile, Opening, Profiles, Reading},
    },
    process::{
        sandbox::{backend::Choice, wanted::SandboxSettings},
        supervisor,
    },
    providers::{error::ProviderError, scripted::Reply},
};
use serde_json::json;

use crate::support::{bench::Bench, cage::backends};

const MAKES: &str = "mkdir -p .quarterdeck && printf '[[hooks]]\\nevent = \"session_start\"\\ncommand = [\"touch\", \"acted\"]\\n' >.quarterdeck/config.toml";

fn notices(bench: &Bench) -> Vec<String> {
    let told = bench.seen.iter();
    told.filter_map(|event| match &event.kind {
        EventKind::Notice(notice) if notice.text.contains(".quarterdeck") => {
            Some(notice.text.clone())
        }
        _ => None,
    })
    .collect()
}

/// What the program would start with in the folder of the bench.
async fn next_start(bench: &Bench) -> EngineOptions {
    let home = bench.folder.parent().expect("a home");
    let place = Place {
        paths: Paths::below(home),
        cwd: bench.folder.clone(),
        is_named: true,
    };
    let start = Start::prepare(place, &WorkbenchArguments::default())
        .await
        .expect("it starts");
    made::engine(start, HiddenVariables::default(), Vec::new())
}

/// The profiles of the bench, with the program's own reading of the folder.
struct Answering {
    profiles: Arc<dyn Profiles>,
    read: Arc<dyn Profiles>,
}

impl Profiles for Answering {
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
        let read = self.read.configure(options, trusted);
        "test".clone_into(&mut options.default_profile);
        read
    }

    fn look_again(&self, options: &mut EngineOptions) -> Result<Option<Asking>, String> {
        let asking = self.read.look_again(options);
        "test".clone_into(&mut options.default_profile);
        asking
    }
}

async fn run(bench: &mut Bench, command: &str) {
    bench
        .script
        .reply(Reply::calls("shell_execute", json!({ "command": command })))
        .reply(Reply::says("ok"));
    bench.say("go");
    bench.turn_over().await;
}

#[tokio::test]
async fn what_a_sandboxed_command_makes_is_told_once_and_does_not_act_at_the_next_start() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    for backend in backends() {
        let mut bench = Bench::start_with(|options| {
            options.permissions.mode = Mode::Open;
            options.tools.sandbox = SandboxSettings {
                choice: Choice::Only(backend),
                ..SandboxSettings::none()
            };
        })
        .await;
        let seen = ProjectFiles::read(&bench.folder).seen().clone();
        let set = bench.store().set_trust(&bench.folder, true, seen);
        set.await.expect("stored");

        run(&mut bench, MAKES).await;
        run(&mut bench, "echo again").await;

        let told = ["a command made .quarterdeck/config.toml"];
        assert_eq!(
            notices(&bench),
            told,
            "{} {:?}",
            backend.name(),
            bench.texts()
        );
        let next = next_start(&bench).await;
        assert_eq!((next.trusted, next.asking.why), (None, Why::Altered));
        assert!(next.configured.hooks.is_empty());
    }
}

#[tokio::test]
async fn the_next_session_of_the_same_run_asks_first_too() {
    let bench = Bench::start().await;
    let set = bench
        .store()
        .set_trust(&bench.folder, true, Default::default());
    set.await.expect("stored");
    let made = next_start(&bench).await;
    let mut bench = bench
        .restart_with(|options| {
            options.opening = Opening::New;
            // The script answers; what is read of the folder is the program's own.
            let read = Arc::new(Answering {
                profiles: Arc::clone(&options.profiles),
                read: made.profiles,
            });
            options.profiles = read;
        })
        .await;
    bench.file(
        ".quarterdeck/config.toml",
        "[permissions]\nmode = \"strict\"\n",
    );

    bench.send(Command::Session(SessionCommand::New));
    bench.opened().await;

    let Some(EventKind::Opened(next)) = bench.seen.last().map(|event| &event.kind) else {
        panic!("not opened");
    };
    assert!(next.asks_trust && !next.settings.trusted);
    assert_eq!(next.settings.level, Level::Read);
    assert_eq!(next.asking.why, Why::Altered);
}

#[tokio::test]
async fn an_answer_after_the_files_changed_brings_the_question_again_and_then_counts() {
    let bench = Bench::start().await;
    let made = next_start(&bench).await;
    let mut bench = bench
        .restart_with(|options| {
            options.opening = Opening::New;
            options.trusted = None;
            let read = Arc::new(Answering {
                profiles: Arc::clone(&options.profiles),
                read: made.profiles,
            });
            options.profiles = read;
        })
        .await;
    bench.file(
        ".quarterdeck/config.toml",
        "[permissions]\nmode = \"strict\"\n",
    );

    bench.send(Command::Configure(Setting::Trust(true)));
    let asked = bench
        .until("the question", |event| {
            matches!(event.kind, EventKind::TrustAsked(_))
        })
        .await;
    let between = bench.store().trust(&bench.folder).await;
    bench.send(Command::Configure(Setting::Trust(true)));
    bench
        .until(
            "the settings",
            |event| matches!(&event.kind, EventKind::Settings(settings) if settings.trusted),
        )
        .await;

    let EventKind::TrustAsked(asking) = asked.kind else {
        panic!("not asked");
    };
    assert_eq!(asking.files.len(), 1);
    assert_eq!(between, Ok(None));
    let next = next_start(&bench).await;
    assert_eq!(next.trusted, Some(true));
    assert_eq!(next.permissions.mode, Mode::Strict);
}
