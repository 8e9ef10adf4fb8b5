//! References to outputs that are kept whole on disk, and the addresses by which they are read.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ArtifactId;

/// What every address begins with.
pub const SCHEME: &str = "artifact://";

/// The longest name of a stream.
const LONGEST_NAME: usize = 64;

/// Where the whole of an output is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactRef {
    /// SHA-256 of the bytes.
    pub id: ArtifactId,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of lines.
    pub lines: u64,
    /// Whether the output was larger than the cap, so that even the artifact lacks its middle.
    #[serde(default)]
    pub cut: bool,
    /// The list of the output's streams, when each is kept by itself as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<ArtifactId>,
}

impl ArtifactRef {
    /// The address by which `file_read` opens it.
    pub fn uri(&self) -> String {
        format!("{SCHEME}{}", self.id)
    }

    /// The address of one of its streams.
    pub fn stream_uri(&self, name: &str) -> Option<String> {
        let streams = self.streams.as_ref()?;
        Some(format!("{SCHEME}{streams}/{name}"))
    }
}

/// What an address names: a stored output, or a stream of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The output, or the list of its streams.
    pub id: ArtifactId,
    /// The stream.
    pub stream: Option<String>,
}

impl Address {
    /// Reads an address; the error says what one looks like.
    pub fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix(SCHEME).unwrap_or_default();
        let (id, stream) = match rest.split_once('/') {
            Some((id, stream)) => (id, Some(stream)),
            None => (rest, None),
        };
        if !is_digest(id) || stream.is_some_and(|name| !is_stream_name(name)) {
            return Err(
                "an artifact address is artifact:// and 64 hexadecimal digits in lower case, for one stream of an \
                 output with /NAME behind them; copy it as it was given"
                    .to_owned(),
            );
        }
        Ok(Self {
            id: ArtifactId::new(id),
            stream: stream.map(str::to_owned),
        })
    }
}

/// Whether this is how stored outputs are named: a SHA-256 in lower-case hex.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(is_hex)
}

/// Whether a byte is a digit of such a name.
pub fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Whether this can be the name of a stream: a plain segment of an address.
pub fn is_stream_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=LONGEST_NAME).contains(&text.len())
        && text.bytes().all(fits)
        && text != "."
        && text != ".."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_an_output_or_one_of_its_streams_and_nothing_else() {
        let digest = "0123456789abcdef".repeat(4);
        let read = |rest: &str| {
            let address = Address::parse(&format!("{SCHEME}{rest}")).ok()?;
            Some((address.id.to_string(), address.stream))
        };

        assert_eq!(read(&digest), Some((digest.clone(), None)));
        for name in ["stdout", "a.b-c_1", "...", &"n".repeat(64)] {
            let expected = Some((digest.clone(), Some(name.to_owned())));
            assert_eq!(read(&format!("{digest}/{name}")), expected, "{name}");
        }
        for wrong in [
            "",
            "abc",
            &digest[1..],
            &digest.to_uppercase(),
            &format!("sha256/{digest}"),
            &format!("{digest}/"),
            &format!("{digest}/."),
            &format!("{digest}/.."),
            &format!("{digest}/a/b"),
            &format!("{digest}?x"),
            &format!("{digest}#x"),
            &format!("{digest}/a b"),
            &format!("{digest}/é"),
            &format!("{digest}/{}", "n".repeat(65)),
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert!(Address::parse(&digest).is_err());
    }
}
