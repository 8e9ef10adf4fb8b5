//! What a start is made of: the folder of a resumed session, names of tools, settings that are read again.

use std::fs;

use quarterdeck::{
    cli::{
        arguments::WorkbenchArguments,
        environment::HiddenVariables,
        options,
        startup::{Setting, Start},
    },
    config::{Paths, project::ProjectFiles, trust::Trust},
    domain::{
        configured::seen::{Altered, Asking, Difference, Seen, Why},
        ids::AgentId,
        permission::{Level, Verdict},
        record::{Lane, Record, Speaker},
    },
    engine::options::{Asked, NotRead},
    store::StoreHandle,
};

use super::program::{Program, write};

fn setting(program: &Program, is_named: bool) -> Setting {
    Setting {
        paths: Paths::below(&program.home),
        cwd: program.folder.clone(),
        is_named,
    }
}

/// A session in another, trusted folder.
async fn elsewhere(program: &Program) -> (std::path::PathBuf, WorkbenchArguments) {
    let other = program.folder.parent().unwrap().join("other");
    fs::create_dir(&other).unwrap();
    let (store, _) = StoreHandle::open(program.store_places()).await.unwrap();
    let set = store.set_trust(&other, true, Seen::default());
    set.await.unwrap();
    let session = store.create_session(&other).await.unwrap();
    let said = Record::Said {
        speaker: Speaker::Person,
        lane: Lane::Steer,
        text: "hello".to_owned(),
    };
    store
        .append(&session.id, &AgentId::main(), said)
        .await
        .unwrap();
    store.close().await.unwrap();
    let arguments = WorkbenchArguments {
        resume: Some(session.id.to_string()),
        ..WorkbenchArguments::default()
    };
    (other, arguments)
}

#[tokio::test]
async fn a_session_goes_on_in_its_own_folder_unless_another_is_named() {
    let program = Program::new();
    let (other, arguments) = elsewhere(&program).await;

    let own = Start::prepare(setting(&program, false), &arguments)
        .await
        .unwrap();
    let named = Start::prepare(setting(&program, true), &arguments)
        .await
        .unwrap();

    assert_eq!((&own.setting.cwd, own.trust.answer()), (&other, Some(true)));
    assert_eq!(
        (&named.setting.cwd, named.trust.answer()),
        (&program.folder, None)
    );
}

#[tokio::test]
async fn a_session_whose_folder_is_gone_says_how_to_go_on() {
    let program = Program::new();
    let (other, arguments) = elsewhere(&program).await;
    fs::remove_dir(&other).unwrap();

    let failure = Start::prepare(setting(&program, false), &arguments)
        .await
        .unwrap_err();

    assert!(failure.text.contains("cannot work in"), "{}", failure.text);
    assert!(failure.text.contains("qd -C DIR -r ID"), "{}", failure.text);
}

#[tokio::test]
async fn tools_of_the_settings_have_their_own_names() {
    let program = Program::configured(
        "[tools]\ndisabled = [\"bash\"]\n[tools.levels]\nread = \"workspace\"\nfile_read = \"none\"\n",
    );
    let start = Start::prepare(setting(&program, false), &WorkbenchArguments::default())
        .await
        .unwrap();

    let options = options::engine(start, HiddenVariables::default(), Vec::new());

    assert_eq!(options.configured.disabled, ["shell_execute"]);
    let levels: Vec<(&str, Level)> = options
        .configured
        .levels
        .iter()
        .map(|(name, level)| (name.as_str(), *level))
        .collect();
    assert_eq!(levels, [("file_read", Level::Workspace)]);
}

#[tokio::test]
async fn settings_are_read_again_with_the_folders_own_and_the_flags() {
    let program = Program::new();
    let project = "[[permissions.rules]]\naction = \"shell_execute\"\nresource = \"make deploy\"\nverdict = \"deny\"\n";
    write(&Paths::project_file(&program.folder), project);
    let arguments = WorkbenchArguments {
        level: Some("unrestricted".to_owned()),
        ..WorkbenchArguments::default()
    };
    let start = Start::prepare(setting(&program, false), &arguments)
        .await
        .unwrap();
    let mut options = options::engine(start, HiddenVariables::default(), Vec::new());
    let profiles = std::sync::Arc::clone(&options.profiles);
    let before = options.permissions.rules.len();
    let seen = options.seen.clone();

    profiles.configure(&mut options, true).unwrap();
    let trusted = options.permissions.clone();
    profiles.configure(&mut options, false).unwrap();

    assert_eq!(before, 0);
    assert_eq!(trusted.rules[0].verdict, Verdict::Deny);
    assert_eq!(trusted.level, Level::Unrestricted);
    let asked = Asked {
        level: Some(Level::Unrestricted),
        ..Asked::default()
    };
    assert_eq!(trusted.asked, asked);
    assert_eq!(options.permissions.rules, []);
    assert_eq!(&seen, ProjectFiles::read(&program.folder).seen());
}

#[tokio::test]
async fn what_is_wrong_in_the_projects_settings_names_the_way_to_start_without_them() {
    let program = Program::new();
    write(&Paths::project_file(&program.folder), "nonsense = 1\n");
    let with = |trust: &str| WorkbenchArguments {
        trust: Some(trust.to_owned()),
        ..WorkbenchArguments::default()
    };

    let failure = Start::prepare(setting(&program, false), &with("yes"))
        .await
        .unwrap_err();

    assert!(failure.text.contains("nonsense"), "{}", failure.text);
    assert!(failure.text.contains("`--trust no`"), "{}", failure.text);
    let started = Start::prepare(setting(&program, false), &with("no")).await;
    assert!(started.is_ok());
}

