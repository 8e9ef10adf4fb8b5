//! The provider's own words out of an error answer, made fit for one line on a screen.
//!
//! What comes out is clean (no escapes, no line ends), at most [`LIMIT`] characters, never HTML and never the key.

use serde_json::Value;

use super::keys::secret::Secret;
use crate::text::sanitize;

/// The most characters of the provider's words that are shown.
pub(super) const LIMIT: usize = 300;

/// One clean line of at most [`LIMIT`] characters.
pub(super) fn line(text: &str, key: Option<&Secret>) -> String {
    let text = match key {
        Some(key) => key.redact(text),
        None => text.to_owned(),
    };
    // A bounded part is enough: cleaning a whole body to show its first line would be waste.
    let start: String = text.chars().take(LIMIT * 8).collect();
    let clean = sanitize::clean_line(&start);
    let joined = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= LIMIT {
        return joined;
    }
    let mut cut: String = joined.chars().take(LIMIT - 1).collect();
    cut.push('…');
    cut
}

/// What an error object says: its message, wherever the server put it. The result is not clean yet.
pub(super) fn of_value(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(entries) => entries.first().and_then(of_value),
        Value::Object(fields) => {
            // A relay says "Provider returned error" and hides the reason here.
            let relayed = fields
                .get("metadata")
                .and_then(|metadata| metadata.get("raw"))
                .and_then(of_relayed);
            relayed.or_else(|| {
                [
                    "error", "message", "msg", "detail", "details", "errors", "reason",
                ]
                .iter()
                .filter_map(|name| fields.get(*name))
                .find_map(of_value)
            })
        }
        _ => None,
    }
    .filter(|words| !words.trim().is_empty())
}

fn of_relayed(raw: &Value) -> Option<String> {
    match raw.as_str().map(serde_json::from_str::<Value>) {
        Some(Ok(inner)) => of_value(&inner),
        Some(Err(_)) => raw.as_str().map(str::to_owned),
        None => of_value(raw),
    }
}

/// All codes and types that an error object names: `context_length_exceeded`, `503`.
pub(super) fn codes(value: &Value) -> Vec<String> {
    let mut codes = Vec::new();
    collect_codes(value, 0, &mut codes);
    codes
}

fn collect_codes(value: &Value, depth: usize, codes: &mut Vec<String>) {
    match value {
        Value::Object(fields) if depth < 4 => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if is_code(name) => codes.push(text.to_lowercase()),
                    Value::Number(number) if is_code(name) => codes.push(number.to_string()),
                    _ => collect_codes(value, depth + 1, codes),
                }
            }
        }
        Value::Array(entries) if depth < 4 => {
            for entry in entries.iter().take(4) {
                collect_codes(entry, depth + 1, codes);
            }
        }
        _ => {}
    }
}

fn is_code(name: &str) -> bool {
    matches!(name, "code" | "type" | "status" | "error_type")
}

/// Whether a body is a web page.
pub(super) fn is_web_page(content_type: &str, body: &[u8]) -> bool {
    let content_type = content_type.to_ascii_lowercase();
    if content_type.contains("json") || content_type.contains("event-stream") {
        return false;
    }
    if content_type.contains("html") {
        return true;
    }
    let start: Vec<u8> = body
        .iter()
        .skip_while(|byte| byte.is_ascii_whitespace() || !byte.is_ascii())
        .take(16)
        .map(u8::to_ascii_lowercase)
        .collect();
    [
        &b"<!doctype"[..],
        b"<html",
        b"<head",
        b"<body",
        b"<?xml",
        b"<!--",
    ]
    .iter()
    .any(|mark| start.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_found_wherever_servers_put_them() {
        let cases = [
            (
                json!({"error": {"message": "busy", "code": 503}}),
                Some("busy"),
            ),
            (json!({"error": "busy"}), Some("busy")),
            (json!([{"error": {"message": "busy"}}]), Some("busy")),
            (json!({"object": "error", "message": "busy"}), Some("busy")),
            (
                json!({"detail": [{"loc": ["body"], "msg": "busy"}]}),
                Some("busy"),
            ),
            (json!({"detail": "busy"}), Some("busy")),
            (
                json!({"error": {"message": "Provider returned error",
                    "metadata": {"raw": "{\"error\":{\"message\":\"busy\"}}"}}}),
                Some("busy"),
            ),
            (json!({"error": {"message": "", "code": 1}}), None),
            (json!({"error": null}), None),
            (json!(7), None),
        ];

        for (value, expected) in cases {
            assert_eq!(of_value(&value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn a_line_is_clean_short_and_without_the_key() {
        let key = Secret::new("sk-canary");

        assert_eq!(
            line("bad\x1b[2J key:\r\n  sk-canary\u{202e}!", key.as_ref()),
            "bad key: [key]!"
        );
        let long = line(&"各".repeat(1000), None);
        assert_eq!(long.chars().count(), LIMIT);
        assert!(long.ends_with("各…"));
    }

    #[test]
    fn web_pages_are_known_by_type_or_by_their_first_tag() {
        assert!(is_web_page("text/html; charset=utf-8", b""));
        assert!(is_web_page("", b"\xef\xbb\xbf \n<!DOCTYPE html>"));
        assert!(is_web_page("text/plain", b"<html><head>"));
        assert!(!is_web_page("application/json", b"<html>"));
        assert!(!is_web_page("text/plain", b"upstream <html> failed"));
        assert!(!is_web_page("", b"data: <html>"));
    }

    #[test]
    fn codes_are_collected_from_every_depth() {
        let value =
            json!({"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 4096}});

        assert_eq!(codes(&value), ["400", "exceed_context_size_error"]);
    }
}
