use super::*;

/// What a line is proven to look at, and whether at more.
fn proven(line: &str) -> Option<(Vec<String>, bool)> {
    let proof = Line::read(line).prove_readonly().ok()?;
    let paths = proof.paths.iter().map(|path| path.display().to_string());
    Some((paths.collect(), proof.is_wide))
}

#[test]
fn everyday_looking_is_proven_and_counts_as_wide() {
    let table: [(&str, &[&str]); 35] = [
        ("grep -rn 'fn main' src | head -5", &["src"]),
        ("grep -n TODO src/*.rs", &["src/*.rs"]),
        ("grep -e .env -e b notes", &["notes"]),
        ("grep -A 3 x a", &["a"]),
        ("grep -rnA 3 x a", &["a"]),
        ("grep -fA /home/else", &["/home/else"]),
        ("grep foo --include=*.rs -r .", &["."]),
        ("grep -f/etc/words x", &["/etc/words", "x"]),
        ("ls *.md", &["*.md"]),
        ("cat a | tr a-z A-Z | sort -rn | uniq -c | head", &["a"]),
        ("grep -c x a 2>&1", &["a"]),
        ("cut -d: -f1 /etc/passwd", &["/etc/passwd"]),
        ("sort -t, -k2,2 a", &["a"]),
        ("find . -name '*.rs' -not -path './target/*'", &["."]),
        ("find src -type f -newer a | xargs wc -l", &["src"]),
        ("find src \\( -name a -o -name b \\)", &["src"]),
        ("git ls-files | xargs grep -n TODO", &[]),
        ("rg -n 'fn .*' src -g '*.rs' -C 3", &["src"]),
        ("rg --files src | head", &["src"]),
        ("rg -l x | xargs head -3", &[]),
        ("sed -n '1,20p' a; sed -n '$p' b", &["a", "b"]),
        ("sed -n '3p;5,9p' a", &["a"]),
        ("diff -u a b", &["a", "b"]),
        ("date +%F; date -u -d yesterday", &[]),
        ("printf '%s\\n' a b", &[]),
        ("test -f a && wc -l a", &["a", "a"]),
        ("du -sh src; df -h .", &["src", "."]),
        ("which cargo; type cargo", &[]),
        ("stat -c %s a; file a", &["%s", "a", "a"]),
        ("git diff HEAD~1 -- src", &["HEAD~1", "src"]),
        ("git log -p -3 main..dev", &["main..dev"]),
        ("git show --stat HEAD", &["HEAD"]),
        ("git blame -L 1,9 a", &["a"]),
        ("git rev-parse --short HEAD", &["HEAD"]),
        (
            "sha256sum a; nl -ba a; tail -n +3 a; realpath a",
            &["a", "a", "+3", "a", "a"],
        ),
    ];
    for (line, paths) in table {
        let (found, is_wide) = proven(line).unwrap_or_else(|| panic!("{line:?} is not proven"));
        assert!(is_wide, "{line:?}");
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, paths, "{line:?}");
    }
}

#[test]
fn what_writes_runs_or_hides_what_it_reads_is_not_proven() {
    for line in [
        "sort -o a b",
        "sort -oa b",
        "sort --output=a b",
        "sort --outp=a b",
        "sort --compress-program=./x b",
        "sort -T . a",
        "sort *",
        "uniq a b",
        "uniq src/*",
        "find . -delete",
        "find . -fprint a",
        "find . -exec rm {} +",
        "find . -exec cat {} +",
        "find . -exec touch {} \\;",
        "find . -ok ls {} \\;",
        "find $X",
        "find * -name a",
        "rg --pre ./x y",
        "rg --pre=./x y",
        "rg -z x",
        "rg --hostname-bin ./x y",
        "sed -n 'w a' b",
        "sed -n '1e date' b",
        "sed -i s/a/b/ c",
        "sed 's/a/b/e' c",
        "diff -l a b",
        "date -s yesterday",
        "date 01010000",
        "date -f a",
        "printf -v PATH x",
        "printf '%n' PATH",
        "printf '%3$n' PATH",
        "xargs cat < list",
        "echo /home/else | xargs cat",
        "head list | xargs cat",
        "find . -printf '/home/else\\n' | xargs cat",
        "rg -l x -r /home | xargs cat",
        "find . | xargs sort",
        "find . | xargs -I{} sh -c '{}'",
        "cat $X",
        "cat \"$(ls)\"",
        "awk '{print}' a",
        "jq . a",
        "git show HEAD:.env",
        "git diff --output=a HEAD",
        "git diff --ext-diff HEAD",
        "git log --output=a",
        "git -c core.pager=x log HEAD",
        "git diff --no-index a ../b",
        "git rev-parse --parseopt",
        "./grep x a",
        "/usr/bin/grep x a",
        "cat a > b",
        "cat a >> b",
        "tee a",
        "file -C -m a",
        "cargo --version",
        "yarn --version",
        "RIPGREP_CONFIG_PATH=a rg x",
        "GIT_EXTERNAL_DIFF=./x git diff HEAD",
        "GREP_OPTIONS=-f grep x a",
    ] {
        assert_eq!(proven(line), None, "{line:?}");
    }
}

#[test]
fn what_the_table_knows_is_not_wide() {
    for line in [
        "ls -la src",
        "cat a",
        "wc -l a | head -3",
        "git status -s",
        "cat a >/dev/null",
    ] {
        assert!(
            proven(line).is_some_and(|(_, is_wide)| !is_wide),
            "{line:?}"
        );
    }
}
