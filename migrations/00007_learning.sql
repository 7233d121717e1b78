-- Owner: internal/learning. What may be learned and where it stands on the path.

-- +goose Up
CREATE TABLE lesson (
    id             TEXT PRIMARY KEY,
    origin         TEXT NOT NULL,              -- approve, revise, reject; later ruling, practice, proposal ...
    cause_kind     TEXT NOT NULL,              -- what it came from: decision
    cause_id       TEXT NOT NULL,              -- its id; one lesson per cause
    interaction_id TEXT NOT NULL,              -- '' where there is none
    agent_id       TEXT NOT NULL,
    agent_name     TEXT NOT NULL,
    decided_by     TEXT NOT NULL,              -- name of the person
    task           TEXT NOT NULL,
    stage          TEXT NOT NULL,              -- reflect, validate, refine, judge, accept; case for what only makes a case
    state          TEXT NOT NULL,              -- running, waiting, failed are open; accepted, rejected, withdrawn, nothing are ends
    title          TEXT NOT NULL DEFAULT '',
    outcome        TEXT NOT NULL DEFAULT '',   -- a sentence for a person
    problem        TEXT NOT NULL DEFAULT '',
    root_cause     TEXT NOT NULL DEFAULT '',
    principle      TEXT NOT NULL DEFAULT '',
    rule_text      TEXT NOT NULL DEFAULT '',
    domain         TEXT NOT NULL DEFAULT '',
    confidence     REAL NOT NULL DEFAULT 0,
    provisional    INTEGER NOT NULL DEFAULT 0,
    helpful        INTEGER NOT NULL DEFAULT 0, -- of tried
    tried          INTEGER NOT NULL DEFAULT 0,
    silent         INTEGER NOT NULL DEFAULT 0, -- cases that said nothing either way
    held           INTEGER NOT NULL DEFAULT 0, -- of must_not_fire
    must_not_fire  INTEGER NOT NULL DEFAULT 0,
    rule_id        TEXT NOT NULL DEFAULT '',   -- the rule that came of it, or that says it already
    rule_number    INTEGER NOT NULL DEFAULT 0,
    same_as        INTEGER NOT NULL DEFAULT 0, -- 1: rule_id existed before
    case_state     TEXT NOT NULL DEFAULT '',   -- '', waiting, running, kept, withdrawn, failed
    case_id        TEXT NOT NULL DEFAULT '',
    case_number    INTEGER NOT NULL DEFAULT 0,
    case_attempts  INTEGER NOT NULL DEFAULT 0, -- failed tries of the case
    attempts       INTEGER NOT NULL DEFAULT 0, -- failed tries of the present step
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    UNIQUE (cause_kind, cause_id)
) STRICT;
CREATE INDEX lesson_newest ON lesson (created_at, id);
CREATE INDEX lesson_state ON lesson (state, stage, created_at, id);
CREATE INDEX lesson_interaction ON lesson (interaction_id, created_at, id);
CREATE INDEX lesson_agent ON lesson (agent_id, created_at, id);
CREATE INDEX lesson_rule ON lesson (rule_id) WHERE rule_id <> '';

-- The text that was learned from, pseudonymised, alone in its table so that an erasure reaches it in one place.
CREATE TABLE lesson_source (
    lesson_id TEXT PRIMARY KEY REFERENCES lesson (id),
    source    TEXT NOT NULL                    -- JSON; empty once erased
) STRICT;

CREATE TABLE lesson_step (
    lesson_id   TEXT NOT NULL REFERENCES lesson (id),
    seq         INTEGER NOT NULL,              -- 1, 2, 3 ... within the lesson
    name        TEXT NOT NULL,                 -- a stage
    state       TEXT NOT NULL,                 -- done or failed
    answered_by TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    input       TEXT NOT NULL,                 -- JSON
    output      TEXT NOT NULL,                 -- JSON
    at          INTEGER NOT NULL,
    PRIMARY KEY (lesson_id, seq)
) STRICT;

-- The cases on which a principle was tried, one row each.
CREATE TABLE lesson_test (
    lesson_id TEXT NOT NULL,
    seq       INTEGER NOT NULL,                -- of the step
    nr        INTEGER NOT NULL,
    case_id   TEXT NOT NULL,                   -- '' for the corrected case itself and for a made-up customer
    number    INTEGER NOT NULL,
    kind      TEXT NOT NULL,                   -- exemplar, must_not_fire, origin
    verdict   TEXT NOT NULL,                   -- helped, hurt, silent
    fired     INTEGER NOT NULL,
    why       TEXT NOT NULL,
    PRIMARY KEY (lesson_id, seq, nr),
    FOREIGN KEY (lesson_id, seq) REFERENCES lesson_step (lesson_id, seq)
) STRICT;
