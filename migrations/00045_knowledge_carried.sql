-- Owner: internal/knowledge. Rules became data: each living one gets a version that says as data what its sentence said, which is done in Go
-- (carry.go), once for a file. Old versions keep their text.

-- +goose Up
ALTER TABLE knowledge_seq ADD COLUMN carried INTEGER NOT NULL DEFAULT 0; -- 1: it was done
