//! A change to one cell as replacements in the file's text.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use super::{
    cells::{Cell, Kind, Notebook},
    parts,
    spacing::{Gaps, Style},
};
use crate::workspace::{encoding, error::forged, line_ends::Splice};

/// What belongs to cells that run, and to no other.
const OF_CODE: [(&str, &str); 2] = [("execution_count", "null"), ("outputs", "[]")];
/// What belongs to cells with text, and to no other.
const OF_TEXT: &str = "attachments";

/// A change to one cell. A cell is named by its id, or by its place as `cell-N`, counted from 0.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Another source, and perhaps another kind.
    Replace {
        /// Of which cell.
        cell: &'a str,
        /// The source.
        source: &'a str,
        /// What it is to be, when that is said.
        kind: Option<Kind>,
    },
    /// A new cell.
    Insert {
        /// Behind which one; at the beginning when there is none.
        after: Option<&'a str>,
        /// Its source.
        source: &'a str,
        /// What it is.
        kind: Kind,
    },
    /// One cell less.
    Delete {
        /// Which.
        cell: &'a str,
    },
}

/// A change that was looked at but not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What to replace in the file's text, in order. Nothing when it is so already.
    pub splices: Vec<Splice>,
    /// The cell as it is told of: where it is, or was when it is deleted.
    pub cell: String,
    /// Its source before.
    pub old: String,
    /// Its source afterwards.
    pub new: String,
    /// Whether outputs go that there were.
    pub clears_outputs: bool,
    /// How many cells there are afterwards.
    pub cells: usize,
}

/// Looks at a change to a notebook. `seed` is what the id of a new cell is made from: the same for the same file.
pub fn plan(text: &str, change: Change<'_>, seed: &str) -> Result<Plan, String> {
    let notebook = Notebook::read(text)?;
    if let Change::Replace { source, .. } | Change::Insert { source, .. } = change
        && let Some(letter) = encoding::forged(source)
    {
        return Err(forged(letter));
    }
    match change {
        Change::Replace { cell, source, kind } => {
            notebook.replaced(notebook.find(cell)?, source, kind)
        }
        Change::Insert {
            after,
            source,
            kind,
        } => {
            let after = after.map(|name| notebook.find(name)).transpose()?;
            Ok(notebook.inserted(after, source, kind, seed))
        }
        Change::Delete { cell } => Ok(notebook.deleted(notebook.find(cell)?)),
    }
}

