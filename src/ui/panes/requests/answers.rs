//! The answers of an approval box: which keys are offered, and what "details" and "explain" show.

use std::fmt::Write as _;

use super::{
    answering::hunks::Hunks,
    approval::{Approval, Mode},
    form_view,
    gate::Sight,
    update::{in_sight, scope},
};
use crate::{
    domain::{
        approval::{ApprovalRequest, Confinement},
        permission::Judgement,
    },
    text::sanitize::reveal_line,
    ui::{Model, keymap::Action},
};

/// The answers that the footer names as well.
const FOOTER: [Action; 4] = [
    Action::AllowOnce,
    Action::AllowSession,
    Action::Reject,
    Action::Details,
];

/// The answers that a box offers now and what they are called, in the order of its keys.
pub fn offered(approval: &Approval) -> Vec<(Action, &'static str)> {
    let has_rule = approval.request.offers.session_rule.is_some();
    let is_editable = approval.request.editable.is_some();
    let is_edited = approval.edited.is_some();
    let hunks = Hunks::of(&approval.request);
    let (once, edit) = if is_edited {
        ("once, as changed", "edit again")
    } else {
        ("once", "edit")
    };
    [
        (Action::AllowOnce, once, true),
        (Action::AllowSession, "session", has_rule && !is_edited),
        (
            Action::AllowByRule,
            "rule…",
            approval.is_ruled() && !is_edited,
        ),
        (Action::AllowEdited, edit, is_editable && hunks.is_none()),
        (Action::ChooseHunks, "hunks", hunks.is_some()),
        (Action::Reject, "reject", true),
        (Action::RejectWithWords, "with words", true),
        (Action::Never, "never", has_rule),
        (Action::Details, "details", true),
        (Action::Explain, "why", true),
    ]
    .into_iter()
    .filter(|(_, _, is_offered)| *is_offered)
    .map(|(action, word, _)| (action, word))
    .collect()
}

/// The keys while a box takes text, and what they do.
pub fn writing(mode: Mode) -> Vec<(Action, &'static str)> {
    let done = match mode {
        Mode::Edit => "keeps it, runs nothing yet",
        Mode::Rule => "allows it by this rule",
        Mode::Hunks => "keeps the choice, runs nothing yet",
        Mode::Answer | Mode::Words => "rejects with these words",
    };
    let mut keys = vec![(Action::Open, done), (Action::Back, "goes back")];
    match mode {
        Mode::Rule => keys.extend([
            (Action::NextRequest, "how widely"),
            (Action::PreviousRequest, "how long"),
        ]),
        Mode::Hunks => keys.insert(0, (Action::Toggle, "takes or leaves it")),
        _ => keys.push((Action::NewLine, "newline")),
    }
    keys
}

/// The keys of what has the keyboard, for the footer: those that the box or form names, in the same words.
pub fn hints(model: &Model) -> Option<Vec<(Action, &'static str)>> {
    scope(model)?;
    let Some(approval) = model.requests.focused_approval() else {
        return model.requests.form().map(form_view::keys);
    };
    if approval.mode != Mode::Answer {
        return Some(writing(approval.mode));
    }
    let several = model.requests.open().count() > 1;
    let marked = !model.requests.marked.is_empty();
    let mut keys = offered(approval);
    // What is not seen cannot be answered.
    let has_seen = model.requests.gate.is_seen_whole(model.clock.elapsed_ms);
    let sight = if has_seen {
        Sight::Whole
    } else {
        in_sight(model)
    };
    let can_answer = sight == Sight::Whole;
    let names = |action: &Action| match action {
        Action::Details => true,
        Action::Reject => sight != Sight::Nothing,
        _ => can_answer,
    };
    keys.retain(|(action, _)| FOOTER.contains(action) && names(action));
    keys.extend(several.then_some((Action::NextRequest, "next")));
    keys.extend((marked && can_answer).then_some((Action::AnswerMarked, "all marked")));
    keys.push((Action::Back, "leave"));
    Some(keys)
}

/// The kinds that allowing a call for the session stands for, in words.
pub fn kinds(request: &ApprovalRequest) -> Option<String> {
    let first = request.offers.kinds.first()?;
    let patterns: Vec<String> = request
        .offers
        .kinds
        .iter()
        .map(|rule| reveal_line(&rule.resource).text)
        .collect();
    let patterns = patterns.join(", ");
    // The pattern of a command names its program.
    Some(
        match request.circumstances.as_ref().map(|how| &how.confinement) {
            Some(Confinement::Sandbox(_)) => format!("{patterns} while the sandbox holds"),
            _ => format!("{} {patterns}", reveal_line(&first.action).text),
        },
    )
}

/// Why it is asked, step by step, for the viewer.
pub fn explanation(request: &ApprovalRequest) -> String {
    let judgement = &request.judgement;
    let mut text = format!(
        "{} ▸ {}\n\nasked because: {}\n\n{}",
        who(&request.lineage),
        reveal_line(&request.tool).text,
        reveal_line(&judgement.reason).text,
        path(judgement)
    );
    if let Some(kinds) = kinds(request) {
        let _ = write!(
            text,
            "\nfor the session this would be remembered: {kinds}\n"
        );
    } else if let Some(rule) = &request.offers.session_rule {
        let _ = write!(
            text,
            "\nfor the session this would be remembered: {} {}\n",
            reveal_line(&rule.action).text,
            reveal_line(&rule.resource).text
        );
    }
    if let Some(how) = &request.circumstances
        && let Confinement::Sandbox(enclosure) = &how.confinement
        && !enclosure.missing.is_empty()
    {
        let _ = write!(
            text,
            "\nthe sandbox ({}) does not hold everything; a command can\n",
            enclosure.backend
        );
        for missing in &enclosure.missing {
            let _ = writeln!(text, "· {missing}");
        }
    }
    text
}

/// The steps of a judgement, the one that decided marked.
pub fn path(judgement: &Judgement) -> String {
    let mut text = String::new();
    let widest = judgement
        .path
        .iter()
        .map(|step| step.stage.chars().count())
        .max()
        .unwrap_or(0);
    for step in &judgement.path {
        let mark = if step.decided { '▶' } else { '·' };
        let says = reveal_line(&step.says).text;
        let _ = writeln!(text, "{mark} {:<widest$}  {says}", step.stage);
    }
    text
}

/// Names from the root to the asker.
pub fn who(lineage: &[String]) -> String {
    let names: Vec<String> = lineage.iter().map(|name| reveal_line(name).text).collect();
    names.join(" › ")
}
