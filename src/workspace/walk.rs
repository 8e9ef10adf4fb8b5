//! Which files a listing or a search looks at.
