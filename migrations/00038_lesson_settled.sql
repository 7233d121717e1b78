-- Owner: internal/learning.
-- Whether the decision that a lesson came of can't be taken back any more, so that learning need not read the decisions of the desk.

-- +goose Up
ALTER TABLE lesson ADD COLUMN settled INTEGER NOT NULL DEFAULT 1; -- 0: its decision is held, or was undone
UPDATE lesson SET settled = 0 WHERE cause_kind = 'decision'
    AND EXISTS (SELECT 1 FROM decision WHERE decision.id = lesson.cause_id AND decision.state IN ('held', 'pending', 'undone'));
