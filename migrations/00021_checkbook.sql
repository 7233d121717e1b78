-- Owner: internal/compliance/checkbook. The checks that experts wrote, what they found when they were tried, and which checks are on.

-- +goose Up
-- One row per wording of a check of one's own. A row never changes: who rewords writes the next version.
CREATE TABLE check_version (
    id        TEXT PRIMARY KEY,
    check_id  TEXT NOT NULL,             -- the same over all versions
    version   INTEGER NOT NULL,          -- 1, 2, 3 ... of this check
    code      TEXT NOT NULL,
    title     TEXT NOT NULL,
    syntax    TEXT NOT NULL CHECK (syntax IN ('words', 'regexp')),
    source    TEXT NOT NULL,             -- as it was typed
    pattern   TEXT NOT NULL,             -- what runs: RE2
    severity  TEXT NOT NULL CHECK (severity IN ('critical', 'major', 'minor')),
    why       TEXT NOT NULL,
    reference TEXT NOT NULL,
    finds     TEXT NOT NULL,             -- JSON: texts that it has to find something in
    leaves    TEXT NOT NULL,             -- JSON: texts that it has to leave alone
    reason    TEXT NOT NULL CHECK (reason <> ''),
    by_id     TEXT NOT NULL,             -- account
    by_name   TEXT NOT NULL,
    at        INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX check_version_number ON check_version (check_id, version);

-- A check that was held against texts. No text stands here: what it found is places in items, whose texts an erasure can reach.
CREATE TABLE check_trial (
    id          TEXT PRIMARY KEY,
    check_id    TEXT NOT NULL,           -- of a shipped check, its code
    version     INTEGER NOT NULL,        -- of a shipped check, 0
    source      TEXT NOT NULL CHECK (source IN ('gold', 'desk')),
    source_id   TEXT NOT NULL,           -- gold: the dataset version
    source_name TEXT NOT NULL,           -- as people read it
    examples_ok INTEGER NOT NULL,        -- 1: every example of its own came out as it should
    figures     TEXT NOT NULL,           -- JSON
    by_id       TEXT NOT NULL,
    by_name     TEXT NOT NULL,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX check_trial_check ON check_trial (check_id, version, at, id);

-- What is on. The row with the highest book of a check says how it stands; a shipped check without one is on.
CREATE TABLE check_switch (
    id            TEXT PRIMARY KEY,
    check_id      TEXT NOT NULL,
    version       INTEGER NOT NULL,      -- which wording goes on or off; of a shipped check, 0
    is_on         INTEGER NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('asked', 'done', 'refused', 'withdrawn')),
    book          INTEGER NOT NULL DEFAULT 0, -- the checkbook's version from this switch on: 1, 2, 3 ... over all checks; 0: it never took effect
    trial_id      TEXT NOT NULL DEFAULT '',   -- on what it was decided
    reason        TEXT NOT NULL CHECK (reason <> ''),
    by_id         TEXT NOT NULL,
    by_name       TEXT NOT NULL,
    at            INTEGER NOT NULL,
    answered_by   TEXT NOT NULL DEFAULT '',   -- who agreed, refused or withdrew
    answered_name TEXT NOT NULL DEFAULT '',
    answered_at   INTEGER NOT NULL DEFAULT 0,
    answer        TEXT NOT NULL DEFAULT '',   -- why not
    CHECK ((state = 'done') = (book > 0)),
    CHECK (state <> 'refused' OR answered_by <> by_id),
    CHECK (state <> 'withdrawn' OR answered_by = by_id)
) STRICT;
CREATE UNIQUE INDEX check_switch_book ON check_switch (book) WHERE book > 0;
CREATE INDEX check_switch_check ON check_switch (check_id, book);
CREATE UNIQUE INDEX check_switch_asked ON check_switch (check_id) WHERE state = 'asked';

-- The guards, as in 00012: a verdict names a version of the checkbook, and that is worth what these rows are worth. The domain keeps
-- the same rules. REPLACE deletes without firing delete triggers, so an insert that would replace a row is refused.

-- +goose StatementBegin
CREATE TRIGGER check_version_insert BEFORE INSERT ON check_version BEGIN
    SELECT RAISE(ABORT, 'a wording is kept as it is') WHERE EXISTS (
        SELECT 1 FROM check_version WHERE id = NEW.id OR check_id = NEW.check_id AND version = NEW.version OR rowid = NEW.rowid);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_version_update BEFORE UPDATE ON check_version BEGIN SELECT RAISE(ABORT, 'a wording is kept as it is'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_version_delete BEFORE DELETE ON check_version BEGIN SELECT RAISE(ABORT, 'a wording is kept as it is'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_switch_insert BEFORE INSERT ON check_switch BEGIN
    SELECT RAISE(ABORT, 'a switch is kept as it is') WHERE EXISTS (
        SELECT 1 FROM check_switch WHERE id = NEW.id OR NEW.book > 0 AND book = NEW.book OR rowid = NEW.rowid);
    SELECT RAISE(ABORT, 'the checkbook only goes forward') WHERE NEW.book > 0 AND NEW.book <= (SELECT coalesce(max(book), 0) FROM check_switch);
END;
-- +goose StatementEnd
-- A request is answered once; nothing else of it changes.
-- +goose StatementBegin
CREATE TRIGGER check_switch_update BEFORE UPDATE ON check_switch BEGIN
    SELECT RAISE(ABORT, 'a switch is kept as it is') WHERE OLD.state <> 'asked' OR NEW.state = 'asked' OR NEW.id <> OLD.id OR NEW.rowid <> OLD.rowid
        OR NEW.check_id <> OLD.check_id OR NEW.version <> OLD.version OR NEW.is_on <> OLD.is_on OR NEW.trial_id <> OLD.trial_id OR NEW.reason <> OLD.reason
        OR NEW.by_id <> OLD.by_id OR NEW.by_name <> OLD.by_name OR NEW.at <> OLD.at;
    SELECT RAISE(ABORT, 'what was asked for takes a second person') WHERE NEW.state = 'done' AND (NEW.answered_by = '' OR NEW.answered_by = OLD.by_id);
    SELECT RAISE(ABORT, 'the checkbook only goes forward') WHERE NEW.book > 0 AND NEW.book <= (SELECT coalesce(max(book), 0) FROM check_switch);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_switch_delete BEFORE DELETE ON check_switch BEGIN SELECT RAISE(ABORT, 'a switch is kept as it is'); END;
-- +goose StatementEnd
