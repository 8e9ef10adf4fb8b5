//! The short stories: one request, one or two calls, an honest word about what came back.

use serde_json::{Value, json};

use super::{
    draft::Draft,
    history::{Exchange, History},
    remark, scout,
    script::Offer,
    wish::Wish,
};

/// What it is and what it can do.
pub(super) const HELP: &str =
    "I am the **practice model**: a script inside the program, not a language model. I understand \
only these words, and I use the real tools on this folder:

| say | what happens |
|---|---|
| `tour` | a walk through every pane, about two minutes |
| `read FILE` | reads a file |
| `find PATTERN` | finds files by name |
| `search WORDS` | searches the contents |
| `run COMMAND` | asks for approval, then runs it |
| `type COMMAND` | the same, with a terminal that you can type into |
| `write FILE: TEXT` | shows the diff, asks, then writes |
| `edit FILE: OLD => NEW` | reads, shows the diff, asks, then replaces |
| `note TEXT` | writes to the scratchpad |
| `ask me` | puts a question form in front of you |
| `agents` | sends two sub-agents at once |
| `context` | looks at the context window |

For real work, add a profile for a language model with `/profile`.";

const GREETING: &str = "Hello. I am the practice model, a script: say `tour` to be shown around, or `help` for what else I \
understand.";

const OTHER: &str = "I am a script and do not understand free text, so I do not pretend to. Say `tour` for the guided tour or \
`help` for the few words that I know. A language model would have taken it from here: add one with `/profile`.";

/// The next reply to a short request.
pub(super) fn next(wish: &Wish, history: &History<'_>, said: usize, offer: Offer<'_>) -> Draft {
    let seen = history.exchanges_since(said);
    match wish {
        Wish::Help => Draft::says(HELP),
        Wish::Greeting => Draft::says(GREETING),
        Wish::Read(path) => one(
            &seen,
            offer,
            "I read it.",
            "file_read",
            json!({"path": path}),
        ),
        Wish::Search(words) => one(
            &seen,
            offer,
            "I search the contents.",
            "file_search",
            json!({"pattern": words}),
        ),
        Wish::Find(pattern) => one(
            &seen,
            offer,
            "I look for the names.",
            "file_find",
            json!({"pattern": pattern}),
        ),
        Wish::Run(command) => one(
            &seen,
            offer,
            "I ask for the command.",
            "shell_execute",
            json!({"command": command}),
        ),
        Wish::Attend(command) => one(
            &seen,
            offer,
            "I ask for the command; you can type into it.",
            "shell_execute",
            json!({"command": command, "interactive": true}),
        ),
        Wish::Note(text) => one(
            &seen,
            offer,
            "I keep that.",
            "scratchpad_write",
            json!({"name": "note", "content": text}),
        ),
        Wish::Context => one(&seen, offer, "I look.", "context_check", json!({})),
        Wish::Ask => one(
            &seen,
            offer,
            "Here is a form.",
            "ask_user",
            json!({"questions": [
                {"question": "Which answer do you like best?", "type": "choice", "options": ["This one", "That one"]},
                {"question": "Is the form clear?", "type": "confirm", "default": "yes"}
            ]}),
        ),
        Wish::Write { path, content } => one(
            &seen,
            offer,
            "I propose the file.",
            "file_write",
            json!({"path": path, "content": content}),
        ),
        Wish::Edit { path, old, new } => edit(&seen, offer, path, old, new),
        Wish::Agents => agents(&seen, offer),
        _ => Draft::says(OTHER),
    }
}

/// One call, then a remark about it.
fn one(
    seen: &[Exchange<'_>],
    offer: Offer<'_>,
    words: &str,
    tool: &'static str,
    arguments: Value,
) -> Draft {
    if seen.iter().any(|exchange| exchange.call.name == tool) {
        return close(seen);
    }
    if !offer.has(tool) {
        return Draft::says(format!(
            "That needs the tool `{tool}`, which is not on offer here."
        ));
    }
    Draft::says(words).call(tool, arguments)
}

/// The file is read first: an edit of a file that was never read is refused.
fn edit(seen: &[Exchange<'_>], offer: Offer<'_>, path: &str, old: &str, new: &str) -> Draft {
    let read = seen
        .iter()
        .find(|exchange| exchange.call.name == "file_read");
    match read {
        None => one(
            seen,
            offer,
            "I read it first.",
            "file_read",
            json!({"path": path}),
        ),
        Some(read) if !read.is_done() => close(seen),
        Some(_) => one(
            seen,
            offer,
            "Now the change.",
            "file_edit",
            json!({"path": path, "old_string": old, "new_string": new}),
        ),
    }
}

fn agents(seen: &[Exchange<'_>], offer: Offer<'_>) -> Draft {
    if seen
        .iter()
        .any(|exchange| exchange.call.name == "agent_spawn")
    {
        return close(seen);
    }
    if !offer.has("agent_spawn") {
        return Draft::says("That needs the tool `agent_spawn`, which is not on offer here.");
    }
    scouts(Draft::says("Two at once."), None, false)
}

/// Calls both sub-agents in one step, so that they run side by side.
pub(super) fn scouts(draft: Draft, path: Option<&str>, lent: bool) -> Draft {
    let mut reader = json!({
        "prompt": scout::reader_prompt(path, lent),
        "description": "read one file",
        "agent": "reader",
        "permission": "read"
    });
    if lent && let Some(fields) = reader.as_object_mut() {
        fields.insert("inherit_scratchpad".to_owned(), json!([scout::NOTE]));
    }
    draft
        .call(
            "agent_spawn",
            json!({
                "prompt": scout::SCOUT,
                "description": "count the files",
                "agent": "scout",
                "permission": "read"
            }),
        )
        .call("agent_spawn", reader)
}

fn close(seen: &[Exchange<'_>]) -> Draft {
    let last = seen.last().map(|last| last.call.name.as_str());
    let same: Vec<Exchange<'_>> = seen
        .iter()
        .filter(|exchange| Some(exchange.call.name.as_str()) == last)
        .copied()
        .collect();
    Draft::says(remark::remarks(&same)).paragraph("(A script wrote this. Say `help` for more.)")
}
