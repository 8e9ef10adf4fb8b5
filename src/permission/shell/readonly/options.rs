//! Programs of which some options write or run something: what is not in the table is not known.

use super::{super::Word, held::SEARCHERS};

/// What the options of a program are.
struct Options {
    program: &'static str,
    /// Letters that stand alone or together.
    letters: &'static str,
    /// Letters that take the rest of their word or the next one.
    valued: &'static str,
    /// Long options; one that ends in `=` has a value behind it, of which there may be more.
    long: &'static str,
    /// Long options that take the next word.
    long_valued: &'static str,
    /// The most words that are not options.
    most: usize,
}

/// Programs of which some options write or run something: what is not here is not known.
const PROGRAMS: &[Options] = &[
    Options {
        program: "diff",
        letters: "uqNwbBirsay",
        valued: "U",
        long: "--brief --unified= --recursive --color= --ignore-all-space --side-by-side",
        long_valued: "",
        most: usize::MAX,
    },
    Options {
        program: "rg",
        letters: "niIlcowxvFSsNuUHPpq0a",
        valued: "egtTrABCmdjM",
        long: "--files --hidden --no-ignore --count --files-with-matches --files-without-match --line-number \
            --no-line-number --heading --no-heading --with-filename --no-filename --ignore-case --smart-case \
            --fixed-strings --word-regexp --only-matching --invert-match --multiline --multiline-dotall --json \
            --stats --type-list --vimgrep --column --trim --no-messages --pcre2 --glob= --iglob= --type= \
            --type-not= --context= --after-context= --before-context= --max-count= --max-depth= --sort= --sortr= \
            --color= --colors= --regexp= --replace= --max-columns=",
        long_valued: "--glob --iglob --type --type-not --context --after-context --before-context --max-count --max-depth \
            --sort --sortr --color --regexp --replace --max-columns",
        most: usize::MAX,
    },
    Options {
        program: "sort",
        letters: "nrubfhVgiRsMdzmcC",
        valued: "kt",
        long: "--reverse --numeric-sort --unique --human-numeric-sort --version-sort --general-numeric-sort \
            --ignore-case --stable --check --key= --field-separator=",
        long_valued: "--key --field-separator",
        most: usize::MAX,
    },
    // The second word of `uniq` is a file that it writes.
    Options {
        program: "uniq",
        letters: "cdDuiz",
        valued: "fsw",
        long: "--count --repeated --unique --ignore-case",
        long_valued: "",
        most: 1,
    },
];

/// The words behind known options.
pub(super) fn known<'a>(program: &str, words: &'a [Word]) -> Option<Vec<&'a Word>> {
    let options = PROGRAMS.iter().find(|options| options.program == program)?;
    let mut operands = Vec::new();
    let mut at = 0;
    let mut gives_pattern = false;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        at += 1;
        if text == "--" {
            operands.extend(words.get(at..).unwrap_or_default());
            break;
        }
        if text.starts_with("--") {
            let has_value = |long: &str| long.ends_with('=') && text.starts_with(long);
            gives_pattern |=
                text.starts_with("--regexp") || matches!(text, "--files" | "--type-list");
            // The value may hold `*`: whatever stands for it begins like the option.
            if options
                .long
                .split(' ')
                .any(|long| long == text || has_value(long))
            {
                continue;
            }
            let takes_next =
                options.long_valued.split(' ').any(|long| long == text) && is_value(words.get(at));
            at += usize::from(takes_next);
            if !takes_next {
                return None;
            }
            continue;
        }
        match text.strip_prefix('-') {
            Some(letters) if !letters.is_empty() && !word.glob => {
                gives_pattern |= letters.contains('e');
                at += usize::from(takes_next_word(options, letters, words.get(at))?);
            }
            // What stands for a `*` at the beginning may be an option.
            _ if word.glob && text.starts_with(['*', '?', '[']) => return None,
            _ => operands.push(word),
        }
    }
    if SEARCHERS.contains(&program) && !gives_pattern && !operands.is_empty() {
        operands.remove(0);
    }
    (operands.len() <= options.most
        && !(options.most < usize::MAX && operands.iter().any(|word| word.glob)))
    .then_some(operands)
}

/// Whether short options take the next word as well; `None` when one of them is not known.
fn takes_next_word(options: &Options, letters: &str, next: Option<&Word>) -> Option<bool> {
    for (place, letter) in letters.char_indices() {
        if options.valued.contains(letter) {
            let rest = letters.get(place + letter.len_utf8()..).unwrap_or_default();
            return match rest {
                "" => is_value(next).then_some(true),
                _ => Some(false),
            };
        }
        if !options.letters.contains(letter) {
            return None;
        }
    }
    Some(false)
}

/// Whether a word is one value, whatever it is.
pub(super) fn is_value(word: Option<&Word>) -> bool {
    word.is_some_and(|word| word.literal && !word.glob)
}
