//! The schema of an argument struct, as plain as every wire takes it.
//!
//! What schemars derives is simplified: no `$ref`, no `null` alternatives (an optional argument is one that is not
//! required), no number formats, documented enums as a list of words. The marks that only our own reader looks at
//! (`x-blank`, `format`) are stripped from what is advertised.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// The schema of an argument struct.
pub struct ArgumentSchema {
    /// For the provider: an object with `properties`, `required` and `additionalProperties: false`.
    pub advertised: Value,
    /// The same with the marks of the argument reader.
    pub(super) internal: Value,
}

/// Those that were made: every call reads its arguments by one, more than once.
static MADE: LazyLock<RwLock<HashMap<TypeId, Arc<ArgumentSchema>>>> =
    LazyLock::new(RwLock::default);

/// The schema of a type, made once.
pub fn of<T: JsonSchema + 'static>() -> Arc<ArgumentSchema> {
    let id = TypeId::of::<T>();
    let made = MADE.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = made.get(&id) {
        return Arc::clone(schema);
    }
    drop(made);
    let internal = derive::<T>();
    let mut advertised = internal.clone();
    strip_marks(&mut advertised);
    let schema = Arc::new(ArgumentSchema {
        advertised,
        internal,
    });
    let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(made.entry(id).or_insert(schema))
}

fn derive<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    simplify(&mut schema);
    if let Some(object) = schema.as_object_mut() {
        object.remove("description");
        object
            .entry("type")
            .or_insert_with(|| Value::from("object"));
        object
            .entry("properties")
            .or_insert_with(|| Value::Object(Map::new()));
        object
            .entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    schema
}

/// Simplifies one schema and everything below it.
fn simplify(schema: &mut Value) {
    let Some(node) = schema.as_object_mut() else {
        return;
    };
    drop_null_alternative(node);
    flatten_enum(node);
    node.remove("title");
    if node.get("default").is_some_and(Value::is_null) {
        node.remove("default");
    }
    if node.contains_key("properties") {
        node.entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    each_child(node, &mut simplify);
}

/// Removes the marks of the reader from one schema and everything below it.
fn strip_marks(schema: &mut Value) {
    let Some(node) = schema.as_object_mut() else {
        return;
    };
    node.remove("x-blank");
    node.remove("format");
    each_child(node, &mut strip_marks);
}

fn each_child(node: &mut Map<String, Value>, visit: &mut dyn FnMut(&mut Value)) {
    if let Some(properties) = node.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(&mut *visit);
    }
    for name in ["items", "additionalProperties"] {
        if let Some(child) = node.get_mut(name) {
            visit(child);
        }
    }
    for name in ["anyOf", "oneOf", "allOf"] {
        if let Some(children) = node.get_mut(name).and_then(Value::as_array_mut) {
            children.iter_mut().for_each(&mut *visit);
        }
    }
}

/// `Option<T>` as `T`: the argument is optional by not being required, and `null` is read as left out anyway.
fn drop_null_alternative(node: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = node.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            node.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = node.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    for name in ["anyOf", "oneOf"] {
        let Some(Value::Array(choices)) = node.get_mut(name) else {
            continue;
        };
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            node.remove(name);
            // The field's own description wins over that of its type.
            for (key, value) in only {
                node.entry(key).or_insert(value);
            }
        }
    }
}

/// `oneOf` of documented constants as `enum`, with the documentation in the description.
fn flatten_enum(node: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = node.get("oneOf") else {
        return;
    };
    let mut words = Vec::new();
    let mut notes = Vec::new();
    for choice in choices {
        let note = choice.get("description").and_then(Value::as_str);
        let listed: Vec<&str> = match (choice.get("const"), choice.get("enum")) {
            (Some(Value::String(word)), _) => vec![word],
            (None, Some(Value::Array(words))) => words.iter().filter_map(Value::as_str).collect(),
            _ => return,
        };
        if let ([word], Some(note)) = (listed.as_slice(), note) {
            notes.push(format!("`{word}`: {}", note.trim_end_matches('.')));
        }
        words.extend(listed.into_iter().map(Value::from));
    }
    if !notes.is_empty() {
        let own = node.get("description").and_then(Value::as_str);
        let text = own.map_or_else(String::new, |own| format!("{own} "));
        let text = format!("{text}{}.", notes.join("; "));
        node.insert("description".to_owned(), Value::from(text));
    }
    node.remove("oneOf");
    node.insert("type".to_owned(), Value::from("string"));
    node.insert("enum".to_owned(), Value::Array(words));
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    /// How to answer.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Form {
        /// The lines.
        Lines,
        /// Only numbers.
        Count,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Part {
        /// Before.
        old: String,
        /// After.
        #[schemars(extend("x-blank" = true))]
        new: String,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// Where.
        path: String,
        /// How many.
        #[schemars(range(min = 1))]
        limit: Option<u32>,
        /// The form.
        form: Option<Form>,
        /// The parts.
        #[serde(default)]
        parts: Vec<Part>,
        /// Names.
        names: Option<Vec<String>>,
        /// Whether.
        #[serde(default)]
        all: bool,
    }

    #[test]
    fn a_schema_is_a_plain_object_that_every_wire_takes() {
        assert_eq!(
            of::<Arguments>().advertised,
            json!({
                "type": "object",
                "properties": {
                    "path": {"description": "Where.", "type": "string"},
                    "limit": {"description": "How many.", "type": "integer", "minimum": 1},
                    "form": {
                        "description": "The form. `lines`: The lines; `count`: Only numbers.",
                        "type": "string",
                        "enum": ["lines", "count"]
                    },
                    "parts": {
                        "description": "The parts.",
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "old": {"description": "Before.", "type": "string"},
                                "new": {"description": "After.", "type": "string"}
                            },
                            "required": ["old", "new"],
                            "additionalProperties": false
                        }
                    },
                    "names": {"description": "Names.", "type": "array", "items": {"type": "string"}},
                    "all": {"description": "Whether.", "type": "boolean", "default": false}
                },
                "required": ["path"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn the_marks_of_the_reader_stay_inside() {
        let schema = &of::<Arguments>().internal;

        assert_eq!(
            schema["properties"]["parts"]["items"]["properties"]["new"]["x-blank"],
            true
        );
        assert_eq!(schema["properties"]["limit"]["format"], "uint32");
    }
}
