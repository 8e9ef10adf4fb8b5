//! Values and commands: whatever a value is, it stays one argument.

use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};
use serde_json::json;

use super::*;

fn tool(command: &[&str]) -> DeclaredTool {
    DeclaredTool {
        name: "t".to_owned(),
        description: String::new(),
        parameters: Vec::new(),
        command: command.iter().map(|entry| (*entry).to_owned()).collect(),
        input: ToolInput::Nothing,
        timeout_ms: None,
        level: Level::None,
        output: OutputForm::Terminal,
    }
}

fn values(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn placeholders_are_names_in_double_braces_and_everything_else_is_text() {
    use Part::{Placeholder, Text};
    let table: [(&str, &[Part<'_>]); 9] = [
        ("", &[]),
        ("plain", &[Text("plain")]),
        ("{{a}}", &[Placeholder("a")]),
        (
            "-x={{a}}/{{b_2}}!",
            &[
                Text("-x="),
                Placeholder("a"),
                Text("/"),
                Placeholder("b_2"),
                Text("!"),
            ],
        ),
        ("{{.Names}}", &[Text("{{.Names}}")]),
        ("{{a", &[Text("{{a")]),
        ("{{ a }}", &[Text("{{ a }}")]),
        ("{{{a}}}", &[Text("{"), Placeholder("a"), Text("}")]),
        ("ä{{a}}ä", &[Text("ä"), Placeholder("a"), Text("ä")]),
    ];
    for (entry, expected) in table {
        assert_eq!(parts(entry), expected, "{entry}");
    }
}

#[test]
fn what_was_left_out_takes_its_own_entry_with_it_and_is_empty_inside_of_another() {
    let tool = tool(&["run", "{{a}}", "--b={{b}}", "{{b}}", "end"]);

    assert_eq!(tool.argv(&values(&[])), ["run", "--b=", "end"]);
    assert_eq!(
        tool.argv(&values(&[("a", ""), ("b", "x y")])),
        ["run", "", "--b=x y", "x y", "end"]
    );
}

#[test]
fn a_value_is_never_read_as_a_placeholder() {
    let tool = tool(&["run", "{{a}}{{b}}"]);

    assert_eq!(
        tool.argv(&values(&[("a", "{{b}}"), ("b", "{{a}}")])),
        ["run", "{{b}}{{a}}"]
    );
}

#[test]
fn values_become_of_their_type_as_near_as_they_are_to_it() {
    use ParameterKind::{Boolean, Integer, Number, String};
    let table = [
        (String, json!("x"), Some(json!("x"))),
        (String, json!(3), Some(json!("3"))),
        (String, json!(true), Some(json!("true"))),
        (String, json!(["x"]), None),
        (Integer, json!(3), Some(json!(3))),
        (Integer, json!(3.0), Some(json!(3))),
        (Integer, json!("3"), Some(json!(3))),
        (Integer, json!(3.5), None),
        (Integer, json!("three"), None),
        (Integer, json!("3; rm"), None),
        (Number, json!("2.5"), Some(json!(2.5))),
        (Number, json!("0x10"), None),
        (Number, json!("inf"), None),
        (Boolean, json!("TRUE"), Some(json!(true))),
        (Boolean, json!(1), None),
    ];
    for (kind, sent, expected) in table {
        assert_eq!(kind.read(&sent), expected, "{} {sent}", kind.name());
    }
}

#[test]
fn numbers_are_written_plainly() {
    let table = [
        (json!(3), "3"),
        (json!(1e21), "1000000000000000000000"),
        (json!(0.5), "0.5"),
        (json!(true), "true"),
        (json!("a b"), "a b"),
    ];
    for (value, expected) in table {
        assert_eq!(rendered(&value), expected);
    }
}

fn entry() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        proptest::sample::select(vec![
            "{{a}}", "{{b}}", "{{", "}}", " ", "x", "'", "\"", "$(y)", "\n", "ä",
        ]),
        0..6,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
    /// The number of arguments depends on the command and on which values there are, and never on what they hold.
    #[test]
    fn no_value_ever_becomes_two_arguments(
        entries in proptest::collection::vec(entry(), 1..6),
        a in any::<Option<String>>(),
        b in any::<Option<String>>(),
    ) {
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let tool = tool(&entries);
        let given: Vec<(&str, &str)> = [("a", &a), ("b", &b)]
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .collect();
        let plain: Vec<(&str, &str)> = given.iter().map(|(name, _)| (*name, "v")).collect();

        let argv = tool.argv(&values(&given));
        let of_plain = tool.argv(&values(&plain));

        prop_assert_eq!(argv.len(), of_plain.len());
        for (entry, argument) in entries
            .iter()
            .filter(|entry| match parts(entry).as_slice() {
                [Part::Placeholder(name)] => given.iter().any(|(known, _)| known == name),
                _ => true,
            })
            .zip(&argv)
        {
            let mut expected = String::new();
            for part in parts(entry) {
                expected.push_str(match part {
                    Part::Text(text) => text,
                    Part::Placeholder(name) => given
                        .iter()
                        .find(|(known, _)| *known == name)
                        .map_or("", |(_, value)| *value),
                });
            }
            prop_assert_eq!(argument, &expected);
        }
    }
}
