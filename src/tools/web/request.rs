//! What is asked for: a URL and headers that a model may set, and how asking fails.

use std::collections::BTreeMap;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::{permission::network::Target, tools::error::ToolError};

/// The most headers that a call may set.
const MOST_HEADERS: usize = 20;
/// The most bytes of one of them.
const LONGEST_HEADER: usize = 4096;

/// Headers that stand for a person, or that say how the message is read.
const CLOSED_HEADERS: &[&str] = &[
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-api-key",
];

/// Why nothing was fetched, or nothing that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The URL is none.
    InvalidUrl,
    /// Another argument is wrong.
    InvalidArgument,
    /// The address may not be connected to.
    Refused,
    /// The host wants no programs there.
    Robots,
    /// A redirect that is not followed.
    Redirect,
    /// It took too long.
    Timeout,
    /// There was no connection, or it broke.
    Transport,
    /// The server answered that it has nothing to give.
    Status,
    /// What came is nothing that can be shown or saved.
    UnsupportedContentType,
    /// The page could not be written as Markdown, or the file not at all.
    Conversion,
}

impl Fault {
    /// Its number, its class and its kind.
    fn names(self) -> (u8, &'static str, &'static str) {
        match self {
            Self::Conversion => (1, "conversion", "conversion_error"),
            Self::UnsupportedContentType => (1, "conversion", "unsupported_content_type"),
            Self::Refused => (2, "input", "network_refused"),
            Self::Robots => (2, "input", "robots_refused"),
            Self::Redirect => (2, "input", "redirect_error"),
            Self::Timeout => (2, "input", "timeout"),
            Self::Transport => (2, "input", "transport_error"),
            Self::Status => (2, "input", "http_status"),
            Self::InvalidUrl => (3, "usage", "invalid_url"),
            Self::InvalidArgument => (3, "usage", "invalid_argument"),
        }
    }
}

/// A failure with its reason, for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) fault: Fault,
    pub(super) reason: String,
}

impl Failure {
    pub(super) fn new(fault: Fault, reason: impl Into<String>) -> Self {
        Self {
            fault,
            reason: reason.into(),
        }
    }
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        let (number, class, kind) = failure.fault.names();
        Self::model(format!(
            "[web_fetch: error {number} ({class}, {kind}) — {}]",
            failure.reason
        ))
    }
}

/// The URL that a call means: without a scheme it is https, and a colon that is missing behind one is put in.
pub(super) fn repaired(text: &str) -> String {
    let text = text.trim();
    let text = text
        .strip_prefix('<')
        .and_then(|inner| inner.strip_suffix('>'))
        .unwrap_or(text);
    for scheme in ["https", "http"] {
        if let Some(rest) = text.strip_prefix(scheme)
            && rest.starts_with("//")
        {
            return crate::permission::web::normal(&format!("{scheme}:{rest}"));
        }
    }
    if let Some(rest) = text.strip_prefix("//") {
        return crate::permission::web::normal(&format!("https://{rest}"));
    }
    // `localhost:3000` is a host and a port, `mailto:someone` another scheme.
    let has_scheme = text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.starts_with(|c: char| c.is_ascii_digit())
    });
    if has_scheme {
        crate::permission::web::normal(text)
    } else {
        // Servers of this machine rarely have a certificate.
        let host = text.split(['/', ':', '?']).next().unwrap_or_default();
        let is_here = host == "localhost" || host.starts_with("127.");
        let scheme = if is_here { "http" } else { "https" };
        crate::permission::web::normal(&format!("{scheme}://{text}"))
    }
}

/// A URL that can be asked for.
pub(super) fn read_url(text: &str) -> Result<Url, Failure> {
    let fail = |why: &str| Failure::new(Fault::InvalidUrl, why);
    let repaired = repaired(text);
    let url = Url::parse(&repaired).map_err(|error| {
        fail(&format!(
            "the URL cannot be read ({error}); name one such as https://example.org/page"
        ))
    })?;
    Target::from_url(&url).map_err(|refusal| {
        fail(&format!(
            "the URL is not used: {refusal}; only http and https pages are fetched"
        ))
    })?;
    Ok(url)
}

/// The headers that a call sets.
pub(super) fn read_headers(headers: &BTreeMap<String, String>) -> Result<HeaderMap, Failure> {
    let fail = |why: String| Failure::new(Fault::InvalidArgument, why);
    if headers.len() > MOST_HEADERS {
        return Err(fail(format!(
            "`headers` has more than {MOST_HEADERS} entries"
        )));
    }
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let lower = name.trim().to_ascii_lowercase();
        if CLOSED_HEADERS.contains(&lower.as_str()) {
            return Err(fail(format!(
                "the header {lower} is not set by a call: it stands for a person or for the connection; leave it out"
            )));
        }
        let parsed = HeaderName::try_from(&lower)
            .ok()
            .zip(HeaderValue::try_from(value.as_str()).ok())
            .filter(|_| value.len() <= LONGEST_HEADER);
        let (name, value) = parsed.ok_or_else(|| {
            fail(format!(
                "the header {} cannot be sent: a name is letters and -, a value one line of at most \
                 {LONGEST_HEADER} bytes",
                name.escape_debug()
            ))
        })?;
        map.insert(name, value);
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_that_is_missing_or_broken_is_mended() {
        for (text, expected) in [
            ("example.org", "https://example.org/"),
            (" example.org/a b ", "https://example.org/a%20b"),
            ("https//example.org", "https://example.org/"),
            ("http//example.org:8080/x", "http://example.org:8080/x"),
            ("//example.org", "https://example.org/"),
            ("<https://example.org/?q=1>", "https://example.org/?q=1"),
            ("localhost:3000", "http://localhost:3000/"),
            ("HTTP://Example.ORG:80", "http://example.org/"),
        ] {
            assert_eq!(read_url(text).unwrap().as_str(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_page_of_the_web_is_refused_by_name() {
        for (text, words) in [
            ("file:///etc/hostname", "`file:` is neither http nor https"),
            ("ftp://example.org/", "`ftp:`"),
            ("mailto:someone@example.org", "`mailto:`"),
            (
                "https://me:canary@example.org/",
                "a user name or a password",
            ),
            (
                "http://example.org:22/",
                "port 22 belongs to another service",
            ),
            ("https://", "cannot be read"),
        ] {
            let failure = read_url(text).unwrap_err();
            assert_eq!(failure.fault, Fault::InvalidUrl, "{text}");
            assert!(failure.reason.contains(words), "{text}: {}", failure.reason);
            assert!(!failure.reason.contains("canary"));
        }
    }

    #[test]
    fn headers_that_stand_for_a_person_are_refused() {
        let read = |name: &str, value: &str| {
            read_headers(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
        };

        assert_eq!(
            read("Accept-Language", "de").unwrap()["accept-language"],
            "de"
        );
        for (name, value) in [
            ("Authorization", "Bearer x"),
            (" cookie", "a=b"),
            ("Host", "other.example"),
            ("X-A", "one\r\nCookie: a=b"),
            ("not a name", "x"),
        ] {
            let failure = read(name, value).unwrap_err();
            assert_eq!(failure.fault, Fault::InvalidArgument, "{name}");
        }
    }
}
