//! Reusable drawing. Widgets know no domain type.

pub mod field;
pub mod frame;
pub mod hints;
pub mod list;
pub mod scrollbar;
pub mod text;
