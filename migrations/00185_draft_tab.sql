-- Owner: internal/review. The window in which what is typed was saved last, so that another one doesn't overwrite it.

-- +goose Up
ALTER TABLE review_draft ADD COLUMN tab TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE review_draft DROP COLUMN tab;
