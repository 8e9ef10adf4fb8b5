//! Named nodes with branches.

use super::{
    amount::{fold_row, one_row},
    render::{Canvas, Rendered},
};
use crate::{
    domain::display::TreeNode,
    ui::{
        rows::{Piece, Row},
        theme::StyleName,
    },
};

/// Deeper nodes are drawn at this depth.
const DEEPEST: usize = 24;

pub(super) fn render(nodes: &[TreeNode], canvas: &Canvas<'_>) -> Rendered {
    let (head, tail) = canvas.amount.ends();
    let most = head + tail;
    let folded = if nodes.len() > most + 1 {
        nodes.len() - most
    } else {
        0
    };
    let branches = branches(nodes);
    let mut rows: Vec<Row> = nodes
        .iter()
        .zip(branches)
        .take(nodes.len() - folded)
        .map(|(node, branch)| {
            let room = canvas.width.saturating_sub(branch.chars().count()).max(1);
            Row::new(vec![
                Piece::new(branch, StyleName::Guide),
                Piece::text(one_row(&node.label, room)),
            ])
        })
        .collect();
    if folded > 0 {
        rows.push(fold_row(folded, canvas.open_key, canvas.width));
    }
    Rendered {
        rows,
        folded: folded > 0,
        unsettled: false,
    }
}

/// The lines in front of each node. From the end backwards: which depths have a node further down.
fn branches(nodes: &[TreeNode]) -> Vec<String> {
    let mut below: Vec<bool> = Vec::new();
    let mut drawn: Vec<String> = nodes
        .iter()
        .rev()
        .map(|node| {
            let depth = node.depth.min(DEEPEST);
            let has_next = below.get(depth).copied().unwrap_or(false);
            below.resize(depth + 1, false);
            if let Some(mark) = below.get_mut(depth) {
                *mark = true;
            }
            let mut branch = String::new();
            for level in 1..depth {
                let goes_on = below.get(level).copied().unwrap_or(false);
                branch.push_str(if goes_on { "│  " } else { "   " });
            }
            if depth > 0 {
                branch.push_str(if has_next { "├─ " } else { "└─ " });
            }
            branch
        })
        .collect();
    drawn.reverse();
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_end_at_the_last_child() {
        let node = |depth| TreeNode {
            depth,
            label: String::new(),
        };
        let nodes = [0, 1, 2, 2, 1, 2].map(node);

        assert_eq!(
            branches(&nodes),
            ["", "├─ ", "│  ├─ ", "│  └─ ", "└─ ", "   └─ "]
        );
    }
}
