-- Owner: internal/account. People, their roles and sessions; agents and their tokens.
-- Secrets are never stored: a password as argon2id, everything random (sessions, tokens, the set-up link) as SHA-256.

-- +goose Up
CREATE TABLE account (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL,               -- as it was typed
    email_key     TEXT NOT NULL UNIQUE,        -- in lower case; what must be unique
    name          TEXT NOT NULL,
    password_hash TEXT NOT NULL,               -- argon2id with its parameters
    theme         TEXT NOT NULL DEFAULT 'system',
    density       TEXT NOT NULL DEFAULT 'comfortable',
    letter_keys   INTEGER NOT NULL DEFAULT 1,  -- single-letter keys may be turned off (WCAG 2.1.4)
    created_at    INTEGER NOT NULL,
    disabled_at   INTEGER NOT NULL DEFAULT 0,  -- 0 while the account may sign in
    version       INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE account_role (
    account_id TEXT NOT NULL REFERENCES account (id),
    role       TEXT NOT NULL,
    PRIMARY KEY (account_id, role)
) STRICT;

-- A session that ended has no row; the audit log remembers it.
CREATE TABLE session (
    id          TEXT PRIMARY KEY,              -- names the session on its owner's page; not the secret
    secret_hash TEXT NOT NULL UNIQUE,          -- hex SHA-256 of what the cookie carries
    account_id  TEXT NOT NULL REFERENCES account (id),
    user_agent  TEXT NOT NULL,
    address     TEXT NOT NULL,
    notice      TEXT NOT NULL DEFAULT '',      -- one line to show on the next page
    created_at  INTEGER NOT NULL,
    seen_at     INTEGER NOT NULL               -- touched at most once a minute
) STRICT;
CREATE INDEX session_account ON session (account_id, seen_at);

-- The one link with which the first administrator is made; at most one row.
CREATE TABLE setup_link (
    id          INTEGER PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;

-- Failed sign-ins, counted per account and address, per address, and per account from strange addresses.
CREATE TABLE sign_in_count (
    kind     TEXT NOT NULL,
    key      TEXT NOT NULL,                    -- hex SHA-256 of what is counted, so that no typed address is kept
    failures INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;
CREATE INDEX sign_in_count_last ON sign_in_count (last_at);

-- Where each account has signed in from: such an address is not held up by what strangers try.
CREATE TABLE known_address (
    account_id TEXT NOT NULL REFERENCES account (id),
    address    TEXT NOT NULL,                  -- hex SHA-256
    seen_at    INTEGER NOT NULL,
    PRIMARY KEY (account_id, address)
) STRICT;

CREATE TABLE agent (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL UNIQUE,           -- in lower case
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
    id           TEXT PRIMARY KEY,
    agent_id     TEXT NOT NULL REFERENCES agent (id),
    secret_hash  TEXT NOT NULL UNIQUE,         -- hex SHA-256 of the whole token
    hint         TEXT NOT NULL,                -- its first characters, to tell tokens apart
    scopes       TEXT NOT NULL,                -- separated by blanks
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,             -- 0: never
    last_used_at INTEGER NOT NULL DEFAULT 0,   -- touched at most once a minute
    revoked_at   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX token_agent ON token (agent_id, created_at);
