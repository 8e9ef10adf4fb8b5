//! Windows of lines, and what is refused at once.

use std::{
    fs::{self, File},
    io::Write,
};

use super::{super::root, *};

const ALL: Request = Request {
    start: 1,
    skip: 0,
    end: usize::MAX,
    most_lines: 2000,
    most_bytes: 30_000,
    line_overhead: 0,
    only: None,
};

struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> Located {
        let base = fs::canonicalize(self.0.path()).unwrap();
        root::locate(&base, &base.join(name)).unwrap()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Located {
        let file = self.file(name);
        File::create(&file.real).unwrap().write_all(bytes).unwrap();
        file
    }
}

fn read(file: &Located, request: &Request) -> Window {
    window(file, request, &|| false).unwrap()
}

fn texts(window: &Window) -> Vec<(usize, &str)> {
    window
        .lines
        .iter()
        .map(|(number, text)| (*number, text.as_str()))
        .collect()
}

#[test]
fn a_window_has_the_lines_asked_for_and_names_the_next() {
    let world = World::new();
    let file = world.put("f", b"one\ntwo\r\nthree\nfour");

    let window = read(
        &file,
        &Request {
            start: 2,
            most_lines: 2,
            ..ALL
        },
    );

    assert_eq!(texts(&window), [(2, "two"), (3, "three")]);
    assert_eq!((window.next, window.total), (Some(4), Some(4)));
    assert_eq!(window.final_newline, Some(false));
    assert_eq!(window.line_ends, (true, true));
    assert_eq!(read(&file, &Request { end: 2, ..ALL }).next, None);
}

#[test]
fn a_window_ends_on_a_whole_line_when_the_bytes_run_out() {
    let world = World::new();
    let file = world.put("f", b"aaaa\nbbbb\ncccc\n");
    let request = Request {
        most_bytes: 10,
        ..ALL
    };

    let window = read(&file, &request);

    assert_eq!(texts(&window), [(1, "aaaa"), (2, "bbbb")]);
    assert_eq!(window.next, Some(3));
    let long = world.put("g", &[b'x'; 50]);
    assert_eq!(read(&long, &request).lines[0].1.len(), 50);
}

#[test]
fn only_an_enormous_line_is_cut_and_that_is_said() {
    let world = World::new();
    let mut bytes = vec![b'x'; LINE_LIMIT + 100];
    bytes.extend_from_slice(b"\nend\n");
    let file = world.put("f", &bytes);

    let window = read(&file, &ALL);

    assert_eq!(window.lines[0].1.len(), LINE_LIMIT);
    let (bytes, next) = (LINE_LIMIT as u64 + 101, LINE_LIMIT as u64);
    let line = 1;
    assert_eq!(window.cut, Some(Cut { line, bytes, next }));
    assert_eq!((window.next, window.total), (Some(2), Some(2)));
}

#[test]
fn the_parts_of_a_line_that_is_cut_are_the_whole_line() {
    let world = World::new();
    // Never cut inside a character, wherever the limit falls.
    for first in ["", "x", "xy", "xyz"] {
        let line = format!("{first}{}", "𝄞".repeat(LINE_LIMIT * 5 / 8));
        let file = world.put("f", format!("before\n{line}\nafter\n").as_bytes());
        let mut request = Request { start: 2, ..ALL };
        let mut parts = Vec::new();
        loop {
            let window = read(&file, &request);
            parts.push(window.lines[0].1.clone());
            match window.cut {
                Some(cut) => request.skip = cut.next,
                None => break,
            }
        }

        assert_eq!(parts.len(), 3, "{first}");
        assert!(parts.concat() == line, "{first}");
    }
}

#[test]
fn a_line_one_byte_too_long_is_said_to_be_cut_and_one_that_fits_is_not() {
    let world = World::new();
    for (over, end, cut) in [
        (0, "\n", false),
        (0, "\r\n", false),
        (1, "\n", true),
        (2, "", true),
    ] {
        let line = "x".repeat(LINE_LIMIT + over) + end;
        let window = read(&world.put("f", line.as_bytes()), &ALL);

        assert_eq!(window.lines[0].1.len(), LINE_LIMIT);
        assert_eq!(window.cut.is_some(), cut, "{over} {end:?}");
    }
}

#[test]
fn a_cut_inside_a_character_is_no_damage() {
    let world = World::new();
    let whole = world.put("f", format!("x{}", "é".repeat(LINE_LIMIT)).as_bytes());
    let broken = world.put("g", b"pre\xe7o\n");

    let window = read(&whole, &ALL);

    assert_eq!(window.damaged, 0);
    assert_eq!(window.lines[0].1.len(), LINE_LIMIT - 1);
    assert_eq!(read(&broken, &ALL).damaged, 1);
}

