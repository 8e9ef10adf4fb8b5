//! The sandbox of a command, and what is said when it may have been in the way.

use std::path::PathBuf;

use crate::{
    domain::permission::{Level, Network},
    process::{
        sandbox::{policy::Policy, wanted},
        spawn::{End, Finished},
    },
    text::sanitize::clean_line,
    tools::{context::ToolContext, error::ToolError},
    workspace::secrets,
};

/// Words by which programs say that something was not allowed.
const DENIALS: &[&str] = &[
    "Read-only file system",
    "Permission denied",
    "Operation not permitted",
    "EROFS",
    "EACCES",
    "EPERM",
];
/// Words by which they say that nothing could be reached.
const UNREACHABLE: &[&str] = &[
    "Network is unreachable",
    "Could not resolve host",
    "Temporary failure in name resolution",
    "Name or service not known",
    "ENETUNREACH",
    "EAI_AGAIN",
    "dns error",
];
/// Words by which they say that nobody listens: in a network of the command's own, nobody of this machine does.
const REFUSED: &[&str] = &["Connection refused", "ECONNREFUSED", "Failed to connect"];
/// The tail of an output in which the reason of a failure stands.
const TAIL: usize = 8 * 1024;

/// The policy of a command of this call; `None` when nothing holds it.
pub(super) async fn policy(context: &ToolContext) -> Result<Option<Policy>, ToolError> {
    let reach = &context.reach;
    if reach.level == Level::Unrestricted {
        return Ok(None);
    }
    if let Some(why) = reach.sandbox.refusal() {
        return Err(ToolError::model(why));
    }
    let Some(enforced) = reach.enforced() else {
        return Ok(None);
    };
    let (context, backend) = (context.clone(), enforced.backend);
    let network = enforced.network(reach.network);
    let made = tokio::task::spawn_blocking(move || {
        let roots = &context.roots.directories;
        wanted::policy(&wanted::Wanted {
            backend,
            session: &context.session,
            level: context.reach.level,
            roots,
            writable: &context.settings.sandbox.writable,
            own: &context.settings.own,
            secrets: secrets::stores(std::env::home_dir().as_deref(), roots)
                .into_iter()
                .filter(|file| !context.opened.contains(file))
                .collect(),
            network,
            reachable: &context.settings.sandbox.reachable,
            confine_reads: context.reach.confine_reads,
            place: &context.settings.spool,
        })
    });
    match made.await {
        Ok(Ok(policy)) => Ok(Some(policy)),
        Ok(Err(error)) => Err(ToolError::model(format!(
            "the sandbox could not be prepared, so nothing was run: {error}"
        ))),
        Err(error) => Err(ToolError::Fatal(error.to_string())),
    }
}

/// What to say of the sandbox after a command: the connections that it refused, and when the command failed with words
/// that sound like it, what it may have been in the way of.
pub(super) fn notes(context: &ToolContext, policy: &Policy, finished: &Finished) -> Vec<String> {
    let mut notes: Vec<String> = finished
        .refused
        .iter()
        .map(|refused| format!("network: {}", clean_line(refused)))
        .collect();
    if !matches!(finished.end, End::Exited(0) | End::Cancelled) {
        notes.extend(suspicion(context, policy, finished));
    }
    notes
}

fn suspicion(context: &ToolContext, policy: &Policy, finished: &Finished) -> Option<String> {
    let output = &finished.captured.text;
    let mut start = output.len().saturating_sub(TAIL);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    let tail = &output[start..];
    let says = |words: &[&str]| words.iter().any(|word| tail.contains(word));
    match policy.network.network {
        Network::None if says(UNREACHABLE) => {
            let narrowed = match context.reach.network {
                Network::Remote => ", since this sandbox cannot hold `remote`",
                _ => "",
            };
            return Some(format!(
                "this may be the sandbox: the command has no network{narrowed}; the person can open it with /network"
            ));
        }
        Network::Remote if says(UNREACHABLE) || says(REFUSED) => {
            return Some(
                "this may be the sandbox: at network `remote` other machines are reached only through the proxy that \
                 http_proxy and https_proxy name, and this machine's own ports are not; the person can open it with \
                 /network"
                    .to_owned(),
            );
        }
        _ => {}
    }
    if !says(DENIALS) {
        return None;
    }
    let writable: Vec<String> = std::iter::once(policy.seen_tmp().to_owned())
        .chain(policy.writable.iter().cloned())
        .map(|place: PathBuf| place.display().to_string())
        .collect();
    let raise = match context.reach.level {
        Level::None | Level::Read => {
            "the person can allow writing in the workspace with /permission workspace"
        }
        Level::Workspace | Level::Unrestricted => {
            "the person can add a directory to sandbox.writable, or run without a sandbox at /permission unrestricted"
        }
    };
    Some(format!(
        "this may be the sandbox: writing is possible in {} only, .git/hooks, .git/config, .envrc and .quarterdeck stay \
         as they are, and files with secrets are closed; {raise}",
        writable.join(", ")
    ))
}
