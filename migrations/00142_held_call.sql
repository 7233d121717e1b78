-- Owner: internal/interaction. An answer that a caller of /v1/chat/completions waits for, under what it sent: the same
-- call, sent again to any server, gets its standing and submits nothing.

-- +goose Up
CREATE TABLE held_call (
    key            TEXT PRIMARY KEY,           -- hex SHA-256 of the token's id and of what was sent
    interaction_id TEXT NOT NULL REFERENCES interaction (id),
    answer         TEXT NOT NULL,              -- JSON: the model's answer but its text; empty once erased
    created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX held_call_interaction ON held_call (interaction_id);

-- +goose Down
DROP TABLE held_call;
