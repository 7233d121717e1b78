-- Owner: internal/account. The names that an agent had: programs that still send one are served as before, and no other agent can take
-- it.

-- +goose Up
CREATE TABLE agent_former (
    name_key TEXT PRIMARY KEY,                 -- in lower case
    name     TEXT NOT NULL,
    agent_id TEXT NOT NULL REFERENCES agent (id),
    at       INTEGER NOT NULL                  -- when it was given up last
) STRICT;
CREATE INDEX agent_former_agent ON agent_former (agent_id, at);

-- +goose Down
DROP TABLE agent_former;
