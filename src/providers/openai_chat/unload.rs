//! Takes a model out of the memory of a server of one's own.
//!
//! No server says which one it is, so it is asked: Ollama lists what is loaded under `/api/ps`; llama.cpp as a router
//! takes `/models/unload`. Both stand beside the wire, not below it.

use std::{net::IpAddr, time::Duration};

use reqwest::{RequestBuilder, StatusCode, Url, header::HeaderMap};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    domain::model_info::Unloaded,
    providers::{http, keys::secret::Secret, words},
};

/// How long a server may take for one answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most that is read of an answer.
const ANSWER_LIMIT: usize = 1024 * 1024;
/// What a router of llama.cpp says of a model that is not in memory.
const NOT_RUNNING: &str = "model is not running";
/// A tag that Ollama adds to a name without one.
const LATEST: &str = ":latest";

/// Endings of names that are given out in one's own network only.
const OWN_NAMES: [&str; 5] = [".localhost", ".local", ".lan", ".internal", ".home.arpa"];

/// Whether the server at this address is on this machine or in one's own network: others unload for nobody.
pub(in crate::providers) fn may_unload(base_url: &str) -> bool {
    Url::parse(base_url.trim()).is_ok_and(|url| is_own(&url))
}

pub(super) fn is_own(url: &Url) -> bool {
    let Some(host) = url.host_str() else {
        return false;
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = bare.parse::<IpAddr>() {
        return match address.to_canonical() {
            IpAddr::V4(four) => {
                let [first, second, ..] = four.octets();
                // Addresses behind a carrier are those of overlay networks too.
                let is_shared = first == 100 && (64..128).contains(&second);
                four.is_loopback() || four.is_private() || four.is_link_local() || is_shared
            }
            IpAddr::V6(six) => {
                six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local()
            }
        };
    }
    !host.contains('.') || OWN_NAMES.iter().any(|ending| host.ends_with(ending))
}

/// A server that may hold models in memory.
pub(super) struct OwnServer {
    /// Where the wire's requests go.
    pub(super) url: Url,
    /// What every request carries.
    pub(super) headers: HeaderMap,
    /// The key, which no message shows.
    pub(super) key: Option<Secret>,
}

/// What a server said.
struct Said {
    status: StatusCode,
    body: Value,
    is_llama: bool,
}

impl OwnServer {
    /// Unloads a model.
    pub(super) async fn unload(self, model_id: String) -> Unloaded {
        self.try_unload(&model_id)
            .await
            .unwrap_or_else(Unloaded::Failed)
    }

    async fn try_unload(&self, model_id: &str) -> Result<Unloaded, String> {
        let listed = self.get("/api/ps").await?;
        let loaded = listed.body.get("models").and_then(Value::as_array);
        match loaded {
            Some(loaded) if listed.status.is_success() => self.of_ollama(model_id, loaded).await,
            _ if matches!(listed.status.as_u16(), 401 | 403) => Err(self.refused(&listed)),
            _ => self.of_llama(model_id).await,
        }
    }

    /// A model that is not loaded is never asked for: the request would load it first.
    async fn of_ollama(&self, model_id: &str, loaded: &[Value]) -> Result<Unloaded, String> {
        let is_meant = |name: &str| {
            name.strip_suffix(LATEST).unwrap_or(name)
                == model_id.strip_suffix(LATEST).unwrap_or(model_id)
        };
        let names = loaded
            .iter()
            .flat_map(|model| [&model["model"], &model["name"]]);
        if !names.filter_map(Value::as_str).any(is_meant) {
            return Ok(Unloaded::NotLoaded);
        }
        let order = json!({"model": model_id, "keep_alive": 0});
        let said = self.post("/api/generate", &order).await?;
        if said.status.is_success() && said.body["done_reason"] == "unload" {
            return Ok(Unloaded::Done);
        }
        Err(self.refused(&said))
    }

    async fn of_llama(&self, model_id: &str) -> Result<Unloaded, String> {
        let said = self
            .post("/models/unload", &json!({"model": model_id}))
            .await?;
        if said.status.is_success() && said.body["success"] == true {
            return Ok(Unloaded::Done);
        }
        let words = words::of_value(&said.body).unwrap_or_default();
        match said.status {
            StatusCode::NOT_FOUND if said.is_llama => Err(
                "this llama-server holds one model as long as it runs. Start it without a model, as a router, or with \
                 --sleep-idle-seconds N, or stop it"
                    .to_owned(),
            ),
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Err(format!(
                "{} knows no way to unload a model",
                http::shown(&self.at("/"))
            )),
            StatusCode::BAD_REQUEST if words == NOT_RUNNING => Ok(Unloaded::NotLoaded),
            _ => Err(self.refused(&said)),
        }
    }

    fn refused(&self, said: &Said) -> String {
        let words = words::of_value(&said.body).unwrap_or_default();
        let words = words::line(&words, self.key.as_ref());
        let status = said.status.as_u16();
        match (said.status.is_success(), words.is_empty()) {
            (true, true) => "the server did not confirm it".to_owned(),
            (false, true) => format!("the server answered {status}"),
            (_, false) => format!("the server answered {status}: {words}"),
        }
    }

    /// An address of the server itself: the wire's stands below `/v1`.
    fn at(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        let base = url.path().trim_end_matches("/chat/completions");
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let path = format!("{base}{path}");
        url.set_path(&path);
        url.set_query(None);
        url
    }

    async fn get(&self, path: &str) -> Result<Said, String> {
        let url = self.at(path);
        self.say(http::client(&url)?.get(url)).await
    }

    async fn post(&self, path: &str, order: &Value) -> Result<Said, String> {
        let url = self.at(path);
        self.say(http::client(&url)?.post(url).body(order.to_string()))
            .await
    }

    async fn say(&self, request: RequestBuilder) -> Result<Said, String> {
        let place = || http::shown(&self.at("/"));
        let exchange = async {
            let mut response = request.headers(self.headers.clone()).send().await?;
            let status = response.status();
            let server = response.headers().get(reqwest::header::SERVER);
            let is_llama = server.is_some_and(|name| name.as_bytes().starts_with(b"llama.cpp"));
            let body = http::read_bounded(&mut response, ANSWER_LIMIT).await;
            Ok::<_, reqwest::Error>(Said {
                status,
                body: serde_json::from_slice(&body).unwrap_or_default(),
                is_llama,
            })
        };
        match timeout(PATIENCE, exchange).await {
            Ok(Ok(said)) => Ok(said),
            Ok(Err(error)) => {
                let cause = words::line(&http::root_cause(&error), self.key.as_ref());
                Err(format!("{} cannot be reached: {cause}", place()))
            }
            Err(_) => Err(format!(
                "{} said nothing for {} s",
                place(),
                PATIENCE.as_secs()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::may_unload;

    #[test]
    fn only_servers_of_ones_own_are_asked() {
        for own in [
            "http://127.0.0.1:11434/v1",
            "http://localhost:8080",
            "http://[::1]:8080/v1",
            "http://192.168.1.20:11434/v1",
            "http://10.0.0.7/v1",
            "http://172.20.0.2/v1",
            "http://100.101.102.103:8080/v1",
            "http://[fd12::1]/v1",
            "http://ollama:11434/v1",
            "https://models.home.arpa/v1",
            "http://host.docker.internal:11434/v1",
        ] {
            assert!(may_unload(own), "{own}");
        }
        for other in [
            "https://api.openai.com/v1",
            "https://8.8.8.8/v1",
            "https://127.0.0.1.example.com/v1",
            "https://local.example/v1",
            "not an address",
            "",
        ] {
            assert!(!may_unload(other), "{other}");
        }
    }
}
