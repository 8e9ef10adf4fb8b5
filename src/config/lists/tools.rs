//! Reads one declared tool.

use serde_json::Value;
use toml_edit::{Item, TableLike};

use super::entry::{
    Reason, Shape, Wrong, choice, flag, lacks, milliseconds, must_be, read_keys, tables, text,
    texts,
};
use crate::{
    config::{nearest::nearest, shown},
    domain::{
        declared::{
            DeclaredTool, OutputForm, Parameter, ParameterKind, Part, ToolInput, is_name, parts,
        },
        permission::Level,
    },
};

const SHAPE: Shape<'_> = Shape {
    noun: "tool",
    keys: &[
        "name",
        "description",
        "command",
        "parameters",
        "stdin",
        "stdin_arguments",
        "timeout_ms",
        "level",
        "output",
    ],
};
const PARAMETER: Shape<'_> = Shape {
    noun: "parameter",
    keys: &["name", "type", "description", "enum", "default", "optional"],
};
const LEVELS: [(&str, Level); 4] = [
    ("none", Level::None),
    ("read", Level::Read),
    ("workspace", Level::Workspace),
    ("unrestricted", Level::Unrestricted),
];
/// The names of [`OutputForm`].
pub(in crate::config) const FORMS: [(&str, OutputForm); 2] = [
    ("terminal", OutputForm::Terminal),
    ("markdown", OutputForm::Markdown),
];
/// The longest limit, a day; the limit of commands holds as well.
const LONGEST_MS: u64 = 86_400_000;

/// A tool with the place of its first key. `at` is the place of the list, for a tool without keys.
pub(super) fn read(
    list: &str,
    table: &dyn TableLike,
    at: usize,
) -> Result<(DeclaredTool, usize), Vec<Wrong>> {
    let (mut name, mut description, mut command) = (None, None, None);
    let (mut parameters, mut input, mut timeout_ms) = (Vec::new(), ToolInput::Nothing, None);
    let (mut level, mut output) = (Level::None, OutputForm::Terminal);
    let mut within = Vec::new();
    let (first, mut wrong) = read_keys(&SHAPE, list, table, at, |key, item| {
        match key {
            "name" => name = Some(self::name(item)?),
            "description" => description = Some(text(item)?),
            "command" => command = Some(self::command(item)?),
            "parameters" => match self::parameters(list, item, at) {
                Some(Ok(read)) => parameters = read,
                Some(Err(wrong)) => within = wrong,
                None => return Err(must_be("a list of parameters", item)),
            },
            "stdin" => {
                let text = item.as_str().ok_or_else(|| must_be("a string", item))?;
                input = ToolInput::Text(text.to_owned());
            }
            "stdin_arguments" if flag(item)? => input = ToolInput::Arguments,
            "stdin_arguments" => {}
            "timeout_ms" => timeout_ms = Some(milliseconds(item, 100, LONGEST_MS)?),
            "level" => level = choice(item, &LEVELS)?,
            _ => output = choice(item, &FORMS)?,
        }
        Ok(())
    });
    wrong.append(&mut within);
    let missing = |key| vec![lacks(&SHAPE, list, first, key)];
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let tool = DeclaredTool {
        name: name.ok_or_else(|| missing("name"))?,
        description: description.ok_or_else(|| missing("description"))?,
        parameters,
        command: command.ok_or_else(|| missing("command"))?,
        input,
        timeout_ms,
        level,
        output,
    };
    let faults = faults(
        &tool,
        table.contains_key("stdin") && table.contains_key("stdin_arguments"),
    );
    if faults.is_empty() {
        return Ok((tool, first));
    }
    let key = format!("{list}.{}", shown::name(&tool.name));
    let faults = faults.into_iter();
    Err(faults
        .map(|reason| Wrong {
            at: first,
            key: key.clone(),
            reason: reason.about(&key),
        })
        .collect())
}

