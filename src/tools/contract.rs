//! What a tool is: a name, typed arguments, what a call touches, what it would do, and the doing.
//!
//! A tool implements [`Tool`] with its own argument struct; the schema is derived from that struct. The
//! registry stores [`AnyTool`], which every `Tool` gets by a blanket adapter. Order of use:
//! `prepare` (arguments are read) → `access` (pure) → judged by `permission` → `preview` (may read the disk) →
//! asked → `preview` again, whose digest must be the same → `run`.

use std::marker::PhantomData;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{arguments, context::ToolContext, error::ToolError, output::ToolOutput, schema};
use crate::domain::{
    access::Access,
    declared::DeclaredTool,
    display::Display,
    permission::{Level, Risk},
    tool::ToolSpec,
};

/// What may run beside what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// Beside anything.
    Parallel,
    /// In order among calls with the same key (a path), beside all others.
    Keyed(String),
    /// Alone.
    Exclusive,
}

/// What is known of a tool without calling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// `noun_verb` in snake case; the file's name.
    pub name: &'static str,
    /// Names by which other systems call it; accepted, never advertised.
    pub aliases: &'static [&'static str],
    /// Argument names of other systems: (theirs, ours).
    pub argument_aliases: &'static [(&'static str, &'static str)],
    /// What it does, for the approval box: `edit a file`.
    pub verb: &'static str,
    /// For the model; the first line stands alone.
    pub description: &'static str,
    /// The argument shown on the folded line and in the approval's first row.
    pub subject: &'static str,
    /// The argument that "edit, then allow" opens, when there is one.
    pub editable: Option<&'static str>,
}

/// What a call would do, as far as it can be shown before.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The diff of an edit.
    pub display: Display,
    /// The arguments whose text stands in the display: they need not be shown again.
    pub shows: &'static [&'static str],
    /// Digest of what the display was made from (the file's present content); bound to the approval.
    pub basis: String,
}

/// A tool with typed arguments.
pub trait Tool: Send + Sync + 'static {
    /// The arguments. Field docs are written for the model: they become the schema.
    type Arguments: DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// What is known of it.
    const ABOUT: About;

    /// What even the least of its calls needs, and what could go wrong then; `held` when a sandbox holds commands.
    fn needs(_held: bool) -> (Level, Risk) {
        (Level::None, Risk::SessionOnly)
    }

    /// What a call touches. Pure: never looks at the disk.
    fn access(arguments: &Self::Arguments, context: &ToolContext) -> Access;

    /// Whether the person can type into it while it runs. Pure.
    fn is_attended(_arguments: &Self::Arguments) -> bool {
        false
    }

    /// What may run beside it. Pure.
    fn concurrency(_arguments: &Self::Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Parallel
    }

    /// What the call would do. A failure here is the call's failure: nobody is asked.
    fn preview(
        _arguments: &Self::Arguments,
        _context: &ToolContext,
    ) -> impl Future<Output = Result<Option<Preview>, ToolError>> + Send {
        async { Ok(None) }
    }

    /// Does it.
    fn run(
        arguments: Self::Arguments,
        context: ToolContext,
    ) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send;
}

/// A tool as the registry stores it.
pub trait AnyTool: Send + Sync {
    /// What is known of it.
    fn about(&self) -> About;
    /// What the configuration says of it, when it comes from there.
    fn declared(&self) -> Option<&DeclaredTool> {
        None
    }
    /// The command line that a checked call runs, when it is none of its arguments.
    fn line(&self, _arguments: &Value) -> Option<String> {
        None
    }
    /// Whether the person can type into a checked call while it runs.
    fn is_attended(&self, _arguments: &Value) -> bool {
        false
    }
    /// What even the least of its calls needs, and what could go wrong then; `held` when a sandbox holds commands.
    fn needs(&self, held: bool) -> (Level, Risk);
    /// Name, description and schema for the provider.
    fn spec(&self) -> ToolSpec;
    /// Whether it has an argument of this name.
    fn takes(&self, argument: &str) -> bool {
        has_field(&self.spec().schema, argument)
    }
    /// Reads the arguments; the refusal names the field, what was sent and what is expected.
    fn check(&self, arguments: &Value) -> Result<Value, ToolError>;
    /// What a checked call touches.
    fn access(&self, arguments: &Value, context: &ToolContext) -> Result<Access, ToolError>;
    /// What may run beside a checked call.
    fn concurrency(
        &self,
        arguments: &Value,
        context: &ToolContext,
    ) -> Result<Concurrency, ToolError>;
    /// What a checked call would do.
    fn preview(
        &self,
        arguments: Value,
        context: ToolContext,
    ) -> BoxFuture<'static, Result<Option<Preview>, ToolError>>;
    /// Runs a checked call.
    fn run(
        &self,
        arguments: Value,
        context: ToolContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>>;
}

fn has_field(schema: &Value, name: &str) -> bool {
    schema
        .get("properties")
        .is_some_and(|properties| properties.get(name).is_some())
}

/// The adapter from a typed tool to [`AnyTool`].
pub struct Typed<T>(PhantomData<T>);

impl<T> Typed<T> {
    /// The adapter of `T`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Typed<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Tool> AnyTool for Typed<T> {
    fn about(&self) -> About {
        T::ABOUT
    }

    fn needs(&self, held: bool) -> (Level, Risk) {
        T::needs(held)
    }

    fn is_attended(&self, arguments: &Value) -> bool {
        let read = arguments::read::<T::Arguments>(&T::ABOUT, arguments);
        read.is_ok_and(|arguments| T::is_attended(&arguments))
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: T::ABOUT.name.to_owned(),
            description: T::ABOUT.description.to_owned(),
            schema: schema::of::<T::Arguments>().advertised.clone(),
        }
    }

    fn takes(&self, argument: &str) -> bool {
        has_field(&schema::of::<T::Arguments>().advertised, argument)
    }

    fn check(&self, arguments: &Value) -> Result<Value, ToolError> {
        let normal = arguments::normalize::<T::Arguments>(&T::ABOUT, arguments)?;
        arguments::read::<T::Arguments>(&T::ABOUT, &normal)?;
        Ok(normal)
    }

    fn access(&self, arguments: &Value, context: &ToolContext) -> Result<Access, ToolError> {
        let arguments = arguments::read::<T::Arguments>(&T::ABOUT, arguments)?;
        Ok(T::access(&arguments, context))
    }

    fn concurrency(
        &self,
        arguments: &Value,
        context: &ToolContext,
    ) -> Result<Concurrency, ToolError> {
        let arguments = arguments::read::<T::Arguments>(&T::ABOUT, arguments)?;
        Ok(T::concurrency(&arguments, context))
    }

    fn preview(
        &self,
        arguments: Value,
        context: ToolContext,
    ) -> BoxFuture<'static, Result<Option<Preview>, ToolError>> {
        Box::pin(async move {
            let arguments = arguments::read::<T::Arguments>(&T::ABOUT, &arguments)?;
            T::preview(&arguments, &context).await
        })
    }

    fn run(
        &self,
        arguments: Value,
        context: ToolContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let arguments = arguments::read::<T::Arguments>(&T::ABOUT, &arguments)?;
            T::run(arguments, context).await
        })
    }
}
