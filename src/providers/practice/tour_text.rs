//! The words of the tour that do not depend on what tools return.

/// Chapters as they stand on the checklist.
pub(super) const CHAPTERS: [&str; 7] = [
    "look around this folder",
    "ask what interests you",
    "keep a note in the scratchpad",
    "send two sub-agents at once",
    "run one command, with your approval",
    "write and edit a file in quarterdeck-tour/",
    "check the context window",
];

/// The file of the tour.
pub(super) const FILE: &str = "quarterdeck-tour/hello.md";

/// The line that the edit replaces.
pub(super) const LINE: &str = "- [ ] change this line";

/// What the edit puts in its place.
pub(super) const NEW_LINE: &str = "- [x] this line was changed, and the rest kept every byte";

/// The question that decides how far the tour goes.
pub(super) const HOW_FAR: &str = "How far shall the tour go?";

/// The whole tour.
pub(super) const ALL: &str = "All of it, with one command and one file";

/// The tour without command and file.
pub(super) const SAFE: &str = "Only what changes nothing";

/// The question about panes.
pub(super) const PANES: &str = "Which panes shall I say more about at the end?";

/// The question about a name.
pub(super) const NAME: &str = "What name shall I put into the file?";

/// The name when none is given.
pub(super) const CAPTAIN: &str = "captain";

/// Words of one step.
pub(super) const OPENING: &str = "# A tour of the workbench

I am the **practice model**: a *script*, not a language model. I do the same steps each time; the tools, the approvals and \
the files are real. What you see around this text:

| pane | what it shows |
|---|---|
| Conversation | words, reasoning, calls and their results, each of which folds |
| Message | where you write: steer me while I work, or queue words for later |
| Agents | every agent, what it does now, what it has used |
| Checklist | what I have promised; I cannot end a turn while an item is open |
| Scratchpad | notes and large outputs, kept out of the context window |
| Context | how full the window is, and with what |

Code is highlighted as it comes:

```rust
/// A turn is over when nothing is promised any more.
fn is_over(open: usize, calls: usize) -> bool {
    open == 0 && calls == 0
}
```

First I write a checklist and look around.";

/// Words of one step.
pub(super) const OPENING_THOUGHT: &str = "The words ask for the tour. I am a script, so there is nothing to think about; this is \
where a language model's reasoning would stand. It is folded when the reply is complete: focus it and press Enter to open \
it.";

/// Words of one step.
pub(super) const ASK: &str = "Three questions in one form. It takes the place of the message box; you can scroll while it is open.";

/// Words of one step.
pub(super) const NOTE: &str =
    "I keep your answers under a name, so that they cost no context until somebody reads them.";

/// Words of one step.
pub(super) const SCOUTS: &str = "Now **two sub-agents at once**. Each has a window of its own and may only read; watch the Agents pane. \
Their reports come back in the order in which I called, whoever is faster.";

/// Words of one step.
pub(super) const COMMAND: &str = "A command that may do more than look is never run unasked here. The box shows all of it and says why it is asked: allow it once, for the \
session, edit it, or reject it with a word of your own. I will respect whichever you choose.";

/// Words of one step.
pub(super) const WRITE: &str = "Now a file in a folder of its own, `quarterdeck-tour/`. You see it as a diff before anything is written.";

/// Words of one step.
pub(super) const WRITE_AGAIN: &str = "The file seems to be there already, and nothing is overwritten unread. I read it, then propose it again.";

/// Words of one step.
pub(super) const EDIT: &str = "One line of it changes; the diff shows it before and after.";

/// Words of one step.
pub(super) const CHECK: &str = "At last, who worked for me and how full my window is.";

/// Words of one step.
pub(super) const WRAP_UP: &str = "That was the last step; I tick it off.";

/// Words of one step.
pub(super) const CLOSING: &str = "## That was the tour

Everything you saw was done by a script through the same tools, approvals and panes that a language model uses.

What to try next:

1. Type `read README.md`, `search TODO` or `run ls` and watch how each result folds and opens.
2. While something runs, write a line and send it: it is read at the next step.
3. Press `F1` for the manual and `Ctrl+P` for every command with its key.
4. Add a profile for a language model with `/profile`, and give it the work.";

/// The tour without any tool.
pub(super) const NO_TOOLS: &str = "I am a script, and no tool is on offer here, so there is nothing that I could show. \
Raise the level with `/permission workspace` and say `tour` again.";

/// A little more about a pane that the person chose.
pub(super) fn about(pane: &str) -> &'static str {
    match pane {
        "Agents" => {
            "- **Agents**: choose one and press Enter to read its own transcript, live or finished."
        }
        "Checklist" => {
            "- **Checklist**: you can add, tick, put off and reorder items; the agent is told at its next step."
        }
        "Scratchpad" => {
            "- **Scratchpad**: outputs of more than 30,000 bytes land here by themselves, under a name."
        }
        _ => {
            "- **Context**: the mark on the gauge is the ceiling; the numbers below say what fills the window."
        }
    }
}

/// The content of the file.
pub(super) fn file(name: &str) -> String {
    format!(
        "# Hello, {name}\n\nThe practice model of quarterdeck wrote this file; it is a script.\n\n{LINE}\n- [ ] keep this line\n\n\
         You can delete the folder whenever you like.\n"
    )
}
