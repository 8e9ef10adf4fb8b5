-- What a session's log says beyond the words, as of one of its records: so that opening reads only what came since.
-- Derived: may be deleted at any time.
CREATE TABLE ledgers (
    key      INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,                  -- the last record that it holds
    version  INTEGER NOT NULL,                  -- of its form
    body     TEXT    NOT NULL,                  -- as JSON
    UNIQUE (session, sequence)
);
-- The rewind that took the record back. It stays, and counts again when that rewind is undone.
ALTER TABLE records ADD COLUMN rewound INTEGER;
