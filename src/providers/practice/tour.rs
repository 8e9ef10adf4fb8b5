//! The guided tour: a fixed order of beats, each one step of the model, adapted to what tools return.
//!
//! Where the tour stands is read from the calls made since it began, so that it can be left and taken up again. Every
//! beat counts as played once its tool was called, whatever came of it: the tour always ends.

use serde_json::{Value, json};

use super::{
    draft::Draft,
    errand,
    history::{Exchange, History},
    remark, scout,
    script::Offer,
    tour_text as words,
};
use crate::domain::tool::CallStatus;

/// The beats in order, with the chapter that each belongs to.
const BEATS: [(Beat, usize); 9] = [
    (Beat::LookAround, 0),
    (Beat::Read, 0),
    (Beat::Ask, 1),
    (Beat::Note, 2),
    (Beat::Scouts, 3),
    (Beat::Command, 4),
    (Beat::Write, 5),
    (Beat::Edit, 5),
    (Beat::Check, 6),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beat {
    LookAround,
    Read,
    Ask,
    Note,
    Scouts,
    Command,
    Write,
    Edit,
    Check,
}

/// The next step of the tour that began at `start`.
pub(super) fn next(history: &History<'_>, start: usize, offer: Offer<'_>) -> Draft {
    let scene = Scene {
        seen: history.exchanges_since(start),
        offer,
    };
    let last = history.last_batch();
    let remarks = remark::remarks(&last);
    let beat = BEATS.iter().find(|(beat, _)| !scene.is_over(*beat));
    let edits = scene.edits(beat.map(|(_, chapter)| *chapter));
    match beat {
        Some((beat, _)) => {
            let draft = scene.play(*beat, Draft::says(remarks));
            // The list first: it says what the calls behind it are for.
            let calls = edits.into_iter().chain(draft.calls).collect();
            Draft { calls, ..draft }
        }
        None if !edits.is_empty() => {
            let draft = Draft::says(remarks).paragraph(words::WRAP_UP);
            Draft {
                calls: edits,
                ..draft
            }
        }
        None => Draft::says(remarks).paragraph(scene.closing()),
    }
}

/// What has happened since the tour began.
struct Scene<'a> {
    seen: Vec<Exchange<'a>>,
    offer: Offer<'a>,
}

