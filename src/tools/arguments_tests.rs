//! The rules of the argument reader, one by one.

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// The lines.
    Lines,
    /// The numbers.
    Count,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Part {
    old: String,
    #[schemars(extend("x-blank" = true))]
    new: String,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Arguments {
    file_path: String,
    #[schemars(extend("x-blank" = true))]
    content: Option<String>,
    note: Option<String>,
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    offset: Option<i64>,
    share: Option<f64>,
    #[serde(default)]
    all: bool,
    names: Option<Vec<String>>,
    parts: Option<Vec<Part>>,
    form: Option<Form>,
    headers: Option<std::collections::BTreeMap<String, String>>,
}

const ABOUT: About = About {
    name: "file_try",
    aliases: &[],
    argument_aliases: &[
        ("path", "file_path"),
        ("old", "old_string"),
        ("max", "limit"),
    ],
    verb: "try",
    description: "Tries.",
    subject: "file_path",
    editable: None,
};

fn check(sent: &Value) -> Result<Value, String> {
    let normal = normalize::<Arguments>(&ABOUT, sent).map_err(|error| error.to_string())?;
    read::<Arguments>(&ABOUT, &normal).map_err(|error| error.to_string())?;
    Ok(normal)
}

/// What becomes of arguments: a statement, what is sent, and what the tool gets or the model is told.
type Row = (&'static str, Value, Result<Value, &'static str>);

/// Checks rows whose arguments stand beside a good `file_path`.
fn check_beside(table: Vec<Row>) {
    let beside = |value: Value| {
        let mut all = json!({"file_path": "a"});
        for (key, value) in value.as_object().expect("an object") {
            all[key] = value.clone();
        }
        all
    };
    for (statement, sent, expected) in table {
        let expected = expected
            .map(beside)
            .map_err(|told| format!("file_try: {told}"));
        assert_eq!(check(&beside(sent)), expected, "{statement}");
    }
}

/// Checks rows with all of their arguments.
fn check_whole(table: Vec<Row>) {
    for (statement, sent, expected) in table {
        let expected = expected.map_err(|told| format!("file_try: {told}"));
        assert_eq!(check(&sent), expected, "{statement}");
    }
}

#[test]
fn texts() {
    check_whole(vec![
        (
            "a blank required text is missing, by name",
            json!({"file_path": " \n"}),
            Err("`file_path` is blank; it must be text"),
        ),
        (
            "one that is not there is missing",
            json!({}),
            Err("`file_path` is missing; it must be text"),
        ),
        (
            "null is the same",
            json!({"file_path": null}),
            Err("`file_path` is missing; it must be text"),
        ),
        (
            "no arguments are none",
            Value::Null,
            Err("`file_path` is missing; it must be text"),
        ),
        (
            "another type is refused by name",
            json!({"file_path": 7}),
            Err("`file_path` must be text, but the number 7 was sent"),
        ),
        (
            "so is a list",
            json!({"file_path": ["a"]}),
            Err("`file_path` must be text, but the list [\"a\"] was sent"),
        ),
    ]);
    check_beside(vec![
        (
            "a blank optional text is left out",
            json!({"note": " \t\n"}),
            Ok(json!({})),
        ),
        ("an empty one too", json!({"note": ""}), Ok(json!({}))),
        ("null too", json!({"note": null}), Ok(json!({}))),
        (
            "blanks around words stay",
            json!({"note": " x "}),
            Ok(json!({"note": " x "})),
        ),
        (
            "of another type it is refused",
            json!({"note": false}),
            Err("`note` must be text, but false was sent"),
        ),
        (
            "a text whose blank is a value keeps it",
            json!({"content": "", "parts": [{"old": "x", "new": "  "}]}),
            Ok(json!({"content": "", "parts": [{"old": "x", "new": "  "}]})),
        ),
        (
            "but null is left out there as well",
            json!({"content": null}),
            Ok(json!({})),
        ),
        (
            "a word of a list of words",
            json!({"form": "tree"}),
            Err("`form` must be one of \"lines\", \"count\", but the text \"tree\" was sent"),
        ),
        (
            "a blank word is left out",
            json!({"form": ""}),
            Ok(json!({})),
        ),
    ]);
}

#[test]
fn lists() {
    check_beside(vec![
        (
            "one bare value is a list of one",
            json!({"names": "one", "parts": {"old": "x", "new": ""}}),
            Ok(json!({"names": ["one"], "parts": [{"old": "x", "new": ""}]})),
        ),
        (
            "blank entries are dropped",
            json!({"names": ["", "b", " "]}),
            Ok(json!({"names": ["b"]})),
        ),
        (
            "a bare blank is an empty list",
            json!({"names": " "}),
            Ok(json!({"names": []})),
        ),
        (
            "an empty list is an empty list",
            json!({"names": []}),
            Ok(json!({"names": []})),
        ),
        (
            "an entry of another type is refused by its place",
            json!({"names": ["b", 3]}),
            Err("`names[1]` must be text, but the number 3 was sent"),
        ),
        (
            "null is no entry",
            json!({"names": ["b", null]}),
            Err("`names[1]` must be text, but null was sent"),
        ),
        (
            "a bare value of another type is refused",
            json!({"names": 3}),
            Err("`names` must be text, but the number 3 was sent"),
        ),
        (
            "a list spelled as text is a text",
            json!({"names": "[\"a\"]"}),
            Ok(json!({"names": ["[\"a\"]"]})),
        ),
        (
            "where objects are wanted it is refused",
            json!({"parts": "[{}]"}),
            Err("`parts` must be an object with old, new, but the text \"[{}]\" was sent"),
        ),
        (
            "what an entry lacks is named",
            json!({"parts": [{"old": "x"}]}),
            Err("`parts[0].new` is missing; it must be text"),
        ),
    ]);
}

#[test]
fn numbers() {
    check_beside(vec![(
        "whole ones, 2.0 included; negative where no count is asked for; fractions where they are asked for",
        json!({"limit": 2.0, "offset": -3, "share": 0.5}),
        Ok(json!({"limit": 2, "offset": -3, "share": 0.5})),
    )]);
    for (sent, shown) in [
        (json!("2"), "the text \"2\""),
        (json!(" "), "the text \" \""),
        (json!(2.5), "the number 2.5"),
        (json!(-1), "the number -1"),
        (json!(0), "the number 0"),
        (json!(501), "the number 501"),
        (json!(u64::MAX), "the number 18446744073709551615"),
        (json!(true), "true"),
        (json!([2]), "the list [2]"),
        (json!(1e300), "the number 1e+300"),
    ] {
        assert_eq!(
            check(&json!({"file_path": "a", "limit": sent})),
            Err(format!(
                "file_try: `limit` must be a whole number from 1 to 500, but {shown} was sent"
            ))
        );
    }
    check_beside(vec![
        (
            "the largest whole number",
            json!({"offset": i64::MAX}),
            Ok(json!({"offset": i64::MAX})),
        ),
        (
            "one more",
            json!({"offset": 9_223_372_036_854_775_808_u64}),
            Err("`offset` must be a whole number, but the number 9223372036854775808 was sent"),
        ),
        (
            "the largest float that says which whole number is meant",
            json!({"offset": 9_007_199_254_740_992.0}),
            Ok(json!({"offset": 9_007_199_254_740_992_i64})),
        ),
        (
            "the next one",
            json!({"offset": 9_007_199_254_740_994.0}),
            Err("`offset` must be a whole number, but the number 9007199254740994.0 was sent"),
        ),
        (
            "a quoted fraction",
            json!({"share": "0.5"}),
            Err("`share` must be a number, but the text \"0.5\" was sent"),
        ),
    ]);
}

#[test]
fn true_and_false() {
    check_beside(vec![
        ("true", json!({"all": true}), Ok(json!({"all": true}))),
        ("false", json!({"all": false}), Ok(json!({"all": false}))),
        ("null is left out", json!({"all": null}), Ok(json!({}))),
        (
            "a quoted one is not read as one",
            json!({"all": "true"}),
            Err("`all` must be true or false, but the text \"true\" was sent"),
        ),
        (
            "nor a blank as false",
            json!({"all": ""}),
            Err("`all` must be true or false, but the text \"\" was sent"),
        ),
        (
            "nor a number",
            json!({"all": 1}),
            Err("`all` must be true or false, but the number 1 was sent"),
        ),
    ]);
}

#[test]
fn objects() {
    check_beside(vec![
        (
            "an object keeps every entry, blank ones too",
            json!({"headers": {"a": "", "b": "x"}}),
            Ok(json!({"headers": {"a": "", "b": "x"}})),
        ),
        (
            "an empty one stays",
            json!({"headers": {}}),
            Ok(json!({"headers": {}})),
        ),
        (
            "an object spelled as text is refused",
            json!({"headers": "{\"a\": \"b\"}"}),
            Err("`headers` must be an object, but the text \"{\\\"a\\\": \\\"b\\\"}\" was sent"),
        ),
        (
            "a blank text too",
            json!({"headers": ""}),
            Err("`headers` must be an object, but the text \"\" was sent"),
        ),
        (
            "a list too",
            json!({"headers": [{"a": "b"}]}),
            Err("`headers` must be an object, but the list [{\"a\":\"b\"}] was sent"),
        ),
        (
            "entries of another type are refused by name",
            json!({"headers": {"a": 1}}),
            Err("`headers.a` must be text, but the number 1 was sent"),
        ),
        (
            "null is no entry",
            json!({"headers": {"a": null}}),
            Err("`headers.a` must be text, but null was sent"),
        ),
    ]);
    for (sent, shown) in [
        (json!(["a"]), "the list [\"a\"]"),
        (json!("{}"), "the text \"{}\""),
        (json!(true), "true"),
    ] {
        assert_eq!(
            check(&sent),
            Err(format!(
                "file_try: the arguments must be an object, but {shown} was sent"
            ))
        );
    }
}

#[test]
fn names() {
    for name in ["path", "filePath", "file-path", "FilePath", "file.path"] {
        assert_eq!(
            check(&json!({name: "a", "max": 3})),
            Ok(json!({"file_path": "a", "limit": 3})),
            "{name}"
        );
    }
    check_beside(vec![
        (
            "an alias holds both ways inside a list",
            json!({"parts": [{"oldString": "x", "new": "y"}]}),
            Ok(json!({"parts": [{"old": "x", "new": "y"}]})),
        ),
        (
            "a field given twice with one value is given once",
            json!({"path": "a"}),
            Ok(json!({})),
        ),
        (
            "a blank one does not count",
            json!({"path": ""}),
            Ok(json!({})),
        ),
        (
            "given twice with two values it is refused",
            json!({"path": "b"}),
            Err("`file_path` was given twice with different values; send it once"),
        ),
        (
            "an unknown field is refused with the nearest and all known names",
            json!({"limits": 3}),
            Err(
                "unknown argument `limits`. Did you mean `limit`? Known: file_path, content, note, limit, offset, \
                 share, all, names, parts, form, headers.",
            ),
        ),
        (
            "also when it says nothing",
            json!({"zzz": null}),
            Err(
                "unknown argument `zzz`. Known: file_path, content, note, limit, offset, share, all, names, parts, \
                 form, headers.",
            ),
        ),
        (
            "and inside a list",
            json!({"parts": [{"old": "x", "new": "y", "zzz": 1}]}),
            Err("unknown argument `parts[0].zzz`. Known: old, new."),
        ),
    ]);
}

#[test]
fn what_is_deep_or_long_is_refused_in_few_words() {
    let mut deep = json!("x");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    for (name, value) in [
        ("note".to_owned(), deep.clone()),
        ("names".to_owned(), deep.clone()),
        ("headers".to_owned(), deep),
        ("note".to_owned(), json!(["y".repeat(100_000)])),
        ("z".repeat(100_000), json!(1)),
    ] {
        let refused = check(&json!({"file_path": "a", name: value})).expect_err("refused");
        assert!(refused.len() < 400, "{refused}");
    }
}
