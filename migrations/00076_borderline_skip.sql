-- Owner: internal/compliance/borderline. When an expert left a case to others: they are not handed it again.

-- +goose Up
ALTER TABLE borderline_claim ADD COLUMN skipped_at INTEGER NOT NULL DEFAULT 0;
