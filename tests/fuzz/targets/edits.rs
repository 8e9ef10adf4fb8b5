//! Whatever is to be changed in a text, nothing outside of the matches changes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarterdeck::workspace::edit::{Change, Edit, plan};

fuzz_target!(|input: (String, Vec<(String, String, u8)>, bool)| {
    let (text, edits, strict) = input;
    let text = text.replace('\r', "\n");
    let edits: Vec<Edit> = edits
        .into_iter()
        .map(|(old, new, kind)| Edit {
            old,
            change: match kind % 4 {
                0 => Change::Replace(new),
                1 => Change::ReplaceAll(new),
                2 => Change::Before(new),
                _ => Change::After(new),
            },
        })
        .collect();
    let Ok(plan) = plan(&text, &edits, strict) else {
        return;
    };
    let mut end = 0;
    for splice in &plan.splices {
        assert!(splice.range.start >= end && splice.range.start <= splice.range.end);
        assert!(text.get(splice.range.clone()).is_some());
        end = splice.range.end;
    }
    assert!(end <= text.len());
    if strict {
        assert_eq!(plan.relaxed, 0);
        for edit in &edits {
            assert!(text.contains(&edit.old));
        }
    }
});
