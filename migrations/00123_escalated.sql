-- Owner: internal/review/escalation. Each rejected draft whose customer a person has to answer: who took it, when, and how it ended.
-- No text is kept here: what was said of it is a line of the guidance's history, and goes with it. What was escalated before has no
-- row: firms dealt with it outside.

-- +goose Up
CREATE TABLE escalation (
    interaction_id TEXT PRIMARY KEY,
    decision_id    TEXT NOT NULL,
    asked_at       INTEGER NOT NULL,           -- when the customer asked: they wait from then on
    created_at     INTEGER NOT NULL,           -- when it was escalated
    taken_by       TEXT NOT NULL DEFAULT '',   -- account; '': nobody has it
    taken_name     TEXT NOT NULL DEFAULT '',
    taken_at       INTEGER NOT NULL DEFAULT 0, -- when the first person took it
    closed_at      INTEGER NOT NULL DEFAULT 0, -- 0: open
    outcome        TEXT NOT NULL DEFAULT ''    -- of escalation.Outcomes; '' while open
) STRICT;
CREATE INDEX escalation_open ON escalation (asked_at, interaction_id) WHERE closed_at = 0;
CREATE INDEX escalation_closed ON escalation (closed_at, interaction_id) WHERE closed_at > 0;

-- +goose Down
DROP TABLE escalation;
