-- Owner: internal/review/planted (the last index: internal/review). Known-bad drafts that test the desk: the library, each time one is mixed in, and what came
-- of it for each person. Nothing here is shown to a supervisor before the case is closed.

-- +goose Up
CREATE TABLE planted_draft (
    id         TEXT PRIMARY KEY,
    builtin    INTEGER NOT NULL,           -- 1: of the library that comes with the program, which is brought up to date at each start
    version    INTEGER NOT NULL,           -- raised by every change of the text
    task       TEXT NOT NULL,
    problem    TEXT NOT NULL,              -- a code of the taxonomy of rejections
    expected   TEXT NOT NULL CHECK (expected IN ('revise', 'reject', 'return')),
    title      TEXT NOT NULL,
    what       TEXT NOT NULL,              -- what is wrong with it, shown afterwards
    question   TEXT NOT NULL,
    customer   TEXT NOT NULL,              -- JSON that no query looks into
    guidance   TEXT NOT NULL,
    reasoning  TEXT NOT NULL,
    absent     TEXT NOT NULL,              -- JSON: patterns that a text without the problem does not match ...
    present    TEXT NOT NULL,              -- ... and those that it does
    retired    INTEGER NOT NULL DEFAULT 0, -- 1: not mixed in any more
    used       INTEGER NOT NULL DEFAULT 0, -- how often it was mixed in
    used_at    INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    by_id      TEXT NOT NULL,              -- who wrote or changed it last; '' for the program
    by_name    TEXT NOT NULL
) STRICT;
CREATE INDEX planted_draft_next ON planted_draft (retired, used_at, id);

-- One row per planted case, from the draw on. It keeps what was wrong as it was then, so that a later change of the library
-- changes no result.
CREATE TABLE planted_check (
    id             TEXT PRIMARY KEY,
    agent_id       TEXT NOT NULL,
    trigger_id     TEXT NOT NULL,          -- the draft whose arrival drew it
    state          TEXT NOT NULL CHECK (state IN ('due', 'open', 'caught', 'missed')),
    interaction_id TEXT NOT NULL DEFAULT '',
    draft_id       TEXT NOT NULL DEFAULT '',
    draft_version  INTEGER NOT NULL DEFAULT 0,
    task           TEXT NOT NULL DEFAULT '',
    problem        TEXT NOT NULL DEFAULT '',
    expected       TEXT NOT NULL DEFAULT '',
    title          TEXT NOT NULL DEFAULT '',
    what           TEXT NOT NULL DEFAULT '',
    guidance       TEXT NOT NULL DEFAULT '', -- the text that is to be under review
    absent         TEXT NOT NULL DEFAULT '[]',
    present        TEXT NOT NULL DEFAULT '[]',
    due_at         INTEGER NOT NULL,
    placed_at      INTEGER NOT NULL DEFAULT 0,
    closed_at      INTEGER NOT NULL DEFAULT 0,
    decision_id    TEXT NOT NULL DEFAULT '',
    kind           TEXT NOT NULL DEFAULT ''  -- of the decision that closed it
) STRICT;
CREATE UNIQUE INDEX planted_check_trigger ON planted_check (trigger_id);
CREATE UNIQUE INDEX planted_check_interaction ON planted_check (interaction_id) WHERE interaction_id <> '';
CREATE INDEX planted_check_closed ON planted_check (closed_at, id) WHERE closed_at > 0;

-- Who signed the decision that closed it.
CREATE TABLE planted_result (
    check_id    TEXT NOT NULL REFERENCES planted_check (id),
    person_id   TEXT NOT NULL,
    person_name TEXT NOT NULL,
    outcome     TEXT NOT NULL CHECK (outcome IN ('caught', 'missed')),
    second      INTEGER NOT NULL DEFAULT 0, -- 1: signed as the second supervisor
    seconds     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (check_id, person_id)
) STRICT;
CREATE INDEX planted_result_person ON planted_result (person_id, at, check_id);
CREATE INDEX planted_result_at ON planted_result (at);

-- For the export of skips, in the order in which they happened.
CREATE INDEX review_skip_at ON review_skip (at, id);
