//! What is printed can be read back.

use std::collections::BTreeSet;

use super::*;
use crate::config::{Paths, Sources, catalogue::SETTINGS, load};

const EVERYTHING: &str = r#"
default_profile = "my model"
[accounts.x]
backend = "openai-chat-completions"
base_url = "http://127.0.0.1:1/v1"
api_key_env = "KEY"
[accounts."other one"]
backend = "openai-chat-completions"
base_url = "https://h"
api_key_command = ["pass", "show", "a \"b\""]
[profiles.x]
account = "x"
model = "m"
context_window = 4096
max_output_tokens = 512
vision = true
pdf = false
video = true
effort = "high"
thinking = true
price = { input = 1, cached = 0.25, output = 2.5 }
[profiles."my model"]
account = "other one"
model = "a/b:c"
[permissions]
level = "read"
mode = "strict"
approvals = false
network = "remote"
confine_reads = true
rules = [{ action = "file_*", verdict = "deny", resource = "*.key" }, { action = "x", verdict = "allow" }]
[ui]
theme = "dark"
keymap = "vim"
mouse = false
links = false
[tools]
shell_timeout_ms = 5000
shell_timeout_max_ms = 6000
allowed = ["file_read", "x"]
disabled = ["ask_user"]
levels.file_read = "workspace"
[[tools.declared]]
name = "ticket"
description = "Shows a ticket."
command = ["tracker", "{{id}}", "--as={{form}}", "{{ratio}}", "{{loud}}"]
stdin = "{{id}} now"
timeout_ms = 900
level = "workspace"
output = "markdown"
[[tools.declared.parameters]]
name = "id"
type = "integer"
description = "Its number."
[[tools.declared.parameters]]
name = "form"
description = "How."
enum = ["short", "long"]
default = "short"
[[tools.declared.parameters]]
name = "ratio"
type = "number"
description = "Ratio."
default = 0.5
[[tools.declared.parameters]]
name = "loud"
type = "boolean"
description = "Loud."
optional = true
[[tools.declared]]
name = "all"
description = "Takes everything."
command = ["tracker"]
stdin_arguments = true
[[hooks]]
event = "pre_tool_call"
command = ["check", "a b"]
name = "gate"
matcher = "file_*"
timeout_ms = 500
required = true
sandbox = false
[[hooks]]
event = "turn_end"
command = "notify done"
[agents]
max_depth = 0
max_running = 1
[context]
ceiling_percent = 50
"#;

fn read(text: &str) -> Settings {
    let directory = tempfile::tempdir().unwrap();
    let paths = Paths::below(directory.path());
    crate::config::credentials::write_private(&paths.config_file(), text).unwrap();
    let loaded = load(&Sources {
        paths: &paths,
        project: None,
        environment: false,
        overrides: &[],
    });
    loaded.unwrap().settings
}

fn printed(settings: &Settings) -> String {
    values(settings)
        .iter()
        .map(|(key, value)| format!("{key} = {value}\n"))
        .collect()
}

#[test]
fn what_is_shown_reads_back_as_the_same_settings() {
    let everything = read(EVERYTHING);

    assert_eq!(read(&printed(&everything)), everything);
    assert_eq!(read(&printed(&Settings::default())), Settings::default());
}

#[test]
fn no_setting_is_left_out() {
    let shown: BTreeSet<String> = values(&read(EVERYTHING))
        .into_iter()
        .map(|(key, _)| key)
        .collect();

    for spec in SETTINGS {
        let in_x = spec.key.replace('*', "x");
        let in_other = spec.key.replace('*', "\"other one\"");
        let in_tool = spec.key.replace('*', "file_read");
        assert!(
            [in_x, in_other, in_tool]
                .iter()
                .any(|key| shown.contains(key)),
            "{} is not shown",
            spec.key
        );
    }
}
