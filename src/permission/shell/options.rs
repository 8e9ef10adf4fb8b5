//! Options: where a program's own ones end, and those by which a harmless program runs or writes something else.

use super::{Simple, Word, sed};

/// Options between a program and its subcommand that take a value of their own: program, options.
const GLOBALS: &[(&str, &[&str])] = &[
    (
        "git",
        &[
            "-C",
            "-c",
            "--config-env",
            "--exec-path",
            "--git-dir",
            "--work-tree",
            "--namespace",
        ],
    ),
    (
        "cargo",
        &["--config", "--color", "-C", "-Z", "--manifest-path"],
    ),
    (
        "docker",
        &[
            "-c",
            "--context",
            "-H",
            "--host",
            "--config",
            "-l",
            "--log-level",
        ],
    ),
    (
        "kubectl",
        &[
            "-n",
            "--namespace",
            "--context",
            "--kubeconfig",
            "-s",
            "--server",
        ],
    ),
    ("npm", &["--prefix", "-w", "--workspace"]),
    ("systemctl", &["-H", "--host", "-M", "--machine"]),
    ("terraform", &["-chdir"]),
];

/// Programs with options by which they run another program or write a file: program, letters of short options, long
/// options, words of their own.
const TRICKS: &[Trick] = &[
    trick(
        "find",
        "",
        &[],
        &[
            "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf",
            "-fls",
        ],
    ),
    trick("fd", "xX", &["--exec", "--exec-batch"], &[]),
    trick("rg", "", &["--pre", "--hostname-bin"], &[]),
    trick("sort", "o", &["--output", "--compress-program"], &[]),
    trick("sed", "i", &["--in-place"], &[]),
    trick(
        "tar",
        "IF",
        &[
            "--to-command",
            "--checkpoint-action",
            "--use-compress-program",
            "--info-script",
            "--new-volume-script",
            "--rmt-command",
            "--rsh-command",
        ],
        &[],
    ),
    trick("less", "oO", &["--log-file", "--LOG-FILE"], &[]),
    trick("man", "PH", &["--pager", "--html"], &[]),
    trick(
        "make",
        "fC",
        &["--file", "--makefile", "--directory", "--eval"],
        &[],
    ),
    trick("cargo", "", &["--config"], &[]),
    trick("go", "", &[], &["-exec", "-toolexec", "-vettool"]),
    trick("ip", "", &[], &["netns"]),
    trick(
        "npm",
        "",
        &["--prefix", "--script-shell", "--node-options"],
        &["exec", "x"],
    ),
    trick("yq", "i", &["--inplace"], &[]),
    trick(
        "curl",
        "oOKT",
        &[
            "--output",
            "--remote-name",
            "--config",
            "--upload-file",
            "--create-dirs",
        ],
        &[],
    ),
    trick(
        "wget",
        "Oi",
        &["--output-document", "--use-askpass", "--input-file"],
        &[],
    ),
    trick("rsync", "e", &["--rsh", "--rsync-path"], &[]),
    trick("tree", "o", &[], &[]),
    trick("date", "s", &["--set"], &[]),
    // Builtins by which bash sets a variable by name, or expands a text once more.
    trick("[", "", &[], &["-R", "-v"]),
    trick("compgen", "CFWX", &[], &[]),
    trick("enable", "f", &[], &[]),
    trick("hash", "p", &[], &[]),
    trick("printf", "v", &[], &[]),
    trick("test", "", &[], &["-R", "-v"]),
    trick("wait", "p", &[], &[]),
];

/// The same for subcommands of git, and its options in front of them.
const GIT: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "-c",
            "--config-env",
            "--exec-path",
            "--git-dir",
            "--work-tree",
            "-C",
            "-p",
            "--paginate",
        ],
    ),
    ("rebase", &["-x", "--exec"]),
    ("bisect", &["run"]),
    ("submodule", &["foreach"]),
    ("filter-branch", &[""]),
    ("difftool", &[""]),
    ("mergetool", &[""]),
    (
        "clone",
        &["-u", "--upload-pack", "-c", "--config", "--template"],
    ),
    ("fetch", &["--upload-pack"]),
    ("pull", &["--upload-pack"]),
    ("push", &["--receive-pack", "--exec"]),
    ("ls-remote", &["--upload-pack"]),
    ("archive", &["-o", "--output", "--exec", "--remote"]),
    ("grep", &["-O", "--open-files-in-pager"]),
    ("diff", &["--ext-diff", "--output"]),
    ("log", &["--ext-diff", "--output"]),
    ("show", &["--ext-diff", "--output"]),
    ("format-patch", &["-o", "--output", "--output-directory"]),
    ("config", &[""]),
];

