//! What a front end can tell the engine.

use crate::domain::{
    approval::ApprovalDecision,
    checklist::{Checklist, ItemChange, ItemStatus},
    ids::{AgentId, ArtifactId, CallId, QueuedId, RequestId, Sequence, SessionId},
    permission::{Grant, Level, Mode, Network, Rule},
    question::FormOutcome,
    record::Lane,
    terminal::TerminalInput,
    window::WindowEdit,
};

/// From a front end to the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Words for an agent.
    Send {
        /// The agent.
        agent: AgentId,
        /// The words.
        text: String,
        /// When they are to be read.
        lane: Lane,
    },
    /// Takes a waiting message back; the next `EventKind::Queue` no longer holds it.
    TakeBack {
        /// The message.
        message: QueuedId,
    },
    /// Cancels an agent's turn and, with it, its sub-agents.
    Cancel {
        /// The agent.
        agent: AgentId,
    },
    /// Removes an agent that has ended, and those below it, from the tree.
    DeleteAgent {
        /// The agent.
        agent: AgentId,
    },
    /// Answers an approval.
    Decide {
        /// The request.
        request: RequestId,
        /// Hash of what was on the screen; a decision about something else asks again.
        hash: String,
        /// The answer.
        decision: ApprovalDecision,
    },
    /// Answers a question form.
    Answer {
        /// The form.
        request: RequestId,
        /// The answers.
        outcome: FormOutcome,
    },
    /// Changes a setting of the session.
    Configure(Setting),
    /// Changes an agent's checklist in the person's name; the model is told at its next step.
    EditChecklist {
        /// The agent.
        agent: AgentId,
        /// The change.
        edit: PersonChecklistEdit,
    },
    /// Sets the session's goal or changes how it stands.
    Goal(GoalCommand),
    /// Changes the scratchpad in the person's name.
    EditScratchpad {
        /// The agent that owns the entry.
        agent: AgentId,
        /// The change.
        edit: ScratchpadEdit,
    },
    /// Asks for something that is not on the screen yet; answered by [`super::event::EventKind::Fetched`].
    Fetch(Fetch),
    /// Runs a shell command in the person's name (`!cmd`, `!!cmd`, `/type cmd`).
    RunShell {
        /// The command line.
        command: String,
        /// Whether the model is shown command and output.
        shared: bool,
        /// Whether it has a terminal into which the person types.
        attended: bool,
    },
    /// Types into a call that has a terminal, or says how large that is. What has ended takes everything.
    Terminal {
        /// The agent.
        agent: AgentId,
        /// Its call.
        call: CallId,
        /// What it gets.
        input: TerminalInput,
    },
    /// Changes what stands in an agent's window.
    Window {
        /// The agent.
        agent: AgentId,
        /// The change.
        command: WindowCommand,
    },
    /// Makes a grant or a denial that nobody asked for.
    Grant(Grant),
    /// Ends a job of the session; answered by the jobs that are left.
    StopJob {
        /// Its number.
        id: u32,
    },
    /// Journals what stands in the composer.
    SaveDraft {
        /// The text; empty deletes the draft.
        text: String,
    },
    /// Opens or changes a session.
    Session(SessionCommand),
    /// Ends everything: children, requests, the store. Answered by [`super::event::EventKind::Stopped`].
    Shutdown,
}

/// A setting of the running session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Reach.
    Level(Level),
    /// When to ask.
    Mode(Mode),
    /// Where connections may go.
    Network(Network),
    /// Whether calls above the level are asked.
    Approvals(bool),
    /// Another profile, from the next request on.
    Profile(String),
    /// Whether the folder is trusted; remembered for the folder.
    Trust(bool),
}

/// What the person wants of an agent's window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowCommand {
    /// Makes room; says what matters most, or nothing.
    Compact(String),
    /// Leaves out, pins, puts back.
    Edit(WindowEdit),
}

/// What the person wants of the session's goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalCommand {
    /// Sets it; refused while there is one that is open.
    Set(String),
    /// No more reminders; what runs goes on.
    Pause,
    /// Reminders again.
    Resume,
    /// Gives it up; what runs goes on.
    Cancel,
}

/// A change to a checklist by the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonChecklistEdit {
    /// Appends an item.
    Add {
        /// Its words.
        text: String,
        /// Its state.
        status: ItemStatus,
    },
    /// Changes an item.
    Change {
        /// Its number.
        id: u32,
        /// The change.
        change: ItemChange,
    },
    /// Moves an item up (negative) or down.
    Move {
        /// Its number.
        id: u32,
        /// By how many places.
        by: i32,
    },
}

