use proptest::prelude::*;

use super::{Argv, GIT, NO_COLOUR, Rest, USAGES, quoted};
use crate::permission::shell::Line;

const HOSTILE: &[&str] = &[
    "rm -rf x",
    "sh -c ls",
    "bash -c ls",
    "env ls",
    "sudo ls",
    "xargs ls",
    "find . -delete",
    "cd ..",
    "echo x",
    "true",
    "eval ls",
    "exec ls",
    "command ls",
    "python3 x.py",
    "tee x",
    "/bin/ls",
    "./ls",
    "../../bin/cat x",
    "LS",
    "ls --hyperlink=always",
    "ls -Z",
    "ls src -l",
    "cat -",
    "cat --show-all x",
    "stat --format=%n x",
    "stat",
    "file -C -m x",
    "file --compile x",
    "head -c 5 x",
    "head -n -5 x",
    "tail -f x",
    "tail --follow=name x",
    "tail --pid=1 x",
    "wc --files0-from=x",
    "pwd -P",
    "git",
    "git push",
    "git commit -m x",
    "git -c core.pager=x log",
    "git -C /x status",
    "git --git-dir=x status",
    "git --exec-path=x status",
    "git log --output=x",
    "git log -p",
    "git diff --ext-diff",
    "git diff --no-index a b",
    "git diff HEAD",
    "git branch new",
    "git branch -D x",
    "git remote add x y",
    "git grep -Ovim word",
    "git grep --open-files-in-pager word",
    "git status -- :(top)x",
    "git ls-files --with-tree=x",
    "A=1 ls",
    "ls A=$(id)",
    "ls ; rm x",
    "ls;rm",
    "cat a | sh",
    "cat <a",
    "ls >x",
    "ls & rm",
    "ls `id`",
];

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

fn read(line: &str) -> Result<Argv, String> {
    Argv::read(&words(line))
}

#[test]
fn every_program_of_the_table_is_accepted_with_all_that_it_takes() {
    let mut lines: Vec<String> = [
        "pwd",
        "ls",
        "ls -la",
        "ls -1aAdFhlprRStu --color=never src a/b.rs",
        "cat a.txt",
        "cat -n a.txt b.txt",
        "stat a",
        "file a b",
        "head a",
        "head -n 5 a",
        "head -n5 a",
        "head -5 a",
        "tail --lines=5 a b",
        "wc -l a",
        "wc -lwcmb a",
    ]
    .map(str::to_owned)
    .into();
    for (program, takes) in USAGES {
        if takes.contains("paths") {
            lines.push(format!("{program} some/path"));
        }
    }
    for command in GIT {
        let needed = if command.rest == Rest::PatternAndPaths {
            " word"
        } else {
            ""
        };
        for option in command.options.iter().chain(NO_COLOUR) {
            let option = option.replace('N', "7");
            lines.push(format!("git {} {option}{needed}", command.name));
        }
        match command.rest {
            Rest::Nothing => {}
            Rest::Paths => lines.push(format!("git {} -- src a.rs", command.name)),
            Rest::PatternAndPaths => lines.push(format!("git {} word src", command.name)),
        }
    }

    for line in lines {
        assert_eq!(
            read(&line).map(|argv| argv.words().to_vec()),
            Ok(words(&line)),
            "{line}"
        );
    }
}

#[test]
fn what_is_not_in_the_table_is_refused() {
    for line in HOSTILE {
        let refusal = read(line).expect_err(line);
        assert!(refusal.contains("shell_execute"), "{line}: {refusal}");
    }
    for (words, says) in [
        (vec![], "it names no program"),
        (vec!["cat", "  "], "its word 2 is empty"),
        (vec!["ls", "a\nb"], r"its word 2 holds the character \n"),
        (
            vec!["ls", "a\u{a0}b"],
            r"its word 2 holds the character \u{a0}",
        ),
        (
            vec!["ls", "a\u{1b}[2J"],
            r"its word 2 holds the character \u{1b}",
        ),
    ] {
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        assert_eq!(Argv::read(&words), Err(says.to_owned()));
    }
}

#[test]
fn the_number_and_the_length_of_words_are_bounded() {
    let fits = [vec!["ls".to_owned()], vec!["a".to_owned(); 31]].concat();
    let too_many = [fits.clone(), vec!["a".to_owned()]].concat();
    let long = |length| vec!["ls".to_owned(), "ä".repeat(length)];

    assert!(Argv::read(&fits).is_ok());
    assert_eq!(
        Argv::read(&too_many),
        Err("it has 33 words, and at most 32 are taken".to_owned())
    );
    assert!(Argv::read(&long(500)).is_ok());
    assert_eq!(
        Argv::read(&long(501)),
        Err("its word 2 has 501 characters, and at most 500 are taken".to_owned())
    );
}

