//! The policy in the language of macOS's sandbox: what is not allowed is denied, and of several rules that fit, the last
//! one decides.
//!
//! No path stands in the text. Each is a parameter, handed over beside it, so that no name, whatever it holds, can be
//! read as a rule.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::policy::Policy;
use crate::domain::permission::Network;

/// What every program needs: to run others, to ask the system about itself and to talk to what it started. No service
/// is among it that would start a program outside.
const BASE: &str = r#"(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow system-fsctl)
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow ipc-posix-shm*)
(allow mach-lookup
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow file-read* file-write* file-ioctl
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/random")
  (literal "/dev/urandom")
  (literal "/dev/tty")
  (literal "/dev/ptmx")
  (regex #"^/dev/ttys[0-9]+$")
  (subpath "/dev/fd"))
"#;
/// Directories of the system that a program needs wherever reading is confined.
const SYSTEM: &str = r#"(allow file-read*
  (subpath "/System")
  (subpath "/Library/Apple")
  (subpath "/Library/Developer")
  (subpath "/Library/Preferences")
  (subpath "/usr")
  (subpath "/bin")
  (subpath "/sbin")
  (subpath "/dev")
  (subpath "/private/etc")
  (subpath "/private/var/db/dyld")
  (subpath "/private/var/db/timezone")
  (subpath "/private/var/select"))
"#;
/// To whom names and certificates are asked for.
const ONLINE: &str = r#"(allow network*)
(allow system-socket)
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.dnssd.service")
  (global-name "com.apple.mDNSResponder")
  (global-name "com.apple.trustd.agent"))
"#;

/// The rules, and the parameters that they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) text: String,
    pub(super) parameters: Vec<(String, PathBuf)>,
}

impl Profile {
    /// Of a policy; `port` is the one of the command's proxy.
    pub(super) fn new(policy: &Policy, port: Option<u16>) -> Self {
        let mut profile = Self {
            text: BASE.to_owned(),
            parameters: Vec::new(),
        };
        match &policy.readable {
            None => profile.text.push_str("(allow file-read*)\n"),
            Some(places) => {
                profile.text.push_str(SYSTEM);
                profile.rules("allow file-read*", "subpath", "READABLE", places);
            }
        }
        let own = [policy.tmp.clone()];
        let places = policy.writable.iter().chain(&own);
        let places: Vec<PathBuf> = places.cloned().collect();
        profile.rules(
            "allow file-read* file-write*",
            "subpath",
            "WRITABLE",
            &places,
        );
        // What is not moved away is neither unlinked nor renamed.
        profile.rules(
            "deny file-write-unlink",
            "literal",
            "PINNED",
            &policy.pinned,
        );
        profile.rules(
            "deny file-write*",
            "subpath",
            "PROTECTED",
            &policy.protected,
        );
        profile.rules(
            "deny file-read* file-write* process-exec",
            "subpath",
            "HIDDEN",
            &policy.hidden,
        );
        // The directory for temporary files lies in a place that is hidden.
        profile.rules("allow file-read* file-write*", "subpath", "OWN", &own);
        match (policy.network.network, port) {
            (Network::All, _) => profile.text.push_str(ONLINE),
            (Network::Remote, Some(port)) => profile.text.push_str(&format!(
                "(allow network-outbound (remote ip \"localhost:{port}\"))\n(allow system-socket)\n"
            )),
            (Network::Remote | Network::None, _) => {}
        }
        profile
    }

    fn rules(&mut self, what: &str, how: &str, name: &str, places: &[PathBuf]) {
        for (number, place) in places.iter().enumerate() {
            let name = format!("{name}_{number}");
            self.text
                .push_str(&format!("({what} ({how} (param \"{name}\")))\n"));
            self.parameters.push((name, place.clone()));
        }
    }

    /// As `sandbox-exec` takes it, up to the program to run.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["-p".into(), self.text.clone().into()];
        for (name, place) in &self.parameters {
            arguments.push("-D".into());
            arguments.push(assigned(name, place));
        }
        arguments
    }
}

fn assigned(name: &str, place: &Path) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(place);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{permission::network::NetworkPolicy, process::sandbox::backend::Backend};

    const ODD: &str = "/p/a\") (allow default) (\n\"\\";

    fn policy(network: Network) -> Policy {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        Policy {
            backend: Backend::Seatbelt,
            writable: paths(&["/p", ODD]),
            shown: Vec::new(),
            pinned: paths(&["/p/.git"]),
            protected: paths(&["/p/.git/config"]),
            hidden: paths(&["/own"]),
            readable: None,
            network: NetworkPolicy::of(network),
            tmp: PathBuf::from("/own/tmp"),
        }
    }

    /// The rules behind those that every profile has.
    fn rules(policy: &Policy, port: Option<u16>) -> String {
        let profile = Profile::new(policy, port);
        profile.text.strip_prefix(BASE).unwrap().to_owned()
    }

    #[test]
    fn what_is_closed_stands_behind_what_is_open() {
        assert_eq!(
            rules(&policy(Network::None), None),
            "(allow file-read*)\n\
             (allow file-read* file-write* (subpath (param \"WRITABLE_0\")))\n\
             (allow file-read* file-write* (subpath (param \"WRITABLE_1\")))\n\
             (allow file-read* file-write* (subpath (param \"WRITABLE_2\")))\n\
             (deny file-write-unlink (literal (param \"PINNED_0\")))\n\
             (deny file-write* (subpath (param \"PROTECTED_0\")))\n\
             (deny file-read* file-write* process-exec (subpath (param \"HIDDEN_0\")))\n\
             (allow file-read* file-write* (subpath (param \"OWN_0\")))\n"
        );
    }

    #[test]
    fn no_name_becomes_a_rule() {
        let profile = Profile::new(&policy(Network::None), None);

        assert!(!profile.text.contains("(allow default)"));
        assert!(!profile.text.contains("/p/"));
        let words = profile.arguments();
        assert_eq!(words[0], "-p");
        assert!(words.contains(&OsString::from(format!("WRITABLE_1={ODD}"))));
        let opened = profile.text.matches('(').count();
        assert_eq!(opened, profile.text.matches(')').count());
    }

    #[test]
    fn each_network_has_its_rules() {
        let network = |network, port| {
            let text = rules(&policy(network), port);
            text.lines()
                .filter(|line| line.contains("network") || line.contains("system-socket"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };

        assert_eq!(network(Network::None, None), [""; 0]);
        assert_eq!(network(Network::Remote, None), [""; 0]);
        assert_eq!(
            network(Network::Remote, Some(8080)),
            [
                "(allow network-outbound (remote ip \"localhost:8080\"))",
                "(allow system-socket)"
            ]
        );
        assert_eq!(
            network(Network::All, None),
            ["(allow network*)", "(allow system-socket)"]
        );
    }

    #[test]
    fn confined_reading_names_what_can_be_read() {
        let confined = Policy {
            readable: Some(vec![PathBuf::from("/opt/tools")]),
            ..policy(Network::None)
        };

        let profile = Profile::new(&confined, None);

        assert!(!profile.text.contains("(allow file-read*)\n"));
        assert!(profile.text.contains(SYSTEM));
        assert!(
            profile
                .parameters
                .contains(&("READABLE_0".to_owned(), PathBuf::from("/opt/tools")))
        );
    }
}
