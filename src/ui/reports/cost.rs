//! What was used.

use crate::{
    domain::usage::Usage,
    text::{
        figures::{counted, money},
        truncate::grouped,
    },
    ui::Model,
};

/// What the session and each agent have used, to be read at leisure.
pub fn cost(model: &Model) -> String {
    let line = |who: &str, usage: &Usage| {
        let cost = usage.cost.map_or_else(|| "price unknown".to_owned(), money);
        format!(
            "{who:<16} in {:>11}  from the cache {:>11}  out {:>9}  {cost}",
            grouped(usage.input as usize),
            grouped(usage.cached as usize),
            grouped(usage.output as usize),
        )
    };
    let session = &model.session;
    let turns = counted(session.turns_done as usize, "turn", "turns");
    let mut lines = vec![line("this session", &session.usage), turns, String::new()];
    let agents = session.agents.iter();
    lines.extend(agents.map(|node| line(node.id.as_str(), &node.usage)));
    lines.join("\n")
}
