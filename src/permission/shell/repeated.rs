//! Programs that run a command for each thing that they read or find: `xargs` and `find`.

use super::{Line, Role, Simple, Word, options, wrappers::inner};

/// What `xargs` runs.
pub(super) fn from_input(line: &mut Line, command: &Simple, depth: usize) -> Role {
    const VALUED: &[&str] = &[
        "-a",
        "-d",
        "-E",
        "-I",
        "-L",
        "-n",
        "-P",
        "-s",
        "--arg-file",
        "--delimiter",
        "--max-lines",
        "--max-args",
        "--max-procs",
        "--max-chars",
        "--replace",
        "--process-slot-var",
    ];
    let arguments = command.arguments();
    let start = options::count(arguments, VALUED);
    let mut words = arguments.get(start..).unwrap_or_default().to_vec();
    if words.is_empty() {
        return Role::Plain;
    }
    // Any word may be replaced, and more are appended.
    let marks = replaced(arguments.get(..start).unwrap_or_default());
    let is_marked = |word: &&mut Word| marks.iter().any(|mark| word.text.contains(mark));
    for word in words.iter_mut().filter(is_marked) {
        word.literal = false;
    }
    words.push(Word::unknown("…"));
    let _ = inner(line, command, &words, depth);
    Role::Wrapper
}

/// What `xargs` puts its input in the place of, whatever option says it.
fn replaced(options: &[Word]) -> Vec<&str> {
    let mut marks = vec!["{}"];
    for (at, option) in options.iter().enumerate() {
        let text = option.text.as_str();
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let value = match letters.and_then(|letters| letters.split_once(['I', 'i'])) {
            Some((_, "")) => options.get(at + 1).map(|word| word.text.as_str()),
            Some((_, value)) => Some(value),
            None => text.split_once('=').map(|(_, value)| value),
        };
        marks.extend(value.filter(|value| !value.is_empty()));
    }
    marks
}

/// What `find` runs for each file.
pub(super) fn found(line: &mut Line, command: &Simple, depth: usize) {
    let arguments = command.arguments();
    let starts = arguments
        .iter()
        .enumerate()
        .filter(|(_, word)| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir"));
    for (at, _) in starts {
        let rest = arguments.get(at + 1..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|word| matches!(word.text.as_str(), ";" | "+"));
        let mut words = rest
            .get(..end.unwrap_or(rest.len()))
            .unwrap_or_default()
            .to_vec();
        for word in words.iter_mut().filter(|word| word.text.contains("{}")) {
            word.literal = false;
        }
        let _ = inner(line, command, &words, depth);
    }
}
