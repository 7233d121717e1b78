-- Owner: internal/review. What a supervisor has typed about a case and not sent yet, so that a reload, a sign-out or a
-- broken connection loses nothing. One row for each form of each version of a case that a person typed into: a text
-- that changed since does not overwrite what was typed for the one before it. Rows go with the decision, and after 30
-- days.

-- +goose Up
CREATE TABLE review_draft (
    by_id       TEXT NOT NULL,
    review_id   TEXT NOT NULL REFERENCES review (id),
    version     INTEGER NOT NULL,          -- of the review that was on the screen
    mode        TEXT NOT NULL CHECK (mode IN ('revise', 'reject', 'return', 'skip', 'stop', 'recall')),
    text        TEXT NOT NULL,
    reason      TEXT NOT NULL,
    reason_code TEXT NOT NULL,
    feedback    TEXT NOT NULL,
    saved_at    INTEGER NOT NULL,
    PRIMARY KEY (by_id, review_id, version, mode)
) STRICT;
CREATE INDEX review_draft_saved ON review_draft (saved_at);
