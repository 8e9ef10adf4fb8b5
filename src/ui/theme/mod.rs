//! Named meanings of colour, loaded from `themes/*.toml`.
//!
//! Code says what a thing *means* ([`StyleName`]); a theme decides how that looks. Reading order: `style_name`,
//! `depth`, `color`, `load`, `probe`. No other folder names a colour.

pub mod color;
pub mod depth;
pub mod load;
pub mod probe;
pub mod style_name;

pub use color::Rgb;
pub use depth::Depth;
pub use load::Theme;
pub use style_name::StyleName;
