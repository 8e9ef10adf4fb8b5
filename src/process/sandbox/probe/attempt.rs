//! What a probe tries from inside: each of it must fail, and most failures are looked at from outside.

use std::{
    fs::{self, File, OpenOptions},
    io::Write as _,
    net::{SocketAddr, TcpStream, UdpSocket},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_millis(200);

/// Where to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempts {
    /// A directory that cannot be written, with a file `kept` in it.
    pub(crate) outside: PathBuf,
    /// A directory that can, with a directory `protected` in it that cannot.
    pub(crate) inside: PathBuf,
    /// A file that is not there for a command.
    pub(crate) hidden: PathBuf,
    /// A name that nothing in the directory for temporary files has.
    pub(crate) name: String,
    /// A process outside.
    pub(crate) process: i32,
    /// Where TCP and UDP are listened to outside.
    pub(crate) port: u16,
    /// A socket outside whose name is no path.
    pub(crate) socket: String,
}

/// What came of it, as far as only the inside knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The hidden file could be read.
    pub(crate) has_read_hidden: bool,
    /// A process outside could be looked into or signalled.
    pub(crate) has_reached_process: bool,
    /// A socket outside could be connected to by its name.
    pub(crate) has_connected: bool,
    /// The private directory for temporary files could be written.
    pub(crate) has_tmp: bool,
}

/// The report's file in the directory inside.
pub(crate) fn report_in(inside: &Path) -> PathBuf {
    inside.join("report.json")
}

/// Tries everything, and the proxy as the one thing that must be possible, and leaves a report.
pub(crate) fn make(attempts: &Attempts, proxy: Option<u16>) {
    let report = try_all(attempts);
    if let Some(port) = proxy {
        // That this succeeds is seen from outside as well.
        let _ = TcpStream::connect_timeout(&([127, 0, 0, 1], port).into(), CONNECTING);
    }
    // Without a report, nothing is believed to hold.
    if let Ok(text) = serde_json::to_vec(&report) {
        let _ =
            File::create(report_in(&attempts.inside)).and_then(|mut file| file.write_all(&text));
    }
}

fn try_all(attempts: &Attempts) -> Report {
    let Attempts {
        outside, inside, ..
    } = attempts;
    let kept = outside.join("kept");
    let link = inside.join("link");
    // Whatever succeeds is seen from outside.
    let _ = File::create(outside.join("made"));
    let _ = OpenOptions::new()
        .append(true)
        .open(&kept)
        .and_then(|mut file| file.write_all(b"x"));
    let _ = symlink(outside, &link).and_then(|()| File::create(link.join("made")).map(drop));
    let _ = fs::hard_link(&kept, inside.join("hard"));
    let _ = fs::rename(&kept, inside.join("moved"));
    let _ = fs::set_permissions(&kept, fs::Permissions::from_mode(0o777));
    let _ = File::create(inside.join("protected/made"));
    let _ = fs::rename(inside.join("protected"), inside.join("away"));
    let address = SocketAddr::from(([127, 0, 0, 1], attempts.port));
    let _ = TcpStream::connect_timeout(&address, CONNECTING);
    let _ = UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", address));
    let process = attempts.process;
    let can_signal = rustix::process::Pid::from_raw(process)
        .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
    Report {
        has_read_hidden: fs::read(&attempts.hidden).is_ok_and(|bytes| !bytes.is_empty()),
        has_reached_process: can_signal || fs::read(format!("/proc/{process}/environ")).is_ok(),
        has_connected: connect(&attempts.socket),
        has_tmp: File::create(Path::new("/tmp").join(&attempts.name)).is_ok(),
    }
}

#[cfg(target_os = "linux")]
fn connect(name: &str) -> bool {
    use std::os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr, UnixStream},
    };

    SocketAddr::from_abstract_name(name)
        .and_then(|address| UnixStream::connect_addr(&address))
        .is_ok()
}

#[cfg(not(target_os = "linux"))]
fn connect(_name: &str) -> bool {
    false
}
