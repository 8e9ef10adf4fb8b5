//! What level and risk tools need that run programs: a sandbox makes them harmless, and without one nothing does.

use quarterdeck::{
    domain::permission::{Level, Risk},
    tools::registry,
};

#[test]
fn a_command_needs_level_read_in_a_sandbox_and_level_unrestricted_without_one() {
    let needs = |name: &str, held| registry::find(name).expect(name).needs(held);

    assert_eq!(needs("shell_execute", true), (Level::Read, Risk::Execution));
    assert_eq!(
        needs("shell_execute", false),
        (Level::Unrestricted, Risk::Execution)
    );
    for held in [true, false] {
        assert_eq!(
            needs("shell_inspect", held),
            (Level::Read, Risk::ReadOnlyLocal)
        );
    }
}
