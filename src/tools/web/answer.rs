//! What a model reads and a person sees of a page.

use std::{borrow::Cow, io::Write as _};

use regex::Regex;

use super::{
    body::{self, Body},
    fetch::Page,
    markdown::{self, Options},
    request::{Failure, Fault},
    save::{self, Place},
};
use crate::{
    domain::display::Display,
    media,
    process::spool::SpoolFile,
    text::{
        figures::counted,
        sanitize::{clean, clean_line},
        truncate::grouped,
    },
    tools::{
        context::ToolContext,
        error::ToolError,
        output::{ToolOutput, WholeOutput},
        scratchpad::passage,
        shown::{self, Shown as Seen},
    },
};

/// Bytes of a page when nothing is said: with its head it stays in the conversation.
const USUAL: usize = 28_000;
/// The most bytes of HTML that are written as Markdown.
const MOST_HTML: usize = 5 * 1024 * 1024;
/// The longest content type that is repeated.
const LONGEST_KIND: usize = 120;

/// How an answer is made.
pub(super) struct Form {
    pub(super) raw: bool,
    /// The most characters, when the call names a number.
    pub(super) limit: Option<usize>,
    /// Only lines that match.
    pub(super) only: Option<Regex>,
    pub(super) options: Options,
    /// Where to save it.
    pub(super) output: Option<String>,
}

/// What can be shown of a body.
enum Shown {
    Markdown(String),
    Text(String),
    /// An image, named and not shown.
    Image(String),
    /// Anything else that is named and not shown.
    Binary(String),
}

/// Makes the answer. `stop` ends the conversion.
pub(super) fn answer(
    page: Page,
    form: &Form,
    context: &ToolContext,
    stop: &dyn Fn() -> bool,
) -> Result<ToolOutput, ToolError> {
    let mut page = page;
    let shown = shown(&mut page, form, stop)?;
    match &form.output {
        Some(path) => saved(&page, &shown, path, context),
        None => told(&page, shown, form, context),
    }
}

fn shown(page: &mut Page, form: &Form, stop: &dyn Fn() -> bool) -> Result<Shown, Failure> {
    let text = match body::read(&page.body, &page.content_type) {
        Body::Image { kind, size } => {
            let size = size.map_or_else(String::new, |(width, height)| {
                format!(", {width}×{height} pixels")
            });
            return Ok(Shown::Image(format!("a {kind} image{size}")));
        }
        Body::Binary(what) => return Ok(Shown::Binary(clean_line(&what).into_owned())),
        Body::Text(text) => return Ok(Shown::Text(text)),
        Body::Html(text) if form.raw => return Ok(Shown::Text(text)),
        Body::Html(text) => text,
    };
    let part = text
        .get(..text.floor_char_boundary(MOST_HTML))
        .unwrap_or(&text);
    page.truncated |= part.len() < text.len();
    let mut options = form.options.clone();
    options.base = options.base.or_else(|| Some(page.url.clone()));
    markdown::convert(part, &options, stop).map(Shown::Markdown).ok_or_else(|| {
        let why = "the page is too tangled to be written as Markdown in time; fetch it with raw = true";
        Failure::new(Fault::Conversion, why)
    })
}

/// The lines above the body.
fn head(page: &Page) -> String {
    let kind = clean_line(&page.content_type);
    let kind = kind
        .get(..kind.floor_char_boundary(LONGEST_KIND))
        .unwrap_or(&kind);
    format!(
        "final_url: {}\nstatus_code: {}\ncontent_type: {kind}\ntruncated: {}\n\n",
        page.url, page.status, page.truncated
    )
}

fn told(
    page: &Page,
    shown: Shown,
    form: &Form,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let head = head(page);
    let (text, is_markdown) = match shown {
        Shown::Binary(what) => {
            let why = match seen(page, context) {
                Some(Ok(seen)) => return Ok(pictured(page, &head, seen)),
                Some(Err(why)) => format!(": {why}"),
                None => String::new(),
            };
            let why = format!(
                "{} is {what}, {}, which is not shown{why}; save it with output = \"FILE\"",
                page.url,
                size(page)
            );
            return Err(Failure::new(Fault::UnsupportedContentType, why).into());
        }
        Shown::Image(what) => {
            let why = match seen(page, context) {
                Some(Ok(seen)) => return Ok(pictured(page, &head, seen)),
                Some(Err(why)) => why,
                None => "no model takes such images".to_owned(),
            };
            let note = format!(
                "[{what}, {}, is not shown: {why}. Save it with output = \"FILE\"]",
                size(page)
            );
            let outcome = format!("{} · {what}", page.status);
            return Ok(ToolOutput::text(format!("{head}{note}"))
                .with_display(Display::text(note))
                .with_outcome(outcome));
        }
        Shown::Markdown(text) if text.is_empty() => (
            "[the page has no text content once scripts, navigation and ads are removed; raw = true shows its source]"
                .to_owned(),
            false,
        ),
        Shown::Markdown(text) => (text, true),
        Shown::Text(text) => (clean(&text).into_owned(), false),
    };
    let outcome = format!(
        "{} · {}",
        page.status,
        counted(text.lines().count(), "line", "lines")
    );
    let (part, note) = match &form.only {
        Some(regex) => (Cow::Owned(matching(&text, regex)), String::new()),
        // The scratchpad takes it whole.
        None if context.keeps && form.limit.is_none() => {
            (Cow::Borrowed(text.as_str()), String::new())
        }
        None => cut(&text, form.limit),
    };
    let display = if is_markdown && form.only.is_none() {
        Display::Markdown {
            text: part.clone().into_owned(),
        }
    } else {
        Display::text(part.clone())
    };
    let answer = format!("{head}{part}{note}");
    let mut output = ToolOutput::text(answer)
        .with_display(display)
        .with_outcome(outcome);
    if !note.is_empty() {
        output.whole = Some(keep(&format!("{head}{text}"), context)?);
    }
    Ok(output)
}

