//! What a search finds and how pages are cut.

use std::{
    fs::{self, File},
    io::Write,
};

use super::{
    super::{
        super::walk::{Globs, Order},
        query::Row,
    },
    *,
};
use crate::domain::permission::OwnPlaces;

struct World(tempfile::TempDir);

impl World {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for (name, bytes) in files {
            let path = world.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            File::create(path).unwrap().write_all(bytes).unwrap();
        }
        world
    }

    fn run(&self, query: &Query) -> Report {
        self.run_until(query, &|| false)
    }

    fn run_until(&self, query: &Query, stop: &(dyn Fn() -> bool + Sync)) -> Report {
        let selection = Selection {
            root: self.0.path().to_owned(),
            cwd: self.0.path().to_owned(),
            hidden: true,
            ignored: false,
            globs: Globs::default(),
            types: None,
            own: OwnPlaces::default(),
            opened: Vec::new(),
        };
        search(&selection, query, stop).unwrap()
    }

    /// `file:number:text` of matches, `file:number-text` of context.
    fn lines(&self, query: &Query) -> Vec<String> {
        let mut lines = Vec::new();
        for file in self.run(query).files {
            let name = file
                .path
                .strip_prefix(self.0.path())
                .unwrap()
                .display()
                .to_string();
            for row in file.rows {
                let mark = if row.hit.is_some() { ':' } else { '-' };
                lines.push(format!("{name}:{}{mark}{}", row.number, row.text));
            }
        }
        lines
    }
}

fn query(pattern: &str) -> Query {
    Query {
        pattern: pattern.to_owned(),
        literal: false,
        ignore_case: false,
        multiline: false,
        before: 0,
        after: 0,
        detail: Detail::Lines,
        page: (0, 50),
        order: Order::Path,
        most_line_chars: 500,
        most_bytes: None,
    }
}

#[test]
fn matching_lines_come_with_numbers_ranges_and_context() {
    let world = World::new(&[
        ("a", b"one\ntwo two\r\nthree\n"),
        ("b", b"two\n"),
        ("c", b"no\n"),
    ]);

    let report = world.run(&query("two"));

    assert_eq!((report.matches, report.matching_files), (2, 2));
    assert_eq!(
        report.files[0].rows,
        [Row {
            number: 2,
            text: "two two".to_owned(),
            ranges: vec![(0, 3), (4, 7)],
            hit: Some(0),
        }]
    );
    let context = Query {
        before: 1,
        after: 1,
        ..query("two$")
    };
    assert_eq!(
        world.lines(&context),
        ["a:1-one", "a:2:two two", "a:3-three", "b:1:two"]
    );
}

#[test]
fn text_case_and_line_ends_are_matched_as_asked() {
    let world = World::new(&[("a", b"f(x)\nF(X)\nstart\nend\n")]);
    let literal = Query {
        literal: true,
        ..query("f(x)")
    };

    assert_eq!(world.lines(&literal), ["a:1:f(x)"]);
    assert_eq!(
        world.lines(&Query {
            ignore_case: true,
            ..literal
        }),
        ["a:1:f(x)", "a:2:F(X)"]
    );
    assert_eq!(
        world.lines(&Query {
            multiline: true,
            ..query("start.end")
        }),
        ["a:3:start", "a:4:end"]
    );
}

#[test]
fn pages_follow_one_another_without_gap_or_repeat() {
    let world = World::new(&[("a", b"x1\nx2\nx3\n"), ("b", b"x4\n"), ("c", b"x5\nx6\n")]);

    let page = |offset, limit| {
        world.lines(&Query {
            page: (offset, limit),
            ..query("x")
        })
    };

    assert_eq!(page(0, 2), ["a:1:x1", "a:2:x2"]);
    assert_eq!(page(2, 3), ["a:3:x3", "b:1:x4", "c:1:x5"]);
    assert_eq!(page(5, 3), ["c:2:x6"]);
    assert_eq!(page(6, 3), Vec::<String>::new());
    let all = world.run(&Query {
        page: (2, 1),
        ..query("x")
    });
    assert_eq!((all.matches, all.matching_files), (6, 3));
}

#[test]
fn files_and_counts_are_rows_of_their_own() {
    let world = World::new(&[("a", b"x\nx\n"), ("b", b"x\n")]);
    let rows = |detail| {
        let report = world.run(&Query {
            detail,
            ..query("x")
        });
        report
            .files
            .iter()
            .map(|file| file.matches)
            .collect::<Vec<_>>()
    };

    assert_eq!(rows(Detail::Counts), [2, 1]);
    assert_eq!(rows(Detail::Files), [1, 1]);
}

#[test]
fn secrets_and_binary_files_are_not_searched() {
    let world = World::new(&[
        (".env", b"K=canary\n"),
        ("id_rsa", b"canary\n"),
        ("bin", b"\0\0canary\n"),
        ("ok", b"canary\n"),
        ("utf16", b"\xFF\xFEc\0a\0n\0a\0r\0y\0"),
    ]);

    assert_eq!(
        world.lines(&query("canary")),
        ["ok:1:canary", "utf16:1:canary"]
    );
    assert_eq!(world.run(&query("canary")).skipped.secrets.into_inner(), 2);
}

#[test]
fn a_long_line_is_cut_around_its_match() {
    let mut line = "é".repeat(600);
    line.push_str("needle");
    line.push_str(&"z".repeat(600));
    let world = World::new(&[("a", line.as_bytes())]);
    let short = Query {
        most_line_chars: 80,
        ..query("needle")
    };

    let row = &world.run(&short).files[0].rows[0];

    assert_eq!(
        row.text,
        format!("…{}needle{}…", "é".repeat(20), "z".repeat(54))
    );
    let (start, end) = row.ranges[0];
    assert_eq!(&row.text[start..end], "needle");
}

#[test]
fn a_pattern_that_cannot_be_is_refused_with_what_to_do() {
    let world = World::new(&[]);
    let selection = Selection {
        root: world.0.path().to_owned(),
        cwd: world.0.path().to_owned(),
        hidden: false,
        ignored: false,
        globs: Globs::default(),
        types: None,
        own: OwnPlaces::default(),
        opened: Vec::new(),
    };
    let refusal = |pattern: &str| {
        search(&selection, &query(pattern), &|| false)
            .unwrap_err()
            .to_string()
    };

    assert_eq!(
        refusal("f("),
        "`f(` is not a usable pattern: unclosed group; escape special characters with \\, or set `literal` to \
         search for plain text"
    );
    assert!(refusal("a\\nb").ends_with("set `multiline` to match over line ends"));
}

#[test]
fn a_file_without_matches_is_left_as_soon_as_the_search_is_to_stop() {
    let world = World::new(&[("f", "no\n".repeat(1 << 20).as_bytes())]);
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 4;

    let report = world.run_until(&query("yes"), &stop);

    assert!(report.skipped.stopped.into_inner());
    assert!(asked.into_inner() < 10);
}

#[test]
fn a_line_that_is_too_long_to_be_held_is_told() {
    let mut long = vec![b'x'; MOST_HELD + 1];
    long.extend(b"\nneedle\n");
    let world = World::new(&[("f", &long), ("g", b"needle\n")]);

    let report = world.run(&query("needle"));
    let multiline = world.run(&Query {
        multiline: true,
        ..query("needle\nx")
    });

    assert_eq!(report.matching_files, 1);
    assert_eq!(report.skipped.unwieldy.into_inner(), 1);
    assert_eq!(multiline.skipped.unwieldy.into_inner(), 1);
}
