//! Error answers of real and imagined servers, and the line that a person reads.

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::json;

use super::*;

fn endpoint() -> Endpoint {
    let account = Account::new("work", "openai-chat-completions", "http://127.0.0.1:9/v1")
        .with_key(
            Secret::new("sk-canary"),
            "the environment variable WORK_KEY",
        );
    let url = Url::parse("http://127.0.0.1:9/v1/chat/completions").unwrap();
    Endpoint::new(url, &account, "big-1")
}

fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
    let headers = headers
        .iter()
        .map(|(name, value)| {
            (
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            )
        })
        .collect();
    Answer {
        status,
        headers,
        body: body.into(),
    }
}

fn now() -> Timestamp {
    "2026-10-21T07:28:00Z".parse().unwrap()
}

fn refused(status: u16, headers: &[(&str, &str)], body: &str) -> ProviderError {
    endpoint().refused(&answer(status, headers, body), now())
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn every_status_has_its_class_and_a_line_that_says_what_to_do() {
    let body = r#"{"error":{"message":"No.","type":"x","code":null}}"#;
    let overloaded = Fault::Overloaded { retry_after: None };
    let cases = [
        (
            401,
            Fault::Unauthorized,
            "127.0.0.1:9 refuses the key (401): No.; check the environment variable WORK_KEY",
        ),
        (
            403,
            Fault::Unauthorized,
            "127.0.0.1:9 does not allow this (403): No.; check the environment variable WORK_KEY, or whether it \
             may use big-1",
        ),
        (
            404,
            Fault::NotFound,
            "http://127.0.0.1:9/v1/chat/completions was not found (404): No.; check base_url of account work and \
             the model name big-1",
        ),
        (
            429,
            Fault::RateLimited { retry_after: None },
            "127.0.0.1:9 limits the rate (429): No.",
        ),
        (
            402,
            Fault::Rejected,
            "the account at 127.0.0.1:9 has no credit left (402): No.; check its billing page",
        ),
        (
            500,
            overloaded.clone(),
            "127.0.0.1:9 cannot answer now (500): No.",
        ),
        (
            529,
            overloaded.clone(),
            "127.0.0.1:9 cannot answer now (529): No.",
        ),
        (408, overloaded, "127.0.0.1:9 cannot answer now (408): No."),
        (
            422,
            Fault::Rejected,
            "127.0.0.1:9 does not accept the request (422): No.",
        ),
    ];

    for (status, fault, message) in cases {
        assert_eq!(
            refused(status, &[JSON, ("x-request-id", "req-1")], body),
            ProviderError {
                fault,
                message: message.to_owned(),
                status: Some(status),
                request_id: Some("req-1".to_owned()),
            }
        );
    }
}

#[test]
fn a_missing_key_is_named_as_such() {
    let account = Account::new("work", "openai-chat-completions", "x")
        .with_key(None, "the environment variable WORK_KEY");
    let url = Url::parse("https://api.example/v1/chat/completions").unwrap();
    let message = |account: &Account| {
        let endpoint = Endpoint::new(url.clone(), account, "m");
        endpoint.refused(&answer(401, &[], ""), now()).message
    };

    assert_eq!(
        message(&account),
        "api.example refuses the key (401); no key was sent; set the environment variable WORK_KEY"
    );
    assert_eq!(
        message(&Account::new("work", "x", "x")),
        "api.example refuses the key (401); no key was sent; name one by api_key_env in account work"
    );
}

#[test]
fn no_credit_is_not_a_rate_limit() {
    let error = refused(
        429,
        &[JSON],
        r#"{"error":{"message":"Quota.","code":"insufficient_quota"}}"#,
    );

    assert_eq!(error.fault, Fault::Rejected);
    assert!(!error.is_retryable());
}

#[test]
fn a_wait_that_is_too_long_is_said_in_words() {
    let line = |status, wait| refused(status, &[("retry-after", wait)], "").message;
    let told = |said: &str, long: &str| {
        format!(
            "127.0.0.1:9 {said}; it asks to wait {long}, so nothing is sent again by itself: send a message to try"
        )
    };

    assert_eq!(line(429, "600"), "127.0.0.1:9 limits the rate (429)");
    for (wait, long) in [
        ("601", "11 minutes"),
        ("86400", "24 hours"),
        ("1814400", "21 days"),
        ("99999999999", "more than a year"),
    ] {
        assert_eq!(line(429, wait), told("limits the rate (429)", long));
        assert_eq!(line(503, wait), told("cannot answer now (503)", long));
    }
}

#[test]
fn retry_after_is_read_as_seconds_milliseconds_or_date() {
    let wait = |headers: &[(&str, &str)]| refused(429, headers, "").retry_after();
    let seconds = |seconds| Some(Duration::from_secs(seconds));

    assert_eq!(wait(&[("retry-after", "7")]), seconds(7));
    assert_eq!(
        wait(&[("retry-after", "0.5")]),
        Some(Duration::from_millis(500))
    );
    assert_eq!(
        wait(&[("retry-after", "9"), ("retry-after-ms", "250")]),
        Some(Duration::from_millis(250))
    );
    assert_eq!(
        wait(&[("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT")]),
        seconds(30)
    );
    assert_eq!(
        wait(&[("retry-after", "Wed, 21 Oct 2026 07:00:00 GMT")]),
        seconds(0)
    );
    assert_eq!(
        wait(&[
            ("date", "Wed, 21 Oct 2026 09:00:00 GMT"),
            ("retry-after", "Wed, 21 Oct 2026 09:00:05 GMT")
        ]),
        seconds(5)
    );
    for bad in ["", "soon", "-3", "NaN", "inf", "1e400"] {
        assert_eq!(wait(&[("retry-after", bad)]), None, "{bad}");
    }
    assert_eq!(
        refused(503, &[("retry-after", "7")], "").retry_after(),
        seconds(7)
    );
}

#[test]
fn b18_a_web_page_becomes_one_line_without_html() {
    let page = format!(
        "<!doctype html><title>Sign in</title>{}",
        "<p>x".repeat(80_000)
    );
    for (status, retryable) in [(200, false), (400, false), (404, false), (502, true)] {
        let error = refused(status, &[("content-type", "text/html")], &page);

        assert_eq!(
            error.message,
            format!(
                "http://127.0.0.1:9/v1/chat/completions answered {status} with a web page instead of an API \
                 answer: check base_url of account work, or whether a proxy or a sign-in page is in the way"
            )
        );
        assert_eq!(
            (error.fault.clone(), error.is_retryable()),
            (Fault::WebPage, retryable)
        );
    }
}

#[test]
fn a_page_that_refuses_the_key_or_limits_the_rate_is_read_by_its_status() {
    let page = "<!doctype html><title>No</title>";
    let headers = [("content-type", "text/html"), ("retry-after", "9")];
    let cases = [
        (
            401,
            "127.0.0.1:9 refuses the key (401): it answered with a web page; check ",
        ),
        (
            403,
            "127.0.0.1:9 does not allow this (403): it answered with a web page; check ",
        ),
        (
            429,
            "127.0.0.1:9 limits the rate (429): it answered with a web page",
        ),
        (
            402,
            "the account at 127.0.0.1:9 has no credit left (402): it answered with a web page; ",
        ),
    ];
    for (status, start) in cases {
        let error = refused(status, &headers, page);

        assert!(error.message.starts_with(start), "{}", error.message);
        assert!(!error.message.contains(['<', '>']), "{}", error.message);
        let fault = match status {
            401 | 403 => Fault::Unauthorized,
            429 => Fault::RateLimited {
                retry_after: Some(Duration::from_secs(9)),
            },
            _ => Fault::Rejected,
        };
        assert_eq!(error.fault, fault);
    }
}

#[test]
fn b19_a_full_window_is_known_in_every_spelling_and_nothing_else_is() {
    let body = |message: &str, code: &str| {
        json!({"error": {"message": message, "code": code}}).to_string()
    };
    for (status, body) in [
        (400, body("no", "context_length_exceeded")),
        (
            400,
            body("prompt is too long: 210 tokens > 200 maximum", ""),
        ),
        (
            400,
            body(
                "request (900 tokens) exceeds the available context size (800 tokens)",
                "",
            ),
        ),
        (413, String::new()),
        (413, "<html>413 Request Entity Too Large</html>".to_owned()),
        (
            500,
            body("the request exceeds the available context size", ""),
        ),
        (
            429,
            body(
                "Request too large for big-1: Limit 30000, Requested 45000",
                "rate_limit_exceeded",
            ),
        ),
    ] {
        assert_eq!(
            refused(status, &[], &body).fault,
            Fault::WindowFull,
            "{body}"
        );
    }
    assert_eq!(
        refused(400, &[], &body("max_tokens too large", "invalid_value")).fault,
        Fault::Rejected
    );
}

#[test]
fn the_provider_s_words_are_clean_short_and_never_hold_the_key() {
    let body =
        json!({"error": {"message": format!("bad \u{1b}[2Jkey sk-canary {}", "各".repeat(900))}});
    let error = refused(400, &[], &body.to_string());

    assert!(
        error
            .message
            .starts_with("127.0.0.1:9 does not accept the request (400): bad key [key] 各"),
        "{}",
        error.message
    );
    assert!(error.message.chars().count() < 360, "{}", error.message);
}

#[test]
fn a_redirect_is_not_followed_but_named() {
    let error = refused(308, &[("location", "https://elsewhere.example/v1")], "");

    assert_eq!(
        error.message,
        "http://127.0.0.1:9/v1/chat/completions redirects (308) to https://elsewhere.example/v1; put the final \
         address into base_url of account work"
    );
    assert_eq!(error.fault, Fault::Setup);
}

#[test]
fn an_error_inside_a_stream_can_be_tried_again_only_before_anything_came() {
    let busy = json!({"error": {"message": "busy", "code": 503}});
    let fault = |shown| endpoint().in_stream(&busy, shown, None).fault;

    assert_eq!(fault(true), Fault::InStream);
    assert_eq!(fault(false), Fault::Overloaded { retry_after: None });
    assert_eq!(
        endpoint().in_stream(&busy, true, None),
        ProviderError {
            fault: Fault::InStream,
            message: "127.0.0.1:9 broke the reply off: busy".to_owned(),
            status: Some(503),
            request_id: None,
        }
    );
}