fn altered(name: &str, how: Difference) -> Altered {
    Altered {
        name: name.to_owned(),
        how,
    }
}

const SETTINGS: &str = ".quarterdeck/config.toml";
const RULE: &str =
    "[[permissions.rules]]\naction = \"shell_execute\"\nresource = \"*\"\nverdict = \"deny\"\n";

/// Says that the folder is trusted, with its own files as they are.
async fn trust(program: &Program, seen: Seen) {
    let (store, _) = StoreHandle::open(program.store_places()).await.unwrap();
    let set = store.set_trust(&program.folder, true, seen);
    set.await.unwrap();
    store.close().await.unwrap();
}

async fn start(program: &Program, arguments: &WorkbenchArguments) -> Start {
    Start::prepare(setting(program, false), arguments)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_trusted_folder_is_asked_about_again_when_its_own_files_are_others() {
    let program = Program::new();
    let docs = program.folder.join(".quarterdeck/agents");
    write(&docs.join("old.md"), "---\ndescription: d\n---\nDo.\n");
    write(&docs.join("same.md"), "---\ndescription: d\n---\nDo.\n");
    let seen = ProjectFiles::read(&program.folder).seen().clone();
    trust(&program, seen).await;
    let arguments = WorkbenchArguments::default();
    let same = start(&program, &arguments).await;
    write(&Paths::project_file(&program.folder), RULE);
    fs::remove_file(docs.join("old.md")).unwrap();

    let other = start(&program, &arguments).await;
    let flagged = WorkbenchArguments {
        trust: Some("yes".to_owned()),
        ..WorkbenchArguments::default()
    };
    let forced = start(&program, &flagged).await;
    let after = start(&program, &arguments).await;

    assert_eq!(same.trust, Trust::Given);
    assert_eq!(other.trust, Trust::Unasked);
    assert_eq!(other.loaded.settings.permissions.rules, []);
    assert_eq!(other.loaded.agents.known.len(), 0);
    let files = vec![
        altered(SETTINGS, Difference::New),
        altered(".quarterdeck/agents/old.md", Difference::Gone),
    ];
    assert_eq!(other.asking, Asking::altered(files));
    assert_eq!(forced.trust, Trust::Given);
    assert_eq!(forced.loaded.settings.permissions.rules.len(), 1);
    assert_eq!(after.trust, Trust::Unasked, "a flag is for its run");
    let told = program.run(&["doctor"]).out;
    assert!(
        told.contains(
            "not trusted: its own files differ since you trusted it: new .quarterdeck/config.toml, \
             gone .quarterdeck/agents/old.md"
        ),
        "{told}"
    );
}

#[tokio::test]
async fn trust_without_what_was_seen_is_asked_once_more() {
    let program = Program::new();
    trust(&program, Seen::default()).await;
    rusqlite::Connection::open(program.store_places().database())
        .unwrap()
        .execute_batch("UPDATE trust SET seen = NULL")
        .unwrap();

    let asked = start(&program, &WorkbenchArguments::default()).await;

    assert_eq!(
        (asked.trust, asked.asking.why),
        (Trust::Unasked, Why::Older)
    );
}

#[tokio::test]
async fn an_answer_counts_for_the_files_that_were_asked_about_only() {
    let program = Program::new();
    write(&Paths::project_file(&program.folder), "# as it was\n");
    let started = start(&program, &WorkbenchArguments::default()).await;
    let mut options = options::engine(started, HiddenVariables::default(), Vec::new());
    let profiles = std::sync::Arc::clone(&options.profiles);
    write(&Paths::project_file(&program.folder), RULE);

    let first = profiles.configure(&mut options, true).unwrap_err();
    let rules = options.permissions.rules.len();
    let second = profiles.configure(&mut options, true).unwrap();

    let files = vec![altered(SETTINGS, Difference::Changed)];
    assert_eq!((first, rules), (NotRead::Altered(files), 0));
    assert_eq!(options.permissions.rules.len(), 1);
    assert_eq!(&second.seen, ProjectFiles::read(&program.folder).seen());
    write(&Paths::project_file(&program.folder), "nonsense = 1\n");
    profiles.configure(&mut options, true).unwrap_err();
    let wrong = profiles.configure(&mut options, true).unwrap_err();
    assert!(
        matches!(&wrong, NotRead::Wrong(text) if text.contains("nonsense")),
        "{wrong:?}"
    );
}

#[tokio::test]
async fn the_next_session_of_a_run_is_without_files_that_were_not_seen() {
    let program = Program::new();
    write(&Paths::project_file(&program.folder), RULE);
    let seen = ProjectFiles::read(&program.folder).seen().clone();
    trust(&program, seen).await;
    let started = start(&program, &WorkbenchArguments::default()).await;
    let mut options = options::engine(started, HiddenVariables::default(), Vec::new());
    let profiles = std::sync::Arc::clone(&options.profiles);
    let same = profiles.look_again(&mut options).unwrap();
    let kept = options.permissions.rules.len();
    write(
        &program.folder.join(".quarterdeck/agents/evil.md"),
        "---\ndescription: d\n---\nDo.\n",
    );

    let asking = profiles.look_again(&mut options).unwrap();

    assert_eq!((same, kept), (None, 1));
    let files = vec![altered(".quarterdeck/agents/evil.md", Difference::New)];
    assert_eq!(asking, Some(Asking::altered(files)));
    assert_eq!(options.permissions.rules.len(), 0);
    assert_eq!(options.configured.agents.known.len(), 0);
}
