//! Tool calls out of fragments.
//!
//! A fragment belongs to the latest call at its index, unless it brings a new id together with a name: then a
//! new call begins there. Slots follow the indexes as far as these are unique, so calls come back in index order
//! whatever order their fragments had. Arguments are held back as long as they might be nothing (blank, `null`),
//! which becomes `{}` at the end of a finished reply and never before.

use serde_json::Value;

use super::chunk::Words;
use crate::providers::contract::StreamEvent;

/// The most calls in one reply.
pub(super) const LIMIT: usize = 256;

/// The calls of a reply so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    /// The place in `calls` that the last fragment went to.
    last: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct Call {
    slot: usize,
    index: Option<u64>,
    id: String,
    name: String,
    /// Whether `CallStarted` was given.
    announced: bool,
    /// Arguments that were not given yet.
    held: String,
    /// Whether any arguments were given.
    given: bool,
    extent: Extent,
    extra: Option<Value>,
}

/// One entry of `tool_calls`, read without trusting it.
struct Fragment {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extra: Option<Value>,
}

/// More calls than [`LIMIT`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMany;

impl Calls {
    /// Whether there is any call.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Takes the entries of `tool_calls` (or one entry by itself); says whether there was any.
    pub(super) fn push(
        &mut self,
        entries: &Value,
        events: &mut Vec<StreamEvent>,
    ) -> Result<bool, TooMany> {
        let entries = match entries {
            Value::Array(entries) => entries.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut taken = false;
        for entry in entries.iter().filter(|entry| entry.is_object()) {
            self.push_fragment(Fragment::of(entry), events)?;
            taken = true;
        }
        Ok(taken)
    }

    /// The reply has ended well: gives what was held back.
    pub(super) fn finish(&mut self, events: &mut Vec<StreamEvent>) {
        self.calls.sort_by_key(|call| call.slot);
        for call in &mut self.calls {
            call.announce(events);
            if !call.given {
                call.given = true;
                events.push(StreamEvent::CallArguments {
                    slot: call.slot,
                    fragment: "{}".to_owned(),
                });
            }
        }
    }

    /// Fields beside the known ones that must be sent back with each call, in slot order; `None` when there
    /// are none.
    pub(super) fn extras(&self) -> Option<Value> {
        let mut calls: Vec<&Call> = self.calls.iter().collect();
        calls.sort_by_key(|call| call.slot);
        calls.iter().any(|call| call.extra.is_some()).then(|| {
            calls
                .into_iter()
                .map(|call| call.extra.clone().unwrap_or(Value::Null))
                .collect()
        })
    }

    fn push_fragment(
        &mut self,
        fragment: Fragment,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), TooMany> {
        let place = match self.find(&fragment) {
            Some(place) => place,
            None => self.open(&fragment)?,
        };
        self.last = Some(place);
        if let Some(call) = self.calls.get_mut(place) {
            call.take(fragment, events);
        }
        Ok(())
    }

    /// The call that a fragment continues; `None` when it begins one.
    fn find(&self, fragment: &Fragment) -> Option<usize> {
        let same_id = |call: &Call| !fragment.id.is_empty() && call.id == fragment.id;
        let at_index = match fragment.index {
            Some(index) => self
                .calls
                .iter()
                .rposition(|call| call.index == Some(index)),
            None => self.calls.iter().rposition(same_id).or(self.last),
        };
        let place = at_index.filter(|place| {
            self.calls
                .get(*place)
                .is_some_and(|call| !call.is_over_before(fragment))
        });
        // An index of its own parts two calls even when the server gives both the same id; only what names no tool
        // continues a call at another index.
        let goes_on = |call: &Call| {
            same_id(call)
                && !call.is_over_before(fragment)
                && (fragment.index.is_none()
                    || fragment.name.is_empty()
                    || call.index == fragment.index)
        };
        place.or_else(|| self.calls.iter().rposition(goes_on))
    }

    fn open(&mut self, fragment: &Fragment) -> Result<usize, TooMany> {
        if self.calls.len() >= LIMIT {
            return Err(TooMany);
        }
        let wanted = fragment
            .index
            .and_then(|index| usize::try_from(index).ok())
            .filter(|slot| *slot < LIMIT && self.calls.iter().all(|call| call.slot != *slot));
        let next = self.calls.iter().map(|call| call.slot + 1).max();
        self.calls.push(Call {
            slot: wanted.or(next).unwrap_or(0),
            index: fragment.index,
            ..Call::default()
        });
        Ok(self.calls.len() - 1)
    }
}

impl Call {
    /// Whether this fragment can not belong to this call any more.
    fn is_over_before(&self, fragment: &Fragment) -> bool {
        if fragment.name.is_empty() || self.name.is_empty() {
            return false;
        }
        if !fragment.id.is_empty() && !self.id.is_empty() {
            // The same id for another tool, after complete arguments, is a server that counts badly.
            return fragment.id != self.id
                || (fragment.name != self.name
                    && self.extent.is_complete()
                    && !fragment.arguments.trim().is_empty());
        }
        // Without two ids to compare: another name, or the same after complete arguments, is another call.
        fragment.name != self.name
            || (self.extent.is_complete() && !fragment.arguments.trim().is_empty())
    }

