//! The session's goal: set and changed here, stored and told here.

use std::sync::{Arc, atomic::Ordering};

use super::state::Session;
use crate::{
    domain::{
        goal::{Goal, GoalStatus},
        ids::AgentId,
        notice::Notice,
        record::{Record, Speaker},
    },
    engine::{
        command::GoalCommand,
        event::EventKind,
        turn::{
            guards::reminder::{Next, Reminders, Standing},
            input::Input,
        },
        worker::{TITLE_CHARS, one_line},
    },
    process::table,
};

/// What the model is told when the person lets the goal rest.
const PAUSED: &str =
    "[goal] The person paused the goal: end what you are doing, then stop working towards it.";
/// What the model is told when the person gives the goal up.
const CANCELLED: &str =
    "[goal] The person gave the goal up: end what you are doing, then stop working towards it.";

/// A goal, and how often an agent was reminded of it.
#[derive(Clone, Debug)]
pub(super) struct Pursuit {
    pub(super) goal: Goal,
    reminders: Reminders,
}

impl From<Goal> for Pursuit {
    fn from(goal: Goal) -> Self {
        Self {
            goal,
            reminders: Reminders::default(),
        }
    }
}

/// A command of the person's that runs; the goal waits for it.
pub struct PersonCommand(Arc<Session>);

impl Drop for PersonCommand {
    fn drop(&mut self) {
        self.0.counters.commands.fetch_sub(1, Ordering::Relaxed);
        self.0.stirred.notify_one();
    }
}

impl Session {
    /// The goal as it stands.
    pub fn goal(&self) -> Option<Goal> {
        self.lock()
            .pursuit
            .as_ref()
            .map(|pursuit| pursuit.goal.clone())
    }

    /// Whether there is a goal that can still be reached.
    pub fn has_open_goal(&self) -> bool {
        self.goal().is_some_and(|goal| goal.status.is_open())
    }

    /// Changes how the goal stands, or says why not.
    pub fn change_goal(
        &self,
        change: impl FnOnce(&mut Goal) -> Result<(), String>,
    ) -> Result<Goal, String> {
        let mut shared = self.lock();
        let pursuit = shared
            .pursuit
            .as_mut()
            .ok_or_else(|| "there is no goal".to_owned())?;
        change(&mut pursuit.goal)?;
        // Whoever resumes it wants it to go on.
        pursuit.reminders = Reminders::default();
        Ok(pursuit.goal.clone())
    }

    /// The agent called a tool, or the person spoke.
    pub fn goal_moved(&self) {
        if let Some(pursuit) = &mut self.lock().pursuit {
            pursuit.reminders.moved();
        }
    }

    /// What the main agent, which rests, is to do for the goal; `inputs` wait for it.
    pub fn next_for_goal(&self, inputs: usize) -> Next {
        let is_active = |goal: Goal| goal.status == GoalStatus::Active;
        if !self.goal().is_some_and(is_active) {
            return Next::Nothing;
        }
        let standing = Standing {
            inputs,
            messages: self.unsent(),
            agents: self.busy_agents(),
            jobs: table::gone(&self.id).len()
                + self.counters.commands.load(Ordering::Relaxed) as usize,
        };
        let list = self.checklist(&AgentId::main());
        match &mut self.lock().pursuit {
            Some(pursuit) if !self.cancel.is_cancelled() => {
                pursuit.reminders.next(&pursuit.goal, &list, &standing)
            }
            _ => Next::Nothing,
        }
    }

    fn busy_agents(&self) -> usize {
        let nodes = self.tree.nodes();
        let others = nodes.iter().filter(|node| !node.id.is_main());
        others.filter(|node| node.status.is_busy()).count()
    }

