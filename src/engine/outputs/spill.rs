//! Large outputs: kept whole, and out of the conversation.
//!
//! An output over 30,000 bytes goes to the artifact store and under a generated name to the scratchpad; the model
//! gets its head and tail with both addresses. A call that names a `scratchpad` entry has its output kept there
//! whatever its size.

use serde_json::Value;

use crate::{
    domain::{
        artifact::ArtifactRef,
        display::Display,
        ids::AgentId,
        media::Attachment,
        scratchpad::{ScratchpadOrigin, fit_name},
    },
    engine::{
        outputs::lending::{lender, read_only},
        session::state::Session,
    },
    process::output::Part,
    store::{ArtifactSource, StoreError, StreamContent, StreamSource},
    text::{sanitize::clean_line, truncate},
    tools::{
        contract::AnyTool,
        output::{OutputFile, ToolOutput, WholeOutput},
    },
};

/// The loop's own parameter on every tool.
pub const PARAMETER: &str = "scratchpad";
/// Most bytes of a result that stand in the conversation.
pub const INLINE_BYTES: usize = 30_000;
/// Most bytes of an output that the scratchpad takes over; the rest of a larger one is read through its artifact.
const SCRATCHPAD_BYTES: usize = 1024 * 1024;
const HEAD_BYTES: usize = 2_000;
const TAIL_BYTES: usize = 1_000;
/// Digits of a digest that make a name, the next number when the name is taken.
const DIGITS: [usize; 2] = [8, 16];

/// A bounded output.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What the model reads.
    pub text: String,
    /// What a person sees.
    pub display: Display,
    /// The phrase of the folded line.
    pub outcome: String,
    /// The whole.
    pub artifact: Option<ArtifactRef>,
    /// Files that the model gets with it.
    pub attachments: Vec<Attachment>,
    /// Names of the streams that hold a part of it.
    streams: Vec<&'static str>,
}

/// Separates the loop's own `scratchpad` parameter from a tool's arguments, unless the tool has one of its own. A name
/// under which the agent cannot write is refused here, before anything runs.
pub fn take_parameter(
    session: &Session,
    agent: &AgentId,
    tool: &dyn AnyTool,
    arguments: &Value,
) -> Result<(Value, Option<String>), String> {
    let mut arguments = arguments.clone();
    if tool.takes(PARAMETER) {
        return Ok((arguments, None));
    }
    let taken = arguments
        .as_object_mut()
        .and_then(|object| object.remove(PARAMETER));
    match taken {
        None | Some(Value::Null) => Ok((arguments, None)),
        Some(Value::String(name)) if name.trim().is_empty() => Ok((arguments, None)),
        Some(Value::String(name)) => {
            let refusal = |why: &str| format!("{}: `scratchpad` {why}", tool.about().name);
            let name = fit_name(&name).map_err(|why| refusal(&why))?;
            match read_only(session, agent, name) {
                Some(why) => Err(refusal(&format!("cannot be used: {why}"))),
                None => Ok((arguments, Some(name.to_owned()))),
            }
        }
        Some(other) => Err(format!(
            "{}: scratchpad is {other}, but the name of an entry (a string) is expected",
            tool.about().name
        )),
    }
}

/// Bounds an output and keeps the whole where it can be read again.
pub async fn bound(
    session: &Session,
    agent: &AgentId,
    tool: &dyn AnyTool,
    output: ToolOutput,
    keep_as: Option<&str>,
) -> Result<Kept, StoreError> {
    let mut kept = Kept {
        text: output.text,
        display: output.display,
        outcome: output.outcome,
        artifact: None,
        attachments: Vec::new(),
        streams: Vec::new(),
    };
    for file in output.files {
        kept.attachments.push(keep_file(session, file).await?);
    }
    let mut notes = String::new();
    if let Some(mut whole) = output.whole {
        notes = std::mem::take(&mut whole.notes);
        let parts = whole.streams.iter();
        kept.streams = parts
            .filter(|(_, part)| matches!(part, Part::File(_)))
            .map(|(name, _)| *name)
            .collect();
        kept.artifact = Some(keep_whole(session, whole).await?);
    }
    let is_large = kept.text.len() > INLINE_BYTES && !output.stays_inline;
    let is_part = kept.artifact.is_some();
    if keep_as.is_none() && !is_large && !is_part {
        return Ok(kept);
    }
    if kept.artifact.is_none() && is_large {
        let source = ArtifactSource::Bytes(kept.text.clone().into_bytes());
        kept.artifact = Some(session.store.put_artifact(source, false).await?);
    }
    let mut content = whole_text(session, &kept).await?;
    let name = match keep_as {
        Some(name) => {
            if !notes.is_empty() && !content.ends_with('\n') {
                content.push('\n');
            }
            content.push_str(&notes);
            name.to_owned()
        }
        None => free_name(session, agent, tool.about().name, &content).await?,
    };
    let bytes = content.len();
    session
        .store
        .scratchpad_write(
            &session.id,
            agent,
            &name,
            content,
            ScratchpadOrigin::Spill {
                tool: tool.about().name.to_owned(),
            },
        )
        .await?;
    session.tell_scratchpad().await;
    let place = place(&kept, &name, bytes);
    kept.text = if keep_as.is_some() {
        // How it went in a few words: the model may not want to look.
        let outcome = clean_line(&kept.outcome);
        if outcome.is_empty() {
            place
        } else {
            format!("[{outcome}]\n{place}")
        }
    } else if is_large {
        let ends = truncate::by_bytes(&kept.text, HEAD_BYTES, TAIL_BYTES);
        format!("{}\n{place}", ends.joined())
    } else {
        format!("{}\n{place}", kept.text)
    };
    Ok(kept)
}

