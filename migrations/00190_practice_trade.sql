-- Owner: internal/practice. Of which agents a person said that they do the work whose customers practice has, where that is one
-- trade of many in their domain: only these practise at night.

-- +goose Up
CREATE TABLE practice_trade (
    agent_id TEXT PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE practice_trade;
