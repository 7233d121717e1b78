-- Owner: internal/feedback/nightly. What people accepted is in agents' prompt files (approval); no night proposes lines
-- any more.

-- +goose Up
DROP TABLE prompt_proposal;

-- +goose Down
CREATE TABLE prompt_proposal (
    id          TEXT PRIMARY KEY,
    agent_id    TEXT NOT NULL,
    agent_name  TEXT NOT NULL,
    agent_type  TEXT NOT NULL,
    night_id    TEXT NOT NULL REFERENCES night (id),
    section     TEXT NOT NULL,                 -- the lines to add under Instructions
    patterns    TEXT NOT NULL,                 -- JSON list: the evidence
    state       TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'superseded')),
    settled_by  TEXT NOT NULL DEFAULT '',
    settled_name TEXT NOT NULL DEFAULT '',
    settled_at  INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX prompt_proposal_open ON prompt_proposal (agent_id, agent_type) WHERE state = 'open';
CREATE UNIQUE INDEX prompt_proposal_accepted ON prompt_proposal (agent_id, agent_type) WHERE state = 'accepted';
CREATE INDEX prompt_proposal_list ON prompt_proposal (created_at, id);
