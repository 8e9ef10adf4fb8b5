//! What is found in roots of each kind.

use super::*;

/// A root with files in it; directories end with `/`.
fn root(names: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    for name in names {
        let (path, text) = name.split_once('=').unwrap_or((name, ""));
        let path = top.join(path);
        if name.ends_with('/') {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = text.replace("TOP", &top.display().to_string());
            std::io::Write::write_all(&mut fs::File::create(path).unwrap(), text.as_bytes())
                .unwrap();
        }
    }
    (folder, top)
}

/// Paths below the top, sorted.
fn below(top: &Path, paths: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = paths
        .iter()
        .map(|path| path.strip_prefix(top).unwrap().display().to_string())
        .collect();
    names.sort();
    names
}

#[test]
fn hooks_and_configuration_of_a_repository_stay_and_its_objects_do_not() {
    let (_folder, top) = root(&[
        ".git/HEAD",
        ".git/config",
        ".git/objects/",
        ".envrc",
        ".quarterdeck/config.toml",
    ]);

    let found = look(&top, &[]);

    assert_eq!(
        below(&top, &found.protected),
        [".envrc", ".git/config", ".git/hooks", ".quarterdeck"]
    );
    assert_eq!(below(&top, &found.pinned), [".git"]);
    assert!(found.writable.is_empty());
}

#[test]
fn a_submodule_stays_protected_when_its_head_was_removed() {
    let (_folder, top) = root(&[
        ".git/config",
        ".git/modules/a/b/config",
        ".git/modules/a/b/hooks/",
    ]);

    let found = below(&top, &look(&top, &[]).protected);

    assert!(
        found.contains(&".git/modules/a/b/config".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&".git/modules/a/b/hooks".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_linked_worktree_writes_the_common_directory_but_not_what_decides_in_it() {
    let (_folder, top) = root(&[
        "main/.git/HEAD",
        "main/.git/config",
        "main/.git/hooks/",
        "main/.git/worktrees/w/HEAD",
        "main/.git/worktrees/w/gitdir=TOP/w/.git\n",
        "main/.git/worktrees/w/commondir=../..\n",
        "main/.git/worktrees/other/HEAD",
        "w/.git=gitdir: TOP/main/.git/worktrees/w\n",
    ]);

    let found = look(&top.join("w"), &[]);

    assert_eq!(below(&top, &found.writable), ["main/.git"]);
    assert_eq!(
        below(&top, &found.protected),
        [
            "main/.git/HEAD",
            "main/.git/config",
            "main/.git/hooks",
            "main/.git/worktrees/other",
            "main/.git/worktrees/w/commondir",
            "main/.git/worktrees/w/gitdir",
            "w/.git",
        ]
    );
}

#[test]
fn a_git_file_that_a_command_made_opens_nothing() {
    let (_folder, top) = root(&[
        "elsewhere/.git/HEAD",
        "elsewhere/.git/config",
        "w/.git=gitdir: TOP/elsewhere/.git\n",
    ]);

    let found = look(&top.join("w"), &[]);

    assert!(found.writable.is_empty(), "{found:?}");
    assert_eq!(below(&top, &found.protected), ["w/.git"]);
}

#[test]
fn what_is_nested_is_protected_as_the_root_is() {
    let (_folder, top) = root(&[
        ".git/HEAD",
        ".git/config",
        "sub/.git=gitdir: ../.git/modules/sub",
        "vendor/.git/HEAD",
        "vendor/.git/config",
        "vendor/.envrc",
        "odd/.git/file",
    ]);
    std::os::unix::fs::symlink("vendor", top.join("link")).unwrap();
    let nested = ["sub", "vendor", "odd", "link", "gone"].map(|name| top.join(name));

    let found = look(&top, &nested);

    assert_eq!(
        below(&top, &found.protected),
        [
            ".git/config",
            ".git/hooks",
            "odd/.git",
            "sub/.git",
            "vendor/.envrc",
            "vendor/.git/config",
            "vendor/.git/hooks"
        ]
    );
    assert_eq!(
        below(&top, &found.pinned),
        [".git", "odd", "sub", "vendor", "vendor/.git"]
    );
}
