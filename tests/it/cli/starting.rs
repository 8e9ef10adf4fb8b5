//! What a start is made of: the folder of a resumed session, names of tools, settings that are read again.

use std::fs;

use quarterdeck::{
    cli::{
        arguments::WorkbenchArguments,
        environment::HiddenVariables,
        options,
        startup::{Setting, Start},
    },
    config::Paths,
    domain::{
        ids::AgentId,
        permission::{Level, Verdict},
        record::{Lane, Record, Speaker},
    },
    engine::options::Asked,
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
    store.set_trust(&other, true).await.unwrap();
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
    write(&Paths::project_file(&program.folder), "nonsense = 1\n");
    let error = profiles.configure(&mut options, true).unwrap_err();
    assert!(error.contains("nonsense"), "{error}");
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