impl<'a> Scene<'a> {
    fn made(&self, tool: &str) -> impl DoubleEndedIterator<Item = &Exchange<'a>> {
        let tool = tool.to_owned();
        self.seen
            .iter()
            .filter(move |exchange| exchange.call.name == tool)
    }

    /// Whether the beat was played, or cannot or must not be.
    fn is_over(&self, beat: Beat) -> bool {
        let tool = match beat {
            Beat::LookAround if self.offer.has("file_find") => "file_find",
            Beat::LookAround => "checklist_add",
            Beat::Read => "file_search",
            Beat::Ask => "ask_user",
            Beat::Note => "scratchpad_write",
            Beat::Scouts => "agent_spawn",
            Beat::Command => "shell_execute",
            Beat::Write => return self.is_written(),
            Beat::Edit if !self.has_file() => return true,
            Beat::Edit => "file_edit",
            Beat::Check => "context_check",
        };
        let unwanted = beat == Beat::Command && !self.wants_changes();
        !self.offer.has(tool) || unwanted || self.made(tool).next().is_some()
    }

    /// A write that failed since the file was there unread is tried once more behind a read.
    fn is_written(&self) -> bool {
        let mut writes = self.made("file_write");
        let skipped = !self.offer.has("file_write") || !self.wants_changes();
        skipped
            || match (writes.next(), writes.next()) {
                (None, _) => false,
                (Some(first), None) => {
                    first.result.status != CallStatus::Failed || !self.offer.has("file_read")
                }
                (Some(_), Some(_)) => true,
            }
    }

    fn has_file(&self) -> bool {
        self.made("file_write").any(Exchange::is_done)
    }

    fn play(&self, beat: Beat, draft: Draft) -> Draft {
        match beat {
            Beat::LookAround => self.look_around(),
            Beat::Read => self.read(draft),
            Beat::Ask => draft.paragraph(words::ASK).call("ask_user", questions()),
            Beat::Note => {
                let content = self.answers().map_or_else(
                    || "The person gave no answers.".to_owned(),
                    |answers| answers.result.text.clone(),
                );
                let note = json!({"name": scout::NOTE, "content": content});
                draft.paragraph(words::NOTE).call("scratchpad_write", note)
            }
            Beat::Scouts => {
                let lent = self.made("scratchpad_write").any(Exchange::is_done);
                errand::scouts(draft.paragraph(words::SCOUTS), self.page().as_deref(), lent)
            }
            Beat::Command => draft
                .paragraph(words::COMMAND)
                .call("shell_execute", json!({"command": "uname -sr"})),
            Beat::Write => self.write(draft),
            Beat::Edit => draft.paragraph(words::EDIT).call(
                "file_edit",
                json!({"path": words::FILE, "old_string": words::LINE, "new_string": words::NEW_LINE}),
            ),
            Beat::Check => {
                let draft = draft.paragraph(words::CHECK);
                let draft = if self.offer.has("agent_list") {
                    draft.call("agent_list", json!({}))
                } else {
                    draft
                };
                draft.call("context_check", json!({}))
            }
        }
    }

    fn look_around(&self) -> Draft {
        let mut draft = Draft::says(words::OPENING).thinking(words::OPENING_THOUGHT);
        if self.offer.has("checklist_add") && self.made("checklist_add").next().is_none() {
            let items: Vec<Value> = words::CHAPTERS
                .iter()
                .enumerate()
                .map(|(index, text)| {
                    let status = if index == 0 { "in_progress" } else { "pending" };
                    json!({"text": text, "status": status})
                })
                .collect();
            draft = draft.call("checklist_add", json!({"items": items}));
        }
        if self.offer.has("file_find") {
            draft = draft.call("file_find", json!({"pattern": "**/*"}));
        }
        draft
    }

    /// Reads one page and searches; an empty folder has nothing to read, and a search of it is still one.
    fn read(&self, draft: Draft) -> Draft {
        let search = json!({"pattern": "TODO"});
        match self.page() {
            Some(page) if self.offer.has("file_read") => draft
                .paragraph(format!(
                    "I read `{page}` and search everything for `TODO`, both in one step."
                ))
                .call("file_read", json!({"path": page}))
                .call("file_search", search),
            _ => draft
                .paragraph(
                    "There is no page to read here, so I only search; nothing is a result too.",
                )
                .call("file_search", search),
        }
    }

    fn write(&self, draft: Draft) -> Draft {
        let propose = json!({"path": words::FILE, "content": words::file(&self.name())});
        if self.made("file_write").next().is_none() {
            return draft.paragraph(words::WRITE).call("file_write", propose);
        }
        let reads = |exchange: &Exchange<'_>| exchange.argument("path") == Some(words::FILE);
        if self.made("file_read").any(reads) {
            return draft.call("file_write", propose);
        }
        draft
            .paragraph(words::WRITE_AGAIN)
            .call("file_read", json!({"path": words::FILE}))
    }

    /// The page to read: a read-me, else something that reads well, else the first file.
    fn page(&self) -> Option<String> {
        let found = self.made("file_find").next()?;
        let files: Vec<String> = remark::files(found)
            .into_iter()
            .filter(|file| !file.ends_with('/') && !file.starts_with("quarterdeck-tour/"))
            .collect();
        let rank = |file: &String| {
            let lower = file.to_lowercase();
            let depth = lower.matches('/').count();
            let readme = lower
                .rsplit('/')
                .next()
                .is_some_and(|name| name.starts_with("readme"));
            let page = [".md", ".txt", ".toml", ".rs", ".py", ".js", ".json"]
                .iter()
                .any(|ending| lower.ends_with(ending));
            (!readme, !page, depth)
        };
        files.into_iter().min_by_key(rank)
    }

    /// The answered form.
    fn answers(&self) -> Option<&Exchange<'a>> {
        self.made("ask_user").find(|exchange| exchange.is_done())
    }

    fn answer(&self, question: &str) -> Option<&'a str> {
        let text = self.answers()?.result.text.as_str();
        text.lines()
            .find_map(|line| line.strip_prefix("- ")?.strip_prefix(question))
            .and_then(|rest| rest.trim_start().strip_prefix('→'))
            .map(str::trim)
    }

    fn wants_changes(&self) -> bool {
        self.answer(words::HOW_FAR) != Some(words::SAFE)
    }

    /// One short line without anything that Markdown would take for more than a name.
    fn name(&self) -> String {
        let name: String = self
            .answer(words::NAME)
            .unwrap_or_default()
            .chars()
            .filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '.'))
            .take(40)
            .collect();
        match name.trim() {
            "" | "left open" => words::CAPTAIN.to_owned(),
            name => name.to_owned(),
        }
    }

    fn closing(&self) -> String {
        if self.seen.is_empty() {
            return words::NO_TOOLS.to_owned();
        }
        let chosen = self.answer(words::PANES).unwrap_or_default();
        let more: Vec<&str> = ["Agents", "Checklist", "Scratchpad", "Context"]
            .into_iter()
            .filter(|pane| chosen.contains(pane))
            .map(words::about)
            .collect();
        if more.is_empty() {
            words::CLOSING.to_owned()
        } else {
            format!(
                "{}\n\nYou wanted to know more about:\n\n{}",
                words::CLOSING,
                more.join("\n")
            )
        }
    }

    /// The changes that the checklist needs now that `chapter` is being played (`None`: all are over).
    fn edits(&self, chapter: Option<usize>) -> Vec<(&'static str, Value)> {
        if !self.offer.has("checklist_edit") {
            return Vec::new();
        }
        let mut edits = Vec::new();
        for (index, id) in self.ids().into_iter().enumerate() {
            let (status, reason) = match chapter {
                Some(now) if index > now => continue,
                Some(now) if index == now => ("in_progress", None),
                _ => self.outcome(index),
            };
            if self.status(index, id).as_deref() == Some(status) {
                continue;
            }
            let mut edit = json!({"id": id, "status": status});
            if let (Some(reason), Some(fields)) = (reason, edit.as_object_mut()) {
                fields.insert("reason".to_owned(), json!(reason));
            }
            edits.push(("checklist_edit", edit));
        }
        edits
    }

    /// How a chapter ended: canceled when none of its beats did its work.
    fn outcome(&self, chapter: usize) -> (&'static str, Option<&'static str>) {
        let tools: &[&str] = match chapter {
            0 => &["file_find", "file_search", "file_read"],
            1 => &["ask_user"],
            2 => &["scratchpad_write"],
            3 => &["agent_spawn"],
            4 => &["shell_execute"],
            5 => &["file_write"],
            _ => &["context_check"],
        };
        let mut made = self
            .seen
            .iter()
            .filter(|exchange| tools.contains(&exchange.call.name.as_str()))
            .peekable();
        if made.peek().is_none() {
            let reason = if self.wants_changes() {
                "its tool is not on offer here"
            } else {
                "you chose the tour that changes nothing"
            };
            return ("canceled", Some(reason));
        }
        if made.any(Exchange::is_done) {
            ("completed", None)
        } else {
            ("canceled", Some("it was not allowed or did not work"))
        }
    }

    /// The numbers that the checklist gave to the chapters.
    fn ids(&self) -> Vec<u32> {
        let added = self
            .made("checklist_add")
            .find(|exchange| exchange.is_done());
        let first = added.and_then(|exchange| exchange.result.text.lines().next());
        first
            .and_then(|line| line.strip_prefix("Added "))
            .unwrap_or_default()
            .trim_end_matches('.')
            .split(", ")
            .filter_map(|id| id.parse().ok())
            .take(words::CHAPTERS.len())
            .collect()
    }

    /// The state that the script last asked for; the list was made with the first chapter at work.
    fn status(&self, index: usize, id: u32) -> Option<String> {
        let edits = self.made("checklist_edit");
        let of_item = |exchange: &&Exchange<'_>| {
            exchange.call.arguments.get("id").and_then(Value::as_u64) == Some(u64::from(id))
        };
        let asked = edits
            .filter(of_item)
            .filter_map(|exchange| exchange.argument("status"))
            .next_back()
            .map(str::to_owned);
        asked.or_else(|| (index == 0).then(|| "in_progress".to_owned()))
    }
}

fn questions() -> Value {
    json!({"questions": [
        {
            "question": words::HOW_FAR,
            "type": "choice",
            "options": [words::ALL, words::SAFE],
            "default": words::ALL
        },
        {
            "question": words::PANES,
            "type": "multi",
            "options": ["Agents", "Checklist", "Scratchpad", "Context"]
        },
        {"question": words::NAME, "type": "text", "default": words::CAPTAIN}
    ]})
}
