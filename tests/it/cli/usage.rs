//! Usage: exit codes and where things are printed.

use super::program::{Program, Run};

#[test]
fn without_a_terminal_the_workbench_says_so_and_exits_5() {
    let program = Program::new();

    for arguments in [&[][..], &["fix the test"], &["-c"]] {
        assert_eq!(
            program.run(arguments),
            Run {
                code: Some(5),
                out: String::new(),
                err: "error: the workbench needs a terminal on stdin and stdout\n  \
                      = help: start qd in a terminal; `qd session list` and `qd config` work without one\n"
                    .to_owned(),
            }
        );
    }
    assert!(!program.home.exists(), "something was written");
}

#[test]
fn what_cannot_be_understood_exits_2_and_prints_nothing_on_stdout() {
    let program = Program::new();

    for arguments in [
        &["--level", "raed"][..],
        &["--no-such-flag"],
        &["-c", "-r", "x"],
        &["session"],
        &["session", "list", "--format", "xml"],
        &["--level", "read", "session", "list"],
        &["one prompt", "another"],
    ] {
        let run = program.run(arguments);

        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        // The mistake, or how the command is used.
        let says = run.err.starts_with("error: ") || run.err.contains("Usage: qd");
        assert!(says, "{arguments:?}: {}", run.err);
    }
}

#[test]
fn help_and_version_are_what_was_asked_for() {
    let program = Program::new();

    let help = program.run(&["--help"]);
    let version = program.run(&["--version"]);

    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    assert!(help.out.contains("Usage: qd "), "{}", help.out);
    // Nothing is offered that does not exist.
    assert!(!help.out.contains("--line"), "{}", help.out);
    assert_eq!(
        version,
        Run {
            code: Some(0),
            out: format!("qd {}\n", env!("CARGO_PKG_VERSION")),
            err: String::new()
        }
    );
}

#[test]
fn a_folder_that_is_not_there_is_named_and_exits_5() {
    let program = Program::new();
    let missing = program.folder.join("missing").display().to_string();

    let run = program.run(&["session", "list", "-C", &missing]);

    assert_eq!((run.code, run.out.as_str()), (Some(5), ""));
    assert!(
        run.err
            .starts_with(&format!("error: cannot work in {missing}: ")),
        "{}",
        run.err
    );
}

#[test]
fn a_place_that_cannot_be_written_is_named_with_what_to_do() {
    let program = Program::new();
    super::program::write(&program.home, "a file where a directory should be");

    let run = program.run(&["config", "init"]);

    assert_eq!((run.code, run.out.as_str()), (Some(5), ""));
    let file = program.config_file().display().to_string();
    assert!(run.err.contains("cannot be written"), "{}", run.err);
    assert!(run.err.contains(&format!("--> {file}")), "{}", run.err);
}
