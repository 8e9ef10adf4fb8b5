-- Sessions, their logs, and what belongs to them. Never change this file: add the next one.

CREATE TABLE sessions (
    key           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    cwd           BLOB    NOT NULL,
    title         TEXT    NOT NULL DEFAULT '',
    titled        INTEGER NOT NULL DEFAULT 0,   -- whether the title was given, not derived
    created_ms    INTEGER NOT NULL,
    updated_ms    INTEGER NOT NULL,
    messages      INTEGER NOT NULL DEFAULT 0,   -- messages by the person
    last_sequence INTEGER NOT NULL DEFAULT 0,   -- the last one given; never reused
    activity      INTEGER NOT NULL DEFAULT 0    -- rises with every change of the latest session; orders lists
);
CREATE INDEX sessions_activity ON sessions (activity);
CREATE INDEX sessions_cwd ON sessions (cwd, activity);

CREATE TABLE records (
    key      INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,                  -- for showing only; order is `sequence`
    agent    TEXT    NOT NULL,
    partial  INTEGER NOT NULL DEFAULT 0,        -- a reply that was still coming
    body     TEXT    NOT NULL,                  -- the record as JSON
    UNIQUE (session, sequence)
);
CREATE UNIQUE INDEX records_partial ON records (session, agent) WHERE partial;

CREATE TABLE scratchpad (
    key        INTEGER PRIMARY KEY,
    session    INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    agent      TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    origin     TEXT    NOT NULL,                -- as JSON
    updated_ms INTEGER NOT NULL,
    content    TEXT    NOT NULL,
    UNIQUE (session, agent, name)
);

CREATE TABLE drafts (
    key   INTEGER PRIMARY KEY,
    place BLOB    NOT NULL UNIQUE,              -- a session or a folder
    text  TEXT    NOT NULL
);

CREATE TABLE prompts (
    key  INTEGER PRIMARY KEY AUTOINCREMENT,
    cwd  BLOB    NOT NULL,
    text TEXT    NOT NULL
);
CREATE INDEX prompts_cwd ON prompts (cwd, key);

CREATE TABLE trust (
    key     INTEGER PRIMARY KEY,
    folder  BLOB    NOT NULL UNIQUE,
    trusted INTEGER NOT NULL
);
