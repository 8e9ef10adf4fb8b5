//! Whatever text comes, nothing that may not reach a cell passes, and pieces are shown like the whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarterdeck::text::{
    ansi::{Printer, plain},
    sanitize::{clean, clean_line, hazard, reveal, reveal_line},
};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let cleaned = clean(&text);
    assert_eq!(cleaned.chars().find_map(hazard), None);
    assert_eq!(clean(&cleaned), cleaned);
    let line = clean_line(&text);
    assert!(!line.contains(['\n', '\t']));
    assert_eq!(line.chars().find_map(hazard), None);
    assert_eq!(reveal(&text).text.chars().find_map(hazard), None);
    assert!(!reveal_line(&text).text.contains('\n'));

    let whole = plain(bytes);
    assert_eq!(whole.chars().find_map(hazard), None);
    let step = usize::from(bytes.first().copied().unwrap_or(0) % 16) + 1;
    let mut printer = Printer::new();
    let mut pieces = String::new();
    for piece in bytes.chunks(step) {
        printer.feed(piece);
        pieces.push_str(&printer.take());
    }
    printer.finish();
    pieces.push_str(&printer.take());
    assert_eq!(pieces.chars().find_map(hazard), None);
});
