//! Layers over real files: what wins, what is wrong and where, what a project may not do.

use super::*;
use crate::{
    config::catalogue::SETTINGS,
    domain::{
        media::{MediaKind, MediaSupport},
        model_info::{ModelInfo, Price},
        permission::{Level, Mode, Network, Rule, Verdict},
    },
};

/// A home and a project.
struct World {
    _directory: tempfile::TempDir,
    paths: Paths,
    project: PathBuf,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().to_owned();
        Self {
            _directory: directory,
            paths: Paths::below(&root.join("home")),
            project: root.join("project"),
        }
    }

    fn person(self, text: &str) -> Self {
        write(&self.paths.config_file(), text);
        self
    }

    fn project(self, text: &str) -> Self {
        write(&Paths::project_file(&self.project), text);
        self
    }

    fn load(&self, overrides: &[Override]) -> Result<Loaded, ConfigErrors> {
        load(&Sources {
            paths: &self.paths,
            project: Some(&ProjectFiles::read(&self.project)),
            environment: false,
            overrides,
        })
    }

    /// The errors with the file's name in place of its path.
    fn errors(&self) -> Vec<String> {
        let ConfigErrors(errors) = self.load(&[]).unwrap_err();
        let person = self.paths.config_file().display().to_string();
        let project = Paths::project_file(&self.project).display().to_string();
        errors
            .iter()
            .map(|error| {
                error
                    .to_string()
                    .replace(&person, "config.toml")
                    .replace(&project, "project.toml")
            })
            .collect()
    }
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::io::Write::write_all(&mut fs::File::create(file).unwrap(), text.as_bytes()).unwrap();
}

fn flag(key: &'static str, words: &str) -> Override {
    Override {
        key,
        words: words.to_owned(),
        flag: "--flag",
    }
}

const CONTRACT: &str = r#"
default_profile = "main"

[accounts.local]
backend  = "openai-chat-completions"
base_url = "http://127.0.0.1:8080/v1"
api_key_env = "MY_KEY"

[profiles.main]
account = "local"
model = "some-model"
context_window = 200000
max_output_tokens = 16384
vision = true
price = { input = 3.0, cached = 0.3, output = 15 }

[permissions]
level = "workspace"
mode = "adaptive"
approvals = true
network = "all"
confine_reads = false
[[permissions.rules]]
action = "shell_execute"
resource = "git push *"
verdict = "ask"

[ui]
theme = "auto"
keymap = "default"
"#;

#[test]
fn the_contracts_example_is_read_whole() {
    let world = World::new().person(CONTRACT);

    let loaded = world.load(&[]).unwrap();

    let chosen = loaded.profile(loaded.first_profile()).unwrap();
    assert_eq!(
        chosen.model,
        ModelInfo {
            profile: "main".to_owned(),
            backend: "openai-chat-completions".to_owned(),
            model_id: "some-model".to_owned(),
            context_window: Some(200_000),
            max_output_tokens: Some(16_384),
            price: Some(Price {
                input: 3.0,
                cached: Some(0.3),
                output: 15.0
            }),
            is_script: false,
            thinking: crate::domain::model_info::Thinking::default(),
            media: MediaSupport {
                takes: [(MediaKind::Image, true)].into(),
                ..MediaSupport::default()
            },
        }
    );
    assert_eq!(chosen.account.base_url, "http://127.0.0.1:8080/v1");
    assert_eq!(chosen.profile.vision, Some(true));
    assert_eq!(
        loaded.settings.permissions.rules,
        [Rule {
            action: "shell_execute".to_owned(),
            resource: "git push *".to_owned(),
            verdict: Verdict::Ask
        }]
    );
    assert_eq!(
        loaded.profile_choices(),
        [
            ("main".to_owned(), "some-model".to_owned()),
            ("practice".to_owned(), "practice".to_owned())
        ]
    );
}

#[test]
fn without_any_file_everything_is_built_in_and_practice_is_there() {
    let world = World::new();

    let loaded = world.load(&[]).unwrap();

    assert_eq!(loaded, Loaded::default());
    assert_eq!(loaded.first_profile(), "practice");
    assert_eq!(loaded.own_profiles(), Vec::<&str>::new());
    let practice = loaded.profile("practice").unwrap();
    assert!(practice.model.is_script);
    assert_eq!(practice.model.backend, "practice");
}

