use super::*;

fn read_named(text: &str) -> Result<AgentDocument, Wrong> {
    read("tests", text, "~/agents/tests.md:1".to_owned(), false)
}

#[test]
fn a_document_says_what_its_agents_are_and_may_do() {
    let text = "---\nname: tests\ndescription: Runs the\u{1b}[31m tests\nlevel: workspace\nnetwork: none\npermissions:\n  \
                shell_execute:\n    cargo test *: allow\n    \"*\": deny\n  file_read: allow\n---\nRun them all.\n";

    let document = read_named(text).unwrap();

    assert!(!document.description.contains('\u{1b}'));
    assert_eq!(document.instructions, "Run them all.");
    assert_eq!(document.level, Some(Level::Workspace));
    assert_eq!(document.network, Some(Network::None));
    let permissions = document.permissions.unwrap();
    assert!(permissions.answers);
    let rules: Vec<String> = permissions
        .rules()
        .iter()
        .map(|rule| format!("{} {} {}", rule.action, rule.resource, rule.verdict.name()))
        .collect();
    assert_eq!(
        rules,
        [
            "file_read * allow",
            "shell_execute * deny",
            "shell_execute cargo test * allow"
        ]
    );
    let of_project = read("tests", text, String::new(), true).unwrap();
    assert!(!of_project.permissions.unwrap().answers);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for (head, line, says) in [
        ("level: read", 1, "no `description`"),
        ("descripton: x", 2, "did you mean `description`?"),
        ("colour: red", 2, "the keys are name"),
        ("name: other\ndescription: x", 2, "that of its file, tests"),
        (
            "description: x\nlevel: root",
            3,
            "one of none, read, workspace, unrestricted, not root",
        ),
        ("description: x\nnetwork:", 3, "`network` has no value"),
        ("description: x\ndescription: y", 3, "twice"),
        ("description: x\n  more: y", 3, "takes names"),
        ("description: x\npermissions: all", 3, "below it"),
        (
            "description: x\npermissions:\n  bash: yes",
            4,
            "one of allow, ask, deny, not yes",
        ),
        (
            "description: x\npermissions:\n  bash:\n    ls:",
            5,
            "a pattern is",
        ),
        (
            "description: x\npermissions:\n  bash: ask\n    ls: ask",
            5,
            "unlike what is above",
        ),
        (
            "description: x\npermissions:\n  bash: ask\n  bash: deny",
            5,
            "twice",
        ),
        ("description: x\npermissions:\n  a b: ask", 4, "one word"),
    ] {
        let (at, what) = read_named(&format!("---\n{head}\n---\n")).unwrap_err();
        assert!(at == line && what.contains(says), "{head:?}: {at} {what}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_it(text in "---\n(([a-z]{1,4}|permissions|description|  bash|    ls): ?(allow|ask|x)?\n){0,8}---\n") {
        let _ = read_named(&text);
    }
}
