-- Owner: internal/signal. What came of a learning after an agent was given it: in how many sessions it was, and in how many of those
-- its user asked for it again. What was given in sessions that aren't over stands in signal_shown.

-- +goose Up
ALTER TABLE signal ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE signal ADD COLUMN again INTEGER NOT NULL DEFAULT 0;
CREATE INDEX signal_lesson ON signal (lesson_id) WHERE lesson_id <> '';

CREATE TABLE signal_shown (
    unit      TEXT NOT NULL,               -- a hash of the agent and the user, as in noted
    signal_id TEXT NOT NULL,
    again     INTEGER NOT NULL DEFAULT 0,  -- 1: asked for again since
    at        INTEGER NOT NULL,
    PRIMARY KEY (unit, signal_id)
) STRICT;
