//! What the question about a folder says: the folder as it is, why it is asked about, and which files would act.

use crate::{
    domain::configured::seen::{Altered, Asking, Why},
    text::sanitize::{Revealed, reveal_line},
    ui::Model,
};

/// Files that are named, one on a line.
const MOST: usize = 4;
/// What holds until the answer.
const UNTIL: &str =
    "Until you trust it, the session only reads and its own configuration is not loaded.";

pub(super) fn words(model: &Model) -> Vec<String> {
    // What decides must be seen as it is: a name may look like another one.
    let folder = model.session.info.as_ref();
    let folder = folder.map(|info| reveal_line(&info.cwd.to_string_lossy()));
    let hides = folder.as_ref().is_some_and(Revealed::is_suspicious);
    let warned = hides.then(|| "Hidden characters in its name are spelled out.".to_owned());
    let mut words = vec![folder.map_or_else(String::new, |folder| folder.text)];
    words.extend(warned);
    words.push(String::new());
    let asking = &model.session.found.asking;
    match asking.why {
        Why::First => words.push(format!(
            "You have not said whether you trust it. Files in it can tell the agent what to do. {UNTIL}"
        )),
        Why::Older => words.push(format!(
            "You trusted it with an earlier version, which did not keep what you had seen. You are asked once more. \
             {UNTIL}"
        )),
        Why::Altered => {
            words.push("You trusted it, but its own files are not those that you had seen:".to_owned());
            words.extend(named(asking, |file| {
                format!("{:<8} {}", file.how.name(), file.name)
            }));
            words.push(UNTIL.to_owned());
        }
    }
    if asking.why != Why::Altered && !asking.files.is_empty() {
        words.push("Its own configuration is in:".to_owned());
        words.extend(named(asking, |file| file.name.clone()));
    }
    words
}

/// The first files, one on a line.
fn named(asking: &Asking, line: impl Fn(&Altered) -> String) -> Vec<String> {
    let mut lines: Vec<String> = asking.files.iter().take(MOST).map(line).collect();
    let more = asking.files.len().saturating_sub(MOST);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}
