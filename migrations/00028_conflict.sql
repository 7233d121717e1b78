-- Owners: internal/knowledge/conflict (both tables) and internal/knowledge (review-by dates and the worth of cases).
-- Pairs of rules or cases that a person should settle: duplicates, contradictions, one that adds nothing to another; and single ones that
-- nobody was shown. Nothing here takes knowledge out of use by itself.

-- +goose Up
CREATE TABLE knowledge_conflict (
    id           TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,               -- contradiction, duplicate, superseded or unused
    item_kind    TEXT NOT NULL,               -- rule or case
    left_id      TEXT NOT NULL,               -- of the lower number
    right_id     TEXT NOT NULL,               -- '' for an unused one
    left_text    TEXT NOT NULL,               -- hash of what was compared: a pair that was settled is not raised again over the same texts
    right_text   TEXT NOT NULL,
    narrower     TEXT NOT NULL DEFAULT '',    -- of a superseded pair: left or right, which adds nothing
    confidence   REAL NOT NULL,
    why          TEXT NOT NULL,
    found_by     TEXT NOT NULL,               -- the detector's name
    found_at     INTEGER NOT NULL,
    state        TEXT NOT NULL,               -- open, settled, or gone: it ended without a person's answer
    outcome      TEXT NOT NULL DEFAULT '',
    note         TEXT NOT NULL DEFAULT '',
    by_id        TEXT NOT NULL DEFAULT '',
    by_name      TEXT NOT NULL DEFAULT '',
    closed_at    INTEGER NOT NULL DEFAULT 0,
    version      INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX knowledge_conflict_pair ON knowledge_conflict (left_id, right_id) WHERE state = 'open';
CREATE INDEX knowledge_conflict_open ON knowledge_conflict (kind, found_at, id) WHERE state = 'open';
CREATE INDEX knowledge_conflict_closed ON knowledge_conflict (state, closed_at, id);
CREATE INDEX knowledge_conflict_left ON knowledge_conflict (left_id, right_id);
CREATE INDEX knowledge_conflict_right ON knowledge_conflict (right_id);

-- Which text of a rule was compared with the others, or waits for it.
CREATE TABLE knowledge_conflict_check (
    rule_id TEXT PRIMARY KEY,
    text    TEXT NOT NULL,                    -- hash
    done    INTEGER NOT NULL,                 -- 0: waits
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_conflict_check_waiting ON knowledge_conflict_check (at) WHERE done = 0;

-- Rules that were accepted before there were review-by dates get theirs.
UPDATE knowledge_rule SET review_by = updated_at + 31536000000 WHERE status = 'active' AND review_by = 0;
UPDATE knowledge_rule_version SET review_by = created_at + 31536000000 WHERE status = 'active' AND review_by = 0
    AND version = (SELECT r.version FROM knowledge_rule r WHERE r.id = knowledge_rule_version.rule_id);

-- What credit makes of a case, from -1 to 1; 0 is nothing known. It is kept here so that recall reads it with the case.
ALTER TABLE knowledge_case ADD COLUMN worth REAL NOT NULL DEFAULT 0;
CREATE INDEX knowledge_case_worth ON knowledge_case (worth) WHERE worth < 0;

-- Owner: internal/knowledge/credit. 1: when this outcome was counted, the item was surely below the line. A rule is quarantined when it was so
-- several times in a row.
ALTER TABLE credit_shown ADD COLUMN below INTEGER NOT NULL DEFAULT 0;
CREATE INDEX credit_shown_looks ON credit_shown (item_id, epoch, outcome_id) WHERE counted = 1;

-- Owner: internal/learning. Which lessons were tried on a case, for when the case is withdrawn.
CREATE INDEX lesson_test_case ON lesson_test (case_id);
