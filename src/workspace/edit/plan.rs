//! All edits of a call, resolved against the original text.
//!
//! One place per edit, or none: a piece that is missing, that fits several places or that overlaps another edit is
//! refused, and nothing is done. A looser match is never used to choose between places.

use std::ops::Range;

use super::{
    super::{
        encoding, error,
        line_ends::{Splice, Unified},
    },
    closest, indent,
    matching::{self, Found, Pass},
};

/// One change to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The piece of the file that it is about.
    pub old: String,
    /// What is done there.
    pub change: Change,
}

/// What an edit does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Puts this in the place of the piece.
    Replace(String),
    /// Puts this in the place of every occurrence of the piece, which must match exactly.
    ReplaceAll(String),
    /// Puts this on lines of its own before the piece.
    Before(String),
    /// Puts this on lines of its own after the piece.
    After(String),
}

/// What a call does to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The replacements, in order, without overlap.
    pub splices: Vec<Splice>,
    /// How many edits matched only when white space was ignored.
    pub relaxed: usize,
}

/// How many line numbers a refusal names.
const MOST_LINES_NAMED: usize = 12;

/// Finds the place of every edit in `text`, which has `\n` only. `strict` allows exact matches alone. The error says
/// what to send instead.
pub fn plan(text: &str, edits: &[Edit], strict: bool) -> Result<Plan, String> {
    let mut placed: Vec<(usize, Splice)> = Vec::new();
    let mut relaxed = 0;
    for (index, edit) in edits.iter().enumerate() {
        let number = index + 1;
        let (splices, pass) = place(text, edit, strict).map_err(|reason| {
            if edits.len() > 1 {
                format!("edit #{number}: {reason}; nothing was changed")
            } else {
                format!("{reason}; nothing was changed")
            }
        })?;
        relaxed += usize::from(pass != Pass::Exact);
        placed.extend(splices.into_iter().map(|splice| (number, splice)));
    }
    placed.sort_by_key(|(number, splice)| (splice.range.start, splice.range.end, *number));
    for pair in placed.windows(2) {
        if let [(first, before), (second, after)] = pair
            && before.range.end > after.range.start
        {
            let lines = lines_of(
                text,
                &(after.range.start..before.range.end.max(after.range.end)),
            );
            let (first, second) = (first.min(second), first.max(second));
            return Err(format!(
                "edits #{first} and #{second} touch the same text ({lines}): make them one edit; nothing was changed"
            ));
        }
    }
    let splices: Vec<Splice> = placed.into_iter().map(|(_, splice)| splice).collect();
    let changes = |splice: &Splice| text.get(splice.range.clone()) != Some(splice.new.as_str());
    if !splices.iter().any(changes) {
        return Err("the new text is what is there already; nothing was changed".to_owned());
    }
    Ok(Plan { splices, relaxed })
}

/// The place or places of one edit.
fn place(text: &str, edit: &Edit, strict: bool) -> Result<(Vec<Splice>, Pass), String> {
    // A file with `\r\r\n` shows `\r\n`: a piece that stands there as it was sent is that piece.
    let as_sent = edit.old.contains("\r\n") && text.contains(&edit.old);
    let plain = |sent: &str| {
        if as_sent {
            sent.to_owned()
        } else {
            Unified::plain(sent)
        }
    };
    let old = plain(&edit.old);
    if old.trim().is_empty() {
        return Err("the old text is blank; it must hold the text to find".to_owned());
    }
    let (Change::Replace(new) | Change::ReplaceAll(new) | Change::Before(new) | Change::After(new)) =
        &edit.change;
    if let Some(letter) = encoding::forged(new) {
        return Err(error::forged(letter));
    }
    let exact_only = strict || matches!(edit.change, Change::ReplaceAll(_));
    let Some(found) = matching::find(text, &old, exact_only) else {
        return Err(closest::refusal(text, &old, exact_only));
    };
    if let Change::ReplaceAll(new) = &edit.change {
        let new = plain(new);
        let splices = apart(&found.places)
            .map(|range| Splice {
                range,
                new: new.clone(),
            })
            .collect();
        return Ok((splices, found.pass));
    }
    let [range] = found.places.as_slice() else {
        return Err(ambiguous(text, &found));
    };
    let splice = match &edit.change {
        Change::Replace(new) | Change::ReplaceAll(new) => {
            replace(text, &old, range, found.pass, &plain(new))
        }
        Change::Before(new) => insert(text, &old, range, found.pass, new, Side::Before),
        Change::After(new) => insert(text, &old, range, found.pass, new, Side::After),
    };
    Ok((vec![splice], found.pass))
}

/// The occurrences that do not overlap an earlier one.
fn apart(places: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    let apart = move |place: &&Range<usize>| {
        let apart = place.start >= end;
        if apart {
            end = place.end;
        }
        apart
    };
    places.iter().filter(apart).cloned()
}

fn ambiguous(text: &str, found: &Found) -> String {
    let numbers = found.places.iter().map(|place| line_of(text, place.start));
    let mut lines: Vec<String> = numbers
        .take(MOST_LINES_NAMED)
        .map(|line| line.to_string())
        .collect();
    let count = found.places.len();
    if count > MOST_LINES_NAMED {
        lines.push("…".to_owned());
    }
    let how = if found.pass == Pass::Exact {
        ""
    } else {
        " when white space is ignored"
    };
    format!(
        "old text appears {count} times{how} (lines {}): to change one of them, add lines around it to the old text \
         until it is unique; to change several, send one edit for each, or replace_all for every exact occurrence",
        lines.join(", ")
    )
}

