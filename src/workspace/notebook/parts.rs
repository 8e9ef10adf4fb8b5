//! Where the parts of a JSON text stand. Nothing is written anew: a part is a range of the text.

use std::{fmt, ops::Range};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// An object: its fields in order, a name perhaps twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    /// Where it stands, braces included.
    pub(super) range: Range<usize>,
    /// Its names, and where each value stands.
    pub(super) fields: Vec<(String, Range<usize>)>,
}

impl Object {
    /// The value of a name; of several the last, as every reader has it.
    pub(super) fn value(&self, name: &str) -> Option<Range<usize>> {
        let mut fields = self.fields.iter().rev();
        fields
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }
}

struct Fields<'text>(Vec<(String, &'text RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields<'de>, M::Error> {
                let mut fields = Vec::new();
                while let Some(name) = map.next_key()? {
                    fields.push((name, map.next_value()?));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

/// The object that stands in a range of a text.
pub(super) fn object(text: &str, range: Range<usize>) -> Result<Object, serde_json::Error> {
    let Fields(fields) = serde_json::from_str(text.get(range.clone()).unwrap_or_default())?;
    let fields = fields.into_iter();
    Ok(Object {
        range,
        fields: fields
            .map(|(name, value)| (name, within(text, value)))
            .collect(),
    })
}

/// The elements of the array that stands in a range of a text.
pub(super) fn array(
    text: &str,
    range: Range<usize>,
) -> Result<Vec<Range<usize>>, serde_json::Error> {
    let elements: Vec<&RawValue> = serde_json::from_str(text.get(range).unwrap_or_default())?;
    Ok(elements
        .into_iter()
        .map(|value| within(text, value))
        .collect())
}

/// Where a value stands that was borrowed from the text.
fn within(text: &str, value: &RawValue) -> Range<usize> {
    let value = value.get();
    let start = value.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    start..start + value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_where_they_stand() {
        let text = " {\"a\" : [ 1,\n\"ü\" , {}] , \"b\":null,\"a\":2 } ";
        let part = |range: Range<usize>| &text[range];

        let root = object(text, 1..text.len() - 1).unwrap();
        let list = array(text, root.fields[0].1.clone()).unwrap();

        let names: Vec<&str> = root.fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b", "a"]);
        assert_eq!(root.value("a").map(part), Some("2"));
        assert_eq!(root.value("b").map(part), Some("null"));
        assert_eq!(root.value("c"), None);
        let elements: Vec<&str> = list.into_iter().map(part).collect();
        assert_eq!(elements, ["1", "\"ü\"", "{}"]);
    }

    #[test]
    fn what_is_no_object_or_no_array_is_refused() {
        assert!(object("[1]", 0..3).is_err());
        assert!(object("{\"a\":1} x", 0..9).is_err());
        assert!(array("{}", 0..2).is_err());
    }
}
