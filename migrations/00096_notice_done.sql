-- Owner: internal/comment. A notice whose matter needs nobody any more is read, and says so.

-- +goose Up
ALTER TABLE notice ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
