//! Programs that run other programs: what they run is read and judged as well.

use super::{
    Line, Role, Simple, Word, assignments,
    line::{DEEPEST, MOST_COMMANDS},
    options, repeated, shells,
};

/// Wrappers that change only limits and surroundings: program, options with a value, words before the command.
const PLAIN: &[(&str, &[&str], usize)] = &[
    ("builtin", &[], 0),
    ("busybox", &[], 0),
    ("caffeinate", &["-t", "-w"], 0),
    ("chronic", &[], 0),
    ("command", &[], 0),
    ("coproc", &[], 0),
    ("exec", &["-a"], 0),
    ("ionice", &["-c", "-n", "--class", "--classdata"], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    (
        "stdbuf",
        &["-i", "-o", "-e", "--input", "--output", "--error"],
        0,
    ),
    ("time", &["-f", "-o", "--format", "--output"], 0),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    ("unbuffer", &[], 0),
];

/// Programs that run others with other rights, elsewhere, or in a way that is not read here. Every word may be the
/// start of what they run.
const GATEWAYS: &[&str] = &[
    "at",
    "batch",
    "chroot",
    "chrt",
    "crontab",
    "dbus-run-session",
    "docker",
    "firejail",
    "fish",
    "flock",
    "gdb",
    "kubectl",
    "ltrace",
    "machinectl",
    "nerdctl",
    "nsenter",
    "numactl",
    "parallel",
    "pkexec",
    "podman",
    "proot",
    "runuser",
    "script",
    "setarch",
    "setpriv",
    "ssh",
    "strace",
    "su",
    "systemd-run",
    "taskset",
    "unshare",
    "valgrind",
    "xvfb-run",
];

/// How many words of a gateway are tried as the start of a command.
const MOST_STARTS: usize = 32;

/// Opens what the command at `place` runs.
pub(super) fn open(line: &mut Line, place: usize, depth: usize) {
    let Some(command) = line.commands.get(place).cloned() else {
        return;
    };
    let program = command.program();
    if let Some(trick) = options::trick_of(program, command.arguments()) {
        line.doubt(format!(
            "`{program} {trick}` can run or write something else"
        ));
        line.calculates |= matches!(program, "[" | "compgen" | "printf" | "test");
    }
    for name in assignments::named(&command) {
        line.set(name, Word::unknown("…"));
    }
    if let Some(doubt) = assignments::doubt_of(&command) {
        line.calculates = true;
        line.doubt(doubt);
    }
    if command
        .arguments()
        .iter()
        .any(|word| word.glob && word.text.starts_with('-') && !options::is_filter(&word.text))
    {
        line.doubt("an option is made of file names");
    }
    let role = match program {
        "sudo" | "doas" => {
            privileged(line, &command, depth);
            Role::Gateway
        }
        "env" => environment(line, &command, depth),
        "xargs" => repeated::from_input(line, &command, depth),
        "find" => {
            repeated::found(line, &command, depth);
            Role::Plain
        }
        "eval" | "watch" => shells::joined(line, &command, depth),
        "trap" => shells::trapped(line, &command, depth),
        "." | "source" => shells::sourced(line, &command, depth),
        "git" => {
            aliased(line, &command, depth);
            Role::Plain
        }
        "command" if is_question(&command) => Role::Plain,
        _ if shells::SHELLS.contains(&program) => shells::shell(line, &command, depth),
        _ if GATEWAYS.contains(&program) => gateway(line, &command, depth),
        _ => match PLAIN.iter().find(|(name, ..)| *name == program) {
            Some((_, valued, words)) => plain(line, &command, valued, *words, depth),
            None => Role::Plain,
        },
    };
    // What lies elsewhere under the name of a wrapper may do anything.
    let role = match role {
        Role::Wrapper if !command.is_of_system() => Role::Gateway,
        role => role,
    };
    if let Some(command) = line.commands.get_mut(place) {
        command.role = role;
    }
}

/// Takes in the command that stands at `words`; false when nothing stands there.
pub(super) fn inner(line: &mut Line, outer: &Simple, words: &[Word], depth: usize) -> bool {
    if words.is_empty() {
        return false;
    }
    if words
        .first()
        .is_some_and(|program| !program.literal || program.glob)
    {
        line.doubt(format!(
            "which program `{}` runs is not known before it runs",
            outer.program()
        ));
    }
    if depth > DEEPEST {
        line.doubt("commands inside of commands are nested too deeply");
        return true;
    }
    line.push(
        Simple {
            words: words.to_vec(),
            input: outer.input.clone(),
            ..Simple::default()
        },
        depth + 1,
    );
    true
}

fn plain(line: &mut Line, command: &Simple, valued: &[&str], skipped: usize, depth: usize) -> Role {
    let arguments = command.arguments();
    let mut start = options::count(arguments, valued) + skipped;
    // Words of the shell, not programs: variables may be set behind them.
    while matches!(command.program(), "time" | "coproc")
        && let Some((name, value)) = arguments.get(start).and_then(assignment)
    {
        doubt_assignment(line, name, value);
        start += 1;
    }
    let rest = arguments.get(start..).unwrap_or_default();
    if inner(line, command, rest, depth) {
        Role::Wrapper
    } else {
        Role::Plain
    }
}

/// `command -v x` only says where x is.
fn is_question(command: &Simple) -> bool {
    command
        .arguments()
        .first()
        .is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V"))
}

fn privileged(line: &mut Line, command: &Simple, depth: usize) {
    const VALUED: &[&str] = &[
        "-u",
        "-g",
        "-h",
        "-p",
        "-C",
        "-r",
        "-t",
        "-T",
        "-U",
        "-D",
        "-R",
        "--user",
        "--group",
        "--host",
        "--prompt",
        "--chdir",
        "--chroot",
        "--role",
        "--type",
        "--other-user",
    ];
    let arguments = command.arguments();
    let mut start = options::count(arguments, VALUED);
    while arguments
        .get(start)
        .is_some_and(|word| word.text.contains('='))
    {
        line.doubt("variables are set for a program with other rights");
        start += 1;
    }
    let _ = inner(
        line,
        command,
        arguments.get(start..).unwrap_or_default(),
        depth,
    );
}

fn environment(line: &mut Line, command: &Simple, depth: usize) -> Role {
    const VALUED: &[&str] = &["-u", "--unset", "-C", "--chdir"];
    let arguments = command.arguments();
    let splits = |word: &Word| {
        word.text.starts_with("--split-string")
            || (word.text.starts_with('-')
                && !word.text.starts_with("--")
                && word.text.contains('S'))
    };
    if arguments.iter().any(splits) {
        line.doubt("`env -S` makes a command of a text");
        tails(line, command, depth);
    }
    let mut start = options::count(arguments, VALUED);
    // Whatever holds `=` sets a variable, however it is named.
    while let Some((name, value)) = arguments
        .get(start)
        .and_then(|word| word.text.split_once('='))
    {
        doubt_assignment(line, name, value);
        start += 1;
    }
    let rest = arguments.get(start..).unwrap_or_default();
    if inner(line, command, rest, depth) {
        Role::Wrapper
    } else {
        Role::Plain
    }
}

fn doubt_assignment(line: &mut Line, name: &str, value: &str) {
    if !assignments::is_harmless_value(name, &Word::literal(value)) {
        line.doubt(format!("setting {name} may change what runs"));
    }
}

/// `NAME=value` as an argument.
fn assignment(word: &Word) -> Option<(&str, &str)> {
    let (name, value) = word.text.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some((name, value))
}

/// `git -c alias.x='!command' x`.
fn aliased(line: &mut Line, command: &Simple, depth: usize) {
    let values = command.arguments().iter().filter_map(|word| {
        let (name, value) = word.text.split_once('=')?;
        name.contains('.')
            .then(|| value.trim_start_matches('!').to_owned())
    });
    for value in values.collect::<Vec<_>>() {
        maybe(line, &value, depth);
    }
}

fn gateway(line: &mut Line, command: &Simple, depth: usize) -> Role {
    // Of programs with subcommands most only look.
    let words = command.arguments();
    let runs = match command.program() {
        "docker" | "podman" | "nerdctl" | "kubectl" => words.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "exec" | "run" | "create" | "debug" | "attach"
            )
        }),
        _ => true,
    };
    if runs && !words.is_empty() {
        line.doubt(format!("`{}` runs another program", command.program()));
        tails(line, command, depth);
    }
    Role::Gateway
}

/// Every end of the words may be a command, and every text of several words a line.
fn tails(line: &mut Line, command: &Simple, depth: usize) {
    let words = command.arguments();
    for start in 0..words.len().min(MOST_STARTS) {
        let tail = words.get(start..).unwrap_or_default();
        line.maybe.push(Simple {
            words: tail.to_vec(),
            ..Simple::default()
        });
        if let Some(first) = tail
            .first()
            .filter(|word| word.text.contains(char::is_whitespace))
        {
            maybe(line, &first.text, depth);
        }
    }
}

/// Reads a text that may be run.
pub(super) fn maybe(line: &mut Line, text: &str, depth: usize) {
    if depth >= DEEPEST {
        return;
    }
    let inside = Line::read_inside(text, depth + 1);
    line.maybe.extend(inside.commands);
    line.maybe.extend(inside.maybe);
    line.maybe.truncate(MOST_COMMANDS);
}
