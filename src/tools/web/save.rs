//! The file that a page is saved to, by the gate of every write.

use url::Url;

use super::request::{Failure, Fault};
use crate::{
    domain::{display::Display, tool::SeenFile},
    text::truncate::grouped,
    tools::{context::ToolContext, contract::Preview, disk::locate, error::ToolError},
    workspace::{
        error::WorkspaceError,
        gate::{self, Basis, Loaded},
        root::Located,
    },
};

/// A file that may be written.
pub(super) struct Place {
    pub(super) file: Located,
    old: Option<Loaded>,
}

impl Place {
    /// Looks at the file; one that is there must have been read as it is.
    pub(super) fn find(path: &str, context: &ToolContext) -> Result<Self, ToolError> {
        if path.ends_with('/') {
            let why = "`output` ends with / and so names a folder; name a file (missing folders are made with it)";
            return Err(Failure::new(Fault::InvalidArgument, why).into());
        }
        let file = locate(context, path)?;
        gate::check_writable(&file, &context.roots)?;
        let old = match gate::load(&file) {
            Ok(old) => old,
            Err(WorkspaceError::Binary { .. }) => Some(gate::opaque(&file)?),
            Err(error) => return Err(error.into()),
        };
        if let Some(old) = &old {
            context.freshness.check(&file, &old.digest)?;
        }
        Ok(Self { file, old })
    }

    /// What a person is shown before: the content is not known yet.
    pub(super) fn preview(&self, url: &Url) -> Preview {
        let content = match &self.old {
            None => "absent".to_owned(),
            Some(old) => old.digest.to_string(),
        };
        let does = match &self.old {
            None => "creates",
            Some(_) => "replaces the content of",
        };
        Preview {
            display: Display::text(format!(
                "{does} {} with what {url} answers",
                self.file.shown
            )),
            shows: &[],
            basis: format!(
                "{content} {}",
                self.file.real.as_os_str().as_encoded_bytes().escape_ascii()
            ),
        }
    }

    /// Writes it, unless the file was changed meanwhile.
    pub(super) fn write(
        &self,
        bytes: &[u8],
        context: &ToolContext,
    ) -> Result<Option<SeenFile>, ToolError> {
        let basis = match &self.old {
            None => Basis::Absent,
            Some(old) => Basis::Content(&old.digest),
        };
        let digest = gate::save(&self.file, &context.roots, basis, bytes)?;
        Ok(context.freshness.record(&self.file, digest))
    }
}

/// What was saved, for the model.
pub(super) fn told(what: &str, bytes: usize, url: &Url, shown: &str, truncated: bool) -> String {
    let part = if truncated {
        "; it is longer: only its beginning was saved"
    } else {
        ""
    };
    format!(
        "[web_fetch: saved {what} ({} bytes) from {url} to {shown} — the content is not shown{part}]",
        grouped(bytes)
    )
}
