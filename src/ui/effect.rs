//! What `update` wants done. Deeds are data: only `run` performs them.

use super::highlight::Job;
use crate::engine::command::Command;

/// A deed.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Tells the engine something.
    Send(Command),
    /// Puts text on the clipboard; answered by `Done::Copied`.
    Copy(String),
    /// Colours a piece of code in the background; answered by `Done::Highlighted`.
    Highlight(Job),
    /// Opens the person's editor on this text; what they save comes back as `Done::Edited`.
    OpenEditor(String),
    /// Tells the person something that happened while the window had no keyboard.
    Notify(String),
    /// Changes the title of the terminal window.
    SetTitle(String),
    /// Looks up the names of all themes; answered by `Message::Reload`.
    ListThemes,
    /// Looks up the names of all keymaps; answered by `Message::Reload`.
    ListKeymaps,
    /// Loads the theme of this name; answered by `Message::Reload`.
    LoadTheme(String),
    /// Loads the keymap of this name; answered by `Message::Reload`.
    LoadKeymap(String),
    /// Lets the terminal select text itself (false) or takes the mouse (true).
    CaptureMouse(bool),
    /// Draws every cell again.
    Redraw,
    /// Stops the program as the shell's Ctrl+Z does.
    Suspend,
    /// Leaves; the engine has been told to end.
    Quit,
}