impl PersonChecklistEdit {
    /// What the change is, behind "you": `added: write it`. `before` is the list without it.
    pub fn told(&self, before: &Checklist) -> String {
        let item = |id: &u32| before.items.iter().find(|item| item.id == *id);
        let words = |id: &u32| item(id).map_or_else(|| id.to_string(), |item| item.text.clone());
        match self {
            Self::Add { text, .. } => format!("added: {}", text.trim()),
            Self::Move { id, by } if *by < 0 => format!("moved up: {}", words(id)),
            Self::Move { id, .. } => format!("moved down: {}", words(id)),
            Self::Change { id, change } => {
                let mut told = Vec::new();
                if let Some(text) = &change.text {
                    told.push(format!("reworded: {} → {}", words(id), text.trim()));
                }
                if let Some(status) = change.status {
                    let verb = match status {
                        ItemStatus::Pending => "opened again",
                        ItemStatus::InProgress => "began",
                        ItemStatus::Deferred => "put off",
                        ItemStatus::Completed => "ticked off",
                        ItemStatus::Canceled => "cancelled",
                    };
                    let reason = change.reason.as_deref().map(str::trim).unwrap_or_default();
                    let reason = if reason.is_empty() {
                        String::new()
                    } else {
                        format!(" ({reason})")
                    };
                    told.push(format!("{verb}: {}{reason}", words(id)));
                }
                told.join("; ")
            }
        }
    }

    /// Makes the change; the error says what is wrong with it.
    pub fn apply(&self, list: &mut Checklist) -> Result<(), String> {
        match self {
            Self::Add { text, status } => {
                if text.trim().is_empty() {
                    return Err("an item needs words".to_owned());
                }
                list.add(text, *status);
                Ok(())
            }
            Self::Change { id, change } => list.edit(*id, change),
            Self::Move { id, by } => {
                let from = list
                    .items
                    .iter()
                    .position(|item| item.id == *id)
                    .ok_or_else(|| format!("there is no item {id}"))?;
                let last = list.items.len().saturating_sub(1) as i64;
                let to = (from as i64 + i64::from(*by)).clamp(0, last) as usize;
                let item = list.items.remove(from);
                list.items.insert(to, item);
                Ok(())
            }
        }
    }
}

/// A change to the scratchpad by the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScratchpadEdit {
    /// Writes an entry whole.
    Write {
        /// Its name.
        name: String,
        /// Its content.
        content: String,
    },
    /// Deletes an entry.
    Delete {
        /// Its name.
        name: String,
    },
    /// Renames an entry.
    Rename {
        /// Its name.
        name: String,
        /// Its new name.
        to: String,
    },
}

/// What a front end can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// The whole text of a stored output.
    Artifact(ArtifactId),
    /// A scratchpad entry.
    Scratchpad {
        /// The agent that owns it.
        agent: AgentId,
        /// Its name.
        name: String,
    },
    /// Sessions of this folder, the latest first.
    Sessions,
    /// Records before this one, the latest `limit` of them.
    Earlier {
        /// The first record that is known.
        before: Sequence,
        /// How many.
        limit: usize,
    },
    /// Paths below the working directory, for completion.
    Files,
    /// What stands in an agent's window.
    Window(AgentId),
    /// What runs on although its command is over.
    Jobs,
    /// Grants, the configuration's rules and the latest judgements.
    Rules,
    /// Which of the session's calls a rule would have answered for.
    Covered(Vec<Rule>),
    /// The tools, and why some are not offered.
    Tools,
}

/// Opens or changes a session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionCommand {
    /// A new session in the same folder; the present one stays stored.
    New,
    /// Another session.
    Resume(SessionId),
    /// Gives the present session a title.
    Title(String),
    /// Creates a profile in the user's configuration and uses it.
    AddProfile {
        /// Its name.
        name: String,
        /// Base URL of the endpoint.
        base_url: String,
        /// The model's name.
        model_id: String,
        /// Environment variable that holds the key.
        api_key_env: Option<String>,
    },
    /// Takes back grants and denials that equal this rule, lasting ones too.
    Revoke(Rule),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_the_persons_is_told_in_words() {
        let mut list = Checklist::default();
        list.add("write it", ItemStatus::Pending);
        let told = |edit: PersonChecklistEdit| edit.told(&list);
        let change = |status, reason: Option<&str>, text: Option<&str>| {
            told(PersonChecklistEdit::Change {
                id: 1,
                change: ItemChange {
                    status,
                    reason: reason.map(str::to_owned),
                    text: text.map(str::to_owned),
                },
            })
        };

        assert_eq!(
            told(PersonChecklistEdit::Add {
                text: " test it ".to_owned(),
                status: ItemStatus::Pending
            }),
            "added: test it"
        );
        assert_eq!(
            change(Some(ItemStatus::Canceled), Some("not needed"), None),
            "cancelled: write it (not needed)"
        );
        assert_eq!(
            change(Some(ItemStatus::Completed), None, None),
            "ticked off: write it"
        );
        assert_eq!(
            change(None, None, Some("write all")),
            "reworded: write it → write all"
        );
        assert_eq!(
            told(PersonChecklistEdit::Move { id: 1, by: -1 }),
            "moved up: write it"
        );
    }
}
