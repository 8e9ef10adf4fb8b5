//! The one list of things that a key, the palette or a slash command can do.
//!
//! A pane's `update` says what an action means there: `Open` opens a call in the conversation and an entry in the
//! scratchpad. Keys are in `keymaps/*.toml`; the palette, the slash list and the help derive from this list.

use super::scope::Scope;

macro_rules! actions {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal in [$($scope:ident),+] $(slash [$($slash:literal),+])?;)+) => {
        /// Something that a key can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Action {
            /// All actions in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in keymap files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What it does, one line.
            pub fn doc(self) -> &'static str {
                match self { $(Self::$variant => actions!(@first $($doc),+),)+ }
            }

            /// Where it can be bound.
            pub fn scopes(self) -> &'static [Scope] {
                match self { $(Self::$variant => &[$(Scope::$scope),+],)+ }
            }

            /// The names it has as a slash command, without the slash; the first is the one to show.
            pub fn slash(self) -> &'static [&'static str] {
                match self { $(Self::$variant => actions!(@slash $([$($slash),+])?),)+ }
            }
        }
    };
    (@first $first:literal $(, $rest:literal)*) => { $first.trim_ascii() };
    (@slash) => { &[] };
    (@slash [$($slash:literal),+]) => { &[$($slash),+] };
}

