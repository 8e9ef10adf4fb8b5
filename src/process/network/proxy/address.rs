//! Where a command finds its proxy, and how it is told.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

/// The port where the network is the command's own, so that nothing else can have it.
const OWN_PORT: u16 = 3128;
/// Variables that name the proxy; programs know one or the other spelling.
const VARIABLES: &[&str] = &[
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "ftp_proxy",
    "FTP_PROXY",
];
/// Variables that name what is reached without it.
const EXCEPTIONS: &[&str] = &["no_proxy", "NO_PROXY"];
/// What a command has for itself where the network is its own: servers that it starts.
const OWN_HOSTS: &str = "localhost,127.0.0.1,::1";

/// Where a command finds its proxy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProxyAddress {
    /// On loopback.
    pub(crate) port: u16,
    /// What it must say, where others reach the port as well.
    pub(crate) password: Option<String>,
}

impl ProxyAddress {
    /// In a network that the command has for itself.
    pub(crate) fn in_own_network() -> Self {
        Self {
            port: OWN_PORT,
            password: None,
        }
    }

    /// On the machine's loopback, where everybody finds it.
    pub(crate) fn among_others(port: u16) -> Self {
        Self {
            port,
            password: Some(uuid::Uuid::new_v4().simple().to_string()),
        }
    }

    /// The user and the password, as a client sends them.
    pub(super) fn credentials(&self) -> Option<String> {
        self.password
            .as_ref()
            .map(|password| STANDARD.encode(format!("qd:{password}")))
    }

    /// What a command has in its environment.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, String)> {
        let user = self
            .password
            .as_ref()
            .map(|password| format!("qd:{password}@"))
            .unwrap_or_default();
        let url = format!("http://{user}127.0.0.1:{}", self.port);
        let direct = match self.password {
            None => OWN_HOSTS,
            Some(_) => "",
        };
        let named = VARIABLES.iter().map(move |name| (*name, url.clone()));
        let excepted = EXCEPTIONS
            .iter()
            .map(move |name| (*name, direct.to_owned()));
        // Node heeds the others only when it is asked to.
        named
            .chain(excepted)
            .chain([("NODE_USE_ENV_PROXY", "1".to_owned())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_is_told_leads_to_the_proxy_and_past_it_only_to_itself() {
        let told = |address: &ProxyAddress, name: &str| {
            address
                .variables()
                .find(|(found, _)| *found == name)
                .map(|(_, value)| value)
                .unwrap()
        };
        let own = ProxyAddress::in_own_network();
        let shared = ProxyAddress {
            port: 5,
            password: Some("word".to_owned()),
        };

        assert_eq!(told(&own, "https_proxy"), "http://127.0.0.1:3128");
        assert_eq!(told(&own, "NO_PROXY"), OWN_HOSTS);
        assert_eq!(told(&shared, "ALL_PROXY"), "http://qd:word@127.0.0.1:5");
        assert_eq!(told(&shared, "no_proxy"), "");
        assert_eq!(shared.credentials().unwrap(), "cWQ6d29yZA==");
    }
}
