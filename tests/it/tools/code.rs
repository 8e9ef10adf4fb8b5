//! Code: what it gets, what it prints, how it ends. Without an engine nobody answers its calls.

use quarterdeck::{
    domain::display::Display,
    process::supervisor,
    tools::{error::ToolError, output::ToolOutput},
};
use serde_json::{Value, json};

use crate::support::host::{Workbench, interpreters};

fn bench() -> Workbench {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let bench = Workbench::new();
    std::fs::create_dir(bench.path.join(".spool")).unwrap();
    bench
}

async fn run(bench: &Workbench, arguments: Value) -> ToolOutput {
    bench.call("code_execute", arguments).await.unwrap()
}

async fn text(bench: &Workbench, language: &str, code: &str) -> String {
    run(bench, json!({"language": language, "code": code}))
        .await
        .text
}

fn languages() -> Vec<&'static str> {
    interpreters(&["python3", "node"])
}

/// Whether Python is here.
fn has_python() -> bool {
    !interpreters(&["python3"]).is_empty()
}

#[tokio::test]
async fn code_is_run_as_it_is_and_never_by_a_shell() {
    let bench = bench();
    for language in languages() {
        let code = match language {
            "python3" => {
                "name = \"$(touch made) `touch made` 'x'\"\nprint(__name__, name, \"é\\n\")"
            }
            _ => {
                "const name = \"$(touch made) `touch made` 'x'\";\nconsole.log('__main__', name, \"é\\n\")"
            }
        };

        let output = run(&bench, json!({"language": language, "code": code})).await;

        assert_eq!(output.text, "__main__ $(touch made) `touch made` 'x' é");
        let Display::Terminal { command, exit, .. } = &output.display else {
            panic!("no terminal");
        };
        assert_eq!((command.as_str(), *exit), (code, Some(0)));
        assert!(!bench.path.join("made").exists());
    }
}

#[tokio::test]
async fn what_it_reads_is_its_input_and_what_it_starts_gets_no_line_to_us() {
    let bench = bench();
    for language in languages() {
        let code = match language {
            "python3" => {
                "import os, sys\nprint(repr(sys.stdin.read()))\nprint(len(sys.argv))\n\
                          os.system('echo out; echo err >&2; (: >&3) 2>/dev/null && echo line')"
            }
            _ => {
                "const { spawnSync } = require('child_process');\n\
                  console.log(\"'\" + require('fs').readFileSync(0, 'utf8').replace('\\n', '\\\\n') + \"'\");\n\
                  console.log(process.argv.length);\n\
                  spawnSync('sh', ['-c', 'echo out; echo err >&2; (: >&3) 2>/dev/null && echo line'], { stdio: 'inherit' })"
            }
        };

        let arguments = json!({"language": language, "code": code, "input": "ü\nrest"});
        let output = run(&bench, arguments).await;

        assert_eq!(output.text, "'ü\\nrest'\n1\nout\nerr", "{language}");
    }
}

#[tokio::test]
async fn what_goes_wrong_is_shown_with_the_lines_of_the_code() {
    let bench = bench();
    for language in languages() {
        let (fails, broken, place) = match language {
            "python3" => (
                "x = 1\n\ndef f():\n    return x / 0\nf()",
                "x = (",
                "File \"<code>\", line 4, in f\n    return x / 0",
            ),
            _ => (
                "let x = 1\n\nfunction f() {\n  return x.y.z\n}\nf()",
                "let x = (",
                "at f (code.js:4:",
            ),
        };

        let failed = text(&bench, language, fails).await;
        let broken = text(&bench, language, broken).await;

        assert!(failed.contains(place), "{failed}");
        assert!(
            !failed.contains("_run") && !failed.contains("[eval]"),
            "{failed}"
        );
        assert!(failed.ends_with("[exit code: 1]"), "{failed}");
        assert!(
            broken.contains("SyntaxError") && broken.ends_with("[exit code: 1]"),
            "{broken}"
        );
    }
    if languages().contains(&"node") {
        let awaited = text(
            &bench,
            "node",
            "const { join } = await import('path'); await null; throw new Error(join('a', 'b'))",
        );
        let awaited = awaited.await;
        assert!(
            awaited.contains("Error: a/b") && awaited.ends_with("[exit code: 1]"),
            "{awaited}"
        );
    }
    if has_python() {
        let left = text(&bench, "python3", "raise SystemExit(3)").await;
        assert_eq!(left, "(no output)\n[exit code: 3]");
    }
}

