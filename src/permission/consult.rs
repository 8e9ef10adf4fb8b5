//! What rules say about a call: every target by itself, a command line by each simple command in it.
//!
//! One deny refuses the call, one ask asks, and only when everything is allowed is it allowed.

use std::path::PathBuf;

use super::{
    call::{PreparedCall, Target},
    rule::{self, Pattern, describe},
    shell::{Line, Role, Simple, Word},
    sieve::Sieve,
};
use crate::domain::permission::{Rule, Verdict};

/// The tool under whose rules a file falls that a command only looks at.
const READER: &str = "file_read";

/// The tool that runs any command line, and its other names: what a rule under one of them forbids, no other tool runs.
pub const RUNNER: &[&str] = &[
    "shell_execute",
    "bash",
    "shell",
    "execute_command",
    "terminal.run",
];

/// What rules say about a call.
pub(super) struct Consulted<'a> {
    /// The verdict that counts, if any.
    pub(super) says: Option<Says<'a>>,
    /// Why allow rules that match do not count.
    pub(super) caveats: Vec<String>,
}

/// A deciding rule with its verdict.
#[derive(Clone, Copy)]
pub(super) struct Says<'a> {
    pub(super) verdict: Verdict,
    pub(super) rule: &'a Rule,
}

impl<'a> Consulted<'a> {
    fn with(&self, verdict: Verdict) -> Option<&'a Rule> {
        let says = self.says.filter(|says| says.verdict == verdict);
        says.map(|says| says.rule)
    }

    /// The rule that refuses.
    pub(super) fn denial(&self) -> Option<&'a Rule> {
        self.with(Verdict::Deny)
    }

    /// The rule that allows.
    pub(super) fn allowance(&self) -> Option<&'a Rule> {
        self.with(Verdict::Allow)
    }
}

/// Asks rules about a call.
pub(super) fn consult<'a>(
    call: &PreparedCall,
    rules: impl Iterator<Item = &'a Rule>,
    roots: &[PathBuf],
) -> Consulted<'a> {
    let mut rules = rules.peekable();
    if rules.peek().is_none() {
        return Consulted {
            says: None,
            caveats: Vec::new(),
        };
    }
    let sieve = sieve(call, roots);
    let rules: Vec<(&Rule, Pattern)> = rules
        .filter(|rule| sieve.lets_through(&rule.resource) || keeps_from_reading(call, rule))
        .filter(|rule| is_about(call, rule) || is_reader(call, rule))
        .map(|rule| (rule, Pattern::parse(&rule.resource)))
        .collect();
    let own = || rules.iter().filter(|(rule, _)| is_about(call, rule));
    let mut book = Book::default();
    if call.targets.is_empty() {
        let matching = own().filter(|(_, pattern)| pattern.matches(""));
        book.winners
            .push(rule::winner(matching.map(|(rule, _)| *rule)));
    }
    for target in &call.targets {
        let wide = target.wide_subjects(roots);
        let narrow = target.narrow_subjects(roots);
        let of = |subjects: &[String], pattern: &Pattern| {
            subjects.iter().any(|subject| pattern.matches(subject))
        };
        let Target::Shell { command, line } = target else {
            let matching = own().filter(|(rule, pattern)| match rule.verdict {
                Verdict::Allow => of(&narrow, pattern),
                Verdict::Ask | Verdict::Deny => of(&wide, pattern),
            });
            book.winners
                .push(rule::winner(matching.map(|(rule, _)| *rule)));
            continue;
        };
        let own: Vec<(&Rule, &Pattern)> = own().map(|(rule, pattern)| (*rule, pattern)).collect();
        book.shell(command, line, &own);
    }
    for look in &call.looks {
        let subjects = look.wide_subjects(roots);
        let forbids = rules.iter().filter(|(rule, pattern)| {
            is_reader(call, rule)
                && rule.verdict != Verdict::Allow
                && subjects.iter().any(|subject| pattern.matches(subject))
        });
        book.stricter.extend(forbids.map(|(rule, _)| *rule));
    }
    // It may come by the files that such a rule names.
    let mut keeping = rules
        .iter()
        .filter(|(rule, _)| keeps_from_reading(call, rule));
    book.passes_by = keeping.next().map(|(rule, _)| *rule);
    book.close()
}

/// Every text by which a rule may name something of the call.
fn sieve(call: &PreparedCall, roots: &[PathBuf]) -> Sieve {
    let targets = call.targets.iter().chain(&call.looks);
    let mut subjects: Vec<String> = targets
        .flat_map(|target| target.wide_subjects(roots))
        .collect();
    if call.targets.is_empty() {
        subjects.push(String::new());
    }
    Sieve::new(subjects.iter().map(String::as_str))
}

/// Whether a rule is about this tool, or forbids commands to the one that runs any.
fn is_about(call: &PreparedCall, rule: &Rule) -> bool {
    let runs = || {
        let is_line = |target: &Target| matches!(target, Target::Shell { .. });
        call.targets.iter().any(is_line)
    };
    let forbids_commands = || {
        let pattern = Pattern::parse(&rule.action);
        rule.verdict != Verdict::Allow && RUNNER.iter().any(|name| pattern.matches(name)) && runs()
    };
    call.is_meant_by(&rule.action) || forbids_commands()
}

