-- Owner: internal/practice. What the base was when a run began, so that its figures stand in a history of the base's states; which runs
-- began at night; and who played the customers and judged.

-- +goose Up
ALTER TABLE practice_run ADD COLUMN nightly    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE practice_run ADD COLUMN base_seq   INTEGER NOT NULL DEFAULT 0; -- the number of the newest version of a rule or case; 0: from before this was kept
ALTER TABLE practice_run ADD COLUMN base_rules INTEGER NOT NULL DEFAULT 0; -- in use
ALTER TABLE practice_run ADD COLUMN base_cases INTEGER NOT NULL DEFAULT 0;
ALTER TABLE practice_run ADD COLUMN judge      TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE practice_run DROP COLUMN nightly;
ALTER TABLE practice_run DROP COLUMN base_seq;
ALTER TABLE practice_run DROP COLUMN base_rules;
ALTER TABLE practice_run DROP COLUMN base_cases;
ALTER TABLE practice_run DROP COLUMN judge;
