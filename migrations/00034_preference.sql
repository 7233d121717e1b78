-- Owners: internal/feedback/preference (preference_*), internal/feedback/experiment (experiment, experiment_*).
-- Which of two answers is the better one, and whether a change makes answers better.

-- +goose Up
-- Texts are pseudonymised where a supervisor's revision made the pair. left and right are places in this row, never on a screen:
-- which of them a judge sees first is worked out from pair and judge.
CREATE TABLE preference_pair (
    id             TEXT PRIMARY KEY,
    origin         TEXT NOT NULL CHECK (origin IN ('revision', 'given', 'api')),
    source_id      TEXT NOT NULL,               -- decision of a revision, the caller's own id of a pair from the API; '' else
    agent_id       TEXT NOT NULL,               -- whose token or draft it was; '' for one that a person put in
    interaction_id TEXT NOT NULL,               -- '' where there is none
    task           TEXT NOT NULL,
    prompt         TEXT NOT NULL,               -- the texts are '' once withdrawn or erased
    left_text      TEXT NOT NULL,
    left_maker     TEXT NOT NULL,               -- who wrote it: an agent's name, a prompt, "Supervisors"
    right_text     TEXT NOT NULL,
    right_maker    TEXT NOT NULL,
    chosen         TEXT NOT NULL DEFAULT '' CHECK (chosen IN ('', 'left', 'right')), -- by the revision; '' where judges choose
    state          TEXT NOT NULL CHECK (state IN ('open', 'withdrawn', 'erased')),
    answers        INTEGER NOT NULL DEFAULT 0,  -- standing
    lefts          INTEGER NOT NULL DEFAULT 0,
    rights         INTEGER NOT NULL DEFAULT 0,
    ties           INTEGER NOT NULL DEFAULT 0,
    bad            INTEGER NOT NULL DEFAULT 0,
    at             INTEGER NOT NULL,
    by_id          TEXT NOT NULL,
    by_name        TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX preference_pair_source ON preference_pair (origin, agent_id, source_id) WHERE source_id <> '';
CREATE INDEX preference_pair_wait ON preference_pair (answers, at, id) WHERE state = 'open' AND origin <> 'revision';
CREATE INDEX preference_pair_count ON preference_pair (origin, state, answers, ties, bad);
CREATE INDEX preference_pair_time ON preference_pair (at, id);
CREATE INDEX preference_pair_interaction ON preference_pair (interaction_id) WHERE interaction_id <> '';

-- One row per answer; what was taken back stays.
CREATE TABLE preference_answer (
    id         TEXT PRIMARY KEY,
    pair_id    TEXT NOT NULL REFERENCES preference_pair (id),
    judge_id   TEXT NOT NULL,
    judge_name TEXT NOT NULL,
    first      TEXT NOT NULL CHECK (first IN ('left', 'right')),  -- which text stood first on the screen
    choice     TEXT NOT NULL CHECK (choice IN ('left', 'right', 'tie', 'bad')),
    at         INTEGER NOT NULL,
    undone_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX preference_answer_standing ON preference_answer (pair_id, judge_id) WHERE undone_at = 0;
CREATE INDEX preference_answer_judge ON preference_answer (judge_id, at, id) WHERE undone_at = 0;

CREATE TABLE preference_skip (
    pair_id  TEXT NOT NULL REFERENCES preference_pair (id),
    judge_id TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (pair_id, judge_id)
) STRICT, WITHOUT ROWID;

-- The standing answers summed by makers, so that a ranking reads a few rows: kept in the transaction of each answer.
CREATE TABLE preference_score (
    one    TEXT NOT NULL,                       -- the makers, in alphabetical order
    two    TEXT NOT NULL,
    ones   INTEGER NOT NULL DEFAULT 0,          -- answers for one
    twos   INTEGER NOT NULL DEFAULT 0,
    ties   INTEGER NOT NULL DEFAULT 0,
    bad    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (one, two)
) STRICT, WITHOUT ROWID;

-- The plan stands before the start and never changes; counters go on until it is stopped.
CREATE TABLE experiment (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    purpose     TEXT NOT NULL CHECK (purpose IN ('memory', 'rule', 'prompt', 'model')),
    agent_id    TEXT NOT NULL,                  -- '' is every agent
    agent_name  TEXT NOT NULL,
    rule_id     TEXT NOT NULL,                  -- of purpose rule; '' else
    treatment   TEXT NOT NULL,                  -- what the arms are, in words
    control     TEXT NOT NULL,
    metric      TEXT NOT NULL CHECK (metric IN ('approved', 'vote', 'satisfaction')),
    baseline    REAL NOT NULL,                  -- shares from 0 to 1
    effect      REAL NOT NULL,                  -- smallest that matters
    alpha       REAL NOT NULL,
    power       REAL NOT NULL,
    split       REAL NOT NULL,                  -- share of people in the treatment
    fixed       INTEGER NOT NULL,               -- outcomes per arm of a test with one look, at an even split
    size_t      INTEGER NOT NULL,               -- outcomes per arm that are planned
    size_c      INTEGER NOT NULL,
    information REAL NOT NULL,                  -- that ends it: n_t n_c / (n_t + n_c)
    boundary    REAL NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('planned', 'running', 'stopped')),
    ended       TEXT NOT NULL DEFAULT '' CHECK (ended IN ('', 'better', 'worse', 'futile', 'full', 'person', 'barred')),
    note        TEXT NOT NULL DEFAULT '',       -- of the person who stopped it
    assigned_t  INTEGER NOT NULL DEFAULT 0,
    assigned_c  INTEGER NOT NULL DEFAULT 0,
    n_t         INTEGER NOT NULL DEFAULT 0,     -- outcomes that count
    n_c         INTEGER NOT NULL DEFAULT 0,
    good_t      INTEGER NOT NULL DEFAULT 0,
    good_c      INTEGER NOT NULL DEFAULT 0,
    version     INTEGER NOT NULL DEFAULT 1,
    created_at  INTEGER NOT NULL,
    by_id       TEXT NOT NULL,
    by_name     TEXT NOT NULL,
    started_at  INTEGER NOT NULL DEFAULT 0,
    stopped_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX experiment_running ON experiment (purpose, agent_id) WHERE state = 'running';
CREATE INDEX experiment_newest ON experiment (created_at, id);

-- What was drafted or answered in an experiment. unit is a keyed hash of the person who was assigned, never who they are.
CREATE TABLE experiment_subject (
    experiment_id TEXT NOT NULL REFERENCES experiment (id),
    subject_id    TEXT NOT NULL,                -- an interaction, or what the caller calls it
    unit          TEXT NOT NULL,
    arm           TEXT NOT NULL CHECK (arm IN ('treatment', 'control')),
    at            INTEGER NOT NULL,
    outcome       INTEGER NOT NULL DEFAULT -1,  -- 1 good, 0 not, -1 not known
    outcome_at    INTEGER NOT NULL DEFAULT 0,
    counted       INTEGER NOT NULL DEFAULT 0,   -- 1: in the figures; the first outcome of each unit
    PRIMARY KEY (experiment_id, subject_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX experiment_subject_unit ON experiment_subject (experiment_id, unit) WHERE counted = 1;
CREATE INDEX experiment_subject_subject ON experiment_subject (subject_id);

-- The interval at each whole percent of the way, for the picture.
CREATE TABLE experiment_look (
    experiment_id TEXT NOT NULL REFERENCES experiment (id),
    percent       INTEGER NOT NULL,
    n             INTEGER NOT NULL,             -- outcomes of both arms
    effect        REAL NOT NULL,
    low           REAL NOT NULL,
    high          REAL NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (experiment_id, percent)
) STRICT, WITHOUT ROWID;
