//! Where a URL or a `host:port` leads, in whatever spelling.
//!
//! The parser is the one that the programs that connect use, so both take the same text for the same place: `0x7f.1`,
//! `2130706433` and `127.0.0.1` are one host.

use core::{
    fmt,
    net::{IpAddr, SocketAddr},
};

use url::{Host, Url};

use super::policy::Refusal;

/// The longest URL that is looked at.
pub const LONGEST_URL: usize = 8 * 1024;

/// Names that mean this machine or its surroundings wherever they are asked for, with all that ends in them.
const LOCAL_NAMES: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "ip6-localhost",
    "ip6-loopback",
];

/// Ports of services that a browser's request must not be sent to, since they would take its lines for their own.
const OTHER_SERVICES: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

/// Where a connection is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    host: Host<String>,
    port: u16,
}

impl Target {
    /// Reads `host:port`. An address of version 6 stands in brackets.
    pub fn from_authority(text: &str) -> Result<Self, Refusal> {
        if text.len() > LONGEST_URL {
            return Err(Refusal::TooLong);
        }
        let (host, port) = text.rsplit_once(':').ok_or(Refusal::Malformed)?;
        let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let port = port.parse().ok().filter(|_| is_number);
        match (Host::parse(host), port) {
            (Ok(_), Some(0)) => Err(Refusal::Port(0)),
            (Ok(host), Some(port)) => Ok(Self { host, port }),
            _ => Err(Refusal::Malformed),
        }
    }

    /// Where the URL of a request leads.
    pub fn from_url(url: &Url) -> Result<Self, Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::Credentials);
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(Refusal::Malformed);
        };
        if OTHER_SERVICES.binary_search(&port).is_ok() {
            return Err(Refusal::Port(port));
        }
        let host = host.to_owned();
        Ok(Self { host, port })
    }

    /// The address, when it names one.
    pub fn address(&self) -> Option<SocketAddr> {
        let address = match self.host {
            Host::Domain(_) => return None,
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
        };
        Some(SocketAddr::new(address, self.port))
    }

    /// The name to resolve, when it names no address.
    pub fn name(&self) -> Option<&str> {
        match &self.host {
            Host::Domain(name) => Some(name),
            Host::Ipv4(_) | Host::Ipv6(_) => None,
        }
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the name is one of this machine or its surroundings, whatever it resolves to.
    pub(super) fn is_local_name(&self) -> bool {
        let Some(name) = self.name() else {
            return false;
        };
        let name = name.trim_end_matches('.');
        LOCAL_NAMES.iter().any(|local| {
            name.strip_suffix(local)
                .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

/// Reads a URL.
pub(super) fn parse(text: &str) -> Result<Url, Refusal> {
    if text.len() > LONGEST_URL {
        return Err(Refusal::TooLong);
    }
    Url::parse(text).map_err(|_| Refusal::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_in_order_for_the_search() {
        assert!(OTHER_SERVICES.is_sorted());
    }

    #[test]
    fn authorities_are_read_as_urls_are() {
        let read = |text: &str| Target::from_authority(text).map(|target| target.to_string());
        let table = [
            ("example.org:443", Ok("example.org:443")),
            ("EXAMPLE.org:22", Ok("example.org:22")),
            ("0x7f.1:80", Ok("127.0.0.1:80")),
            ("2130706433:80", Ok("127.0.0.1:80")),
            ("0177.0.0.01:80", Ok("127.0.0.1:80")),
            ("[::ffff:7f00:1]:80", Ok("[::ffff:7f00:1]:80")),
            ("\u{ff11}27.0.0.1:80", Ok("127.0.0.1:80")),
            ("example.org:0", Err(Refusal::Port(0))),
            ("example.org:65536", Err(Refusal::Malformed)),
            ("example.org:+80", Err(Refusal::Malformed)),
            ("example.org:", Err(Refusal::Malformed)),
            ("example.org", Err(Refusal::Malformed)),
            ("::1:80", Err(Refusal::Malformed)),
            ("a@b:80", Err(Refusal::Malformed)),
            ("a b:80", Err(Refusal::Malformed)),
            ("a/b:80", Err(Refusal::Malformed)),
            ("[fe80::1%25eth0]:80", Err(Refusal::Malformed)),
            ("", Err(Refusal::Malformed)),
        ];

        for (text, expected) in table {
            assert_eq!(read(text), expected.map(str::to_owned), "{text}");
        }
    }

    #[test]
    fn names_of_the_surroundings_are_known_by_their_end() {
        let is_local = |text: &str| Target::from_authority(text).unwrap().is_local_name();

        for name in [
            "localhost:1",
            "LOCALHOST.:1",
            "a.localhost:1",
            "printer.local:1",
            "metadata.google.internal:1",
            "router.home.arpa:1",
        ] {
            assert!(is_local(name), "{name}");
        }
        for name in [
            "example.org:1",
            "notlocalhost:1",
            "localhost.example.org:1",
            "1.1.1.1:1",
        ] {
            assert!(!is_local(name), "{name}");
        }
    }
}
