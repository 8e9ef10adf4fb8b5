//! A panic gives the terminal back before its message is printed.

use std::sync::Once;

use super::guard;

/// Puts the hook in front of the present one; once.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // A panic of a worker is caught by whoever waits for it; only the screen's own thread ends the screen.
            if std::thread::current().name() == Some("main") {
                guard::restore();
            }
            before(info);
        }));
    });
}
