-- Owners: internal/erase (erasure_key, erasure, legal_hold), internal/interaction and internal/review (the columns and their guards).
-- The texts of one customer can be erased, unless somebody put them under a hold. The rows stay, with what happened and when.

-- +goose Up

-- One row: the key under which subjects are hashed, so that nobody can try names against the records below without the file.
CREATE TABLE erasure_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key TEXT NOT NULL                          -- hex of 32 random bytes
) STRICT;

-- One row per erasure. Nothing here says whose texts they were: who asks again can be answered by hashing what they give.
CREATE TABLE erasure (
    id           TEXT PRIMARY KEY,
    how          TEXT NOT NULL CHECK (how IN ('reference', 'name', 'interaction')),
    subject_hash TEXT NOT NULL,                -- hex HMAC-SHA256 of how and the subject in its plain form
    why          TEXT NOT NULL CHECK (why <> ''), -- personal data taken out
    state        TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'done')),
    problem      TEXT NOT NULL DEFAULT '',     -- of stopped: for a person
    interactions INTEGER NOT NULL DEFAULT 0,   -- erased so far
    counts       TEXT NOT NULL DEFAULT '{}',   -- JSON: texts by place
    clean        INTEGER NOT NULL DEFAULT 0,   -- 1: the write-ahead log was emptied afterwards
    by_kind      TEXT NOT NULL,
    by_id        TEXT NOT NULL,
    by_name      TEXT NOT NULL,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX erasure_started ON erasure (started_at, id);
CREATE UNIQUE INDEX erasure_running ON erasure (subject_hash) WHERE state = 'running';

-- Who may not be erased. The subject itself stands here while the hold lasts, because people have to see whom it is about.
CREATE TABLE legal_hold (
    id            TEXT PRIMARY KEY,
    how           TEXT NOT NULL CHECK (how IN ('reference', 'name', 'interaction')),
    subject       TEXT NOT NULL,               -- as it was typed, or the interaction's id; empty once released
    subject_hash  TEXT NOT NULL,
    reason        TEXT NOT NULL CHECK (reason <> ''),
    until         INTEGER NOT NULL,            -- 0: until it is released
    by_id         TEXT NOT NULL,
    by_name       TEXT NOT NULL,
    at            INTEGER NOT NULL,
    released_at   INTEGER NOT NULL DEFAULT 0,
    released_by   TEXT NOT NULL DEFAULT '',
    released_name TEXT NOT NULL DEFAULT '',
    released_why  TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX legal_hold_subject ON legal_hold (subject_hash) WHERE released_at = 0;
CREATE INDEX legal_hold_at ON legal_hold (at, id);

ALTER TABLE interaction ADD COLUMN erased_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decision ADD COLUMN erased_at INTEGER NOT NULL DEFAULT 0;

-- The guards of 00009, with the one change that an erasure makes: a text becomes the words that say so, once, and stays that.
DROP TRIGGER interaction_released;
-- +goose StatementBegin
CREATE TRIGGER interaction_released BEFORE UPDATE ON interaction
WHEN NEW.final_text <> OLD.final_text AND NOT (OLD.erased_at = 0 AND NEW.erased_at > 0 AND NEW.status = OLD.status
        AND NEW.final_text LIKE 'Erased on %' AND length(NEW.final_text) < 40)
    OR NEW.status = 'released' AND OLD.status <> 'released'
BEGIN
    SELECT RAISE(ABORT, 'nobody released this') WHERE OLD.status <> 'held' OR NEW.status <> 'released' OR NEW.planted = 1 OR NEW.final_text = '' OR NOT EXISTS (
        SELECT 1 FROM decision d JOIN review r ON r.id = d.review_id
        WHERE d.review_id = NEW.id AND d.state = 'released' AND d.kind IN ('approve', 'revise', 'sampled') AND d.text = NEW.final_text
        AND (d.second_by <> '' OR d.needs_second = 0 AND r.two_eyes = 0 AND (r.asked_by = '' OR r.asked_by <> d.by_id)));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER interaction_erased BEFORE UPDATE ON interaction
WHEN OLD.erased_at > 0 AND (NEW.erased_at <> OLD.erased_at OR NEW.question <> OLD.question OR NEW.customer <> OLD.customer OR NEW.guidance <> OLD.guidance
    OR NEW.reasoning <> OLD.reasoning OR NEW.steps <> OLD.steps OR NEW.metadata <> OLD.metadata OR NEW.failure <> OLD.failure OR NEW.status <> OLD.status)
BEGIN
    SELECT RAISE(ABORT, 'what was erased stays erased');
END;
-- +goose StatementEnd
DROP TRIGGER decision_update;
-- +goose StatementBegin
CREATE TRIGGER decision_update BEFORE UPDATE ON decision BEGIN
    SELECT RAISE(ABORT, 'what was signed is never changed') WHERE NEW.id <> OLD.id OR NEW.rowid <> OLD.rowid OR NEW.review_id <> OLD.review_id
        OR NEW.kind <> OLD.kind OR NEW.by_id <> OLD.by_id OR NEW.base_id <> OLD.base_id OR NEW.version <> OLD.version
        OR NEW.needs_second <> OLD.needs_second OR NEW.decided_at <> OLD.decided_at OR NEW.erased_at <> OLD.erased_at AND OLD.erased_at > 0;
    SELECT RAISE(ABORT, 'what was signed is never changed') WHERE (NEW.text <> OLD.text OR NEW.final_hash <> OLD.final_hash OR NEW.text_hash <> OLD.text_hash)
        AND NOT (OLD.erased_at = 0 AND NEW.erased_at > 0 AND NEW.state = OLD.state AND NEW.final_hash = '' AND NEW.text_hash = ''
            AND (NEW.text = '' OR NEW.text LIKE 'Erased on %' AND length(NEW.text) < 40));
    SELECT RAISE(ABORT, 'a second signature is given once, when the decision becomes held') WHERE NEW.second_by <> OLD.second_by
        AND NOT (OLD.second_by = '' AND OLD.state = 'pending' AND NEW.state = 'held');
    SELECT RAISE(ABORT, 'a decision can''t go that way') WHERE NEW.state <> OLD.state AND NOT (
        OLD.state = 'pending' AND NEW.state IN ('held', 'undone', 'overruled')
        OR OLD.state = 'held' AND NEW.state IN ('released', 'escalated', 'returned', 'closed', 'undone')
        OR OLD.state = 'released' AND NEW.state = 'recalled'
        OR OLD.state = 'overruled' AND NEW.state = 'pending');
    SELECT RAISE(ABORT, 'another decision stands') WHERE OLD.state = 'overruled' AND NEW.state = 'pending'
        AND EXISTS (SELECT 1 FROM decision WHERE review_id = NEW.review_id AND id <> NEW.id AND state NOT IN ('undone', 'overruled', 'recalled'));
END;
-- +goose StatementEnd
