//! A small world that answers the calls of the script: a folder, a person, a checklist.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::reply;
use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock, Role},
        checklist::{Checklist, ItemChange, ItemStatus},
        display::{Display, FileMatch},
        ids::{AgentId, CallId},
        tool::{CallStatus, ToolCall, ToolResult, ToolSpec},
    },
    providers::{contract::ChatRequest, practice::Practice},
};

const TOOLS: [&str; 14] = [
    "checklist_add",
    "checklist_edit",
    "checklist_read",
    "file_find",
    "file_read",
    "file_search",
    "file_write",
    "file_edit",
    "ask_user",
    "agent_spawn",
    "agent_list",
    "scratchpad_write",
    "scratchpad_read",
    "shell_execute",
];

/// Answers a call: status and text.
type Rule = Box<dyn Fn(&str, &Value, usize) -> Option<(CallStatus, String)>>;

/// A folder, a person and a checklist.
pub(super) struct World {
    pub(super) messages: Vec<ChatMessage>,
    pub(super) tools: Vec<&'static str>,
    pub(super) files: Vec<&'static str>,
    pub(super) answers: String,
    pub(super) checklist: Checklist,
    pub(super) rule: Rule,
    pub(super) calls: Vec<(String, Value)>,
}

impl World {
    pub(super) fn new(files: &[&'static str]) -> Self {
        Self {
            messages: vec![ChatMessage::user("[environment]\nWorking directory: /work")],
            tools: TOOLS.into_iter().chain(["context_check"]).collect(),
            files: files.to_vec(),
            answers: "The user answered:\n- How far shall the tour go? → All of it, with one command and one file\n- \
                      Which panes shall I say more about at the end? → Agents, Context\n- What name shall I put into \
                      the file? → Ada"
                .to_owned(),
            checklist: Checklist::default(),
            rule: Box::new(|_, _, _| None),
            calls: Vec::new(),
        }
    }

    pub(super) fn with_rule(
        mut self,
        rule: impl Fn(&str, &Value, usize) -> Option<(CallStatus, String)> + 'static,
    ) -> Self {
        self.rule = Box::new(rule);
        self
    }

    fn request(&self) -> ChatRequest {
        ChatRequest {
            agent: AgentId::main(),
            model: Practice::model_info("practice"),
            system: Arc::from("system"),
            messages: self.messages.clone().into(),
            media: Default::default(),
            tools: self
                .tools
                .iter()
                .map(|name| ToolSpec {
                    name: (*name).to_owned(),
                    description: String::new(),
                    schema: json!({}),
                })
                .collect(),
        }
    }

    /// One step: the words said, and whether calls were made (and answered).
    pub(super) fn step(&mut self) -> (String, bool) {
        let draft = reply(&self.request());
        let mut blocks = vec![ContentBlock::Text {
            text: draft.text.clone(),
        }];
        let mut results = Vec::new();
        for (name, arguments) in draft.calls {
            assert!(self.tools.contains(&name), "{name} is not on offer");
            let id = CallId::new(format!("call-{}", self.calls.len()));
            let earlier = self
                .calls
                .iter()
                .filter(|(called, _)| called == name)
                .count();
            self.calls.push((name.to_owned(), arguments.clone()));
            results.push(ContentBlock::ToolResult(self.answer(
                id.clone(),
                name,
                &arguments,
                earlier,
            )));
            blocks.push(ContentBlock::ToolCall(ToolCall {
                id,
                name: name.to_owned(),
                arguments,
                malformed: None,
            }));
        }
        self.messages.push(ChatMessage {
            role: Role::Assistant,
            blocks,
            provider: None,
        });
        let called = !results.is_empty();
        if called {
            self.messages.push(ChatMessage {
                role: Role::User,
                blocks: results,
                provider: None,
            });
        }
        (draft.text, called)
    }

    fn answer(
        &mut self,
        call: CallId,
        name: &str,
        arguments: &Value,
        earlier: usize,
    ) -> ToolResult {
        if let Some((status, text)) = (self.rule)(name, arguments, earlier) {
            return ToolResult::plain(call, status, text);
        }
        let text = match name {
            "checklist_add" => {
                let mut ids = Vec::new();
                for item in arguments["items"].as_array().unwrap() {
                    let status = match item["status"].as_str() {
                        Some("in_progress") => ItemStatus::InProgress,
                        _ => ItemStatus::Pending,
                    };
                    ids.push(
                        self.checklist
                            .add(item["text"].as_str().unwrap(), status)
                            .to_string(),
                    );
                }
                format!("Added {}.\n{}", ids.join(", "), self.remaining())
            }
            "checklist_edit" => {
                let status = serde_json::from_value(arguments["status"].clone()).unwrap();
                let change = ItemChange {
                    status: Some(status),
                    reason: arguments["reason"].as_str().map(str::to_owned),
                    text: None,
                };
                let id = u32::try_from(arguments["id"].as_u64().unwrap()).unwrap();
                self.checklist.edit(id, &change).unwrap();
                self.remaining()
            }
            "file_find" => self.files.join("\n"),
            "ask_user" => self.answers.clone(),
            "file_read" => "# The page\nwords".to_owned(),
            "agent_spawn" => "Agent: scout_1\nPermission: read".to_owned(),
            _ => format!("{name} done"),
        };
        let mut result = ToolResult::plain(call, CallStatus::Done, text);
        if matches!(name, "file_find" | "file_search") {
            result.display = Display::Files {
                files: self
                    .files
                    .iter()
                    .map(|path| FileMatch {
                        path: (*path).to_owned(),
                        lines: Vec::new(),
                    })
                    .collect(),
                omitted: 0,
            };
        }
        result
    }

    fn remaining(&self) -> String {
        let open = self
            .checklist
            .items
            .iter()
            .filter(|item| item.status.is_open());
        open.map(|item| format!("{}. [{}] {}", item.id, item.status.name(), item.text))
            .collect::<Vec<_>>()
            .join("\n")
    }

    pub(super) fn says(&mut self, words: &str) {
        self.messages.push(ChatMessage::user(words));
    }

    /// Plays a whole turn, nudges included; the words of every step.
    pub(super) fn turn(&mut self, words: &str) -> Vec<String> {
        self.says(words);
        let mut said = Vec::new();
        loop {
            assert!(said.len() < 40, "the script does not end: {said:#?}");
            let (text, called) = self.step();
            said.push(text);
            if called {
                continue;
            }
            if self.checklist.open_count() == 0 {
                return said;
            }
            self.says("[checklist] items are still open.");
        }
    }

    /// Names of the tools called, without the list's own.
    pub(super) fn story(&self) -> Vec<&str> {
        let names = self.calls.iter().map(|(name, _)| name.as_str());
        names.filter(|name| *name != "checklist_edit").collect()
    }

    pub(super) fn statuses(&self) -> Vec<ItemStatus> {
        self.checklist
            .items
            .iter()
            .map(|item| item.status)
            .collect()
    }
}
