//! What a client asks the proxy for: the head of its request, and what of it goes on to the server.

use url::{Position, Url};

/// The longest head.
pub(super) const LONGEST_HEAD: usize = 16 * 1024;
/// The most lines of one.
const MOST_LINES: usize = 96;

/// Lines that are between the client and us.
const BETWEEN: &[&str] = &[
    "connection",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
];

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// What is asked for.
    pub(super) asked: Asked,
    /// What the client says to be let in.
    pub(super) credentials: Option<String>,
    /// How long the head is; what follows belongs to the server.
    pub(super) length: usize,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A connection to a `host:port`.
    Tunnel(String),
    /// The answer to one request.
    Forward(Forward),
}

/// A request to pass on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Forward {
    /// To where.
    pub(super) url: String,
    method: String,
    lines: Vec<(String, Vec<u8>)>,
}

/// Why a head is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    /// It is no request.
    Malformed,
    /// It is longer, or has more lines, than any that means well.
    TooLarge,
}

impl Head {
    /// Reads a head; `None` when it has not arrived whole.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, Bad> {
        let mut lines = [httparse::EMPTY_HEADER; MOST_LINES];
        let mut request = httparse::Request::new(&mut lines);
        let length = match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < LONGEST_HEAD => return Ok(None),
            Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                return Err(Bad::TooLarge);
            }
            Err(_) => return Err(Bad::Malformed),
        };
        let (Some(method), Some(place)) = (request.method, request.path) else {
            return Err(Bad::Malformed);
        };
        let credentials = request
            .headers
            .iter()
            .find(|line| line.name.eq_ignore_ascii_case("proxy-authorization"))
            .and_then(|line| std::str::from_utf8(line.value).ok())
            .and_then(|value| value.trim().split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))
            .map(|(_, credentials)| credentials.trim().to_owned());
        let asked = if method == "CONNECT" {
            Asked::Tunnel(place.to_owned())
        } else {
            let lines = request.headers.iter();
            Asked::Forward(Forward {
                url: place.to_owned(),
                method: method.to_owned(),
                lines: lines
                    .map(|line| (line.name.to_owned(), line.value.to_vec()))
                    .collect(),
            })
        };
        Ok(Some(Self {
            asked,
            credentials,
            length,
        }))
    }
}

impl Forward {
    /// The head as the server gets it. The connection ends with the answer: a second request would have to be judged as
    /// this one was.
    pub(super) fn for_server(&self, url: &Url) -> Vec<u8> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: {}\r\n",
            self.method,
            &url[Position::BeforePath..Position::AfterQuery],
            &url[Position::BeforeHost..Position::AfterPort],
        )
        .into_bytes();
        // What a client calls a matter of this connection alone is not passed on either.
        let named: Vec<String> = self
            .lines
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("connection"))
            .flat_map(|(_, value)| {
                let value = String::from_utf8_lossy(value).to_ascii_lowercase();
                value
                    .split(',')
                    .map(|name| name.trim().to_owned())
                    .collect::<Vec<_>>()
            })
            .collect();
        for (name, value) in &self.lines {
            let lower = name.to_ascii_lowercase();
            if !BETWEEN.contains(&lower.as_str()) && !named.contains(&lower) {
                head.extend(name.as_bytes());
                head.extend(b": ");
                head.extend(value);
                head.extend(b"\r\n");
            }
        }
        head.extend(b"Connection: close\r\n\r\n");
        head
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Head>, Bad> {
        Head::read(text.as_bytes())
    }

    #[test]
    fn a_tunnel_is_read_with_what_lets_it_in() {
        let text =
            "CONNECT example.org:443 HTTP/1.1\r\nProxy-Authorization: basic  cWQ6eA==\r\n\r\nrest";

        let head = read(text).unwrap().unwrap();

        assert_eq!(head.asked, Asked::Tunnel("example.org:443".to_owned()));
        assert_eq!(head.credentials.as_deref(), Some("cWQ6eA=="));
        assert_eq!(&text[head.length..], "rest");
        assert_eq!(read(&text[..30]), Ok(None));
    }

    #[test]
    fn the_server_gets_its_own_name_and_nothing_of_the_proxy() {
        let text = "GET http://EXAMPLE.org:8080/a/../b?c#d HTTP/1.1\r\nHost: 127.0.0.1\r\nX-One: 1\r\n\
                    Connection: keep-alive, X-Mine\r\nX-Mine: 2\r\nProxy-Authorization: Basic x\r\nProxy-Connection: y\r\n\
                    Content-Length: 3\r\n\r\n";
        let head = read(text).unwrap().unwrap();
        let Asked::Forward(forward) = head.asked else {
            panic!("{head:?}");
        };

        let sent = forward.for_server(&Url::parse(&forward.url).unwrap());

        assert_eq!(
            String::from_utf8(sent).unwrap(),
            "GET /b?c HTTP/1.1\r\nHost: example.org:8080\r\nX-One: 1\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"
        );
    }

    proptest::proptest! {
        /// Neither does what is read leave its lines, nor does anything end the reader.
        #[test]
        fn nothing_that_is_sent_gets_between_the_lines(
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200),
            value in "[ -~]{0,40}",
            path in "\\PC{0,40}",
        ) {
            let _ = Head::read(&bytes);
            let text = format!("GET http://a.example/{path} HTTP/1.1\r\nX: {value}\r\n\r\n");
            if let Ok(Some(Head { asked: Asked::Forward(forward), .. })) = read(&text)
                && let Ok(url) = Url::parse(&forward.url)
            {
                let sent = forward.for_server(&url);
                let lines = sent.windows(2).filter(|pair| pair == b"\r\n").count();
                proptest::prop_assert_eq!(lines, 5);
                proptest::prop_assert!(sent.starts_with(b"GET /"));
            }
        }
    }

    #[test]
    fn what_is_no_head_is_refused_and_no_head_is_endless() {
        let long = format!("GET / HTTP/1.1\r\nA: {}", "a".repeat(LONGEST_HEAD));
        let many = format!(
            "GET / HTTP/1.1\r\n{}\r\n",
            "A: 1\r\n".repeat(MOST_LINES + 1)
        );

        assert_eq!(read("\u{16}\u{3}\u{1}\r\n\r\n"), Err(Bad::Malformed));
        assert_eq!(
            read("GET http://a/ HTTP/1.1\r\nA : b\r\n\r\n"),
            Err(Bad::Malformed)
        );
        assert_eq!(read(&long), Err(Bad::TooLarge));
        assert_eq!(read(&many), Err(Bad::TooLarge));
    }
}
