//! What holds the commands of this run, in words for a person.

/// What holds the commands of this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxReport {
    /// How well.
    pub standing: Standing,
    /// What is said of it line by line: what a line is about, and what there is to say.
    pub rows: Vec<(&'static str, String)>,
}

/// How well commands are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// What they leave behind lies in the workspace, starts nothing by itself and holds no secret.
    Whole,
    /// They are held, with gaps.
    Part,
    /// Nothing holds them: they run as the person.
    Off,
    /// What the person named does not hold: none runs below level `unrestricted`.
    Broken,
}

impl Standing {
    /// The word beside the level.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "sandboxed",
            Self::Part => "partly sandboxed",
            Self::Off => "no sandbox",
            Self::Broken => "sandbox broken",
        }
    }
}
