//! Hooks in real files: what is read, what is wrong and where, what a project may bring.

use std::path::Path;

use super::*;
use crate::config::{
    Paths, Sources, credentials::write_private, layers::Loaded, load, project::ProjectFiles,
};

struct World(tempfile::TempDir);

impl World {
    fn new(person: &str, project: &str) -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        write_private(&world.paths().config_file(), person).unwrap();
        write_private(&Paths::project_file(&world.project()), project).unwrap();
        world
    }

    fn paths(&self) -> Paths {
        Paths::below(&self.0.path().join("home"))
    }

    fn project(&self) -> std::path::PathBuf {
        self.0.path().join("project")
    }

    fn load(&self, project: Option<&Path>) -> Result<Loaded, Vec<String>> {
        let paths = self.paths();
        let file = paths.config_file().display().to_string();
        let loaded = load(&Sources {
            paths: &paths,
            project: project.map(ProjectFiles::read).as_ref(),
            environment: false,
            overrides: &[],
        });
        loaded.map_err(|errors| {
            let errors = errors.0.iter();
            errors
                .map(|error| error.to_string().replace(&file, "config.toml"))
                .collect()
        })
    }
}

#[test]
fn a_hook_that_says_little_is_careful() {
    let world = World::new(
        "[[hooks]]\nevent = \"post_tool_call\"\ncommand = [\"/opt/tools/check.sh\", \"-q\"]\n",
        "",
    );

    let hooks = world.load(None).unwrap().settings.hooks;

    assert_eq!(
        hooks,
        [Hook {
            name: "check.sh".to_owned(),
            event: HookEvent::PostToolCall,
            command: HookCommand::Words(vec!["/opt/tools/check.sh".to_owned(), "-q".to_owned()]),
            matcher: "*".to_owned(),
            timeout_ms: 10_000,
            required: false,
            sandbox: true,
        }]
    );
}

#[test]
fn everything_that_is_wrong_with_hooks_is_told_with_its_place() {
    let world = World::new(
        "[[hooks]]\nevent = \"pre_toolcall\"\ncommand = \"x\"\n\
         [[hooks]]\ncommand = \"x\"\n\
         [[hooks]]\nevent = \"turn_end\"\ncommand = \"x\"\nmatcher = \"file_*\"\n\
         [[hooks]]\nevent = \"pre_ask\"\ncommand = []\ntimeout = 5\ntimeout_ms = 5\n",
        "",
    );

    let errors = world.load(None).unwrap_err();

    assert_eq!(
        errors,
        [
            "error: `hooks.event` must be one of pre_tool_call, post_tool_call, pre_ask, post_ask, pre_generation, \
             turn_end, not \"pre_toolcall\"\n  --> config.toml:2:1\n  = help: did you mean \"pre_tool_call\"?",
            "error: a hook of `hooks` has no `event`\n  --> config.toml:5:1",
            "error: `hooks.matcher` says which tools or agents, and turn_end has none\n  --> config.toml:7:1",
            "error: `hooks.command` must be a command line, or a program and its arguments as a list of strings\n  \
             --> config.toml:12:1",
            "error: unknown key `hooks.timeout`\n  --> config.toml:13:1\n  = help: the keys of a hook are event, command, \
             name, matcher, timeout_ms, required, sandbox",
            "error: `hooks.timeout_ms` must be a whole number of milliseconds from 100 to 600000, not 5\n  \
             --> config.toml:14:1",
        ]
    );
}

#[test]
fn a_projects_hooks_come_behind_the_persons_once_it_is_trusted_and_stay_in_the_sandbox() {
    let world = World::new(
        "[[hooks]]\nevent = \"turn_end\"\ncommand = \"mine\"\nsandbox = false\n",
        "[[hooks]]\nevent = \"turn_end\"\ncommand = \"theirs\"\n\
         [[hooks]]\nevent = \"turn_end\"\ncommand = \"out\"\nsandbox = false\n",
    );
    let names = |loaded: &Loaded| -> Vec<String> {
        let hooks = loaded.settings.hooks.iter();
        hooks.map(|hook| hook.name.clone()).collect()
    };

    let untrusted = world.load(None).unwrap();
    let trusted = world.load(Some(&world.project())).unwrap();

    assert_eq!(names(&untrusted), ["mine"]);
    assert_eq!(names(&trusted), ["mine", "theirs"]);
    let notices: Vec<&str> = trusted
        .notices
        .iter()
        .map(|notice| notice.text.as_str())
        .collect();
    assert_eq!(
        notices,
        ["`hooks` of the project is left out: a project can only narrow what is allowed"]
    );
}
