-- Owner: internal/review. A check that two people overruled for one text, and why. Rows go with a decision and count only while it stands.

-- +goose Up
CREATE TABLE overruling (
    decision_id TEXT NOT NULL REFERENCES decision (id),
    code        TEXT NOT NULL,             -- of the check
    severity    TEXT NOT NULL,             -- as the check reported it
    reason      TEXT NOT NULL,             -- as the first supervisor typed it
    text_hash   TEXT NOT NULL,             -- hex SHA-256 of the one text that it holds for; empty once erased
    rules       TEXT NOT NULL,             -- what the check went by: the checkbook with the hash of each wording in force
    at          INTEGER NOT NULL,
    PRIMARY KEY (decision_id, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX overruling_code ON overruling (code, decision_id);

-- What somebody typed to overrule a check and has not sent is kept like every other form. SQLite widens a CHECK only by a new table.
CREATE TABLE review_draft_new (
    by_id       TEXT NOT NULL,
    review_id   TEXT NOT NULL REFERENCES review (id),
    version     INTEGER NOT NULL,          -- of the review that was on the screen
    mode        TEXT NOT NULL CHECK (mode IN ('revise', 'reject', 'return', 'overrule', 'skip', 'stop', 'recall')),
    text        TEXT NOT NULL,
    reason      TEXT NOT NULL,
    reason_code TEXT NOT NULL,
    feedback    TEXT NOT NULL,
    saved_at    INTEGER NOT NULL,
    stated      TEXT NOT NULL DEFAULT '',
    overrule    TEXT NOT NULL DEFAULT '',  -- JSON: codes and reasons; empty for none
    PRIMARY KEY (by_id, review_id, version, mode)
) STRICT;
INSERT INTO review_draft_new (by_id, review_id, version, mode, text, reason, reason_code, feedback, saved_at, stated)
SELECT by_id, review_id, version, mode, text, reason, reason_code, feedback, saved_at, stated FROM review_draft;
DROP TABLE review_draft;
ALTER TABLE review_draft_new RENAME TO review_draft;
CREATE INDEX review_draft_saved ON review_draft (saved_at);
