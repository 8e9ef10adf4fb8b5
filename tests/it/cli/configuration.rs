//! Configuration: mistakes are named with file, line, key and hint, and end with exit code 5.

use quarterdeck::config::project::ProjectFiles;
use serde_json::{Value, json};

use super::program::{Program, Run, write};

#[test]
fn a_mistake_is_named_with_file_line_key_and_hint_and_exits_5() {
    let program = Program::configured(
        "[ui]\ntheme = \"dark\"\n\n[permissions]\nlevle = \"read\"\nmode = \"opne\"\n",
    );
    let file = program.config_file().display().to_string();
    let expected = Run {
        code: Some(5),
        out: String::new(),
        err: format!(
            "error: unknown key `permissions.levle`\n  --> {file}:5:1\n  = help: did you mean `level`?\n\n\
             error: `permissions.mode` must be one of strict, adaptive, open, not \"opne\"\n  --> {file}:6:1\n  \
             = help: did you mean \"open\"?\n"
        ),
    };

    for arguments in [
        &["config", "check"][..],
        &["config", "show"],
        &["tool", "list"],
    ] {
        assert_eq!(program.run(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_mistake_keeps_nobody_from_finding_and_reading_what_is_stored() {
    let program = Program::configured("nonsense\n");

    assert_eq!(program.run(&["config", "path"]).code, Some(0));
    assert_eq!(program.run(&["session", "list"]).code, Some(0));
    assert_eq!(program.run(&["tool", "show", "ask_user"]).code, Some(0));
}

#[test]
fn escapes_in_a_file_do_not_reach_the_terminal() {
    let program = Program::configured("\"\\u001B[31mred\\u202E\" = 1\n");

    let run = program.run(&["config", "check"]);

    assert_eq!(run.code, Some(5));
    assert!(run.err.contains("unknown key"), "{}", run.err);
    assert!(!run.err.contains(['\u{1b}', '\u{202e}']), "{:?}", run.err);
}

#[test]
fn a_tool_that_is_misspelt_would_stay_on_and_is_an_error() {
    let program = Program::configured("tools.disabled = [\"ask_usr\"]\n");
    let file = program.config_file().display().to_string();

    assert_eq!(
        program.run(&["config", "check"]),
        Run {
            code: Some(5),
            out: String::new(),
            err: format!(
                "error: there is no tool `ask_usr`\n  --> {file}:1:7\n  = help: `qd tool list` shows them\n"
            ),
        }
    );
}

/// A rule that forbids nothing looks like one that protects.
#[test]
fn a_rule_for_a_tool_that_is_not_there_is_named_with_its_place() {
    let program = Program::configured(
        "[[permissions.rules]]\naction = \"shell_exec\"\nverdict = \"deny\"\n\
         [[permissions.rules]]\naction = \"fiel_*\"\nverdict = \"ask\"\n\
         [[permissions.rules]]\naction = \"bash\"\nverdict = \"deny\"\n\
         [[permissions.rules]]\naction = \"file_*\"\nverdict = \"ask\"\n",
    );
    let file = program.config_file().display().to_string();
    let document = program.config_file().with_file_name("agents/careful.md");
    write(
        &document,
        "---\ndescription: Looks.\npermissions:\n  file_wrte: deny\n  bash: deny\n---\nLook.\n",
    );

    let run = program.run(&["config", "check"]);

    assert_eq!(
        run.err,
        format!(
            "warning: no tool is called `shell_exec`: the rule at {file}:2 does nothing\n  \
             = help: did you mean `shell_execute`?\n\
             warning: no tool is called `fiel_*`: the rule at {file}:5 does nothing\n  \
             = help: `qd tool list` shows them\n\
             warning: no tool is called `file_wrte`: the rule at {}:1 does nothing\n  \
             = help: did you mean `file_write`?\n",
            document.display()
        )
    );
    assert_eq!(run.code, Some(0));
}

#[test]
fn a_key_that_is_not_in_the_environment_is_a_warning() {
    let program = Program::configured(
        "[accounts.work]\nbackend = \"openai-chat-completions\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
         api_key_env = \"ACME\"\n",
    );

    let unset = program.run(&["config", "check"]);
    let set = program.run_with(&["config", "check"], &[("ACME", "k")]);

    assert_eq!(unset.code, Some(0));
    assert_eq!(
        unset.err,
        "warning: account work takes its key from ACME, which is not set in this environment\n"
    );
    assert_eq!((set.code, set.err), (Some(0), String::new()));
    assert!(unset.out.starts_with("ok"), "{}", unset.out);
}

#[test]
fn a_file_in_order_is_named_as_such() {
    let program = Program::configured("[ui]\ntheme = \"dark\"\n");
    let file = program.config_file().display().to_string();

    let checked = program.run(&["config", "check"]);
    let absent = Program::new();
    let unset = absent.run(&["config", "check"]);

    assert_eq!(checked.out, format!("ok  {file}\n"));
    assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""));
    let file = absent.config_file().display().to_string();
    assert_eq!(unset.out, format!("not there  {file}\n"));
    assert_eq!(unset.code, Some(0));
}

#[test]
fn what_a_profile_sets_to_no_effect_is_named() {
    let program = Program::configured(
        "[accounts.a]\nbackend = \"openai-chat-completions\"\nbase_url = \"https://api.mistral.ai/v1\"\n\
         [accounts.b]\nbackend = \"openai-chat-completions\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
         [profiles.one]\naccount = \"a\"\nmodel = \"m\"\nthinking = true\neffort = \"high\"\n\
         [profiles.two]\naccount = \"b\"\nmodel = \"m\"\nthinking = false\nvision = true\nvideo = true\n",
    );

    let checked = program.run(&["config", "check"]);

    assert_eq!(checked.code, Some(0));
    assert_eq!(
        checked.err,
        "warning: `profiles.one.thinking` is not sent: https://api.mistral.ai/v1 has no field for it; `effort` is\n\
         warning: `profiles.two.video` changes nothing: m cannot be sent video over openai-chat-completions\n"
    );
}

#[test]
fn every_value_is_shown_with_its_origin() {
    let program = Program::configured("[ui]\ntheme = \"dark\"\n");
    let file = program.config_file().display().to_string();

    let run = program.run_with(
        &["config", "show", "--format", "json"],
        &[("QD_PROFILE", "practice")],
    );
    let text = program.run(&["config", "show"]).out;

    let rows: Value = serde_json::from_str(&run.out).unwrap();
    let row = |key: &str| {
        let rows = rows.as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).unwrap().clone()
    };
    assert_eq!(
        row("ui.theme"),
        json!({"key": "ui.theme", "value": "dark", "origin": format!("{file}:2:1")})
    );
    assert_eq!(
        row("agents.max_depth"),
        json!({"key": "agents.max_depth", "value": 3, "origin": "built in"})
    );
    assert_eq!(
        row("default_profile"),
        json!({
            "key": "default_profile", "value": "practice", "origin": "environment variable QD_PROFILE"
        })
    );
    assert!(text.contains("permissions.level = \"workspace\""), "{text}");
    // The text form is a file that can be read back.
    assert!(toml::from_str::<toml::Table>(&text).is_ok(), "{text}");
}

#[test]
fn init_writes_a_commented_file_once() {
    let program = Program::new();
    let file = program.config_file();

    let first = program.run(&["config", "init"]);
    let written = std::fs::read_to_string(&file).unwrap();
    let second = program.run(&["config", "init"]);

    assert_eq!(first.out, format!("{}\n", file.display()));
    assert_eq!(first.code, Some(0));
    assert!(
        written
            .lines()
            .all(|line| line.is_empty() || line.starts_with('#'))
    );
    assert_eq!(second.code, Some(1));
    assert_eq!(
        second.err,
        format!(
            "error: {} is there already; it was not changed\n",
            file.display()
        )
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
    assert_eq!(program.run(&["config", "check"]).code, Some(0));
}

#[tokio::test]
async fn a_projects_file_counts_only_once_the_folder_is_trusted() {
    let program = Program::new();
    let project = program.folder.join(".quarterdeck/config.toml");
    write(
        &project,
        "[permissions]\nlevel = \"read\"\nmode = \"open\"\n",
    );
    let level = |run: &Run| {
        let line = run
            .out
            .lines()
            .find(|line| line.starts_with("permissions.level"));
        line.unwrap_or_default().to_owned()
    };

    let before = program.run(&["config", "show"]);
    let checked = program.run(&["config", "check"]);
    let (store, _) = quarterdeck::store::StoreHandle::open(program.store_places())
        .await
        .unwrap();
    let seen = ProjectFiles::read(&program.folder).seen().clone();
    let set = store.set_trust(&program.folder, true, seen);
    set.await.unwrap();
    store.close().await.unwrap();
    let after = program.run(&["config", "show"]);

    assert!(level(&before).contains("\"workspace\""), "{before:?}");
    assert_eq!(
        checked.err,
        format!(
            "warning: {} was not looked at: this folder is not trusted\n",
            project.display()
        )
    );
    assert!(level(&after).contains("\"read\""), "{after:?}");
    assert!(level(&after).ends_with(&format!("{}:2:1", project.display())));
    assert_eq!(
        after.err,
        format!(
            "warning: `permissions.mode` of the project is left out: a project can only narrow what is allowed\n  \
             = help: {}:3:1\n",
            project.display()
        )
    );
}

#[test]
fn places_are_printed_for_people_and_programs() {
    let program = Program::new();

    let text = program.run(&["config", "path"]);
    let object = program.run(&["config", "path", "--format", "json"]);

    let data = program.home.join("data").display().to_string();
    assert!(
        text.out
            .lines()
            .any(|line| line.starts_with("data ") && line.ends_with(&data)),
        "{}",
        text.out
    );
    let object: Value = serde_json::from_str(&object.out).unwrap();
    assert_eq!(object["data"], json!(data));
    assert_eq!(object["config_file"], json!(program.config_file()));
}

#[test]
fn a_hook_and_a_declared_tool_without_their_program_are_named() {
    let program = Program::configured(
        "[[hooks]]\nevent = \"turn_end\"\ncommand = [\"/no/such/hook\"]\n\
         [[hooks]]\nevent = \"turn_end\"\ncommand = [\"/bin/sh\"]\n\
         [[hooks]]\nevent = \"turn_end\"\ncommand = \"no-such-line\"\n\
         [[tools.declared]]\nname = \"t\"\ndescription = \"T.\"\ncommand = [\"./no/such/tool\"]\n",
    );

    let run = program.run(&["config", "check"]);

    assert_eq!(run.code, Some(0), "{}", run.err);
    let told: Vec<&str> = run
        .err
        .lines()
        .filter(|line| line.starts_with("warning"))
        .collect();
    assert_eq!(
        told,
        [
            "warning: the hook hook runs /no/such/hook, which is no program here",
            "warning: the declared tool t runs ./no/such/tool, which is no program here",
        ]
    );
}
