-- Owner: internal/audit. The record of who did what, append-only and hash-chained.
-- audit rows hold salted hashes only; the text and its salt stand in audit_content, which can be erased by law
-- without breaking the chain. db's authorizer and these triggers both refuse to change a row.

-- +goose Up
CREATE TABLE audit (
    seq          INTEGER PRIMARY KEY,          -- 1, 2, 3 ... without a gap
    at           INTEGER NOT NULL,             -- milliseconds, the transaction's clock
    actor_kind   TEXT NOT NULL,                -- person, agent or system
    actor_id     TEXT NOT NULL,
    action       TEXT NOT NULL,                -- as review.approved
    object_kind  TEXT NOT NULL,
    object_id    TEXT NOT NULL,
    content_hash TEXT NOT NULL,                -- hex SHA-256 of salt, the actor's name and content
    prev_hash    TEXT NOT NULL,
    hash         TEXT NOT NULL
) STRICT;
CREATE INDEX audit_object ON audit (object_id, seq);
CREATE INDEX audit_actor ON audit (actor_id, seq);

CREATE TABLE audit_content (
    seq        INTEGER PRIMARY KEY REFERENCES audit (seq),
    salt       TEXT NOT NULL,                  -- empty once erased
    actor_name TEXT NOT NULL,                  -- as the actor was called then; empty once erased
    content    TEXT NOT NULL,                  -- JSON; empty once erased
    erased_at  INTEGER NOT NULL DEFAULT 0      -- the time of the tombstone (action audit.erased) that says why
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
-- REPLACE deletes without firing delete triggers, so a second row of the same number is refused here.
-- +goose StatementBegin
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
