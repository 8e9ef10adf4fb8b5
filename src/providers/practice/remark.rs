//! What the script says about a result: short, true to what came back, and never an interpretation.
//!
//! Quoted text is cut to a few lines; the whole stands in the call's own entry.

use std::collections::BTreeMap;

use super::history::Exchange;
use crate::domain::{
    display::{Display, FileMatch},
    tool::CallStatus,
};

/// Lines of a quoted output.
const LINES: usize = 6;

/// Lines of a quoted report, which ends with a table.
const REPORT_LINES: usize = 16;

/// Longest quoted line in characters.
const COLUMNS: usize = 100;

/// A paragraph about one exchange; empty when there is nothing to say.
pub(super) fn remark(exchange: &Exchange<'_>) -> String {
    let tool = exchange.call.name.as_str();
    match exchange.result.status {
        CallStatus::Done => done(tool, exchange),
        CallStatus::Refused => format!(
            "`{tool}` was not allowed. What I was told:\n\n{}\n\nA refusal is your decision, so I do not try it another way.",
            quote(&exchange.result.text)
        ),
        CallStatus::Failed => format!(
            "`{tool}` could not do it. What I was told:\n\n{}",
            quote(&exchange.result.text)
        ),
        CallStatus::Interrupted => format!(
            "`{tool}` was interrupted; what it did until then is unknown, and I do not repeat it blindly."
        ),
    }
}

/// The remarks about several exchanges.
pub(super) fn remarks(exchanges: &[Exchange<'_>]) -> String {
    let paragraphs: Vec<String> = exchanges
        .iter()
        .filter(|exchange| !(exchange.call.name.starts_with("checklist_") && exchange.is_done()))
        .map(remark)
        .filter(|text| !text.is_empty())
        .collect();
    paragraphs.join("\n\n")
}

fn done(tool: &str, exchange: &Exchange<'_>) -> String {
    let text = &exchange.result.text;
    match tool {
        "file_find" => found(exchange),
        "file_search" => searched(exchange),
        "file_read" => format!(
            "`{}` begins like this:\n\n{}",
            exchange.argument("path").unwrap_or("the file"),
            block(text)
        ),
        "shell_execute" => ran(exchange),
        "agent_spawn" => {
            format!(
                "A sub-agent has come back:\n\n{}",
                quote_to(text, REPORT_LINES)
            )
        }
        "ask_user" => format!("{}\n\nThank you.", quote(text)),
        "scratchpad_write" => format!(
            "The note `{}` is kept; you see it in the Scratchpad pane.",
            exchange.argument("name").unwrap_or("?")
        ),
        "scratchpad_read" => format!("The note says:\n\n{}", quote(text)),
        "file_write" | "file_edit" => format!(
            "`{}` is on disk as you saw it in the diff.",
            exchange.argument("path").unwrap_or("The file")
        ),
        "context_check" => quote(text),
        _ => String::new(),
    }
}

/// The files of a result; lines that look like paths when it has no list.
pub(super) fn files(exchange: &Exchange<'_>) -> Vec<String> {
    if !exchange.is_done() {
        return Vec::new();
    }
    match &exchange.result.display {
        Display::Files { files, .. } => files.iter().map(|file| file.path.clone()).collect(),
        _ => exchange
            .result
            .text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.contains(' '))
            .map(str::to_owned)
            .collect(),
    }
}

fn found(exchange: &Exchange<'_>) -> String {
    let files = files(exchange);
    if files.is_empty() {
        return "Nothing matches that name here.".to_owned();
    }
    format!(
        "{} came back:\n\n{}",
        count(files.len(), "path"),
        kinds(&files)
    )
}

/// A table of file name endings with their counts, the most frequent first.
pub(super) fn kinds(files: &[String]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let name = file.rsplit('/').next().unwrap_or(file);
        let kind = match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() && !ending.is_empty() => format!(".{ending}"),
            _ => "no ending".to_owned(),
        };
        *counts.entry(kind).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let mut table = String::from("| kind | files |\n|---|---:|");
    for (kind, count) in counts.iter().take(LINES) {
        table.push_str(&format!("\n| {} | {count} |", cell(kind)));
    }
    let rest: usize = counts.iter().skip(LINES).map(|(_, count)| count).sum();
    if rest > 0 {
        table.push_str(&format!("\n| others | {rest} |"));
    }
    table
}

fn searched(exchange: &Exchange<'_>) -> String {
    let pattern = exchange.argument("pattern").unwrap_or("it");
    let Display::Files { files, .. } = &exchange.result.display else {
        return format!(
            "About `{}`:\n\n{}",
            cell(pattern),
            quote(&exchange.result.text)
        );
    };
    let matching = |file: &FileMatch| {
        file.lines
            .iter()
            .filter(|line| !line.ranges.is_empty())
            .count()
    };
    let lines: usize = files.iter().map(matching).sum();
    if files.is_empty() {
        format!("No line here holds `{}`.", cell(pattern))
    } else {
        format!(
            "`{}` stands in {} of {}.",
            cell(pattern),
            count(lines, "line"),
            count(files.len(), "file")
        )
    }
}

fn ran(exchange: &Exchange<'_>) -> String {
    let (output, exit) = match &exchange.result.display {
        Display::Terminal { output, exit, .. } => (output.as_str(), *exit),
        _ => (exchange.result.text.as_str(), None),
    };
    let ended = exit.map_or_else(String::new, |exit| format!(" with exit status {exit}"));
    if output.trim().is_empty() {
        return format!("The command ended{ended} and printed nothing.");
    }
    format!("The command ended{ended}:\n\n{}", block(output))
}

fn count(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The first lines as a quotation.
pub(super) fn quote(text: &str) -> String {
    quote_to(text, LINES)
}

/// The same up to so many lines. A table is quoted whole or not at all.
fn quote_to(text: &str, most: usize) -> String {
    let all: Vec<String> = short_lines(text).collect();
    let is_row = |line: &String| line.trim_start().starts_with('|');
    let mut parts: Vec<String> = Vec::new();
    let mut taken = 0;
    for part in all.chunk_by(|one, next| is_row(one) && is_row(next)) {
        taken += part.len();
        if taken > most {
            parts.push("> …".to_owned());
            break;
        }
        let quoted: Vec<String> = part.iter().map(|line| format!("> {line}")).collect();
        parts.push(quoted.join("\n"));
    }
    parts.join("\n>\n")
}

/// The first lines as a code block, which they cannot end.
fn block(text: &str) -> String {
    let shown = lines(text).collect::<Vec<_>>().join("\n");
    let more = text.lines().filter(|line| !line.trim().is_empty()).count() > LINES;
    let more = if more { "\n…" } else { "" };
    format!("```text\n{}{more}\n```", shown.replace("```", "'''"))
}

fn lines(text: &str) -> impl Iterator<Item = String> {
    short_lines(text).take(LINES)
}

fn short_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let mut short: String = line.trim_end().chars().take(COLUMNS).collect();
            if short.len() < line.trim_end().len() {
                short.push('…');
            }
            short
        })
}

/// Text that cannot leave its table cell or its backticks.
fn cell(text: &str) -> String {
    text.replace(['|', '`', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_quoted_whole_or_not_at_all() {
        let report = "one\n\n| kind | files |\n|---|---:|\n| .rs | 3 |\n| .md | 2 |";

        assert_eq!(
            quote_to(report, 5),
            "> one\n>\n> | kind | files |\n> |---|---:|\n> | .rs | 3 |\n> | .md | 2 |"
        );
        assert_eq!(quote_to(report, 4), "> one\n>\n> …");
    }
}
