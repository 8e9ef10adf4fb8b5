use std::fs::File;

use proptest::prelude::*;

use super::*;
use crate::process::whole::{END_IN_MEMORY, FILE_CAP, WHOLE_INLINE};

fn collector(directory: &tempfile::TempDir) -> Collector {
    Collector::new(&directory.path().join("spool"))
}

#[test]
fn a_small_output_is_whole_and_needs_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);

    collector.feed(Stream::Output, b"one\ntw");
    collector.feed(Stream::Error, b"\x1b[31mbad\x1b[0m\n");
    collector.feed(Stream::Output, b"o\n");

    assert_eq!(
        collector.finish(),
        Captured {
            text: "one\nbad\ntwo\n".to_owned(),
            preview: "one\nbad\ntwo\n".to_owned(),
            omitted_lines: 0,
            bytes: 12,
            file: None,
            streams: None,
            file_error: None,
        }
    );
    assert!(!directory.path().join("spool").exists());
}

#[test]
fn a_character_split_on_one_stream_survives_the_other() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);

    collector.feed(Stream::Error, b"a \xe2");
    collector.feed(Stream::Output, b"out\n");
    collector.feed(Stream::Error, b"\x86\x92\n");

    assert_eq!(collector.finish().text, "out\na →\n");
}

#[test]
fn streams_without_line_ends_do_not_run_together() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);

    collector.feed(Stream::Output, b"out");
    collector.feed(Stream::Error, b"err");

    assert_eq!(collector.finish().text, "out\nerr");
}

#[test]
fn a_large_output_keeps_both_ends_and_is_whole_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);
    let all: String = (1..=20_000)
        .map(|number| format!("line {number} →\n"))
        .collect();

    for piece in all.as_bytes().chunks(1_000) {
        collector.feed(Stream::Output, piece);
    }
    let captured = collector.finish();

    let file = captured.file.unwrap();
    assert_eq!(std::fs::read_to_string(&file.path).unwrap(), all);
    assert!(!file.cut);
    assert_eq!(captured.bytes, all.len() as u64);
    assert!(captured.text.starts_with("line 1 →\nline 2 →\n"));
    assert!(captured.text.ends_with("line 19999 →\nline 20000 →\n"));
    assert!(captured.text.len() < WHOLE_INLINE);
    assert!(!captured.text.contains('\u{fffd}'));
    let note = format!("{} lines (", grouped(captured.omitted_lines));
    assert!(captured.text.contains(&note), "{note}");
    assert!(captured.preview.starts_with("line 1 →\nline 2 →\n"));
    assert!(captured.preview.ends_with("line 19999 →\nline 20000 →\n"));
    assert!((2_900..3_100).contains(&captured.preview.len()));
    assert_eq!(captured.streams, Some([Part::Everything, Part::Nothing]));
}

/// What a stream said, from where it is kept.
fn said(part: &Part, whole: &str) -> String {
    match part {
        Part::Nothing => String::new(),
        Part::Everything => whole.to_owned(),
        Part::File(file) => std::fs::read_to_string(&file.path).unwrap(),
    }
}

