//! Where a turn begins and ends: numbers, recap, title, and the word to whoever waits for the agent.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use futures::FutureExt as _;

use super::{driver::Driver, effect::Effect, guards::reminder::Next, input::Input};
use crate::{
    domain::{
        chat::ChatMessage,
        goal::Goal,
        ids::{CallId, TurnId},
        notice::Notice,
        record::{Lane, Record, Speaker, TurnOutcome, TurnRecap},
        tool::ToolResult,
        usage::Usage,
    },
    engine::{
        clock,
        event::EventKind,
        session::tree::Ended,
        toolset::{self, Around},
    },
    tools::{contract::AnyTool, registry},
};

/// What a call is counted as.
#[derive(Clone, Copy, Debug)]
enum Counted {
    Command,
    File,
    Other,
}

impl Counted {
    fn of(name: &str) -> Self {
        let tool = registry::built_in(name).map(AnyTool::about);
        match tool {
            Some(tool) if tool.subject == "command" => Self::Command,
            Some(tool) if matches!(tool.name, "file_read" | "file_write" | "file_edit") => {
                Self::File
            }
            _ => Self::Other,
        }
    }
}

/// Counts one turn.
#[derive(Debug, Default)]
pub struct Meter {
    turn: Option<(TurnId, Instant)>,
    recap: TurnRecap,
    counted_as: HashMap<CallId, Counted>,
    begun: HashSet<CallId>,
    /// Turns ended so far.
    pub turns: u64,
}

impl Meter {
    /// A turn begins.
    pub fn begin(&mut self, turn: TurnId) {
        self.turn = Some((turn, Instant::now()));
        self.recap = TurnRecap::default();
        self.counted_as.clear();
        self.begun.clear();
    }

    /// Whether a turn runs.
    pub fn is_in_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// The turn ends.
    pub fn end(&mut self) -> Option<(TurnId, TurnRecap)> {
        let (turn, started) = self.turn.take()?;
        self.turns += 1;
        self.recap.elapsed_ms = started.elapsed().max(Duration::from_millis(1)).as_millis() as u64;
        Some((turn, self.recap))
    }

    /// A step has ended.
    pub fn stepped(&mut self, usage: &Usage) {
        self.recap.steps += 1;
        self.recap.usage.add(usage);
    }

    /// A reply came: remembers what its calls count as.
    pub fn replied(&mut self, message: &ChatMessage) {
        for call in message.calls() {
            self.counted_as
                .insert(call.id.clone(), Counted::of(&call.name));
        }
    }

    /// A call has begun to run.
    pub fn began(&mut self, call: &CallId) {
        self.begun.insert(call.clone());
    }

    /// A call has ended. Says whether it ran: what was refused, or could not be begun, does not count.
    pub fn answered(&mut self, result: &ToolResult) -> bool {
        if !self.begun.remove(&result.call) {
            return false;
        }
        match self.counted_as.get(&result.call) {
            Some(Counted::Command) => self.recap.commands += 1,
            Some(Counted::File) => self.recap.file_ops += 1,
            Some(Counted::Other) | None => self.recap.tools += 1,
        }
        true
    }
}

impl Driver {
    /// Gives the turn its number.
    pub(super) async fn begin_turn(&mut self) -> Vec<Effect> {
        let session = Arc::clone(self.session());
        let turn = session.next_turn();
        self.meter.begin(turn);
        self.window.room.begin_turn();
        self.offer_tools().await;
        // An answer may have come when its turn was over.
        session.end_answers_of_turn(&self.agent()).await;
        let effects = self.record(Record::TurnStarted { turn }).await;
        let agent = self.agent();
        session
            .change_node(&agent, |node| {
                node.started_ms = clock::now_ms();
                node.ended_ms = None;
            })
            .await;
        self.tell(EventKind::Turn {
            turn,
            running: true,
        })
        .await;
        effects
    }

