//! A notebook as its cells.

use std::ops::Range;

use serde_json::Value;

use super::parts::{self, Object};

/// The most cells that a refusal names.
const MOST_NAMED: usize = 20;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What the kernel runs.
    Code,
    /// Text.
    Markdown,
    /// What is left as it is.
    Raw,
}

impl Kind {
    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
        }
    }

    fn of(name: &str) -> Option<Self> {
        let mut kinds = [Self::Code, Self::Markdown, Self::Raw].into_iter();
        kinds.find(|kind| kind.name() == name)
    }
}

/// One cell where it stands in the file.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) object: Object,
    pub(super) kind: Kind,
    pub(super) id: Option<String>,
}

/// A notebook where it stands in the file.
pub(super) struct Notebook<'text> {
    pub(super) text: &'text str,
    pub(super) root: Object,
    /// Where the list of cells stands, brackets included.
    pub(super) list: Range<usize>,
    pub(super) cells: Vec<Cell>,
    /// Whether its format gives every cell an id.
    pub(super) has_ids: bool,
}

impl<'text> Notebook<'text> {
    /// Reads a file's text.
    pub(super) fn read(text: &'text str) -> Result<Self, String> {
        let start = text.len() - text.trim_start().len();
        let root = parts::object(text, start..text.trim_end().len())
            .map_err(|error| format!("it is not a notebook: {error}"))?;
        let number = |name: &str| {
            let value = root.value(name).and_then(|range| text.get(range));
            value
                .and_then(|value| value.parse::<u64>().ok())
                .ok_or_else(|| format!("it is not a notebook: `{name}` is not a number"))
        };
        let format = (number("nbformat")?, number("nbformat_minor")?);
        if format.0 < 4 {
            return Err(format!(
                "it has the old format {}.{}; `jupyter nbconvert --to notebook` makes one that can be changed",
                format.0, format.1
            ));
        }
        let list = root
            .value("cells")
            .ok_or("it is not a notebook: it has no `cells`")?;
        let elements = parts::array(text, list.clone())
            .map_err(|error| format!("it is not a notebook: `cells`: {error}"))?;
        let cells = elements.into_iter().enumerate();
        let cells = cells.map(|(index, range)| {
            cell(text, range).map_err(|why| format!("it is not a notebook: cell-{index} {why}"))
        });
        Ok(Self {
            cells: cells.collect::<Result<_, _>>()?,
            text,
            root,
            list,
            has_ids: format >= (4, 5),
        })
    }

    /// A part of the file.
    pub(super) fn part(&self, range: Range<usize>) -> &'text str {
        self.text.get(range).unwrap_or_default()
    }

    /// A value that is there, read.
    pub(super) fn value(&self, object: &Object, name: &str) -> Option<Value> {
        serde_json::from_str(self.part(object.value(name)?)).ok()
    }

    /// The source of a cell as one text.
    pub(super) fn source(&self, cell: &Cell) -> String {
        match self.value(&cell.object, "source") {
            Some(Value::String(text)) => text,
            Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
            _ => String::new(),
        }
    }

    /// The index of the cell that is meant: by its id, or by its place as `cell-N`, counted from 0.
    pub(super) fn find(&self, name: &str) -> Result<usize, String> {
        let mut named = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(index, cell)| (cell.id.as_deref() == Some(name)).then_some(index));
        let (bare, other_form) = match name.strip_prefix("cell-") {
            Some(bare) => (bare, ""),
            None => (name, "cell-"),
        };
        let place: Option<usize> = bare.parse().ok();
        let place = place.filter(|index| *index < self.cells.len());
        let Some(index) = named.next() else {
            return place.ok_or_else(|| format!("there is no cell {name}; {}", self.named()));
        };
        match (named.next(), place) {
            (Some(other), _) => Err(format!(
                "both cell-{index} and cell-{other} have the id {name}; name one by its place"
            )),
            (None, Some(place)) if place != index => Err(format!(
                "{name} is the id of one cell and the place of another; name the one cell-{index}, the other \
                 {other_form}{place}"
            )),
            (None, _) => Ok(index),
        }
    }

    /// A cell as it is told of.
    pub(super) fn called(&self, index: usize) -> String {
        match self.cells.get(index) {
            Some(Cell {
                id: Some(id), kind, ..
            }) => format!("cell-{index} (id {id}, {})", kind.name()),
            Some(Cell { kind, .. }) => format!("cell-{index} ({})", kind.name()),
            None => format!("cell-{index}"),
        }
    }

    /// The cells that there are.
    fn named(&self) -> String {
        if self.cells.is_empty() {
            return "the notebook has none".to_owned();
        }
        let shown = self.cells.len().min(MOST_NAMED);
        let mut named: Vec<String> = (0..shown).map(|index| self.called(index)).collect();
        if self.cells.len() > shown {
            named.push(format!("… up to cell-{}", self.cells.len() - 1));
        }
        format!("the cells are: {}", named.join(", "))
    }
}

fn cell(text: &str, range: Range<usize>) -> Result<Cell, String> {
    let object = parts::object(text, range).map_err(|error| format!("is no cell: {error}"))?;
    let word = |name: &str| -> Option<String> {
        serde_json::from_str(text.get(object.value(name)?)?).ok()
    };
    let kind = word("cell_type").ok_or("has no `cell_type`")?;
    Ok(Cell {
        kind: Kind::of(&kind).ok_or_else(|| format!("has the unknown `cell_type` {kind}"))?,
        id: word("id"),
        object,
    })
}
