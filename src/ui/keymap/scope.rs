//! Where a key means something, and which scopes are looked at after it.

macro_rules! scopes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal then [$($next:ident),*];)+) => {
        /// A table of a keymap file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scope {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Scope {
            /// All scopes.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The table's name in keymap files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// This scope and those that are looked at when it does not know a key, in order.
            pub fn chain(self) -> &'static [Self] {
                match self { $(Self::$variant => &[Self::$variant, $(Self::$next),*],)+ }
            }
        }
    };
}

scopes! {
    /// Everywhere, unless something nearer binds the key.
    Global = "global" then [];
    /// Moving in anything that has rows.
    List = "list" then [Global];
    /// A text field inside a box, form or overlay: plain characters type.
    Field = "field" then [Global];
    /// The transcript.
    Conversation = "conversation" then [List, Global];
    /// The composer: plain characters type.
    Composer = "composer" then [Global];
    /// The agents.
    Agents = "agents" then [List, Global];
    /// The checklist.
    Checklist = "checklist" then [List, Global];
    /// The scratchpad.
    Scratchpad = "scratchpad" then [List, Global];
    /// The context gauge.
    Context = "context" then [List, Global];
    /// An approval box.
    Approval = "approval" then [List, Global];
    /// A question form.
    Question = "question" then [List, Global];
    /// What is allowed and forbidden.
    Rules = "rules" then [List, Global];
    /// The viewer of a whole output.
    Viewer = "viewer" then [List, Global];
    /// A program that is typed into: every other key goes to it.
    Terminal = "terminal" then [];
}

impl Scope {
    /// Whether plain characters type text here instead of being looked up.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Composer | Self::Field | Self::Terminal)
    }
}
