//! Whatever a model sends as arguments is read or refused, and what was read is read again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarterdeck::tools::registry;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(sent) = serde_json::from_slice::<Value>(rest) else {
        return;
    };
    let count = registry::all().count();
    let Some(tool) = registry::all().nth(usize::from(*first) % count) else {
        return;
    };
    match tool.check(&sent) {
        Ok(read) => {
            let again = tool.check(&read);
            assert_eq!(
                again.ok().as_ref(),
                Some(&read),
                "{}: {sent}",
                tool.about().name
            );
        }
        Err(error) => assert!(!error.to_string().trim().is_empty()),
    }
});
