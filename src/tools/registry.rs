//! The one list of tools: those that are built in, and behind them those of the configuration.

use super::{
    agents, code, contract::AnyTool, declared, files, model, person, plan, scratchpad, search,
    shell, web, window,
};

use crate::domain::declared::DeclaredTool;

/// The families in the order in which a model sees them.
const FAMILIES: &[&[&dyn AnyTool]] = &[
    files::TOOLS,
    search::TOOLS,
    shell::TOOLS,
    code::TOOLS,
    web::TOOLS,
    plan::TOOLS,
    scratchpad::TOOLS,
    agents::TOOLS,
    person::TOOLS,
    window::TOOLS,
    model::TOOLS,
];

/// Every built-in tool, family by family, in the order in which a model sees them.
pub fn all() -> impl Iterator<Item = &'static dyn AnyTool> {
    FAMILIES.iter().copied().flatten().copied()
}

/// The same with those of a configuration.
pub fn with(added: &[DeclaredTool]) -> impl Iterator<Item = &'static dyn AnyTool> {
    all().chain(added.iter().map(declared::declare))
}

/// A built-in tool by its name or one of its aliases.
pub fn built_in(name: &str) -> Option<&'static dyn AnyTool> {
    all()
        .find(|tool| tool.about().name == name)
        .or_else(|| all().find(|tool| tool.about().aliases.contains(&name)))
}

/// A tool by its name or one of its aliases. No tool of a configuration has the name of a built-in one.
pub fn find(name: &str) -> Option<&'static dyn AnyTool> {
    built_in(name).or_else(|| declared::find(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{all, find};
    use crate::tools::fake_host::FakeHost;

    #[test]
    fn no_name_and_no_alias_means_two_tools() {
        let mut seen = BTreeSet::new();
        for tool in all() {
            let about = tool.about();
            for name in [&[about.name], about.aliases].concat() {
                assert!(seen.insert(name), "{name} means two tools");
                assert_eq!(find(name).map(|found| found.about().name), Some(about.name));
            }
        }
        assert!(find("no_such_tool").is_none());
    }

    #[test]
    fn every_name_is_a_noun_and_a_verb_in_snake_case() {
        for tool in all() {
            let name = tool.about().name;
            let fit = |letter: char| letter.is_ascii_lowercase() || letter == '_';
            assert!(name.chars().all(fit) && name.contains('_'), "{name}");
        }
    }

    /// Arguments with a word, a number or a list for whatever is required.
    fn least(schema: &Value) -> Value {
        let fields = schema["properties"].as_object().expect("properties");
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let given = required.iter().filter_map(Value::as_str).map(|name| {
            let field = &fields[name];
            let value = match field["type"].as_str() {
                Some("integer" | "number") => json!(1),
                Some("array") if field["items"]["type"] == "string" => json!(["ls"]),
                Some("array") => json!([]),
                Some("boolean") => json!(true),
                _ => field["enum"].get(0).cloned().unwrap_or_else(|| json!("x")),
            };
            (name.to_owned(), value)
        });
        Value::Object(given.collect())
    }

    #[tokio::test]
    async fn what_is_listed_of_a_tool_is_what_its_least_call_needs() {
        let (_, context) = FakeHost::new();
        let held = context.reach.sandbox.enforced().is_some();
        for tool in all() {
            let spec = tool.spec();
            let access = tool.access(&least(&spec.schema), &context);
            let access = access.unwrap_or_else(|error| panic!("{}: {error}", spec.name));
            let needs = tool.needs(held);
            assert_eq!((access.level, access.risk), needs, "{}", spec.name);
        }
    }

    #[test]
    fn every_schema_is_an_object_whose_fields_are_described() {
        for tool in all() {
            let spec = tool.spec();
            assert_eq!(spec.schema["type"], "object", "{}", spec.name);
            let fields = spec.schema["properties"].as_object().expect("properties");
            for (field, schema) in fields {
                assert!(
                    schema["description"]
                        .as_str()
                        .is_some_and(|text| text.ends_with('.')),
                    "{}: {field} has no description",
                    spec.name
                );
            }
        }
    }

    #[test]
    fn argument_aliases_and_the_subject_name_real_arguments() {
        for tool in all() {
            let (about, schema) = (tool.about(), tool.spec().schema);
            let known = |name: &str| schema["properties"].get(name).is_some();
            for (theirs, ours) in about.argument_aliases {
                assert!(
                    known(ours) && !known(theirs),
                    "{}: {theirs} -> {ours}",
                    about.name
                );
            }
            assert!(
                about.subject.is_empty() || known(about.subject),
                "{}",
                about.name
            );
            assert!(about.editable.is_none_or(known), "{}", about.name);
        }
    }
}
