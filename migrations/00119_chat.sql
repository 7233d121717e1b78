-- Owner: internal/feedback/chat. The private links by which people come back to a conversation with an agent whose answers are reviewed.
-- What was said is in the interactions; this only finds it.

-- +goose Up
CREATE TABLE chat_link (
    thread      TEXT PRIMARY KEY,              -- of the interactions; also what a customer quotes to have them erased
    agent_id    TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE,          -- SHA-256 of what the address carries
    public      INTEGER NOT NULL CHECK (public IN (0, 1)), -- begun by somebody without an account
    until       INTEGER NOT NULL               -- when the link stops working; each question moves it
) STRICT;
CREATE INDEX chat_link_until ON chat_link (until);
