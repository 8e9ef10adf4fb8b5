//! What level and risk tools need that run programs: a sandbox makes them harmless, and without one nothing does.

use quarterdeck::{
    domain::permission::{Level, Risk},
    tools::registry,
};

#[test]
fn commands_and_code_need_level_read_in_a_sandbox_and_level_unrestricted_without_one() {
    let needs = |name: &str, held| registry::find(name).expect(name).needs(held);

    for name in ["shell_execute", "code_execute"] {
        assert_eq!(needs(name, true), (Level::Read, Risk::Execution), "{name}");
        assert_eq!(
            needs(name, false),
            (Level::Unrestricted, Risk::Execution),
            "{name}"
        );
    }
    for held in [true, false] {
        assert_eq!(
            needs("shell_inspect", held),
            (Level::Read, Risk::ReadOnlyLocal)
        );
    }
}
