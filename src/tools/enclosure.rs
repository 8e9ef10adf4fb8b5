//! The sandbox of a command.

use crate::{
    domain::permission::{Level, Network},
    process::sandbox::{policy::Policy, wanted},
    tools::{context::ToolContext, error::ToolError},
    workspace::secrets,
};

/// The context of a call that only looks: where a sandbox holds commands, it is read-only and without network whatever
/// the level is.
pub(in crate::tools) fn looking(context: &ToolContext) -> ToolContext {
    let mut context = context.clone();
    if context.reach.level < Level::Unrestricted || context.reach.sandbox.enforced().is_some() {
        context.reach.level = context.reach.level.min(Level::Read);
        context.reach.network = Network::None;
    }
    context
}

/// The policy of a command of this call; `None` when nothing holds it.
pub async fn policy(context: &ToolContext) -> Result<Option<Policy>, ToolError> {
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
        let opened = context.opened();
        wanted::policy(&wanted::Wanted {
            backend,
            session: &context.session,
            level: context.reach.level,
            roots,
            writable: &context.settings.sandbox.writable,
            own: &context.settings.own,
            secrets: secrets::stores(std::env::home_dir().as_deref(), roots)
                .into_iter()
                .filter(|file| !opened.contains(file))
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