struct Trick {
    program: &'static str,
    letters: &'static str,
    long: &'static [&'static str],
    words: &'static [&'static str],
}

const fn trick(
    program: &'static str,
    letters: &'static str,
    long: &'static [&'static str],
    words: &'static [&'static str],
) -> Trick {
    Trick {
        program,
        letters,
        long,
        words,
    }
}

/// How many words are options, when some of them take the next word as their value.
pub(super) fn count(arguments: &[Word], valued: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        if !word.literal || !word.text.starts_with('-') || word.text == "-" {
            break;
        }
        at += 1;
        if word.text == "--" {
            break;
        }
        if valued.contains(&word.text.as_str()) {
            at += 1;
        }
    }
    at.min(arguments.len())
}

/// What stands behind a program's own options; `None` when there are none.
pub(super) fn behind_globals<'a>(program: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    let (_, valued) = GLOBALS.iter().find(|(name, _)| *name == program)?;
    // `cargo +nightly test` names a toolchain.
    let is_toolchain = |word: &Word| program == "cargo" && word.text.starts_with('+');
    let first = usize::from(arguments.first().is_some_and(is_toolchain));
    let at = first + count(arguments.get(first..).unwrap_or_default(), valued);
    (at > 0).then(|| arguments.get(at..).unwrap_or_default())
}

/// Whether a program has options by which it runs or writes something that its name does not tell.
pub fn has_tricks(command: &Simple) -> bool {
    match command.program() {
        "git" => {
            let subcommand = command.subcommand().unwrap_or_default();
            GIT.iter().any(|(name, _)| *name == subcommand)
        }
        program => TRICKS.iter().any(|trick| trick.program == program),
    }
}

/// The word by which a program runs or writes something that its name does not tell.
pub(super) fn trick_of<'a>(program: &str, arguments: &'a [Word]) -> Option<&'a str> {
    if program == "git" {
        return git_trick(arguments);
    }
    if program == "sed"
        && let Some(word) = sed::trick(arguments)
    {
        return Some(word);
    }
    let trick = TRICKS.iter().find(|trick| trick.program == program)?;
    arguments
        .iter()
        .map(|word| word.text.as_str())
        .find(|word| {
            trick.words.contains(word)
                || is_cluster_with(word, trick.letters)
                || trick.long.iter().any(|long| is_short_for(word, long))
        })
}

fn git_trick(arguments: &[Word]) -> Option<&str> {
    let globals = arguments
        .len()
        .saturating_sub(behind_globals("git", arguments).unwrap_or(arguments).len());
    let subcommand = arguments.get(globals).map_or("", |word| word.text.as_str());
    for (name, tricks) in GIT {
        let words = match *name {
            "" => arguments.get(..globals).unwrap_or_default(),
            name if name == subcommand => arguments.get(globals..).unwrap_or_default(),
            _ => continue,
        };
        let found = words.iter().map(|word| word.text.as_str()).find(|word| {
            tricks.iter().any(|trick| match *trick {
                "" => true,
                trick if trick.starts_with("--") => is_short_for(word, trick),
                trick if trick.starts_with('-') => {
                    word.starts_with(trick) && !word.starts_with("--")
                }
                trick => *word == trick,
            })
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a word is a group of short options with one of these letters: `-Ei`.
fn is_cluster_with(word: &str, letters: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| {
        !rest.starts_with('-') && rest.chars().any(|letter| letters.contains(letter))
    })
}

/// Whether a word is a long option or a beginning of it, as many programs take it: `--outp=x`.
fn is_short_for(word: &str, long: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    name.len() > 2 && name.starts_with("--") && long.starts_with(name)
}

/// Options of programs that search: whatever stands for the `*` behind one only says which files are searched.
pub(super) fn is_filter(option: &str) -> bool {
    [
        "--include=",
        "--exclude=",
        "--exclude-dir=",
        "--glob=",
        "--iglob=",
    ]
    .iter()
    .any(|filter| option.starts_with(filter))
}
