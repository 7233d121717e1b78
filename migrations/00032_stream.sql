-- Owners: internal/learning/stream (memory, reflection, insight, insight_memory), internal/job (periodic).
-- What each agent lived through, what was made of it at a distance, and the work that comes again by itself.

-- +goose Up
CREATE TABLE memory (
    seq            INTEGER PRIMARY KEY,         -- the order in which they were written
    id             TEXT NOT NULL UNIQUE,
    agent_id       TEXT NOT NULL,
    kind           TEXT NOT NULL,               -- decision, ruling, verdict, outcome, insight
    what           TEXT NOT NULL,               -- approve, revise ...; of a verdict, its band of confidence
    cause_id       TEXT NOT NULL,               -- one memory per kind and cause
    interaction_id TEXT NOT NULL,               -- '' where there is none
    task           TEXT NOT NULL,
    codes          TEXT NOT NULL,               -- JSON list: what checks or people found
    shown          TEXT NOT NULL,               -- JSON list: ids of the rules and cases that the draft was shown
    situation      TEXT NOT NULL,               -- JSON: the customer without any words of theirs
    text           TEXT NOT NULL,               -- pseudonymised; says so once erased
    importance     INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
    scored_by      TEXT NOT NULL,
    at             INTEGER NOT NULL,
    withdrawn_at   INTEGER NOT NULL DEFAULT 0,  -- its cause was undone
    UNIQUE (kind, cause_id)
) STRICT;
CREATE INDEX memory_agent ON memory (agent_id, seq);
CREATE INDEX memory_time ON memory (agent_id, at);
CREATE INDEX memory_kind ON memory (kind, what, seq);
CREATE INDEX memory_weight ON memory (agent_id, importance DESC, seq DESC);
CREATE INDEX memory_interaction ON memory (interaction_id) WHERE interaction_id <> '';

CREATE TABLE reflection (
    id          TEXT PRIMARY KEY,
    agent_id    TEXT NOT NULL,
    agent_name  TEXT NOT NULL,
    state       TEXT NOT NULL,                  -- due, done
    total       INTEGER NOT NULL,               -- summed importance that called for it
    memories    INTEGER NOT NULL,
    from_seq    INTEGER NOT NULL,               -- after this memory
    to_seq      INTEGER NOT NULL,               -- up to and with this one
    answered_by TEXT NOT NULL DEFAULT '',
    due_at      INTEGER NOT NULL,
    done_at     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (agent_id, to_seq)
) STRICT;
CREATE INDEX reflection_newest ON reflection (due_at, id);
CREATE INDEX reflection_due ON reflection (due_at, id) WHERE state = 'due';

CREATE TABLE insight (
    id            TEXT PRIMARY KEY,
    reflection_id TEXT NOT NULL REFERENCES reflection (id),
    nr            INTEGER NOT NULL,             -- within the reflection, weightiest first
    agent_id      TEXT NOT NULL,
    theme         TEXT NOT NULL,                -- what it is about, as code:MISSING_DB_WARNING
    text          TEXT NOT NULL,
    importance    INTEGER NOT NULL,
    principle     TEXT NOT NULL DEFAULT '',
    lesson_id     TEXT NOT NULL DEFAULT '',     -- that it proposed, or that an earlier one on the same theme did
    again         INTEGER NOT NULL DEFAULT 0,   -- 1: the lesson is an earlier insight's
    by_model      INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    UNIQUE (reflection_id, theme)
) STRICT;
CREATE INDEX insight_theme ON insight (agent_id, theme, at);

CREATE TABLE insight_memory (
    insight_id TEXT NOT NULL REFERENCES insight (id),
    memory_id  TEXT NOT NULL REFERENCES memory (id),
    earlier    INTEGER NOT NULL,                -- 1: from before the reflection's window, recalled
    PRIMARY KEY (insight_id, memory_id)
) STRICT;
CREATE INDEX insight_memory_memory ON insight_memory (memory_id);

-- Work that comes again by itself: how its last run went, and whether a person paused it.
CREATE TABLE periodic (
    name       TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL DEFAULT 0,      -- of the last run that was over; 0 for none
    ended_at   INTEGER NOT NULL DEFAULT 0,
    outcome    TEXT NOT NULL DEFAULT '',        -- '', done, failed
    error      TEXT NOT NULL DEFAULT '',        -- for a person
    runs       INTEGER NOT NULL DEFAULT 0,
    paused_at  INTEGER NOT NULL DEFAULT 0,      -- 0: not paused
    paused_by  TEXT NOT NULL DEFAULT ''
) STRICT;
