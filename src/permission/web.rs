//! What rules say about addresses of the web: about the one that a call names, and again about every one that it is
//! redirected to.
//!
//! A rule names an address by its URL (`https://docs.rs/*`) or by its host alone (`docs.rs`). One that asks or denies is
//! about every spelling of the address; one that allows is about the very URL or its host.

use url::Url;

use super::{
    call::{PreparedCall, Target},
    grants::Grants,
    network::{NetworkPolicy, Refusal},
    rule::{Pattern, describe, escape, winner},
};
use crate::domain::{
    access::Links,
    agent_policy::AgentPermissions,
    permission::{Network, PermissionSettings, Rule, Verdict},
};

/// The URL as everything here takes it; text that is none stays as it is.
pub fn normal(text: &str) -> String {
    Url::parse(text).map_or_else(|_| text.to_owned(), String::from)
}

/// `https://host:port` with a star for every path: what an answer for the session stands for.
pub(super) fn site(url: &str) -> String {
    match origin(url) {
        Some(origin) => format!("{}/*", escape(&origin)),
        None => escape(url),
    }
}

/// The scheme, the host and a port that is not the usual one.
fn origin(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    // Nothing is asked for as a person whose name stands in a URL.
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    Some(format!("{}://{}{port}", url.scheme(), url.host_str()?))
}

/// The host of a URL.
pub(super) fn host(url: &str) -> Option<String> {
    Some(Url::parse(url).ok()?.host_str()?.to_owned())
}

/// By what an allow rule may name a URL.
pub(super) fn narrow(url: &str) -> Vec<String> {
    std::iter::once(url.to_owned()).chain(host(url)).collect()
}

/// By what a rule that asks or denies may name it: by either scheme, without a dot behind the host, with its letters
/// instead of their codes.
pub(super) fn wide(url: &str) -> Vec<String> {
    let mut subjects = narrow(url);
    let mut add = |subject: String| {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    };
    if let Ok(parsed) = Url::parse(url) {
        let mut dotless = parsed.clone();
        if let Some(name) = parsed.host_str().and_then(|host| host.strip_suffix('.'))
            && dotless.set_host(Some(name)).is_ok()
        {
            add(name.to_owned());
        }
        for scheme in ["http", "https"] {
            let port = dotless
                .port()
                .map(|port| format!(":{port}"))
                .unwrap_or_default();
            let host = dotless.host_str().unwrap_or_default();
            let path = dotless.path();
            let query = dotless
                .query()
                .map(|query| format!("?{query}"))
                .unwrap_or_default();
            add(format!("{scheme}://{host}{port}{path}{query}"));
            add(format!("{scheme}://{host}{port}{}{query}", plain(path)));
        }
    }
    subjects
}

/// Letters, digits and the like that stand as codes (`%61`), as themselves.
fn plain(path: &str) -> String {
    let mut rest = path;
    let mut plain = String::with_capacity(path.len());
    while let Some((before, code)) = rest.split_once('%') {
        plain.push_str(before);
        let letter = code
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
            .map(char::from)
            .filter(|c| c.is_ascii_alphanumeric() || "-._~/".contains(*c));
        plain.push(letter.unwrap_or('%'));
        rest = match letter {
            Some(_) => code.get(2..).unwrap_or_default(),
            None => code,
        };
    }
    plain.push_str(rest);
    plain
}

/// Everything that is asked about an address that a call is redirected to.
pub fn links(
    call: &PreparedCall,
    settings: &PermissionSettings,
    grants: &Grants,
    policies: &[AgentPermissions],
) -> Links {
    if !call
        .targets
        .iter()
        .any(|target| matches!(target, Target::Url { .. }))
    {
        return Links::default();
    }
    let about = |rule: &&Rule| call.is_meant_by(&rule.action);
    let of_document = |policy: &AgentPermissions| {
        let rules: Vec<Rule> = policy.rules();
        let rules: Vec<Rule> = rules.iter().filter(about).cloned().collect();
        (!rules.is_empty()).then_some(rules)
    };
    Links {
        configured: settings.rules.iter().filter(about).cloned().collect(),
        refused: grants.denials().filter(about).cloned().collect(),
        documents: policies.iter().filter_map(of_document).collect(),
    }
}

