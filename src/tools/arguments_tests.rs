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

fn check(sent: Value) -> Result<Value, String> {
    let normal = normalize::<Arguments>(&ABOUT, &sent).map_err(|error| error.to_string())?;
    read::<Arguments>(&ABOUT, &normal).map_err(|error| error.to_string())?;
    Ok(normal)
}

fn refusal(sent: Value) -> String {
    check(sent).expect_err("refused")
}

#[test]
fn a_blank_or_null_optional_argument_is_left_out() {
    let sent = json!({"file_path": "a", "note": " \n", "limit": null, "form": ""});

    assert_eq!(check(sent), Ok(json!({"file_path": "a"})));
}

#[test]
fn a_blank_required_argument_is_refused_by_name() {
    assert_eq!(
        refusal(json!({"file_path": "  "})),
        "file_try: `file_path` is blank; it must be text"
    );
    assert_eq!(
        refusal(json!({})),
        "file_try: `file_path` is missing; it must be text"
    );
    assert_eq!(
        refusal(Value::Null),
        "file_try: `file_path` is missing; it must be text"
    );
}

#[test]
fn a_field_whose_empty_string_is_a_value_keeps_it() {
    let sent = json!({"file_path": "a", "content": "", "parts": [{"old": "x", "new": "  "}]});

    assert_eq!(check(sent.clone()), Ok(sent));
}

#[test]
fn a_list_takes_one_bare_value_and_drops_blank_entries() {
    assert_eq!(
        check(json!({"file_path": "a", "names": "one", "parts": {"old": "x", "new": ""}})),
        Ok(json!({"file_path": "a", "names": ["one"], "parts": [{"old": "x", "new": ""}]}))
    );
    assert_eq!(
        check(json!({"file_path": "a", "names": " "})),
        Ok(json!({"file_path": "a", "names": []}))
    );
    assert_eq!(
        check(json!({"file_path": "a", "names": ["", "b", " "]})),
        Ok(json!({"file_path": "a", "names": ["b"]}))
    );
    assert_eq!(
        check(json!({"file_path": "a", "names": []})),
        Ok(json!({"file_path": "a", "names": []}))
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "names": ["b", 3]})),
        "file_try: `names[1]` must be text, but the number 3 was sent"
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "names": ["b", null]})),
        "file_try: `names[1]` must be text, but null was sent"
    );
}

#[test]
fn numbers_are_whole_and_unquoted() {
    assert_eq!(
        check(json!({"file_path": "a", "limit": 2.0, "offset": -3, "share": 0.5})),
        Ok(json!({"file_path": "a", "limit": 2, "offset": -3, "share": 0.5}))
    );
    for (sent, shown) in [
        (json!("2"), "the text \"2\""),
        (json!(" "), "the text \" \""),
        (json!(2.5), "the number 2.5"),
        (json!(-1), "the number -1"),
        (json!(0), "the number 0"),
        (json!(501), "the number 501"),
        (json!(true), "true"),
        (json!([2]), "the list [2]"),
        (json!(1e300), "the number 1e+300"),
    ] {
        assert_eq!(
            refusal(json!({"file_path": "a", "limit": sent})),
            format!("file_try: `limit` must be a whole number from 1 to 500, but {shown} was sent")
        );
    }
}

#[test]
fn true_and_false_are_not_text_or_numbers() {
    for (sent, shown) in [
        (json!("true"), "the text \"true\""),
        (json!(""), "the text \"\""),
        (json!(1), "the number 1"),
    ] {
        assert_eq!(
            refusal(json!({"file_path": "a", "all": sent})),
            format!("file_try: `all` must be true or false, but {shown} was sent")
        );
    }
}

#[test]
fn text_objects_and_words_of_another_kind_are_refused_with_what_is_expected() {
    assert_eq!(
        refusal(json!({"file_path": 7})),
        "file_try: `file_path` must be text, but the number 7 was sent"
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "form": "tree"})),
        "file_try: `form` must be one of \"lines\", \"count\", but the text \"tree\" was sent"
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "parts": "[{}]"})),
        "file_try: `parts` must be an object with old, new, but the text \"[{}]\" was sent"
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "headers": "{\"a\": \"b\"}"})),
        "file_try: `headers` must be an object, but the text \"{\\\"a\\\": \\\"b\\\"}\" was sent"
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "headers": {"a": 1}})),
        "file_try: `headers.a` must be text, but the number 1 was sent"
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "headers": ""})),
        "file_try: `headers` must be an object, but the text \"\" was sent"
    );
    let blank = json!({"file_path": "a", "headers": {"a": ""}});
    assert_eq!(check(blank.clone()), Ok(blank));
    assert_eq!(
        refusal(json!({"file_path": "a", "parts": [{"old": "x"}]})),
        "file_try: `parts[0].new` is missing; it must be text"
    );
    assert_eq!(
        refusal(json!(["a"])),
        "file_try: the arguments must be an object, but the list [\"a\"] was sent"
    );
}

#[test]
fn other_systems_names_and_other_spellings_mean_ours() {
    for name in ["path", "filePath", "file-path", "FilePath"] {
        assert_eq!(
            check(json!({name: "a", "max": 3})),
            Ok(json!({"file_path": "a", "limit": 3})),
            "{name}"
        );
    }
    assert_eq!(
        check(json!({"path": "a", "parts": [{"oldString": "x", "new": "y"}]})),
        Ok(json!({"file_path": "a", "parts": [{"old": "x", "new": "y"}]}))
    );
}

#[test]
fn a_field_given_twice_must_agree() {
    assert_eq!(
        check(json!({"path": "a", "file_path": "a"})),
        Ok(json!({"file_path": "a"}))
    );
    assert_eq!(
        check(json!({"path": "", "file_path": "a"})),
        Ok(json!({"file_path": "a"}))
    );
    assert_eq!(
        refusal(json!({"path": "a", "file_path": "b"})),
        "file_try: `file_path` was given twice with different values; send it once"
    );
}

#[test]
fn an_unknown_field_is_refused_with_the_nearest_and_the_known_names() {
    assert_eq!(
        refusal(json!({"file_path": "a", "limits": 3})),
        "file_try: unknown argument `limits`. Did you mean `limit`? \
         Known: file_path, content, note, limit, offset, share, all, names, parts, form, headers."
    );
    assert_eq!(
        refusal(json!({"file_path": "a", "parts": [{"old": "x", "new": "y", "zzz": 1}]})),
        "file_try: unknown argument `parts[0].zzz`. Known: old, new."
    );
}