#[test]
fn every_default_of_the_list_is_the_default_of_the_program() {
    for spec in SETTINGS.iter().filter(|spec| !spec.default.is_empty()) {
        let is_named = spec.key.contains('*');
        let key = spec.key.replace('*', "x");
        let filler = "[accounts.a]\nbackend = \"openai-chat-completions\"\nbase_url = \"http://h\"\n\
                      [profiles.x]\naccount = \"a\"\nmodel = \"m\"\n";
        let line = format!("{key} = {}\n{filler}", spec.default);
        let text = if is_named {
            filler.replace("[profiles.x]", "[profiles]\n[profiles.x]")
        } else {
            line
        };
        let world = World::new().person(&if is_named {
            text.clone() + key.rsplit('.').next().unwrap() + " = " + spec.default
        } else {
            text
        });
        let plain = World::new().person(filler);

        let loaded = world.load(&[]).unwrap();

        assert_eq!(loaded.settings, plain.load(&[]).unwrap().settings, "{key}");
    }
}

#[test]
fn a_later_layer_wins_and_every_value_remembers_where_it_came_from() {
    let world = World::new()
        .person("[permissions]\nmode = \"open\"\nnetwork = \"remote\"\n[ui]\ntheme = \"dark\"\n")
        .project("[permissions]\n\nmode = \"strict\"\n");

    let loaded = world.load(&[flag("permissions.network", "all")]).unwrap();

    let permissions = &loaded.settings.permissions;
    assert_eq!(permissions.mode, Mode::Strict);
    assert_eq!(permissions.network, Network::All);
    assert_eq!(permissions.level, Level::Workspace);
    let origin = |key: &str| loaded.origin(key).to_string();
    assert_eq!(
        origin("permissions.mode"),
        format!("{}:3:1", Paths::project_file(&world.project).display())
    );
    assert_eq!(origin("permissions.network"), "--flag on the command line");
    assert_eq!(
        origin("ui.theme"),
        format!("{}:5:1", world.paths.config_file().display())
    );
    assert_eq!(origin("permissions.level"), "built in");
}

#[test]
fn an_unknown_key_is_named_with_its_place_and_the_nearest_known_one() {
    let world = World::new().person(
        "defualt_profile = \"practice\"\nlevel = \"read\"\n\n[permissions]\n  levle = \"read\"\n\
         sandbox = true\n[mcp.x]\ncommand = \"y\"\n[accounts.a]\nbase-url = \"http://x\"\n",
    );

    assert_eq!(
        world.errors(),
        [
            "error: unknown key `defualt_profile`\n  --> config.toml:1:1\n  = help: did you mean `default_profile`?",
            "error: unknown key `level`\n  --> config.toml:2:1\n  = help: `level` belongs under [permissions]",
            "error: unknown key `permissions.levle`\n  --> config.toml:5:3\n  = help: did you mean `level`?",
            "error: unknown key `permissions.sandbox`\n  --> config.toml:6:1\n  = help: the keys of [permissions] are \
             level, mode, approvals, network, confine_reads, rules",
            "error: unknown key `mcp`\n  --> config.toml:7:2\n  = help: the keys are \
             default_profile, accounts, profiles, permissions, sandbox, ui, tools, hooks, agents, context",
            "error: unknown key `accounts.a.base-url`\n  --> config.toml:10:1\n  = help: did you mean `base_url`?",
        ]
    );
}

#[test]
fn a_wrong_value_says_what_it_must_be() {
    let world = World::new().person(
        "default_profile = \"\"\npermissions.level = \"raed\"\nui.mouse = \"yes\"\ntools.shell_timeout_ms = 10\n\
         agents = 3\ntools.disabled = [\"a\", 1]\nprofiles.x.price.input = -1.0\nui.theme = { a = 1 }\n\
         [accounts.a]\nbackend = \"gemini\"\n",
    );

    assert_eq!(
        world.errors(),
        [
            "error: `default_profile` must not be empty\n  --> config.toml:1:1",
            "error: `permissions.level` must be one of none, read, workspace, unrestricted, not \"raed\"\n  \
             --> config.toml:2:13\n  = help: did you mean \"read\"?",
            "error: `ui.mouse` must be true or false, not \"yes\"\n  --> config.toml:3:4",
            "error: `ui.theme` must be a string, not an inline table\n  --> config.toml:8:4",
            "error: `tools.shell_timeout_ms` must be a whole number from 1000 to 86400000, not 10\n  \
             --> config.toml:4:7",
            "error: `tools.disabled` must be a list of strings, not an array\n  --> config.toml:6:7",
            "error: `agents` is a table, not an integer\n  --> config.toml:5:1\n  = help: write [agents]",
            "error: `profiles.x.price.input` must be a number that is not negative, not -1\n  --> config.toml:7:18",
            "error: `accounts.a.backend` cannot be \"gemini\" yet\n  --> config.toml:10:1\n  \
             = help: this version speaks openai-chat-completions",
        ]
    );
}

