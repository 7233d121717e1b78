-- Owner: internal/interaction. What an agent was asked and what it answered, and what became of the answer.
-- customer, knowledge_used, steps and metadata are JSON that no query looks into. agent_name is a copy, so that what an
-- agent was called when it answered stays true after a rename.

-- +goose Up
CREATE TABLE interaction (
    id             TEXT PRIMARY KEY,
    agent_id       TEXT NOT NULL,
    agent_name     TEXT NOT NULL,
    origin         TEXT NOT NULL CHECK (origin IN ('api', 'advise', 'ask', 'demo')),
    status         TEXT NOT NULL CHECK (status IN ('drafting', 'waiting', 'held', 'released', 'escalated', 'failed')),
    task           TEXT NOT NULL,
    task_by        TEXT NOT NULL CHECK (task_by IN ('agent', 'preceptor')),
    question       TEXT NOT NULL,
    customer       TEXT NOT NULL,              -- JSON as it came: known fields and free ones
    guidance       TEXT NOT NULL,              -- empty while drafting
    guidance_hash  TEXT NOT NULL,              -- hex SHA-256 of guidance; forms carry it
    reasoning      TEXT NOT NULL,
    model          TEXT NOT NULL,
    drafter        TEXT NOT NULL,              -- which of our drafters wrote it; empty when an agent did
    knowledge_used TEXT NOT NULL,              -- JSON: ids and versions from recall
    steps          TEXT NOT NULL,              -- JSON, or empty
    metadata       TEXT NOT NULL,              -- JSON, or empty
    final_text     TEXT NOT NULL DEFAULT '',   -- what went to the customer; empty until it was released
    failure        TEXT NOT NULL DEFAULT '',   -- why no draft could be made
    created_at     INTEGER NOT NULL,
    released_at    INTEGER NOT NULL DEFAULT 0,
    version        INTEGER NOT NULL DEFAULT 1  -- raised by every change of status
) STRICT;
-- An agent's list is newest first, with and without a status; so is everybody's.
CREATE INDEX interaction_agent ON interaction (agent_id, created_at, id);
CREATE INDEX interaction_agent_status ON interaction (agent_id, status, created_at, id);
CREATE INDEX interaction_created ON interaction (created_at, id);
CREATE INDEX interaction_status ON interaction (status, created_at, id);

-- The history that people and agents read. The audit log is the one that nobody can change.
CREATE TABLE interaction_event (
    interaction_id TEXT NOT NULL REFERENCES interaction (id),
    seq            INTEGER NOT NULL,           -- 1, 2, 3 ... within the interaction
    at             INTEGER NOT NULL,
    kind           TEXT NOT NULL,              -- submitted, asked, drafted, failed, approved, revised, rejected, undone, released, ...
    actor_kind     TEXT NOT NULL,
    actor_id       TEXT NOT NULL,
    actor_name     TEXT NOT NULL,
    note           TEXT NOT NULL,
    PRIMARY KEY (interaction_id, seq)
) STRICT;
-- What somebody asked our own advisor.
CREATE INDEX interaction_event_asked ON interaction_event (actor_id, at, interaction_id) WHERE kind = 'asked';

-- One row per idempotency key that was answered, written in the transaction of its submission: a crash after the commit
-- leaves the answer here for the retry.
CREATE TABLE idempotency (
    owner          TEXT NOT NULL,              -- the token (API) or account (page) that sent the key
    key            TEXT NOT NULL,
    body_hash      TEXT NOT NULL,
    interaction_id TEXT NOT NULL REFERENCES interaction (id),
    status         TEXT NOT NULL,              -- what the first answer said
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT;
CREATE INDEX idempotency_created ON idempotency (created_at);
CREATE INDEX idempotency_interaction ON idempotency (interaction_id);

