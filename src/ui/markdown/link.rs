//! Addresses that a terminal may be told to open.

use std::{fmt::Write, sync::Arc};

/// Kinds of addresses that are handed on.
const SCHEMES: [&str; 4] = ["http://", "https://", "mailto:", "file://"];
/// Longest address that is handed on: what is longer, some programs cut.
const LONGEST: usize = 2_083;

/// The address as one word of printable ASCII; `None` for one that is not handed on.
pub(super) fn address(target: &str, is_email: bool) -> Option<Arc<str>> {
    let mut address = String::new();
    if is_email && !starts_with(target, "mailto:") {
        address.push_str("mailto:");
    }
    for byte in target.bytes() {
        match byte {
            b'!'..=b'~' => address.push(char::from(byte)),
            0x20 | 0x80.. => write!(address, "%{byte:02X}").ok()?,
            _ => return None,
        }
        if address.len() > LONGEST {
            return None;
        }
    }
    let is_known = SCHEMES
        .iter()
        .any(|scheme| starts_with(&address, scheme) && address.len() > scheme.len());
    is_known.then(|| address.into())
}

fn starts_with(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_of_known_kinds_are_handed_on() {
        let known = |target: &str| address(target, false).map(|address| address.to_string());

        for (target, expected) in [
            ("https://a.b/c?d=e#f", Some("https://a.b/c?d=e#f")),
            ("HTTP://a.b", Some("HTTP://a.b")),
            ("file:///tmp/a b", Some("file:///tmp/a%20b")),
            ("https://a.b/é", Some("https://a.b/%C3%A9")),
            ("mailto:a@b.c", Some("mailto:a@b.c")),
            ("javascript:alert(1)", None),
            ("docs/page.md", None),
            ("https://", None),
            ("https://a\u{1b}\\b", None),
            ("https://a\u{7}b", None),
            ("https://a\nb", None),
        ] {
            assert_eq!(known(target).as_deref(), expected, "{target:?}");
        }
        assert_eq!(address("a@b.c", true).as_deref(), Some("mailto:a@b.c"));
        assert_eq!(
            known(&format!("https://{}", "a".repeat(2_075))).map(|a| a.len()),
            Some(2_083)
        );
        assert_eq!(known(&format!("https://{}", "a".repeat(2_076))), None);
    }
}