#[test]
fn what_no_single_key_can_tell_is_found_too() {
    let world = World::new().person(
        "default_profile = \"mian\"\n[accounts.empty]\n[accounts.odd]\nbackend = \"openai-chat-completions\"\n\
         base_url = \"localhost:80\"\napi_key_env = \"A\"\napi_key_command = [\"b\"]\n[profiles.main]\n\
         account = \"od\"\nmodel = \"m\"\nprice = { input = 1.0 }\n[tools]\nshell_timeout_max_ms = 5000\n",
    );

    assert_eq!(
        world.errors(),
        [
            "error: `accounts.empty` has no `backend`\n  --> config.toml:2:11\n  \
             = help: backend = \"openai-chat-completions\"",
            "error: `accounts.empty` has no `base_url`\n  --> config.toml:2:11\n  \
             = help: base_url = \"http://127.0.0.1:8080/v1\"",
            "error: `accounts.odd.base_url` must begin with http:// or https://, not \"localhost:80\"\n  \
             --> config.toml:5:1",
            "error: `accounts.odd` has both `api_key_env` and `api_key_command`\n  --> config.toml:7:1\n  \
             = help: keep one of them",
            "error: there is no account `od`\n  --> config.toml:9:1\n  = help: did you mean `odd`?",
            "error: `profiles.main.price` needs both `input` and `output`\n  --> config.toml:8:11",
            "error: there is no profile `mian`\n  --> config.toml:1:1\n  = help: did you mean `main`?",
            "error: `tools.shell_timeout_ms` is 120000 and `tools.shell_timeout_max_ms` only 5000\n  \
             --> config.toml:13:1",
        ]
    );
}

#[test]
fn a_file_that_is_no_toml_is_named_with_the_line() {
    let world = World::new().person("[ui]\ntheme = \"dark\nkeymap = \"vim\"\n");

    let errors = world.errors();

    assert_eq!(errors.len(), 1);
    assert!(
        errors[0].starts_with("error: not valid TOML: "),
        "{errors:?}"
    );
    assert!(errors[0].contains("\n  --> config.toml:2:"), "{errors:?}");
}

#[test]
fn a_key_given_twice_is_an_error() {
    let world = World::new().person("[ui]\ntheme = \"a\"\ntheme = \"b\"\n");

    assert_eq!(
        world.errors(),
        ["error: not valid TOML: duplicate key\n  --> config.toml:3:1"]
    );
}

#[test]
fn the_practice_profile_cannot_be_replaced() {
    let world = World::new().person("[profiles.practice]\nmodel = \"x\"\n");

    assert_eq!(
        world.errors(),
        [
            "error: `practice` is built in and cannot be changed\n  --> config.toml:1:11\n  = help: choose another name"
        ]
    );
}

#[test]
fn a_rule_is_checked_key_by_key() {
    let world = World::new().person(
        "[[permissions.rules]]\naction = \"shell_execute\"\nverdict = \"alow\"\n\
         [[permissions.rules]]\nacton = \"x\"\nverdict = \"ask\"\n[[permissions.rules]]\naction = \"x\"\n",
    );

    assert_eq!(
        world.errors(),
        [
            "error: `permissions.rules.verdict` must be one of allow, ask, deny, not \"alow\"\n  \
             --> config.toml:3:1\n  = help: did you mean \"allow\"?",
            "error: unknown key `permissions.rules.acton`\n  --> config.toml:5:1\n  = help: did you mean `action`?",
            "error: a rule of `permissions.rules` has no `verdict`\n  --> config.toml:8:1",
        ]
    );
}

