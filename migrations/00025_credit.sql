-- Owner: internal/knowledge/credit. What became of the drafts that knowledge was shown to, and who said which of it misled.
-- Counts stand beside the rows they are made of, so that a decision costs the same after a hundred thousand of them, and can
-- be made again from the rows. Evidence from practice and from real decisions stands in rows of its own, and no query adds them up.

-- +goose Up
CREATE TABLE credit_outcome (
    id             TEXT PRIMARY KEY,           -- of the decision, or of the practice session's judgement
    evidence       TEXT NOT NULL CHECK (evidence IN ('real', 'virtual')),
    interaction_id TEXT NOT NULL,
    agent_id       TEXT NOT NULL,
    task           TEXT NOT NULL,
    approved       INTEGER NOT NULL,           -- 1: went out unchanged
    counted        INTEGER NOT NULL,           -- 0: the decision was undone
    at             INTEGER NOT NULL
) STRICT;
CREATE INDEX credit_outcome_interaction ON credit_outcome (interaction_id);

-- What the draft had been shown, and what a person ticked.
CREATE TABLE credit_shown (
    outcome_id TEXT NOT NULL REFERENCES credit_outcome (id),
    item_id    TEXT NOT NULL,
    kind       TEXT NOT NULL,                  -- case or rule
    version    INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,               -- of the item, when it was counted
    others     REAL NOT NULL,                  -- what the other items shown were thought to change in the chance of approval
    counted    INTEGER NOT NULL,
    asked_by   TEXT NOT NULL DEFAULT '',       -- account that was asked whether it misled; '' nobody was
    misled     INTEGER NOT NULL DEFAULT 0,     -- 1: ticked
    PRIMARY KEY (outcome_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_shown_asked ON credit_shown (item_id, epoch, asked_by, misled) WHERE asked_by <> '' AND counted = 1;

-- How often drafts of a task go out unchanged.
CREATE TABLE credit_task (
    evidence TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    task     TEXT NOT NULL,
    decided  INTEGER NOT NULL,
    approved INTEGER NOT NULL,
    PRIMARY KEY (evidence, agent_id, task)
) STRICT, WITHOUT ROWID;

-- The same of the drafts that an item was shown to.
CREATE TABLE credit_item (
    evidence TEXT NOT NULL,
    item_id  TEXT NOT NULL,
    epoch    INTEGER NOT NULL,
    agent_id TEXT NOT NULL,
    task     TEXT NOT NULL,
    shown    INTEGER NOT NULL,
    approved INTEGER NOT NULL,
    others   REAL NOT NULL,                    -- the sum over those drafts
    PRIMARY KEY (evidence, item_id, epoch, agent_id, task)
) STRICT, WITHOUT ROWID;

-- A person who takes an item out of quarantine begins a new epoch: what it rested on stays on record and counts no more.
CREATE TABLE credit_epoch (
    item_id TEXT NOT NULL,
    epoch   INTEGER NOT NULL,                  -- 1, 2 ...; an item without a row is at 0
    by_id   TEXT NOT NULL,
    reason  TEXT NOT NULL CHECK (reason <> ''),
    at      INTEGER NOT NULL,
    PRIMARY KEY (item_id, epoch)
) STRICT, WITHOUT ROWID;

-- Planted checks: items of which it is known whether they mislead, put among those that a person is asked about.
CREATE TABLE credit_check (
    id       TEXT PRIMARY KEY,
    by_id    TEXT NOT NULL,                    -- account
    misleads INTEGER NOT NULL,                 -- the truth
    ticked   INTEGER NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
CREATE INDEX credit_check_by ON credit_check (by_id, misleads, ticked);
