//! Which files are looked at, and in which order.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    time::{Duration, SystemTime},
};

use super::{super::pattern::types, *};

struct World(tempfile::TempDir);

impl World {
    fn new(files: &[&str]) -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for name in files {
            world.put(name, b"x\n");
        }
        world
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap().write_all(bytes).unwrap();
    }

    fn selection(&self, globs: &[&str]) -> Selection {
        let globs: Vec<String> = globs.iter().map(ToString::to_string).collect();
        Selection {
            root: self.0.path().to_owned(),
            cwd: self.0.path().to_owned(),
            hidden: false,
            ignored: false,
            globs: Globs::new(&globs, self.0.path()).unwrap(),
            types: None,
            own: OwnPlaces::default(),
            opened: Vec::new(),
        }
    }

    fn names(&self, selection: &Selection) -> Vec<String> {
        let (files, total, _) = list(selection, Order::Path, (0, 100), &|| false);
        assert_eq!(total, files.len());
        files
            .iter()
            .map(|path| path.strip_prefix(self.0.path()).unwrap())
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    }
}

#[test]
fn ignored_hidden_generated_and_secret_files_are_left_out() {
    let world = World::new(&[
        "a.rs",
        "src/b.rs",
        ".hidden.rs",
        "out.log",
        "node_modules/m/index.js",
        ".git/config",
        "target/CACHEDIR.TAG",
        "target/debug/x.rs",
        "deploy/target/y.rs",
        "build/out.js",
        "web/dist/app.js",
        ".env",
        "key.pem",
    ]);
    world.put(".gitignore", b"*.log\n");

    assert_eq!(
        world.names(&world.selection(&[])),
        ["a.rs", "deploy/target/y.rs", "src/b.rs"]
    );
    let everything = Selection {
        hidden: true,
        ignored: true,
        ..world.selection(&[])
    };
    assert_eq!(
        world.names(&everything),
        [
            ".gitignore",
            ".hidden.rs",
            "a.rs",
            "build/out.js",
            "deploy/target/y.rs",
            "node_modules/m/index.js",
            "out.log",
            "src/b.rs",
            "target/CACHEDIR.TAG",
            "target/debug/x.rs",
            "web/dist/app.js",
        ]
    );
    let (.., skipped) = list(&world.selection(&[]), Order::Path, (0, 100), &|| false);
    assert_eq!(
        skipped.generated.names(),
        ["node_modules", "dist", "build", "target"]
    );
    let (.., skipped) = list(&everything, Order::Path, (0, 100), &|| false);
    assert_eq!(skipped.secrets.into_inner(), 2);
}

/// Who names a folder means it.
#[test]
fn a_generated_folder_that_is_named_is_looked_at_and_an_ignored_one_is_not_told() {
    let world = World::new(&["build/a.c", "dist/b.js"]);
    world.put(".gitignore", b"dist\n");
    let named = Selection {
        root: world.0.path().join("build"),
        ..world.selection(&[])
    };

    assert_eq!(world.names(&named), ["build/a.c"]);
    let (.., skipped) = list(&world.selection(&[]), Order::Path, (0, 100), &|| false);
    assert_eq!(skipped.generated.names(), ["build"]);
}

#[test]
fn globs_mean_what_they_mean_to_ripgrep() {
    let world = World::new(&[
        "a.rs",
        "src/b.rs",
        "src/deep/c.rs",
        "src/deep/c.md",
        "out.log",
    ]);
    world.put(".gitignore", b"*.log\n");
    let absolute = format!("{}/src/*.rs", world.0.path().display());

    for (globs, files) in [
        (&["*.rs"][..], &["a.rs", "src/b.rs", "src/deep/c.rs"][..]),
        (&["src/*.rs"], &["src/b.rs"]),
        (
            &["./src/**/*.{rs,md}"],
            &["src/b.rs", "src/deep/c.md", "src/deep/c.rs"],
        ),
        (&["src/deep/"], &["src/deep/c.md", "src/deep/c.rs"]),
        (&["*.rs", "!src/deep/**"], &["a.rs", "src/b.rs"]),
        (&["*.log"], &[]),
        (&[absolute.as_str()], &["src/b.rs"]),
    ] {
        assert_eq!(world.names(&world.selection(globs)), files, "{globs:?}");
    }
    let below = Selection {
        root: world.0.path().join("src"),
        ..world.selection(&["src/**/*.md"])
    };
    assert_eq!(world.names(&below), ["src/deep/c.md"]);
}

#[test]
fn a_glob_that_cannot_be_is_refused_with_the_reason() {
    let error = Globs::new(&["a[".to_owned()], Path::new("/")).unwrap_err();

    assert_eq!(
        error.to_string(),
        "`a[` is not a usable glob: unclosed character class; missing ']'"
    );
}

#[test]
fn a_type_selects_its_files_and_an_unknown_one_is_refused() {
    let world = World::new(&["a.rs", "b.py"]);
    let rust = Selection {
        types: types(&["rust".to_owned()]).unwrap(),
        ..world.selection(&[])
    };

    assert_eq!(world.names(&rust), ["a.rs"]);
    let error = types(&["rustt".to_owned()]).unwrap_err().to_string();
    assert!(
        error.starts_with("`rustt` is not a known file type. Near it: rust"),
        "{error}"
    );
}

#[test]
fn the_file_changed_last_comes_first_and_pages_are_exact() {
    let world = World::new(&["a", "b", "c", "d"]);
    let start = SystemTime::now();
    for (index, name) in ["c", "a", "d", "b"].iter().enumerate() {
        let file = File::options()
            .write(true)
            .open(world.0.path().join(name))
            .unwrap();
        let age = Duration::from_secs(60 * index as u64);
        file.set_modified(start - age).unwrap();
    }

    let page = |offset, limit| {
        let (files, total, _) = list(
            &world.selection(&[]),
            Order::Modified,
            (offset, limit),
            &|| false,
        );
        assert_eq!(total, 4);
        let names = files
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap());
        names.collect::<String>()
    };

    assert_eq!([page(0, 2), page(2, 2), page(4, 2)], ["ca", "db", ""]);
}

#[test]
fn a_walk_that_is_told_to_stop_says_that_it_did() {
    let world = World::new(&["a", "b"]);

    let (files, _, skipped) = list(&world.selection(&[]), Order::Path, (0, 10), &|| true);

    assert_eq!(files, Vec::<PathBuf>::new());
    assert!(skipped.stopped.into_inner());
}
