//! Makes room in the window: leaves out what later outputs replace, lets the agent or a request of its own write a
//! summary, and puts it in place of what was said.

use super::{installing::is_practice, machine::RoomEffect};
use crate::{
    domain::{
        agent::AgentNode,
        notice::Severity,
        record::{Record, Speaker},
        usage::Usage,
        window::{Compacting, CompactionBy, WindowChange},
    },
    engine::{
        clock,
        prompt::system,
        turn::{driver::Driver, effect::Effect, input::Input},
        window::left_out,
    },
    tools::registry,
};

/// Most steps that an agent has to write its summary.
const STEPS: u32 = 8;

/// What an agent remembers of making room.
#[derive(Debug, Default)]
pub(in crate::engine::turn) struct Room {
    checkpoint: Option<Checkpoint>,
    /// What the person wants of the next one.
    wanted: Option<String>,
    /// Whether the ceiling was answered, or told, since the window was last below it.
    pub(super) is_answered: bool,
    /// Whether a tool asked for room in this turn.
    was_asked: bool,
    /// How many entries there were when the summary was begun, and whether the latest stay.
    pub(super) until: Option<(usize, bool)>,
    pub(super) usage: Usage,
    /// Requests for a summary so far.
    asked: u64,
}

/// A summary that the agent writes itself.
#[derive(Debug)]
struct Checkpoint {
    focus: String,
    steps: u32,
}

impl Room {
    /// A turn begins.
    pub(in crate::engine::turn) fn begin_turn(&mut self) {
        self.was_asked = false;
    }

    /// The number of the next request for a summary.
    pub(super) fn ask(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }

    /// Whether this request for a summary is the last one.
    pub(super) fn awaits(&self, number: u64) -> bool {
        self.asked == number
    }

    /// Whether the agent writes its summary now.
    pub(in crate::engine::turn) fn is_checkpoint(&self) -> bool {
        self.checkpoint.is_some()
    }
}

impl Driver {
    /// Sends the request that is due, or makes room first.
    pub(in crate::engine::turn) async fn send_or_make_room(&mut self) -> Vec<Effect> {
        let agent = self.agent();
        let asked = self.session().tree.with(&agent, |agent| {
            (agent.room.summary.take(), agent.room.compact.take())
        });
        let (summary, compact) = asked.unwrap_or_default();
        if let Some(checkpoint) = &mut self.window.room.checkpoint {
            checkpoint.steps += 1;
            let is_over = checkpoint.steps > STEPS;
            match summary {
                Some(summary) => return self.hand_in(summary).await,
                None if is_over => {
                    self.end_checkpoint();
                    return self.state.handle(Input::CheckpointFailed);
                }
                None => {
                    self.send_request();
                    return Vec::new();
                }
            }
        }
        let compact = compact.filter(|_| !std::mem::replace(&mut self.window.room.was_asked, true));
        let person = self.window.room.wanted.take();
        if let Some(wish) = compact {
            return self.begin_room(wish.instructions, wish.keep_recent).await;
        }
        if let Some(focus) = person {
            return self.begin_room(focus, true).await;
        }
        if self.is_due().await {
            return self.begin_room(String::new(), true).await;
        }
        self.send_stored()
    }

    /// Whether the ceiling is reached and room is made by itself.
    async fn is_due(&mut self) -> bool {
        let gauge = self.gauge();
        let is_over = gauge
            .percent()
            .is_some_and(|percent| percent >= u64::from(gauge.ceiling_percent));
        if !is_over {
            self.window.room.is_answered = false;
            return false;
        }
        if std::mem::replace(&mut self.window.room.is_answered, true) {
            return false;
        }
        match self.session().bounds.compacting {
            Compacting::Never => false,
            Compacting::Auto => !self.leave_out().await,
            Compacting::Remind => {
                let percent = gauge.percent().unwrap_or_default();
                self.stage(Severity::Warning, format!(
                    "the window is {percent} % full: /compact makes room, the provider refuses what does not fit"
                ))
                .await;
                false
            }
        }
    }

    /// Leaves out what later outputs replace; says whether that was enough.
    async fn leave_out(&mut self) -> bool {
        let entries = left_out::superseded(&self.window.conversation);
        if entries.is_empty() {
            return false;
        }
        let left_out = Record::WindowChanged {
            entries,
            change: WindowChange::Dropped,
            speaker: Speaker::Program,
        };
        let _ = self.keep(left_out).await;
        self.tell_gauge().await;
        let gauge = self.gauge();
        gauge
            .percent()
            .is_some_and(|percent| percent < u64::from(gauge.ceiling_percent))
    }

