-- Owner: internal/review. Whose words a decision sends where they aren't its author's: somebody else wrote the text and
-- gave the reason, and the author approved both.

-- +goose Up
ALTER TABLE decision ADD COLUMN again INTEGER NOT NULL DEFAULT 0;        -- 1: a recalled text is sent again unchanged
ALTER TABLE decision ADD COLUMN words_by TEXT NOT NULL DEFAULT '';       -- account; '' for the author's own, and the agent's
ALTER TABLE decision ADD COLUMN words_name TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE decision DROP COLUMN words_name;
ALTER TABLE decision DROP COLUMN words_by;
ALTER TABLE decision DROP COLUMN again;
