//! Theme files: whole, readable, and apart from each other without colour.

use super::*;

/// Lines and fillers: they need not be read.
const NOT_TEXT: [StyleName; 5] = [
    StyleName::Border,
    StyleName::Guide,
    StyleName::GaugeFree,
    StyleName::GaugeOutputs,
    StyleName::GaugeUsed,
];

const ALL_DEPTHS: [Depth; 4] = [Depth::None, Depth::Sixteen, Depth::Palette, Depth::True];

fn documents() -> [(&'static str, Document); 5] {
    FILES.map(|(name, source)| {
        let mut reporter = Reporter::new(name, source);
        let document = Document::read(source, &mut reporter);
        assert_eq!(reporter.problems, Vec::new());
        (name, document)
    })
}

#[test]
fn every_text_can_be_read_on_the_background_it_was_chosen_for() {
    for (name, document) in documents() {
        let Some(background) = document.background else {
            assert!(document.is_sixteen, "{name} names its background");
            continue;
        };
        let plain = if document.is_light {
            Rgb(0x2e, 0x32, 0x3a)
        } else {
            Rgb(0xd8, 0xdc, 0xe3)
        };
        for style in StyleName::ALL.iter().filter(|s| !NOT_TEXT.contains(s)) {
            let entry = document.entry(*style);
            let contrast = entry
                .fg
                .unwrap_or(plain)
                .contrast(entry.bg.unwrap_or(background));

            assert!(
                contrast >= 4.5,
                "{name}: {} has {contrast:.2}",
                style.name()
            );
        }
    }
}

/// The sixteen colours as most terminals show them.
fn usual(color: Color) -> Option<Rgb> {
    Some(match color {
        Color::Black => Rgb(0, 0, 0),
        Color::Red => Rgb(205, 0, 0),
        Color::Green => Rgb(0, 205, 0),
        Color::Yellow => Rgb(205, 205, 0),
        Color::Blue => Rgb(0, 0, 238),
        Color::Magenta => Rgb(205, 0, 205),
        Color::Cyan => Rgb(0, 205, 205),
        Color::Gray => Rgb(229, 229, 229),
        Color::DarkGray => Rgb(127, 127, 127),
        Color::LightRed => Rgb(255, 0, 0),
        Color::LightGreen => Rgb(0, 255, 0),
        Color::LightYellow => Rgb(255, 255, 0),
        Color::LightBlue => Rgb(92, 92, 255),
        Color::LightMagenta => Rgb(255, 0, 255),
        Color::LightCyan => Rgb(0, 255, 255),
        Color::White => Rgb(255, 255, 255),
        _ => return None,
    })
}

#[test]
fn every_text_can_be_read_in_sixteen_colours() {
    for (name, document) in documents() {
        let (plain, background) = if document.is_light {
            (Rgb(0, 0, 0), Rgb(255, 255, 255))
        } else {
            (Rgb(229, 229, 229), Rgb(0, 0, 0))
        };
        for style in StyleName::ALL.iter().filter(|s| !NOT_TEXT.contains(s)) {
            let entry = document.entry(*style);
            let contrast = entry
                .ansi
                .and_then(usual)
                .unwrap_or(plain)
                .contrast(entry.ansi_bg.and_then(usual).unwrap_or(background));

            assert!(
                contrast >= 4.5,
                "{name}: {} has {contrast:.2}",
                style.name()
            );
        }
    }
}

#[test]
fn without_colour_no_style_names_one_and_what_matters_stays_apart() {
    for name in BUILTIN {
        let theme = Theme::builtin(name, Depth::None).unwrap();
        for style in StyleName::ALL {
            let style = theme.style(*style);
            assert_eq!((style.fg, style.bg), (None, None));
        }
        let look = |name: StyleName| theme.style(name).add_modifier;

        assert!(look(StyleName::Selection).contains(Modifier::REVERSED));
        assert!(look(StyleName::Error).contains(Modifier::BOLD));
        assert_ne!(look(StyleName::DiffAddWord), look(StyleName::DiffAdd));
        assert_ne!(look(StyleName::DiffDeleteWord), look(StyleName::DiffDelete));
        assert_ne!(look(StyleName::BorderFocused), look(StyleName::Border));
    }
}

#[test]
fn a_terminal_gets_only_the_colours_it_has() {
    for name in BUILTIN {
        for depth in ALL_DEPTHS {
            let theme = Theme::builtin(name, depth).unwrap();
            for style in StyleName::ALL.iter().map(|name| theme.style(*name)) {
                for color in [style.fg, style.bg].into_iter().flatten() {
                    let fits = match color {
                        _ if name == "sixteen" => {
                            !matches!(color, Color::Rgb(..) | Color::Indexed(_))
                        }
                        Color::Rgb(..) => depth == Depth::True,
                        Color::Indexed(_) => depth == Depth::Palette,
                        _ => depth == Depth::Sixteen,
                    };
                    assert!(fits, "{name} {depth:?} {color:?}");
                }
            }
        }
    }
}

#[test]
fn the_colour_blind_theme_tells_well_from_wrong_by_lightness_and_without_red_against_green() {
    let theme = Theme::builtin("colorblind", Depth::True).unwrap();
    let color = |name| match theme.style(name).fg {
        Some(Color::Rgb(red, green, blue)) => (red, green, blue),
        other => panic!("{other:?}"),
    };

    for (well, wrong) in [
        (StyleName::Good, StyleName::Error),
        (StyleName::DiffAdd, StyleName::DiffDelete),
    ] {
        // Blue against yellow is what every eye tells apart.
        assert!(color(well).2 > color(well).0);
        assert!(color(wrong).0 > color(wrong).2);
    }
}

#[test]
fn ordinary_text_is_the_terminals_own() {
    for name in BUILTIN {
        for depth in ALL_DEPTHS {
            let theme = Theme::builtin(name, depth).unwrap();
            assert_eq!(theme.style(StyleName::Text), Style::new());
        }
    }
}

#[test]
fn what_a_file_leaves_out_looks_like_its_fallback() {
    let source = "[styles]\naccent = { fg = \"#112233\", bold = true }\n";

    let (theme, problems) = Theme::parse("mine", source, Depth::True);

    assert_eq!(problems, Vec::new());
    assert_eq!(
        theme.style(StyleName::Key),
        Style::new()
            .fg(Color::Rgb(0x11, 0x22, 0x33))
            .add_modifier(Modifier::BOLD)
    );
}

#[test]
fn mistakes_are_told_with_their_line() {
    let source = "is_light = 3\n[styles]\nacent = { fg = \"#112233\" }\ndim = { fg = \"grey\" }\nwarn = { ansi = \"yelow\", blink = true }\n";

    let (_, problems) = Theme::parse("mine", source, Depth::True);

    let mut told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    told.sort();
    assert_eq!(
        told,
        [
            "mine.toml:1: `is_light` is not known; use is_light, sixteen_colors, background and [styles]",
            "mine.toml:3: there is no meaning `acent` (did you mean `accent`?)",
            "mine.toml:4: `grey` is no colour; write it as #7aa2f7",
            "mine.toml:5: `blink` is not known here; use fg, bg, ansi, ansi_bg, mono = [\"bold\"], or bold, dim, italic, underline, reverse, strike = true",
            "mine.toml:5: `yelow` is none of the sixteen colours (did you mean `yellow`?)",
        ]
    );
}