    fn take(&mut self, fragment: Fragment, events: &mut Vec<StreamEvent>) {
        if self.id.is_empty() {
            self.id = fragment.id;
        }
        if self.name.is_empty() {
            self.name = fragment.name;
        }
        if fragment.extra.is_some() {
            self.extra = fragment.extra;
        }
        if !self.name.is_empty() {
            self.announce(events);
        }
        self.extent.read(&fragment.arguments);
        self.held.push_str(&fragment.arguments);
        if self.announced && says_something(&self.held, self.given) {
            self.given = true;
            events.push(StreamEvent::CallArguments {
                slot: self.slot,
                fragment: std::mem::take(&mut self.held),
            });
        }
    }

    fn announce(&mut self, events: &mut Vec<StreamEvent>) {
        if !std::mem::replace(&mut self.announced, true) {
            events.push(StreamEvent::CallStarted {
                slot: self.slot,
                id: self.id.clone(),
                name: self.name.clone(),
            });
        }
        // Arguments may have come before the name.
        if !self.held.is_empty() && says_something(&self.held, self.given) {
            self.given = true;
            events.push(StreamEvent::CallArguments {
                slot: self.slot,
                fragment: std::mem::take(&mut self.held),
            });
        }
    }
}

/// Whether held arguments can no longer turn out to be nothing.
fn says_something(held: &str, given: bool) -> bool {
    if given {
        return !held.is_empty();
    }
    let text = held.trim();
    !text.is_empty() && !"null".starts_with(text)
}

impl Fragment {
    fn of(entry: &Value) -> Self {
        let function = entry.get("function").unwrap_or(entry);
        let text = |value: Option<&Value>| match value {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let arguments = match function.get("arguments") {
            // Some servers send the object itself.
            Some(value @ Value::Object(_)) => value.to_string(),
            value => {
                value
                    .and_then(|value| serde_json::from_value::<Words>(value.clone()).ok())
                    .unwrap_or_default()
                    .0
            }
        };
        let index = entry.get("index").and_then(|index| {
            index
                .as_u64()
                .or_else(|| index.as_str().and_then(|text| text.parse().ok()))
        });
        Self {
            index,
            id: text(entry.get("id")),
            name: text(function.get("name")),
            arguments,
            extra: entry
                .get("extra_content")
                .filter(|extra| !extra.is_null())
                .cloned(),
        }
    }
}

/// Follows JSON text just far enough to know whether its first object is complete.
#[derive(Clone, Debug, Default)]
struct Extent {
    depth: u32,
    in_string: bool,
    escaped: bool,
    opened: bool,
}

impl Extent {
    fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            if self.escaped {
                self.escaped = false;
            } else if self.in_string {
                match byte {
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => {
                        self.opened = true;
                        self.depth += 1;
                    }
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.opened && self.depth == 0
    }
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