/// Whether a rule is about reading the files that a command looks at.
fn is_reader(call: &PreparedCall, rule: &Rule) -> bool {
    (call.looks_wide || !call.looks.is_empty()) && Pattern::parse(&rule.action).matches(READER)
}

/// Whether a rule keeps files from being read, of which a call that looks through folders may come by one.
fn keeps_from_reading(call: &PreparedCall, rule: &Rule) -> bool {
    call.looks_wide && rule.verdict != Verdict::Allow && is_reader(call, rule)
}

/// What was found so far.
#[derive(Default)]
struct Book<'a> {
    /// For everything that has to be allowed, the rule that decides about it.
    winners: Vec<Option<&'a Rule>>,
    /// Rules that ask or deny whatever else is allowed.
    stricter: Vec<&'a Rule>,
    /// A rule that keeps files from being read which the call may come by.
    passes_by: Option<&'a Rule>,
    caveats: Vec<String>,
}

impl<'a> Book<'a> {
    fn shell(&mut self, command: &str, line: &Line, rules: &[(&'a Rule, &Pattern)]) {
        // A rule for exactly this line, and rules that ask about it as a text.
        let whole = rules.iter().filter(|(rule, pattern)| {
            pattern.matches(command) && (pattern.is_exact() || rule.verdict != Verdict::Allow)
        });
        let whole = rule::winner(whole.map(|(rule, _)| *rule));
        let (mut parts, mut maybe) = (Vec::new(), Vec::new());
        for part in &line.commands {
            parts.push((part, winner(part, rules)));
        }
        for part in &line.maybe {
            maybe.push(winner(part, rules));
        }
        let found = parts.iter().map(|(_, rule)| *rule).chain(maybe);
        let strict = found
            .flatten()
            .filter(|rule| rule.verdict != Verdict::Allow);
        self.stricter.extend(strict);
        if whole.is_some() {
            self.winners.push(whole);
            return;
        }
        let is_allowed = parts
            .iter()
            .filter(|(part, _)| part.role != Role::Wrapper)
            .all(|(part, rule)| rule.is_some() || is_neutral(part));
        let mut decided = is_allowed
            .then(|| parts.iter().find_map(|(_, rule)| *rule))
            .flatten();
        if let Some(rule) = decided
            && let Some(why) = doubt(line)
        {
            self.caveats
                .push(format!("{} does not count: {why}", describe(rule)));
            decided = None;
        }
        self.winners.push(decided);
    }

    fn close(self) -> Consulted<'a> {
        let found = |verdict| {
            let all = self
                .stricter
                .iter()
                .copied()
                .chain(self.winners.iter().flatten().copied());
            all.into_iter()
                .find(|rule| rule.verdict == verdict)
                .map(|rule| Says { verdict, rule })
        };
        let all_decided = self.winners.iter().all(Option::is_some);
        Consulted {
            says: found(Verdict::Deny)
                .or_else(|| found(Verdict::Ask))
                .or_else(|| found(Verdict::Allow).filter(|_| all_decided))
                .or_else(|| {
                    self.passes_by.map(|rule| Says {
                        verdict: Verdict::Ask,
                        rule,
                    })
                }),
            caveats: self.caveats,
        }
    }
}

/// The rule that decides about one command: an allow rule must name it as it stands, the others may name it in any
/// of its forms.
fn winner<'a>(command: &Simple, rules: &[(&'a Rule, &Pattern)]) -> Option<&'a Rule> {
    let (text, forms) = (command.text(), command.subjects());
    let matching = rules.iter().filter(|(rule, pattern)| match rule.verdict {
        Verdict::Allow => pattern.matches(&text),
        Verdict::Ask | Verdict::Deny => forms.iter().any(|form| pattern.matches(form)),
    });
    rule::winner(matching.map(|(rule, _)| *rule))
}

/// Commands that do nothing by themselves: `cd x && make` needs a rule for `make` only. What a variable may change is
/// a doubt of the line.
pub(super) fn is_neutral(command: &Simple) -> bool {
    const NEUTRAL: &[&str] = &[
        ":", "cd", "declare", "export", "false", "local", "pwd", "readonly", "true", "typeset",
        "unset",
    ];
    let is_builtin = |word: &Word| NEUTRAL.contains(&word.text.as_str());
    command.words.first().is_some_and(is_builtin) && command.words.iter().all(|word| word.literal)
}

/// Why a pattern cannot answer for a line.
fn doubt(line: &Line) -> Option<String> {
    if let Some(doubt) = line.doubts.first() {
        return Some(doubt.to_string());
    }
    if let Some(redirect) = line.redirects.first() {
        return Some(format!("the line redirects to {}", redirect.file.text));
    }
    unknown(line)
}

/// A command of which it is not known what it gets.
pub(super) fn unknown(line: &Line) -> Option<String> {
    // A name that starts with what is put in place of a pattern may turn out to be an option.
    let is_open = |command: &&Simple| {
        command.words.iter().any(|word| {
            !word.literal && word.text != "…" || word.glob && word.text.starts_with(['*', '?', '['])
        })
    };
    line.commands
        .iter()
        .find(is_open)
        .map(|command| format!("what `{}` gets is not known before it runs", command.text()))
}
