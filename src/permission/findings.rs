//! What a command line does as far as it is understood, for the person who is asked about it. No verdict comes from
//! here: what is not listed may happen all the same.

use super::{
    call::{PreparedCall, Target},
    consult,
    floor::FETCHERS,
    shell::{Line, Role, Simple, Word},
};
use crate::domain::{approval::Findings, permission::Risk};

/// The most that is listed of one kind.
const MOST: usize = 20;
/// What is listed behind so many where there was more.
const MORE: &str = "and more";

/// Which arguments of a program are the files that it changes.
#[derive(Clone, Copy, PartialEq)]
enum Changed {
    /// All of them.
    All,
    /// All but the first.
    BehindFirst,
    /// The last, or what `-t` names.
    Last,
}

/// Programs that change files: name, options with a value, which files.
const CHANGERS: &[(&str, &[&str], Changed)] = &[
    ("chgrp", &[], Changed::BehindFirst),
    ("chmod", &[], Changed::BehindFirst),
    ("chown", &[], Changed::BehindFirst),
    ("cp", &["-S"], Changed::Last),
    ("install", &["-g", "-m", "-o", "-S"], Changed::Last),
    ("ln", &["-S"], Changed::Last),
    ("mkdir", &["-m"], Changed::All),
    ("mkfifo", &["-m"], Changed::All),
    ("mv", &["-S"], Changed::All),
    ("rsync", &["-e", "-f"], Changed::Last),
    ("tee", &[], Changed::All),
    ("touch", &["-d", "-r", "-t"], Changed::All),
    ("truncate", &["-r", "-s"], Changed::All),
];

/// Programs that delete what they are given.
const DELETERS: &[(&str, &[&str])] = &[
    ("rm", &[]),
    ("rmdir", &[]),
    ("shred", &["-n", "-s"]),
    ("unlink", &[]),
];

/// Programs that use the network whatever they are told, beside those that fetch.
const NETWORKED: &[&str] = &[
    "dig", "ftp", "gh", "host", "nc", "ncat", "netcat", "nslookup", "ping", "scp", "sftp", "socat",
    "ssh", "telnet", "whois",
];

/// Programs that use the network for some of their subcommands.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("apk", &["add", "fetch", "update", "upgrade"]),
    ("apt", &["full-upgrade", "install", "update", "upgrade"]),
    ("apt-get", &["dist-upgrade", "install", "update", "upgrade"]),
    ("brew", &["fetch", "install", "update", "upgrade"]),
    ("bun", &["add", "install", "publish", "update"]),
    (
        "cargo",
        &["add", "fetch", "install", "publish", "search", "update"],
    ),
    ("dnf", &["install", "update", "upgrade"]),
    ("docker", &["login", "pull", "push"]),
    ("gem", &["install", "push", "update"]),
    ("git", &["clone", "fetch", "ls-remote", "pull", "push"]),
    ("go", &["get", "install"]),
    ("npm", &["add", "ci", "i", "install", "publish", "update"]),
    ("pip", &["download", "install"]),
    ("pip3", &["download", "install"]),
    ("pnpm", &["add", "i", "install", "publish", "update"]),
    ("podman", &["login", "pull", "push"]),
    ("uv", &["add", "lock", "sync"]),
    ("yarn", &["add", "install", "publish", "upgrade"]),
];

/// What is known of the command lines of a call.
pub fn findings(call: &PreparedCall) -> Findings {
    let mut found = Findings::default();
    let lines = call.targets.iter().filter_map(|target| match target {
        Target::Shell { line, .. } => Some(&**line),
        Target::Path { .. } | Target::Agent { .. } | Target::Url { .. } => None,
    });
    for line in lines {
        found.only_looks = call.risk == Risk::ReadOnlyLocal;
        read(&mut found, line);
    }
    found
}

fn read(found: &mut Findings, line: &Line) {
    let told = line.commands.iter();
    for command in told.filter(|command| command.role != Role::Wrapper) {
        let (program, words) = (command.program(), command.arguments());
        if let Some((_, valued)) = DELETERS.iter().find(|(name, _)| *name == program) {
            note(&mut found.deletes, operands(words, valued));
        }
        note(&mut found.writes, written(program, words));
        note(&mut found.network, networked(command));
    }
    let redirects = line.redirects.iter().filter(|redirect| redirect.writes);
    note(
        &mut found.writes,
        redirects.map(|redirect| redirect.file.text.as_str()),
    );
    let doubts = line.doubts.iter().map(ToString::to_string);
    note(&mut found.doubts, doubts.chain(consult::unknown(line)));
}

fn note(list: &mut Vec<String>, found: impl IntoIterator<Item = impl Into<String>>) {
    for text in found {
        let text = text.into();
        match list.len() {
            _ if list.contains(&text) => {}
            0..MOST => list.push(text),
            MOST => list.push(MORE.to_owned()),
            _ => {}
        }
    }
}

