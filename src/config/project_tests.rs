use std::{fs::File, io::Write as _, os::unix::fs::symlink};

use super::*;
use crate::config::{Sources, load};

fn put(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut file = File::create(file).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(world.at("")).unwrap();
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join("project").join(name)
    }

    fn put(&self, name: &str, text: &str) {
        put(&self.at(name), text);
    }

    fn read(&self) -> ProjectFiles {
        ProjectFiles::read(&self.at(""))
    }

    fn names(&self) -> Vec<String> {
        self.read().seen.0.into_keys().collect()
    }
}

const DOCUMENT: &str = "---\ndescription: d\n---\nDo it.\n";
const DENY: &str =
    "[[permissions.rules]]\naction = \"shell_execute\"\nresource = \"*\"\nverdict = \"deny\"\n";

#[test]
fn what_acts_is_seen_and_nothing_else() {
    let world = World::new();
    assert_eq!(world.names(), Vec::<String>::new());
    world.put(".quarterdeck/config.toml", "");
    world.put(".quarterdeck/agents/docs.md", DOCUMENT);
    world.put(".quarterdeck/agents/notes.txt", "no document");
    world.put(".quarterdeck/other.toml", "");

    assert_eq!(
        world.names(),
        [".quarterdeck/agents/docs.md", ".quarterdeck/config.toml"]
    );
    let before = world.read();
    world.put(".quarterdeck/config.toml", "# other\n");
    assert_ne!(before.seen, world.read().seen);
}

#[test]
fn a_name_that_looks_like_another_hides_no_change_of_that_one() {
    let world = World::new();
    world.put(".quarterdeck/agents/docs.md", DOCUMENT);
    let before = world.read().seen;
    world.put(".quarterdeck/agents/docs.md", "other");
    world.put(".quarterdeck/agents/docs\u{200b}.md", DOCUMENT);

    assert_ne!(world.read().seen, before);
}

#[test]
fn what_is_loaded_is_what_was_read_whatever_is_written_meanwhile() {
    let world = World::new();
    world.put(".quarterdeck/config.toml", DENY);
    world.put(".quarterdeck/agents/docs.md", DOCUMENT);
    let project = world.read();
    world.put(".quarterdeck/config.toml", "nonsense = 1\n");
    world.put(".quarterdeck/agents/evil.md", DOCUMENT);

    let loaded = load(&Sources {
        paths: &Paths::below(&world.0.path().join("home")),
        project: Some(&project),
        environment: false,
        overrides: &[],
    })
    .unwrap();

    assert_eq!(loaded.settings.permissions.rules.len(), 1);
    let known = loaded.agents.known.iter();
    let names: Vec<&str> = known.map(|document| document.name.as_str()).collect();
    assert_eq!(names, ["docs"]);
}

#[test]
fn what_leads_outside_is_not_read_but_seen_where_it_is_a_file() {
    let world = World::new();
    let outside = world.0.path().join("outside");
    put(&outside.join("config.toml"), DENY);
    put(&outside.join("docs.md"), DOCUMENT);
    fs::create_dir_all(world.at(".quarterdeck/agents")).unwrap();
    symlink(
        outside.join("config.toml"),
        world.at(".quarterdeck/config.toml"),
    )
    .unwrap();
    symlink(
        outside.join("docs.md"),
        world.at(".quarterdeck/agents/docs.md"),
    )
    .unwrap();

    let linked = world.read();
    assert_eq!(linked.settings, Err(OUTSIDE.to_owned()));
    assert_eq!(linked.documents[0].1, Err(OUTSIDE.to_owned()));
    assert_eq!(linked.seen.0.len(), 2);

    fs::remove_dir_all(world.at(".quarterdeck")).unwrap();
    put(&outside.join("agents/evil.md"), DOCUMENT);
    symlink(&outside, world.at(".quarterdeck")).unwrap();
    let whole = world.read();
    assert_eq!(whole.settings, Err(OUTSIDE.to_owned()));
    assert_eq!(whole.documents, []);
    assert!(whole.notices[0].text.contains("left out"), "{whole:?}");
}

#[test]
fn a_link_inside_the_project_is_read() {
    let world = World::new();
    world.put("settings.toml", DENY);
    fs::create_dir(world.at(".quarterdeck")).unwrap();
    symlink("../settings.toml", world.at(".quarterdeck/config.toml")).unwrap();
    let before = world.read();
    world.put("settings.toml", "");

    assert_eq!(before.settings, Ok(Some(DENY.to_owned())));
    assert_ne!(world.read().seen, before.seen);
}

#[test]
fn huge_files_and_many_files_are_not_read() {
    let world = World::new();
    let huge = |name: &str| {
        world.put(name, "");
        File::create(world.at(name))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
    };
    huge(".quarterdeck/config.toml");
    huge(".quarterdeck/agents/docs.md");
    let read = world.read();
    let why = |text: &Text| text.clone().unwrap_err();
    assert!(why(&read.settings).contains("longer than 1 MiB"));
    assert!(why(&read.documents[0].1).contains("longer than 64 KiB"));

    for number in 0..5000 {
        File::create(world.at(&format!(".quarterdeck/agents/n{number}.md"))).unwrap();
    }
    let many = world.read();
    assert_eq!(many.documents, []);
    assert!(many.notices[0].text.contains("none is read"), "{many:?}");
    assert_ne!(many.seen, read.seen);
}
