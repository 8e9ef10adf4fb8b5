//! Fragments of tool calls in the ways that servers send them.

use serde_json::json;

use super::*;

/// Slot, id, name and arguments of each call, as the events tell them.
type Told = Vec<(usize, String, String, String)>;

fn told(events: &[StreamEvent]) -> Told {
    let mut told: Told = Vec::new();
    for event in events {
        match event {
            StreamEvent::CallStarted { slot, id, name } => {
                assert!(
                    told.iter().all(|call| call.0 != *slot),
                    "slot {slot} is used twice"
                );
                told.push((*slot, id.clone(), name.clone(), String::new()));
            }
            StreamEvent::CallArguments { slot, fragment } => {
                let call = told.iter_mut().find(|call| call.0 == *slot).unwrap();
                call.3.push_str(fragment);
            }
            _ => unreachable!("calls give nothing else"),
        }
    }
    told.sort();
    told
}

fn check(entries: &[Value], expected: &[(usize, &str, &str, &str)]) {
    let mut calls = Calls::default();
    let mut events = Vec::new();
    for entry in entries {
        calls.push(&json!([entry]), &mut events).unwrap();
    }
    calls.finish(&mut events);
    let expected: Told = expected
        .iter()
        .map(|(slot, id, name, arguments)| {
            (
                *slot,
                (*id).to_owned(),
                (*name).to_owned(),
                (*arguments).to_owned(),
            )
        })
        .collect();
    assert_eq!(told(&events), expected, "{entries:#?}");
}

