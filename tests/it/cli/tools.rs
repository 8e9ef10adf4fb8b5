//! The list of tools.

use serde_json::{Value, json};

use super::program::{Program, Run};

#[test]
fn every_tool_is_listed_and_a_disabled_one_is_marked() {
    let program = Program::configured("tools.disabled = [\"ask_user\"]\n");

    let text = program.run(&["tool", "list"]);
    let listed = program.run(&["tool", "list", "--format", "json"]);

    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let rows = listed.as_array().unwrap();
    let names: Vec<&str> = quarterdeck::tools::registry::all()
        .map(|tool| tool.about().name)
        .collect();
    let listed_names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(listed_names, names);
    let off: Vec<&Value> = rows
        .iter()
        .filter(|row| row["enabled"] == json!(false))
        .map(|row| &row["name"])
        .collect();
    // The folder has no notebook, and the practice script runs on no server.
    let expected = ["notebook_edit", "ask_user", "model_unload"].map(|name| json!(name));
    assert_eq!(off, expected.iter().collect::<Vec<_>>());
    assert_eq!(text.out.lines().count(), names.len());
    let row = text.out.lines().find(|line| line.starts_with("ask_user "));
    assert_eq!(
        row.and_then(|row| row.split_whitespace().nth(1)),
        Some("off")
    );
}

#[test]
fn the_allow_list_and_the_block_list_and_levels_hold_under_every_name() {
    let program = Program::configured(
        "[tools]\nallowed = [\"bash\", \"file_read\", \"agent_list\"]\ndisabled = [\"read\"]\n\
         levels.file_find = \"unrestricted\"\n",
    );

    let listed = program.run(&["tool", "list", "--format", "json"]);

    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let rows = listed.as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == json!(name)).unwrap();
    let on: Vec<&Value> = rows
        .iter()
        .filter(|row| row["enabled"] == json!(true))
        .map(|row| &row["name"])
        .collect();
    assert_eq!(on, [&json!("shell_execute")]);
    for (name, why) in [
        ("file_read", "file_read is switched off by tools.disabled"),
        ("file_edit", "file_edit is not among tools.allowed"),
        (
            "agent_list",
            "agent_list is of no use without agent_spawn, which is off",
        ),
    ] {
        assert_eq!(row(name)["why_not"], json!(why));
    }
    assert_eq!(row("file_find")["level"], json!("unrestricted"));
    assert_eq!(row("file_edit")["level"], json!("workspace"));
    assert_eq!(row("file_edit")["risk"], json!("workspace-write"));
}

