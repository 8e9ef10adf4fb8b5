//! Fits new lines to the indentation of the file.
//!
//! A model that retyped a block with four spaces gets its new lines with the file's tabs. Each new line is placed
//! relative to the line of the old text that it stands for; a line that did not change is the file's own, to the
//! byte; a blank line stays empty.

use similar::{DiffTag, TextDiff};

/// Lines of a file that tell how it is indented.
const MOST_LINES: usize = 20_000;

/// What one level of indentation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Tab,
    Spaces(usize),
}

/// The new text with the file's indentation. `sent` is the old text as the model wrote it, `file` the same lines as
/// the file has them, `text` the whole file.
pub(super) fn fit(text: &str, sent: &str, file: &str, new: &str) -> String {
    let sent_lines: Vec<&str> = sent.split('\n').collect();
    let file_lines: Vec<&str> = file.split('\n').collect();
    let new_lines: Vec<&str> = new.split('\n').collect();
    let from = unit(sent_lines.iter().chain(&new_lines)).unwrap_or(Unit::Spaces(4));
    let some: Vec<&str> = text.split('\n').take(MOST_LINES).collect();
    let to = unit(some.iter()).unwrap_or(from);
    let pair = |index: usize| {
        let index = nonblank(&sent_lines, index);
        let line =
            |lines: &[&str]| indent(lines.get(index).copied().unwrap_or_default()).to_owned();
        (line(&sent_lines), line(&file_lines))
    };
    let mut fitted: Vec<String> = Vec::with_capacity(new_lines.len());
    let diff = TextDiff::from_slices(&sent_lines, &new_lines);
    for op in diff.ops() {
        let old = op.old_range();
        for (offset, line) in new_lines
            .get(op.new_range())
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let stands_for = match op.tag() {
                DiffTag::Insert => old.start.saturating_sub(1),
                _ => (old.start + offset).min(old.end.saturating_sub(1)),
            };
            if op.tag() == DiffTag::Equal
                && let Some(own) = file_lines.get(stands_for)
            {
                fitted.push((*own).to_owned());
            } else if line.trim().is_empty() {
                fitted.push(String::new());
            } else {
                let (sent, file) = pair(stands_for);
                let indent = shift(&sent, &file, indent(line), from, to);
                fitted.push(format!("{indent}{}", line.trim_start()));
            }
        }
    }
    fitted.join("\n")
}

/// The line itself, or the nearest one that is not blank: a blank line says nothing of indentation.
fn nonblank(lines: &[&str], index: usize) -> usize {
    let is_full = |at: &usize| lines.get(*at).is_some_and(|line| !line.trim().is_empty());
    (0..=index)
        .rev()
        .find(is_full)
        .or_else(|| (index..lines.len()).find(is_full))
        .unwrap_or(index)
}

/// The file's indentation of a line that is indented `new` where its reference is `sent` in the model's text and
/// `file` in the file.
fn shift(sent: &str, file: &str, new: &str, from: Unit, to: Unit) -> String {
    let step = match from {
        Unit::Tab => 4,
        Unit::Spaces(step) => step,
    };
    let (sent, new) = (columns(sent, step), columns(new, step));
    let mut result = file.to_owned();
    if new >= sent {
        let (levels, rest) = ((new - sent) / step, (new - sent) % step);
        match to {
            Unit::Tab => result.push_str(&"\t".repeat(levels)),
            Unit::Spaces(width) => result.push_str(&" ".repeat(levels * width)),
        }
        result.push_str(&" ".repeat(rest));
        return result;
    }
    for _ in 0..(sent - new).div_ceil(step) {
        let width = match to {
            Unit::Tab => 4,
            Unit::Spaces(width) => width,
        };
        if result.ends_with('\t') {
            result.pop();
        } else {
            let kept = result.len() - result.len().min(width);
            result.truncate(kept.max(result.trim_end_matches(' ').len()));
        }
    }
    result
}

fn indent(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - rest.len()).unwrap_or_default()
}

fn columns(indent: &str, step: usize) -> usize {
    indent
        .bytes()
        .map(|byte| if byte == b'\t' { step } else { 1 })
        .sum()
}

/// What one level is in some lines: tabs where they prevail, else the most common step of spaces.
fn unit<'a>(lines: impl Iterator<Item = &'a &'a str>) -> Option<Unit> {
    let (mut tabs, mut spaces) = (0usize, 0usize);
    let mut steps = [0usize; 9];
    let mut before = 0usize;
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let indent = indent(line);
        tabs += usize::from(indent.starts_with('\t'));
        spaces += usize::from(indent.starts_with(' '));
        // One column is alignment (a comment's star), not a level.
        let step = indent.len().abs_diff(before);
        if step > 1
            && let Some(count) = steps.get_mut(step)
        {
            *count += 1;
        }
        before = indent.len();
    }
    if tabs > spaces {
        return Some(Unit::Tab);
    }
    let (step, count) = steps
        .iter()
        .enumerate()
        .rev()
        .max_by_key(|(_, count)| **count)?;
    (*count > 0).then_some(Unit::Spaces(step))
}
