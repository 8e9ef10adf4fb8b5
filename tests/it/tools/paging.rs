//! Pages of `file_read`, laid end to end, are the whole.

use proptest::prelude::*;
use serde_json::json;

use crate::support::host::Workbench;

/// All lines of a file as its pages show them, and how many pages there were.
async fn pages(bench: &Workbench, path: &str, limit: Option<usize>) -> (Vec<String>, usize) {
    let (mut lines, mut start, mut count) = (Vec::new(), 1, 0);
    loop {
        let mut arguments = json!({"path": path, "start": start});
        if let Some(limit) = limit {
            arguments["limit"] = json!(limit);
        }
        let text = bench.text("file_read", arguments).await;
        count += 1;
        let (page, end) = text.rsplit_once("\n[").expect("the last line");
        lines.extend(page.split('\n').map(str::to_owned));
        let next = end.split_once("next: start=").map(|(_, next)| next);
        let Some(next) = next else {
            return (lines, count);
        };
        let digits = next.find(|letter: char| !letter.is_ascii_digit());
        let next = &next[..digits.unwrap_or(next.len())];
        let next: usize = next.parse().expect("a line");
        assert!(next > start, "page {count} goes on at {next}");
        start = next;
    }
}

fn line() -> impl Strategy<Value = String> {
    // Characters of every length, and lines longer than a page.
    ("[a-z é日𝄞]{0,40}", 1..2_000_usize).prop_map(|(word, times)| word.repeat(times))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn pages_laid_end_to_end_are_the_whole(
        lines in prop::collection::vec(line(), 1..40),
        is_stored: bool,
        limit in prop::option::of(1..30_usize),
    ) {
        let bench = Workbench::new();
        let id = "c".repeat(64);
        let file = bench.put("f", format!("{}\n", lines.join("\n")));
        bench.host.state().artifacts.insert(id.clone(), file);
        let path = if is_stored { format!("artifact://{id}") } else { "f".to_owned() };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();

        let (read, count) = runtime.block_on(pages(&bench, &path, limit));

        prop_assert_eq!(read, lines);
        prop_assert!(count >= 1);
    }
}
