//! Every field of every built-in tool is read by the one rule.

use quarterdeck::tools::{contract::AnyTool, registry};
use serde_json::{Map, Value, json};

/// The texts in which a blank is a value: what an edit puts in, whole contents, and what a program reads.
const KEPT_BLANK: &[(&str, &str)] = &[
    ("code_execute", "input"),
    ("file_edit", "new_string"),
    ("file_write", "content"),
    ("notebook_edit", "new_source"),
    ("scratchpad_write", "content"),
    ("scratchpad_edit", "content"),
    ("scratchpad_edit", "new_string"),
];

/// The words of a command: the first names a program, and a blank one is a word.
const COMMAND: &str = "argv";

/// A value that a field takes.
fn good(field: &Value) -> Value {
    if let Some(word) = field["enum"].get(0) {
        return word.clone();
    }
    match field["type"].as_str() {
        Some("integer") => json!(field["minimum"].as_i64().unwrap_or(1).max(1)),
        Some("number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([good(&field["items"])]),
        Some("object") => {
            let required = field["required"].as_array().cloned().unwrap_or_default();
            let names = required.iter().filter_map(Value::as_str);
            let given = names.map(|name| (name.to_owned(), good(&field["properties"][name])));
            Value::Object(given.collect())
        }
        // One that `shell_inspect` knows as a program.
        _ => json!("ls"),
    }
}

/// Values that a field does not take.
fn wrong(field: &Value) -> Vec<Value> {
    match field["type"].as_str() {
        Some("string") => {
            let mut wrong = vec![json!(7), json!(true), json!({}), json!(["a"])];
            if field.get("enum").is_some() {
                wrong.push(json!("no such word"));
            }
            wrong
        }
        Some("integer") => {
            let mut wrong = vec![
                json!("2"),
                json!(""),
                json!(2.5),
                json!(true),
                json!([1]),
                json!(1e30),
            ];
            if field["minimum"].as_i64().is_some_and(|least| least >= 0) {
                wrong.push(json!(-1));
            }
            wrong
        }
        Some("number") => vec![json!("2"), json!(true)],
        Some("boolean") => vec![json!("true"), json!(""), json!(1)],
        Some("array") if field["items"]["type"] == "string" => {
            vec![
                json!(7),
                json!(["a", 7]),
                json!(["a", null]),
                json!([["a"]]),
            ]
        }
        Some("array") if field["items"]["type"] == "object" => {
            vec![json!(7), json!("[]"), json!([7])]
        }
        Some("object") => vec![json!("{}"), json!(""), json!([]), json!(7)],
        _ => Vec::new(),
    }
}

struct Field<'a> {
    tool: &'static dyn AnyTool,
    name: &'a str,
    schema: &'a Value,
    is_required: bool,
    /// What is required of the tool.
    least: &'a Map<String, Value>,
}

impl Field<'_> {
    fn check(&self, value: Value) -> Result<Option<Value>, String> {
        let mut sent = self.least.clone();
        sent.insert(self.name.to_owned(), value);
        let checked = self.tool.check(&Value::Object(sent));
        checked
            .map(|read| read.get(self.name).cloned())
            .map_err(|error| error.to_string())
    }

    fn what(&self) -> String {
        format!("{}.{}", self.tool.about().name, self.name)
    }

    fn is_left_out(&self, sent: Value) {
        let shown = sent.to_string();
        match self.check(sent) {
            Ok(None) => assert!(!self.is_required, "{}: {shown}", self.what()),
            Err(told) => assert!(
                self.is_required && told.contains(&format!("`{}` is ", self.name)),
                "{}: {shown}: {told}",
                self.what()
            ),
            Ok(Some(read)) => panic!(
                "{}: {shown} is read as {read}; where that is a value, KEPT_BLANK says so",
                self.what()
            ),
        }
    }

    fn follow_the_rule(&self) {
        for value in wrong(self.schema) {
            let told = self.check(value.clone());
            let told = told.expect_err(&format!("{} takes {value}", self.what()));
            assert!(
                told.contains(&format!("`{}", self.name)) && told.contains(" was sent"),
                "{}: {value}: {told}",
                self.what()
            );
        }
        self.is_left_out(Value::Null);
        match self.schema["type"].as_str() {
            Some("string") => {
                let about = self.tool.about();
                for blank in ["", " \n"] {
                    if KEPT_BLANK.contains(&(about.name, self.name)) {
                        assert_eq!(self.check(json!(blank)), Ok(Some(json!(blank))));
                    } else {
                        self.is_left_out(json!(blank));
                    }
                }
            }
            Some("integer") => {
                let whole = good(self.schema);
                let float = json!(whole.as_f64().expect("a number"));
                assert_eq!(self.check(float), Ok(Some(whole)), "{}", self.what());
            }
            Some("array") => {
                let one = good(&self.schema["items"]);
                let list = Ok(Some(json!([one])));
                assert_eq!(self.check(one), list, "{}", self.what());
                if self.name == COMMAND {
                    return;
                }
                let none = Ok(Some(json!([])));
                assert_eq!(self.check(json!([])), none, "{}", self.what());
                if self.schema["items"]["type"] == "string" {
                    let one = good(&self.schema["items"]);
                    assert_eq!(self.check(json!(["", one, " "])), list, "{}", self.what());
                }
            }
            _ => {}
        }
    }
}

#[test]
fn every_field_of_every_tool_follows_the_rule() {
    let mut seen = 0;
    for tool in registry::all() {
        let schema = tool.spec().schema;
        let Value::Object(least) = good(&schema) else {
            panic!("{}: no object", tool.about().name);
        };
        assert!(
            tool.check(&Value::Object(least.clone())).is_ok(),
            "{least:?}"
        );
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let fields = schema["properties"].as_object().expect("properties");
        for (name, schema) in fields {
            let field = Field {
                tool,
                name,
                schema,
                is_required: required.contains(&json!(name)),
                least: &least,
            };
            field.follow_the_rule();
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} fields");
}

#[test]
fn every_tool_refuses_a_field_that_it_does_not_have() {
    for tool in registry::all() {
        let name = tool.about().name;
        let Value::Object(mut sent) = good(&tool.spec().schema) else {
            panic!("{name}: no object");
        };
        sent.insert("no_such_field".to_owned(), Value::Null);

        let told = tool
            .check(&Value::Object(sent))
            .expect_err(name)
            .to_string();

        let start = format!("{name}: unknown argument `no_such_field`");
        assert!(told.starts_with(&start), "{told}");
    }
}
