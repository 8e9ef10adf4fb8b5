//! The languages, and how code of one is started: never by a line that a shell reads.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{permission::shell::quoted, process::program::Program};

/// What runs before the code: it takes the code from its input and gives it `tool()`.
const PYTHON: &str = include_str!("python.py");
const NODE: &str = include_str!("node.js");

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Language {
    /// Python 3.
    #[serde(alias = "python")]
    Python3,
    /// JavaScript; `await` and `require` are there.
    #[serde(alias = "javascript", alias = "js")]
    Node,
}

impl Language {
    /// The interpreter's name on the search path.
    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Python3 => "python3",
            Self::Node => "node",
        }
    }

    /// The other one.
    pub(super) fn other(self) -> &'static str {
        match self {
            Self::Python3 => "node",
            Self::Node => "python3",
        }
    }

    /// The line of a shell that would run the same code, by which it is judged.
    pub(super) fn line(self, code: &str) -> String {
        quoted(&[self.program(), self.flag(), code].map(str::to_owned))
    }

    /// What comes before code among its arguments.
    fn flag(self) -> &'static str {
        match self {
            Self::Python3 => "-c",
            Self::Node => "-e",
        }
    }

    /// What is started. The code and its input are what it reads.
    pub(super) fn start(self, code: &str, input: &str) -> Program {
        let prelude = match self {
            Self::Python3 => PYTHON,
            Self::Node => NODE,
        };
        let size = code.len().to_string();
        let words = [self.program(), self.flag(), prelude, &size];
        let program = Program::Words(words.map(str::to_owned).to_vec());
        program.asking().reading(format!("{code}{input}"))
    }
}
