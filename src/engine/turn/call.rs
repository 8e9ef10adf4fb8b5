//! Preparing, judging and running one call.
//!
//! What runs is what was shown: an approval is bound to a hash over tool, arguments and the basis of the preview,
//! and the call is prepared again before it runs.

use std::{path::PathBuf, sync::Arc};

use sha2::{Digest, Sha256};
use tokio::task::JoinError;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use super::{
    effect::{Approval, Said},
    input::{CallVerdict, Cleared},
    moments::telling,
};
use crate::{
    domain::{
        approval::{ApprovalRequest, Circumstances, Confinement},
        ids::{AgentId, CallId, RequestId},
        permission::{Level, Network, Verdict},
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::{
        host::EngineHost,
        outputs::spill,
        session::{
            permissions::{Judged, Surroundings},
            state::Session,
        },
        toolset,
    },
    process::sandbox::{probe::Enforced, state::state},
    tools::{
        context::{Reach, ToolContext},
        contract::{AnyTool, Concurrency, Preview},
        error::ToolError,
        sent,
    },
    workspace::{freshness::Freshness, root::Roots},
};

/// Who calls.
#[derive(Clone)]
pub struct Caller {
    /// The session.
    pub session: Arc<Session>,
    /// The agent.
    pub agent: AgentId,
    /// The most that it may do.
    pub cap: Level,
    /// Where its connections may go at the most.
    pub network: Network,
    /// Whether the person runs it themselves.
    pub is_person: bool,
    /// Which files it has read.
    pub freshness: Arc<Freshness>,
    /// The tools on offer.
    pub tools: Arc<[&'static dyn AnyTool]>,
}

impl Caller {
    pub(super) fn find(&self, name: &str) -> Result<&'static dyn AnyTool, String> {
        let tool = self
            .tools
            .iter()
            .copied()
            .find(|tool| tool.about().name == name || tool.about().aliases.contains(&name))
            .ok_or_else(|| toolset::unknown(name, &self.tools))?;
        let known = self.session.permissions.declared();
        match tool.declared() {
            Some(declared) if !known.contains(declared) => Err(toolset::gone(name)),
            _ => Ok(tool),
        }
    }

    pub(super) async fn context(&self, call: &CallId, cancel: CancellationToken) -> ToolContext {
        ToolContext {
            session: self.session.id.clone(),
            agent: self.agent.clone(),
            call: call.clone(),
            cwd: self.session.cwd.clone(),
            roots: Arc::new(self.roots()),
            reach: self.reach().await,
            places: None,
            freshness: Arc::clone(&self.freshness),
            settings: Arc::clone(&self.session.tools),
            host: Arc::new(EngineHost::of(self)),
            media: self.session.profile().model.media_gate(),
            keeps: false,
            cancel,
        }
    }

    /// Where a tool may write: the session's roots, or everywhere at `unrestricted`.
    fn roots(&self) -> Roots {
        let settings = self.session.permissions.settings();
        let directories = if settings.level.min(self.cap) == Level::Unrestricted {
            vec![PathBuf::from("/")]
        } else {
            settings.roots.clone()
        };
        Roots { directories }
    }

    /// Where connections of a call may go.
    fn connections(&self) -> Network {
        let settings = self.session.permissions.settings();
        settings.network.min(self.network)
    }

    /// How far a call reaches.
    async fn reach(&self) -> Reach {
        if self.is_person {
            return Reach::of_person();
        }
        let settings = self.session.permissions.settings();
        let tools = &self.session.tools;
        Reach {
            level: settings.level.min(self.cap),
            network: self.connections(),
            confine_reads: settings.confine_reads,
            sandbox: state(tools.sandbox.choice, &tools.spool).await,
        }
    }

    /// Prepares and judges a call; a question about it has this number.
    pub async fn judge(
        &self,
        call: &ToolCall,
        said: impl Into<Said>,
        number: RequestId,
    ) -> CallVerdict {
        let said = said.into();
        let (caller, judged) = (self.clone(), call.clone());
        let verdict = apart(async move { caller.try_judge(&judged, &said, number).await }).await;
        match verdict {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(text)) => CallVerdict::Fail(text),
            Err(error) => CallVerdict::Fail(broken(&call.name, &error)),
        }
    }

    /// Reads a call and judges it.
    async fn prepare(&self, call: &ToolCall) -> Result<Prepared, String> {
        let tool = self.find(&call.name)?;
        if let Some(raw) = &call.malformed {
            return Err(sent::refusal(&call.name, raw));
        }
        let (arguments, _) =
            spill::take_parameter(&self.session, &self.agent, tool, &call.arguments)?;
        let arguments = tool.check(&arguments).map_err(|error| error.to_string())?;
        let context = self.context(&call.id, CancellationToken::new()).await;
        let access = tool
            .access(&arguments, &context)
            .map_err(|error| error.to_string())?;
        let session = Arc::clone(&self.session);
        let (about, standing) = (tool.about(), self.session.tree.standing(&self.agent));
        let confinement = context.confinement(&access);
        let around = Surroundings {
            held: context.reach.enforced().is_some_and(Enforced::is_whole),
            trusted: session.is_trusted(),
            refusal: context.reach.sandbox.refusal(),
        };
        let mut judged = tokio::task::spawn_blocking(move || {
            session
                .permissions
                .judge(&about, &access, &standing, &session.cwd, around)
        })
        .await
        .map_err(|error| broken(&call.name, &error))?;
        let concurrency = tool
            .concurrency(&arguments, &context)
            .map_err(|error| error.to_string())?;
        let places = Some(Arc::new(std::mem::take(&mut judged.places)));
        Ok(Prepared {
            tool,
            cleared: Cleared {
                arguments,
                places: places.clone(),
            },
            concurrency,
            context: ToolContext { places, ..context },
            confinement,
            judged,
        })
    }

    async fn try_judge(
        &self,
        call: &ToolCall,
        said: &Said,
        number: RequestId,
    ) -> Result<CallVerdict, String> {
        let Prepared {
            tool,
            cleared,
            concurrency,
            context,
            confinement,
            mut judged,
        } = self.prepare(call).await?;
        let approval = &said.approval;
        let may_ask = self.session.permissions.settings().approvals;
        let changed_by = said.changed_by.as_deref();
        telling::weigh(&mut judged, said.asks.as_ref(), changed_by, may_ask);
        let about = tool.about();
        let run = CallVerdict::Run {
            cleared: cleared.clone(),
            concurrency,
        };
        match judged.judgement.verdict {
            Verdict::Deny => {
                return Ok(CallVerdict::Refuse(format!(
                    "[{} refused: {}]",
                    call.name, judged.judgement.reason
                )));
            }
            Verdict::Allow => return Ok(run),
            Verdict::Ask if *approval == Approval::Edited => return Ok(run),
            Verdict::Ask => {}
        }
        let preview = tool
            .preview(cleared.arguments.clone(), context)
            .await
            .map_err(|error| error.to_string())?;
        let hash = hash(about.name, &cleared, preview.as_ref(), &confinement);
        let previewed = preview.as_ref().map_or(&[][..], |preview| preview.shows);
        if *approval == Approval::Hash(hash.clone()) {
            return Ok(run);
        }
        Ok(CallVerdict::Ask(Box::new(ApprovalRequest {
            id: number,
            agent: self.agent.clone(),
            lineage: self.session.tree.lineage(&self.agent),
            call: call.id.clone(),
            tool: about.name.to_owned(),
            subject: tool
                .line(&cleared.arguments)
                .unwrap_or_else(|| toolset::subject(call)),
            previewed: previewed.iter().copied().map(str::to_owned).collect(),
            preview: preview.map(|preview| preview.display),
            circumstances: Some(Circumstances {
                folder: self.session.cwd.to_string_lossy().into_owned(),
                risk: judged.risk,
                findings: judged.findings,
                network: self.connections(),
                confinement,
                is_attended: tool.is_attended(&cleared.arguments),
            }),
            arguments: cleared.arguments,
            judgement: judged.judgement,
            hash,
            offers: judged.offers,
            editable: about.editable.map(str::to_owned),
        })))
    }

    /// Runs a judged call to its result. The second value is set when the program itself is broken. Dropping the
    /// wait drops the call.
    pub async fn run(
        &self,
        call: ToolCall,
        cleared: Cleared,
        cancel: CancellationToken,
    ) -> (ToolResult, Option<String>) {
        let started = std::time::Instant::now();
        let (id, name) = (call.id.clone(), call.name.clone());
        let caller = self.clone();
        let ended = apart(async move { caller.run_once(&call, cleared, cancel).await }).await;
        let (mut result, fatal) = ended.unwrap_or_else(|error| {
            let text = broken(&name, &error);
            (ToolResult::plain(id, CallStatus::Failed, text), None)
        });
        result.elapsed_ms = started.elapsed().as_millis() as u64;
        (result, fatal)
    }

    async fn run_once(
        &self,
        call: &ToolCall,
        cleared: Cleared,
        cancel: CancellationToken,
    ) -> (ToolResult, Option<String>) {
        let plain = |status, text: String| ToolResult::plain(call.id.clone(), status, text);
        let tool = match self.find(&call.name) {
            Ok(tool) => tool,
            Err(text) => return (plain(CallStatus::Failed, text), None),
        };
        let keep_as = spill::take_parameter(&self.session, &self.agent, tool, &call.arguments)
            .ok()
            .and_then(|(_, name)| name);
        let context = ToolContext {
            places: cleared.places,
            keeps: keep_as.is_some(),
            ..self.context(&call.id, cancel).await
        };
        let (status, mut output) = match tool.run(cleared.arguments, context).await {
            Ok(output) => (CallStatus::Done, output),
            Err(ToolError::ForModel(text)) => return (plain(CallStatus::Failed, text), None),
            Err(ToolError::Interrupted(output)) => (CallStatus::Interrupted, *output),
            Err(ToolError::Fatal(text)) => {
                return (plain(CallStatus::Failed, text.clone()), Some(text));
            }
        };
        let seen = output.seen.take();
        match spill::bound(&self.session, &self.agent, tool, output, keep_as.as_deref()).await {
            Ok(kept) => (
                ToolResult {
                    call: call.id.clone(),
                    status,
                    text: kept.text,
                    display: kept.display,
                    outcome: kept.outcome,
                    artifact: kept.artifact,
                    attachments: kept.attachments,
                    elapsed_ms: 0,
                    seen,
                },
                None,
            ),
            Err(error) => {
                let text = format!("the output could not be stored: {error}");
                (plain(CallStatus::Failed, text.clone()), Some(text))
            }
        }
    }
}

