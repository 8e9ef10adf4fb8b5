//! Programs whose words have a grammar of their own.

use super::{super::Word, options::is_value};

/// Tests and actions of `find` that take no word.
const FIND_ALONE: &str = "! ( ) -a -and -daystart -depth -empty -executable -false -ls -mount -not -o -or -print -print0 \
    -prune -quit -readable -true -writable -xdev";
/// Those that take one.
const FIND_VALUED: &str = "-amin -atime -cmin -ctime -group -iname -inum -ipath -iregex -links -maxdepth -mindepth -mmin -mtime \
    -name -newer -path -perm -printf -regex -regextype -size -type -user -wholename";

/// `date`: its clock is set by a word without `+`.
pub(super) fn dated(words: &[Word]) -> Option<Vec<&Word>> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let is_alone = matches!(text, "-u" | "-R" | "--utc" | "-I")
            || text.starts_with('+')
            || ["--date=", "--iso-8601=", "--rfc-3339=", "-I"]
                .iter()
                .any(|option| text.starts_with(option));
        let takes_next = text == "-d" && is_value(words.get(at + 1));
        if word.glob || !is_alone && !takes_next {
            return None;
        }
        at += 1 + usize::from(takes_next);
    }
    Some(Vec::new())
}

/// `find`: folders, then tests.
pub(super) fn found(words: &[Word]) -> Option<Vec<&Word>> {
    let is_test = |word: &&Word| word.text.starts_with(['-', '(', ')', '!']);
    let start = words
        .iter()
        .position(|word| is_test(&word))
        .unwrap_or(words.len());
    let (folders, mut rest) = words.split_at_checked(start)?;
    let is_unsure = |word: &Word| {
        word.glob
            && !word
                .text
                .starts_with(|c: char| c.is_alphanumeric() || c == '.')
    };
    if folders.iter().any(is_unsure) {
        return None;
    }
    while let Some((word, behind)) = rest.split_first() {
        let text = word.text.as_str();
        rest = if word.glob {
            return None;
        } else if is_one(FIND_ALONE, text) {
            behind
        } else if is_one(FIND_VALUED, text) && is_value(behind.first()) {
            behind.get(1..)?
        } else {
            return None;
        };
    }
    Some(folders.iter().collect())
}

/// `printf`: a format that sets no variable, then its words.
pub(super) fn printed(words: &[Word]) -> Option<Vec<&Word>> {
    let (format, _) = words.split_first()?;
    let mut rest = format.text.as_str();
    if format.glob || rest.starts_with('-') {
        return None;
    }
    while let Some((_, behind)) = rest.split_once('%') {
        let behind = behind
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | ' ' | '+'));
        let conversion = behind.chars().next()?;
        if !"%sdifuxXocbeEgGq".contains(conversion) {
            return None;
        }
        rest = behind.get(1..)?;
    }
    Some(Vec::new())
}

/// `sed -n 'A,Bp'`: lines by number.
pub(super) fn cut_out(words: &[Word]) -> Option<Vec<&Word>> {
    let [silent, script, files @ ..] = words else {
        return None;
    };
    let is_place = |text: &str| {
        text == "$"
            || !text.is_empty() && text.len() < 10 && text.bytes().all(|b| b.is_ascii_digit())
    };
    let prints = |part: &str| {
        part.strip_suffix('p')
            .is_some_and(|range| match range.split_once(',') {
                Some((from, to)) => is_place(from) && is_place(to),
                None => is_place(range),
            })
    };
    let is_file = |word: &Word| {
        !(word.text.starts_with('-') || word.glob && word.text.starts_with(['*', '?', '[']))
    };
    (silent.text == "-n"
        && !script.glob
        && script.text.split(';').all(prints)
        && files.iter().all(is_file))
    .then(|| files.iter().collect())
}

fn is_one(words: &str, text: &str) -> bool {
    words.split(' ').any(|word| word == text)
}