actions! {
    /// Show every command with its key.
    Palette = "palette" in [Global] slash ["commands"];
    /// Open the manual: the keys of the focused pane, a guide, tools and settings.
    Help = "help" in [Global] slash ["help"];
    /// Go to the request that waits for you, or list them when several do.
    Approvals = "approvals" in [Global] slash ["inbox"];
    /// List what you allowed and forbade, and the configuration's rules; take something back.
    Grants = "grants" in [Global] slash ["approvals"];
    /// The same list at the configuration's rules; add a rule.
    Rules = "rules" in [Global] slash ["rules"];
    /// List the latest judgements and what decided them.
    Security = "security" in [Global] slash ["security"];
    /// Tell what holds commands here, and what follows where nothing does.
    Doctor = "doctor" in [Global] slash ["doctor"];
    /// List what agents can call, what each needs, and why some are not offered.
    Tools = "tools" in [Global] slash ["tools"];
    /// Put the question form off, or come back to it.
    Later = "later" in [Global];
    /// Focus the conversation.
    FocusConversation = "focus_conversation" in [Global];
    /// Focus the message that you write.
    FocusComposer = "focus_composer" in [Global];
    /// Focus the agents.
    FocusAgents = "focus_agents" in [Global] slash ["agents"];
    /// Focus the checklist.
    FocusChecklist = "focus_checklist" in [Global];
    /// Focus the scratchpad.
    FocusScratchpad = "focus_scratchpad" in [Global];
    /// Focus the context gauge.
    FocusContext = "focus_context" in [Global] slash ["context"];
    /// Focus the next pane.
    NextPane = "next_pane" in [Global];
    /// Focus the pane before.
    PreviousPane = "previous_pane" in [Global];
    /// Give the focused pane the whole screen, and back.
    Zoom = "zoom" in [Global];
    /// Hide the focused pane.
    HidePane = "hide_pane" in [Global];
    /// Show all panes again and forget their sizes.
    ResetLayout = "reset_layout" in [Global];
    /// Make the right column wider.
    WidenRight = "widen_right" in [Global];
    /// Make the right column narrower.
    NarrowRight = "narrow_right" in [Global];
    /// Make the focused pane taller.
    Taller = "taller" in [Global];
    /// Make the focused pane shorter.
    Shorter = "shorter" in [Global];
    /// Clear the draft, stop the shown agent's turn, or (twice, when there is nothing of both) leave.
    Interrupt = "interrupt" in [Global];
    /// Stop the shown agent's turn and its sub-agents.
    CancelTurn = "cancel_turn" in [Global] slash ["cancel"];
    /// Start a new session in this folder; the present one stays stored.
    NewSession = "new_session" in [Global] slash ["new", "clear"];
    /// List the sessions of this folder and open one.
    Sessions = "sessions" in [Global] slash ["sessions", "resume"];
    /// List the commands that run on in the background and end one.
    Jobs = "jobs" in [Global] slash ["jobs"];
    /// Type into a program that has a terminal; with words run that command line so.
    TypeInto = "type_into" in [Global] slash ["type"];
    /// Show the goal; with words set one, or pause, resume, cancel it.
    Goal = "goal" in [Global] slash ["goal"];
    /// Make room in the shown agent's window; words say what matters most.
    Compact = "compact" in [Global] slash ["compact"];
    /// Take the latest compaction back.
    UndoCompaction = "undo_compaction" in [Global] slash ["undo-compact"];
    /// Give the session a title.
    Title = "title" in [Global] slash ["title"];
    /// Take the next level: none, read, workspace, unrestricted (after a question), and none again.
    CycleLevel = "cycle_level" in [Global];
    /// Ask again, or refuse what would be asked: for when nobody is there to answer.
    ToggleAsking = "toggle_asking" in [Global] slash ["asking"];
    /// Choose how far the agent may reach.
    ChooseLevel = "choose_level" in [Global] slash ["permission", "level"];
    /// Choose when you are asked.
    ChooseMode = "choose_mode" in [Global] slash ["mode"];
    /// Choose where connections may go.
    ChooseNetwork = "choose_network" in [Global] slash ["network"];
    /// Choose the profile: account and language model.
    ChooseProfile = "choose_profile" in [Global] slash ["profile", "model"];
    /// Trust this folder, or stop trusting it.
    Trust = "trust" in [Global] slash ["trust"];
    /// Choose the colours.
    ChooseTheme = "choose_theme" in [Global] slash ["theme"];
    /// Choose the keys.
    ChooseKeymap = "choose_keymap" in [Global] slash ["keymap"];
    /// Show what the session has used.
    Cost = "cost" in [Global] slash ["cost", "status"];
    /// Show the latest notices.
    Notices = "notices" in [Global] slash ["notices"];
    /// Let the terminal select text with the mouse, or take the mouse back.
    ToggleMouse = "toggle_mouse" in [Global] slash ["mouse"];
    /// Draw every cell again.
    Redraw = "redraw" in [Global];
    /// Stop the program as the shell's job control does.
    Suspend = "suspend" in [Global];
    /// Leave.
    Quit = "quit" in [Global] slash ["quit", "exit"];

    /// Go up.
    Up = "up" in [List];
    /// Go down.
    Down = "down" in [List];
    /// Go up by a page.
    PageUp = "page_up" in [List, Composer];
    /// Go down by a page.
    PageDown = "page_down" in [List, Composer];
    /// Go up by half a page.
    HalfPageUp = "half_page_up" in [List];
    /// Go down by half a page.
    HalfPageDown = "half_page_down" in [List];
    /// Go to the first.
    First = "first" in [List];
    /// Go to the last and follow.
    Last = "last" in [List];
    /// Open, choose or accept what is selected.
    Open = "open" in [List, Field];
    /// Go back: close, leave, one step out. Never answers anything.
    Back = "back" in [List, Field, Terminal];
    /// Search.
    Search = "search" in [List];
    /// Go to the next match.
    NextMatch = "next_match" in [List];
    /// Go to the match before.
    PreviousMatch = "previous_match" in [List];
    /// Copy what is selected.
    Copy = "copy" in [List];
    /// Go to the message that you write.
    ToComposer = "to_composer" in [List];

    /// Copy the entry as Markdown.
    CopyMarkdown = "copy_markdown" in [Conversation];
    /// Copy the code block.
    CopyCode = "copy_code" in [Conversation];
    /// Fold or unfold the entry.
    Fold = "fold" in [Conversation];
    /// Fold or unfold everything.
    FoldAll = "fold_all" in [Conversation];
    /// Show diffs side by side or in one column.
    DiffStyle = "diff_style" in [Conversation];
    /// Go to your message before.
    PreviousPrompt = "previous_prompt" in [Conversation];
    /// Go to your next message.
    NextPrompt = "next_prompt" in [Conversation];

    /// Send the message; while the agent works it reads it at its next step.
    Send = "send" in [Composer];
    /// Begin a new line.
    NewLine = "new_line" in [Composer, Field];
    /// Send the message after this turn; complete the word when a list is open.
    Queue = "queue" in [Composer];
    /// Cut the reply now and send the message.
    SendNow = "send_now" in [Composer];
    /// Take the latest waiting message back into the draft.
    TakeBack = "take_back" in [Composer];
    /// Show the pasted text of the chip at the cursor.
    OpenPaste = "open_paste" in [Composer];
    /// Search your earlier messages.
    SearchHistory = "search_history" in [Composer] slash ["history"];
    /// Write the message in your editor.
    Editor = "editor" in [Composer];
    /// Close the list, leave the agent, or stop the turn.
    Escape = "escape" in [Composer];

    /// Allow this once.
    AllowOnce = "allow_once" in [Approval];
    /// Allow this and what the rule covers for the session.
    AllowSession = "allow_session" in [Approval];
    /// Allow by a rule: a pattern, how widely and how long it holds.
    AllowByRule = "allow_by_rule" in [Approval];
    /// Choose which of several changes of a file are made.
    ChooseHunks = "choose_hunks" in [Approval];
    /// Edit, then allow.
    AllowEdited = "allow_edited" in [Approval];
    /// Reject this once.
    Reject = "reject" in [Approval];
    /// Reject with words that the model reads.
    RejectWithWords = "reject_with_words" in [Approval];
    /// Never in this session: reject this and what the rule covers.
    Never = "never" in [Approval];
    /// Mark this request, to answer several at once.
    Mark = "mark" in [Approval];
    /// Give the next answer to all marked requests.
    AnswerMarked = "answer_marked" in [Approval];
    /// Show all arguments and the whole change.
    Details = "details" in [Approval];
    /// Show why this is asked.
    Explain = "explain" in [Approval];
    /// Go to the next request or question.
    NextRequest = "next_request" in [Approval, Question, Field];
    /// Go to the request or question before.
    PreviousRequest = "previous_request" in [Approval, Question, Field];
    /// Tick or untick the option.
    Toggle = "toggle" in [Question, Checklist];
    /// Decline the whole form.
    Decline = "decline" in [Question, Field];

    /// Write to this agent.
    Steer = "steer" in [Agents];
    /// Cut this agent's reply and write to it.
    Cut = "cut" in [Agents];
    /// Cancel this agent and its sub-agents.
    CancelAgent = "cancel_agent" in [Agents];
    /// Show what this agent may do, and take back what you said about it.
    AgentScope = "agent_scope" in [Agents];
    /// Add one.
    Add = "add" in [Checklist, Scratchpad, Rules];
    /// Edit it.
    Edit = "edit" in [Checklist, Scratchpad];
    /// Rename it.
    Rename = "rename" in [Scratchpad];
    /// Delete it.
    Delete = "delete" in [Scratchpad];
    /// Put the item off, with a reason.
    Defer = "defer" in [Checklist];
    /// Give the item up, with a reason.
    GiveUp = "give_up" in [Checklist];
    /// Move the item up.
    MoveUp = "move_up" in [Checklist];
    /// Move the item down.
    MoveDown = "move_down" in [Checklist];

    /// Take back what you allowed or forbade.
    Revoke = "revoke" in [Rules];

    /// Follow the end.
    Follow = "follow" in [Viewer];
    /// Wrap long lines or cut them.
    Wrap = "wrap" in [Viewer];
    /// Put the shown lines into the message that you write.
    Quote = "quote" in [Viewer];
}

/// The action of this name.
pub fn by_name(name: &str) -> Option<Action> {
    Action::ALL
        .iter()
        .copied()
        .find(|action| action.name() == name)
}

/// The action of this slash command (name without the slash).
pub fn by_slash(name: &str) -> Option<Action> {
    Action::ALL
        .iter()
        .copied()
        .find(|action| action.slash().contains(&name))
}

/// Every slash command: name without the slash, action.
pub fn slash_commands() -> impl Iterator<Item = (&'static str, Action)> {
    Action::ALL
        .iter()
        .flat_map(|action| action.slash().iter().map(move |name| (*name, *action)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_actions_share_a_name_or_a_slash_command() {
        let names: BTreeSet<&str> = Action::ALL.iter().map(|action| action.name()).collect();
        let slashes: BTreeSet<&str> = slash_commands().map(|(name, _)| name).collect();

        assert_eq!(names.len(), Action::ALL.len());
        assert_eq!(slashes.len(), slash_commands().count());
    }

    #[test]
    fn every_action_says_in_one_sentence_what_it_does() {
        for action in Action::ALL {
            assert!(action.doc().ends_with('.'), "{action:?}");
            assert!(action.doc().len() <= 100, "{action:?}");
        }
    }
}