#[test]
fn the_list_says_what_each_tool_needs_at_the_least() {
    let listed = Program::new().run(&["tool", "list", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let rows = listed.as_array().unwrap();
    let level = |name: &str| {
        let row = rows.iter().find(|row| row["name"] == json!(name));
        row.unwrap_or_else(|| panic!("{name}"))["level"].clone()
    };

    for (needed, names) in [
        (
            "none",
            &[
                "checklist_add",
                "checklist_edit",
                "checklist_read",
                "scratchpad_write",
                "scratchpad_read",
                "scratchpad_edit",
                "scratchpad_list",
                "scratchpad_delete",
                "scratchpad_merge",
                "scratchpad_rename",
                "ask_user",
                "context_check",
            ][..],
        ),
        (
            "read",
            &[
                "file_read",
                "file_find",
                "file_search",
                "shell_inspect",
                "web_fetch",
                "scratchpad_load_file",
            ],
        ),
        (
            "workspace",
            &[
                "file_edit",
                "file_write",
                "save_answer",
                "scratchpad_save_file",
            ],
        ),
    ] {
        for name in names {
            assert_eq!(level(name), json!(needed), "{name}");
        }
    }
}

#[test]
fn an_agent_that_may_start_none_has_no_tools_for_them() {
    let program = Program::configured("agents.max_depth = 0\n");

    let listed = program.run(&["tool", "list"]);

    for name in ["agent_spawn", "agent_list"] {
        let row = listed.out.lines().find(|line| line.starts_with(name));
        let row = row.unwrap_or_default();
        assert!(
            row.contains(" off ") && row.contains("agents.max_depth"),
            "{row}"
        );
    }
}

#[test]
fn a_name_that_means_no_tool_is_refused_in_the_allow_list() {
    let run = Program::configured("tools.allowed = [\"file_raed\"]\n").run(&["tool", "list"]);
    assert!(
        run.err.contains("there is no tool `file_raed`"),
        "{}",
        run.err
    );
}

#[test]
fn a_tool_is_shown_under_its_name_and_its_aliases_with_its_schema() {
    let program = Program::new();

    let own = program.run(&["tool", "show", "checklist_add", "--format", "json"]);
    let shown: Value = serde_json::from_str(&own.out).unwrap();
    let alias = shown["aliases"][0].as_str().unwrap();
    let through_alias = program.run(&["tool", "show", alias, "--format", "json"]);
    let text = program.run(&["tool", "show", "checklist_add"]);

    assert_eq!(own, through_alias);
    assert_eq!(shown["schema"]["type"], json!("object"));
    assert!(text.out.starts_with("checklist_add\n\n"), "{}", text.out);
    assert!(text.out.contains("\nArguments:\n{"), "{}", text.out);
}

#[test]
fn an_unknown_tool_fails_with_a_way_on() {
    let program = Program::new();

    assert_eq!(
        program.run(&["tool", "show", "no_such_tool"]),
        Run {
            code: Some(1),
            out: String::new(),
            err: "error: there is no tool `no_such_tool`\n  = help: `qd tool list` shows them\n"
                .to_owned(),
        }
    );
}

const DECLARED: &str = r#"
[[tools.declared]]
name = "ticket_show"
description = "Shows a ticket.\nIn full."
command = ["tracker", "show", "{{id}}"]
parameters = [{ name = "id", type = "integer", description = "Its number." }]
"#;

#[test]
fn a_declared_tool_stands_behind_the_built_in_ones_and_filters_know_it() {
    let program = Program::configured(&format!(
        "[tools]\ndisabled = [\"ticket_show\"]\nlevels.ticket_show = \"workspace\"\n{DECLARED}\n\
         [[permissions.rules]]\naction = \"ticket_show\"\nverdict = \"ask\"\n"
    ));

    let text = program.run(&["tool", "list"]);
    let listed = program.run(&["tool", "list", "--format", "json"]);
    let shown = program.run(&["tool", "show", "ticket_show"]);

    assert_eq!(text.err, "");
    let last = text.out.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(words[..4], ["ticket_show", "off", "workspace", "execution"]);
    assert_eq!(
        words[4..].join(" "),
        "ticket_show is switched off by tools.disabled"
    );
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let rows = listed.as_array().unwrap();
    assert_eq!(rows.last().unwrap()["declared"], json!(true));
    assert_eq!(rows[0]["declared"], json!(false));
    assert!(
        shown.out.contains("\nRuns: tracker show {{id}}\n"),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("Required parameters: id."),
        "{}",
        shown.out
    );
}

#[test]
fn the_schema_of_a_declared_tool_says_in_words_what_is_required_and_possible() {
    let more = r#""Its number." },
        { name = "form", description = "How much.", enum = ["short", "long"], default = "short" },
        { name = "who", description = "Whose.", optional = true }"#;
    let declared = DECLARED
        .replace("\"Its number.\" }", more)
        .replace("\"{{id}}\"", "\"{{id}}\", \"{{form}}\", \"{{who}}\"");
    let program = Program::configured(&declared);

    let shown = program.run(&["tool", "show", "ticket_show", "--format", "json"]);

    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let schema = &shown["schema"];
    let own = |name: &str| schema["properties"][name].clone();
    assert_eq!(
        json!({"id": own("id"), "form": own("form"), "who": own("who")}),
        json!({
            "id": {"type": "integer", "description": "Its number."},
            "form": {"type": "string", "description": "How much. One of: short, long. Optional, default short."},
            "who": {"type": "string", "description": "Whose. Optional."},
        })
    );
    assert_eq!(schema.get("required"), None);
    let description = shown["description"].as_str().unwrap();
    assert!(
        description.ends_with("Required parameters: id. Give each parameter as its own field."),
        "{description}"
    );
}

#[test]
fn switching_off_the_list_of_agents_leaves_the_tool_that_starts_them() {
    let program = Program::configured("tools.disabled = [\"agent_list\"]\n");

    let listed = program.run(&["tool", "list", "--format", "json"]);

    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let rows = listed.as_array().unwrap().iter();
    let off: Vec<&Value> = rows
        .filter(|row| row["enabled"] == json!(false))
        .map(|row| &row["name"])
        .filter(|name| name.as_str().is_some_and(|name| name.starts_with("agent_")))
        .collect();
    assert_eq!(off, [&json!("agent_list")]);
}

#[test]
fn no_declared_tool_takes_the_name_of_another_tool() {
    for (name, why) in [
        ("shell_execute", "is the name of a built-in tool"),
        ("bash", "also means the built-in tool shell_execute"),
        ("ticket_show", "is the name of another declared tool"),
    ] {
        let other = DECLARED.replace("ticket_show", name);
        let program = Program::configured(&format!("{DECLARED}{other}"));

        let run = program.run(&["tool", "list"]);

        assert_eq!(run.code, Some(5), "{name}");
        let expected = format!("the tool `{name}` cannot be declared: it {why}");
        assert!(run.err.contains(&expected), "{}", run.err);
        assert!(run.err.contains("config.toml:"), "{}", run.err);
    }
}
