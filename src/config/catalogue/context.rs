//! The settings of the context window.

use super::super::spec::{Field, Reach, SettingSpec};
use crate::domain::window::Compacting;

const COMPACTIONS: &[&str] = &["auto", "remind", "never"];

/// Where room is made.
pub(super) const CEILING: SettingSpec = SettingSpec {
    key: "context.ceiling_percent",
    field: Field::Whole {
        least: 10,
        most: 100,
        set: |settings, _, number| settings.context.ceiling_percent = number.min(100) as u8,
    },
    default: "85",
    reach: Reach::Project,
    doc: "The share of the context window, in percent, at which room is made.",
};

/// What happens there.
pub(super) const COMPACTION: SettingSpec = SettingSpec {
    key: "context.compaction",
    field: Field::Choice {
        words: COMPACTIONS,
        set: |settings, _, word| {
            let named = |way: &Compacting| way.name() == word;
            let way = Compacting::ALL.into_iter().find(named);
            settings.context.compaction = way.unwrap_or_default();
        },
    },
    default: "\"auto\"",
    reach: Reach::Project,
    doc: "What happens there: room is made, the person is told, or nothing.",
};

/// Who writes the summary.
pub(super) const CHECKPOINT: SettingSpec = SettingSpec {
    key: "context.checkpoint",
    field: Field::Flag(|settings, _, flag| settings.context.checkpoint = flag),
    default: "true",
    reach: Reach::Project,
    doc: "Whether the agent writes the summary itself, after it has saved what it needs, or the model in a request of its own.",
};
