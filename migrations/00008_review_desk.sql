-- Owners: internal/interaction (interaction), internal/review (the rest). The desk, complete: a second pair of eyes, sending
-- back, recalling what was delivered, planted checks, assignment.
--
-- Two tables get wider CHECKs, which SQLite can only do by making them anew. Others refer to interaction, so its keys
-- are off meanwhile; the work itself is one transaction, and doing it twice after a crash has the same result.

-- +goose NO TRANSACTION
-- +goose Up
PRAGMA foreign_keys = OFF;
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS interaction_new;
CREATE TABLE interaction_new (
    id             TEXT PRIMARY KEY,
    agent_id       TEXT NOT NULL,
    agent_name     TEXT NOT NULL,
    origin         TEXT NOT NULL CHECK (origin IN ('api', 'advise', 'ask', 'demo')),
    -- returned: sent back to the agent with a note; closed: a planted check that was never meant for anybody
    status         TEXT NOT NULL CHECK (status IN ('drafting', 'waiting', 'held', 'released', 'escalated', 'returned', 'closed', 'failed')),
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
    version        INTEGER NOT NULL DEFAULT 1, -- raised by every change of status
    revises        TEXT NOT NULL DEFAULT '',   -- the interaction that was sent back and that this one answers anew
    planted        INTEGER NOT NULL DEFAULT 0  -- 1: a known-bad draft that tests the desk; never delivered, shown to no agent
) STRICT;
INSERT INTO interaction_new (id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance, guidance_hash, reasoning, model,
    drafter, knowledge_used, steps, metadata, final_text, failure, created_at, released_at, version)
SELECT id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance, guidance_hash, reasoning, model,
    drafter, knowledge_used, steps, metadata, final_text, failure, created_at, released_at, version FROM interaction;
DROP TABLE interaction;
ALTER TABLE interaction_new RENAME TO interaction;
CREATE INDEX interaction_agent ON interaction (agent_id, created_at, id);
CREATE INDEX interaction_agent_status ON interaction (agent_id, status, created_at, id);
CREATE INDEX interaction_created ON interaction (created_at, id);
CREATE INDEX interaction_status ON interaction (status, created_at, id);
CREATE UNIQUE INDEX interaction_revises ON interaction (revises) WHERE revises <> '';

DROP TABLE IF EXISTS decision_new;
CREATE TABLE decision_new (
    id            TEXT PRIMARY KEY,
    review_id     TEXT NOT NULL REFERENCES review (id),
    -- return: sent back to the agent with a note; sampled: let go by a policy that two admins agreed, read by nobody
    kind          TEXT NOT NULL CHECK (kind IN ('approve', 'revise', 'reject', 'return', 'sampled')),
    -- pending: waits for a second supervisor; overruled: the second one decided otherwise; recalled: taken back after
    -- delivery, to be corrected; closed: of a planted check
    state         TEXT NOT NULL CHECK (state IN ('pending', 'held', 'released', 'escalated', 'returned', 'closed', 'undone', 'overruled', 'recalled')),
    by_id         TEXT NOT NULL,
    by_name       TEXT NOT NULL,
    text          TEXT NOT NULL,                -- what goes to the customer; empty for a rejection
    final_hash    TEXT NOT NULL DEFAULT '',     -- hex SHA-256 of text, which both signatures are for; empty before this migration
    text_hash     TEXT NOT NULL,                -- of the text that was on the screen
    version       INTEGER NOT NULL,             -- of the review that was on the screen
    base_id       TEXT NOT NULL DEFAULT '',     -- the decision whose text was on the screen; empty: the agent's draft
    reason        TEXT NOT NULL,
    reason_code   TEXT NOT NULL,
    feedback      TEXT NOT NULL,
    confirmation  TEXT NOT NULL,                -- the sentence agreed to before the customer gets the text; empty for a rejection
    flags         TEXT NOT NULL,                -- JSON: what the check said of the draft
    seconds       INTEGER NOT NULL,             -- time on the case
    characters    INTEGER NOT NULL DEFAULT 0,   -- of question and text on the screen: what there was to read
    hasty         INTEGER NOT NULL DEFAULT 0,   -- 1: decided faster than that can be read
    decided_at    INTEGER NOT NULL,
    held_until    INTEGER NOT NULL,             -- 0 while pending
    needs_second  INTEGER NOT NULL DEFAULT 0,
    second_by     TEXT NOT NULL DEFAULT '',     -- the second supervisor
    second_name   TEXT NOT NULL DEFAULT '',
    second_at     INTEGER NOT NULL DEFAULT 0,
    second_seconds INTEGER NOT NULL DEFAULT 0,
    second_hasty  INTEGER NOT NULL DEFAULT 0,
    second_confirmation TEXT NOT NULL DEFAULT '',
    policy_version INTEGER NOT NULL DEFAULT 0,  -- of the agent's policy in force
    settled_at    INTEGER NOT NULL DEFAULT 0,   -- when it was released, escalated, undone ...
    settled_by    TEXT NOT NULL DEFAULT '',     -- who undid, overruled or recalled it (account)
    settled_name  TEXT NOT NULL DEFAULT '',
    settled_why   TEXT NOT NULL DEFAULT '',
    CHECK (second_by = '' OR second_by <> by_id)
) STRICT;
INSERT INTO decision_new (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code, feedback, confirmation, flags,
    seconds, decided_at, held_until, settled_at, settled_by)
SELECT id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code, feedback, confirmation, flags,
    seconds, decided_at, held_until, settled_at, settled_by FROM decision;
DROP TABLE decision;
ALTER TABLE decision_new RENAME TO decision;
-- At most one decision stands.
CREATE UNIQUE INDEX decision_standing ON decision (review_id) WHERE state NOT IN ('undone', 'overruled', 'recalled');
CREATE INDEX decision_review ON decision (review_id, decided_at, id);
CREATE INDEX decision_by ON decision (by_id, decided_at, id);
CREATE INDEX decision_at ON decision (decided_at, id);
CREATE INDEX decision_second ON decision (second_by, second_at, id) WHERE second_by <> '';
COMMIT;
PRAGMA foreign_keys = ON;

-- The new columns of review stand in the next file: ADD COLUMN knows no IF NOT EXISTS, and this file may run twice.
