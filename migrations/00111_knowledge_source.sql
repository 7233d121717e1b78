-- Owner: internal/knowledge. Where documents came from, and what changed there that nobody has reviewed yet.

-- +goose Up
CREATE TABLE knowledge_source (
    id           TEXT PRIMARY KEY,
    agent_id     TEXT NOT NULL,             -- '' is shared by the agents of the pack
    pack         TEXT NOT NULL,
    path         TEXT NOT NULL,             -- the file, or the address; the origins of its cases begin with it and #
    folder       TEXT NOT NULL,             -- of the server, in which the file is read again; '' for an upload
    hash         TEXT NOT NULL,             -- of what the cases were made of
    read_at      INTEGER NOT NULL,
    looked_at    INTEGER NOT NULL,          -- when it was last compared with its source
    every        INTEGER NOT NULL DEFAULT 0, -- after how many days it is read again; 0: on demand
    failure      TEXT NOT NULL DEFAULT '',  -- why it couldn't be read again, for a person
    waiting      TEXT NOT NULL DEFAULT '',  -- JSON: the sections as they are there now, until a person reviews them
    waiting_hash TEXT NOT NULL DEFAULT '',
    UNIQUE (agent_id, path)
) STRICT;
CREATE INDEX knowledge_source_due ON knowledge_source (looked_at) WHERE every > 0;

-- When the source of a section was seen to say something else; 0: as it is here, or reviewed.
ALTER TABLE knowledge_case ADD COLUMN source_changed_at INTEGER NOT NULL DEFAULT 0;
