-- What the person had seen of a folder's own files when they answered: names and digests as JSON. Where it is missing,
-- a folder that was trusted is asked about once more.
ALTER TABLE trust ADD COLUMN seen TEXT;
