//! The one list of meanings. A theme that leaves one out gets its fallback's style.

macro_rules! style_names {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal $(<- $fallback:ident)?;)+) => {
        /// What a piece of the screen means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(usize)]
        pub enum StyleName {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl StyleName {
            /// All meanings, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in theme files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Whose style is used by a theme that does not name this one.
            pub fn fallback(self) -> Option<Self> {
                match self {
                    $(Self::$variant => style_names!(@fallback $($fallback)?),)+
                }
            }
        }
    };
    (@fallback) => { None };
    (@fallback $fallback:ident) => { Some(Self::$fallback) };
}

style_names! {
    /// Ordinary text on the terminal's own background.
    Text = "text";
    /// Less important text: times, counts, hints.
    Dim = "dim";
    /// Still less: rules, guides, fillers.
    Faint = "faint" <- Dim;
    /// Text that should stand out.
    Strong = "strong" <- Text;
    /// The program's own colour: focus, links between things.
    Accent = "accent";
    /// Went well.
    Good = "good";
    /// Needs a look.
    Warn = "warn";
    /// Failed.
    Error = "error";
    /// Border of a pane.
    Border = "border" <- Faint;
    /// Border of the focused pane.
    BorderFocused = "border.focused" <- Accent;
    /// Title of a pane.
    Title = "title" <- Dim;
    /// Title of the focused pane.
    TitleFocused = "title.focused" <- Accent;
    /// The selected row of a list.
    Selection = "selection";
    /// The top line.
    Header = "header" <- Text;
    /// The bottom line.
    Footer = "footer" <- Dim;
    /// A key in a hint.
    Key = "key" <- Accent;
    /// The person's words.
    User = "user" <- Strong;
    /// The bar beside the person's words.
    UserBar = "user.bar" <- Accent;
    /// The model's reasoning.
    Reasoning = "reasoning" <- Dim;
    /// What the program itself says.
    Stage = "stage" <- Dim;
    /// A tool's name.
    Tool = "tool" <- Accent;
    /// A tool's main argument.
    ToolSubject = "tool.subject" <- Text;
    /// The guide beside folded output.
    Guide = "guide" <- Faint;
    /// Frame of an approval box.
    Approval = "approval" <- Warn;
    /// What an approval is about.
    ApprovalSubject = "approval.subject" <- Strong;
    /// Frame of a question form.
    Question = "question" <- Accent;
    /// Characters that hide or reorder text, made visible.
    Suspicious = "suspicious" <- Error;
    /// Added lines.
    DiffAdd = "diff.add" <- Good;
    /// Added words inside a line.
    DiffAddWord = "diff.add.word" <- DiffAdd;
    /// Removed lines.
    DiffDelete = "diff.delete" <- Error;
    /// Removed words inside a line.
    DiffDeleteWord = "diff.delete.word" <- DiffDelete;
    /// Line numbers.
    LineNumber = "line_number" <- Faint;
    /// Matches of a search.
    Match = "match" <- Warn;
    /// Markdown headings.
    Heading = "markdown.heading" <- Accent;
    /// Markdown links.
    Link = "markdown.link" <- Accent;
    /// Inline code.
    CodeInline = "markdown.code" <- Accent;
    /// Quotes.
    Quote = "markdown.quote" <- Dim;
    /// List markers and table rules.
    Marker = "markdown.marker" <- Dim;
    /// Code: keywords.
    SyntaxKeyword = "syntax.keyword" <- Accent;
    /// Code: strings.
    SyntaxString = "syntax.string" <- Good;
    /// Code: numbers and constants.
    SyntaxConstant = "syntax.constant" <- Warn;
    /// Code: comments.
    SyntaxComment = "syntax.comment" <- Dim;
    /// Code: types.
    SyntaxType = "syntax.type" <- Text;
    /// Code: functions.
    SyntaxFunction = "syntax.function" <- Text;
    /// Code: operators and punctuation.
    SyntaxPunctuation = "syntax.punctuation" <- Text;
    /// Level `none`.
    LevelNone = "level.none" <- Dim;
    /// Level `read`.
    LevelRead = "level.read" <- Good;
    /// Level `workspace`.
    LevelWorkspace = "level.workspace" <- Accent;
    /// Level `unrestricted`.
    LevelUnrestricted = "level.unrestricted" <- Error;
    /// The filled part of the gauge.
    GaugeUsed = "gauge.used" <- Accent;
    /// The part of the gauge that the outputs take.
    GaugeOutputs = "gauge.outputs" <- Dim;
    /// The free part of the gauge.
    GaugeFree = "gauge.free" <- Faint;
    /// The ceiling mark of the gauge.
    GaugeCeiling = "gauge.ceiling" <- Warn;
    /// The mark that says that a script and no language model answers.
    Script = "script" <- Warn;
}