    /// Closes the turn.
    pub(super) async fn end_turn(&mut self, outcome: TurnOutcome) {
        let Some((turn, recap)) = self.meter.end() else {
            return;
        };
        self.leave_room();
        let session = Arc::clone(self.session());
        let agent = self.agent();
        let record = Record::TurnFinished {
            turn,
            outcome: outcome.clone(),
            recap,
        };
        // A log that cannot be written was told already, and the turn has ended all the same.
        self.record(record).await;
        session.end_answers_of_turn(&agent).await;
        session
            .change_node(&agent, |node| {
                node.ended_ms = Some(clock::now_ms());
                node.activity = String::new();
            })
            .await;
        self.tell(EventKind::Turn {
            turn,
            running: false,
        })
        .await;
        self.turn_of_goal_ended(&outcome, recap).await;
        let ended = Ended {
            turns: self.meter.turns,
            outcome,
            words: self.window.conversation.last_words(),
        };
        self.ended.send_replace(Some(ended));
        session.stirred.notify_one();
    }

    /// A turn of the main agent that does not end well lets the goal rest.
    async fn turn_of_goal_ended(&mut self, outcome: &TurnOutcome, recap: TurnRecap) {
        if !self.caller.agent.is_main() {
            return;
        }
        if recap.tools + recap.file_ops + recap.commands > 0 {
            self.session().goal_moved();
        }
        match outcome {
            TurnOutcome::Finished => {}
            TurnOutcome::Cancelled | TurnOutcome::Interrupted => {
                self.pause_goal("the turn was stopped").await;
            }
            TurnOutcome::Failed { reason } => {
                self.pause_goal(&format!("the turn failed: {reason}")).await;
            }
            TurnOutcome::Stopped { reason } => self.pause_goal(reason).await,
        }
    }

    /// Lets an active goal rest. Its record is written here: this task cannot wait for itself.
    async fn pause_goal(&mut self, reason: &str) {
        self.keep_goal(|goal| goal.pause(reason)).await;
    }

    async fn keep_goal(&mut self, change: impl FnOnce(&mut Goal) -> Result<(), String>) {
        let session = Arc::clone(self.session());
        if let Ok(goal) = session.change_goal(change) {
            let speaker = Speaker::Program;
            // No turn runs that a log which cannot be written would end.
            self.record(Record::GoalChanged { goal, speaker }).await;
            session.tell_goal().await;
        }
    }

    /// Goes on with the goal, when nothing else is to be done. `inputs` wait for this agent.
    pub(super) async fn pursue(&mut self, inputs: usize) {
        self.waits.goal = None;
        if !self.caller.agent.is_main() || !self.state.is_idle() {
            return;
        }
        let session = Arc::clone(self.session());
        match session.next_for_goal(inputs) {
            Next::Nothing => {}
            Next::Wait => self.waits.goal = Some(session.goal_may_go_on().boxed()),
            Next::Complete => self.keep_goal(Goal::complete).await,
            Next::Remind(text) => {
                let reminder = Input::Said {
                    id: session.next_queued(),
                    speaker: Speaker::Program,
                    lane: Lane::Steer,
                    text,
                };
                self.take(reminder).await;
            }
            Next::GiveUp(why) => {
                let notice = Notice::warning(format!("the goal is paused: {why}"));
                session
                    .tell_notice(notice.with_hint("say what is missing, then /goal resume"))
                    .await;
                self.pause_goal(&why).await;
            }
        }
    }

    /// Offers the tools of a goal while there is one to reach, what notebooks and the server bring once they are there,
    /// and what the configuration has added, from this turn on.
    async fn offer_tools(&mut self) {
        let session = Arc::clone(self.session());
        if !self.caller.agent.is_main() {
            return;
        }
        let configured = session.permissions.configured();
        let around = Around {
            has_goal: session.has_open_goal(),
            has_notebooks: session.has_notebooks().await,
            may_unload: session.may_unload(),
            ..Around::default()
        };
        let tools = toolset::renewed(&self.caller.tools, around, &configured);
        // One of the same name may be another tool by now.
        let same = |(one, other): (&&dyn AnyTool, &&dyn AnyTool)| {
            one.about() == other.about() && one.declared() == other.declared()
        };
        if tools.len() != self.caller.tools.len()
            || !tools.iter().zip(self.caller.tools.iter()).all(same)
        {
            self.caller.tools = tools.into();
            self.prompt.tools_changed();
        }
    }
}
