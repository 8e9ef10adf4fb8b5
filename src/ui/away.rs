//! While somebody else has the terminal: the shell after a stop, the person's editor.

use std::io;

use super::{
    Message,
    message::Done,
    panes::composer::save_draft,
    perform::App,
    terminal::{Input, guard, signals, signals::Told},
    world::screen,
};
use crate::domain::notice::Notice;

impl App {
    /// Goes on after a stop.
    pub fn resume(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.world.stopped_ourselves) {
            return Ok(());
        }
        self.retake()
    }

    fn retake(&mut self) -> io::Result<()> {
        self.world.guard.resume()?;
        let (columns, rows) = crossterm::terminal::size()?;
        self.world.screen = screen(columns, rows)?;
        self.world.frames.forget();
        self.take(Message::Resize(columns, rows))
    }

    /// Gives the terminal back, stops, and takes it again.
    pub fn suspend(&mut self) -> io::Result<()> {
        guard::restore();
        self.world.stopped_ourselves = signals::stop()?;
        self.retake()
    }

    /// Has the draft changed in the person's editor. It has the terminal to itself, and the signals of its keys; what
    /// ends us ends it.
    pub async fn edit(&mut self, text: String) -> io::Result<()> {
        for effect in save_draft(&mut self.model) {
            self.perform(effect)?;
        }
        let Some(editor) = &self.world.editor else {
            let notice = Notice::warning("there is no editor").with_hint("set EDITOR");
            return self.tell(notice);
        };
        let typed = self.input.stop().await;
        guard::restore();
        let mut saved = editor(text);
        let saved = loop {
            tokio::select! {
                biased;
                told = self.signals.next() => match told {
                    Told::End(code) if !told.is_by_key() => {
                        drop(saved);
                        return self.end(code);
                    }
                    Told::Stop => {
                        signals::stop()?;
                    }
                    Told::End(_) | Told::Continued => {}
                },
                saved = &mut saved => break saved,
            }
        };
        self.input = Input::reading()?;
        self.retake()?;
        match saved {
            Ok(saved) => self.take(Message::Done(Done::Edited(saved.trim_end().to_owned())))?,
            Err(error) => self.tell(Notice::error(format!("the editor failed: {error}")))?,
        }
        self.take_all(typed)
    }
}