fn replace(text: &str, old: &str, range: &Range<usize>, pass: Pass, new: &str) -> Splice {
    match pass {
        Pass::Exact => Splice {
            range: range.clone(),
            new: new.to_owned(),
        },
        Pass::Edges => replace_edges(text, old, range, new),
        Pass::Indent => replace_lines(text, old, range, new),
    }
}

/// A replacement whose old text matched without the white space around it: the same padding comes off the new text.
fn replace_edges(text: &str, old: &str, range: &Range<usize>, new: &str) -> Splice {
    let (lead, core, trail) = matching::padding(old);
    let line = whole_lines(text, range);
    let own_line = is_blank(text, line.start..range.start);
    let indent = lead.rsplit('\n').next().unwrap_or_default();
    let fitted = matching::without_padding(new, lead, trail);
    if fitted.is_empty() && own_line && is_blank(text, range.end..line.end) {
        return Splice {
            range: emptied(text, &line, lead, trail),
            new: String::new(),
        };
    }
    let mut new = fitted.to_owned();
    if own_line && !core.contains('\n') && !indent.is_empty() && fitted.contains('\n') {
        let sent = format!("{indent}{core}");
        let file = text.get(line).unwrap_or_default();
        let whole = indent::fit(text, &sent, file, &format!("{indent}{fitted}"));
        whole.trim_start().clone_into(&mut new);
    }
    Splice {
        range: range.clone(),
        new,
    }
}

/// What goes when a line is deleted: with its own line end where the old text named one, else all that is on it.
fn emptied(text: &str, line: &Range<usize>, lead: &str, trail: &str) -> Range<usize> {
    if trail.contains('\n') {
        line.start..(line.end + 1).min(text.len())
    } else if lead.contains('\n') {
        line.start.saturating_sub(1)..line.end
    } else {
        line.clone()
    }
}

/// A replacement whose lines matched without their own white space: the new lines get the file's indentation.
fn replace_lines(text: &str, old: &str, range: &Range<usize>, new: &str) -> Splice {
    let (above, core, below) = matching::blank_edges(old);
    let mut fitted = new;
    for _ in 0..above {
        let Some((first, rest)) = fitted.split_once('\n') else {
            break;
        };
        if !first.trim().is_empty() {
            break;
        }
        fitted = rest;
    }
    let mut stripped = 0;
    while stripped < below {
        match fitted.rsplit_once('\n') {
            Some((rest, last)) if last.trim().is_empty() => fitted = rest,
            _ => break,
        }
        stripped += 1;
    }
    if fitted.trim().is_empty() {
        return Splice {
            range: range.start..(range.end + 1).min(text.len()),
            new: String::new(),
        };
    }
    let file = text.get(range.clone()).unwrap_or_default();
    Splice {
        range: range.clone(),
        new: indent::fit(text, core, file, fitted),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

/// Lines of their own beside the piece. A file without a final line end stays without one.
fn insert(
    text: &str,
    old: &str,
    range: &Range<usize>,
    pass: Pass,
    new: &str,
    side: Side,
) -> Splice {
    let new = Unified::plain(new);
    let new = new.strip_suffix('\n').unwrap_or(&new);
    let lines = whole_lines(text, range);
    let new = if pass == Pass::Exact {
        new.to_owned()
    } else {
        let (_, core, _) = matching::blank_edges(old);
        let file = text.get(lines.clone()).unwrap_or_default();
        let pick = |block: &str| {
            let mut lines = block.lines();
            let line = if side == Side::Before {
                lines.next()
            } else {
                lines.next_back()
            };
            line.unwrap_or_default().to_owned()
        };
        indent::fit(text, &pick(core), &pick(file), new)
    };
    match side {
        Side::Before => Splice {
            range: lines.start..lines.start,
            new: format!("{new}\n"),
        },
        Side::After => Splice {
            range: lines.end..lines.end,
            new: format!("\n{new}"),
        },
    }
}

/// The lines that a range touches, without the last line end.
fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text
        .get(..range.start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1);
    // A piece that ends with a line end does not reach into the next line.
    let from = if text
        .get(range.clone())
        .is_some_and(|piece| piece.ends_with('\n'))
    {
        range.end - 1
    } else {
        range.end
    };
    let end = text
        .get(from..)
        .and_then(|after| after.find('\n'))
        .map_or(text.len(), |at| from + at);
    start..end
}

fn is_blank(text: &str, range: Range<usize>) -> bool {
    text.get(range).is_some_and(|piece| piece.trim().is_empty())
}

/// The number of the line that a position is in, from 1.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    before.bytes().filter(|byte| *byte == b'\n').count() + 1
}

fn lines_of(text: &str, range: &Range<usize>) -> String {
    let first = line_of(text, range.start);
    let last = line_of(text, range.end.saturating_sub(1).max(range.start));
    if first == last {
        format!("line {first}")
    } else {
        format!("lines {first}–{last}")
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
