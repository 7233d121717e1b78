-- Owner: internal/learning. When the model was last asked in vain about a lesson that it missed, so that those behind one that always fails
-- get their turn.

-- +goose Up
ALTER TABLE lesson ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
DROP INDEX lesson_without_model;
CREATE INDEX lesson_without_model ON lesson (asked_at, updated_at, id) WHERE without_model = 1;

-- +goose Down
DROP INDEX lesson_without_model;
CREATE INDEX lesson_without_model ON lesson (updated_at, id) WHERE without_model = 1;
ALTER TABLE lesson DROP COLUMN asked_at;