    /// Ends when something that the goal waits for may have ended.
    pub async fn goal_may_go_on(self: Arc<Self>) {
        let jobs = table::gone(&self.id);
        let any_job = async {
            if jobs.is_empty() {
                return futures::future::pending().await;
            }
            let ends = jobs.iter().map(|gone| Box::pin(gone.cancelled()));
            futures::future::select_all(ends).await;
        };
        tokio::select! {
            () = self.stirred.notified() => {}
            () = any_job => {}
        }
    }

    /// Notes that a command of the person's runs, until this is dropped.
    pub fn person_command(self: &Arc<Self>) -> PersonCommand {
        self.counters.commands.fetch_add(1, Ordering::Relaxed);
        PersonCommand(Arc::clone(self))
    }

    /// Tells the goal as it stands.
    pub async fn tell_goal(&self) {
        if let Some(goal) = self.goal() {
            self.tell(&AgentId::main(), EventKind::Goal(Box::new(goal)))
                .await;
        }
    }

    /// The goal is reached when the main agent's checklist says so.
    pub async fn settle_goal(&self) {
        if !self.has_open_goal() || !self.checklist(&AgentId::main()).is_done() {
            return;
        }
        if let Ok(goal) = self.change_goal(Goal::complete) {
            self.keep_goal(goal, Speaker::Program).await;
        }
    }

    /// Lets an active goal rest for this reason. Another one is left as it is.
    pub async fn rest_goal(&self, reason: &str) {
        if let Ok(goal) = self.change_goal(|goal| goal.pause(reason)) {
            self.keep_goal(goal, Speaker::Program).await;
        }
    }

    /// Does what the person wants of the goal, or says why not.
    pub async fn command_goal(&self, command: GoalCommand) {
        if let Err(why) = self.change_for_person(command).await {
            self.tell_notice(Notice::warning(why)).await;
        }
    }

    async fn change_for_person(&self, command: GoalCommand) -> Result<(), String> {
        let goal = match command {
            GoalCommand::Set(objective) => self.set_goal(&objective).await?,
            GoalCommand::Pause => self.change_goal(|goal| goal.pause(""))?,
            GoalCommand::Resume => self.change_goal(Goal::resume)?,
            GoalCommand::Cancel => self.change_goal(Goal::cancel)?,
        };
        let told = match goal.status {
            GoalStatus::Paused => Some(PAUSED),
            GoalStatus::Cancelled => Some(CANCELLED),
            _ => None,
        };
        if let (Some(text), Some(mailbox)) = (told, self.tree.mailbox(&AgentId::main())) {
            // An agent that has ended needs not be told.
            let _ = mailbox.send(Input::Noted(text.to_owned())).await;
        }
        self.keep_goal(goal, Speaker::Person).await;
        Ok(())
    }

    async fn set_goal(&self, objective: &str) -> Result<Goal, String> {
        let goal = Goal::new(objective)?;
        if self.has_open_goal() {
            return Err("there is a goal already: /goal cancel gives it up".to_owned());
        }
        let main = AgentId::main();
        let before = self.checklist(&main);
        let (list, ()) = self.change_checklist(&main, |list| {
            list.drop_finished();
            Ok(())
        })?;
        self.lock().pursuit = Some(goal.clone().into());
        if !self.take_title() {
            let title = one_line(objective, TITLE_CHARS);
            self.log(&main, Record::Titled { title }).await;
        }
        if list != before {
            let record = Record::ChecklistChanged {
                checklist: list.clone(),
                speaker: Speaker::Person,
                change: "cleared what was finished".to_owned(),
            };
            self.log(&main, record).await;
            let told = EventKind::Checklist {
                checklist: list,
                nudges: 0,
            };
            self.tell(&main, told).await;
        }
        Ok(goal)
    }

    /// Stores and tells the goal. The main agent's task looks at it then.
    async fn keep_goal(&self, goal: Goal, speaker: Speaker) {
        self.log(&AgentId::main(), Record::GoalChanged { goal, speaker })
            .await;
        self.tell_goal().await;
    }
}
