-- Owners: internal/policy (policy), internal/knowledge (import_run), internal/audit (the index on audit).
--
-- Policies say what people must see before it leaves. Two administrators make one: one proposes, another agrees. The
-- triggers hold that for everything that comes through this program's connection, direct SQL included; ON CONFLICT REPLACE,
-- which deletes without firing delete triggers, is refused like an update. db's authorizer keeps the triggers and the rows.

-- +goose Up
CREATE TABLE policy (
    id            TEXT PRIMARY KEY,
    agent_id      TEXT NOT NULL,                -- empty: for every agent that has none of its own
    version       INTEGER NOT NULL UNIQUE,      -- 1, 2, 3 ... over all agents, given with the proposal: a number names one text
    base_version  INTEGER NOT NULL,             -- what held for the agent when it was proposed; 0: the built-in default
    state         TEXT NOT NULL CHECK (state IN ('proposed', 'active', 'superseded', 'refused', 'withdrawn')),
    follows       INTEGER NOT NULL DEFAULT 0,   -- 1: the agent gives up its own policy and follows the one for all
    content       TEXT NOT NULL,                -- JSON
    why           TEXT NOT NULL CHECK (why <> ''),
    proposed_by   TEXT NOT NULL CHECK (proposed_by <> ''), -- account
    proposed_name TEXT NOT NULL,
    proposed_at   INTEGER NOT NULL,
    agreed_by     TEXT NOT NULL DEFAULT '',     -- the second administrator
    agreed_name   TEXT NOT NULL DEFAULT '',
    agreed_at     INTEGER NOT NULL DEFAULT 0,
    ended_by      TEXT NOT NULL DEFAULT '',     -- who refused or withdrew it; of a superseded one, who agreed to its successor
    ended_name    TEXT NOT NULL DEFAULT '',
    ended_at      INTEGER NOT NULL DEFAULT 0,
    ended_why     TEXT NOT NULL DEFAULT '',
    CHECK (agreed_by <> proposed_by),
    CHECK ((state IN ('active', 'superseded')) = (agreed_by <> '')),
    CHECK ((agreed_by <> '') = (agreed_at > 0)),
    CHECK ((state IN ('superseded', 'refused', 'withdrawn')) = (ended_at > 0)),
    CHECK (state <> 'refused' OR ended_by <> '' AND ended_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR ended_by = proposed_by),
    CHECK (agent_id <> '' OR follows = 0)
) STRICT;
CREATE UNIQUE INDEX policy_active ON policy (agent_id) WHERE state = 'active';
CREATE INDEX policy_state ON policy (state, version);
CREATE INDEX policy_agent ON policy (agent_id, state);

-- +goose StatementBegin
CREATE TRIGGER policy_insert BEFORE INSERT ON policy BEGIN
    SELECT RAISE(ABORT, 'a policy begins as a proposal') WHERE NEW.state <> 'proposed';
    SELECT RAISE(ABORT, 'a policy is kept as it is') WHERE EXISTS (SELECT 1 FROM policy WHERE id = NEW.id OR version = NEW.version);
    SELECT RAISE(ABORT, 'a policy is proposed by an administrator') WHERE NOT EXISTS (
        SELECT 1 FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id = NEW.proposed_by AND r.role = 'admin' AND a.disabled_at = 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER policy_update BEFORE UPDATE ON policy BEGIN
    SELECT RAISE(ABORT, 'what a policy says is never changed') WHERE NEW.id <> OLD.id OR NEW.agent_id <> OLD.agent_id
        OR NEW.version <> OLD.version OR NEW.base_version <> OLD.base_version OR NEW.follows <> OLD.follows OR NEW.content <> OLD.content
        OR NEW.why <> OLD.why OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at;
    SELECT RAISE(ABORT, 'who agreed to a policy is never changed') WHERE OLD.state <> 'proposed'
        AND (NEW.agreed_by <> OLD.agreed_by OR NEW.agreed_name <> OLD.agreed_name OR NEW.agreed_at <> OLD.agreed_at);
    SELECT RAISE(ABORT, 'a policy can''t go that way') WHERE NOT (
        OLD.state = 'proposed' AND NEW.state IN ('active', 'refused', 'withdrawn') OR OLD.state = 'active' AND NEW.state = 'superseded');
END;
-- +goose StatementEnd
-- Both must be administrators who may sign in now, and nothing may have come into force since the proposal.
-- +goose StatementBegin
CREATE TRIGGER policy_agree BEFORE UPDATE ON policy WHEN NEW.state = 'active' BEGIN
    SELECT RAISE(ABORT, 'a policy takes two administrators') WHERE NEW.agreed_by = NEW.proposed_by OR 2 <> (
        SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id IN (NEW.proposed_by, NEW.agreed_by) AND r.role = 'admin' AND a.disabled_at = 0);
    SELECT RAISE(ABORT, 'another policy is in force') WHERE EXISTS (
        SELECT 1 FROM policy WHERE agent_id = NEW.agent_id AND state = 'active' AND id <> NEW.id);
    SELECT RAISE(ABORT, 'another policy came into force since the proposal') WHERE EXISTS (
        SELECT 1 FROM policy WHERE agent_id = NEW.agent_id AND id <> NEW.id AND version <> NEW.base_version AND agreed_at > NEW.proposed_at);
END;
-- +goose StatementEnd
-- A policy goes out of force only for a proposal that was made on top of it.
-- +goose StatementBegin
CREATE TRIGGER policy_supersede BEFORE UPDATE ON policy WHEN NEW.state = 'superseded' BEGIN
    SELECT RAISE(ABORT, 'a policy stays in force until another is agreed on') WHERE NOT EXISTS (
        SELECT 1 FROM policy WHERE agent_id = NEW.agent_id AND state = 'proposed' AND (base_version = NEW.version OR NEW.follows = 1) AND proposed_by <> NEW.ended_by);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER policy_delete BEFORE DELETE ON policy BEGIN SELECT RAISE(ABORT, 'a policy is kept as it is'); END;
-- +goose StatementEnd

-- Imports of documents, so that their reports survive a restart. A row without an end whose process is gone was cut short.
CREATE TABLE import_run (
    id          TEXT PRIMARY KEY,
    source      TEXT NOT NULL,                  -- the folder, or the name of the uploaded file
    agent_id    TEXT NOT NULL,                  -- empty: for all agents
    by_id       TEXT NOT NULL,
    by_name     TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER NOT NULL DEFAULT 0,
    failure     TEXT NOT NULL DEFAULT '',       -- why it stopped as a whole, for a person
    report      TEXT NOT NULL DEFAULT ''        -- JSON
) STRICT;
CREATE INDEX import_run_started ON import_run (started_at, id);

-- One act is listed and exported without walking the log.
CREATE INDEX audit_action ON audit (action, seq);