/// An entry with all fields.
fn whole(index: u64, id: &str, name: &str, arguments: &str) -> Value {
    json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// An entry that continues.
fn more(index: u64, arguments: &str) -> Value {
    json!({"index": index, "function": {"arguments": arguments}})
}

#[test]
fn a_new_id_at_a_used_index_is_a_new_call() {
    check(
        &[
            whole(0, "c1", "read", r#"{"path":"a"}"#),
            whole(0, "c2", "read", r#"{"path":"b"}"#),
            whole(1, "c3", "read", r#"{"path":"c"}"#),
        ],
        &[
            (0, "c1", "read", r#"{"path":"a"}"#),
            (1, "c2", "read", r#"{"path":"b"}"#),
            (2, "c3", "read", r#"{"path":"c"}"#),
        ],
    );
}

#[test]
fn an_index_of_its_own_is_a_call_of_its_own_whatever_its_id() {
    check(
        &[
            whole(0, "call_0", "file_read", r#"{"path":"a"}"#),
            whole(1, "call_0", "shell_execute", r#"{"command":"pwd"}"#),
            whole(2, "call_0", "file_read", r#"{"pa"#),
            more(2, r#"th":"b"}"#),
        ],
        &[
            (0, "call_0", "file_read", r#"{"path":"a"}"#),
            (1, "call_0", "shell_execute", r#"{"command":"pwd"}"#),
            (2, "call_0", "file_read", r#"{"path":"b"}"#),
        ],
    );
    // Another tool at the same index with the same id, behind complete arguments.
    check(
        &[
            whole(0, "call_0", "file_read", r#"{"path":"a"}"#),
            whole(0, "call_0", "shell_execute", r#"{"command":"pwd"}"#),
        ],
        &[
            (0, "call_0", "file_read", r#"{"path":"a"}"#),
            (1, "call_0", "shell_execute", r#"{"command":"pwd"}"#),
        ],
    );
    // A server that counts the index on with each piece of one call.
    check(
        &[
            whole(0, "c", "read", r#"{"path""#),
            json!({"index": 1, "id": "c", "function": {"arguments": r#":"a"}"#}}),
        ],
        &[(0, "c", "read", r#"{"path":"a"}"#)],
    );
}

#[test]
fn fragments_go_to_their_own_call_and_slots_follow_the_index() {
    check(
        &[
            whole(1, "c2", "shell", ""),
            whole(0, "c1", "read", ""),
            more(1, r#"{"comm"#),
            more(0, r#"{"pa"#),
            more(1, r#"and":"pwd"}"#),
            more(0, r#"th":"a"}"#),
        ],
        &[
            (0, "c1", "read", r#"{"path":"a"}"#),
            (1, "c2", "shell", r#"{"command":"pwd"}"#),
        ],
    );
}

#[test]
fn arguments_that_are_nothing_are_an_empty_object() {
    for arguments in ["", "  ", "null", " null\n", "{}"] {
        check(
            &[whole(0, "c", "list", arguments)],
            &[(0, "c", "list", "{}")],
        );
    }
    let call = |function: Value| json!({"index": 0, "id": "c", "function": function});
    check(
        &[call(json!({"name": "list", "arguments": null}))],
        &[(0, "c", "list", "{}")],
    );
    check(&[call(json!({"name": "list"}))], &[(0, "c", "list", "{}")]);
    check(
        &[
            call(json!({"name": "list", "arguments": "nu"})),
            more(0, "ll"),
        ],
        &[(0, "c", "list", "{}")],
    );
    // What only begins like nothing is passed on as it is.
    check(&[whole(0, "c", "list", "nil")], &[(0, "c", "list", "nil")]);
    check(
        &[
            whole(0, "c", "list", " "),
            more(0, "{\"a\""),
            more(0, ":1}"),
        ],
        &[(0, "c", "list", " {\"a\":1}")],
    );
}

#[test]
fn nothing_is_made_up_before_the_reply_has_ended() {
    let mut calls = Calls::default();
    let mut events = Vec::new();

    calls
        .push(&json!([whole(0, "c", "list", "")]), &mut events)
        .unwrap();

    assert_eq!(
        events,
        [StreamEvent::CallStarted {
            slot: 0,
            id: "c".to_owned(),
            name: "list".to_owned()
        }]
    );
}

#[test]
fn repeated_names_and_ids_continue_a_call() {
    check(
        &[
            whole(0, "c", "read", ""),
            whole(0, "c", "read", r#"{"path":"#),
            json!({"index": 0, "function": {"name": "read", "arguments": "\"a\""}}),
            // A server that makes up a new id for each piece, but no name.
            json!({"index": 0, "id": "other", "function": {"name": "", "arguments": "}"}}),
        ],
        &[(0, "c", "read", r#"{"path":"a"}"#)],
    );
}

#[test]
fn calls_without_ids_are_parted_by_complete_arguments_or_another_name() {
    let call =
        |name: &str, arguments: &str| json!({"function": {"name": name, "arguments": arguments}});

    check(
        &[
            call("read", r#"{"a":"}"}"#),
            call("read", r#"{"b":2}"#),
            call("shell", r#"{"c":3}"#),
        ],
        &[
            (0, "", "read", r#"{"a":"}"}"#),
            (1, "", "read", r#"{"b":2}"#),
            (2, "", "shell", r#"{"c":3}"#),
        ],
    );
}

#[test]
fn entries_without_an_index_are_told_apart_by_id() {
    check(
        &[
            json!({"id": "a", "function": {"name": "read", "arguments": "{"}}),
            json!({"id": "b", "function": {"name": "read", "arguments": "{"}}),
            json!({"id": "a", "function": {"arguments": "}"}}),
            json!({"id": "b", "function": {"arguments": "}"}}),
            json!({"function": {"arguments": " "}}),
        ],
        &[(0, "a", "read", "{}"), (1, "b", "read", "{} ")],
    );
}

#[test]
fn a_name_that_comes_late_is_waited_for() {
    check(
        &[
            json!({"index": 0, "id": "a"}),
            more(0, r#"{"x":1"#),
            json!({"index": 0, "function": {"name": "read", "arguments": "}"}}),
        ],
        &[(0, "a", "read", r#"{"x":1}"#)],
    );
    check(&[more(0, r#"{"x":1}"#)], &[(0, "", "", r#"{"x":1}"#)]);
}

#[test]
fn odd_types_do_no_harm() {
    check(
        &[
            json!({"index": "1", "id": 7, "function": {"name": "read", "arguments": {"x": 1}}}),
            json!({"index": 4_000_000_000_u64, "id": "b", "function": {"name": "read", "arguments": ["{", "}"]}}),
            json!({"index": -1, "id": null, "function": null}),
            json!("x"),
            json!({"index": 1, "function": "x"}),
        ],
        &[(1, "7", "read", r#"{"x":1}"#), (2, "b", "read", "{}")],
    );
}

#[test]
fn the_number_of_calls_is_bounded() {
    let mut calls = Calls::default();
    let mut events = Vec::new();
    let many: Vec<Value> = (0..=LIMIT as u64)
        .map(|index| whole(index, &format!("c{index}"), "x", ""))
        .collect();

    assert_eq!(calls.push(&json!(many), &mut events), Err(TooMany));
}

#[test]
fn fields_that_must_go_back_with_a_call_are_kept_in_slot_order() {
    let mut calls = Calls::default();
    let mut events = Vec::new();
    let mut signed = whole(1, "b", "x", "{}");
    signed["extra_content"] = json!({"google": {"thought_signature": "s"}});

    calls
        .push(&json!([signed, whole(0, "a", "x", "{}")]), &mut events)
        .unwrap();

    assert_eq!(
        calls.extras(),
        Some(json!([null, {"google": {"thought_signature": "s"}}]))
    );
}
