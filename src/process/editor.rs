//! The person's editor (`$VISUAL`, `$EDITOR`, else `vi`) over a text.
//!
//! It has the terminal to itself until it ends; the caller restores and takes back the screen.

#![expect(
    clippy::disallowed_types,
    reason = "this folder is where children are started"
)]

use std::{
    ffi::OsString,
    io::{self, Write},
};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use super::{environment, kill::signal_below};

/// An editor that runs; it is ended when nobody waits for it any more.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let Some(process) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
            return;
        };
        signal_below(process.as_raw_nonzero().get(), Signal::TERM);
        let _ = kill_process(process, Signal::TERM);
    }
}

/// Opens the text and gives back what was saved. The editor is the person's own: it is given what is hidden from other
/// children.
pub async fn edit(text: String, hidden: Vec<(OsString, OsString)>) -> io::Result<String> {
    let program = ["VISUAL", "EDITOR"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|program| !program.trim().is_empty())
        .unwrap_or_else(|| "vi".to_owned());
    edit_with(&program, &text, &hidden).await
}

async fn edit_with(
    program: &str,
    text: &str,
    hidden: &[(OsString, OsString)],
) -> io::Result<String> {
    let mut file = tempfile::Builder::new()
        .prefix("qd-message-")
        .suffix(".md")
        .tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    // The variable may hold arguments (`code --wait`), so a shell takes it apart; the path is no part of the script.
    let child = Command::new("sh")
        .arg("-c")
        .arg(format!("{program} \"$1\""))
        .arg("sh")
        .arg(file.path())
        .envs(hidden.iter().map(|(name, value)| (name, value)))
        .env_remove(environment::HANDED_OVER)
        .spawn()?;
    let status = Running(child).0.wait().await?;
    if !status.success() {
        return Err(io::Error::other(format!(
            "{program} failed ({status}); the text is as it was"
        )));
    }
    std::fs::read_to_string(file.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_editor_is_given_what_is_hidden_from_others() {
        let hidden = [("QD_TEST_TOKEN".into(), "opens".into())];

        let edited = edit_with("sh -c 'echo $QD_TEST_TOKEN >$1' sh", "", &hidden)
            .await
            .expect("the editor ends well");

        assert_eq!(edited, "opens\n");
    }

    #[tokio::test]
    async fn what_the_editor_saves_comes_back() {
        let edited = edit_with("sed -i -e s/one/two/", "one word\n", &[])
            .await
            .expect("the editor ends well");

        assert_eq!(edited, "two word\n");
    }

    #[tokio::test]
    async fn an_editor_that_fails_loses_nothing() {
        let error = edit_with("false", "text", &[]).await.expect_err("it fails");

        assert!(
            error.to_string().contains("the text is as it was"),
            "{error}"
        );
    }
}
