//! The program's own log: a file, never the terminal.
//!
//! Warnings by default; `QD_LOG` takes the usual filters (`debug`, `quarterdeck::engine=trace`). Two files of at most
//! about one megabyte each are kept. Nothing that is logged holds keys or the text of a conversation.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

use tracing_subscriber::EnvFilter;

/// A log that would grow past this is put aside.
const BYTES: u64 = 1024 * 1024;

/// The log's file, which is put aside when it is full.
struct Log {
    path: PathBuf,
    file: File,
}

/// Starts logging into a file. A log that cannot be written is no reason not to start.
pub fn start(path: &Path) {
    let Ok(log) = open(path, 0) else {
        return;
    };
    let filter = EnvFilter::try_from_env("QD_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // It fails only when a log was started already.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        // It would say on the screen that a full disk takes no line.
        .log_internal_errors(false)
        .with_writer(Mutex::new(log))
        .try_init();
}

fn open(path: &Path, room: u64) -> io::Result<Log> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    if fs::metadata(path).is_ok_and(|about| about.len() + room > BYTES) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a pipe would wait for somebody to read from it.
        options.mode(0o600).custom_flags(libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("this is not a file"));
    }
    // An older program may have left it open to others.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(Log {
        path: path.to_owned(),
        file,
    })
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let room = line.len() as u64;
        // Other programs write the same file: what counts is how long it is, not how much came from here.
        if self.file.metadata()?.len() + room > BYTES {
            *self = open(&self.path, room)?;
        }
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_log_never_grows_past_its_bound_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("log/qd.log");
        let mut log = open(&path, 0).expect("the log");
        let mut other = open(&path, 0).expect("the log of another program");
        let line = [b'x'; 4096];

        for _ in 0..=3 * BYTES as usize / line.len() {
            log.write_all(&line).expect("a line");
            other.write_all(&line).expect("a line");
        }

        let about = fs::metadata(&path).expect("the log");
        let old = fs::metadata(path.with_extension("log.old")).expect("the earlier log");
        assert!(
            about.len() <= BYTES && old.len() <= BYTES,
            "{about:?} {old:?}"
        );
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_pipe_in_the_place_of_the_log_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("qd.log");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");

        assert!(open(&path, 0).is_err());
    }
}
