//! Keys that the person gave us to keep: one file in the state directory, mode 0600, never a setting.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use super::error::{ConfigError, Origin, Place};

/// Stored keys by account.
#[derive(Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    #[serde(default)]
    keys: BTreeMap<String, String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Names only: a key must not reach a log.
        f.debug_set().entries(self.keys.keys()).finish()
    }
}

impl Credentials {
    /// Reads the file; one that is not there holds no keys. One that others can read is refused.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let failed = |problem: String| {
            let place = Place {
                file: path.to_owned(),
                line: 0,
                column: 0,
            };
            ConfigError::new(Origin::User(place), "", problem)
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(failed(format!("the stored keys cannot be read: {error}"))),
        };
        if is_open_to_others(path) {
            return Err(failed("others can read the stored keys".to_owned())
                .with_hint(format!("chmod 600 {}", path.display())));
        }
        // The parser's own message would show the line, and with it a key.
        Self::parse(&text).map_err(|_| failed("the stored keys are not valid TOML".to_owned()))
    }

    /// Reads the file's text.
    pub(super) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The key of an account.
    pub fn key(&self, account: &str) -> Option<&str> {
        self.keys.get(account).map(String::as_str)
    }
}

/// Writes a file whole or not at all, for this user alone. A link is followed, so that it stays a link.
pub(super) fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let target: PathBuf = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)?;
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_data()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_path: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn keys_are_read_from_a_file_for_this_user_alone_and_one_open_to_others_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state/credentials.toml");
        write_private(&path, "[keys]\nhome = \"other\"\nwork = \"second\"\n").unwrap();

        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let credentials = Credentials::read(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let refused = Credentials::read(&path).unwrap_err();

        assert_eq!(mode, 0o600);
        assert_eq!(credentials.key("work"), Some("second"));
        assert_eq!(format!("{credentials:?}"), r#"{"home", "work"}"#);
        assert_eq!(refused.problem, "others can read the stored keys");
        assert_eq!(refused.hint, Some(format!("chmod 600 {}", path.display())));
    }

    #[test]
    fn a_broken_file_never_shows_a_key() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("credentials.toml");
        write_private(&path, "[keys]\nwork = \"sk-secret\n").unwrap();

        let error = Credentials::read(&path).unwrap_err();

        assert!(!error.to_string().contains("sk-secret"), "{error}");
    }
}
