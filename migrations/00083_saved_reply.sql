-- Owner: internal/review/reply. Texts that people keep to put into a revision, their own or shared with everybody who reviews.

-- +goose Up
CREATE TABLE saved_reply (
    id         TEXT PRIMARY KEY,
    owner_id   TEXT NOT NULL,                  -- account
    owner_name TEXT NOT NULL,
    shared     INTEGER NOT NULL,               -- 1: everybody who reviews may use it
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL,                  -- in lower case
    text       TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    UNIQUE (owner_id, name_key)
) STRICT;
CREATE INDEX saved_reply_shared ON saved_reply (name_key) WHERE shared = 1;
