//! Declared tools in real files: what is read, and what is wrong and where.

use serde_json::json;

use super::*;
use crate::config::{Paths, Sources, credentials::write_private, load};

fn load_text(text: &str) -> Result<Vec<DeclaredTool>, Vec<String>> {
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::below(home.path());
    write_private(&paths.config_file(), text).unwrap();
    let file = paths.config_file().display().to_string();
    let loaded = load(&Sources {
        paths: &paths,
        project: None,
        environment: false,
        overrides: &[],
    });
    match loaded {
        Ok(loaded) => Ok(loaded.settings.tools.declared),
        Err(errors) => {
            let errors = errors.0.iter();
            Err(errors
                .map(|error| error.to_string().replace(&file, "config.toml"))
                .collect())
        }
    }
}

#[test]
fn a_tool_is_read_with_all_that_it_says() {
    let tools = load_text(
        r#"
[[tools.declared]]
name = "ticket_show"
description = "Shows a ticket."
command = ["tracker", "show", "{{id}}", "--format={{format}}"]
parameters = [
  { name = "id", type = "integer", description = "Its number." },
  { name = "format", description = "How it looks.", enum = ["short", "long"], default = "short" },
]
"#,
    );

    let parameter = |name: &str, kind, description: &str| Parameter {
        name: name.to_owned(),
        kind,
        description: description.to_owned(),
        choices: Vec::new(),
        default: None,
        optional: false,
    };
    let expected = DeclaredTool {
        name: "ticket_show".to_owned(),
        description: "Shows a ticket.".to_owned(),
        parameters: vec![
            parameter("id", ParameterKind::Integer, "Its number."),
            Parameter {
                choices: vec![json!("short"), json!("long")],
                default: Some(json!("short")),
                ..parameter("format", ParameterKind::String, "How it looks.")
            },
        ],
        command: ["tracker", "show", "{{id}}", "--format={{format}}"]
            .map(str::to_owned)
            .to_vec(),
        input: ToolInput::Nothing,
        timeout_ms: None,
        level: Level::None,
        output: OutputForm::Terminal,
    };
    assert_eq!(tools, Ok(vec![expected]));
}

/// The only error of a tool with these lines behind its name and description.
fn error(lines: &str) -> String {
    let text = format!("[[tools.declared]]\nname = \"show\"\ndescription = \"Shows.\"\n{lines}\n");
    let mut errors = load_text(&text).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

#[test]
fn what_would_not_work_as_meant_is_told() {
    let id = "parameters = [{ name = \"id\", description = \"Number.\" }]";
    let table = [
        (String::new(), "a tool of `tools.declared` has no `command`"),
        ("command = \"a line\"".to_owned(), "must be the program and its arguments, as a list of strings"),
        (format!("command = [\"{{{{id}}}}\"]\n{id}"), "lets the model choose the program"),
        (format!("command = [\"x\", \"{{{{idd}}}}\", \"{{{{id}}}}\"]\n{id}"), "did you mean {{id}}?"),
        (format!("command = [\"x\"]\n{id}"), "does nothing with the parameter `id`"),
        (
            format!("command = [\"x\", \"{{{{id}}}}\"]\n{id}\nstdin = \"\"\nstdin_arguments = true"),
            "has both `stdin` and `stdin_arguments`",
        ),
        (
            "command = [\"x\", \"{{a}}\"]\nparameters = [{ name = \"a\", description = \"A.\", type = \"integer\", default = \"1\" }]".to_owned(),
            "`tools.declared.parameters.default` holds \"1\", which is no integer",
        ),
        (
            "command = [\"x\", \"{{a}}\"]\nparameters = [{ name = \"a\", description = \"A.\", enum = [\"b\"], default = \"c\" }]".to_owned(),
            "holds \"c\", which is no value of `enum`",
        ),
        (
            "command = [\"x\", \"{{a}}\"]\nparameters = [{ name = \"a\" }]".to_owned(),
            "a parameter of `tools.declared.parameters` has no `description`",
        ),
        ("command = [\"x\"]\nshell = true".to_owned(), "unknown key `tools.declared.shell`"),
        ("command = [\"x\"]\nparameters = \"id\"".to_owned(), "must be a list of parameters, not a string"),
    ];
    for (lines, expected) in table {
        let error = error(&lines);
        assert!(error.contains(expected), "{lines}\n{error}");
        assert!(error.contains("config.toml:"), "{error}");
    }
    let name =
        load_text("[[tools.declared]]\nname = \"a b\"\ndescription = \"A.\"\ncommand = [\"x\"]\n");
    assert!(name.unwrap_err()[0].contains("must be of letters, digits and `_`"));
}
