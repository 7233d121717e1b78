-- Owner: internal/practice. What was practised with virtual customers, apart from all that real people said: nothing here is ever summed
-- with it. No row is about a person.

-- +goose Up
CREATE TABLE practice_run (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL,
    kind       TEXT NOT NULL,               -- train, evaluate, ablate
    split      INTEGER NOT NULL,            -- 0 to 2
    seed       INTEGER NOT NULL,
    customers  INTEGER NOT NULL,            -- how many it is to have
    done       INTEGER NOT NULL DEFAULT 0,  -- how many it has had
    state      TEXT NOT NULL,               -- running, done, failed (it can go on)
    error      TEXT NOT NULL DEFAULT '',
    result     TEXT NOT NULL DEFAULT '',    -- JSON, once it is done
    started_at INTEGER NOT NULL,            -- and the time of all that happens in its copy of the base
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX practice_run_newest ON practice_run (agent_id, started_at, id);

-- The consultations of a run, written before anything is learned from them: they are the log from which a run goes on.
CREATE TABLE practice_session (
    run_id     TEXT NOT NULL REFERENCES practice_run (id),
    phase      TEXT NOT NULL,               -- before, train, after
    n          INTEGER NOT NULL,
    person     TEXT NOT NULL,               -- situation/author
    successful INTEGER NOT NULL,
    session    TEXT NOT NULL,               -- JSON: dialogue and outcome
    PRIMARY KEY (run_id, phase, n)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE practice_session;
DROP TABLE practice_run;
