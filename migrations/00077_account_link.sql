-- Owner: internal/account. Links by which people choose their own password, and from when a role counts.

-- +goose Up
-- The link that a person has been given; a newer one takes its place, and using it deletes it.
CREATE TABLE account_link (
    account_id  TEXT PRIMARY KEY REFERENCES account (id),
    secret_hash TEXT NOT NULL UNIQUE,         -- hex SHA-256
    made_by     TEXT NOT NULL,                -- who made it, for the audit log
    made_name   TEXT NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;

-- Before this moment the role decides and signs nothing; 0: it always did.
ALTER TABLE account_role ADD COLUMN counts_at INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE account_role DROP COLUMN counts_at;
DROP TABLE account_link;