/// Whether a rule of the configuration that names the host lets the URL through, by itself or once it was asked about:
/// then it may lead to this machine or its surroundings, and what the host wishes of programs does not count.
pub fn is_opened(rules: &[Rule], url: &str) -> bool {
    let Some(rule) = deciding(rules, url) else {
        return false;
    };
    let literal = literal_start(&rule.resource);
    let names = |start: String| literal.starts_with(&start);
    let Ok(parsed) = Url::parse(url) else {
        return false;
    };
    let host = parsed.host_str().unwrap_or_default();
    rule.verdict != Verdict::Deny
        && (rule.resource == host || names(format!("{}://{host}", parsed.scheme())))
}

/// The beginning of a pattern up to its first wildcard.
fn literal_start(pattern: &str) -> String {
    pattern
        .split(['*', '?'])
        .next()
        .unwrap_or_default()
        .replace('\\', "")
}

/// Whether a redirect to this URL may be followed, as far as rules and answers go.
pub fn follow(links: &Links, url: &str) -> Result<(), String> {
    if let Some(rule) = deciding(&links.refused, url) {
        return Err(format!("you said never: {}", describe(rule)));
    }
    for rules in std::iter::once(&links.configured).chain(&links.documents) {
        match deciding(rules, url) {
            Some(rule) if rule.verdict != Verdict::Allow => {
                return Err(format!("a rule says {}", describe(rule)));
            }
            _ => {}
        }
    }
    let is_named = |rules: &Vec<Rule>| deciding(rules, url).is_some();
    if links.documents.iter().all(is_named) {
        Ok(())
    } else {
        Err("the type of this agent allows nothing like it".to_owned())
    }
}

fn deciding<'r>(rules: &'r [Rule], url: &str) -> Option<&'r Rule> {
    let (narrow, wide) = (narrow(url), wide(url));
    let fits = |rule: &&Rule| {
        let pattern = Pattern::parse(&rule.resource);
        let subjects = match rule.verdict {
            Verdict::Allow => &narrow,
            Verdict::Ask | Verdict::Deny => &wide,
        };
        subjects.iter().any(|subject| pattern.matches(subject))
    };
    winner(rules.iter().filter(fits))
}

/// Why an address is out of bounds whatever anybody answers, as far as that can be told before its name is resolved.
pub(super) fn refuses(
    call: &PreparedCall,
    url: &str,
    settings: &PermissionSettings,
) -> Option<String> {
    let local = match NetworkPolicy::of(settings.network.min(Network::Remote)).judge_url(url) {
        Err(Refusal::Closed) => {
            return Some("the network is closed: permissions.network is none".to_owned());
        }
        Err(refusal @ (Refusal::Place(_) | Refusal::Name)) => refusal,
        // What is wrong with a URL is the tool's to say.
        Ok(_) | Err(_) => return None,
    };
    let rules: Vec<Rule> = settings
        .rules
        .iter()
        .filter(|rule| call.is_meant_by(&rule.action))
        .cloned()
        .collect();
    if settings.network == Network::All && is_opened(&rules, url) {
        return None;
    }
    // What a rule forbids is said in the rule's words.
    if deciding(&rules, url).is_some_and(|rule| rule.verdict == Verdict::Deny) {
        return None;
    }
    Some(format!(
        "{} leads to {local}; {}",
        host(url).unwrap_or_default(),
        how_to_open(&call.tool, url, settings.network)
    ))
}

/// What opens an address that leads to this machine or its surroundings.
pub fn how_to_open(tool: &str, url: &str, network: Network) -> String {
    if network == Network::All {
        format!(
            "it stays closed unless a rule of the configuration names it, such as action = \"{tool}\", resource = \
             \"{}\", verdict = \"allow\"",
            site(url)
        )
    } else {
        format!(
            "it stays closed while permissions.network is {}",
            network.name()
        )
    }
}

#[cfg(test)]
#[path = "web_tests.rs"]
mod tests;