/// The body as a file for the model, or why it does not get it; nothing when no model takes such files.
fn seen(page: &Page, context: &ToolContext) -> Option<Result<Seen, String>> {
    let media = media::sniff(&page.body)?;
    if page.truncated {
        return Some(Err("only its beginning came".to_owned()));
    }
    let mut parts = page.url.path_segments().into_iter().flatten();
    let name = parts.rfind(|part| !part.is_empty()).unwrap_or("page");
    Some(shown::show(name, &media, page.body.clone(), context))
}

/// The answer that brings a file to the model.
fn pictured(page: &Page, head: &str, seen: Seen) -> ToolOutput {
    let note = format!(
        "[{}: {}, shown with this answer]",
        seen.file.name, seen.what
    );
    let mut output = ToolOutput::text(format!("{head}{note}"))
        .with_display(Display::text(format!("{}, shown to the model", seen.what)))
        .with_outcome(format!("{} · {}", page.status, seen.what));
    output.files.push(seen.file);
    output
}

fn size(page: &Page) -> String {
    let more = if page.truncated { "more than " } else { "" };
    format!("{more}{} bytes", grouped(page.body.len()))
}

fn matching(text: &str, regex: &Regex) -> String {
    match passage::search(text, regex) {
        (_, 0) => format!("[no line of {} matches]", grouped(text.lines().count())),
        (lines, _) => lines,
    }
}

/// The beginning of a text up to the limit, and what to say of the rest.
fn cut(text: &str, limit: Option<usize>) -> (Cow<'_, str>, String) {
    let end = match limit {
        None => text.floor_char_boundary(USUAL),
        Some(limit) => text
            .char_indices()
            .nth(limit)
            .map_or(text.len(), |(at, _)| at),
    };
    let part = text.get(..end).unwrap_or(text);
    if part.len() == text.len() {
        return (Cow::Borrowed(text), String::new());
    }
    let end = if part.ends_with('\n') { "" } else { "\n" };
    let note = format!(
        "{end}[shown: the first {} of {} characters]",
        grouped(part.chars().count()),
        grouped(text.chars().count())
    );
    (Cow::Borrowed(part), note)
}

/// The whole text in a file, for the store of outputs.
fn keep(text: &str, context: &ToolContext) -> Result<WholeOutput, ToolError> {
    let write = || {
        let (path, mut file) = SpoolFile::create(&context.settings.spool)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    };
    let path = write().map_err(|error: std::io::Error| {
        ToolError::Fatal(format!("the page could not be kept: {error}"))
    })?;
    Ok(WholeOutput {
        path,
        cut: false,
        notes: String::new(),
        streams: Vec::new(),
    })
}

fn saved(
    page: &Page,
    shown: &Shown,
    path: &str,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    if page.status >= 400 {
        let why = format!(
            "{} answered with status {}; nothing was saved",
            page.url, page.status
        );
        return Err(Failure::new(Fault::Status, why).into());
    }
    let place = Place::find(path, context)?;
    let (what, bytes) = match shown {
        Shown::Markdown(text) if text.is_empty() => {
            let text = format!(
                "[web_fetch: {} has no text content once scripts, navigation and ads are removed — nothing saved]",
                page.url
            );
            return Ok(ToolOutput::text(text).with_outcome("nothing saved"));
        }
        Shown::Markdown(text) => {
            let lines = counted(text.lines().count(), "line", "lines");
            (format!("{lines} of Markdown"), text.as_bytes())
        }
        Shown::Text(text) => {
            let lines = counted(text.lines().count(), "line", "lines");
            (lines, page.body.as_slice())
        }
        Shown::Image(what) | Shown::Binary(what) => (what.clone(), page.body.as_slice()),
    };
    let seen = place.write(bytes, context)?;
    let said = save::told(
        &what,
        bytes.len(),
        &page.url,
        &place.file.shown,
        page.truncated,
    );
    Ok(ToolOutput::text(format!("{}{said}", head(page)))
        .with_display(Display::text(said))
        .with_outcome(format!(
            "{} · saved {} bytes",
            page.status,
            grouped(bytes.len())
        ))
        .with_seen(seen))
}
