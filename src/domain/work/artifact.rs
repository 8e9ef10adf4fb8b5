//! A reference to an output that is kept whole on disk.

use serde::{Deserialize, Serialize};

use crate::domain::ids::ArtifactId;

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
}

impl ArtifactRef {
    /// The address by which `file_read` opens it.
    pub fn uri(&self) -> String {
        format!("artifact://{}", self.id)
    }
}
