//! Adding to a file keeps what stands in it.

use super::*;
use crate::config::layers::{Sources, load};

fn local() -> NewProfile {
    NewProfile {
        name: "local".to_owned(),
        backend: "openai-chat-completions".to_owned(),
        base_url: "http://127.0.0.1:11434/v1".to_owned(),
        model_id: "qwen3:8b".to_owned(),
        api_key_env: None,
        context_window: Some(32_768),
    }
}

fn home(text: Option<&str>) -> (tempfile::TempDir, Paths) {
    let directory = tempfile::tempdir().unwrap();
    let paths = Paths::below(directory.path());
    if let Some(text) = text {
        write_private(&paths.config_file(), text).unwrap();
    }
    (directory, paths)
}

fn text(paths: &Paths) -> String {
    fs::read_to_string(paths.config_file()).unwrap()
}

fn first_profile(paths: &Paths) -> String {
    let loaded = load(&Sources {
        paths,
        project: None,
        environment: false,
        overrides: &[],
    })
    .unwrap();
    loaded.first_profile().to_owned()
}

#[test]
fn a_first_profile_makes_the_file() {
    let (_directory, paths) = home(None);

    add_profile(&paths, &local()).unwrap();

    assert_eq!(
        text(&paths),
        "default_profile = \"local\"\n\n\
         [accounts.local]\nbackend = \"openai-chat-completions\"\nbase_url = \"http://127.0.0.1:11434/v1\"\n\n\
         [profiles.local]\naccount = \"local\"\nmodel = \"qwen3:8b\"\ncontext_window = 32768\n"
    );
    assert_eq!(first_profile(&paths), "local");
}

#[test]
fn comments_order_and_spacing_of_the_file_stay() {
    let before = "# mine\ndefault_profile = \"main\"   # the good one\n\n[ui]\ntheme   = 'dark' # quiet\n\n\
                  [accounts.a]\nbackend = \"openai-chat-completions\"\nbase_url = \"http://h/v1\"\n\
                  [profiles.main]\naccount = \"a\"\nmodel = \"m\"\n# the end\n";
    let (_directory, paths) = home(Some(before));

    add_profile(&paths, &local()).unwrap();

    let after = text(&paths);
    for line in before.lines() {
        assert!(after.contains(line), "{line:?} is gone:\n{after}");
    }
    assert!(after.starts_with("# mine\ndefault_profile = \"main\"   # the good one\n\n[ui]\n"));
    assert!(after.contains("[accounts.local]\n"));
    assert_eq!(first_profile(&paths), "main");
}

#[test]
fn a_chosen_look_is_written_where_it_stood_and_nothing_else_moves() {
    let before = "# mine\n[ui]\ntheme   = 'dark' # quiet\n# the end\n";
    let (_directory, paths) = home(Some(before));

    set_ui(&paths, "theme", "light").unwrap();
    set_ui(&paths, "keymap", "vim").unwrap();

    assert_eq!(
        text(&paths),
        "# mine\n[ui]\ntheme   = \"light\" # quiet\nkeymap = \"vim\"\n# the end\n"
    );
}

#[test]
fn a_chosen_look_is_kept_without_a_file_and_refused_in_a_broken_one() {
    let (_directory, paths) = home(None);
    set_ui(&paths, "theme", "contrast").unwrap();
    assert_eq!(text(&paths), "[ui]\ntheme = \"contrast\"\n");

    let broken = "[ui\n";
    let (_directory, paths) = home(Some(broken));
    assert!(set_ui(&paths, "theme", "light").is_err());
    assert_eq!(text(&paths), broken);
}

#[test]
fn the_starter_file_changes_nothing_and_its_examples_are_right() {
    let (_directory, paths) = home(None);

    let (file, written) = init(&paths).unwrap();
    let again = init(&paths).unwrap();

    assert!(written);
    assert_eq!(again, (file.clone(), false));
    let starter = text(&paths);
    assert_eq!(first_profile(&paths), "practice");
    add_profile(&paths, &local()).unwrap();
    assert!(text(&paths).starts_with(&starter), "{}", text(&paths));
    assert_eq!(first_profile(&paths), "local");
    // Each example with its comment sign removed is a valid file.
    let examples: String = starter
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| line.starts_with('[') || line.contains(" = "))
        .map(|line| format!("{line}\n"))
        .collect();
    write_private(&paths.config_file(), &examples).unwrap();
    assert_eq!(first_profile(&paths), "main");
}

#[test]
fn a_taken_or_unusable_name_changes_nothing() {
    let (_directory, paths) = home(None);
    add_profile(&paths, &local()).unwrap();
    let before = text(&paths);

    for name in ["local", "practice", "", "a b", "a.b", "\u{202e}x"] {
        let profile = NewProfile {
            name: name.to_owned(),
            ..local()
        };
        assert!(add_profile(&paths, &profile).is_err(), "{name:?}");
    }
    let no_address = NewProfile {
        name: "other".to_owned(),
        base_url: "localhost".to_owned(),
        ..local()
    };
    assert!(add_profile(&paths, &no_address).is_err());

    assert_eq!(text(&paths), before);
}

#[test]
fn a_broken_file_is_reported_and_left_alone() {
    let broken = "[ui]\nthem = \"dark\"\n";
    let (_directory, paths) = home(Some(broken));

    let error = add_profile(&paths, &local()).unwrap_err();

    assert!(
        error.to_string().contains("unknown key `ui.them`"),
        "{error}"
    );
    assert_eq!(text(&paths), broken);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_a_link_stays_one() {
    let (directory, paths) = home(None);
    let real = directory.path().join("dotfiles.toml");
    write_private(&real, "# mine\n").unwrap();
    fs::create_dir_all(paths.config()).unwrap();
    std::os::unix::fs::symlink(&real, paths.config_file()).unwrap();

    add_profile(&paths, &local()).unwrap();

    assert!(paths.config_file().is_symlink());
    assert!(
        fs::read_to_string(&real)
            .unwrap()
            .contains("[profiles.local]")
    );
}