#[test]
fn a_refusal_names_what_is_possible() {
    for (line, says) in [
        (
            "tail -f x",
            "`tail -f x` is not known to only look: `tail` takes -n N, -nN, -N or --lines=N, then paths here. Use \
             shell_execute for anything else",
        ),
        (
            "git branch x",
            "`git branch x` is not known to only look: `git branch` takes --show-current, --list, -a, -r, -v, \
             --color=never, --no-color here. Use shell_execute for anything else",
        ),
        (
            "git push",
            "`git push` is not known to only look: git is possible with status, diff, log, branch, remote, ls-files, \
             grep. Use shell_execute for anything else",
        ),
        (
            "rm x",
            "`rm x` is not known to only look: the programs are pwd, ls, cat, stat, file, head, tail, wc and git, by \
             their bare names and one word an argument. Use shell_execute for anything else",
        ),
    ] {
        assert_eq!(read(line), Err(says.to_owned()));
    }
}

#[test]
fn blanks_around_a_word_go_and_those_inside_stay() {
    let sent = [" cat ", "it's a *note*.txt "].map(str::to_owned);

    let argv = Argv::read(&sent).unwrap();

    assert_eq!(argv.words(), ["cat", "it's a *note*.txt"]);
    assert_eq!(argv.line(), r"cat 'it'\''s a *note*.txt'");
}

fn any_word() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "pwd", "ls", "cat", "stat", "file", "head", "tail", "wc", "git", "status", "log", "diff",
        "branch", "grep", "ls-files", "--", "-n", "5", "-5", "-l", "-la", "--stat", "-v", "a b",
        "x'y", "{a,b}", "{1..9}", "{é", "~", "*", "[a]", "$HOME", "\\", "\"", "!", "#", "A=1", "é",
        "..", "/etc", "", " ", "-", ":x", "rm", "sh", "-c", "`id`", "$(id)", ";",
    ]);
    prop_oneof![8 => known.prop_map(str::to_owned), 1 => ".{0,12}", 1 => "[ -~]{0,12}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_accepted_bash_reads_the_same_and_only_looks(
        program in prop::sample::select(vec!["ls", "cat", "git", "head", "file", "wc", "stat"]),
        behind in prop::collection::vec(any_word(), 0..5),
    ) {
        let mut words = vec![program.to_owned()];
        words.extend(behind);
        if let Ok(argv) = Argv::read(&words) {
            let line = Line::read(&quoted(argv.words()));

            prop_assert!(line.prove_readonly().is_ok(), "{words:?}");
            prop_assert_eq!(line.commands.len(), 1);
            let read: Vec<&String> = line.commands[0].words.iter().map(|word| &word.text).collect();
            prop_assert_eq!(read, argv.words().iter().collect::<Vec<_>>());
        }
    }
}

/// A word of letters that mean something to a shell.
fn odd_word() -> impl Strategy<Value = String> {
    let letters = prop::sample::select(vec![
        "a", "Z", "9", " ", "'", "\"", "\\", "$", "$(x)", "`", "\n", "\t", "~", "*", "?", "[",
        "{a,b}", "!", "#", "=", "-", ";", "&", "|", "<", ">", "(", ")", "ä", "\u{202e}", "\r", "%",
        "{{a}}",
    ]);
    prop::collection::vec(letters, 0..5).prop_map(|letters| letters.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// What a declared tool runs is judged by this line: it must be its words and nothing else.
    #[test]
    fn a_line_of_quoted_words_is_read_as_these_words_or_doubted(
        behind in prop::collection::vec(odd_word(), 0..5),
        input in prop::option::of(odd_word()),
    ) {
        let mut words = vec!["tracker".to_owned()];
        words.extend(behind);
        let mut text = quoted(&words);
        if let Some(input) = &input {
            text.push_str(&format!(" <<< {}", quoted(std::slice::from_ref(input))));
        }

        let line = Line::read(&text);

        prop_assert_eq!(line.commands.len(), 1, "{}", text);
        let read: Vec<&String> = line.commands[0].words.iter().map(|word| &word.text).collect();
        prop_assert_eq!(read, words.iter().collect::<Vec<_>>(), "{}", text);
        prop_assert!(line.commands[0].words.iter().all(|word| word.literal && !word.glob));
        prop_assert!(line.sets.is_empty());
    }
}
