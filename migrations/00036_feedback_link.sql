-- Owner: internal/feedback.
-- The key that signs customers' links.

-- +goose Up

-- One row. Whoever reads the key can make links under which one may vote, and nothing else. Another key ends every link at once.
CREATE TABLE feedback_key (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    secret  TEXT NOT NULL,                     -- 32 random bytes, base64
    made_at INTEGER NOT NULL
) STRICT;
