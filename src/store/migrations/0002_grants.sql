-- What a person allowed or forbade beyond a session. A grant without a folder holds in every folder.
CREATE TABLE grants (
    key        INTEGER PRIMARY KEY,
    folder     BLOB,
    rule       TEXT    NOT NULL,                -- as JSON
    made_ms    INTEGER NOT NULL,
    expires_ms INTEGER
);
CREATE INDEX grants_folder ON grants (folder);
