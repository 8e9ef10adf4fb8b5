//! Whether a host wants programs at a page: its `robots.txt`, asked for once a day.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use reqwest::header::HeaderMap;
use url::Url;

use super::{
    client::location,
    fetch::Fetcher,
    request::{Failure, Fault},
    robots::Robots,
};
use crate::permission::web;

/// How long a host's wishes are remembered.
const ROBOTS_AGE: Duration = Duration::from_hours(24);
/// The most hosts whose wishes are remembered.
const ROBOTS_KEPT: usize = 500;
/// The most bytes that are read of a `robots.txt`.
const ROBOTS_BYTES: usize = 512 * 1024;
/// The most redirects of a `robots.txt`.
const ROBOTS_REDIRECTS: usize = 5;

impl Fetcher {
    /// Fails when the host does not want programs there. A rule that names the host goes before its wishes.
    pub(super) async fn ask_robots(&self, url: &Url) -> Result<(), Failure> {
        if web::is_opened(&self.links.configured, url.as_str()) {
            return Ok(());
        }
        let origin = url.origin().ascii_serialization();
        let robots = match remembered(&origin) {
            Some(robots) => robots,
            None => {
                let robots = self.fetch_robots(url).await?;
                remember(origin, &robots);
                robots
            }
        };
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        if robots.allows(&path) {
            return Ok(());
        }
        let reason = format!(
            "robots.txt of {} keeps programs away from {}. Look elsewhere; a rule of the configuration that names the \
             host goes before it, such as action = \"web_fetch\", resource = \"{}/*\", verdict = \"allow\"",
            url.host_str().unwrap_or_default(),
            url.path(),
            url.origin().ascii_serialization()
        );
        Err(Failure::new(Fault::Robots, reason))
    }

    /// What is missing allows everything, what cannot be read forbids everything.
    async fn fetch_robots(&self, page: &Url) -> Result<Robots, Failure> {
        let mut url = page.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        for number in 1..=ROBOTS_REDIRECTS {
            let mut response = self.ask(&url, &HeaderMap::new()).await?;
            if let Some(location) = location(&response) {
                url = self.redirected(&url, &location, number)?;
                continue;
            }
            return Ok(match response.status().as_u16() {
                200..=299 => {
                    let (text, _) = self.read(&url, &mut response, ROBOTS_BYTES).await?;
                    Robots::read(&String::from_utf8_lossy(&text))
                }
                500.. | 429 => Robots::closed(),
                _ => Robots::default(),
            });
        }
        Ok(Robots::default())
    }
}

type Wishes = HashMap<String, (Instant, Robots)>;

/// What hosts were found to wish, for the whole process.
fn wishes() -> &'static Mutex<Wishes> {
    static WISHES: std::sync::OnceLock<Mutex<Wishes>> = std::sync::OnceLock::new();
    WISHES.get_or_init(Mutex::default)
}

fn remembered(origin: &str) -> Option<Robots> {
    let wishes = wishes().lock().unwrap_or_else(PoisonError::into_inner);
    let (at, robots) = wishes.get(origin)?;
    (at.elapsed() < ROBOTS_AGE).then(|| robots.clone())
}

fn remember(origin: String, robots: &Robots) {
    // A host in trouble may be well again at the next call.
    if *robots == Robots::closed() {
        return;
    }
    let mut wishes = wishes().lock().unwrap_or_else(PoisonError::into_inner);
    if wishes.len() >= ROBOTS_KEPT {
        wishes.clear();
    }
    wishes.insert(origin, (Instant::now(), robots.clone()));
}