impl Notebook<'_> {
    fn replaced(&self, index: usize, source: &str, kind: Option<Kind>) -> Result<Plan, String> {
        let nothing = || format!("there is no cell-{index}");
        let cell = self.cells.get(index).ok_or_else(nothing)?;
        let kind = kind.unwrap_or(cell.kind);
        let place = cell.object.value("source");
        let place = place.ok_or_else(|| format!("cell-{index} has no `source`"))?;
        let old = self.source(cell);
        let mut splices = Vec::new();
        if kind != cell.kind {
            let new = self.turned(index, cell, source, kind);
            splices.push(splice(cell.object.range.clone(), new));
        } else if old != source {
            splices.push(splice(place, self.written(index, source)));
            if kind == Kind::Code {
                splices.extend(OF_CODE.iter().filter_map(|(name, empty)| {
                    let value = cell.object.value(name)?;
                    (self.part(value.clone()) != *empty).then(|| splice(value, *empty))
                }));
            }
            splices.sort_by_key(|splice| splice.range.start);
        }
        let outputs = cell.object.value("outputs").map(|range| self.part(range));
        let mut called = self.called(index);
        if kind != cell.kind {
            called.push_str(&format!(", now {}", kind.name()));
        }
        Ok(Plan {
            clears_outputs: !splices.is_empty() && outputs.is_some_and(|outputs| outputs != "[]"),
            splices,
            cell: called,
            old,
            new: source.to_owned(),
            cells: self.cells.len(),
        })
    }

    fn inserted(&self, after: Option<usize>, source: &str, kind: Kind, seed: &str) -> Plan {
        let index = after.map_or(0, |after| after + 1);
        let near = after.unwrap_or(0);
        let id = self.has_ids.then(|| self.fresh_id(seed, index, source));
        let style = Style::of(self.text);
        let mut fields = vec![
            ("cell_type".to_owned(), style.text(kind.name())),
            ("metadata".to_owned(), "{}".to_owned()),
            ("source".to_owned(), self.written(near, source)),
        ];
        fields.extend(id.iter().map(|id| ("id".to_owned(), style.text(id))));
        if kind == Kind::Code {
            fields.extend(OF_CODE.map(|(name, empty)| (name.to_owned(), empty.to_owned())));
        }
        self.arrange(&mut fields, near, kind);
        let gaps = self.gaps_of_list();
        let cell = self.gaps_of_cell(near).object(&fields, style);
        let splice = match after.map_or_else(|| self.cells.first(), |after| self.cells.get(after)) {
            None => splice(self.list.clone(), gaps.list(vec![cell])),
            Some(next) if after.is_none() => {
                let start = next.object.range.start;
                splice(start..start, format!("{cell}{}", gaps.between))
            }
            Some(before) => {
                let end = before.object.range.end;
                splice(end..end, format!("{}{cell}", gaps.between))
            }
        };
        let id = id.map_or_else(String::new, |id| format!("id {id}, "));
        Plan {
            splices: vec![splice],
            cell: format!("cell-{index} ({id}{})", kind.name()),
            old: String::new(),
            new: source.to_owned(),
            clears_outputs: false,
            cells: self.cells.len() + 1,
        }
    }

    fn deleted(&self, index: usize) -> Plan {
        let range = |index: usize| self.cells.get(index).map(|cell| cell.object.range.clone());
        let own = range(index).unwrap_or_default();
        let before = index.checked_sub(1).and_then(range);
        let gone = match (range(index + 1), before) {
            (Some(next), _) => own.start..next.start,
            (None, Some(before)) => before.end..own.end,
            (None, None) => self.list.start + 1..self.list.end - 1,
        };
        let cell = self.cells.get(index);
        Plan {
            splices: vec![splice(gone, "")],
            cell: self.called(index),
            old: cell.map(|cell| self.source(cell)).unwrap_or_default(),
            new: String::new(),
            clears_outputs: false,
            cells: self.cells.len().saturating_sub(1),
        }
    }

    /// A cell that becomes one of another kind: what belongs to the old kind only goes, the rest stays.
    fn turned(&self, index: usize, cell: &Cell, source: &str, kind: Kind) -> String {
        let style = Style::of(self.text);
        let is_foreign = |name: &str| match kind {
            Kind::Code => name == OF_TEXT,
            Kind::Markdown | Kind::Raw => OF_CODE.iter().any(|(known, _)| *known == name),
        };
        let kept = cell.object.fields.iter();
        let kept = kept.filter(|(name, _)| !is_foreign(name));
        let mut fields: Vec<(String, String)> = kept
            .map(|(name, value)| {
                let value = match name.as_str() {
                    "cell_type" => style.text(kind.name()),
                    "source" => self.written(index, source),
                    _ => self.part(value.clone()).to_owned(),
                };
                (name.clone(), value)
            })
            .collect();
        if kind == Kind::Code {
            for (name, empty) in OF_CODE {
                if cell.object.value(name).is_none() {
                    fields.push((name.to_owned(), empty.to_owned()));
                }
            }
        }
        self.arrange(&mut fields, index, kind);
        self.gaps_of_cell(index).object(&fields, style)
    }

    /// A source as the cell keeps it, else those around: as a list of lines, or as one text.
    fn written(&self, index: usize, source: &str) -> String {
        let style = Style::of(self.text);
        let near = self.nearest(index);
        let values = near.iter().filter_map(|cell| cell.object.value("source"));
        let mut values = values.peekable();
        if values
            .peek()
            .is_some_and(|value| self.part(value.clone()).starts_with('"'))
        {
            return style.text(source);
        }
        let around = self.gaps_of_cell(index);
        let gaps = values.find_map(|value| {
            let lines = parts::array(self.text, value.clone()).ok()?;
            Gaps::of_list(self.text, &value, &lines, &around)
        });
        let lines = source.split_inclusive('\n').map(|line| style.text(line));
        gaps.unwrap_or_else(|| around.within())
            .list(lines.collect())
    }

    /// Puts fields into the order of a cell of this kind: the nearest that there is, else by name.
    fn arrange(&self, fields: &mut [(String, String)], index: usize, kind: Kind) {
        fields.sort_by(|(one, _), (other, _)| one.cmp(other));
        let near = self.nearest(index);
        let Some(like) = near.into_iter().find(|cell| cell.kind == kind) else {
            return;
        };
        let place = |name: &str| {
            let mut known = like.object.fields.iter();
            known
                .position(|(known, _)| known == name)
                .unwrap_or(usize::MAX)
        };
        if !like
            .object
            .fields
            .is_sorted_by(|(one, _), (other, _)| one <= other)
        {
            fields.sort_by_key(|(name, _)| place(name));
        }
    }

    fn gaps_of_list(&self) -> Gaps {
        let root = self.gaps_of_root();
        let cells = self.cells.iter().map(|cell| cell.object.range.clone());
        let cells: Vec<Range<usize>> = cells.collect();
        Gaps::of_list(self.text, &self.list, &cells, &root).unwrap_or_else(|| root.within())
    }

    fn gaps_of_cell(&self, index: usize) -> Gaps {
        let near = self.nearest(index);
        let mut near = near.into_iter();
        near.find_map(|cell| Gaps::of_object(self.text, &cell.object))
            .unwrap_or_else(|| self.gaps_of_list().within())
    }

    fn gaps_of_root(&self) -> Gaps {
        Gaps::of_object(self.text, &self.root).unwrap_or_else(|| Gaps {
            open: String::new(),
            between: ",".to_owned(),
            close: String::new(),
            colon: ":".to_owned(),
        })
    }

    /// The cells, the nearest to a place first.
    fn nearest(&self, index: usize) -> Vec<&Cell> {
        let mut cells: Vec<(usize, &Cell)> = self.cells.iter().enumerate().collect();
        cells.sort_by_key(|(own, _)| own.abs_diff(index));
        cells.into_iter().map(|(_, cell)| cell).collect()
    }

    /// An id that no cell has, the same whenever the same change to the same file is looked at.
    fn fresh_id(&self, seed: &str, index: usize, source: &str) -> String {
        let mut tries = 0_u32;
        loop {
            let made = Sha256::new()
                .chain_update(seed)
                .chain_update(format!("/{index}/{tries}/"))
                .chain_update(source)
                .finalize();
            let id: String = made
                .iter()
                .take(4)
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let is_taken = |cell: &Cell| cell.id.as_deref() == Some(id.as_str());
            if !self.cells.iter().any(is_taken) {
                return id;
            }
            tries += 1;
        }
    }
}

fn splice(range: Range<usize>, new: impl Into<String>) -> Splice {
    Splice {
        range,
        new: new.into(),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