    /// Has the agent write its summary, where that is wanted, else the model in a request of its own.
    async fn begin_room(&mut self, focus: String, keeps_recent: bool) -> Vec<Effect> {
        self.window.room.is_answered = true;
        let until = self.window.conversation.entries().len();
        self.window.room.until = Some((until, keeps_recent));
        if !self.session().bounds.checkpoint || is_practice(&self.session().profile().model) {
            return self.state.handle(Input::RoomWanted(focus));
        }
        let mut text = system::CHECKPOINT.trim_end().to_owned();
        if !focus.trim().is_empty() {
            text.push_str(&format!("\n\nWhat matters most: {}", focus.trim()));
        }
        self.window.room.checkpoint = Some(Checkpoint { focus, steps: 0 });
        self.tell_checkpoint(true);
        self.stage(
            Severity::Info,
            "the window is nearly full: the agent writes a summary".to_owned(),
        )
        .await;
        let _ = self.keep(Record::ContextNote { text }).await;
        self.send_stored()
    }

    /// Sends the request when all that it says is stored, else ends the turn.
    fn send_stored(&mut self) -> Vec<Effect> {
        match self.unstored.clone() {
            Some(reason) => self.state.handle(Input::StoreFailed(reason)),
            None => {
                self.send_request();
                Vec::new()
            }
        }
    }

    /// Outside of a turn the time runs from here.
    async fn note_beginning(&mut self) {
        if self.meter.is_in_turn() {
            return;
        }
        let agent = self.agent();
        let begin = |node: &mut AgentNode| {
            node.started_ms = clock::now_ms();
            node.ended_ms = None;
        };
        self.session().change_node(&agent, begin).await;
    }

    fn tell_checkpoint(&mut self, is_checkpoint: bool) {
        let agent = self.agent();
        self.session()
            .tree
            .with(&agent, |agent| agent.room.is_checkpoint = is_checkpoint);
        self.state.set_checkpoint(is_checkpoint);
    }

    /// The agent writes no summary any more; says what matters most of the one that is still wanted.
    pub(in crate::engine::turn) fn end_checkpoint(&mut self) -> Option<String> {
        let checkpoint = self.window.room.checkpoint.take()?;
        self.tell_checkpoint(false);
        Some(checkpoint.focus)
    }

    /// The turn is over: no summary is written in the next one that was begun in this one.
    pub(in crate::engine::turn) fn leave_room(&mut self) {
        self.end_checkpoint();
        self.window.room.until = None;
    }

    /// Takes the agent's own summary.
    async fn hand_in(&mut self, summary: String) -> Vec<Effect> {
        self.end_checkpoint();
        match self.install(&summary, CompactionBy::Agent).await {
            Ok(()) => self.send_stored(),
            Err(why) => {
                self.stage(
                    Severity::Warning,
                    format!("the agent's summary is not taken: {why}"),
                )
                .await;
                self.state.handle(Input::CheckpointFailed)
            }
        }
    }

    /// Does what the machine decided about room.
    pub(in crate::engine::turn) async fn make_room(&mut self, effect: RoomEffect) -> Vec<Effect> {
        match effect {
            RoomEffect::Want(focus) => {
                self.window.room.wanted = Some(focus);
                let text = "room is made before the agent's next request".to_owned();
                self.stage(Severity::Info, text).await;
            }
            RoomEffect::Summarize(focus) => {
                self.note_beginning().await;
                self.summarize(focus);
            }
            RoomEffect::Stop => {
                self.window.room.until = None;
                self.waits.summary.cancel();
            }
            RoomEffect::Install(summary) => self.take_summary(summary).await,
        }
        Vec::new()
    }

    pub(super) async fn stage(&mut self, severity: Severity, text: String) {
        let _ = self.keep(Record::StageDirection { severity, text }).await;
    }
}

/// The tools that work while an agent writes its summary.
const IN_CHECKPOINT: [&str; 11] = [
    "context_replace",
    "context_check",
    "scratchpad_write",
    "scratchpad_read",
    "scratchpad_edit",
    "scratchpad_list",
    "checklist_read",
    "goal_get",
    "file_read",
    "file_find",
    "file_search",
];

/// Why a call does not run while an agent writes its summary; `None` when it may.
pub(in crate::engine::turn) fn not_now(called: &str) -> Option<String> {
    let tool = registry::find(called).map_or(called, |tool| tool.about().name);
    (!IN_CHECKPOINT.contains(&tool)).then(|| {
        format!(
            "[{tool} does not run now: room is being made in the window. Save what must be kept word for word with \
             scratchpad_write, then call context_replace with the summary]"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_works_at_a_checkpoint_is_there_by_whatever_name_it_is_called() {
        for name in IN_CHECKPOINT {
            assert!(registry::built_in(name).is_some(), "{name}");
        }
        assert_eq!(not_now("read_file"), None);
        assert!(not_now("bash").is_some_and(|why| why.starts_with("[shell_execute does not")));
    }
}
