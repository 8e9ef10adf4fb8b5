//! What a person sees, as golden frames.
