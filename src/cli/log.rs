//! The program's own log: a file, never the terminal.
//!
//! Warnings by default; `QD_LOG` takes the usual filters (`debug`, `quarterdeck::engine=trace`). Two files of at most
//! about one megabyte each are kept. Nothing that is logged holds keys or the text of a conversation.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::Path,
    sync::Mutex,
};

use tracing_subscriber::EnvFilter;

/// A log that has grown past this at the start is put aside.
const BYTES: u64 = 1024 * 1024;

/// Starts logging into a file. A log that cannot be written is no reason not to start.
pub fn start(path: &Path) {
    let Ok(file) = open(path) else {
        return;
    };
    let filter = EnvFilter::try_from_env("QD_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // It fails only when a log was started already.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .try_init();
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > BYTES) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    OpenOptions::new().create(true).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_log_that_has_grown_is_put_aside() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("log/qd.log");
        let mut file = open(&path).expect("the log");
        file.write_all(&vec![b'x'; BYTES as usize + 1])
            .expect("it grows");

        open(&path).expect("a new log");

        assert_eq!(fs::metadata(&path).expect("the log").len(), 0);
        assert!(path.with_extension("log.old").exists());
    }
}
