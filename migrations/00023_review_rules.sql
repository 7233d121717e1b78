-- Owner: internal/review. What the assessment of a draft went by, so that a decision need not assess it again under the same.

-- +goose Up
ALTER TABLE review ADD COLUMN rules TEXT NOT NULL DEFAULT '';