/// A call that was read and judged.
struct Prepared {
    tool: &'static dyn AnyTool,
    cleared: Cleared,
    concurrency: Concurrency,
    context: ToolContext,
    confinement: Confinement,
    judged: Judged,
}

/// Work in a task of its own: a panic in it fails one call only, and dropping the wait drops the work.
pub(super) async fn apart<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, JoinError> {
    AbortOnDropHandle::new(tokio::spawn(work)).await
}

fn broken(tool: &str, error: &JoinError) -> String {
    if error.is_panic() {
        format!("{tool} failed inside quarterdeck; this is a fault of the program, not of the call")
    } else {
        format!("{tool} was stopped")
    }
}

/// SHA-256 over what will run, in lower-case hex.
fn hash(
    tool: &str,
    cleared: &Cleared,
    preview: Option<&Preview>,
    confinement: &Confinement,
) -> String {
    let mut hasher = Sha256::new();
    hasher.update(tool.as_bytes());
    hasher.update([0]);
    hasher.update(cleared.arguments.to_string().as_bytes());
    hasher.update([0]);
    if let Some(preview) = preview {
        hasher.update(preview.basis.as_bytes());
    }
    hasher.update([0]);
    hasher.update(format!("{confinement:?}").as_bytes());
    // Where a path leads is part of what is allowed: a link may be turned while the person looks.
    hasher.update(format!("{:?}", cleared.places).as_bytes());
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
