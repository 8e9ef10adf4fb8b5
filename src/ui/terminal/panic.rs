//! A panic gives the terminal back before its message is printed. One of a worker is caught by whoever waits for it:
//! while the screen is shown, its message goes into the log.

use std::sync::Once;

use super::guard;

/// Puts the hook in front of the present one; once.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // Only the screen's own thread ends the screen.
            if std::thread::current().name() != Some("main") && guard::is_on() {
                tracing::error!("{info}");
                return;
            }
            guard::restore();
            before(info);
        }));
    });
}