#[tokio::test]
async fn modules_of_the_folder_are_there_and_do_not_stand_in_for_ours() {
    if !has_python() {
        return;
    }
    let bench = bench();
    bench.put("json.py", "raise Exception('not this one')");
    bench.put("own.py", "value = 7");

    assert_eq!(
        text(&bench, "python3", "import own\nprint(own.value)").await,
        "7"
    );
}

#[tokio::test]
async fn it_ends_in_time_and_when_it_is_killed_and_when_it_is_stopped() {
    if !has_python() {
        return;
    }
    let bench = bench();
    let limit = json!({"language": "python3", "code": "print('begun', flush=True)\nwhile True: pass", "timeout_ms": 700});
    let killed = "import os, signal\nprint('begun')\nos.kill(os.getpid(), signal.SIGKILL)";

    let timed_out = run(&bench, limit).await.text;
    let killed = text(&bench, "python3", killed).await;
    bench.host.state().ends = Some(bench.context.cancel.clone());
    let stopped =
        json!({"language": "python3", "code": "print('begun')\nimport time\ntime.sleep(600)"});
    let stopped = bench.call("code_execute", stopped).await;

    assert!(
        timed_out.starts_with("begun\n[ended with all its processes after 700 ms"),
        "{timed_out}"
    );
    assert_eq!(killed, "begun\n[ended by SIGKILL]");
    let Err(ToolError::Interrupted(output)) = stopped else {
        panic!("not stopped: {stopped:?}");
    };
    assert!(
        output.text.starts_with("begun\n[stopped after"),
        "{}",
        output.text
    );
}

#[tokio::test]
async fn only_so_much_is_answered_as_was_asked_for() {
    if !has_python() {
        return;
    }
    let bench = bench();
    let code = "for i in range(2000): print('line', i)";

    let output = run(
        &bench,
        json!({"language": "python3", "code": code, "max_output_chars": 1000}),
    )
    .await;

    assert!(output.text.chars().count() < 1100, "{}", output.text.len());
    assert!(
        output.text.starts_with("line 0\nline 1\n") && output.text.ends_with("line 1999"),
        "{}",
        output.text
    );
    assert!(output.text.contains("lines ("), "{}", output.text);
}

#[tokio::test]
async fn calls_that_nobody_answers_are_errors_in_the_code() {
    let bench = bench();
    for language in languages() {
        let code = match language {
            "python3" => {
                "for name in ['file_read', 'code_execute', 'shell_execute', 'nothing']:\n    try:\n        \
                          tool(name, path='x')\n    except ToolError as error:\n        print(error)"
            }
            _ => {
                "for (const name of ['file_read', 'code_execute', 'shell_execute', 'nothing']) {\n  try {\n    \
                  tool(name, { path: 'x' });\n  } catch (error) {\n    \
                  if (error instanceof ToolError) console.log(error.message);\n  }\n}"
            }
        };

        let text = text(&bench, language, code).await;

        let can = "it can call file_read, file_edit, file_write, notebook_edit, file_find, file_search, shell_inspect";
        let refused = ["code_execute", "shell_execute", "nothing"]
            .map(|name| format!("code cannot call {name:?}; {can}"))
            .join("\n");
        assert_eq!(text, format!("tools cannot be called from here\n{refused}"));
    }
}

#[tokio::test]
async fn an_unknown_language_is_refused_with_those_that_are_known() {
    let bench = bench();

    let unknown = bench
        .text("code_execute", json!({"language": "ruby", "code": "1"}))
        .await;

    assert!(
        unknown.contains("language") && unknown.contains("python3"),
        "{unknown}"
    );
}
