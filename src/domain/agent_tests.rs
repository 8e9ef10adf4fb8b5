use proptest::{option, prelude::*, sample::select};

use super::{AgentDocument, AgentPermissions, Authority, Wanted};
use crate::domain::permission::{Level, Network, Verdict};

fn level() -> impl Strategy<Value = Level> {
    select(vec![
        Level::None,
        Level::Read,
        Level::Workspace,
        Level::Unrestricted,
    ])
}

fn network() -> impl Strategy<Value = Network> {
    select(vec![Network::None, Network::Remote, Network::All])
}

fn wanted() -> impl Strategy<Value = Wanted> {
    (option::of(level()), option::of(network())).prop_map(|(level, network)| Wanted {
        level,
        network,
        inherits: Vec::new(),
    })
}

fn document() -> impl Strategy<Value = AgentDocument> {
    let permissions = (select(vec!["a", "b"]), any::<bool>()).prop_map(|(of, answers)| {
        let verdicts = [("*".to_owned(), Verdict::Allow)];
        AgentPermissions {
            of: of.to_owned(),
            actions: [("shell_execute".to_owned(), verdicts.into())].into(),
            answers,
        }
    });
    let parts = (
        option::of(level()),
        option::of(network()),
        option::of(permissions),
    );
    parts.prop_map(|(level, network, permissions)| AgentDocument {
        name: "x".to_owned(),
        description: "x".to_owned(),
        instructions: String::new(),
        level,
        network,
        permissions,
        place: String::new(),
    })
}

proptest! {
    /// Each agent hangs below one that was made before it.
    #[test]
    fn authority_only_narrows_going_down_any_tree(
        root in (level(), network()),
        made in prop::collection::vec((any::<prop::sample::Index>(), wanted(), option::of(document())), 0..12),
    ) {
        let mut tree = vec![Authority { cap: root.0, network: root.1, inherits: Vec::new(), policies: Vec::new() }];
        for (parent, wanted, document) in made {
            let parent = tree[parent.index(tree.len())].clone();
            let child = parent.below(&wanted, document.as_ref());

            prop_assert!(child.cap <= parent.cap && child.network <= parent.network);
            prop_assert!(wanted.level.is_none_or(|level| child.cap <= level));
            // Everything that narrows the parent narrows the child, and answers for nobody there.
            let (inherited, own) = child.policies.split_at(parent.policies.len());
            let narrows: Vec<AgentPermissions> = parent.policies.iter().map(AgentPermissions::inherited).collect();
            prop_assert_eq!(inherited, narrows);
            let named = document.and_then(|document| document.permissions);
            prop_assert_eq!(own.first(), named.as_ref());
            tree.push(child);
        }
    }
}
