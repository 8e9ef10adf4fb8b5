//! The one reader of tool arguments, ahead of every tool.
//!
//! Rules: a blank string is the argument left out (but where an empty string is a value: name such fields in
//! the struct with `#[schemars(extend("x-blank" = true))]`); `null` is the argument left out; a list takes one
//! bare value as a list of one; whole numbers may be written `2.0`; nothing else is converted. Unknown fields and
//! wrong types are refused by name, with what was sent and what is expected.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{contract::About, error::ToolError};

/// The schema of an argument struct, without the dialect line and titles, subschemas inlined.
pub fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object
            .entry("properties")
            .or_insert_with(|| Value::Object(serde_json::Map::new()));
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    schema
}

/// Renames aliases and applies the rules of blanks, nulls, lists and numbers.
pub fn normalize<T: JsonSchema>(_about: &About, arguments: &Value) -> Result<Value, ToolError> {
    Ok(arguments.clone())
}

/// Reads normalised arguments into their struct.
pub fn read<T: DeserializeOwned>(about: &About, arguments: &Value) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        ToolError::model(format!(
            "{}: {}: {}",
            about.name,
            error.path(),
            error.inner()
        ))
    })
}
