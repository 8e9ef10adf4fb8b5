//! The three passes by which a piece of text is found, strictest first.
//!
//! The first pass that finds anything at all wins, so a file that holds the text verbatim is never matched any other
//! way. The looser passes forgive white space, never a boundary: where the piece had a line end, the file has one.

use std::ops::Range;

use memchr::memmem::Finder;

/// How a piece was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Character by character.
    Exact,
    /// Without the white space around the piece.
    Edges,
    /// Without the white space around each of its lines.
    Indent,
}

/// Every place that a pass found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) pass: Pass,
    pub(super) places: Vec<Range<usize>>,
}

/// Every place of `old`, which is not blank. Places may overlap one another, since that too makes a match ambiguous.
pub(super) fn find(text: &str, old: &str, exact_only: bool) -> Option<Found> {
    let found =
        |pass, places: Vec<Range<usize>>| (!places.is_empty()).then_some(Found { pass, places });
    let exact = found(Pass::Exact, occurrences(text, old));
    if exact.is_some() || exact_only {
        return exact;
    }
    found(Pass::Edges, by_edges(text, old)).or_else(|| found(Pass::Indent, by_lines(text, old)))
}

/// A piece as the white space before it, itself and the white space after it.
pub(super) fn padding(old: &str) -> (&str, &str, &str) {
    let core = old.trim_start();
    let lead = old.get(..old.len() - core.len()).unwrap_or_default();
    let bare = core.trim_end();
    let trail = core.get(bare.len()..).unwrap_or_default();
    (lead, bare, trail)
}

/// New text without the padding that the old text had around it: the same if it is there, else as many line ends.
pub(super) fn without_padding<'a>(new: &'a str, lead: &str, trail: &str) -> &'a str {
    const BLANKS: [char; 2] = [' ', '\t'];
    let ends = |pad: &str| pad.matches('\n').count();
    let mut bare = new.strip_suffix(trail).unwrap_or_else(|| {
        (0..ends(trail)).fold(new, |rest, _| {
            let end = rest.trim_end_matches(BLANKS).strip_suffix('\n');
            end.unwrap_or(rest)
        })
    });
    if let Some(rest) = bare.strip_prefix(lead) {
        return rest;
    }
    for _ in 0..ends(lead) {
        let start = bare.trim_start_matches(BLANKS).strip_prefix('\n');
        bare = start.unwrap_or(bare);
    }
    let indent = lead.rsplit('\n').next().unwrap_or_default();
    bare.strip_prefix(indent).unwrap_or(bare)
}

/// A piece as the number of blank lines above, its lines, and the number of blank lines below.
pub(super) fn blank_edges(old: &str) -> (usize, &str, usize) {
    let is_blank = |line: &&str| line.trim().is_empty();
    let above = old.split('\n').take_while(is_blank).count();
    let below = old.rsplit('\n').take_while(is_blank).count();
    let start = old
        .split_inclusive('\n')
        .take(above)
        .map(str::len)
        .sum::<usize>();
    let end = old.len()
        - old
            .rsplit('\n')
            .take(below)
            .map(|line| line.len() + 1)
            .sum::<usize>()
            .min(old.len());
    (above, old.get(start..end).unwrap_or_default(), below)
}

fn occurrences(text: &str, piece: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    let step = piece.chars().next().map_or(1, char::len_utf8);
    let finder = Finder::new(piece);
    while let Some(at) = text
        .as_bytes()
        .get(from..)
        .and_then(|rest| finder.find(rest))
    {
        let start = from + at;
        places.push(start..start + piece.len());
        from = start + step;
    }
    places
}

fn by_edges(text: &str, old: &str) -> Vec<Range<usize>> {
    let (lead, core, trail) = padding(old);
    if core.len() == old.len() {
        return Vec::new();
    }
    let mut places = occurrences(text, core);
    places.retain(|place| {
        let before = text.get(..place.start).unwrap_or_default();
        let after = text.get(place.end..).unwrap_or_default();
        let line_before = before.rsplit('\n').next().unwrap_or_default();
        let line_after = after.split('\n').next().unwrap_or_default();
        bounded(lead, line_before, line_before.chars().next_back())
            && bounded(trail, line_after, line_after.chars().next())
    });
    places
}

/// Whether the file has white space or a line's end where the piece has padding.
fn bounded(pad: &str, rest_of_line: &str, beside: Option<char>) -> bool {
    if pad.contains('\n') {
        rest_of_line.trim().is_empty()
    } else {
        pad.is_empty() || beside.is_none_or(char::is_whitespace)
    }
}

fn by_lines(text: &str, old: &str) -> Vec<Range<usize>> {
    let (_, core, _) = blank_edges(old);
    let wanted: Vec<&str> = core.split('\n').map(str::trim).collect();
    if wanted.len() < 2 {
        return Vec::new();
    }
    // The longest line is looked for, and the others around it: there are few places to compare at.
    let longest = wanted.iter().enumerate().max_by_key(|(_, want)| want.len());
    let Some((index, longest)) = longest else {
        return Vec::new();
    };
    let mut places: Vec<Range<usize>> = Vec::new();
    for found in occurrences(text, longest) {
        let Some(place) = around(text, found.start, &wanted, index) else {
            continue;
        };
        // A line may hold the piece twice.
        if places.last() != Some(&place) {
            places.push(place);
        }
    }
    places
}

/// The lines of the text that are the wanted ones, when line number `index` of them is the one at a position.
fn around(text: &str, at: usize, wanted: &[&str], index: usize) -> Option<Range<usize>> {
    let mut start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    for _ in 0..index {
        let end = start.checked_sub(1)?;
        start = text.get(..end)?.rfind('\n').map_or(0, |end| end + 1);
    }
    let mut lines = text.get(start..)?.split('\n');
    let mut length = 0;
    for want in wanted {
        let line = lines.next()?;
        if line.trim() != *want {
            return None;
        }
        length += line.len() + 1;
    }
    Some(start..start + length - 1)
}
