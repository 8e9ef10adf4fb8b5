//! Text that means itself in Markdown.

/// Adds text to a line: white space becomes one space, marks get a backslash.
pub(super) fn push(line: &mut String, text: &str) {
    let mut previous = line.chars().next_back();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_whitespace() {
            if !line.ends_with([' ', '\n']) {
                line.push(' ');
            }
            previous = Some(' ');
            continue;
        }
        let is_mark = match letter {
            '\\' | '*' | '`' | '[' | ']' | '<' => true,
            '_' => {
                let in_word = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
                !(in_word(previous) && in_word(letters.peek().copied()))
            }
            _ => false,
        };
        if is_mark {
            line.push('\\');
        }
        line.push(letter);
        previous = Some(letter);
    }
}

/// A finished line of a paragraph, whose beginning could be taken for the beginning of a block.
pub(super) fn start(line: &str) -> String {
    let line = line.trim_matches(' ');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let behind = line.as_bytes().get(digits);
    if digits > 0 && matches!(behind, Some(b'.' | b')')) {
        let (number, rest) = line.split_at(digits);
        return format!("{number}\\{rest}");
    }
    if line.starts_with(['#', '>', '-', '+', '=', '|']) || line.starts_with("~~~") {
        return format!("\\{line}");
    }
    line.to_owned()
}

/// Code inside a line.
pub(super) fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Code on lines of its own.
pub(super) fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// Text inside of HTML.
pub(super) fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
