-- Owner: internal/compliance. What the checks said about each text of an interaction.

-- +goose Up
-- One row per validated text; a text checked again gets a new row, so that the record shows what was known when.
CREATE TABLE verdict (
    id             TEXT PRIMARY KEY,
    interaction_id TEXT NOT NULL,
    text_hash      TEXT NOT NULL,      -- hex SHA-256 of the text, as interaction.TextHash
    label          TEXT NOT NULL,      -- COMPLIANT_GUIDANCE, BORDERLINE, NON_COMPLIANT
    passed         INTEGER NOT NULL,   -- 0 or 1
    confidence     REAL NOT NULL,
    verdict        TEXT NOT NULL,      -- JSON, the whole verdict
    at             INTEGER NOT NULL
) STRICT;
CREATE INDEX verdict_interaction ON verdict (interaction_id, at, id);
