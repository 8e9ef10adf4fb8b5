//! Sessions on disk: one worker thread owns the database connection.