/// What no single key can tell.
fn faults(tool: &DeclaredTool, has_two_inputs: bool) -> Vec<Reason> {
    let mut faults = Vec::new();
    if has_two_inputs {
        faults.push(
            Reason::new("has both `stdin` and `stdin_arguments`").with_hint("keep one of them"),
        );
    }
    let program = tool.command.first().map_or("", String::as_str);
    if parts(program)
        .iter()
        .any(|part| matches!(part, Part::Placeholder(_)))
    {
        faults.push(Reason::new(
            "lets the model choose the program: the first word of `command` cannot have a placeholder",
        ));
    }
    let names = || {
        tool.parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
    };
    for placeholder in tool
        .placeholders()
        .filter(|name| !names().any(|known| known == *name))
    {
        let reason = Reason::new(format!(
            "has the placeholder {{{{{placeholder}}}}} and no parameter of that name"
        ));
        faults.push(match nearest(placeholder, names()) {
            Some(meant) => reason.with_hint(format!("did you mean {{{{{meant}}}}}?")),
            None => reason,
        });
    }
    for (index, name) in names().enumerate() {
        if names().take(index).any(|earlier| earlier == name) {
            faults.push(Reason::new(format!("has two parameters `{name}`")));
        }
        let is_used = tool.placeholders().any(|used| used == name);
        if !is_used && tool.input != ToolInput::Arguments {
            faults.push(
                Reason::new(format!("does nothing with the parameter `{name}`"))
                    .with_hint(format!("put {{{{{name}}}}} into `command` or `stdin`")),
            );
        }
    }
    faults
}

fn name(item: &Item) -> Result<String, Reason> {
    let name = text(item)?;
    if is_name(&name) {
        return Ok(name);
    }
    Err(Reason::new(format!(
        "must be of letters, digits and `_`, at most 64, and not begin with a digit, unlike {name:?}"
    )))
}

fn command(item: &Item) -> Result<Vec<String>, Reason> {
    let words = texts(item)
        .map_err(|_| Reason::new("must be the program and its arguments, as a list of strings"))?;
    match words.first() {
        Some(program) if !program.trim().is_empty() => Ok(words),
        _ => Err(Reason::new("names no program")),
    }
}

/// `None` when it is no list of tables.
fn parameters(list: &str, item: &Item, at: usize) -> Option<Result<Vec<Parameter>, Vec<Wrong>>> {
    let list = format!("{list}.parameters");
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for table in tables(item)? {
        match parameter(&list, table, at) {
            Ok(parameter) => read.push(parameter),
            Err(more) => wrong.extend(more),
        }
    }
    Some(if wrong.is_empty() {
        Ok(read)
    } else {
        Err(wrong)
    })
}

fn parameter(list: &str, table: &dyn TableLike, at: usize) -> Result<Parameter, Vec<Wrong>> {
    let (mut name, mut kind, mut description) = (None, ParameterKind::String, None);
    let (mut choices, mut default, mut optional) = (Vec::new(), None, false);
    let (first, mut wrong) = read_keys(&PARAMETER, list, table, at, |key, item| {
        match key {
            "name" => name = Some(self::name(item)?),
            "type" => kind = choice(item, &ParameterKind::ALL)?,
            "description" => description = Some(text(item)?),
            "enum" => choices = scalars(item).ok_or_else(|| must_be("a list of values", item))?,
            "default" => default = Some(scalar(item).ok_or_else(|| must_be("a value", item))?),
            _ => optional = flag(item)?,
        }
        Ok(())
    });
    let is_of_kind = |value: &Value| kind.read(value).as_ref() == Some(value);
    for (key, values) in [("enum", &choices[..]), ("default", default.as_slice())] {
        let is_odd = |value: &&Value| {
            !is_of_kind(value)
                || key == "default" && !choices.is_empty() && !choices.contains(value)
        };
        if let Some(odd) = values.iter().find(is_odd) {
            let key = format!("{list}.{key}");
            let of = if is_of_kind(odd) {
                "value of `enum`"
            } else {
                kind.name()
            };
            let reason = Reason::new(format!("holds {odd}, which is no {of}")).about(&key);
            wrong.push(Wrong {
                at: first,
                key,
                reason,
            });
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Parameter {
        name: name.ok_or_else(|| vec![lacks(&PARAMETER, list, first, "name")])?,
        kind,
        description: description
            .ok_or_else(|| vec![lacks(&PARAMETER, list, first, "description")])?,
        choices,
        default,
        optional,
    })
}

fn scalars(item: &Item) -> Option<Vec<Value>> {
    let values = item.as_array()?.iter();
    values
        .map(|value| scalar(&Item::Value(value.clone())))
        .collect::<Option<Vec<Value>>>()
        .filter(|values| !values.is_empty())
}

fn scalar(item: &Item) -> Option<Value> {
    match item.as_value()? {
        toml_edit::Value::String(text) => Some(text.value().as_str().into()),
        toml_edit::Value::Integer(number) => Some((*number.value()).into()),
        toml_edit::Value::Float(number) => Some((*number.value()).into()),
        toml_edit::Value::Boolean(flag) => Some((*flag.value()).into()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
