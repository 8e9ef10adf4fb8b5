//! Whether a backend really holds: what must not be possible is tried, and looked at from outside.

use std::{
    fs, io,
    net::{TcpListener, UdpSocket},
    os::unix::{fs::PermissionsExt as _, net::UnixListener},
    path::{Path, PathBuf},
    process::Child,
    time::{Duration, Instant},
};

use super::{
    attempt::{self, Attempts, Report},
    enforced::Enforced,
};
use crate::{
    domain::permission::Network,
    permission::network::NetworkPolicy,
    process::sandbox::{backend::Backend, order::Act, policy::Policy, start::start_inside, tmp},
};

/// The longest that trying one backend may take.
const TRYING: Duration = Duration::from_secs(2);
/// Between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(2);

/// Tries a backend; `place` is a directory in which a folder for it can be made. Blocks, for some seconds at most.
pub fn try_backend(backend: Backend, program: &Path, place: &Path) -> Result<Enforced, String> {
    let error = |error: io::Error| error.to_string();
    fs::create_dir_all(place).map_err(error)?;
    let online = Ground::lay(place).map_err(error)?;
    let first = online.look(backend, program, Network::All)?;
    let offline = Ground::lay(place).map_err(error)?;
    let second = offline.look(backend, program, Network::None)?;
    let proxied = Ground::lay(place).map_err(error)?;
    let third = proxied.look(backend, program, Network::Remote);
    let enforced = Enforced {
        network: second.network,
        // What cannot hold it holds it as a closed one.
        remote: third.is_ok_and(|third| third.network && third.remote),
        ..first
    };
    if !enforced.writes {
        return Err("a file outside was written although the sandbox was on".to_owned());
    }
    Ok(enforced)
}

/// A folder with everything that is tried on.
struct Ground {
    folder: tempfile::TempDir,
    attempts: Attempts,
    tcp: TcpListener,
    udp: UdpSocket,
    _socket: Option<UnixListener>,
}

impl Ground {
    fn lay(place: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix(tmp::PROBE)
            .tempdir_in(place)?;
        let at = folder.path().canonicalize()?;
        for directory in ["outside", "inside/protected", "tmp"] {
            fs::create_dir_all(at.join(directory))?;
        }
        let secret = at.join("secret");
        for file in [at.join("outside/kept"), secret.clone()] {
            io::Write::write_all(&mut fs::File::create(&file)?, b"as it was")?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
        }
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        tcp.set_nonblocking(true)?;
        let port = tcp.local_addr()?.port();
        let udp = UdpSocket::bind(("127.0.0.1", port))?;
        udp.set_nonblocking(true)?;
        let name = at
            .file_name()
            .map(|name| format!("quarterdeck-{}", name.to_string_lossy()))
            .unwrap_or_default();
        let attempts = Attempts {
            outside: at.join("outside"),
            inside: at.join("inside"),
            hidden: secret,
            name: name.clone(),
            process: std::process::id() as i32,
            port,
            socket: name.clone(),
        };
        Ok(Self {
            folder,
            attempts,
            tcp,
            udp,
            _socket: listen(&name),
        })
    }

    fn look(&self, backend: Backend, program: &Path, network: Network) -> Result<Enforced, String> {
        let policy = Policy {
            backend,
            writable: vec![self.attempts.inside.clone()],
            shown: Vec::new(),
            pinned: Vec::new(),
            protected: vec![self.attempts.inside.join("protected")],
            hidden: vec![self.attempts.hidden.clone()],
            readable: None,
            network: NetworkPolicy::of(network),
            tmp: self.path("tmp"),
        };
        let act = Act::Probe(self.attempts.clone());
        let inside =
            start_inside(program, policy, act, Some(TRYING)).map_err(|error| error.to_string())?;
        wait(inside.child)?;
        let report = fs::read(attempt::report_in(&self.attempts.inside))
            .map_err(|error| format!("the probe wrote no report: {error}"))?;
        let report: Report = serde_json::from_slice(&report).map_err(|error| error.to_string())?;
        let is_proxy_reached = inside.outlet.is_some_and(|outlet| {
            let listener = outlet.listener;
            listener.set_nonblocking(true).is_ok() && listener.accept().is_ok()
        });
        Ok(Enforced {
            remote: is_proxy_reached,
            ..self.found(backend, &report)
        })
    }

    fn found(&self, backend: Backend, report: &Report) -> Enforced {
        let inside = &self.attempts.inside;
        let outside =
            fs::read_dir(&self.attempts.outside).map_or(0, |entries| entries.flatten().count());
        let kept = self.attempts.outside.join("kept");
        let is_as_it_was = fs::read(&kept).is_ok_and(|bytes| bytes == b"as it was");
        let in_tmp = std::env::temp_dir().join(&self.attempts.name);
        let in_tmp = in_tmp.exists() || Path::new("/tmp").join(&self.attempts.name).exists();
        let mode = fs::metadata(&kept).map_or(0, |data| data.permissions().mode() & 0o777);
        Enforced {
            backend,
            writes: outside == 1 && is_as_it_was && !in_tmp,
            metadata: mode == 0o600,
            protected: inside.join("protected").is_dir() && !inside.join("protected/made").exists(),
            hidden: !report.has_read_hidden,
            network: self.tcp.accept().is_err() && self.udp.recv(&mut [0; 8]).is_err(),
            processes: !report.has_reached_process,
            remote: false,
            sockets: !report.has_connected,
            tmp: report.has_tmp && !in_tmp,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.attempts
            .outside
            .parent()
            .unwrap_or(self.folder.path())
            .join(name)
    }
}

/// Waits for the end of the probe.
fn wait(mut child: Child) -> Result<(), String> {
    let until = Instant::now() + TRYING;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) if Instant::now() < until => std::thread::sleep(LOOK),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the probe did not end in time".to_owned());
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(target_os = "linux")]
fn listen(name: &str) -> Option<UnixListener> {
    use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

    let address = SocketAddr::from_abstract_name(name).ok()?;
    UnixListener::bind_addr(&address).ok()
}

#[cfg(not(target_os = "linux"))]
fn listen(_name: &str) -> Option<UnixListener> {
    None
}
