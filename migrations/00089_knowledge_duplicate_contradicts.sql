-- Owner: internal/knowledge. Two sections in nearly the same words may say the opposite: such a pair hides neither of them in recall, and
-- a person settles it as a conflict. Pairs of before are looked at when documents are imported next.

-- +goose Up
ALTER TABLE knowledge_duplicate ADD COLUMN contradicts INTEGER NOT NULL DEFAULT 0;
