-- Owner: internal/table/imports. One row for each import, of whatever kind. The older rows are of documents.

-- +goose Up
ALTER TABLE import_run RENAME COLUMN agent_id TO subject;
ALTER TABLE import_run ADD COLUMN kind TEXT NOT NULL DEFAULT 'documents';
ALTER TABLE import_run ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE import_run ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
DROP INDEX import_run_started;
CREATE INDEX import_run_started ON import_run (kind, started_at, id);