#[test]
fn damage_in_utf_16_is_counted_by_lines() {
    let world = World::new();
    let file = world.put("f", b"\xFF\xFEa\0\n\0\x00\xD8b\0\n\0");

    let window = read(&file, &ALL);

    assert_eq!(window.damaged, 1);
    assert_eq!(texts(&window), [(1, "a"), (2, "\u{FFFD}b")]);
}

#[test]
fn a_pattern_keeps_only_the_lines_that_match() {
    let world = World::new();
    let file = world.put("f", b"fn a\nlet b\nfn c\n");
    let only = Some(Regex::new("^fn").unwrap());

    let window = read(&file, &Request { only, ..ALL });

    assert_eq!(texts(&window), [(1, "fn a"), (3, "fn c")]);
    assert_eq!(window.total, Some(3));
}

#[test]
fn the_digest_is_that_of_the_whole_file_whatever_the_window() {
    let world = World::new();
    let file = world.put("f", b"\xEF\xBB\xBFone\ntwo\n");
    let whole = read(&file, &ALL);

    let part = read(&file, &Request { end: 1, ..ALL });

    assert_eq!(texts(&part), [(1, "one")]);
    assert_eq!(part.digest, whole.digest);
    assert_eq!(part.digest, gate::load(&file).unwrap().unwrap().digest);
}

#[test]
fn a_file_in_utf_16_is_read_by_its_lines() {
    let world = World::new();
    let file = world.put("f", b"\xFF\xFEa\0\n\0b\0\n\0");

    let window = read(&file, &ALL);

    assert_eq!(texts(&window), [(1, "a"), (2, "b")]);
    assert_eq!(window.encoding, Encoding::Utf16Le);
    assert_eq!(window.digest, gate::load(&file).unwrap().unwrap().digest);
}

#[test]
fn a_huge_file_costs_no_more_than_its_window() {
    let world = World::new();
    let file = world.put("f", "first\nsecond\n".repeat(1000).as_bytes());
    let sparse = File::options().write(true).open(&file.real).unwrap();
    sparse.set_len(3 << 30).unwrap();

    let window = read(&file, &Request { end: 2, ..ALL });

    assert_eq!(texts(&window), [(1, "first"), (2, "second")]);
    assert_eq!((window.total, window.bytes), (None, 3 << 30));
    assert!(window.digest.as_str().starts_with("stat:"));
}

#[test]
fn pipes_devices_sockets_and_directories_are_refused_by_kind() {
    let world = World::new();
    let pipe = world.file("p");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe.real,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(world.file("s").real).unwrap();
    fs::create_dir(world.file("d").real).unwrap();
    let zero = root::locate(world.0.path(), "/dev/zero".as_ref()).unwrap();

    let kind = |file: &Located| match window(file, &ALL, &|| false) {
        Err(WorkspaceError::NotAFile { kind, .. }) => kind,
        other => panic!("{other:?}"),
    };

    assert_eq!(kind(&pipe), Kind::Fifo);
    assert_eq!(kind(&world.file("s")), Kind::Socket);
    assert_eq!(kind(&world.file("d")), Kind::Directory);
    assert_eq!(kind(&zero), Kind::CharDevice);
}

#[test]
fn a_missing_file_names_what_is_near() {
    let world = World::new();
    world.put("settings.toml", b"");

    let missing = |name: &str| {
        window(&world.file(name), &ALL, &|| false)
            .unwrap_err()
            .to_string()
    };

    assert_eq!(
        missing("setting.toml"),
        "setting.toml does not exist; in the same folder: settings.toml"
    );
    assert_eq!(
        missing("no/such/file"),
        format!(
            "no/such/file does not exist; the nearest folder that does is {}",
            fs::canonicalize(world.0.path()).unwrap().display()
        )
    );
}

#[test]
fn a_listing_has_folders_first_and_marks_secrets() {
    let world = World::new();
    world.put("b.txt", b"12");
    world.put(".env", b"K=canary");
    world.put("a\nb", b"");
    fs::create_dir(world.file("zoo").real).unwrap();

    let listed: Vec<(String, bool)> = entries(&world.file(""))
        .unwrap()
        .into_iter()
        .map(|entry| (entry.name, entry.secret))
        .collect();

    assert_eq!(
        listed,
        [
            ("zoo".to_owned(), false),
            ("\"a\\nb\"".to_owned(), false),
            (".env".to_owned(), true),
            ("b.txt".to_owned(), false),
        ]
    );
}
