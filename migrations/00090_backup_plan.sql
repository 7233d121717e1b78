-- Owner: internal/backup. The plan by which copies are made without a person, and how the last one went; one row.

-- +goose Up
CREATE TABLE backup_plan (
    id       TEXT PRIMARY KEY,           -- main
    folder   TEXT NOT NULL,              -- on the server; '' is off
    hour     INTEGER NOT NULL,           -- 0 to 23, of the desk's time zone
    days     INTEGER NOT NULL,           -- of how many the last copy is kept
    weeks    INTEGER NOT NULL,
    months   INTEGER NOT NULL,
    set_at   INTEGER NOT NULL,
    tried_at INTEGER NOT NULL DEFAULT 0,
    made_at  INTEGER NOT NULL DEFAULT 0, -- the last that went well
    file     TEXT NOT NULL DEFAULT '',
    failed   TEXT NOT NULL DEFAULT ''    -- why the last try failed, for a person
) STRICT;

-- +goose Down
DROP TABLE backup_plan;
