-- Owner: internal/compliance/borderline. What experts tell each other about a case, on words of its text or on all of it.

-- +goose Up
CREATE TABLE borderline_remark (
    id           TEXT PRIMARY KEY,
    case_id      TEXT NOT NULL REFERENCES borderline_case (id),
    by_id        TEXT NOT NULL,
    by_name      TEXT NOT NULL,
    form_key     TEXT NOT NULL,              -- of the form it was sent with, which counts once
    start        INTEGER NOT NULL,           -- of the words in the case's text, in code points; both 0: on the whole text
    finish       INTEGER NOT NULL,
    quote        TEXT NOT NULL,              -- the words; an erasure empties them
    text         TEXT NOT NULL,              -- an erasure empties it
    at           INTEGER NOT NULL,
    withdrawn_at INTEGER NOT NULL DEFAULT 0  -- kept, and shown as withdrawn
) STRICT;
CREATE INDEX borderline_remark_case ON borderline_remark (case_id, at, id);
CREATE UNIQUE INDEX borderline_remark_form ON borderline_remark (by_id, form_key) WHERE form_key <> '';