#[test]
fn a_project_can_only_narrow_what_is_allowed() {
    let wide = "[permissions]\nlevel = \"unrestricted\"\nmode = \"open\"\nnetwork = \"all\"\napprovals = true\n\
                rules = [{ action = \"file_write\", verdict = \"allow\" }, { action = \"*\", verdict = \"deny\", \
                resource = \"*.key\" }]\n\
                [agents]\nmax_depth = 16\nmax_running = 64\n[tools]\nshell_timeout_max_ms = 86400000\n\
                levels.shell_execute = \"none\"\n[ui]\ntheme = \"loud\"\n\
                [accounts.mine]\nbackend = \"openai-chat-completions\"\nbase_url = \"http://elsewhere\"\n";
    let world = World::new()
        .person(
            "[permissions]\nlevel = \"read\"\nmode = \"strict\"\nnetwork = \"none\"\napprovals = false\n\
             [tools.levels]\nshell_execute = \"unrestricted\"\n",
        )
        .project(wide);
    let alone = World::new().person(
        "[permissions]\nlevel = \"read\"\nmode = \"strict\"\nnetwork = \"none\"\napprovals = false\n\
         [tools.levels]\nshell_execute = \"unrestricted\"\n",
    );

    let loaded = world.load(&[]).unwrap();

    let mut expected = alone.load(&[]).unwrap().settings;
    expected.permissions.rules.push(Rule {
        action: "*".to_owned(),
        resource: "*.key".to_owned(),
        verdict: Verdict::Deny,
    });
    assert_eq!(loaded.settings, expected);
    let left_out: Vec<&str> = loaded
        .notices
        .iter()
        .filter_map(|notice| notice.text.split('`').nth(1))
        .collect();
    assert_eq!(
        left_out,
        [
            "permissions.level",
            "permissions.mode",
            "permissions.network",
            "permissions.approvals",
            "permissions.rules",
            "agents.max_depth",
            "agents.max_running",
            "tools.shell_timeout_max_ms",
            "tools.levels.shell_execute",
            "ui.theme",
            "accounts.mine.backend",
            "accounts.mine.base_url",
        ]
    );
    assert_eq!(
        loaded.notices[0].hint,
        Some(format!(
            "{}:2:1",
            Paths::project_file(&world.project).display()
        ))
    );
}

#[test]
fn a_project_may_narrow_and_may_ask_where_the_person_denies_nothing() {
    let narrow = "[permissions]\nlevel = \"read\"\nconfine_reads = true\n\
                  rules = [{ action = \"shell_execute\", resource = \"git push *\", verdict = \"ask\" }]\n\
                  [tools]\ndisabled = [\"web_fetch\"]\n[agents]\nmax_depth = 0\n[context]\nceiling_percent = 70\n";
    let free = World::new()
        .person("[tools]\ndisabled = [\"ask_user\"]\n")
        .project(narrow);
    let denies = World::new()
        .person("permissions.rules = [{ action = \"bash\", verdict = \"deny\" }]")
        .project(narrow);

    let free = free.load(&[]).unwrap();
    let denies = denies.load(&[]).unwrap();

    assert_eq!(free.notices, []);
    assert_eq!(free.settings.permissions.level, Level::Read);
    assert!(free.settings.permissions.confine_reads);
    assert_eq!(free.settings.permissions.rules.len(), 1);
    assert_eq!(free.settings.tools.disabled, ["ask_user", "web_fetch"]);
    assert_eq!(free.settings.agents.max_depth, 0);
    assert_eq!(free.settings.context.ceiling_percent, 70);
    assert_eq!(denies.notices.len(), 1);
    assert_eq!(denies.settings.permissions.rules.len(), 1);
}

#[test]
fn a_projects_file_is_not_even_read_before_the_folder_is_trusted() {
    let world = World::new().project("this is { not toml");

    let untrusted = load(&Sources {
        paths: &world.paths,
        project: None,
        environment: false,
        overrides: &[],
    });

    assert_eq!(untrusted, Ok(Loaded::default()));
    assert!(world.load(&[]).is_err());
}

#[test]
fn a_pipe_in_the_place_of_a_file_holds_nothing_up() {
    let world = World::new();
    let file = Paths::project_file(&world.project);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, mode, 0).unwrap();

    let errors = world.load(&[]).unwrap_err().to_string();

    assert!(errors.contains("this is not a file"), "{errors}");
}

#[test]
fn variables_that_hold_keys_are_found_without_reading_the_settings() {
    let world = World::new().person(
        "# api_key_env = \"OLD\"\n[accounts.a]\napi_key_env = \"ACME\"\n[accounts]\n\
         b = { api_key_env='OTHER' }\nc.\"api_key_env\" = \"THIRD\"\nbroken = {",
    );

    assert_eq!(
        key_variables(&world.paths),
        ["OLD", "ACME", "OTHER", "THIRD"]
    );
    assert_eq!(key_variables(&World::new().paths), Vec::<String>::new());
}

#[test]
fn a_flag_with_a_wrong_value_names_the_flag() {
    let world = World::new();

    let ConfigErrors(errors) = world
        .load(&[
            flag("permissions.level", "raed"),
            flag("default_profile", "practise"),
        ])
        .unwrap_err();

    let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "error: `permissions.level` must be one of none, read, workspace, unrestricted, not \"raed\"\n  \
             --> --flag on the command line\n  = help: did you mean \"read\"?"
        ]
    );
    let unknown = world
        .load(&[flag("default_profile", "practise")])
        .unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "error: there is no profile `practise`\n  --> --flag on the command line\n  = help: did you mean `practice`?"
    );
}
