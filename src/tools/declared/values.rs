//! What the model sent to a declared tool, read by its parameters. Everything that is wrong is told at once.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::domain::declared::{DeclaredTool, Parameter, rendered};

/// Characters of what was sent that a refusal shows.
const SENT: usize = 400;

/// The arguments by the parameters, defaults filled in. The refusal says what was sent and what is expected.
pub(super) fn read(tool: &DeclaredTool, sent: &Value) -> Result<Value, String> {
    let nothing = Map::new();
    let (mut faults, mut read) = (Vec::new(), Map::new());
    let given = match sent {
        Value::Object(given) => given,
        Value::Null => &nothing,
        _ => {
            faults.push("the arguments are not an object".to_owned());
            &nothing
        }
    };
    for parameter in &tool.parameters {
        let name = &parameter.name;
        let value = given.get(name).filter(|value| !value.is_null());
        match value.or(parameter.default.as_ref()) {
            Some(value) => match accept(parameter, value) {
                Ok(value) => {
                    read.insert(name.clone(), value);
                }
                Err(fault) => faults.push(fault),
            },
            None if parameter.optional => {}
            None => faults.push(format!("{name} is missing")),
        }
    }
    let known = |key: &String| tool.parameters.iter().any(|known| known.name == *key);
    for key in given.keys().filter(|key| !known(key)) {
        faults.push(format!("{key:?} is not a parameter of this tool"));
    }
    if faults.is_empty() {
        return Ok(Value::Object(read));
    }
    let mut shown: String = sent.to_string().chars().take(SENT).collect();
    if shown.len() < sent.to_string().len() {
        shown.push('…');
    }
    let name = &tool.name;
    Err(format!(
        "[{name}: invalid call, nothing was run — {}. You sent: {shown}. Expected: {}. Call {name} again with each \
         parameter as its own field.]",
        faults.join("; "),
        expected(tool),
    ))
}

fn accept(parameter: &Parameter, value: &Value) -> Result<Value, String> {
    let name = &parameter.name;
    let Some(read) = parameter.kind.read(value) else {
        let article = if parameter.kind.name() == "integer" {
            "an"
        } else {
            "a"
        };
        return Err(format!(
            "{name}: {value} is not {article} {}",
            parameter.kind.name()
        ));
    };
    if !parameter.choices.is_empty() && !parameter.choices.contains(&read) {
        return Err(format!(
            "{name}: {value} is not one of {}",
            listed(&parameter.choices)
        ));
    }
    if read.as_str().is_some_and(|text| text.contains('\0')) {
        return Err(format!("{name} holds a NUL, which no argument can"));
    }
    Ok(read)
}

/// The values of read arguments as a command takes them.
pub(super) fn texts(arguments: &Value) -> BTreeMap<String, String> {
    let arguments = arguments.as_object().into_iter().flatten();
    arguments
        .map(|(name, value)| (name.clone(), rendered(value)))
        .collect()
}

/// The schema for the provider. What is possible and what is required stands in words: small models follow those.
pub(super) fn schema(tool: &DeclaredTool) -> Value {
    let properties: Map<String, Value> = tool
        .parameters
        .iter()
        .map(|parameter| {
            let about = json!({
                "type": parameter.kind.name(),
                "description": described(parameter),
            });
            (parameter.name.clone(), about)
        })
        .collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// What the model is told of the tool.
pub(super) fn description(tool: &DeclaredTool) -> String {
    let required: Vec<&str> = tool
        .parameters
        .iter()
        .filter(|parameter| !may_be_left_out(parameter))
        .map(|parameter| parameter.name.as_str())
        .collect();
    if required.is_empty() {
        return tool.description.clone();
    }
    format!(
        "{}\nRequired parameters: {}. Give each parameter as its own field.",
        tool.description,
        required.join(", ")
    )
}

fn may_be_left_out(parameter: &Parameter) -> bool {
    parameter.optional || parameter.default.is_some()
}

/// What a parameter means, in sentences.
fn described(parameter: &Parameter) -> String {
    let mut words = vec![parameter.description.trim_end_matches('.').to_owned()];
    if !parameter.choices.is_empty() {
        words.push(format!("One of: {}", listed(&parameter.choices)));
    }
    match &parameter.default {
        Some(default) => words.push(format!("Optional, default {}", rendered(default))),
        None if parameter.optional => words.push("Optional".to_owned()),
        None => {}
    }
    words.retain(|words| !words.is_empty());
    let text = words.join(". ");
    format!("{text}.")
}

fn expected(tool: &DeclaredTool) -> String {
    let parameters = tool.parameters.iter();
    let expected: Vec<String> = parameters
        .map(|parameter| {
            let kind = parameter.kind.name();
            format!("{} ({kind}: {})", parameter.name, described(parameter))
        })
        .collect();
    if expected.is_empty() {
        "no parameters".to_owned()
    } else {
        expected.join(", ")
    }
}

fn listed(values: &[Value]) -> String {
    let values: Vec<String> = values.iter().map(rendered).collect();
    values.join(", ")
}
