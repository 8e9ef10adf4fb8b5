//! A frame as a picture: one rectangle and one text per run of cells, so that columns stay in their places.

use std::fmt::Write;

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
};

/// Size of a cell. The height is the font's own line height, so that vertical lines have no gaps.
const WIDTH: f32 = 9.0;
const HEIGHT: f32 = 17.5;
const FONT: f32 = 15.0;

/// Colours of the terminal that the picture shows.
pub(crate) struct Paper {
    /// Behind everything.
    pub(crate) background: &'static str,
    /// Text without a colour of its own.
    pub(crate) foreground: &'static str,
}

/// A dark terminal.
pub(crate) const DARK: Paper = Paper {
    background: "#16191f",
    foreground: "#d8dce3",
};

/// A light one.
pub(crate) const LIGHT: Paper = Paper {
    background: "#fbfaf7",
    foreground: "#2e323a",
};

/// The picture.
pub(crate) fn svg(buffer: &Buffer, paper: &Paper) -> String {
    let width = f32::from(buffer.area.width) * WIDTH;
    let height = f32::from(buffer.area.height) * HEIGHT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"{FONT}\" xml:space=\"preserve\">\n",
        paper.background
    );
    for y in 0..buffer.area.height {
        backgrounds(buffer, y, paper, &mut text);
        words(buffer, y, paper, &mut text);
    }
    text.push_str("</g>\n</svg>\n");
    text
}

fn backgrounds(buffer: &Buffer, y: u16, paper: &Paper, text: &mut String) {
    let mut x = 0;
    while x < buffer.area.width {
        let color = colors(&buffer[(x, y)], paper).1;
        let start = x;
        while x < buffer.area.width && colors(&buffer[(x, y)], paper).1 == color {
            x += 1;
        }
        if color != paper.background {
            let _ = writeln!(
                text,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" fill=\"{color}\"/>",
                f32::from(start) * WIDTH,
                f32::from(y) * HEIGHT,
                f32::from(x - start) * WIDTH
            );
        }
    }
}

fn words(buffer: &Buffer, y: u16, paper: &Paper, text: &mut String) {
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(x, y)];
        let look = look(cell, paper);
        let start = x;
        let mut run = String::new();
        while x < buffer.area.width {
            let next = &buffer[(x, y)];
            let wide = unicode_width::UnicodeWidthStr::width(next.symbol());
            if self::look(next, paper) != look || (wide != 1 && x > start) {
                break;
            }
            run.push_str(next.symbol());
            x += wide.max(1) as u16;
            if wide != 1 {
                break;
            }
        }
        if run.trim().is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" textLength=\"{}\"{look}>{}</text>",
            f32::from(start) * WIDTH,
            f32::from(y) * HEIGHT + 13.5,
            f32::from(x - start) * WIDTH,
            run.replace('&', "&amp;").replace('<', "&lt;")
        );
    }
}

fn look(cell: &Cell, paper: &Paper) -> String {
    let mut look = format!(" fill=\"{}\"", colors(cell, paper).0);
    if cell.modifier.contains(Modifier::BOLD) {
        look.push_str(" font-weight=\"bold\"");
    }
    if cell.modifier.contains(Modifier::ITALIC) {
        look.push_str(" font-style=\"italic\"");
    }
    if cell.modifier.contains(Modifier::UNDERLINED) {
        look.push_str(" text-decoration=\"underline\"");
    }
    look
}

/// Foreground and background of a cell.
fn colors(cell: &Cell, paper: &Paper) -> (String, String) {
    let fg = color(cell.fg, paper.foreground);
    let bg = color(cell.bg, paper.background);
    if cell.modifier.contains(Modifier::REVERSED) {
        (bg, fg)
    } else {
        (fg, bg)
    }
}

fn color(color: Color, default: &str) -> String {
    match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => default.to_owned(),
    }
}
