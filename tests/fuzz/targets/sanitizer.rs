//! Whatever text comes, whole or in pieces, nothing passes that a terminal obeys.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarterdeck::text::{
    ansi::{Printer, plain},
    sanitize::{Hazard, clean, clean_line, hazard, reveal, reveal_line},
};

/// What a terminal would obey or show in another order. Blanks and joiners of other scripts stay in what is read.
fn obeyed(text: &str) -> Option<char> {
    let is_obeyed = |found: &char| {
        matches!(
            hazard(*found),
            Some(Hazard::Control | Hazard::Bidirectional)
        )
    };
    text.chars().find(is_obeyed)
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let cleaned = clean(&text);
    assert_eq!(obeyed(&cleaned), None);
    assert_eq!(clean(&cleaned), cleaned);
    let line = clean_line(&text);
    assert!(!line.contains(['\n', '\t']));
    assert_eq!(obeyed(&line), None);
    assert_eq!(reveal(&text).text.chars().find_map(hazard), None);
    assert!(!reveal_line(&text).text.contains('\n'));

    let whole = plain(bytes);
    assert_eq!(obeyed(&whole), None);
    let step = usize::from(bytes.first().copied().unwrap_or(0) % 16) + 1;
    let mut printer = Printer::new();
    let mut pieces = String::new();
    for piece in bytes.chunks(step) {
        printer.feed(piece);
        pieces.push_str(&printer.take());
    }
    printer.finish();
    pieces.push_str(&printer.take());
    assert_eq!(obeyed(&pieces), None);
});
