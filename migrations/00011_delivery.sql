-- Owner: internal/delivery. Webhooks: where each agent's events go, what was sent, and every attempt at it. What an event
-- says is built when it is sent and never stored, so that no customer's text stands here and erasure need not look.

-- +goose Up
CREATE TABLE webhook_endpoint (
    agent_id      TEXT PRIMARY KEY,             -- one endpoint each
    url           TEXT NOT NULL,
    include_text  INTEGER NOT NULL,             -- 1: the released text goes with the event
    state         TEXT NOT NULL CHECK (state IN ('enabled', 'disabled')),
    disabled_why  TEXT NOT NULL DEFAULT '' CHECK (disabled_why IN ('', 'person', 'gone')), -- gone: it answered 410
    disabled_at   INTEGER NOT NULL DEFAULT 0,
    failures      INTEGER NOT NULL DEFAULT 0,   -- failed attempts since the last good one
    failing_since INTEGER NOT NULL DEFAULT 0,
    failure       TEXT NOT NULL DEFAULT '',     -- what the last failed attempt said
    delivered_at  INTEGER NOT NULL DEFAULT 0,   -- the last good attempt
    paused_until  INTEGER NOT NULL DEFAULT 0,   -- it asked us to come back later (Retry-After)
    created_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL DEFAULT 1    -- raised by what people change, not by attempts
) STRICT;

-- The keys that sign. Signing needs the key itself, so it can't be a hash; the file is its owner's alone. After a rotation
-- the one before signs too until it runs out; then its row goes.
CREATE TABLE webhook_secret (
    id         TEXT PRIMARY KEY,
    agent_id   TEXT NOT NULL REFERENCES webhook_endpoint (agent_id),
    secret     TEXT NOT NULL,                   -- whsec_ and base64 of 32 random bytes
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL                 -- 0: the current one
) STRICT;
CREATE INDEX webhook_secret_agent ON webhook_secret (agent_id, created_at);
CREATE INDEX webhook_secret_expires ON webhook_secret (expires_at) WHERE expires_at > 0;

-- The outbox: one row per event, written in the transaction of what it tells. There are none for an agent without an
-- endpoint. A row is kept: with its attempts it is the receipt of what went out.
CREATE TABLE delivery (
    seq        INTEGER PRIMARY KEY,             -- the order in which things happened
    id         TEXT NOT NULL UNIQUE,            -- msg_..., the webhook-id of every attempt
    agent_id   TEXT NOT NULL REFERENCES webhook_endpoint (agent_id),
    type       TEXT NOT NULL,                   -- guidance.released, ...
    object_id  TEXT NOT NULL,                   -- what it is about; events of one object are sent in order. Empty for a test
    source_id  TEXT NOT NULL,                   -- what made it happen: the decision
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead', 'failed')), -- failed: a test, tried once
    attempt    INTEGER NOT NULL DEFAULT 0,      -- attempts since it was queued or replayed
    tried      INTEGER NOT NULL DEFAULT 0,      -- all attempts
    next_at    INTEGER NOT NULL,                -- when it is due; 0 once it is settled
    created_at INTEGER NOT NULL,
    settled_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX delivery_due ON delivery (agent_id, next_at, seq) WHERE state = 'waiting';
CREATE INDEX delivery_object ON delivery (agent_id, object_id, seq);
CREATE INDEX delivery_agent ON delivery (agent_id, seq);
CREATE INDEX delivery_agent_state ON delivery (agent_id, state, seq);
CREATE INDEX delivery_before ON delivery (agent_id, object_id, seq) WHERE state = 'waiting'; -- what an event of an object comes after

CREATE TABLE delivery_attempt (
    delivery_id TEXT NOT NULL REFERENCES delivery (id),
    n           INTEGER NOT NULL,               -- 1, 2, 3 ... over all replays
    at          INTEGER NOT NULL,
    took_ms     INTEGER NOT NULL,
    outcome     TEXT NOT NULL,                  -- delivered, status, redirect, gone, timeout, connection, certificate, refused, lost
    status      INTEGER NOT NULL,               -- of the answer; 0 without one
    note        TEXT NOT NULL,                  -- what went wrong, and the first words of the answer
    body_hash   TEXT NOT NULL,                  -- hex SHA-256 of what was sent
    PRIMARY KEY (delivery_id, n)
) STRICT;