/// Keeps a file that goes to the model.
async fn keep_file(session: &Session, file: OutputFile) -> Result<Attachment, StoreError> {
    let source = ArtifactSource::Bytes(file.bytes);
    let kept = session.store.put_artifact(source, false).await?;
    Ok(Attachment {
        id: kept.id,
        kind: file.kind,
        mime: file.mime.to_owned(),
        bytes: kept.bytes,
        name: file.name,
    })
}

/// Takes an output's file over into the store, and each of its streams.
async fn keep_whole(session: &Session, whole: WholeOutput) -> Result<ArtifactRef, StoreError> {
    let file = ArtifactSource::File(whole.path.to_path_buf());
    let mut artifact = session.store.put_artifact(file, whole.cut).await?;
    if whole.streams.is_empty() {
        return Ok(artifact);
    }
    let streams = whole.streams.iter().map(|(name, part)| StreamSource {
        name: (*name).to_owned(),
        content: match part {
            Part::Nothing => StreamContent::Empty,
            Part::Everything => StreamContent::Stored(artifact.clone()),
            Part::File(file) => StreamContent::File(file.path.to_path_buf(), file.cut),
        },
    });
    let list = session.store.put_streams(streams.collect()).await?;
    artifact.streams = Some(list);
    Ok(artifact)
}

/// The whole output as text, as far as the scratchpad takes it.
async fn whole_text(session: &Session, kept: &Kept) -> Result<String, StoreError> {
    let Some(artifact) = &kept.artifact else {
        return Ok(kept.text.clone());
    };
    let read = session
        .store
        .read_artifact(&artifact.id, SCRATCHPAD_BYTES as u64)
        .await?;
    let is_cut = read.is_cut();
    let mut text = read.text();
    if is_cut {
        text.push_str(&format!("\n[cut here: the whole is {}]", artifact.uri()));
    }
    Ok(text)
}

/// A name made from the content: as short as can be without taking that of another entry.
async fn free_name(
    session: &Session,
    agent: &AgentId,
    tool: &str,
    content: &str,
) -> Result<String, StoreError> {
    let digest = hex(content);
    for digits in DIGITS {
        let name = format!("{tool}_{}", &digest[..digits]);
        let owner = lender(session, agent, &name).unwrap_or_else(|| agent.clone());
        let taken = session
            .store
            .scratchpad_read(&session.id, &owner, &name)
            .await?;
        // The same output once more takes the place of the first.
        if taken.is_none_or(|entry| owner == *agent && entry.content == content) {
            return Ok(name);
        }
    }
    Ok(format!("{tool}_{digest}"))
}

/// SHA-256 in lower-case hex.
fn hex(content: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(content.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Where the whole output can be read, and each of its streams.
fn place(kept: &Kept, name: &str, bytes: usize) -> String {
    let mut address = String::new();
    if let Some(artifact) = &kept.artifact {
        address.push_str(&format!(", also {}", artifact.uri()));
        let streams: Vec<String> = kept
            .streams
            .iter()
            .filter_map(|name| artifact.stream_uri(name))
            .collect();
        if !streams.is_empty() {
            address.push_str(&format!(", by stream {}", streams.join(" and ")));
        }
    }
    format!(
        "[{} bytes kept in the scratchpad as {name:?}{address}; read it with scratchpad_read (offset, limit or regex)]",
        truncate::grouped(bytes)
    )
}
