use std::{fs::File, io::Write as _};

use super::*;

fn put(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder).unwrap();
    let mut file = File::create(folder.join(name)).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn documents_of_the_person_come_first_and_those_of_a_project_need_trust() {
    let world = tempfile::tempdir().unwrap();
    let paths = Paths::below(&world.path().join("home"));
    let project = world.path().join("project");
    let own = paths.config().join("agents");
    let theirs = project.join(".quarterdeck").join("agents");
    let text = |words: &str| format!("---\ndescription: {words}\n---\nDo it.\n");
    put(&own, "tests.md", &text("mine"));
    put(&own, "notes.txt", "no document");
    put(&theirs, "tests.md", &text("theirs"));
    put(&theirs, "docs.md", &text("theirs"));
    put(&theirs, "main.md", &text("theirs"));
    put(&theirs, "Bad\u{202e} name.md", &text("theirs"));
    put(
        &theirs,
        "broken.md",
        "---\ndescription: x\nlevel: root\n---\n",
    );

    let told = |types: &AgentTypes| -> Vec<(String, String)> {
        let known = types.known.iter();
        known
            .map(|document| (document.name.clone(), document.description.clone()))
            .collect()
    };
    let pair = |name: &str, words: &str| (name.to_owned(), words.to_owned());
    let (untrusted, notices) = load(&paths, None);
    assert_eq!(told(&untrusted), [pair("tests", "mine")]);
    assert_eq!(notices, []);

    let (types, notices) = load(&paths, Some(&ProjectFiles::read(&project)));
    assert_eq!(
        told(&types),
        [pair("tests", "mine"), pair("docs", "theirs")]
    );
    let texts: Vec<&str> = notices.iter().map(|notice| notice.text.as_str()).collect();
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert!(texts[0].contains("a name has lower-case letters") && !texts[0].contains('\u{202e}'));
    assert!(
        texts[1].contains("broken is wrong: `level` is one of"),
        "{}",
        texts[1]
    );
    assert!(texts[2].contains("main is left out: this name is quarterdeck's own"));
    assert!(texts[3].contains("tests is left out: you have one of this name"));
    let why = types.find("broken").unwrap_err();
    assert!(why.contains("broken.md:3: `level`"), "{why}");
    assert_eq!(types.find("nobody"), Ok(None));
}

#[test]
fn what_is_too_long_or_no_file_is_no_type() {
    let world = tempfile::tempdir().unwrap();
    let paths = Paths::below(world.path());
    let own = paths.config().join("agents");
    put(
        &own,
        "long.md",
        &format!("---\ndescription: x\n---\n{}", "a".repeat(LONGEST)),
    );
    fs::create_dir(own.join("folder.md")).unwrap();

    let (types, _) = load(&paths, None);

    let broken: Vec<&str> = types.broken.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((types.known.len(), broken), (0, vec!["folder", "long"]));
}
