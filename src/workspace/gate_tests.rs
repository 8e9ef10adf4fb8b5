//! What the gate keeps and what it refuses.

use std::{
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use proptest::prelude::*;

use super::{
    super::{
        edit::{self, Change, Edit},
        root,
    },
    *,
};

struct World {
    _folder: tempfile::TempDir,
    path: PathBuf,
    roots: Roots,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(folder.path()).unwrap();
    World {
        _folder: folder,
        roots: Roots {
            directories: vec![path.clone()],
        },
        path,
    }
}

impl World {
    fn file(&self, name: &str) -> Located {
        root::locate(&self.path, &root::absolute(&self.path, name)).unwrap()
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        use std::io::Write;
        let mut file = File::create(self.path.join(name)).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path.join(name)).unwrap()
    }

    /// Replaces the whole text as a tool does.
    fn rewrite(&self, name: &str, new: &str) -> Result<Digest, WorkspaceError> {
        let file = self.file(name);
        match load(&file)? {
            Some(loaded) => {
                let basis = Basis::Content(&loaded.digest);
                save(&file, &self.roots, basis, &loaded.rewritten(new)?)
            }
            None => save(&file, &self.roots, Basis::Absent, &new_file(new)?),
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn a_new_file_gets_its_folders_and_leaves_nothing_beside_it() {
    let world = world();

    world.rewrite("a/b/c.txt", "text\n").unwrap();

    assert_eq!(world.bytes("a/b/c.txt"), b"text\n");
    assert_eq!(fs::read_dir(world.path.join("a/b")).unwrap().count(), 1);
}

#[test]
fn a_rewrite_keeps_mode_mark_encoding_and_line_ends() {
    let world = world();
    world.put("s.sh", b"\xEF\xBB\xBFone\r\ntwo\r\n");
    fs::set_permissions(world.path.join("s.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    world.put("u.txt", b"\xFF\xFEa\0\n\0");

    world.rewrite("s.sh", "\u{FEFF}1\n2\n").unwrap();
    world.rewrite("u.txt", "b\n").unwrap();

    assert_eq!(world.bytes("s.sh"), b"\xEF\xBB\xBF1\r\n2\r\n");
    assert_eq!(mode(&world.path.join("s.sh")), 0o755);
    assert_eq!(world.bytes("u.txt"), b"\xFF\xFEb\0\n\0");
    assert_eq!(world.names(), ["s.sh", "u.txt"]);
}

#[test]
fn a_link_stays_a_link_and_hard_links_stay_one_file() {
    let world = world();
    world.put("real", b"old");
    symlink("real", world.path.join("link")).unwrap();
    world.put("first", b"old content");
    fs::hard_link(world.path.join("first"), world.path.join("second")).unwrap();

    world.rewrite("link", "new").unwrap();
    world.rewrite("second", "new").unwrap();

    assert!(
        fs::symlink_metadata(world.path.join("link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(world.bytes("real"), b"new");
    assert_eq!(world.bytes("first"), b"new");
    let inode = |name: &str| fs::metadata(world.path.join(name)).unwrap().ino();
    assert_eq!(inode("first"), inode("second"));
}

#[test]
fn a_file_that_changed_or_appeared_meanwhile_is_not_written() {
    let world = world();
    world.put("f", b"seen");
    let file = world.file("f");
    let seen = load(&file).unwrap().unwrap();
    world.put("f", b"mine");

    let changed = save(&file, &world.roots, Basis::Content(&seen.digest), b"agent");
    let appeared = save(&file, &world.roots, Basis::Absent, b"agent");

    assert_eq!(
        changed,
        Err(WorkspaceError::Changed {
            file: "f".to_owned()
        })
    );
    assert_eq!(
        appeared,
        Err(WorkspaceError::NeverRead {
            file: "f".to_owned()
        })
    );
    assert_eq!(world.bytes("f"), b"mine");
    assert_eq!(world.names(), ["f"]);
}

#[test]
fn a_write_outside_the_roots_to_a_secret_or_read_only_file_is_refused() {
    let (world, outside) = (world(), world());
    symlink(&outside.path, world.path.join("link")).unwrap();
    world.put("ro", b"x");
    fs::set_permissions(world.path.join("ro"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::create_dir(world.path.join("folder")).unwrap();

    let refused = |name: &str| world.rewrite(name, "x").unwrap_err().to_string();

    let there = outside.path.join("n.txt");
    assert_eq!(
        refused("link/n.txt"),
        format!(
            "{} is outside the folders where writing is possible ({}); nothing was written",
            there.display(),
            world.path.display()
        )
    );
    assert!(!there.exists());
    assert!(refused(".env").starts_with(".env looks like a secret"));
    assert_eq!(
        refused("ro"),
        "ro is read-only (mode 444); nothing was written"
    );
    assert_eq!(
        refused("folder"),
        "folder is a directory, not a file; nothing was read or written"
    );
}

#[test]
fn a_folder_swapped_for_a_link_after_the_look_leads_nowhere() {
    let (world, outside) = (world(), world());
    fs::create_dir(world.path.join("sub")).unwrap();
    let file = world.file("sub/n.txt");
    fs::remove_dir(world.path.join("sub")).unwrap();
    symlink(&outside.path, world.path.join("sub")).unwrap();

    let result = save(&file, &world.roots, Basis::Absent, b"x");

    assert!(
        matches!(result, Err(WorkspaceError::Elsewhere { .. })),
        "{result:?}"
    );
    assert_eq!(outside.names(), Vec::<String>::new());
}

#[test]
fn a_folder_swapped_for_a_link_after_the_look_is_not_read_through() {
    let (world, outside) = (world(), world());
    fs::create_dir(world.path.join("sub")).unwrap();
    world.put("sub/n.txt", b"inside");
    outside.put("n.txt", b"outside");
    let file = world.file("sub/n.txt");
    fs::rename(world.path.join("sub"), world.path.join("aside")).unwrap();
    symlink(&outside.path, world.path.join("sub")).unwrap();

    let result = load(&file);

    assert!(
        matches!(result, Err(WorkspaceError::Elsewhere { .. })),
        "{result:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_rewrite_keeps_the_set_id_bits() {
    let world = world();
    for (name, other) in [("one", None), ("two", Some("other"))] {
        world.put(name, b"old");
        if let Some(other) = other {
            fs::hard_link(world.path.join(name), world.path.join(other)).unwrap();
        }
        let path = world.path.join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o6755)).unwrap();

        as_an_ordinary_user(|| world.rewrite(name, "new").unwrap());

        assert_eq!(world.bytes(name), b"new");
        assert_eq!(mode(&path), 0o6755, "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_writable_file_in_a_folder_that_takes_no_names_is_written() {
    let world = world();
    world.put("f", b"old");
    fs::set_permissions(&world.path, fs::Permissions::from_mode(0o555)).unwrap();

    let written = as_an_ordinary_user(|| world.rewrite("f", "new"));
    let created = as_an_ordinary_user(|| world.rewrite("g", "new"));

    fs::set_permissions(&world.path, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(written.is_ok(), "{written:?}");
    assert!(
        matches!(created, Err(WorkspaceError::System { .. })),
        "{created:?}"
    );
    assert_eq!(world.bytes("f"), b"new");
    assert_eq!(world.names(), ["f"]);
}

/// A file as it would be loaded, without a disk.
fn loaded(bytes: &[u8]) -> Option<Loaded> {
    let text = encoding::decode(bytes.to_vec()).ok()?;
    Some(Loaded {
        unified: Unified::of(&text.body),
        text,
        digest: Digest::finish(Sha256::new()),
    })
}

/// Bytes of a file in one of the encodings: `¿` is a byte that is no text in UTF-8, and half a pair in UTF-16.
fn stored(encoding: Encoding, body: &str) -> Vec<u8> {
    let pieces = body.split('¿').map(|piece| encoding.encode(piece));
    let mark = encoding.encode("").len();
    let broken: &[u8] = match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => b"\xE7",
        Encoding::Utf16Le => b"\x00\xD8",
        Encoding::Utf16Be => b"\xD8\x00",
    };
    let mut bytes = encoding.encode("");
    for (index, piece) in pieces.enumerate() {
        if index > 0 {
            bytes.extend(broken);
        }
        bytes.extend(&piece[mark..]);
    }
    bytes
}

fn encodings() -> impl Strategy<Value = Encoding> {
    prop::sample::select(vec![
        Encoding::Utf8,
        Encoding::Utf8Bom,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
    ])
}

/// A position of the view as a position of the body, counted character by character.
fn on_disk(body: &str, at: usize) -> usize {
    let (mut seen, mut place) = (0, 0);
    while seen < at {
        place += usize::from(body[place..].starts_with("\r\n"));
        let letter = body[place..].chars().next().unwrap();
        place += letter.len_utf8();
        seen += letter.len_utf8();
    }
    place
}

proptest! {
    #[test]
    fn what_was_read_and_is_written_back_are_the_same_bytes(
        encoding in encodings(),
        body in "(\u{FEFF}?[ab¿é漢😀\t ]{0,3}(\r|\n|\r\n|\r\r\n)?){0,6}",
        raw in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        for bytes in [stored(encoding, &body), raw] {
            let Some(file) = loaded(&bytes) else { continue };
            prop_assert_eq!(file.spliced(&[]), bytes.clone());
            prop_assert_eq!(file.rewritten(&file.unified.text).unwrap(), bytes);
        }
    }

    #[test]
    fn an_edit_changes_no_byte_of_the_file_outside_its_match(
        encoding in encodings(),
        body in "([ab¿é漢😀\t ]{0,4}(\n|\r\n)){1,6}[abé]{0,2}",
        piece in any::<(prop::sample::Index, prop::sample::Index)>(),
        new in "[xé \t]{0,3}(\r?\n)?[x漢]{0,2}",
        pick in 0usize..4,
    ) {
        let bytes = stored(encoding, &body);
        let file = loaded(&bytes).unwrap();
        let places: Vec<usize> = file.unified.text.char_indices().map(|(at, _)| at).collect();
        let (a, b) = (*piece.0.get(&places), *piece.1.get(&places));
        let old = file.unified.text[a.min(b)..a.max(b)].to_owned();
        let change = [Change::Replace, Change::ReplaceAll, Change::Before, Change::After][pick](new.clone());
        let Ok(plan) = edit::plan(&file.unified.text, &[Edit { old, change }], false) else {
            return Ok(());
        };
        let splices = plan.splices;

        let result = file.spliced(&splices);

        // Piece by piece: what is kept is in both, byte for byte, and what is new is new but for its line ends.
        let mark = encoding.encode("").len();
        let part = |from: usize, to: usize| {
            let part = &file.text.body[on_disk(&file.text.body, from)..on_disk(&file.text.body, to)];
            encoding.encode(part)[mark..].to_vec()
        };
        prop_assert_eq!(&result[..mark], &bytes[..mark]);
        let (mut at, mut done) = (mark, 0);
        for splice in &splices {
            let kept = part(done, splice.range.start);
            prop_assert_eq!(&result[at..at + kept.len()], kept.as_slice());
            at += kept.len();
            let lines = splice.new.split('\n');
            for (index, line) in lines.enumerate() {
                let end = |end: &str| encoding.encode(end)[mark..].to_vec();
                let ends = [end("\r\n"), end("\n")];
                if index > 0 {
                    let found = ends.iter().find(|end| result[at..].starts_with(end));
                    at += found.expect("a line end").len();
                }
                let line = end(line);
                prop_assert_eq!(&result[at..at + line.len()], line.as_slice());
                at += line.len();
            }
            done = splice.range.end;
        }
        let kept = part(done, file.unified.text.len());
        prop_assert_eq!(&result[at..], kept.as_slice());
    }
}

/// Does something without the powers over files that root has, on a thread of its own.
#[cfg(target_os = "linux")]
fn as_an_ordinary_user<T: Send>(deed: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        scope
            .spawn(|| {
                let mut sets = rustix::thread::capabilities(None).unwrap();
                sets.effective = rustix::thread::CapabilitySet::empty();
                rustix::thread::set_capabilities(None, sets).unwrap();
                deed()
            })
            .join()
            .unwrap()
    })
}