/// Arguments that are neither options nor values of options.
fn operands<'a>(words: &'a [Word], valued: &[&str]) -> Vec<&'a str> {
    let mut operands = Vec::new();
    let mut texts = words.iter().map(|word| word.text.as_str());
    while let Some(text) = texts.next() {
        if text == "--" {
            operands.extend(texts);
            break;
        }
        if valued.contains(&text) {
            texts.next();
        } else if !text.starts_with('-') {
            operands.push(text);
        }
    }
    operands
}

/// The files that a program changes.
fn written<'a>(program: &str, words: &'a [Word]) -> Vec<&'a str> {
    let texts = || words.iter().map(|word| word.text.as_str());
    if program == "dd" {
        return texts()
            .filter_map(|text| text.strip_prefix("of="))
            .collect();
    }
    if program == "sed" {
        let in_place = |text: &str| text.starts_with("-i") || text.starts_with("--in-place");
        if !texts().any(in_place) {
            return Vec::new();
        }
        let has_script = texts().any(|text| matches!(text, "-e" | "-f"));
        let files = operands(words, &["-e", "-f"]);
        return files.into_iter().skip(usize::from(!has_script)).collect();
    }
    let Some((_, valued, changed)) = CHANGERS.iter().find(|(name, ..)| *name == program) else {
        return Vec::new();
    };
    match changed {
        Changed::All => operands(words, valued),
        Changed::BehindFirst => operands(words, valued).into_iter().skip(1).collect(),
        Changed::Last => {
            let mut named = texts().skip_while(|text| *text != "-t").skip(1);
            let named = named
                .next()
                .or_else(|| texts().find_map(|text| text.strip_prefix("--target-directory=")));
            let last = operands(words, valued).last().copied();
            named.or(last).into_iter().collect()
        }
    }
}

/// How a command uses the network: its name, with the subcommand that does.
/// How a command uses the network.
pub(super) fn networked(command: &Simple) -> Option<String> {
    let program = command.program();
    if FETCHERS.contains(&program) || NETWORKED.contains(&program) {
        return Some(program.to_owned());
    }
    if program == "rsync" {
        let is_remote = command
            .arguments()
            .iter()
            .any(|word| word.text.contains(':'));
        return is_remote.then(|| program.to_owned());
    }
    let (_, using) = SUBCOMMANDS.iter().find(|(name, _)| *name == program)?;
    let subcommand = command.subcommand()?;
    using
        .contains(&subcommand)
        .then(|| format!("{program} {subcommand}"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::domain::access::{Access, Resource};

    fn found(command: &str) -> Findings {
        let access = Access {
            resources: vec![Resource::Shell {
                command: command.to_owned(),
            }],
            ..Access::write(PathBuf::new())
        };
        let access = Access {
            risk: Risk::Execution,
            ..access
        };
        let call = PreparedCall::new("shell_execute", &[], &access, |path| {
            (path.to_owned(), false)
        });
        findings(&call)
    }

    fn list(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_line_that_only_looks_says_so_and_nothing_else() {
        let looks = Findings {
            only_looks: true,
            ..Findings::default()
        };

        assert_eq!(found("ls -la src | head -5"), looks);
        assert!(!found("make").only_looks);
    }

    #[test]
    fn what_is_deleted_and_written_is_named() {
        for (line, deletes, writes) in [
            ("rm -rf build x", list(&["build", "x"]), list(&[])),
            ("cd a && sudo rm -- -f", list(&["-f"]), list(&[])),
            ("find . -name y | xargs rm", list(&["…"]), list(&[])),
            ("cp -r a b c; mv d e", list(&[]), list(&["c", "d", "e"])),
            ("cp -t dir a b", list(&[]), list(&["dir"])),
            ("make > log 2>&1", list(&[]), list(&["log"])),
            ("make 2>/dev/null | tee -a o", list(&[]), list(&["o"])),
            ("sed -i s/a/b/ f g", list(&[]), list(&["f", "g"])),
            ("sed -n p f", list(&[]), list(&[])),
            ("touch -d now a; chmod +x b", list(&[]), list(&["a", "b"])),
            ("sh -c 'rm x; echo > y'", list(&["x"]), list(&["y"])),
        ] {
            let found = found(line);
            assert_eq!((found.deletes, found.writes), (deletes, writes), "{line}");
        }
    }

    #[test]
    fn what_uses_the_network_is_named() {
        for (line, network) in [
            ("curl -s x | grep y; wget z", list(&["curl", "wget"])),
            ("git -C a push; git status", list(&["git push"])),
            ("rsync a b; rsync a host:b", list(&["rsync"])),
            ("npm --silent ci; npm test", list(&["npm ci"])),
            ("cargo +nightly install x", list(&["cargo install"])),
        ] {
            assert_eq!(found(line).network, network, "{line}");
        }
    }

    #[test]
    fn what_is_not_understood_says_why() {
        assert_eq!(
            found("rm $x").doubts,
            list(&["what `rm $x` gets is not known before it runs"])
        );
        assert_eq!(
            found("echo $(ls)").doubts.first().map(String::as_str),
            Some("a part of the line depends on what another command prints")
        );
        assert_eq!(found("rm x").doubts, list(&[]));
    }
}
