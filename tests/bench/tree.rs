//! A project of 24,000 files that is the same each time: source and notes, some binary files, ignored ones at every depth.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
};

const WORDS: &[&str] = &[
    "value", "return", "let", "window", "buffer", "match", "stream", "count", "result", "index",
    "queue", "string", "error", "config", "table", "policy", "session", "render", "cursor",
    "width",
];
const ENDINGS: &[&str] = &["rs", "py", "md", "txt", "json", "log", "tmp"];

/// A word that seven files hold.
pub(crate) const RARE: &str = "quicksilver";

/// Makes the project in an empty folder.
pub(crate) fn grow(root: &Path) {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    fs::create_dir(root.join(".git")).unwrap();
    put(&root.join(".gitignore"), "*.log\n/part0/unit1/\n");
    let mut count = 0_u32;
    for part in 0..40 {
        for unit in 0..20 {
            let folder = root.join(format!("part{part}/unit{unit}"));
            fs::create_dir_all(&folder).unwrap();
            if unit % 5 == 0 {
                put(&folder.join(".gitignore"), "*.tmp\n!file3.log\n");
            }
            for file in 0..30 {
                count += 1;
                let ending = dice.pick(ENDINGS);
                let mut text = dice.text();
                if count.is_multiple_of(3001) {
                    text.push_str(&format!("{RARE}\n"));
                }
                if count.is_multiple_of(40) {
                    text.insert(text.len() / 10, '\0');
                }
                put(&folder.join(format!("file{file}.{ending}")), &text);
            }
        }
    }
}

fn put(path: &Path, text: &str) {
    let mut file = File::create(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// Numbers without chance, so that each run has the same project.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    /// Ten to 130 lines of words, here and there with a number.
    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..10 + self.below(120) {
            for _ in 0..=self.below(9) {
                text.push_str(self.pick(WORDS));
                text.push(' ');
            }
            if self.below(40) == 0 {
                text.push_str(&format!("item_{}x", self.below(1000)));
            }
            text.push('\n');
        }
        text
    }
}
