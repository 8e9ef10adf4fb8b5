//! What a host wishes of programs: the rules of its `robots.txt` (RFC 9309) for ours, else for all.

/// The name that a `robots.txt` calls us by.
const PRODUCT: &str = "quarterdeck";
/// The most rules that are kept of one file.
const MOST_RULES: usize = 5000;

/// The rules of one host for us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Robots {
    /// Pattern, and whether it allows.
    rules: Vec<(String, bool)>,
}

impl Robots {
    /// A host that forbids everything.
    pub(super) fn closed() -> Self {
        Self {
            rules: vec![("/".to_owned(), false)],
        }
    }

    /// Reads a file. The groups that name us count together; without one, those that name everybody.
    pub(super) fn read(text: &str) -> Self {
        let (mut own, mut general) = (Vec::new(), Vec::new());
        let (mut names_us, mut names_all, mut has_own) = (false, false, false);
        let mut in_names = false;
        for line in text.trim_start_matches('\u{FEFF}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if !in_names {
                        (names_us, names_all) = (false, false);
                    }
                    in_names = true;
                    let end =
                        value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_');
                    let product = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
                    names_us |= product.eq_ignore_ascii_case(PRODUCT);
                    has_own |= names_us;
                    names_all |= value == "*";
                }
                key @ ("allow" | "disallow") => {
                    in_names = false;
                    // An empty rule matches nothing.
                    if value.is_empty() || own.len() + general.len() >= MOST_RULES {
                        continue;
                    }
                    let rule = (value.to_owned(), key == "allow");
                    if names_us {
                        own.push(rule);
                    } else if names_all {
                        general.push(rule);
                    }
                }
                _ => {}
            }
        }
        Self {
            rules: if has_own { own } else { general },
        }
    }

    /// Whether a path with its query may be fetched: the longest pattern decides, `Allow` among equals.
    pub(super) fn allows(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|(pattern, _)| fits(pattern, path));
        fitting
            .max_by_key(|(pattern, allows)| (pattern.len(), *allows))
            .is_none_or(|(_, allows)| *allows)
    }
}

/// Whether a pattern matches the beginning of a path, or all of it when it ends in `$`. Each star takes as little as
/// it can, so the work never grows beyond pattern times path.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, is_whole) = match pattern.strip_suffix('$') {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        last = Some((part, rest));
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    match last {
        _ if !is_whole => true,
        Some((part, before)) => before.ends_with(part),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_longest_pattern_decides_and_allow_wins_a_tie() {
        let robots = Robots::read(
            "User-agent: *\nDisallow: /private # not here\nAllow: /private/open\nDisallow: /*.pdf$\n\
             Disallow: /same\nAllow: /same\nDisallow:\n",
        );

        for (path, expected) in [
            ("/", true),
            ("/private", false),
            ("/private/x", false),
            ("/private/open/x", true),
            ("/a.pdf", false),
            ("/a.pdf?x", true),
            ("/a.pdf/b.pdf", false),
            ("/same", true),
        ] {
            assert_eq!(robots.allows(path), expected, "{path}");
        }
    }

    #[test]
    fn a_group_that_names_us_goes_before_the_one_for_all() {
        let text = "User-Agent: other\nUser-agent: Quarterdeck/1.0\nDisallow: /a\n\n\
                    User-agent: *\nDisallow: /\n\nuser-agent: quarterdeck\nDisallow: /b";
        let robots = Robots::read(text);

        assert!(robots.allows("/"));
        assert!(!robots.allows("/a") && !robots.allows("/b"));
        assert!(!Robots::read("User-agent: *\nDisallow: /").allows("/x"));
        assert!(
            Robots::read("User-agent: quarterdeck\nDisallow:\nUser-agent: *\nDisallow: /")
                .allows("/")
        );
        assert!(Robots::read("<html>not found</html>").allows("/x"));
        assert!(!Robots::closed().allows("/x"));
    }

    proptest! {
        #[test]
        fn any_file_is_read_and_any_path_judged(text in "[a-zA-Z*$:/ \n#é-]{0,200}", path in "/[a-z/*$é]{0,20}") {
            let _ = Robots::read(&text).allows(&path);
            let _ = fits(&text, &path);
        }
    }
}
