-- Owner: internal/signal. Whether an agent was given notes before a turn, by what recall gave rather than by the setting.

-- +goose Up
CREATE TABLE noted (
    unit  TEXT PRIMARY KEY,               -- a hash of the agent and the user
    given INTEGER NOT NULL,               -- 1: recall gave notes the last time
    at    INTEGER NOT NULL
) STRICT;

ALTER TABLE turn ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