#[test]
fn each_stream_of_a_large_output_is_kept_by_itself_too() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);
    let out: String = (1..=9_000).map(|number| format!("{number} →\n")).collect();
    collector.feed(Stream::Output, out.as_bytes());
    collector.feed(Stream::Error, b"first \xe2\x86");
    collector.feed(Stream::Output, b"and more\n");
    collector.feed(Stream::Error, b"\x92\nlast");

    let captured = collector.finish();

    let whole = std::fs::read_to_string(&captured.file.as_ref().unwrap().path).unwrap();
    let [output, error] = captured.streams.unwrap();
    assert_eq!(whole, format!("{out}and more\nfirst →\nlast"));
    assert_eq!(said(&output, &whole), format!("{out}and more\n"));
    assert_eq!(said(&error, &whole), "first →\nlast");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn lines_of_two_streams_are_whole_in_each_of_them(
        lines in prop::collection::vec((any::<bool>(), "[a-z→日]{0,12}", 1..900usize), 1..60),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let mut collector = collector(&directory);
        let (mut both, mut expected) = (String::new(), [String::new(), String::new()]);
        for (is_error, word, times) in lines {
            let text = format!("{word}\n").repeat(times);
            let stream = if is_error { Stream::Error } else { Stream::Output };
            collector.feed(stream, text.as_bytes());
            both.push_str(&text);
            expected[stream as usize].push_str(&text);
        }

        let captured = collector.finish();

        let Some(file) = &captured.file else {
            prop_assert_eq!(captured.text, both);
            return Ok(());
        };
        let whole = std::fs::read_to_string(&file.path).unwrap();
        prop_assert_eq!(&whole, &both);
        let parts = captured.streams.unwrap();
        prop_assert_eq!(parts.map(|part| said(&part, &whole)), expected);
    }
}

#[test]
fn an_endless_output_is_bounded_in_memory_and_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let mut whole = Whole::new(directory.path().to_owned());
    let piece = format!("{}\n", "y".repeat(99)).repeat(10_000);

    for _ in 0..80 {
        whole.push(&piece);
        assert!(whole.head.len() + whole.end.len() < 4 << 20);
    }
    whole.push("the last line\n");
    let captured = whole.finish();

    let file = captured.file.unwrap();
    let size = std::fs::metadata(&file.path).unwrap().len();
    let text = std::fs::read_to_string(&file.path).unwrap();
    assert!(file.cut);
    assert!(size < FILE_CAP + 2 * END_IN_MEMORY as u64, "{size}");
    assert!(text.contains("bytes left out"));
    assert!(text.ends_with("the last line\n"));
}

#[test]
fn live_pieces_lead_to_what_a_terminal_would_show() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);
    let mut shown = String::new();
    let mut show = |collector: &mut Collector| {
        if let Some(piece) = collector.live() {
            crate::text::ansi::append(&mut shown, &piece, 10_000);
        }
        shown.clone()
    };

    collector.feed(Stream::Output, b"start\n\r1%");
    assert_eq!(show(&mut collector), "start\n1%");
    collector.feed(Stream::Output, b"\r2%");
    assert_eq!(show(&mut collector), "start\n2%");
    assert_eq!(collector.live(), None);
    collector.feed(Stream::Output, b"\r100%\ndone\n");
    assert_eq!(show(&mut collector), "start\n100%\ndone\n");
}

#[test]
fn live_text_is_bounded_however_much_comes() {
    let directory = tempfile::tempdir().unwrap();
    let mut collector = collector(&directory);

    collector.feed(Stream::Output, "yes\n".repeat(100_000).as_bytes());
    let piece = collector.live().unwrap();

    assert!(piece.len() < 2 * LIVE_CAP + 100);
    assert!(piece.starts_with("[… "));
}

#[test]
fn a_large_output_that_nobody_takes_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let spool = directory.path().join("spool");
    let mut finished = collector(&directory);
    let mut dropped = collector(&directory);
    for collector in [&mut finished, &mut dropped] {
        collector.feed(Stream::Output, "yes\n".repeat(100_000).as_bytes());
    }
    assert_eq!(std::fs::read_dir(&spool).unwrap().count(), 2);

    drop(dropped);
    drop(finished.finish());

    assert_eq!(std::fs::read_dir(&spool).unwrap().count(), 0);
}

#[test]
fn an_output_that_cannot_be_spooled_is_still_answered() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    File::create(&file).unwrap();
    let mut collector = Collector::new(&file);

    collector.feed(Stream::Output, "yes\n".repeat(100_000).as_bytes());
    let captured = collector.finish();

    assert_eq!(captured.file, None);
    assert!(captured.file_error.is_some());
    assert!(captured.text.contains("left out"));
}
