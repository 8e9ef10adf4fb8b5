//! Code and SQL inside of a command.

use super::{
    super::shell::{SHELLS, Simple},
    Finding,
    find::runs_text,
    paths::broad,
};

/// Clients of databases.
const SQL: &[&str] = &[
    "clickhouse",
    "clickhouse-client",
    "duckdb",
    "mariadb",
    "mysql",
    "psql",
    "sqlcmd",
    "sqlite",
    "sqlite3",
    "sqlplus",
];

/// Calls that delete, and calls that start programs.
const DELETING: &[&str] = &[
    "rmtree",
    "rmSync",
    "fs.rm(",
    "rmdirSync",
    "rimraf",
    "remove_tree",
    "rm_rf",
    "remove_dir_all",
    "unlink",
];
const STARTING: &[&str] = &[
    "os.system",
    "subprocess",
    "popen",
    "child_process",
    "execSync",
    "spawn",
    "exec(",
    "system(",
    "Bun.$",
];

/// What is wrong with code that a command is given. `judge` looks at a line of shell.
pub(super) fn find(
    command: &Simple,
    input: &str,
    judge: &dyn Fn(&str) -> Option<Finding>,
) -> Option<Finding> {
    let program = command.program();
    if SQL.contains(&program) {
        let arguments = command.arguments().iter().map(|word| word.text.as_str());
        return arguments
            .chain(std::iter::once(input))
            .find_map(destroys_tables);
    }
    if !runs_text(program) || SHELLS.contains(&program) {
        return None;
    }
    let words = command.arguments();
    let is_code = |word: &str| {
        matches!(
            word,
            "-c" | "-e" | "-E" | "-p" | "-r" | "--eval" | "--print" | "eval"
        )
    };
    let given = words.iter().zip(words.iter().skip(1));
    let codes = given
        .filter(|(option, _)| is_code(&option.text))
        .map(|(_, code)| code.text.as_str());
    codes
        .chain(std::iter::once(input))
        .find_map(|code| destroys(code, judge))
}

fn destroys_tables(text: &str) -> Option<Finding> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase)
        .collect();
    words
        .windows(2)
        .any(|two| match two {
            [one, two] => {
                (one == "DROP" && matches!(two.as_str(), "DATABASE" | "SCHEMA" | "TABLE"))
                    || (one == "TRUNCATE" && two == "TABLE")
            }
            _ => false,
        })
        .then(|| Finding::new("sql-destructive", "tables of a database would be deleted"))
}

fn destroys(code: &str, judge: &dyn Fn(&str) -> Option<Finding>) -> Option<Finding> {
    let has = |calls: &[&str]| calls.iter().any(|call| code.contains(call));
    let finding = |says: String| Some(Finding::new("inline-code-destructive", says));
    let texts = literals(code);
    if has(DELETING) {
        let names_home = [
            "expanduser",
            "homedir()",
            "Path.home",
            "ENV['HOME']",
            "$HOME",
        ]
        .iter()
        .any(|name| code.contains(name));
        if let Some(what) = texts.iter().find_map(|text| broad(text)) {
            return finding(format!("the code would delete {what}"));
        }
        if names_home && has(&["rmtree", "rmSync", "remove_tree", "rm_rf"]) {
            return finding("the code would delete in a home folder".to_owned());
        }
    }
    if has(STARTING) {
        let joined = texts.join(" ");
        let lines = texts
            .iter()
            .map(String::as_str)
            .chain(std::iter::once(joined.as_str()));
        if let Some(found) = lines.filter(|line| !line.is_empty()).find_map(judge) {
            return finding(format!("the code would start a program: {}", found.says));
        }
    }
    None
}

/// The quoted texts of code, in most languages' quotes.
fn literals(code: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let mut open: Option<(char, String)> = None;
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match (&mut open, character) {
            (Some((quote, _)), found) if *quote == found => {
                literals.extend(open.take().map(|(_, text)| text));
            }
            (Some((_, text)), '\\') => text.extend(characters.next()),
            (Some((_, text)), found) => text.push(found),
            (None, '\'' | '"' | '`') => open = Some((character, String::new())),
            (None, _) => {}
        }
    }
    literals
}
